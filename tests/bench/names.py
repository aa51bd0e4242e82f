"""Measures how often our roles and accessible names equal Chrome's own, beside those of dom-accessibility-api.

Compared are the elements that people work with and the headings, as Chrome's accessibility tree has them
(`Accessibility.getFullAXTree`), on fixture pages and on one page for each of many component libraries. The libraries
are installed into `names_pages` on first use.
`--differences PAGE` prints what differs there; without a page, what differs anywhere.
"""

import argparse
import asyncio
import re
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

from aiohttp import web

sys.path.insert(0, str(Path(__file__).parents[1]))

from browser import scene
from gasoline_bridge.devtools import Browser, ChromiumError, Tab, until
from gasoline_demo.site import free_port

ROOT = Path(__file__).parents[2]
PAGES = Path(__file__).parent / "names_pages"
ESBUILD = ROOT / "node_modules" / ".bin" / "esbuild"
FIXTURES = (
    *("components", "interact", "forms", "account", "small", "shadow", "outcomes", "react", "vue", "truth"),
    *("hands", "unkind", "clobbered", "actions", "uploads"),
)
ROLES = frozenset(
    (
        *("button", "checkbox", "combobox", "heading", "link", "listbox", "menuitem", "menuitemcheckbox"),
        *("menuitemradio", "option", "radio", "searchbox", "slider", "spinbutton", "switch", "tab", "textbox"),
        "treeitem",
    )
)
INTERNAL = {"DisclosureTriangle": "button", "DisclosureTriangleGrouped": "button", "MenuListOption": "option"}
"""ARIA's names for roles that Chrome calls otherwise."""

ICONS = re.compile("[\ue000-\uf8ff\U000f0000-\U0010fffd]")
"""Signs of icon fonts: ours leaves them out of names."""

UNSEEN = re.compile("[\u00ad\u200b\u2060\ufeff]")
"""Characters without a width: the same."""

NO_ROLE = frozenset({"Date", "DateTime", "InputTime", "ColorWell"})
"""Fields for which HTML-AAM has no role: only their names are compared."""

MEASURES = {
    "ours": f"export {{ roleOf }} from '{ROOT}/extension/src/content/dom/roles.ts';"
    f"export {{ accessibleName, nameReader }} from '{ROOT}/extension/src/content/dom/accessible_name.ts'",
    "library": "export { getRole as roleOf, computeAccessibleName as accessibleName } from 'dom-accessibility-api'",
}
ELEMENTS = 5_000
SPEED = f"""((measure) => {{
    document.body.innerHTML = Array.from({{ length: {ELEMENTS} / 5 }}, (_, at) => `<p><label for="f${{at}}">Field
      <b>${{at}}</b></label><input id="f${{at}}"><button><span>Save</span> <img alt="it" src="x.png"></button>
      <a href="#${{at}}" aria-label="Row ${{at}}">x</a><button title="Delete"></button>
      <select aria-labelledby="f${{at}}">
      <option>One</select></p>`).join('');
    const elements = [...document.querySelectorAll('input, button, a, select')];
    document.body.getBoundingClientRect();
    const begun = performance.now();
    const nameOf = measure.nameReader?.() ?? measure.accessibleName;
    for (const element of elements) [measure.roleOf(element), nameOf(element)];
    return performance.now() - begun;
}})"""
COMPARE = """function (...elements) {
    const line = (text) => (text ?? '').replace(/\\s+/g, ' ').trim();
    const by = (measure, element) => {
        try {
            const name = measure.accessibleName(element).replace(/[\\uE000-\\uF8FF]/g, ' ')
                .replace(/[\\u00AD\\u200B\\u2060\\uFEFF]/g, '');
            return [measure.roleOf(element) || '', line(name)];
        }
        catch (fault) { return ['failed', String(fault)]; }
    };
    const reach = (root) => root === document || (root.host?.shadowRoot === root && reach(root.host.getRootNode()));
    return elements.map((element) => reach(element.getRootNode()) && ({
        html: Element.prototype.cloneNode.call(element, true).outerHTML.slice(0, 150),
        ours: by(ours, element), library: by(library, element),
    }));
}"""
CANDIDATES = f"""(() => {{
    const roles = new Set({sorted(ROLES)});
    const within = (root) => [...root.querySelectorAll('*')].flatMap((element) =>
        [element, ...(element.shadowRoot ? within(element.shadowRoot) : [])]);
    return within(document).filter((element) => roles.has(ours.roleOf(element)));
}})()"""
DRAWN = "(globalThis.before = globalThis.now, globalThis.now = document.body.innerHTML.length) === globalThis.before"


