"""Judges the security evidence of a page: headers, cookies, storage, content; one scope or all of them.

What was not seen is unknown, and no finding: a document whose response the extension did not see has `headers: unknown`
with how to get them.
"""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from gasoline_workers.audit import cookies, page_content, places, response_headers, sensitive_names
from gasoline_workers.audit.cookies import Cookie
from gasoline_workers.audit.findings import Flaw, security
from gasoline_workers.audit.found import Found
from gasoline_workers.audit.page_content import Content, Form, Parameter, Part
from gasoline_workers.audit.response_headers import Document
from gasoline_workers.diff.reading import items, struct, text

REFRESH = 'interact(action:"refresh"), then analyze again'
"""How the extension gets to see the response of a page that was there before."""


UNREGISTER = "Have the user reload with Ctrl+Shift+R, which passes by the service worker, then analyze again"


class Evidence(msgspec.Struct, frozen=True):
    """What the extension gathered. `response`: Response; `stored`: the keys of the storages.

    `set`: the cookies of the response's Set-Cookie, `jar`: those in the browser's store; `metas`: MetaElements.
    """

    url: Any = None
    response: Any = None
    metas: Any = None
    set: Any = None
    jar: Any = None
    stored: Any = None
    forms: Any = None
    parts: Any = None
    parameters: Any = None


class Response(msgspec.Struct, frozen=True):
    """Whether the response of the document was seen, why not, and its headers as a list of Header."""

    known: Any = None
    why: Any = None
    headers_received: Any = None


class Header(msgspec.Struct, frozen=True):
    """A header of the response; the name in lower case."""

    called: str = ""
    holds: str = ""


class Metas(msgspec.Struct, frozen=True):
    """What meta elements state of policy and referrer."""

    policies: Any = None
    referrers: Any = None


class CookieSeen(msgspec.Struct, frozen=True):
    """A cookie's name and flags, never its value."""

    called: str = ""
    secure: bool = False
    http_only: bool = False
    same_site: str = ""
    path: str = "/"
    has_domain: bool = False


class Key(msgspec.Struct, frozen=True):
    """A key of a storage: localStorage or sessionStorage."""

    called: str = ""
    area: str = "localStorage"


def judge(evidence: object, scope: str) -> Found:
    """Return the findings of a scope: full, headers, cookies, storage."""
    seen = struct(evidence, Evidence)
    names = list(PARTS) if scope not in PARTS else [scope]
    flaws: list[Flaw] = []
    summary: dict[str, Any] = {}
    for name in names:
        found, counted = PARTS[name](seen)
        flaws += found
        summary[name] = counted
    return Found([security(flaw) for flaw in flaws], summary)


def _headers(seen: Evidence) -> tuple[list[Flaw], Any]:
    response = struct(seen.response, Response)
    if response.known is not True:
        return [], _unseen(text(response.why) or "its load was not seen", text(seen.url))
    flaws = response_headers.judge(_document(seen, response))
    passed = response_headers.count_passed(flaws)
    return flaws, {"passed": passed, "failed": len(response_headers.CHECKS) - passed}


def _unseen(why: str, url: str) -> dict[str, str]:
    """Return why the headers are unknown, and for a page of a server how to get them."""
    return {"unknown": why} | ({"to_get_them": _how(why)} if places.host_of(url) else {})


def _how(why: str) -> str:
    return UNREGISTER if "service worker" in why else REFRESH


def _document(seen: Evidence, response: Response) -> Document:
    values: dict[str, list[str]] = {}
    for header in items(response.headers_received, Header):
        values.setdefault(header.called.lower(), []).append(header.holds)
    metas = struct(seen.metas, Metas)
    return Document(
        text(seen.url),
        {name: tuple(held) for name, held in values.items()},
        tuple(items(metas.policies, str)),
        tuple(items(metas.referrers, str)),
        sets_cookies=bool(items(seen.set, CookieSeen)),
    )


def _cookies(seen: Evidence) -> tuple[list[Flaw], Any]:
    was_set = [_cookie(one, was_set=True) for one in items(seen.set, CookieSeen)]
    known = {cookie.called for cookie in was_set}
    url = text(seen.url)
    jar = [] if places.is_local(url) else items(seen.jar, CookieSeen)
    kept = [_cookie(one, was_set=False) for one in jar if one.called not in known]
    flaws = cookies.judge([*was_set, *kept], url)
    return flaws, cookies.summary([*was_set, *kept], flaws)


def _cookie(one: CookieSeen, *, was_set: bool) -> Cookie:
    return Cookie(one.called, one.secure, one.http_only, one.same_site, one.path, one.has_domain, was_set=was_set)


def _storage(seen: Evidence) -> tuple[list[Flaw], Any]:
    """OWASP, HTML5 Security Cheat Sheet, Local Storage: any script of the origin can read it."""
    flaws: list[Flaw] = []
    count = 0
    keys = items(seen.stored, Key)
    for area in ("localStorage", "sessionStorage"):
        names = [key.called for key in keys if key.area == area and sensitive_names.is_secret(key.called)]
        count += len(names)
        if names:
            those = "key" if len(names) == 1 else "keys"
            message = f"Potentially sensitive {those} found in {area}"
            guidance = f"Consider using httpOnly cookies instead of {area} for tokens"
            flaws.append(Flaw("sensitive_in_storage", "low", "storage", message, guidance, sorted(names)))
    return flaws, {"flagged_keys": count}


def _content(seen: Evidence) -> tuple[list[Flaw], Any]:
    response, metas = struct(seen.response, Response), struct(seen.metas, Metas)
    headers = items(response.headers_received, Header)
    policies = [header.holds for header in headers if header.called.lower() == "content-security-policy"]
    content = Content(
        text(seen.url),
        items(seen.forms, Form),
        items(seen.parts, Part),
        items(seen.parameters, Parameter),
        [*policies, *items(metas.policies, str)],
    )
    flaws = page_content.judge(content)
    return flaws, {"failed": len(flaws)}


PARTS: Mapping[str, Callable[[Evidence], tuple[list[Flaw], Any]]] = {
    "headers": _headers,
    "cookies": _cookies,
    "storage": _storage,
    "content": _content,
}
"""What is judged, by scope; `full` is all of them, and `content` is in no scope of its own."""
