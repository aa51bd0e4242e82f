"""Judges what Chrome reported of a page: what its own policy blocks, and features of the browser that will go away."""

from gasoline_workers.audit import places
from gasoline_workers.audit.findings import Slow
from gasoline_workers.audit.measured import Measured


def blocked(page: Measured) -> Slow | None:
    """Return what the page asks for and its own policy blocks (CSP 3, 5.5; Lighthouse, inspector-issues)."""
    violations = [one for one in page.reports if one.kind == "csp-violation"]
    if not violations:
        return None
    return Slow(
        "policy-violations",
        "medium",
        f"The page's own Content-Security-Policy blocks {len(violations)} of its parts",
        "Allow them in the directive that is named, or remove what asks for them",
        "https://www.w3.org/TR/CSP3/#report-violation",
        {},
        {},
        list(dict.fromkeys(f"{one.what}: {places.shown(one.address, page.url)}" for one in violations)),
        category="best_practices",
    )


def deprecated(page: Measured) -> Slow | None:
    """Return features that a coming Chrome will not have (Deprecation Reporting; Lighthouse, deprecations)."""
    warnings = [one for one in page.reports if one.kind == "deprecation"]
    if not warnings:
        return None
    return Slow(
        "deprecated-features",
        "low",
        f"The page uses {len({one.what for one in warnings})} deprecated feature(s)",
        "Use what the browser's message names in its place",
        "https://developer.chrome.com/docs/lighthouse/best-practices/deprecations",
        {},
        {},
        list(dict.fromkeys(f"{places.shown(one.address, page.url)}: {one.what}".strip(": ") for one in warnings)),
        category="best_practices",
    )
