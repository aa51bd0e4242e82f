"""A shop with planted faults and its clean twin, served as on the internet: over https, by names, with other sites.

Each page has the faults that PLANTED lists for it, and no others; the pages below `clean/` have none. The browser that
looks at them is started by `executable`, which resolves the names to this machine.
"""

import asyncio
import contextlib
import gzip
import os
import ssl
import struct
import zlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final, NamedTuple

import trustme
from aiohttp import web

from gasoline_bridge.devtools import find_executable
from gasoline_demo.site import free_port
from gasoline_workers.redaction.names import word_set

SITE: Final = "https://shop.example"
PLAIN: Final = "http://plain.example"

KIB: Final = 1024
SLOW_S: Final = 2.8
SECRET: Final = "q7Zk2mVx9LpT4sWd"
"""The value of every cookie, key and parameter."""
YEAR: Final = "max-age=31536000, immutable"

POLICY: Final = (
    "default-src 'self'; script-src 'self' 'nonce-shop' https://cdn.example.net; img-src * data:; connect-src 'self'; "
    "style-src 'self' 'unsafe-inline'; form-action *; base-uri 'none'; object-src 'none'; frame-ancestors 'self'"
)
WEAK: Final = "'unsafe-inline' 'unsafe-eval' https: data:"
HARDENED: Final = {
    "Content-Security-Policy": POLICY,
    "Strict-Transport-Security": "max-age=63072000; includeSubDomains",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Permissions-Policy": "camera=(), geolocation=(self)",
    "Cache-Control": "private, no-cache",
    "Server": "shop",
}
FLAGS: Final = "; Path=/; Secure; HttpOnly; SameSite=Lax"

HEAD: Final = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title>'
    '<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">'
)


class Page(NamedTuple):
    """A page: its HTML, its headers, its Set-Cookie values."""

    html: str
    headers: dict[str, str] = HARDENED
    cookies: tuple[str, ...] = ()


def changed(**changes: str | None) -> dict[str, str]:
    """Give the hardened headers, some of them changed or left out."""
    named = {name.replace("_", "-").title(): text for name, text in changes.items()}
    return {name: text for name, text in (HARDENED | named).items() if text is not None}


def page(body: str, head: str = "") -> str:
    """Give the HTML of a page."""
    return f"{HEAD}{head}</head><body><main><h1>Shop</h1>{body}</main></body></html>"


STORES: Final = (
    '<script nonce="shop">for (const [area, name] of {0}) window[area].setItem(name, "SECRET")</script>'.replace(
        "SECRET", SECRET
    )
)

CONTENT: Final = """
<form id="clear-login" action="http://plain.example/login" method="post">
  <label>Password <input type="password" name="p"></label></form>
<form id="clear-search" action="http://plain.example/find" method="post"><label>Find <input name="q"></label></form>
<form id="get-login" action="/login" method="get"><label>Password <input type="password" name="p"></label></form>
<a href="/export?api_key=SECRET">Export</a>
<script src="http://plain.example/old.js"></script>
<img src="http://plain.example/old.png" alt="" width="10" height="10">
<script src="https://cdn.example.net/vue@3.4.2/vue.js"></script>
<script src="https://cdn.example.net/tag.js"></script>
""".replace("SECRET", SECRET)

CLEAN_CONTENT: Final = """
<form id="login" action="/login" method="post"><label>Password <input type="password" name="p"></label></form>
<form id="search" action="/find" method="get"><label>Find <input name="q"></label></form>
<a href="/list?author=a&page_token=b">More</a>
<script src="https://cdn.example.net/vue@3.4.2/vue.js" integrity="sha384-planted" crossorigin="anonymous"></script>
"""

SLOW_HEAD: Final = """
<link rel="stylesheet" href="/slow.css"><link rel="preload" as="script" href="/unused.js">
<style>@font-face { font-family: Body; src: url(/body.woff2) } h1 { font-family: Body } div { min-height: 1px }</style>
"""

