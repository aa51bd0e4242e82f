"""Measures whole calls, from an assistant to its reply, beside a bare extension that does the same and nothing else.

The bare extension injects a function and answers over a WebSocket: no check, no audit, no redaction, no journal. After
an act it waits as we do until the page has not changed for 50 ms; after a load it waits for Chrome's `complete`. It is
asked directly (`bare`), and by the same client as ours through the smallest server on the official SDK (`mcp`), as ours
is one. A row's calls and those two are made in turn in one run, so whatever else the machine does hits all. Ratios hold
between machines, times do not. `page ms` is the processor time of the page's own thread for a call, which counts beside
noise too. Then comes where the time of some calls goes, by hop. `--rounds N` changes how many calls a row has, and
`--only WORD` chooses the rows with a word in their name.
"""

import asyncio
import contextlib
import functools
import itertools
import json
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any, NamedTuple

from aiohttp import web
from mcp import StdioServerParameters
from mcp.client import Client

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench import bare_server, hops
from bench.actions import Place, place
from bench.bare_server import ask, listening
from browser.user import allow_user_scripts
from gasoline_bridge.devtools import Browser, Tab
from gasoline_demo.site import free_port

ROUNDS = 40
IDLE_S = 7.0
EXTENSION = Path(__file__).parents[2] / "extension"

MANIFEST = {
    "manifest_version": 3,
    "name": "Bare",
    "version": "1",
    "minimum_chrome_version": "120",
    "permissions": ["alarms", "debugger", "scripting", "tabs"],
    "host_permissions": ["<all_urls>"],
    "background": {"service_worker": "worker.js"},
}
WORKER = """
const READS = {
  query: () => [...document.querySelectorAll('#by')].map((one) => ({ tag: one.localName, text: one.textContent })),
  page: () => ({
    url: location.href, title: document.title, links: document.links.length, images: document.images.length,
    headings: [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].map((one) => one.textContent),
    forms: document.forms.length,
    controls: document.querySelectorAll('a[href], button, input, select, textarea, [tabindex], [role]').length,
  }),
  controls: () => [...document.querySelectorAll('a[href], button, input, select, textarea')]
    .filter((one) => one.checkVisibility()).map((one) => ({ tag: one.localName, text: one.textContent })),
  eval: () => 1 + 1,
};
const act = (name) => new Promise((done) => {
  let changes = 0;
  let timer;
  const rest = () => { clearTimeout(timer); timer = setTimeout(() => done({ changes }), 50); };
  const observer = new MutationObserver((all) => { changes += all.length; rest(); });
  observer.observe(document, { childList: true, subtree: true, attributes: true, characterData: true });
  rest();
  if (name === 'click') return document.querySelector('#by').click();
  for (let n = 0; n < 5; n++) {
    const field = document.querySelector(`#f${n}`);
    field.focus();
    field.value = `text ${n}`;
    for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }));
  }
  document.forms[0].requestSubmit();
});
const load = (tab, url) => new Promise((done) => {
  chrome.tabs.onUpdated.addListener(function heard(id, { status }) {
    if (id !== tab.id || status !== 'complete') return;
    chrome.tabs.onUpdated.removeListener(heard);
    done({ url });
  });
  url ? chrome.tabs.update(tab.id, { url }) : chrome.tabs.reload(tab.id);
});
const script = async (tab, name) => {
  const world = name === 'eval' ? 'MAIN' : 'ISOLATED';
  const func = READS[name] ?? act;
  const [frame] = await chrome.scripting.executeScript({ target: { tabId: tab.id }, func, args: [name], world });
  return frame.result;
};
let attached = false;
const debugged = async (tab, keeps) => {
  const target = { tabId: tab.id };
  if (!attached) await chrome.debugger.attach(target, '1.3');
  const expression = { expression: '1+1', returnByValue: true };
  const { result } = await chrome.debugger.sendCommand(target, 'Runtime.evaluate', expression);
  attached = keeps;
  if (!keeps) await chrome.debugger.detach(target);
  return result.value;
};
const does = async (tab, name) => {
  if (name === 'refresh') return load(tab, '');
  if (name === 'navigate') return load(tab, `${tab.url.split('?')[0]}?load=${loads++}`);
  return name === 'debugged' || name === 'attaching' ? debugged(tab, name === 'debugged') : script(tab, name);
};
let loads = 0;
for (const port of PORTS) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`);
  socket.onmessage = async ({ data }) => {
    const { name } = JSON.parse(data);
    const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
    socket.send(JSON.stringify({ result: await does(tab, name) }));
  };
  setInterval(() => socket.send('{}'), 20_000);
}
chrome.alarms.onAlarm.addListener(() => {}); // by which a worker is known to have started
"""