class Compared(NamedTuple):
    """An element: its beginning, role and name by Chrome, and by each measure."""

    html: str
    chrome: tuple[str, str]
    ours: tuple[str, str]
    library: tuple[str, str]


async def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--differences", nargs="?", const="", metavar="PAGE")
    chosen = parser.parse_args().differences
    with tempfile.TemporaryDirectory() as folder:
        sizes = build(Path(folder))
        scripts = {name: (Path(folder) / f"measure_{name}.js").read_text() for name in MEASURES}
        async with serving(Path(folder)) as addresses, await Browser.launch() as browser:
            pages = {}
            for page, address in addresses.items():
                if not chosen or chosen == page:
                    pages[page] = await compare(browser, address, scripts)
                    print_row(page, pages[page])
            if chosen is not None:
                print_differences(pages)
            everything = [one for compared in pages.values() for one in compared]
            print_row(f"all of {len(pages)}", everything)
            await print_costs(browser, addresses["small"], scripts, sizes)


def build(folder: Path) -> dict[str, int]:
    """Bundle the pages and the measures. Return the sizes of the measures, in bytes."""
    if not (PAGES / "node_modules").exists():
        print("installing the component libraries", file=sys.stderr)
        subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--silent"], cwd=PAGES, check=True)  # noqa: S607 - npm is found as by make
    loaders = [f"--loader:.{kind}=dataurl" for kind in ("png", "svg", "woff", "woff2", "ttf", "eot", "gif")]
    common = [
        str(ESBUILD),
        "--bundle",
        "--log-level=error",
        '--define:process.env.NODE_ENV="production"',
        '--define:process={"env":{}}',
        *loaders,
    ]
    subprocess.run([*common, *map(str, entries()), "--format=esm", f"--outdir={folder}", "--target=esnext"], check=True)
    for name, source in MEASURES.items():
        out = folder / f"measure_{name}.js"
        options = ["--format=iife", f"--global-name={name}", f"--outfile={out}"]
        subprocess.run([*common, *options], input=source, text=True, cwd=PAGES, check=True)
    return {name: (folder / f"measure_{name}.js").stat().st_size for name in MEASURES}


@asynccontextmanager
async def serving(folder: Path) -> AsyncIterator[dict[str, str]]:
    """Serve the pages. Yield their addresses by name."""

    async def page(request: web.Request) -> web.Response:
        name = request.match_info["name"]
        style = f'<link rel="stylesheet" href="/{name}.css">' if (folder / f"{name}.css").exists() else ""
        script = f'<script type="module" src="/{name}.js"></script>'
        html = f"<!doctype html><html lang=en><title>{name}</title>{style}<body>{script}"
        return web.Response(text=html, content_type="text/html")

    application = web.Application()
    application.add_routes([web.get(r"/{name:[a-z_]+}", page), web.static("/", folder)])
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    port = free_port()
    fixtures = await scene.serve_pages(port)
    names = [path.stem for path in entries()]
    try:
        yield {name: f"http://127.0.0.1:{port}/{name}.html" for name in FIXTURES} | {
            name: f"http://127.0.0.1:{runner.addresses[0][1]}/{name}" for name in names
        }
    finally:
        await runner.cleanup()
        await fixtures.cleanup()


def entries() -> list[Path]:
    """List the scripts that draw a page each."""
    return sorted(path for path in PAGES.glob("*.js") if path.stem != "react")


async def compare(browser: Browser, address: str, scripts: dict[str, str]) -> list[Compared]:
    """Compare every element of a page that one of Chrome and ours takes for one that people work with, or a heading."""
    tab = await browser.new_tab(address)
    for script in scripts.values():
        await tab.evaluate(f"{script}; 0")
    same = 0

    async def drawn() -> bool:
        nonlocal same
        same = same + 1 if await tab.evaluate(DRAWN) else 0
        return same >= 30

    await until(drawn, f"{address} to be drawn")
    by_node = await chrome_names(tab)
    found = await candidates(tab) | {node for node, (role, _) in by_node.items() if role in ROLES | NO_ROLE}
    compared = [(by_node[node], one) for node, one in (await measure(tab, sorted(found & by_node.keys()))).items()]
    await tab.close()
    return [Compared(one["html"], chrome, tuple(one["ours"]), tuple(one["library"])) for chrome, one in compared if one]