SLOW_BODY: Final = """
<h1>Shop</h1><p id="notice"></p><p id="below">Below</p>
<img id="hero" src="/hero.png" loading="lazy" alt="" style="display: block; width: 1200px; height: 500px">
<img id="large" src="/large.png" alt="" width="40" height="30">
<img id="unsized" src="/small.png" alt="">
<img id="wide" src="/small.png?wide" alt="" width="120" height="10">
<img src="https://cdn.example.net/blocked.png" alt="" width="10" height="10">
<script src="/gone.js"></script><script src="/plain.js"></script><script src="https://cdn.example.net/film.js"></script>
<div id="rows"></div>
<button id="slow">Buy</button>
<img id="far" src="/far.png" alt="" width="600" height="400" style="position: absolute; top: 6000px">
<script src="/busy.js"></script>
"""

BUSY: Final = """
document.createRange().expand('word');
const work = (ms) => { const end = performance.now() + ms; while (performance.now() < end); };
document.querySelector('#slow').addEventListener('click', () => work(350));
setTimeout(() => work(400), 100);
const shift = () => { document.querySelector('#notice').style.height = '400px'; };
new PerformanceObserver((_, painted) => { // what was not painted before is not shifted
  painted.disconnect();
  setTimeout(shift, 600);
}).observe({ type: 'paint', buffered: true });
document.querySelector('#rows').innerHTML = '<i></i>'.repeat(1500);
"""

INACCESSIBLE: Final = """
<!doctype html><html lang="english"><head><meta charset="utf-8"><title></title>
<meta name="viewport" content="width=device-width, user-scalable=no"><link rel="icon" href="data:,">
<meta http-equiv="refresh" content="600"><style>
body { background: #fff; color: #000 } .faint { color: #aaa } p a { text-decoration: none; color: #111 }
#scrolls { height: 40px; overflow: auto } #scrolls p { height: 400px }
</style></head><body>
<a href="#nowhere" style="position: absolute; left: -999px">Skip to the goods</a>
<h1></h1><h4>Too deep</h4>
<p class="faint">Too faint to read</p><p>Text around <a href="/list">a link of its colour</a> and after it</p>
<img src="/small.png"><input type="image" src="/small.png"><input type="button"><button></button><a href="/list"></a>
<map name="m"><area href="/list" shape="rect" coords="0,0,9,9"></map><img src="/small.png" alt="Map" usemap="#m">
<svg role="img"><circle r="9"/></svg><div role="img"></div><object data="/small.png"></object>
<input><input title="Only a title"><select><option>One</option></select>
<label>Card <input autocomplete="no-such-token"></label>
<div role="checkbox" tabindex="0" aria-label="Box"></div><div role="slider" tabindex="0" aria-valuenow="1"></div>
<div role="switch" tabindex="0" aria-checked="true"></div><div role="link" tabindex="0"></div>
<div role="progressbar"></div><div role="meter" aria-valuenow="1"></div><div role="dialog"><p>Words</p></div>
<div role="tooltip"></div><div role="tree"><div role="treeitem" tabindex="0"></div></div>
<div role="no-such-role">Role</div><p aria-lable="typo">Attribute</p><p aria-live="no-such-value">Value</p>
<div role="directory">Old</div><span aria-label="Not allowed">Named</span>
<button aria-checked="true">Attribute of another role</button>
<button aria-labelledby="twice">Twice</button><i id="twice">a</i><i id="twice">b</i>
<div role="list"><p>No item</p></div><div role="option">No list</div>
<ul><p>No item</p></ul><li>No list</li><dl><p>No term</p></dl><dt>No list</dt>
<div aria-hidden="true"><button>Hidden</button></div><button>Outer <a href="/list">inner</a></button>
<h2 role="none" tabindex="0">Conflict</h2><p tabindex="5">First</p>
<button accesskey="k">One</button><button accesskey="k">Two</button>
<div id="scrolls"><p>Scrolls</p></div><details><summary></summary>More</details>
<table><tr><th></th><th scope="no-such-scope">Head</th></tr><tr><td headers="none">1</td><td>2</td></tr></table>
<marquee>Moves</marquee><iframe srcdoc="<p>In a frame"></iframe>
<iframe title="Same" srcdoc="<p>One"></iframe><iframe title="Same" srcdoc="<p>Two"></iframe>
<p lang="english">Words</p><p style="letter-spacing: 1px !important">Spaced for ever</p>
<header>One</header><header>Two</header><video src="/film.mp4" autoplay></video>
</body></html>
"""

