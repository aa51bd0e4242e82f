"""Judges the response headers of a document, without its policy (csp) and its cookies (cookies).

Each rule names its source. A header that hardens and is missing weighs less in local development, where the server is
not the one that users reach; one that is there and wrong weighs the same. What a header is worth is OWASP's judgement
(https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Headers_Cheat_Sheet.html).
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from gasoline_workers.audit import csp, places
from gasoline_workers.audit.findings import Flaw
from gasoline_workers.redaction.names import word_set

YEAR_S = 31_536_000
"""The least max-age that the HSTS preload list takes (https://hstspreload.org)."""

FRAMING = frozenset(("deny", "sameorigin"))
"""HTML, 7.7: all that browsers know of X-Frame-Options; ALLOW-FROM is ignored."""

REFERRER_POLICIES = word_set(
    """no-referrer no-referrer-when-downgrade origin origin-when-cross-origin same-origin strict-origin
    strict-origin-when-cross-origin unsafe-url""",
)
LEAKING = frozenset(("unsafe-url", "no-referrer-when-downgrade"))
"""Referrer Policy, 3: these send path and query to other sites."""

POWERFUL = ("camera", "microphone", "geolocation", "payment", "usb", "serial", "hid", "bluetooth", "display-capture")

OLD_SYNTAX = re.compile(r"^\s*[a-z-]+\s+(?:'none'|'self'|\*)", re.IGNORECASE)
"""Feature-Policy's: `camera 'none'`; Permissions-Policy is a dictionary: `camera=()` (RFC 9651, 3.2)."""

VERSION = re.compile(r"/\d+\.\d+")


class Document(NamedTuple):
    """A document as it was received: header names in lower case, each with all its values in order."""

    url: str
    headers: Mapping[str, tuple[str, ...]]
    meta_policies: tuple[str, ...] = ()
    meta_referrers: tuple[str, ...] = ()
    sets_cookies: bool = False

    def joined(self, name: str) -> str:
        """Return the values of a header as one (RFC 9110, 5.3); empty without it."""
        return ", ".join(self.headers.get(name, ())).strip()

    @property
    def is_local(self) -> bool:
        """Whether it is local development."""
        return places.is_local(self.url)


def judge(document: Document) -> list[Flaw]:
    """Return the flaws of a document's headers; where it is local, what is only missing is `info`."""
    found = [flaw for rule in RULES for flaw in rule(document)]
    return [_local(flaw) for flaw in found] if document.is_local else found


def count_passed(flaws: Iterable[Flaw]) -> int:
    """Return how many of the checks of headers found nothing wrong."""
    failed = {flaw.issue for flaw in flaws if flaw.category == "headers"}
    return sum(not issues & failed for issues in CHECKS.values())


def _local(flaw: Flaw) -> Flaw:
    if not flaw.issue.startswith("missing_"):
        return flaw
    return flaw._replace(severity="info", guidance=f"{flaw.guidance} where the site is deployed: this is local")


def _policy(document: Document) -> list[Flaw]:
    reported = document.headers.get("content-security-policy-report-only", ())
    return csp.judge(document.headers.get("content-security-policy", ()), document.meta_policies, reported)


def _transport(document: Document) -> list[Flaw]:
    """Browsers take it from https alone; a host in digits has none.

    RFC 6797 (https://www.rfc-editor.org/rfc/rfc6797), 6.1, 7.2, 8.1.
    """
    if places.scheme_of(document.url) != "https" or document.is_local:
        return []
    text = document.joined("strict-transport-security")
    guidance = "Send Strict-Transport-Security: max-age=31536000; includeSubDomains"
    if not text:
        message = "Strict-Transport-Security header not set: a first visit may be taken over http"
        return [Flaw("missing_hsts", "medium", "headers", message, guidance)]
    age = re.search(r'(?:^|;)\s*max-age\s*=\s*"?(\d+)"?', text.split(",")[0], re.IGNORECASE)
    if not age:
        message = "Strict-Transport-Security has no max-age, so browsers ignore it"
        return [Flaw("invalid_hsts", "medium", "headers", message, guidance)]
    if int(age[1]) < YEAR_S:
        message = f"Strict-Transport-Security lasts {age[1]} s, less than a year"
        return [Flaw("short_hsts", "low", "headers", message, guidance)]
    return []


def _framing(document: Document) -> list[Flaw]:
    """CSP 3, 6.4.2: frame-ancestors comes before X-Frame-Options."""
    if not csp.allows_framing_by_all(document.headers.get("content-security-policy", ())):
        return []
    values = {value.strip().lower() for value in document.joined("x-frame-options").split(",") if value.strip()}
    if values and values <= FRAMING:
        return []
    guidance = "Send frame-ancestors 'self' in Content-Security-Policy, or X-Frame-Options: DENY"
    if values:
        message = "X-Frame-Options has a value that browsers ignore: any site may frame the page"
        return [Flaw("invalid_frame_options", "medium", "headers", message, guidance, sorted(values))]
    message = "Any site may frame the page: neither frame-ancestors nor X-Frame-Options is set"
    return [Flaw("missing_frame_options", "medium", "headers", message, guidance)]


def _sniffing(document: Document) -> list[Flaw]:
    """Fetch, 2.2.6 (https://fetch.spec.whatwg.org/#x-content-type-options-header): the first value counts."""
    text, guidance = document.joined("x-content-type-options"), "Send X-Content-Type-Options: nosniff"
    if not text:
        message = "X-Content-Type-Options header not set: browsers may guess types"
        return [Flaw("missing_content_type_options", "low", "headers", message, guidance)]
    if text.split(",")[0].strip().lower() != "nosniff":
        message = "X-Content-Type-Options has a value that browsers ignore"
        return [Flaw("invalid_content_type_options", "low", "headers", message, guidance)]
    return []


def _referrer(document: Document) -> list[Flaw]:
    """Judge the last known value; without one it is strict-origin-when-cross-origin, which is safe.

    Referrer Policy (https://www.w3.org/TR/referrer-policy/), 3.7 and 8.1.
    """
    values = (*document.headers.get("referrer-policy", ()), *document.meta_referrers)
    words = [part.strip().lower() for value in values for part in value.split(",")]
    known = [word for word in words if word in REFERRER_POLICIES]
    if not known or known[-1] not in LEAKING:
        return []
    message = f"Referrer-Policy {known[-1]} sends the page's path and query to other sites"
    guidance = "Use strict-origin-when-cross-origin"
    return [Flaw("unsafe_referrer_policy", "medium", "headers", message, guidance)]


def _permissions(document: Document) -> list[Flaw]:
    """Permissions Policy, 5.2 (https://www.w3.org/TR/permissions-policy/)."""
    text = document.joined("permissions-policy")
    if OLD_SYNTAX.match(text):
        message = "Permissions-Policy is written as Feature-Policy was, so browsers ignore it"
        return [Flaw("invalid_permissions_policy", "low", "headers", message, "Write camera=(), geolocation=()")]
    open_to_all = [name for name in POWERFUL if re.search(rf"(?:^|,)\s*{name}\s*=\s*\(?\s*\*", text, re.IGNORECASE)]
    if not open_to_all:
        return []
    message = "Permissions-Policy gives every frame on the page powerful features"
    guidance = "List the origins that need them, or ()"
    return [Flaw("wide_permissions_policy", "low", "headers", message, guidance, open_to_all)]


def _sharing(document: Document) -> list[Flaw]:
    """Fetch, 3.3.2 and 4.9: with credentials `*` is refused, and `null` is every sandboxed frame."""
    origin = document.joined("access-control-allow-origin").lower()
    credentials = document.joined("access-control-allow-credentials").lower() == "true"
    if origin == "null":
        message = "Access-Control-Allow-Origin null lets any sandboxed frame read the response"
        return [
            Flaw(
                "cors_null_origin",
                "high" if credentials else "medium",
                "headers",
                message,
                "Name the origins that may read it",
            )
        ]
    if origin == "*" and credentials:
        message = "Access-Control-Allow-Origin * with credentials: browsers refuse it, and it shows a wrong intent"
        return [Flaw("cors_wildcard_credentials", "medium", "headers", message, "Name the origin")]
    return []


def _disclosure(document: Document) -> list[Flaw]:
    """OWASP (HTTP Headers Cheat Sheet, Server and X-Powered-By); a server of the developer's own discloses nothing."""
    if document.is_local:
        return []
    names = [
        name
        for name in ("server", "x-powered-by", "x-aspnet-version", "x-aspnetmvc-version")
        if VERSION.search(text := document.joined(name)) or (name.startswith("x-aspnet") and text)
    ]
    if not names:
        return []
    message = "Headers disclose the version of the server's software"
    return [Flaw("version_disclosed", "low", "headers", message, "Remove the version", names)]


def _stored_cookies(document: Document) -> list[Flaw]:
    """RFC 9111, 7.3: a shared cache may store Set-Cookie of a response that is marked public, and hand it to others."""
    directives = {part.strip().lower().partition("=")[0] for part in document.joined("cache-control").split(",")}
    if not document.sets_cookies or not directives & {"public", "s-maxage"} or directives & {"no-store", "private"}:
        return []
    message = "A response that sets cookies may be stored by shared caches"
    return [Flaw("shared_cache_cookies", "high", "headers", message, "Send Cache-Control: private")]


def _filter(document: Document) -> list[Flaw]:
    """OWASP (HTTP Headers Cheat Sheet, X-XSS-Protection): the filter that it switches on made holes itself."""
    if not document.joined("x-xss-protection").startswith("1"):
        return []
    message = "X-XSS-Protection switches on a filter of old browsers that has holes itself"
    return [Flaw("legacy_xss_filter", "low", "headers", message, "Send X-XSS-Protection: 0, or nothing")]


RULES: tuple[Callable[[Document], list[Flaw]], ...] = (
    _policy,
    _transport,
    _framing,
    _sniffing,
    _referrer,
    _permissions,
    _sharing,
    _stored_cookies,
    _disclosure,
    _filter,
)

CHECKS: dict[str, frozenset[str]] = {
    "policy": frozenset(("missing_csp", "csp_report_only", *csp.WEAKNESSES)),
    "transport": frozenset(("missing_hsts", "invalid_hsts", "short_hsts")),
    "framing": frozenset(("missing_frame_options", "invalid_frame_options")),
    "sniffing": frozenset(("missing_content_type_options", "invalid_content_type_options")),
    "referrer": frozenset(("unsafe_referrer_policy",)),
    "permissions": frozenset(("invalid_permissions_policy", "wide_permissions_policy")),
    "sharing": frozenset(("cors_null_origin", "cors_wildcard_credentials")),
}
"""What the summary counts as passed: the headers that the issue names, each by the flaws that fail it."""
