"""Judges what a page loads: how much, how it is sent, what it holds up, and from whom.

A size that another origin hides is unknown and counts nowhere. What a development server does not do for speed (no
compression, no caching, HTTP/1) is `info` on local development.
"""

import re
from collections.abc import Sequence

from gasoline_workers.audit import places
from gasoline_workers.audit.findings import Slow
from gasoline_workers.audit.measured import Measured, Resource
from gasoline_workers.audit.messages import Severity

KIB = 1024

NOTICED_MS = 100
"""A delay that is shorter is taken as instant (RAIL, https://web.dev/articles/rail)."""

TEXT_BYTES = 1400
"""A text that is smaller fits one packet (Lighthouse, uses-text-compression)."""

TEXT_SAVED = 0.65
"""What gzip saves of usual text (HTTP Archive, Web Almanac, Compression: 60 to 80 %)."""

WORTH_BYTES = 10 * KIB
"""Savings below are not reported."""

LARGE_SAVING = 100 * KIB

HEAVY_BYTES = (2667 * KIB, 4000 * KIB)
"""Lighthouse, total-byte-weight: where its score falls below good, and to a half."""

OTHERS_BYTES = 250 * KIB
OTHERS_BLOCKING_MS = 250
"""Lighthouse, third-party-summary, of blocking time; the same figure in KiB for size."""

DAY_S = 86_400
STATIC = frozenset(("script", "style", "image", "font"))

HTTP1_REQUESTS = 6
"""So many connections Chrome opens to a host of HTTP/1 (Lighthouse, uses-http2: fails from 6 requests on)."""


def redirects(page: Measured) -> Slow | None:
    """Return redirects before the document (https://developer.chrome.com/docs/lighthouse/performance/redirects)."""
    took = page.navigation.redirect_ms
    if took < NOTICED_MS:
        return None
    return Slow(
        "redirects",
        "medium" if took >= 3 * NOTICED_MS else "low",
        f"{max(1, page.navigation.redirects)} redirect(s) before the page took {round(took)} ms",
        "Link to the final address",
        "https://developer.chrome.com/docs/lighthouse/performance/redirects",
        {"redirects": page.navigation.redirects, "redirect_ms": took},
        {"ms": took},
    )


def render_blocking(page: Measured) -> Slow | None:
    """Return what held up the first paint: its end after that of the document, up to the paint."""
    paint, answered = page.navigation.paint_ms, page.navigation.response_end_ms
    if paint is None:
        return None
    blocking = [one for one in page.resources if one.is_blocking and one.start_ms < paint]
    held = max((min(one.start_ms + one.took_ms, paint) - answered for one in blocking), default=0)
    late = sorted((one for one in blocking if one.took_ms >= NOTICED_MS / 2), key=lambda one: -one.took_ms)
    if held < NOTICED_MS or not late:
        return None
    return Slow(
        "render-blocking",
        "high" if held >= 10 * NOTICED_MS else "medium",
        f"Styles or scripts hold up the first paint by {round(held)} ms",
        "Scripts: defer or async. Styles: inline what the first screen needs, load the rest later",
        "https://developer.chrome.com/docs/lighthouse/performance/render-blocking-resources",
        {"held_ms": held, "first_paint_ms": paint},
        {"ms": held},
        [f"{places.shown(one.address, page.url)}: {round(one.took_ms)} ms" for one in late],
    )


def compression(page: Measured) -> Slow | None:
    """Return texts that came as large as they are (RFC 9110, 8.4; Lighthouse, uses-text-compression)."""
    document = _document(page)
    plain = [one for one in [document, *page.resources] if _is_uncompressed(one)]
    saved = TEXT_SAVED * sum(one.encoded or 0 for one in plain)
    if saved < WORTH_BYTES:
        return None
    return Slow(
        "text-compression",
        _delivery(page, "medium" if saved >= LARGE_SAVING else "low"),
        f"{len(plain)} text(s) came without compression, {_kb(sum(one.encoded or 0 for one in plain))}",
        "Send text with Content-Encoding: br or gzip",
        "https://developer.chrome.com/docs/lighthouse/performance/uses-text-compression",
        {"bytes": sum(one.encoded or 0 for one in plain)},
        {"bytes": saved},
        _named(plain, page),
    )


def caching(page: Measured) -> Slow | None:
    """Return static files that are loaded again at the next visit (RFC 9111, 4.2 and 5.2)."""
    seen = [one for one in page.resources if one.kind in STATIC and one.cache is not None and not _is_refused(one)]
    again = [one for one in seen if _lifetime(one) < DAY_S]
    size = sum(one.encoded or 0 for one in again)
    if size < WORTH_BYTES:
        return None
    return Slow(
        "cache-lifetime",
        _delivery(page, "medium" if size >= LARGE_SAVING else "low"),
        f"{len(again)} static file(s) may be kept for less than a day, {_kb(size)}",
        "Put a hash into the name and send Cache-Control: max-age=31536000, immutable",
        "https://web.dev/articles/http-cache",
        {"bytes": size},
        {"bytes": size},
        [f"{places.shown(one.address, page.url)}: {one.cache or 'no Cache-Control'}" for one in _largest(again)],
    )