PAGE = """
document.body.innerHTML = '<h1>Shop</h1><button id=by>Buy</button><ul id=list></ul><form onsubmit="return false">' +
  [0, 1, 2, 3, 4].map((n) => `<input id=f${n} aria-label="Field ${n}">`).join('') + '<button>Send</button></form>';
by.onclick = () => list.replaceChildren(...Array.from({ length: 25 }, (_, n) =>
  Object.assign(document.createElement('li'), { textContent: `Item ${n} ${Math.random()}` })));
0
"""
FILL = """
document.body.insertAdjacentHTML('beforeend', Array.from({ length: COUNT / 5 }, (_, n) =>
  `<article><h2>Part ${n}</h2><p>Text</p><a href="#${n}">More</a><b>x</b></article>`).join('')); 0
"""
FIELDS = [{"selector": f"#f{n}", "value": f"text {n}"} for n in range(5)]

Call = Callable[[], Awaitable[int]]


class Row(NamedTuple):
    """A measured call; `floor`: what the bare extension is asked for beside it."""

    name: str
    call: Call
    floor: str = ""
    before: str = ""  # what the page runs before the row
    pause_s: float = 0.0
    hops: bool = False  # whether it is in the table of hops
    allowed: bool = False  # whether the user has allowed user scripts, from here on


class Bare:
    """The bare extension, at a page of its own browser: asked directly, and through an MCP server."""

    def __init__(self, socket: web.WebSocketResponse, client: Client, tab: Tab) -> None:
        self.socket = socket
        self.client = client
        self.tab = tab

    async def ask(self, name: str) -> int:
        """Ask for something, and give the bytes of the answer."""
        return len(await ask(self.socket, name))

    async def call(self, name: str) -> int:
        """Ask for the same through the server."""
        return len(str((await self.client.call_tool(name, {})).content))


@contextlib.asynccontextmanager
async def bare(url: str) -> AsyncIterator[Bare]:
    """Start a browser with the bare extension at a page."""
    ports = [free_port(), free_port()]
    server = StdioServerParameters(command=sys.executable, args=[bare_server.__file__, str(ports[1])])
    with tempfile.TemporaryDirectory(prefix="gs-bare-") as folder:
        key = json.loads((EXTENSION / "manifest.json").read_text())["key"]
        (Path(folder) / "manifest.json").write_text(json.dumps(MANIFEST | {"key": key}))
        (Path(folder) / "worker.js").write_text(WORKER.replace("PORTS", str(ports)))
        async with (
            listening(ports[0]) as connected,
            Client(server) as client,
            await Browser.launch(Path(folder)) as browser,
        ):
            tab = await browser.new_tab(url)
            await tab.activate()
            yield Bare(await connected, client, tab)


async def main() -> None:
    """Print a row for each call."""
    rounds = int(sys.argv[sys.argv.index("--rounds") + 1]) if "--rounds" in sys.argv else ROUNDS
    only = sys.argv[sys.argv.index("--only") + 1] if "--only" in sys.argv else ""
    table: dict[str, hops.Hops] = {}
    async with place("blank.html") as (at, browser):
        here = await at.tab.evaluate("location.href")
        async with bare(here) as floor:
            floors = "".join(f"{name:>9}{'ratio':>7}" for name in ("bare ms", "mcp ms"))
            print(f"{'':<34}{'p50 ms':>8}{'p95 ms':>8}{'page ms':>9}{'bytes':>8}{floors}")
            for row in rows(at, here):
                if only in row.name:
                    found = await measure((at, browser), floor, row, rounds)
                    table |= {row.name: found} if found else {}
                elif row.before:
                    await asyncio.gather(at.tab.evaluate(row.before), floor.tab.evaluate(row.before))
    hops.show(table)


