"""Each security rule finds its fault in a page that has that one alone, and nothing in the page without it."""

from typing import Any

import pytest

from gasoline_workers.audit import places, sensitive_names
from gasoline_workers.audit.security import judge

Evidence = dict[str, Any]

SITE = "https://shop.example/cart"
LOCAL = "http://localhost:3000/cart"
POLICY = "default-src 'self'; script-src 'nonce-' 'strict-dynamic'; base-uri 'none'; frame-ancestors 'self'"
HEADERS = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": POLICY,
    "strict-transport-security": "max-age=63072000; includeSubDomains",
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
    "permissions-policy": "camera=(), geolocation=(self)",
    "cache-control": "private, no-cache",
    "server": "nginx",
}


def headers(**changes: str | None) -> Evidence:
    """Give a response with the headers of the clean page, some of them changed or left out."""
    named = HEADERS | {name.replace("_", "-"): held for name, held in changes.items()}
    received = [{"called": name, "holds": held} for name, held in named.items() if held is not None]
    return {"response": {"known": True, "headers_received": received}}


def policy(text: str) -> Evidence:
    return headers(content_security_policy=text, x_frame_options="DENY")


def cookie(called: str, **flags: Any) -> Evidence:
    return {"called": called, "secure": True, "http_only": True, "same_site": "lax", "path": "/"} | flags


def form(**fields: Any) -> Evidence:
    return {"forms": [{"selector": "#f", "address": SITE, "method": "post", "is_written": True} | fields]}


def part(address: str, kind: str = "script", **fields: Any) -> Evidence:
    return {"parts": [{"kind": kind, "address": address} | fields]}


def parameter(called: str, place: str = "page") -> Evidence:
    return {"parameters": [{"called": called, "place": place, "address": SITE}]}


CLEAN: Evidence = {
    "url": SITE,
    **headers(),
    "metas": {"policies": [], "referrers": []},
    "set": [cookie("__Host-session_id"), cookie("theme", http_only=False), cookie("csrftoken", http_only=False)],
    "jar": [cookie("session_id"), cookie("lang", http_only=False)],
    "stored": [
        {"area": "localStorage", "called": name}
        for name in ("keyboard_layout", "author_name", "monkey_count", "next_page_token", "passwordHint", "sort_key")
    ],
    "forms": [
        {"selector": "#login", "address": "https://shop.example/login", "method": "post", "asks_secret": True},
        {"selector": "#search", "address": "https://shop.example/search", "method": "get", "is_written": True},
    ],
    "parts": [
        {"kind": "script", "address": "https://cdn.example.net/vue@3.4.2/vue.js", "has_integrity": True},
        {"kind": "script", "address": "https://static.shop.example/app.js"},
        {"kind": "image", "address": "https://shop.example/logo.png"},
    ],
    "parameters": [
        {"called": "page_token", "place": "page"},
        {"called": "author", "place": "link"},
        {"called": "X-Amz-Security-Token", "place": "request"},
    ],
}