def total_bytes(page: Measured) -> Slow | None:
    """Return a page that is heavy as a whole; `unknown`: how many sizes other origins hide."""
    sizes = [page.navigation.encoded, *(one.encoded for one in page.resources)]
    total = sum(size for size in sizes if size is not None)
    low, medium = HEAVY_BYTES
    if total <= low:
        return None
    return Slow(
        "total-bytes",
        "medium" if total > medium else "low",
        f"The page loads {_kb(total)}",
        "Load less: smaller images, split scripts, what is below the first screen later",
        "https://developer.chrome.com/docs/lighthouse/performance/total-byte-weight",
        {"bytes": total, "requests": len(sizes), "unknown": sizes.count(None) or None},
        {"bytes": total - low},
        _named([one for one in page.resources if (one.encoded or 0) > total / 20], page),
    )


def third_parties(page: Measured) -> Slow | None:
    """Return what other sites cost: bytes, as far as they show them, and time on the main thread."""
    others = [one for one in page.resources if places.is_third_party(one.address, page.url)]
    blocked: dict[str, float] = {}
    for task in page.tasks:
        if places.is_third_party(task.script, page.url):
            site = places.site_of(task.script)
            blocked[site] = blocked.get(site, 0) + max(0, task.took_ms - 50)
    size, blocking = sum(one.encoded or 0 for one in others), sum(blocked.values())
    if size < OTHERS_BYTES and blocking < OTHERS_BLOCKING_MS:
        return None
    return Slow(
        "third-parties",
        "medium" if blocking >= OTHERS_BLOCKING_MS else "low",
        f"Other sites cost {_kb(size)} and {round(blocking)} ms of the main thread",
        "Load them after the page, on demand, or not at all",
        "https://web.dev/articles/optimizing-content-efficiency-loading-third-party-javascript",
        {"bytes": size, "blocking_ms": blocking, "unknown": sum(one.encoded is None for one in others) or None},
        {"ms": blocking, "bytes": size},
        _sites(others, blocked),
    )


def preloads(page: Measured) -> Slow | None:
    """Return preloads that nothing used, by Chrome's own log, seconds after the load."""
    if not page.unused_preloads:
        return None
    sizes = {one.address: one.encoded or 0 for one in page.resources}
    return Slow(
        "unused-preload",
        "low",
        f"{len(page.unused_preloads)} preload(s) were not used within seconds of the load",
        "Remove the preload, or correct its address, `as` and crossorigin",
        "https://web.dev/articles/preload-critical-assets",
        {},
        {"bytes": sum(sizes.get(address, 0) for address in page.unused_preloads)},
        [places.shown(address, page.url) for address in page.unused_preloads],
    )


def protocol(page: Measured) -> Slow | None:
    """Return an https site that sends many files by HTTP/1 (Lighthouse, uses-http2)."""
    origin = places.origin_of(page.url)
    old = [
        one
        for one in page.resources
        if one.protocol.startswith("http/1") and places.origin_of(one.address) == origin and not one.is_cached
    ]
    if len(old) < HTTP1_REQUESTS or not origin.startswith("https:"):
        return None
    return Slow(
        "http1",
        _delivery(page, "low"),
        f"{len(old)} files of the site came by HTTP/1.1",
        "Serve HTTP/2 or HTTP/3",
        "https://developer.chrome.com/docs/lighthouse/best-practices/uses-http2",
        {"requests": len(old)},
    )


def failed(page: Measured) -> Slow | None:
    """Return resources that the server refused (Lighthouse, errors-in-console)."""
    refused = [one for one in page.resources if _is_refused(one)]
    if not refused:
        return None
    return Slow(
        "failed-resources",
        "medium",
        f"{len(refused)} resource(s) of the page failed",
        "Correct their addresses, or remove what asks for them",
        "https://developer.chrome.com/docs/lighthouse/best-practices/errors-in-console",
        {},
        {},
        [f"{places.shown(one.address, page.url)}: {one.status}" for one in refused],
        category="best_practices",
    )


def _is_refused(one: Resource) -> bool:
    return one.status >= 400  # noqa: PLR2004 - RFC 9110, 15.5


def _document(page: Measured) -> Resource:
    sent = page.navigation
    return Resource(page.url, "document", encoded=sent.encoded, decoded=sent.decoded, is_text=True)


def _is_uncompressed(one: Resource) -> bool:
    if not one.is_text or one.encoded is None or one.decoded is None:
        return False
    return one.decoded >= TEXT_BYTES and one.encoded >= one.decoded


def _lifetime(one: Resource) -> int:
    """Return for how many seconds a response may be used again (RFC 9111, 4.2.1)."""
    text = (one.cache or "").lower()
    if "no-store" in text or "no-cache" in text:
        return 0
    age = re.search(r"max-age\s*=\s*\"?(\d+)", text)
    return int(age[1]) if age else 0


def _delivery(page: Measured, severity: Severity) -> Severity:
    return "info" if places.is_local(page.url) else severity


def _largest(resources: Sequence[Resource]) -> list[Resource]:
    return sorted(resources, key=lambda one: -(one.encoded or 0))


def _named(resources: Sequence[Resource], page: Measured) -> list[str]:
    return [f"{places.shown(one.address, page.url)}: {_kb(one.encoded or 0)}" for one in _largest(resources)]


def _sites(others: Sequence[Resource], blocked: dict[str, float]) -> list[str]:
    sizes: dict[str, float] = dict.fromkeys(blocked, 0)
    for one in others:
        site = places.site_of(one.address)
        sizes[site] = sizes.get(site, 0) + (one.encoded or 0)
    order = sorted(sizes, key=lambda site: (-blocked.get(site, 0), -sizes[site]))
    return [f"{site}: {_kb(sizes[site])}, {round(blocked.get(site, 0))} ms" for site in order]


def _kb(size: float) -> str:
    return f"{size / KIB:.0f} KB" if size < KIB * KIB else f"{size / KIB / KIB:.1f} MB"