async def chrome_names(tab: Tab) -> dict[int, tuple[str, str]]:
    """Read role and name of every node that Chrome's tree has, by the number of the node."""
    await tab.send("DOM.enable")
    await tab.send("Accessibility.enable")
    tree = (await tab.send("Accessibility.getFullAXTree"))["nodes"]
    return {
        node["backendDOMNodeId"]: (
            INTERNAL.get(node["role"]["value"], node["role"]["value"]),
            " ".join(UNSEEN.sub("", ICONS.sub(" ", node.get("name", {}).get("value", ""))).split()),
        )
        for node in tree
        if not node["ignored"] and "backendDOMNodeId" in node and node["role"]["value"] != "StaticText"
    }


async def candidates(tab: Tab) -> set[int]:
    """Find the nodes that have one of the roles by ours."""
    answer = await tab.send("Runtime.evaluate", expression=CANDIDATES)
    properties = await tab.send("Runtime.getProperties", objectId=answer["result"]["objectId"], ownProperties=True)
    ids = [one["value"]["objectId"] for one in properties["result"] if one["name"].isdigit()]
    nodes = await asyncio.gather(*(tab.send("DOM.describeNode", objectId=one) for one in ids))
    return {node["node"]["backendNodeId"] for node in nodes}


async def measure(tab: Tab, nodes: list[int]) -> dict[int, dict[str, Any]]:
    """Have ours and the library compute role and name of nodes; what is no element is left out."""

    async def resolve(node: int) -> tuple[int, str] | None:
        try:
            found = (await tab.send("DOM.resolveNode", backendNodeId=node))["object"]
        except ChromiumError:
            return None
        return (node, found["objectId"]) if found["className"] not in {"Text", "HTMLDocument"} else None

    known = [one for one in await asyncio.gather(*map(resolve, nodes)) if one]
    if not known:
        return {}
    answer = await tab.send(
        "Runtime.callFunctionOn",
        functionDeclaration=COMPARE,
        objectId=known[0][1],
        arguments=[{"objectId": found} for _, found in known],
        returnByValue=True,
    )
    return dict(zip((node for node, _ in known), answer["result"]["value"], strict=True))


def same_role(chrome: tuple[str, str], other: tuple[str, str]) -> bool:
    """Compare roles, as far as there is one."""
    return chrome[0] in NO_ROLE or chrome[0] == other[0] or not {chrome[0], other[0]} & ROLES


def same_name(chrome: tuple[str, str], other: tuple[str, str]) -> bool:
    """Compare names as far as ours returns them."""
    return chrome[1][:200].strip() == other[1][:200].strip()


def share(compared: list[Compared], measure: str, same: Any) -> str:
    """Return the share of elements with the same role or name, in percent."""
    equal = sum(same(one.chrome, getattr(one, measure)) for one in compared)
    return f"{100 * equal / len(compared):.1f}" if compared else "-"


def print_row(page: str, compared: list[Compared]) -> None:
    """Print a page's row, after the head of the table above the first."""
    columns = [share(compared, measure, same) for same in (same_role, same_name) for measure in ("ours", "library")]
    if page == FIXTURES[0]:
        print(
            f"{'page':<16}{'elements':>9}{'role: ours':>12}{'library':>9}{'name: ours':>12}{'library':>9}   (% equal)"
        )
    print(f"{page:<16}{len(compared):>9}{columns[0]:>12}{columns[1]:>9}{columns[2]:>12}{columns[3]:>9}", flush=True)


def print_differences(pages: dict[str, list[Compared]]) -> None:
    """Print what ours has otherwise than Chrome."""
    for page, compared in pages.items():
        for one in compared:
            if not (same_role(one.chrome, one.ours) and same_name(one.chrome, one.ours)):
                print(f"\n{page}: {one.html}\n  chrome  {one.chrome}\n  ours    {one.ours}\n  library {one.library}")


async def print_costs(browser: Browser, address: str, scripts: dict[str, str], sizes: dict[str, int]) -> None:
    """Print time and size of each measure."""
    for name, script in scripts.items():
        tab = await browser.new_tab(address)
        await tab.evaluate(f"{script}; 0")
        times = sorted([await tab.evaluate(f"{SPEED}({name})") for _ in range(5)])
        print(f"{name}: {times[2]:.0f} ms for {ELEMENTS:,} elements (median of 5), {sizes[name] / 1024:.1f} KB bundled")
        await tab.close()


if __name__ == "__main__":
    asyncio.run(main())
