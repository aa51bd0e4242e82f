"""Judges what a document holds: where its forms go, what it loads and from whom, which names stand in its addresses.

Local development is no network: nothing there travels in the clear.
"""

import re
from collections.abc import Callable, Sequence

import msgspec

from gasoline_workers.audit import csp, places, sensitive_names
from gasoline_workers.audit.findings import Flaw

PINNED = re.compile(r"@\d+\.\d+|/\d+\.\d+(?:\.\d+)?/|[.-]\d+\.\d+\.\d+|[.-][0-9a-f]{8,}\.")
"""A version or a hash in the address: what is there does not change, so that a hash of it holds."""

ACTIVE = frozenset(("script", "stylesheet", "frame", "object"))
"""What Chrome blocks on a page of https; images and media it asks for by https instead (Mixed Content, 5.1, 5.3)."""


class Form(msgspec.Struct, frozen=True):
    """A form: its element, the absolute address that it sends to, how, and whether it has a field for a password."""

    selector: str = ""
    address: str = ""
    method: str = "get"
    asks_secret: bool = False
    is_written: bool = False


class Part(msgspec.Struct, frozen=True):
    """What an element loads. `kind`: script, stylesheet, frame, object, image, media; `address` is absolute."""

    kind: str = ""
    address: str = ""
    has_integrity: bool = False


class Parameter(msgspec.Struct, frozen=True):
    """The name of a parameter in an address; `place`: page, link, request; `address`: the address without its query."""

    called: str = ""
    place: str = "page"
    address: str = ""


class Content(msgspec.Struct, frozen=True):
    """What a document holds; `policies`: those of its header and of its meta elements."""

    url: str
    forms: Sequence[Form] = ()
    parts: Sequence[Part] = ()
    parameters: Sequence[Parameter] = ()
    policies: Sequence[str] = ()


def judge(content: Content) -> list[Flaw]:
    """Return the flaws of what a document holds."""
    return [flaw for rule in RULES for flaw in rule(content)]


def _encryption(content: Content) -> list[Flaw]:
    """Secure Contexts, 3.1; Lighthouse, is-on-https."""
    if not places.is_clear(content.url):
        return []
    message = "The page comes unencrypted: anybody on the way can read and change it"
    return [Flaw("page_in_the_clear", "high", "content", message, "Serve it over https and redirect http there")]


def _forms(content: Content) -> list[Flaw]:
    """Mixed Content, 4 (https://www.w3.org/TR/mixed-content/): browsers warn of such a form, and send it."""
    clear = [form for form in content.forms if places.is_clear(form.address)]
    secret = [form.selector for form in clear if form.asks_secret]
    plain = [form.selector for form in clear if not form.asks_secret]
    message = "A form sends {} over http, readable by anybody on the way"
    guidance = "Send it to an https address"
    found: list[Flaw] = []
    if secret:
        found.append(
            Flaw("password_in_the_clear", "critical", "content", message.format("a password"), guidance, secret)
        )
    if plain:
        found.append(Flaw("form_in_the_clear", "high", "content", message.format("what is typed"), guidance, plain))
    return found


def _passwords_by_get(content: Content) -> list[Flaw]:
    """CWE-598; only a form that states its method or address is taken at its word: scripts send the others."""
    forms = [form for form in content.forms if form.asks_secret and form.method == "get" and form.is_written]
    if not forms:
        return []
    message = "A form with a password uses method GET, which puts it into the address, logs and history"
    return [Flaw("password_by_get", "high", "content", message, 'Use method="post"', [form.selector for form in forms])]


def _mixed(content: Content) -> list[Flaw]:
    """Mixed Content, 5 (https://www.w3.org/TR/mixed-content/)."""
    if places.scheme_of(content.url) != "https" or csp.upgrades(content.policies):
        return []
    mixed = [part for part in content.parts if places.is_clear(part.address)]
    active = [_shown(part, content) for part in mixed if part.kind in ACTIVE]
    passive = [_shown(part, content) for part in mixed if part.kind not in ACTIVE]
    guidance = "Load it over https"
    found: list[Flaw] = []
    if active:
        message = "An https page loads scripts, styles or frames over http: Chrome blocks them"
        found.append(Flaw("mixed_content", "high", "content", message, guidance, active))
    if passive:
        message = "An https page names images or media by http: Chrome asks for https instead, other programs do not"
        found.append(Flaw("mixed_images", "low", "content", message, guidance, passive))
    return found


def _integrity(content: Content) -> list[Flaw]:
    """Subresource Integrity, 3 (https://www.w3.org/TR/SRI/); what changes under its address can have none."""
    others = [
        part
        for part in content.parts
        if part.kind in {"script", "stylesheet"}
        and not part.has_integrity
        and places.is_third_party(part.address, content.url)
    ]
    pinned = [_shown(part, content) for part in others if PINNED.search(part.address)]
    loose = [_shown(part, content) for part in others if not PINNED.search(part.address)]
    found: list[Flaw] = []
    if pinned:
        message = "Code of another site is loaded without integrity: that site can change it"
        guidance = "Add integrity and crossorigin"
        found.append(Flaw("missing_integrity", "medium", "content", message, guidance, pinned))
    if loose:
        message = "Code of another site is loaded by an address without a version: it may change at any time"
        guidance = "Use an address with a version, and integrity; or serve a copy"
        found.append(Flaw("unpinned_script", "low", "content", message, guidance, loose))
    return found


def _addresses(content: Content) -> list[Flaw]:
    """CWE-598 (https://cwe.mitre.org/data/definitions/598.html): addresses go into logs, history and Referer."""
    leaks = [one for one in content.parameters if sensitive_names.is_leak(one.called)]
    own = sorted({one.called for one in leaks if one.place == "page"})
    others = sorted({one.called for one in leaks if one.place != "page"} - set(own))
    guidance = "Send it in a header or a body, or in a cookie"
    found: list[Flaw] = []
    if own:
        message = "The page's own address has a secret in it, by the name of its parameter"
        found.append(Flaw("token_in_url", "high", "content", message, guidance, own))
    if others:
        message = "Links or requests of the page have a secret in their address, by the name of its parameter"
        found.append(Flaw("token_in_request_url", "medium", "content", message, guidance, others))
    return found


def _shown(part: Part, content: Content) -> str:
    return places.shown(part.address, content.url)


RULES: tuple[Callable[[Content], list[Flaw]], ...] = (
    _encryption,
    _forms,
    _passwords_by_get,
    _mixed,
    _integrity,
    _addresses,
)
