"""Sets the scene for tests of the extension: served pages, an installed copy; it must start no browser."""

import asyncio
import contextlib
import json
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Final

from aiohttp import web

from browser import endpoints
from gasoline_bridge import bundle
from gasoline_bridge.devtools import Browser, Tab

ROOT: Final = Path(__file__).parents[2]
BUILD: Final = ROOT / "extension" / "build.mjs"
STRICT: Final = "default-src 'none'; style-src 'unsafe-inline'; require-trusted-types-for 'script'"
TRUSTED: Final = "script-src 'self'; require-trusted-types-for 'script'"
POLICIES: Final = {"strict": STRICT, "trusted": TRUSTED, "sandboxed": "sandbox allow-scripts"}
"""By what the names of the pages begin with that have them."""

REPORTED: Final = "img-src 'none'"
"""Of the pages whose names begin with "reports": what breaks it is only reported."""

LIBRARIES: Final = {
    "codemirror.js": ROOT / "node_modules" / "codemirror" / "lib" / "codemirror.js",
    "codemirror.css": ROOT / "node_modules" / "codemirror" / "lib" / "codemirror.css",
    "axios.js": ROOT / "node_modules" / "axios" / "dist" / "axios.js",
    "react.js": ROOT / "node_modules" / "react" / "umd" / "react.production.min.js",
    "react-dom.js": ROOT / "node_modules" / "react-dom" / "umd" / "react-dom.production.min.js",
    "vue.js": ROOT / "node_modules" / "vue" / "dist" / "vue.global.prod.js",
    "signs.ttf": next((ROOT / "node_modules" / "playwright-core").rglob("codicon*.ttf")),
    "socket.io.js": ROOT / "node_modules" / "socket.io-client" / "dist" / "socket.io.js",
}
"""Other people's browser builds and a font, served beside the pages."""

Install = Callable[[str | None, int], Path]
"""Makes an installed copy of the extension with a token and a port; without a token, a copy that is not installed."""

Open = Callable[[str], Awaitable[Tab]]
"""Opens a fixture page in a tab of its own, in front of the others."""

LISTENING_TO_POPOVERS: Final = """
globalThis.heard = [];
for (const type of ['beforetoggle', 'toggle'])
  addEventListener(type, ({ target }) => heard.push(`${type} ${target.localName}`), true);
"""
"""A page that notes each popover that it hears open or close."""


def install(folder: Path, token: str | None, port: int) -> Path:
    """Copy the extension as `gasoline extension install` does, and return the folder to load."""
    bundle.require_current_build()
    shutil.copytree(bundle.find("extension"), folder, ignore=shutil.ignore_patterns("axe.min.js"))
    if token:
        pair(folder, token, port)
    return folder


def build_with(folder: Path, module: str, double: str, *scripts: str) -> None:
    """Build scripts of a copy of the extension again, with a double in the place of a module."""
    replaced = f"{module}={Path(__file__).with_name(double)}"
    with tempfile.TemporaryDirectory() as built:
        subprocess.run(["node", BUILD, "--out", built, "--replace", replaced], check=True)  # noqa: S607 - node is found as by make
        for script in scripts:
            shutil.copy(Path(built, script), folder / script)


def hold_dialogs_longer(folder: Path) -> Path:
    """Put a longer hold of dialogs into a copy of the extension, and return the folder."""
    build_with(folder, "shared/dialog_hold.ts", "patient_dialog_hold.ts", "content/capture.js", "background/main.js")
    return folder


def stand_in_for_relay(folder: Path) -> None:
    """Put a relay into a copy of the extension that hands on what a test's page says, and nothing of its own.

    In the page's own world stands a script that counts how often it ran.
    """
    build_with(folder, "content/capture/relay.ts", "relay_double.ts", "content/capture.js")
    (folder / "page" / "capture.js").write_text("globalThis.runs = (globalThis.runs ?? 0) + 1;")
    manifest = json.loads((folder / "manifest.json").read_text())
    scripts = [script for script in manifest["content_scripts"] if script.get("world") != "MAIN"]
    own = {"matches": ["<all_urls>"], "run_at": "document_start", "world": "MAIN", "js": ["page/capture.js"]}
    (folder / "manifest.json").write_text(json.dumps(manifest | {"content_scripts": [*scripts, own]}))


def stand_in_for_worker(folder: Path) -> Path:
    """Put a service worker into a copy of the extension that only collects events, and return the folder."""
    shutil.copy(Path(__file__).with_name("worker_double.js"), folder / "background" / "main.js")
    return folder


def pair(folder: Path, token: str, port: int) -> None:
    """Write what an installed copy knows of its server."""
    (folder / "install.json").write_text(json.dumps({"token": token, "port": port}))


async def serve_pages(port: int) -> web.AppRunner:
    """Serve `tests/pages` and the endpoints; those of some names have policies, and `late` puts one off by so many ms.

    The caller cleans the runner up.
    """

    async def page(request: web.Request) -> web.FileResponse:
        name = request.match_info["name"]
        await asyncio.sleep(int(request.query.get("late") or 0) / 1_000)
        policy = next((policy for kind, policy in POLICIES.items() if name.startswith(kind)), "")
        headers = {"Content-Security-Policy": policy} if policy else {}
        headers |= {"Content-Security-Policy-Report-Only": REPORTED} if name.startswith("reports") else {}
        return web.FileResponse(LIBRARIES.get(name, ROOT / "tests" / "pages" / name), headers=headers)

    application = web.Application()
    application[endpoints.GATES] = {}
    application[endpoints.ATTACHED] = {}
    application[endpoints.CHANGED] = asyncio.Condition()
    application[endpoints.HOLDS] = Counter()
    application.add_routes([*endpoints.ROUTES, web.get(r"/{name:[\w.-]+}", page)])
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.5)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    return runner


def held(ms: int) -> str:
    """Return JavaScript that holds the thread of a fixture page for so long as a loop would, and costs no CPU."""
    return (
        "(() => { const asking = new XMLHttpRequest();"
        f" asking.open('GET', '/api/later?ms={ms}', false); asking.send(); }})()"
    )


@contextlib.asynccontextmanager
async def page(chrome: Browser, url: str, *, front: bool = True) -> AsyncIterator[Tab]:
    """Open a page, in front if not told otherwise, and close it afterwards."""
    tab = await chrome.new_tab(url, background=not front)
    if front:
        await tab.activate()
    try:
        yield tab
    finally:
        await tab.close()
