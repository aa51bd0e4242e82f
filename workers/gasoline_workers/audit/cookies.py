"""Judges cookies by their flags: those that the document's response set, and those in the browser's store.

No value is ever here. What Chrome refuses is in no store: such a cookie is judged by its Set-Cookie alone. Cookies have
no ports (RFC 6265, 8.5): in local development the store holds those of every server of the machine, so that the caller
leaves it out there; and a missing Secure is no flaw.
Sources: RFC 6265bis (https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis), and OWASP on sessions
(https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html).
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from gasoline_workers.audit import places, sensitive_names
from gasoline_workers.audit.findings import Flaw
from gasoline_workers.audit.messages import Severity


class Cookie(NamedTuple):
    """A cookie's name and flags. `same_site`: strict, lax, none, or empty; `was_set`: by the document's response."""

    called: str
    secure: bool = False
    http_only: bool = False
    same_site: str = ""
    path: str = "/"
    has_domain: bool = False
    was_set: bool = False

    @property
    def is_session(self) -> bool:
        """Whether its name is that of a session."""
        return sensitive_names.is_session(self.called)


class Rule(NamedTuple):
    """A flaw of one cookie, and the words for all that have it."""

    severity: Severity
    has: Callable[[Cookie, bool], bool]
    one: str
    many: str
    guidance: str


def judge(cookies: Sequence[Cookie], page: str) -> list[Flaw]:
    """Return the flaws, each with the names of the cookies that have it."""
    encrypted = places.scheme_of(page) == "https" and not places.is_local(page)
    found = (
        (issue, rule, [cookie.called for cookie in cookies if rule.has(cookie, encrypted)])
        for issue, rule in RULES.items()
    )
    return [_flaw(issue, rule, sorted(set(names))) for issue, rule, names in found if names]


def summary(cookies: Sequence[Cookie], flaws: Iterable[Flaw]) -> dict[str, int]:
    """Count the cookies with and without a flaw (seed 000: secure, insecure)."""
    flawed = {name for flaw in flaws for name in flaw.affected}
    names = {cookie.called for cookie in cookies}
    return {"secure": len(names - flawed), "insecure": len(names & flawed)}


def _flaw(issue: str, rule: Rule, names: list[str]) -> Flaw:
    message = rule.one.format(names[0]) if len(names) == 1 else rule.many.format(len(names))
    return Flaw(issue, rule.severity, "cookies", message, rule.guidance, names)


def _is_refused_prefix(cookie: Cookie) -> bool:
    """RFC 6265bis, 4.1.3: a cookie whose name demands flags that it lacks is not stored."""
    name = cookie.called.lower()
    if name.startswith("__secure-"):
        return not cookie.secure
    return name.startswith("__host-") and not (cookie.secure and cookie.path == "/" and not cookie.has_domain)


RULES: dict[str, Rule] = {
    "insecure_cookie": Rule(
        "medium",
        lambda cookie, encrypted: encrypted and not cookie.secure and cookie.is_session,
        "Cookie '{}' missing Secure flag",
        "{} session cookies missing Secure flag",
        "Set Secure flag on all authentication cookies",
    ),
    "insecure_other_cookie": Rule(
        "low",
        lambda cookie, encrypted: (
            encrypted and not cookie.secure and not cookie.is_session and cookie.same_site != "none"
        ),
        "Cookie '{}' missing Secure flag",
        "{} cookies missing Secure flag",
        "Set Secure: the site is served over https",
    ),
    "script_readable_cookie": Rule(
        "medium",
        lambda cookie, _: not cookie.http_only and cookie.is_session,
        "Session cookie '{}' missing HttpOnly flag: injected scripts can read it",
        "{} session cookies missing HttpOnly flag: injected scripts can read them",
        "Set HttpOnly on session cookies",
    ),
    "samesite_none_insecure": Rule(
        "medium",
        lambda cookie, _: cookie.was_set and cookie.same_site == "none" and not cookie.secure,
        "Cookie '{}' has SameSite=None without Secure: Chrome does not store it",
        "{} cookies have SameSite=None without Secure: Chrome does not store them",
        "Add Secure, or use SameSite=Lax",
    ),
    "missing_samesite": Rule(
        "low",
        lambda cookie, _: not cookie.same_site and cookie.is_session,
        "Session cookie '{}' has no SameSite: not every browser takes Lax for it",
        "{} session cookies have no SameSite: not every browser takes Lax for it",
        "Set SameSite=Lax or Strict",
    ),
    "invalid_cookie_prefix": Rule(
        "medium",
        lambda cookie, _: cookie.was_set and _is_refused_prefix(cookie),
        "Cookie '{}' lacks what the prefix of its name demands: browsers do not store it",
        "{} cookies lack what the prefixes of their names demand: browsers do not store them",
        "__Secure- needs Secure; __Host- needs Secure, Path=/ and no Domain",
    ),
    "wide_cookie_domain": Rule(
        "low",
        lambda cookie, _: cookie.has_domain and cookie.is_session,
        "Session cookie '{}' is sent to every subdomain",
        "{} session cookies are sent to every subdomain",
        "Leave Domain out, unless subdomains need the session",
    ),
}
"""By issue. `has` takes the cookie and whether the page is encrypted."""