def rows(at: Place, here: str) -> list[Row]:
    """Give the rows, in order; a page only grows from one to the next, or is loaded anew."""

    def call(tool: str, **arguments: Any) -> Call:
        async def made() -> int:
            text, failed = await at.client.text(tool, tab_id=at.number, **arguments)
            assert not failed, text
            return len(text)

        return made

    script = "execute_javascript"
    turns = itertools.count()
    lines = "for (let n = 0; n < {}; n++) console.debug(`line ${{n}}`); 0"
    scripts = (
        "for (let n = 0; n < 300; n++) document.head.append(Object.assign(document.createElement('script'),"
        " { text: `globalThis.f${n} = () => ${n}` })); 0"
    )
    waterfall = "(async () => { for (let n = 0; n < 20; n++) await fetch(`blank.html?n=${n}`); })().then(() => 0)"

    async def navigate() -> int:
        return await call("interact", action="navigate", url=f"{here}?turn={next(turns)}")()

    async def changed() -> int:
        change = "document.querySelectorAll('h2')[700].textContent = Math.random(); 0"
        first = await at.client.call("observe", what="outline", tab_id=at.number)
        await at.tab.evaluate(change)
        return await call("observe", what="outline", since_seq=max(1, first.get("seq", 0)))()

    strict = here.replace("blank.html", "strict.html")
    return [
        Row("query", call("query_dom", selector="#by"), "query", PAGE, hops=True),
        Row("page info", call("get_page_info"), "page", hops=True),
        Row("outline", call("observe", what="outline"), "page", hops=True),
        Row("list_interactive", call("interact", action="list_interactive"), "controls", hops=True),
        Row("eval 1+1", call(script, script="1+1"), "eval", hops=True),
        Row("eval 1+1, beside a debugger", call(script, script="1+1"), "debugged"),
        Row("eval, an object", call(script, script="({ a: 1 })"), "debugged"),
        Row("eval, after 7 s of idle", call(script, script="1+1"), "attaching", pause_s=IDLE_S),
        Row("click, 25 items", call("interact", action="click", selector="#by"), "click", hops=True),
        Row(
            "form, 5 fields, sent", call("interact", action="fill_form", fields=FIELDS, submit=True), "form", hops=True
        ),
        Row("eval, 500 console lines", call(script, script="1+1"), "eval", lines.format(500)),
        Row("logs, 100 lines", call("observe", what="logs", limit=100, budget=40_000)),
        Row("eval, 5,000 console lines", call(script, script="1+1"), "eval", lines.format(4_500)),
        Row("eval, 300 scripts", call(script, script="1+1"), "eval", scripts),
        Row("network, 20 requests", call("observe", what="network_waterfall", limit=20, budget=40_000), "", waterfall),
        Row("page info, 5,000 elements", call("get_page_info"), "page", FILL.replace("COUNT", "5000"), hops=True),
        Row("outline, 5,000 elements", call("observe", what="outline"), "page", hops=True),
        Row("outline, then what changed", changed),
        Row("page info, 50,000 elements", call("get_page_info"), "page", FILL.replace("COUNT", "45000")),
        Row("outline, 50,000 elements", call("observe", what="outline"), "page"),
        Row("refresh", call("interact", action="refresh"), "refresh"),
        Row("navigate", navigate, "navigate"),
        Row("eval, strict policy", call(script, script="1+1"), "", f"location.href = '{strict}'; 0"),
        Row("outline, strict policy", call("observe", what="outline"), "page"),
        Row("eval, user scripts allowed", call(script, script="1+1"), "eval", allowed=True),
    ]


async def measure(own: tuple[Place, Browser], floor: Bare, row: Row, rounds: int) -> hops.Hops | None:
    """Make the calls of a row, in turn with those of its floor, and give its hops if they are asked for."""
    at, browser = own
    if row.allowed:
        await allow_user_scripts(browser, on=True)
    if row.before:
        await asyncio.gather(at.tab.evaluate(row.before), floor.tab.evaluate(row.before))
        await asyncio.sleep(1)
    ours: list[float] = []
    floors: dict[Callable[[str], Awaitable[int]], list[float]] = {floor.ask: [], floor.call: []} if row.floor else {}
    size = 0
    pids = await hops.renderers(browser)
    worked = 0.0
    await hops.watch(browser)
    for turn in range((rounds if not row.pause_s else max(2, rounds // 8)) + 2):
        await asyncio.sleep(row.pause_s)
        before = hops.thread_ms(pids)
        size, took = await timed(row.call)
        worked += hops.thread_ms(pids) - before if turn > 1 else 0.0
        ours += [took] if turn > 1 else []  # the first ones warm up
        for ask_floor, bares in floors.items():
            _, took = await timed(functools.partial(ask_floor, row.floor))
            bares.extend([took] if turn > 1 else [])
    middle = statistics.median(ours)
    high = statistics.quantiles(ours, n=20)[-1]
    bests = [statistics.median(bares) for bares in floors.values()]
    beside = "".join(f"{best:>9.1f}{middle / best:>7.1f}" for best in bests)
    page = worked / len(ours)
    print(f"{row.name:<34}{middle:>8.1f}{high:>8.1f}{page:>9.1f}{size:>8}{beside}", flush=True)
    return await hops.read(browser, at.settings, ours) if row.hops else None


async def timed(call: Call) -> tuple[int, float]:
    """Make a call, and give its answer and how long it took, in ms."""
    begun = time.perf_counter()
    answer = await call()
    return answer, (time.perf_counter() - begun) * 1_000


if __name__ == "__main__":
    asyncio.run(main())
