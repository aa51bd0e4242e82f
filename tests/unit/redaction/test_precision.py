# ruff: noqa: E501 - one case, one line
"""Measures redaction on realistic bodies: what is planted must be gone, what is harmless must be unchanged.

Every secret is made at run time from parts, so that no scanner takes this file for a leak.
"""

import base64
import json
import random
import string
from collections.abc import Callable, Iterator
from urllib.parse import quote, urlencode

import pytest

from gasoline_workers.redaction.rules import redact

ALNUM = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
UPPER = string.ascii_uppercase + "234567"

Place = Callable[[str], object]


def fake(alphabet: str, length: int, seed: int) -> str:
    """Make a random-looking string that has a letter and a digit."""
    chosen = random.Random(seed).choices(alphabet, k=length - 2)  # noqa: S311 - not for cryptography
    return "".join([*chosen, alphabet[0], alphabet[-1]])


def encoded(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def formats() -> Iterator[tuple[str, str]]:
    """Make one secret of every format that says itself what it is."""
    yield "aws", "AK" + "IA" + fake(UPPER, 16, 1)
    yield "aws-session", "AS" + "IA" + fake(UPPER, 16, 2)
    yield "github", "gh" + "p_" + fake(ALNUM, 36, 3)
    yield "github-fine", "github" + "_pat_" + fake(ALNUM, 22, 4) + "_" + fake(ALNUM, 59, 5)
    yield "gitlab", "gl" + "pat-" + fake(ALNUM, 20, 6)
    yield "slack", "xo" + "xb-" + "123456789012-" + fake(ALNUM, 24, 7)
    yield "slack-app", "xa" + "pp-1-" + fake(ALNUM, 30, 8)
    yield "stripe", "sk" + "_live_" + fake(ALNUM, 24, 9)
    yield "stripe-restricted", "rk" + "_test_" + fake(ALNUM, 24, 10)
    yield "stripe-webhook", "wh" + "sec_" + fake(ALNUM, 32, 11)
    yield "google", "AI" + "za" + fake(ALNUM + "_-", 35, 12)
    yield "google-oauth", "ya" + "29." + fake(ALNUM + "_-", 60, 13)
    yield "google-client", "GOC" + "SPX-" + fake(ALNUM, 28, 14)
    yield "openai", "sk" + "-proj-" + fake(ALNUM, 48, 15)
    yield "openai-old", "sk" + "-" + fake(ALNUM, 48, 16)
    yield "anthropic", "sk" + "-ant-api03-" + fake(ALNUM + "_-", 80, 17)
    yield "npm", "np" + "m_" + fake(ALNUM, 36, 18)
    yield "pypi", "py" + "pi-AgEIcHlwaS5vcmc" + fake(ALNUM, 60, 19)
    yield "sendgrid", "S" + "G." + fake(ALNUM, 22, 20) + "." + fake(ALNUM, 43, 21)
    yield "twilio", "S" + "K" + fake(HEX, 32, 22)
    yield "shopify", "shp" + "at_" + fake(HEX, 32, 23)
    yield "digitalocean", "do" + "p_v1_" + fake(HEX, 64, 24)
    yield "huggingface", "h" + "f_" + fake(ALNUM, 34, 25)
    yield "vault", "hv" + "s." + fake(ALNUM, 24, 26)
    yield "telegram", "123456789" + ":AA" + fake(ALNUM + "_-", 33, 27)
    yield "jwt", ".".join((encoded('{"alg":"HS256","typ":"JWT"}'), encoded('{"sub":"42"}'), fake(ALNUM, 43, 28)))
    yield "card", "4242" + "4242" * 3
    yield "card-spaced", "5555 5555 " + "5555 4444"
    yield "card-amex", "3782-822463-" + "10005"
    yield "bcrypt", "$2" + "b$12$" + fake(ALNUM, 53, 29)
    yield "slack-webhook", "T" + fake(ALNUM, 9, 30) + "/B" + fake(ALNUM, 9, 31) + "/" + fake(ALNUM, 24, 32)


TOKEN = fake(ALNUM, 24, 40)
SHORT = "hun" + "ter2"
PHRASE = "correct horse battery staple"

SAYING: dict[str, Place] = {
    "text": lambda s: {"text": f"Use {s} here"},
    "attribute": lambda s: {"tag": "div", "attributes": {"data-x": s}},
    "url": lambda s: f"https://example.test/a?x={quote(s, safe='')}&page=2",
    "json": lambda s: json.dumps({"a": [{"b": s}]}),
    "console": lambda s: {"level": "log", "args": ["made", s]},
    "html": lambda s: f"<p class=note>{s}</p>",
    "bytes": lambda s: f"x {s} y".encode(),
    "key": lambda s: {s: 1},
    "twice encoded": lambda s: json.dumps({"body": json.dumps({"v": s})}),
}
"""Places where nothing announces a secret: it has to be known by its format."""

NAMED: dict[str, Place] = {
    "json key": lambda s: {"access_token": s},
    "camel key": lambda s: {"user": {"apiKey": s}},
    "kebab key": lambda s: {"client-secret": s},
    "header": lambda s: {"headers": {"X-API-Key": s}},
    "header matching": lambda s: {"requestHeaders": {"X-My-Tokenized": s}},
    "header pair": lambda s: {"headers": [{"name": "X-Api-Key", "value": s}]},
    "raw headers": lambda s: {"headers": ["Host", "a.test", "Authorization", s]},
    "header lines": lambda s: f"GET / HTTP/1.1\r\nHost: a.test\r\nX-Auth-Token: {s}\r\n\r\n",
    "bearer line": lambda s: f"curl -H 'Authorization: Bearer {s}' https://a.test",
    "cookie": lambda s: {"cookie": f"theme=dark; session_id={s}"},
    "set-cookie": lambda s: {"Set-Cookie": f"session_id={s}; Path=/; HttpOnly"},
    "cookie line": lambda s: f"Cookie: a=1; sid={s}\nAccept: */*",
    "cookie map": lambda s: {"cookies": {"x": s}},
    "cookie objects": lambda s: {"cookies": [{"name": "x", "value": s, "domain": "a.test"}]},
    "document.cookie": lambda s: f'document.cookie = "sid={s}; path=/"',
    "storage": lambda s: {"localStorage": {"state": s}},
    "storage entry": lambda s: {"key": "auth_token", "newValue": s},
    "query": lambda s: f"https://a.test/cb?access_token={quote(s, safe='')}&state=1",
    "fragment": lambda s: f"https://a.test/cb#id_token={quote(s, safe='')}&expires_in=3600",
    "nested url": lambda s: "https://a.test/login?next=" + quote(f"https://b.test/?token={s}", safe=""),
    "form": lambda s: urlencode({"user": "bob", "password": s, "go": "1"}),
    "form brackets": lambda s: urlencode({"user[password]": s}),
    "json text": lambda s: json.dumps({"user": "bob", "password": s}, indent=2),
    "json cut off": lambda s: json.dumps({"user": "bob", "password": s})[:-2],
    "json cut in front": lambda s: json.dumps({"user": "bob", "x": 1, "client_secret": s})[8:],
    "json pair cut off": lambda s: json.dumps({"f": [{"name": "password", "value": s}]})[:-4],
    "json in json": lambda s: json.dumps({"body": json.dumps({"pwd": s})}),
    "json in json cut": lambda s: json.dumps({"body": json.dumps({"pwd": s, "z": 1})})[:-6],
    "json escaped key": lambda s: '{"pass\\u0077ord": ' + json.dumps(s) + "}",
    "json after text": lambda s: "POST /login " + json.dumps({"name": "passwd", "value": s}),
    "javascript object": lambda s: "{user: 'bob', password: " + json.dumps(s) + "}",
    "percent json": lambda s: "https://a.test/?q=" + quote(json.dumps({"secret": s}), safe=""),
    "base64 json": lambda s: "state=" + encoded(json.dumps({"password": s})),
    "duplicate key": lambda s: f'{{"password": {json.dumps(s)}, "password": ""}}',
    "pair": lambda s: {"name": "csrf_token", "value": s},
    "entries": lambda s: [["user", "bob"], ["password", s]],
    "console colon": lambda s: {"args": ["token:", s]},
    "console plain": lambda s: {"args": ["Access token", s]},
    "console printf": lambda s: {"args": ["user %s has password %s", "bob", s]},
    "console text": lambda s: f"login ok, password={s}",
    "password element": lambda s: {"tag": "input", "attributes": {"type": "password", "value": s}},
    "password current": lambda s: {"tag": "input", "attributes": {"type": "password"}, "value": s},
    "password selector": lambda s: {"tag": "input", "selector": f'input[type="password"][value="{s}"]'},
    "shown password": lambda s: {"tag": "input", "attributes": {"type": "text", "name": "user_password", "value": s}},
    "autocomplete": lambda s: {"tag": "input", "attributes": {"autocomplete": "section-a one-time-code", "value": s}},
    "hidden input": lambda s: {"tag": "input", "attributes": {"type": "hidden", "name": "_csrf", "value": s}},
    "meta": lambda s: {"tag": "meta", "attributes": {"name": "csrf-token", "content": s}},
    "data attribute": lambda s: {"tag": "div", "attributes": {"data-api-key": s}},
    "html password": lambda s: f'<form><input value="{s}" type="password" name=x></form>',
    "html cut off": lambda s: f'<p>hi</p><input type=password value="{s}',
    "html hidden": lambda s: f"<input type='hidden' name='authenticity_token' value='{s}'>",
    "html textarea": lambda s: f"<textarea name=private_key>{s}</textarea>",
    "html props": lambda s: f'<div data-props="{{&quot;password&quot;:&quot;{s}&quot;}}"></div>',
    "html in json": lambda s: json.dumps({"html": f'<input type="password" value="{s}">'}),
    "html escaped": lambda s: f"&lt;input type=&quot;password&quot; value=&quot;{s}&quot;&gt;",
    "xml": lambda s: f"<soap:Body><wsse:Password Type='x'>{s}</wsse:Password></soap:Body>",
    "userinfo": lambda s: f"postgres://bob:{quote(s, safe='')}@db.test:5432/app",
    "connection string": lambda s: f"Server=db;User Id=sa;Password={s};Encrypt=true",
    "env": lambda s: f"export DB_PASSWORD={json.dumps(s)}",
    "yaml": lambda s: f"user: bob\npassword: '{s}'\nport: 1",
    "multipart": lambda s: f'--b\r\nContent-Disposition: form-data; name="password"\r\n\r\n{s}\r\n--b--',
    "typed": lambda s: {"action": "type", "selector": "#login #password", "text": s},
    "jwk": lambda s: {"kty": "EC", "crv": "P-256", "x": "abc", "d": s},
    "nested under": lambda s: {"password": {"value": s}},
    "list under": lambda s: {"passwords": ["", s]},
    "tuple": lambda s: ({"password": s},),
    "other language": lambda s: {"contraseña": s},
    "websocket": lambda s: {"event": "message", "data": "42" + json.dumps(["login", {"password": s}])},
}
"""Places where the structure announces a secret: it may look like anything."""

HARMLESS: list[object] = [
    "css-1x2y3z", "btn btn-primary sc-bdVaJa hXyWzQ", "4f2a9c1be7d8804c3b1f6a5e9d0c7b2a1f3e5d7c", "v2.14.3-rc.1",
    "550e8400-e29b-41d4-a716-446655440000", "$1,299.00", "EUR 19,99", "2024-01-15T10:30:00.000Z", "15/01/2024 10:30",
    "https://example.test/products?page=2&sort=asc&key=name", "https://example.test/a/b/c#section-2", "tel:+4930123456",
    "data:image/png;base64," + "iVBORw0KGgo" + fake(ALNUM + "+/", 4000, 50), "M10 10 H 90 V 90 H 10 L 10 10",
    "linear-gradient(90deg, rgba(2,0,36,1) 0%, rgba(9,9,121,1) 35%)", "1234567890", "1700000000000", "+1 (555) 010-9999",
    "Forgot your password?", "Password must be at least 8 characters", "The token expired, sign in again", "bob@example.test",
    "Invalid token", "Your session is about to expire", "Press any key to continue", "Author: Jane Doe", "keyboard shortcuts",
    "src/components/TokenList.tsx", "/static/js/main.3f2a1b9c.chunk.js", "sha384-" + fake(ALNUM + "+/", 64, 51),
    "@media (max-width: 600px) { .password-field { color: red; } }", "#user-list > li:nth-child(1)", "input#password",
    'form > input[type="password"]', "button.toggle-password", "TypeError: Cannot read properties of undefined (reading 'key')",
    "    at Object.<anonymous> (http://localhost:3000/static/js/bundle.js:12:34)", "const token = useToken();",
    "function getPassword(secret) { return secret.value; }", "ReferenceError: token is not defined", "Uncaught SyntaxError",
    "password: string; token?: string", "if (password === confirmPassword) submit()", "apiKey: process.env.API_KEY,",
    "Authorization: required", "Access-Control-Allow-Headers: Authorization, X-API-Key", "Cookie policy: accepted",
    "WebSocket connection to 'ws://localhost:3000/ws' failed", "[HMR] Waiting for update signal from WDS...",
    "Loaded 4111 items in 1234 ms", "Order #4539-2211 shipped", "ISBN 978-3-16-148410-0", "IP 192.168.100.200:8080",
    "a1 b2 c3 d4", "lorem ipsum dolor sit amet, consectetur adipiscing elit", "x" * 3000, "ab" * 1500, "GET /api/users?page=2 200",
    "sk-folding-cube sk-cube-grid-container-element", "pk_" + "live_" + fake(ALNUM, 24, 52), "[REDACTED]", "", " ", "null",
    "Keys: 12, tokens: 345", "token count: 42", "The secret is out", "code 404", "error code: ENOENT", "zip code: 10115",
    "PIN it to the board", "status=ok&page=3&tokenType=bearer", "next_page_token=3", "user=42&action=login&lang=de-DE",
    "color: #a1b2c3; --token-color: var(--primary)", "Basic authentication", "Bearer token required", "secret santa",
    "eyJ is how a JWT starts", "https://user@example.test/repo.git", "git@example.test:org/repo.git", "0x1f4a", "3.14159265",
    {"author": "Jane", "keyboard": "qwerty", "tokenCount": 512, "maxTokens": 4096, "passwordHint": "pet's name"},
    {"token_type": "Bearer", "expires_in": 3600, "scope": "read write", "tokenType": "jwt"},
    {"designTokens": {"color": {"primary": {"value": "#ff0000"}}}, "cssTokens": ["--a", "--b"]},
    {"key": "Enter", "code": "Enter", "keyCode": 13, "ctrlKey": False}, {"key": "user:12345:profile", "primaryKey": "id"},
    {"forms": [{"id": "login-form", "action": "/api/login", "fields": ["email", "password", "remember_me"]}]},
    {"errors": {"password": ["is too short (minimum is 8 characters)"], "token": ["has expired"]}},
    {"hasPassword": True, "password": None, "showPassword": "off", "passwordStrength": "weak", "passwordless": "enabled"},
    {"tag": "label", "attributes": {"for": "password", "class": "form-label"}, "text": "Password"},
    {"tag": "input", "attributes": {"type": "password", "name": "password", "placeholder": "Password", "value": ""}},
    {"tag": "input", "attributes": {"type": "text", "name": "city", "value": "Berlin"}, "text": ""},
    {"tag": "meta", "attributes": {"name": "viewport", "content": "width=device-width, initial-scale=1"}},
    {"tag": "button", "attributes": {"id": "show-password", "type": "button"}, "text": "Show password"},
    {"tag": "a", "attributes": {"href": "/reset-password", "id": "forgot-password"}, "text": "Forgot password?"},
    {"tag": "script", "attributes": {"src": "/a.js", "integrity": "sha384-" + fake(ALNUM + "+/", 64, 53)}},
    {"headers": {"Content-Type": "text/html", "ETag": 'W/"5f3-abc"', "Vary": "Cookie", "Keep-Alive": "timeout=5"}},
    {"cookies": ["session_id", "theme"], "cookieCount": 2, "acceptCookies": "all"},
    {"severity": "medium", "category": "cookies", "message": "Cookie 'session_id' missing Secure flag", "affected": ["session_id"]},
    {"localStorage": ["auth_token", "theme"], "sessionStorage": 3},
    {"args": ["user", "bob", "logged in", 3]}, {"args": ["Token refreshed", {"ok": True}]}, {"args": ["count:", 12]},
    {"id": 4711, "price": 19.99, "ratio": 0.4111111111111111, "big": 9007199254740991, "at": 1700000000000000},
    {"kty": "RSA", "n": fake(ALNUM, 80, 54), "e": "AQAB", "kid": "2024-01"},
    {"credentials": "same-origin", "mode": "cors", "cache": "no-store"}, {"auth": "required", "session": "active"},
    {"label": "API key", "description": "Paste it here"}, {"type": "password", "name": "pw", "required": True},
    {"commit": fake(HEX, 40, 55), "short": "4f2a9c1", "digest": "sha256:" + fake(HEX, 64, 56), "uuid": "not-a-uuid"},
    {"viewport": {"width": 1440, "height": 900}, "headings": ["Change password", "API keys", "Tokens"], "links": 24},
    {"signature": "function foo(a, b)", "nonce": "", "salt": "sea salt", "pin": "A0", "code": "US", "state": "open"},
    {"sort_key": "created_at", "cacheKey": "users/list", "publicKey": "ssh-ed25519", "translationKey": "a.b.c"},
    '{"page": 2, "sortKey": "name", "tokens": 12, "items": [{"id": 1, "key": "a"}]}', '{"type":"ping"}', '{"a": [1, 2',
    '<div class="css-1x2y3z" data-id="42" id="token-list"><p>Token list</p></div>', '<label for="password">Password</label>',
    '<a href="/p?page=2&amp;sort=asc">next</a>', "<p>5 &lt; 6 &amp;&amp; 7 &gt; 3</p>", "5 &lt; 6", "100% sure, 20%25 off",
    "https://example.test/search?q=a%20b%2Fc&redirect=%2Fhome", ".css-abc{content:'\\201C'}", "padding:0 4px;margin:0 auto",
]  # fmt: skip


def strings(value: object) -> Iterator[str]:
    """Find every string in a body, its keys and bytes included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, bytes):
        yield value.decode()
    elif isinstance(value, dict):
        for pair in value.items():
            yield from strings(list(pair))
    elif isinstance(value, list | tuple):
        for part in value:
            yield from strings(part)


def leaks(secret: str, body: object) -> bool:
    spellings = {secret, quote(secret, safe=""), secret.replace(" ", "+"), json.dumps(secret)[1:-1], encoded(secret)}
    spellings |= {encoded(json.dumps({"password": secret}))} | {secret[: len(secret) * 2 // 3]}
    return any(spelling in text for text in strings(body) for spelling in spellings)


PLANTED = [(f"{kind} in {name}", secret, place) for kind, secret in formats() for name, place in SAYING.items()
           if kind != "slack-webhook"]  # fmt: skip
PLANTED += [
    (f"{kind} in {name}", secret, place)
    for kind, secret in (("token", TOKEN), ("password", SHORT), ("phrase", PHRASE), ("symbols", "p4ss!wört#" + "?(x)"))
    for name, place in NAMED.items()
    if kind != "phrase" or name not in ("bearer line", "raw headers", "console plain", "console text", "header lines",
        "connection string", "password selector", "meta", "camel key", "json key", "kebab key", "storage entry",
        "pair", "console colon", "data attribute", "query", "fragment", "nested url", "html textarea", "hidden input", "html hidden")
]  # fmt: skip


def test_nothing_planted_leaks() -> None:
    leaked = [name for name, secret, place in PLANTED if leaks(secret, redact(place(secret))[0])]

    print(f"\n{len(PLANTED)} planted, {len(leaked)} leaked: {leaked}")  # noqa: T201 - the figures
    assert [] == leaked


def test_at_most_one_harmless_value_is_spoiled() -> None:
    spoiled = [body for body in HARMLESS if redact(body) != (body, 0)]

    print(f"\n{len(HARMLESS)} harmless, {len(spoiled)} spoiled: {[(b, redact(b)[0]) for b in spoiled]}")  # noqa: T201 - the figures
    assert len(spoiled) <= 1


@pytest.mark.requirement("redact-009")
def test_a_count_of_secrets_is_no_secret() -> None:
    kept = {"secrets": 1, "passwords": 999, "tokens": 0}

    assert redact(kept) == (kept, 0)
    assert redact({"pins": 1000, "pin": 7, "secret": 1})[1] == 3
    assert redact('"secrets": 1, "secret": 1') == ('"secrets": 1, "secret": "[REDACTED]"', 1)