FAULTS: dict[str, tuple[str, Evidence]] = {
    "no policy": ("missing_csp", headers(content_security_policy=None, x_frame_options="DENY")),
    "a policy that only reports": (
        "csp_report_only",
        headers(content_security_policy=None, content_security_policy_report_only=POLICY, x_frame_options="DENY"),
    ),
    "no script-src": ("csp_no_script_src", policy("img-src 'self'")),
    "inline": ("csp_unsafe_inline", policy("default-src 'self'; script-src 'self' 'unsafe-inline'")),
    "inline by default-src": ("csp_unsafe_inline", policy("default-src 'self' 'unsafe-inline'")),
    "eval": ("csp_unsafe_eval", policy("default-src 'self' 'unsafe-eval'")),
    "any host": ("csp_wide_source", policy("default-src 'self'; script-src https:")),
    "data: scripts": ("csp_wide_source", policy("default-src 'self'; script-src 'self' data:")),
    "no object-src": ("csp_no_object_src", policy("script-src 'self'")),
    "no base-uri": ("csp_no_base_uri", policy("default-src 'self'; script-src 'nonce-'")),
    "unknown directive": ("csp_unknown_directive", policy("default-src 'self'; scripts-src 'self'")),
    "keyword without quotes": ("csp_unquoted_keyword", policy("default-src self")),
    "frame-ancestors in meta": (
        "csp_meta_ignored",
        {"metas": {"policies": ["frame-ancestors 'none'"], "referrers": []}},
    ),
    "no HSTS": ("missing_hsts", headers(strict_transport_security=None)),
    "short HSTS": ("short_hsts", headers(strict_transport_security="max-age=600")),
    "HSTS without an age": ("invalid_hsts", headers(strict_transport_security="includeSubDomains")),
    "framed by all": (
        "missing_frame_options",
        headers(content_security_policy=POLICY.replace("; frame-ancestors 'self'", "")),
    ),
    "framing by an old word": (
        "invalid_frame_options",
        headers(
            content_security_policy=POLICY.replace("; frame-ancestors 'self'", ""),
            x_frame_options="ALLOW-FROM https://other.example",
        ),
    ),
    "sniffing": ("missing_content_type_options", headers(x_content_type_options=None)),
    "sniffing by a wrong word": ("invalid_content_type_options", headers(x_content_type_options="yes")),
    "referrer": ("unsafe_referrer_policy", headers(referrer_policy="unsafe-url")),
    "referrer in meta": ("unsafe_referrer_policy", {"metas": {"policies": [], "referrers": ["unsafe-url"]}}),
    "old permissions": ("invalid_permissions_policy", headers(permissions_policy="camera 'none'; geolocation *")),
    "wide permissions": ("wide_permissions_policy", headers(permissions_policy="camera=*, geolocation=()")),
    "null origin": ("cors_null_origin", headers(access_control_allow_origin="null")),
    "any origin with credentials": (
        "cors_wildcard_credentials",
        headers(access_control_allow_origin="*", access_control_allow_credentials="true"),
    ),
    "version": ("version_disclosed", headers(server="nginx/1.18.0 (Ubuntu)")),
    "shared cache": ("shared_cache_cookies", headers(cache_control="public, max-age=600")),
    "old filter": ("legacy_xss_filter", headers(x_xss_protection="1")),
    "insecure session": ("insecure_cookie", {"set": [cookie("session_id", secure=False)]}),
    "insecure session in the store": ("insecure_cookie", {"jar": [cookie("PHPSESSID", secure=False)]}),
    "insecure cookie": ("insecure_other_cookie", {"set": [cookie("theme", secure=False)]}),
    "readable session": ("script_readable_cookie", {"set": [cookie("connect.sid", http_only=False)]}),
    "dropped by Chrome": ("samesite_none_insecure", {"set": [cookie("widget", secure=False, same_site="none")]}),
    "no SameSite": ("missing_samesite", {"set": [cookie("auth_token", same_site="")]}),
    "prefix": ("invalid_cookie_prefix", {"set": [cookie("__Host-theme", has_domain=True)]}),
    "wide domain": ("wide_cookie_domain", {"jar": [cookie("session_id", has_domain=True)]}),
    "stored token": ("sensitive_in_storage", {"stored": [{"area": "localStorage", "called": "auth_token"}]}),
    "stored key": ("sensitive_in_storage", {"stored": [{"area": "sessionStorage", "called": "apiKey"}]}),
    "clear page": ("page_in_the_clear", {"url": "http://shop.example/", "forms": [], "parts": []}),
    "clear password": ("password_in_the_clear", form(address="http://shop.example/login", asks_secret=True)),
    "clear form": ("form_in_the_clear", form(address="http://shop.example/find")),
    "password by get": ("password_by_get", form(method="get", asks_secret=True)),
    "mixed script": ("mixed_content", part("http://static.shop.example/app.js")),
    "mixed image": ("mixed_images", part("http://static.shop.example/a.png", "image")),
    "no integrity": ("missing_integrity", part("https://cdn.example.net/vue@3.4.2/vue.js")),
    "no version": ("unpinned_script", part("https://tags.example.net/tag.js")),
    "token in address": ("token_in_url", parameter("access_token")),
    "token in a link": ("token_in_request_url", parameter("api_key", "link")),
}


def issues(evidence: Evidence, scope: str = "full") -> list[str]:
    return [finding.issue for finding in judge(evidence, scope).findings]


@pytest.mark.requirement("findings-001")
def test_a_clean_page_has_no_finding_and_each_fault_has_its_own_alone() -> None:
    found = {name: issues(CLEAN | change) for name, (_, change) in FAULTS.items()}

    assert [] == issues(CLEAN)
    assert {name: [issue] for name, (issue, _) in FAULTS.items()} == found