ACCESSIBLE: Final = """
<img src="/small.png" alt="A chart" width="120" height="80"><button>Buy</button><a href="/list">All goods</a>
<p>Text around <a href="/list" style="text-decoration: underline">a link</a> and after it</p>
<svg role="img" aria-label="Logo"><circle r="9"/></svg><label>Name <input autocomplete="name"></label>
<label>Size <select><option>One</option></select></label>
<div role="checkbox" tabindex="0" aria-label="Box" aria-checked="false"></div>
<div role="slider" tabindex="0" aria-label="Volume" aria-valuenow="1"></div>
<div role="progressbar" aria-label="Loading"></div><ul><li>Item</li></ul><dl><dt>Term</dt><dd>Meaning</dd></dl>
<h2>Deeper</h2><div tabindex="0" style="height: 40px; overflow: auto"><p style="height: 400px">Scrolls</p></div>
<table><tr><th scope="col">A</th><th scope="col">B</th></tr><tr><td>1</td><td>2</td></tr></table>
<iframe title="Inside"
  srcdoc="<!doctype html><html lang=en><title>Inside</title><main aria-label=Inside><h1>Inside</h1></main>"></iframe>
<details><summary>More</summary>Words</details><p lang="de">Ein Satz</p>
"""

PAGES: Final = {
    "/bare": Page(
        page(STORES.replace("{0}", '[["localStorage", "auth_token"], ["sessionStorage", "apiKey"]]')),
        {
            "Server": "shop/1.18.0",
            "X-XSS-Protection": "1; mode=block",
            "Access-Control-Allow-Origin": "null",
            "Cache-Control": "public, max-age=600",
        },
        (
            f"session_id={SECRET}; Path=/; Domain=shop.example",
            "theme=dark; Path=/; SameSite=Lax",
            f"widget={SECRET}; Path=/; SameSite=None",
            f"__Host-basket={SECRET}; Path=/; Secure; Domain=shop.example; SameSite=Lax",
        ),
    ),
    "/weak": Page(
        page("", '<meta http-equiv="Content-Security-Policy" content="frame-ancestors \'none\'">'),
        changed(
            content_security_policy=f"script-src 'self' {WEAK}; scripts-src x; img-src self",
            strict_transport_security="max-age=600",
            x_frame_options="ALLOW-FROM https://other.example",
            x_content_type_options="yes",
            referrer_policy="unsafe-url",
            permissions_policy="camera=*, geolocation=()",
            access_control_allow_origin="*",
            access_control_allow_credentials="true",
        ),
    ),
    "/old": Page(
        page(""),
        changed(
            content_security_policy=None,
            content_security_policy_report_only=POLICY,
            x_frame_options="DENY",
            permissions_policy="camera 'none'; geolocation 'none'",
            strict_transport_security="includeSubDomains",
        ),
    ),
    "/nonce": Page(page(""), changed(content_security_policy=POLICY.replace("base-uri 'none'; ", ""))),
    "/content": Page(page(CONTENT)),
    "/slow": Page(
        f"<html><head><title>Shop</title>{SLOW_HEAD}</head><body>{SLOW_BODY}</body></html>",
        {"Server": "shop", "Content-Security-Policy": "img-src 'self'"},
    ),
    "/inaccessible": Page(INACCESSIBLE.strip()),
    "/clean/accessible": Page(page(ACCESSIBLE)),
    "/clean/bare": Page(
        page(STORES.replace("{0}", '[["localStorage", "keyboard_layout"], ["sessionStorage", "author_name"]]')),
        HARDENED,
        (
            f"__Host-session_id={SECRET}{FLAGS}",
            "theme=dark; Path=/; Secure; SameSite=Lax",
            f"csrftoken={SECRET}; Path=/; Secure; SameSite=Lax",
        ),
    ),
    "/clean/content": Page(page(CLEAN_CONTENT)),
    "/clean/fast": Page(
        page(
            '<p>Below</p><img id="hero" src="/small.png" alt="" width="120" height="80"><button id="fast">Buy</button>'
            '<script src="/fast.js" defer></script>',
            '<link rel="preload" as="image" href="/small.png"><link rel="stylesheet" href="/fast.css">',
        )
    ),
}

