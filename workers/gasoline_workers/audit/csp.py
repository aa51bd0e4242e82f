"""Judges a Content Security Policy by directive (https://www.w3.org/TR/CSP3/); it decides by the text alone.

Rules of this file:
- All policies of a page apply together, so that a weakness counts only where each of them that restricts scripts has
  it; a mistake in the writing counts in any.
- What a nonce, a hash or 'strict-dynamic' makes browsers ignore is no weakness (CSP 3, 6.7.3.2 and 8.2).
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from gasoline_workers.audit.findings import Flaw
from gasoline_workers.audit.messages import Severity
from gasoline_workers.redaction.names import word_set

Policy = dict[str, tuple[str, ...]]
"""The sources by directive, all in lower case."""

DIRECTIVES = word_set(
    """base-uri block-all-mixed-content child-src connect-src default-src fenced-frame-src font-src form-action
    frame-ancestors frame-src img-src manifest-src media-src navigate-to object-src plugin-types prefetch-src
    referrer reflected-xss report-to report-uri require-sri-for require-trusted-types-for sandbox script-src
    script-src-attr script-src-elem style-src style-src-attr style-src-elem trusted-types upgrade-insecure-requests
    webrtc worker-src""",
)
"""CSP 3, section 6, Trusted Types, Upgrade Insecure Requests, and what earlier levels had."""

NOT_IN_META = ("frame-ancestors", "report-uri", "sandbox")
"""CSP 3, 3.3: ignored in a <meta> element."""

WIDE = frozenset(("*", "https:", "http:", "data:", "blob:", "http://*", "https://*"))
"""Sources from which anybody can serve a script."""

KEYWORDS = frozenset(("self", "none", "unsafe-inline", "unsafe-eval", "strict-dynamic", "unsafe-hashes"))
"""Without their quotes these are names of hosts."""


class Weakness(NamedTuple):
    """A weakness of one policy: how bad it is, how it is found, and what to do."""

    severity: Severity
    finds: Callable[[Policy], Sequence[str]]
    message: str
    guidance: str


def parse(texts: Iterable[str]) -> list[Policy]:
    """Return the policies of header or meta values (CSP 3, 2.2.1); of a directive written twice the first counts."""
    policies = []
    for text in (part for value in texts for part in value.split(",")):
        policy: Policy = {}
        for directive in text.lower().split(";"):
            name, *sources = directive.split() or [""]
            if name:
                policy.setdefault(name, tuple(sources))
        if policy:
            policies.append(policy)
    return policies


def judge(headers: Sequence[str], metas: Sequence[str], reported: Sequence[str]) -> list[Flaw]:
    """Return the flaws of a page's policies: those of headers, of meta elements, and those that only report."""
    policies = parse(headers) + parse(metas)
    if not policies:
        return [_absent(is_reported=bool(parse(reported)))]
    restricting = [policy for policy in policies if _scripts(policy) is not None]
    weak = [
        _flaw(issue, weakness, found[0])
        for issue, weakness in WEAKNESSES.items()
        if all(found := [weakness.finds(policy) for policy in restricting or policies])
    ]
    return weak + _mistakes(policies, parse(metas))


def allows_framing_by_all(headers: Sequence[str]) -> bool:
    """Return whether no policy names who may frame the page; a meta element cannot."""
    ancestors = [policy["frame-ancestors"] for policy in parse(headers) if "frame-ancestors" in policy]
    return all(WIDE.intersection(sources) for sources in ancestors)


def upgrades(texts: Sequence[str]) -> bool:
    """Return whether the browser itself asks for https in the place of http."""
    names = ("upgrade-insecure-requests", "block-all-mixed-content")
    return any(name in policy for policy in parse(texts) for name in names)


def _first(policy: Policy, *names: str) -> tuple[str, ...] | None:
    return next((policy[name] for name in names if name in policy), None)


def _scripts(policy: Policy) -> tuple[str, ...] | None:
    return _first(policy, "script-src-elem", "script-src", "default-src")


def _is_listed(sources: Iterable[str]) -> bool:
    return any(source.startswith(("'nonce-", "'sha256-", "'sha384-", "'sha512-")) for source in sources)


def _unrestricted(policy: Policy) -> Sequence[str]:
    return ["script-src"] if _scripts(policy) is None else []