@pytest.mark.requirement("000-094", "000-095", "000-096", "000-097")
def test_the_findings_and_the_summary_have_the_shape_of_the_seed() -> None:
    change = headers(content_security_policy=None, x_frame_options="DENY")
    flags = {"set": [cookie("session_id", secure=False), cookie("theme")]}
    stored = {"stored": [{"area": "localStorage", "called": name} for name in ("auth_token", "api_key", "theme")]}
    found = judge(CLEAN | change | flags | stored, "full")
    policy_, cookie_, storage = found.findings

    assert ("high", "headers", "missing_csp") == (policy_.severity, policy_.category, policy_.issue)
    assert "Content-Security-Policy header not set" == policy_.message
    assert "Add CSP header to prevent XSS attacks" == policy_.guidance
    assert ("medium", "cookies", "insecure_cookie") == (cookie_.severity, cookie_.category, cookie_.issue)
    assert ("Cookie 'session_id' missing Secure flag", ["session_id"]) == (cookie_.message, cookie_.affected)
    assert ("low", "storage", ["api_key", "auth_token"]) == (storage.severity, storage.category, storage.affected)
    assert {"passed": 6, "failed": 1} == found.summary["headers"]
    assert {"secure": 2, "insecure": 1} == found.summary["cookies"]
    assert {"flagged_keys": 2} == found.summary["storage"]


@pytest.mark.requirement("findings-002")
def test_a_scope_has_its_own_findings_and_summary_alone() -> None:
    worst = CLEAN | headers(x_content_type_options=None) | FAULTS["stored token"][1] | FAULTS["readable session"][1]
    scopes = {
        scope: (issues(worst, scope), [*judge(worst, scope).summary]) for scope in ("headers", "cookies", "storage")
    }

    assert {
        "headers": (["missing_content_type_options"], ["headers"]),
        "cookies": (["script_readable_cookie"], ["cookies"]),
        "storage": (["sensitive_in_storage"], ["storage"]),
    } == scopes


@pytest.mark.requirement("findings-003")
def test_a_response_that_was_not_seen_is_unknown_and_how_to_see_it_is_stated() -> None:
    found = judge(CLEAN | {"response": {"known": False, "why": "the load of the page was not seen"}}, "headers")

    file = {"url": "file://", "response": {"known": False, "why": "the page comes from no server"}}

    assert {"unknown": "the page comes from no server"} == judge(CLEAN | file, "headers").summary["headers"]
    assert [] == found.findings
    assert "the load of the page was not seen" == found.summary["headers"]["unknown"]
    assert "refresh" in found.summary["headers"]["to_get_them"]


@pytest.mark.requirement("findings-004")
def test_local_development_is_treated_apart() -> None:
    bare = {"url": LOCAL, "response": {"known": True, "headers_received": []}}
    clear = form(address="http://localhost:3000/login", asks_secret=True)
    cookies = {"set": [cookie("session_id", secure=False, http_only=False)], "jar": [cookie("other", secure=False)]}
    found = judge(CLEAN | bare | clear | cookies | {"parts": []}, "full").findings

    by_issue = {finding.issue: finding.severity for finding in found}
    hints = dict.fromkeys(("missing_csp", "missing_frame_options", "missing_content_type_options"), "info")
    assert hints | {"script_readable_cookie": "medium"} == by_issue


@pytest.mark.requirement("findings-005", "000-099")
def test_names_are_sensitive_by_whole_words() -> None:
    secret = ("auth_token", "apiKey", "password", "user-credentials", "clientSecret", "jwt", "access_token", "key")
    harmless = ("keyboard_layout", "author_name", "monkey_count", "tokenizer", "passwordHint", "theme", "csrf_token")

    assert list(secret) == [name for name in secret if sensitive_names.is_secret(name)]
    assert [] == [name for name in harmless if sensitive_names.is_secret(name)]


def test_sites_and_local_addresses_are_told_apart() -> None:
    local = (
        "http://localhost:3000/",
        "http://127.0.0.1/",
        "http://[::1]/",
        "http://printer.local/",
        "http://10.0.0.4/",
    )
    remote = ("http://shop.example/", "https://93.184.216.34/", "http://localhost.example/")

    assert [True] * len(local) == [places.is_local(url) for url in local]
    assert [False] * len(remote) == [places.is_local(url) for url in remote]
    assert not places.is_third_party("https://static.shop.co.uk/a.js", "https://www.shop.co.uk/")
    assert places.is_third_party("https://other.co.uk/a.js", "https://www.shop.co.uk/")


@pytest.mark.requirement("findings-006")
@pytest.mark.parametrize(
    "evidence", [None, [], "x", {"response": []}, {"set": [None, 3]}, {"parts": {"a": 1}}, {"url": 3}]
)
def test_garbage_of_a_page_is_no_finding_and_no_error(evidence: object) -> None:
    assert [] == judge(evidence, "full").findings