PLANTED: Final[dict[tuple[str, str], frozenset[str] | set[str]]] = {
    ("/inaccessible", "accessibility"): word_set(
        """accesskeys area-alt aria-allowed-attr aria-command-name aria-deprecated-role aria-dialog-name
        aria-input-field-name aria-meter-name aria-progressbar-name aria-required-attr aria-required-children
        aria-required-parent aria-roles aria-toggle-field-name aria-tooltip-name aria-treeitem-name aria-valid-attr
        aria-valid-attr-value autocomplete-valid avoid-inline-spacing button-name color-contrast definition-list dlitem
        document-title empty-heading empty-table-header frame-title heading-order html-lang-valid image-alt
        input-button-name input-image-alt label label-title-only landmark-no-duplicate-banner landmark-unique
        link-in-text-block link-name list listitem marquee meta-refresh meta-viewport nested-interactive object-alt
        presentation-role-conflict region role-img-alt scope-attr-valid select-name skip-link summary-name svg-img-alt
        tabindex td-headers-attr valid-lang"""
    ),
    ("/bare", "full"): {
        *("missing_csp", "missing_hsts", "missing_frame_options", "missing_content_type_options", "version_disclosed"),
        *("legacy_xss_filter", "cors_null_origin", "shared_cache_cookies", "insecure_cookie", "script_readable_cookie"),
        *("missing_samesite", "wide_cookie_domain", "insecure_other_cookie", "samesite_none_insecure"),
        *("invalid_cookie_prefix", "sensitive_in_storage"),
    },
    ("/weak", "headers"): {
        *("csp_unsafe_inline", "csp_wide_source", "csp_unsafe_eval", "csp_no_object_src", "csp_unknown_directive"),
        *("csp_unquoted_keyword", "csp_meta_ignored", "short_hsts", "invalid_frame_options"),
        *("invalid_content_type_options", "unsafe_referrer_policy", "wide_permissions_policy"),
        "cors_wildcard_credentials",
    },
    ("/old", "headers"): {"csp_report_only", "invalid_permissions_policy", "invalid_hsts"},
    ("/nonce", "headers"): {"csp_no_base_uri"},
    (f"/content?access_token={SECRET}", "full"): {
        *("token_in_url", "token_in_request_url", "password_in_the_clear", "form_in_the_clear", "password_by_get"),
        *("mixed_content", "mixed_images", "missing_integrity", "unpinned_script"),
    },
    ("/slow", "performance"): {
        *("lcp", "lcp-lazy", "cls", "inp", "fcp", "ttfb", "long-tasks", "render-blocking", "redirects"),
        *(
            "text-compression",
            "cache-lifetime",
            "total-bytes",
            "third-parties",
            "unused-preload",
            "http1",
            "image-size",
        ),
        *("offscreen-images", "image-dimensions", "font-display", "dom-size", "failed-resources", "image-aspect-ratio"),
        *("doctype", "charset", "viewport", "policy-violations", "deprecated-features"),
    },
}
"""The faults of each page, by the scope that finds them."""


def png(width: int, height: int, *, noise: bool = False) -> bytes:
    """Make a picture: grey, which is small, or noise, which is not."""
    row = os.urandom(width * 3) if noise else b"\x80" * width * 3
    data = zlib.compress((b"\0" + row) * height, 0 if noise else 6)
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