def _inline(policy: Policy) -> Sequence[str]:
    sources = _scripts(policy) or ()
    ignored = _is_listed(sources) or "'strict-dynamic'" in sources
    return ["'unsafe-inline'"] if "'unsafe-inline'" in sources and not ignored else []


def _evaluated(policy: Policy) -> Sequence[str]:
    return ["'unsafe-eval'"] if "'unsafe-eval'" in (_first(policy, "script-src", "default-src") or ()) else []


def _wide(policy: Policy) -> Sequence[str]:
    sources = _scripts(policy) or ()
    return [] if "'strict-dynamic'" in sources else [source for source in sources if source in WIDE]


def _plugins(policy: Policy) -> Sequence[str]:
    missing = _first(policy, "object-src", "default-src") is None and _scripts(policy) is not None
    return ["object-src"] if missing else []


def _base(policy: Policy) -> Sequence[str]:
    sources = _scripts(policy) or ()
    relative = any(source.startswith("'nonce-") for source in sources) or "'strict-dynamic'" in sources
    return ["base-uri"] if relative and "base-uri" not in policy else []


WEAKNESSES: dict[str, Weakness] = {
    "csp_no_script_src": Weakness(
        "high",
        _unrestricted,
        "Content-Security-Policy does not restrict scripts: it has neither script-src nor default-src",
        "Add script-src with nonces, or at least 'self'",
    ),
    "csp_unsafe_inline": Weakness(
        "high",
        _inline,
        "Content-Security-Policy allows every inline script: 'unsafe-inline'",
        "Give each inline script a nonce or a hash and remove 'unsafe-inline'",
    ),
    "csp_wide_source": Weakness(
        "high",
        _wide,
        "Content-Security-Policy allows scripts from any server",
        "Name the hosts, or use nonces with 'strict-dynamic'",
    ),
    "csp_unsafe_eval": Weakness(
        "low",
        _evaluated,
        "Content-Security-Policy allows eval: 'unsafe-eval'",
        "Remove 'unsafe-eval'; replace eval and new Function",
    ),
    "csp_no_object_src": Weakness(
        "low",
        _plugins,
        "Content-Security-Policy does not restrict plugins: it has neither object-src nor default-src",
        "Add object-src 'none'",
    ),
    "csp_no_base_uri": Weakness(
        "medium",
        _base,
        "Content-Security-Policy lets an injected <base> redirect scripts that have a nonce: it has no base-uri",
        "Add base-uri 'none' or 'self'",
    ),
}
"""By issue; the checks are those of Google's CSP Evaluator (https://csp-evaluator.withgoogle.com), which Lighthouse
uses (https://developer.chrome.com/docs/lighthouse/best-practices/csp-xss), in our own words."""


def _flaw(issue: str, weakness: Weakness, affected: Sequence[str]) -> Flaw:
    return Flaw(issue, weakness.severity, "headers", weakness.message, weakness.guidance, affected)


def _absent(*, is_reported: bool) -> Flaw:
    if is_reported:
        message = "Content-Security-Policy is only reported, not enforced"
        return Flaw("csp_report_only", "medium", "headers", message, "Send it as Content-Security-Policy too")
    message, guidance = "Content-Security-Policy header not set", "Add CSP header to prevent XSS attacks"
    return Flaw("missing_csp", "high", "headers", message, guidance)


def _mistakes(policies: Sequence[Policy], metas: Sequence[Policy]) -> list[Flaw]:
    unknown = sorted({name for policy in policies for name in policy if name not in DIRECTIVES})
    bare = sorted({source for policy in policies for sources in policy.values() for source in sources} & KEYWORDS)
    ignored = sorted({name for policy in metas for name in policy if name in NOT_IN_META})
    found: tuple[tuple[str, Severity, list[str], str, str], ...] = (
        (
            "csp_unknown_directive",
            "low",
            unknown,
            "has unknown directives, which browsers ignore",
            "Correct their names",
        ),
        (
            "csp_unquoted_keyword",
            "medium",
            bare,
            "has keywords without quotes, which name hosts then",
            "Quote them: 'self'",
        ),
        (
            "csp_meta_ignored",
            "low",
            ignored,
            "has directives that a <meta> element cannot set",
            "Send them as a header",
        ),
    )
    return [
        Flaw(issue, severity, "headers", f"Content-Security-Policy {message}", guidance, names)
        for issue, severity, names, message, guidance in found
        if names
    ]