class File(NamedTuple):
    """A file: its type, its content, how long it takes, and its Cache-Control."""

    kind: str
    body: bytes
    wait_s: float = 0
    cache: str = YEAR
    compressed: bool = False


SMALL: Final = png(120, 80)
FILES: Final = {
    "/slow.css": File("text/css", b"p { color: #333 }", 1.4),
    "/hero.png": File("image/png", png(1200, 500), SLOW_S),
    "/large.png": File("image/png", png(700, 600, noise=True)),
    "/far.png": File("image/png", png(600, 400, noise=True)),
    "/small.png": File("image/png", SMALL),
    "/plain.js": File("text/javascript", b"// " + b"words " * 40_000, 0, "no-store"),
    "/busy.js": File("text/javascript", BUSY.encode()),
    "/body.woff2": File("font/woff2", b"no font"),
    "/unused.js": File("text/javascript", b"0;"),
    "/film.js": File("text/javascript", b"// " + os.urandom(1_500_000).hex().encode()),
    "/vue@3.4.2/vue.js": File("text/javascript", b"0;"),
    "/tag.js": File("text/javascript", b"0;"),
    "/fast.css": File("text/css", b"p { color: #333 }\n" * 2_000, compressed=True),
    "/fast.js": File("text/javascript", b"addEventListener('click', () => {});\n" * 2_000, compressed=True),
}


async def document(request: web.Request) -> web.Response:
    """Serve a page; the slow one after a redirect and a wait."""
    wanted = PAGES.get(request.path)
    if not wanted:
        raise web.HTTPNotFound(headers={"Server": "shop"})
    if request.path == "/slow":
        await asyncio.sleep(1.0)
    answer = web.Response(body=wanted.html.encode(), headers={"Content-Type": "text/html", **wanted.headers})
    for cookie in wanted.cookies:
        answer.headers.add("Set-Cookie", cookie)
    return answer


async def moved(_: web.Request) -> web.Response:
    """Lead to the slow page, slowly."""
    await asyncio.sleep(0.4)
    raise web.HTTPFound("/slow", headers={"Server": "shop"})


async def file(request: web.Request) -> web.Response:
    """Serve a file."""
    found = FILES[request.path]
    await asyncio.sleep(found.wait_s)
    headers = {"Content-Type": found.kind, "Cache-Control": found.cache, "Server": "shop", "Timing-Allow-Origin": "*"}
    if not found.compressed:
        return web.Response(body=found.body, headers=headers)
    return web.Response(body=gzip.compress(found.body), headers={**headers, "Content-Encoding": "gzip"})


@contextlib.asynccontextmanager
async def serve(folder: Path) -> AsyncIterator[str]:
    """Serve the shop, over https and in the clear, and give the browser that finds it by its names."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    trustme.CA().issue_cert("shop.example", "cdn.example.net").configure_cert(context)
    application = web.Application()
    application.add_routes([web.get("/moved", moved), *(web.get(path, file) for path in FILES)])
    application.add_routes([web.get("/{path:.*}", document)])
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.5)
    await runner.setup()
    secure, plain = free_port(), free_port()
    await web.TCPSite(runner, "127.0.0.1", secure, ssl_context=context).start()
    await web.TCPSite(runner, "127.0.0.1", plain).start()
    try:
        yield executable(folder, secure, plain)
    finally:
        await runner.cleanup()


def executable(folder: Path, secure: int, plain: int) -> str:
    """Write a script that starts the browser with these names."""
    rules = [f"MAP {name} 127.0.0.1:{secure}" for name in ("shop.example", "cdn.example.net")]
    names = ", ".join([*rules, f"MAP plain.example 127.0.0.1:{plain}"])
    script = folder / "browser"
    flags = f'--ignore-certificate-errors --host-resolver-rules="{names}"'
    script.write_text(f'#!/bin/sh\nexec {find_executable()} {flags} "$@"\n')
    script.chmod(0o700)
    return str(script)
