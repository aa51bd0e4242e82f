"""The way from a page to the service worker: every frame, in order, bounded, not forged, no event lost or new twice."""

import asyncio
import contextlib
import json

import pytest

from browser import scene
from browser.collector import Collector, Event
from browser.scene import Install
from gasoline_bridge.devtools import Browser
from gasoline_demo.site import free_port

FRAMES = {
    "about:blank": "it.contentWindow.console.log('hi')",
    "srcdoc": "it.srcdoc = `<script>console.log('hi')</script>`",
    "blob": "it.src = URL.createObjectURL(new Blob([`<script>console.log('hi')</script>`], {type: 'text/html'}))",
    "data": "it.src = `data:text/html,<script>console.log('hi')</script>`",
    "sandbox": "it.sandbox = 'allow-scripts'; it.srcdoc = `<script>console.log('hi')</script>`",
}

FORGE = """
const node = document.createElement('i');
for (const world of [document, window, document.documentElement]) {
  world.dispatchEvent(new MouseEvent('gasoline', {relatedTarget: node, bubbles: true}));
  world.dispatchEvent(new CustomEvent('gasoline', {detail: text, bubbles: true}));
  world.dispatchEvent(new CustomEvent('e', {detail: text, bubbles: true}));
}
node.dispatchEvent(new CustomEvent('e', {detail: text}));
node.dispatchEvent(new CustomEvent('c', {detail: '{"on":false,"websockets":false,"bodies":true}'}));
for (const world of [document, window, node]) for (const type of ['e', 'c', 'gasoline'])
  world.addEventListener(type, () => { leaked = true; }, true);
window.postMessage(event, '*');
window.postMessage({name: 'events', chunks: [{events: [event]}]}, '*');
"""


DOCUMENTS = {
    "page": "document",
    "iframe": "document.body.appendChild(document.createElement('iframe')).contentDocument",
}

REPLACE = """
it.replaceChild(it.createElement('html'), it.documentElement);
it.open();
it.write(`<script>
  setTimeout(() => { throw new Error('thrown'); });
  Promise.reject(new Error('rejected'));
</script><img src="none.png">`);
it.close();
"""

PATCH = """
(async () => {
  const frame = document.createElement('iframe');
  const done = new Promise((load) => { frame.onload = load; });
  frame.src = 'small.html';
  document.body.append(frame);
  const { JSON, EventTarget } = frame.contentWindow;
  const own = { stringify: JSON.stringify, dispatchEvent: EventTarget.prototype.dispatchEvent };
  const read = [];
  let node;
  JSON.stringify = (value) => { const text = own.stringify(value); read.push(text); return text; };
  EventTarget.prototype.dispatchEvent = function (event) {
    if (event.type === 'e') node = this;
    return Reflect.apply(own.dispatchEvent, this, [event]);
  };
  await done;
  frame.contentWindow.console.log('of the frame');
  console.log('of the page');
  const forged = { type: 'console', ts: 1, level: 'log', args: ['forged'], tab: 0, frame: 0 };
  node.dispatchEvent(new CustomEvent('e', { detail: own.stringify(forged) }));
  return read.join();
})()
"""


@pytest.mark.parametrize("kind", FRAMES)
async def test_a_frame_of_every_kind_is_captured(collector: Collector, kind: str) -> None:
    tab = await collector.visit()
    await tab.evaluate(
        "const it = document.createElement('iframe');"
        + ("" if kind == "about:blank" else FRAMES[kind] + ";")
        + "document.body.append(it);"
        + (FRAMES[kind] if kind == "about:blank" else "")
    )

    await collector.heard(type="console", args=["hi"])
    (chunk,) = [chunk for chunk in await collector.chunks() if '"hi"' in json.dumps(chunk)]

    assert chunk["frame"] != 0
    assert len(chunk["load"]) == 8
    assert len(chunk["id"]) == 32


@pytest.mark.parametrize("where", DOCUMENTS)
async def test_what_goes_wrong_in_a_document_that_was_opened_again_is_captured_once(
    collector: Collector, where: str
) -> None:
    tab = await collector.visit()
    await tab.evaluate(f"(() => {{ const it = {DOCUMENTS[where]}; {REPLACE} }})()")

    for kind in ("error", "rejection", "resource"):
        await collector.heard(type="error", kind=kind)
    await tab.evaluate("console.log('last')")
    await collector.heard(args=["last"])
    kinds = [event["kind"] for event in await collector.events(type="error")]

    assert sorted(kinds) == ["error", "rejection", "resource"]


async def test_what_patches_an_empty_frame_before_it_is_filled_forges_in_that_frame_alone(collector: Collector) -> None:
    tab = await collector.visit()
    read = await tab.evaluate(PATCH)

    await collector.heard(args=["forged"])
    await collector.heard(args=["of the page"])
    said = {
        event["args"][0]: (chunk["tab"], chunk["frame"] == 0)
        for chunk in await collector.chunks()
        for event in chunk["events"]
        if event["type"] == "console"
    }
    number = said["of the page"][0]

    assert said == {"of the frame": (number, False), "of the page": (number, True), "forged": (number, False)}
    assert "of the frame" in read
    assert "of the page" not in read


async def test_events_come_in_order_with_times_and_the_address_that_they_had(collector: Collector) -> None:
    tab = await collector.visit()
    await tab.evaluate(
        "console.log(1); history.pushState(0, '', 'second'); console.log(2);"
        "addEventListener('popstate', () => console.log(3)); history.back();"
    )

    events = await collector.heard(3, type="console")
    chunks = await collector.chunks()

    assert [event["args"] for event in events] == [[1], [2], [3]]
    assert [event["ts"] for event in events] == sorted(event["ts"] for event in events)
    said = [chunk for chunk in chunks if any(event["type"] == "console" for event in chunk["events"])]
    assert [chunk["page"].removeprefix(collector.pages) for chunk in said] == [
        "capture.html",
        "second",
        "capture.html",
    ]
    assert len({chunk["load"] for chunk in said}) == 1
    assert abs(events[0]["ts"] - await tab.evaluate("Date.now()")) < 10_000


@pytest.mark.requirement("capture-025")
async def test_a_flood_is_bounded_and_counted_and_the_next_event_arrives(collector: Collector) -> None:
    tab = await collector.visit()
    took_ms = await tab.evaluate(
        "const begun = performance.now(); for (let n = 0; n < 5000; n++) console.debug(n); performance.now() - begun"
    )
    await tab.evaluate("new Promise((done) => setTimeout(done, 20)).then(() => console.log('next'))")

    await collector.heard(args=["next"])
    told = len(await collector.events(type="console", level="debug"))
    dropped = sum(event["count"] for event in await collector.events(type="dropped", of="console", why="rate"))

    assert told + dropped == 5000
    assert 1000 <= told <= 1000 + took_ms + 1  # at once, and one a millisecond


@pytest.mark.requirement("capture-024")
async def test_what_a_page_forges_is_dropped_and_commands_nothing(collector: Collector) -> None:
    tab = await collector.visit()
    event = {"type": "console", "ts": 1, "level": "log", "args": ["forged"]}
    await tab.evaluate(
        f"globalThis.leaked = false; const event = {json.dumps(event)}; const text = JSON.stringify(event); {FORGE}"
        "new Promise((done) => setTimeout(done, 100)).then(() => console.log('mine'))"
    )
    await tab.evaluate("fetch('api/echo', {method: 'POST', body: 'x'}).then(() => console.log('last'))")

    await collector.heard(args=["last"])

    assert await collector.events(args=["forged"]) == []
    assert await collector.events(type="network_body") == []
    assert len(await collector.events(args=["mine"])) == 1
    assert await tab.evaluate("leaked") is False


@pytest.mark.requirement("capture-021")
async def test_a_page_that_traps_everything_it_can_reach_learns_nothing(collector: Collector) -> None:
    tab = await collector.visit()
    await collector.want(bodies=True)
    await tab.evaluate(
        """
        globalThis.seen = '';
        const map = new Map([]);
        const note = (what) => { seen += what + ' '; };
        const trap = (owner, name) => Object.defineProperty(owner, name, {__proto__: null, configurable: true,
          get() { note('get ' + String(name)); }, set() { note('set ' + String(name)); }});
        for (const name of ['toJSON', 'bubbles', 'detail', 'get', 'value', 'apply', 'construct', 'text', 'size', 'cut',
          'error', 'length', 'headers', 'signal', 'stream', 'write', 'capture', 'once', 'on', 'bodies', 'configurable',
          'type', 'count', 'relatedTarget'])
          trap(Object.prototype, name);
        for (const name of [0, 1, 2, 3]) trap(Array.prototype, name);
        const patch = (owner, name) => { const own = owner[name]; owner[name] = function (...args) {
          note(name); return Reflect.apply(own, this, args); }; };
        for (const [owner, names] of [[JSON, ['stringify', 'parse']], [Array.prototype, ['push', 'map', 'slice']],
          [String.prototype, ['slice', 'indexOf', 'toLowerCase', 'split', 'trim']], [Map.prototype, ['get', 'set']],
          [WeakMap.prototype, ['get', 'set']], [RegExp.prototype, ['exec', 'test']], [Promise.prototype, ['then']],
          [Headers.prototype, ['forEach', 'get']], [EventTarget.prototype, ['dispatchEvent', 'addEventListener']],
          [Performance.prototype, ['now']], [Object, ['keys', 'getOwnPropertyDescriptor']],
          [Reflect, ['get', 'ownKeys']]])
          for (const name of names) patch(owner, name);
        Error.prepareStackTrace = () => { note('stack'); };
        String.prototype[Symbol.iterator] = Array.prototype[Symbol.iterator] = function* () { note('iterated'); };
        console.log();
        console.warn('%s %d', {a: [1, {b: 2}]}, 5, map, new Error('x'), document.body);
        console.assert(); console.count(); console.time(); console.timeEnd();
        const xhr = new XMLHttpRequest();
        xhr.open('POST', 'api/echo', false);
        xhr.setRequestHeader('X-A', 'b');
        xhr.send('x');
        fetch('api/echo');
        navigator.sendBeacon('api/echo');
        new WebSocket('ws://127.0.0.1:9/');
        0
        """
    )
    await collector.heard(type="network", api="fetch")
    await collector.heard(type="websocket", event="close")

    assert await tab.evaluate("seen") == ""
    assert len(await collector.events(type="console")) == 5


async def test_what_happens_while_a_page_is_left_arrives(collector: Collector) -> None:
    tab = await collector.visit()
    await tab.evaluate("addEventListener('pagehide', () => { for (let n = 0; n < 3; n++) console.log('bye', n); }); 0")
    await tab.navigate(collector.pages + "small.html")

    assert [event["args"][1] for event in await collector.heard(3, type="console")] == [0, 1, 2]


async def test_a_hidden_page_is_captured_at_once(collector: Collector) -> None:
    tab = await collector.visit()
    front = await collector.visit()
    await front.activate()
    await tab.until("document.visibilityState === 'hidden'")
    await tab.evaluate("console.log('unseen')")

    assert await collector.heard(args=["unseen"])


async def test_what_is_switched_off_is_not_reported(collector: Collector) -> None:
    tab = await collector.visit()
    await collector.want(on=False)
    await tab.evaluate("console.log('off'); null?.x; fetch('api/echo').then(() => 0)")
    await collector.want(on=True)
    await tab.evaluate("console.log('on')")

    await collector.heard(args=["on"])

    assert await collector.events(args=["off"]) == []
    assert await collector.events(type="network") == []


@pytest.mark.parametrize(
    ("file", "bodies", "sockets"), [("early_bodies", True, True), ("early_no_websockets", False, False)]
)
async def test_a_preset_holds_before_the_first_script_of_the_page(
    collector: Collector, file: str, *, bodies: bool, sockets: bool
) -> None:
    script = {
        "id": file,
        "js": [f"content/{file}.js"],
        "matches": ["<all_urls>"],
        "allFrames": True,
        "matchOriginAsFallback": True,
        "runAt": "document_start",
    }
    await collector.worker.evaluate(f"chrome.scripting.registerContentScripts([{json.dumps(script)}])")
    await collector.worker.evaluate("answer = undefined; 0")  # no reply can be what has set it
    try:
        await collector.visit("capture-early.html")
        await collector.heard(type="console", args=["both are over"])
    finally:
        await collector.worker.evaluate("answer = {}; chrome.scripting.unregisterContentScripts()")

    assert bool(await collector.events(type="network_body")) is bodies
    assert bool(await collector.events(type="websocket", event="error")) is sockets


async def test_the_queue_is_handed_over_when_it_is_asked_for(collector: Collector) -> None:
    tab = await collector.visit()
    await tab.evaluate("console.log('first')")
    await collector.heard(args=["first"])
    number = (await collector.chunks())[0]["tab"]
    await tab.evaluate("console.log('second')")
    (answer,) = await collector.worker.evaluate(
        f"chrome.scripting.executeScript({{target: {{tabId: {number}}}, func: () => gasoline.relay.flush()}})"
    )
    await collector.heard(args=["second"])

    handed = [event["args"] for chunk in answer["result"] for event in chunk["events"] if event["type"] == "console"]

    assert handed in ([], [["second"]])
    assert len(await collector.events(type="console")) == 2


async def test_what_the_service_worker_did_not_take_is_sent_again_with_the_same_ids(
    install: Install, pages: str
) -> None:
    async with await Browser.launch(scene.stand_in_for_worker(install(None, free_port()))) as browser:
        worker = await browser.service_worker()
        collector = Collector(browser, worker, pages)
        tab = await collector.visit()
        await tab.evaluate("console.log('taken')")
        await collector.heard(args=["taken"])
        await worker.evaluate(
            "Object.defineProperty(globalThis, 'answer', {get() { throw new Error('not taken'); }});"
            "chunks.length = 0; 0"
        )
        await tab.evaluate("console.log('lost at first')")
        await collector.heard(args=["lost at first"])
        before = await chunk_with("lost at first", collector)
        await worker.detach()
        await browser.stop_service_worker()
        await tab.evaluate("console.log('later')")

        collector.worker = await browser.service_worker()
        await collector.heard(args=["later"])
        after = await chunk_with("lost at first", collector)
        events = await collector.events(type="console")

    assert after["id"] == before["id"]
    assert [event["args"] for event in events] == [["lost at first"], ["later"]]


async def chunk_with(text: str, collector: Collector) -> Event:
    """Give the chunk that holds this line."""
    return next(
        chunk for chunk in await collector.chunks() if any(event.get("args") == [text] for event in chunk["events"])
    )


async def test_what_a_page_dispatches_itself_breaks_nothing(collector: Collector) -> None:
    tab = await collector.visit()
    await tab.evaluate(
        """
        globalThis.faults = 0;
        addEventListener('error', (event) => { if (event instanceof ErrorEvent) faults += 1; });
        const socket = new WebSocket('ws://127.0.0.1:9/');
        const xhr = new XMLHttpRequest();
        xhr.open('GET', 'api/echo');
        for (const target of [socket, xhr, window])
          for (const type of ['message', 'close', 'load', 'error', 'unhandledrejection', 'pagehide'])
            target.dispatchEvent(new Event(type));
        for (const odd of [Proxy.revocable({}, {})]) {
          odd.revoke();
          fetch('api/echo', odd.proxy).catch(() => 0);
          try { xhr.open('GET', odd.proxy); } catch {}
          try { navigator.sendBeacon(odd.proxy); } catch {}
        }
        console.log('after')
        """
    )

    await collector.heard(args=["after"])

    assert await tab.evaluate("faults") == 0


async def test_a_frame_that_is_taken_out_at_once_leaves_no_trace(collector: Collector) -> None:
    tab = await collector.visit()
    await tab.evaluate(
        "for (let n = 0; n < 20; n++) { const it = document.createElement('iframe'); document.body.append(it);"
        " it.contentWindow.console.log('gone'); it.remove(); } console.log('after')"
    )

    await collector.heard(args=["after"])

    assert await collector.events(type="error") == []


ALL_SAID_S = 10.0

LAST_WORDS = """
for (const type of ['pagehide', 'visibilitychange', 'unload']) {
  (type === 'visibilitychange' ? document : window).addEventListener(type, () => {
    console.log(`in ${type}`);
    navigator.sendBeacon(`/api/echo?${type}`, 'x');
  });
}
0
"""


@pytest.mark.parametrize("how", ["navigates", "closes"])
async def test_the_last_events_of_a_page_arrive_of_every_kind(collector: Collector, how: str) -> None:
    for left in range(
        5, -1, -1
    ):  # Chrome gives a page that is left half a second: on a busy machine it may say nothing
        tab = await collector.visit()
        await tab.evaluate(LAST_WORDS)
        if how == "navigates":
            await tab.navigate(collector.pages.replace("127.0.0.1", "localhost") + "small.html")
        else:
            await tab.close()
        with contextlib.nullcontext() if not left else contextlib.suppress(TimeoutError):
            async with asyncio.timeout(ALL_SAID_S):
                said = {event["args"][0] for event in await collector.heard(3, type="console")}
                beacons = {event["url"].partition("?")[2] for event in await collector.heard(3, api="beacon")}
            break

    assert {"in pagehide", "in visibilitychange", "in unload"} == said
    assert {"pagehide", "visibilitychange", "unload"} == beacons


async def test_a_page_that_comes_back_from_the_cache_captures_what_is_wanted_by_then(collector: Collector) -> None:
    post = "fetch('/api/echo', {method: 'POST', body: 'not any more'}).then((reply) => reply.text())"
    tab = await collector.visit()
    await collector.want(bodies=True)
    await tab.evaluate(
        f"addEventListener('pageshow', ({{persisted}}) => {{ globalThis.back = persisted; {post}; }}); 0"
    )
    await tab.navigate(collector.pages + "small.html")
    await collector.want(bodies=False)
    await tab.evaluate("history.back(); 0")
    await tab.until("globalThis.back !== undefined")
    assert await tab.evaluate("back") is True

    await collector.heard(1, type="network", method="POST")
    await tab.evaluate("new Promise((done) => setTimeout(done, 300)).then(() => 0)")

    assert [] == await collector.events(type="network_body")


@pytest.mark.parametrize("delay_ms", [0, 100, 600])
async def test_a_page_that_was_left_with_a_message_on_its_way_is_captured_when_it_comes_back(
    collector: Collector, delay_ms: int
) -> None:
    tab = await collector.visit()
    await tab.evaluate("addEventListener('pageshow', ({persisted}) => { globalThis.back = persisted; }); 0")
    await collector.worker.evaluate(f"delayMs = {delay_ms}; 0")
    await tab.evaluate("console.log('before'); new Promise((done) => setTimeout(done, 40)).then(() => 0)")
    await tab.navigate(collector.pages + "small.html")
    await tab.evaluate("history.back(); 0")
    await tab.until("globalThis.back !== undefined")
    assert await tab.evaluate("back") is True

    await tab.evaluate("console.log('after')")

    await collector.heard(1, args=["after"])
    assert ["before"] in [event["args"] for event in await collector.events(type="console")]


async def test_a_page_that_only_pretends_to_leave_is_captured_as_before(collector: Collector) -> None:
    tab = await collector.visit()
    await tab.evaluate("dispatchEvent(new Event('pagehide')); for (let n = 0; n < 100; n++) console.log(n); 0")
    await collector.heard(100, type="console")

    assert len([chunk for chunk in await collector.chunks() if chunk["events"][0]["type"] == "console"]) < 10


async def test_a_relay_that_comes_late_trusts_nothing_in_the_pages_world(install: Install, pages: str) -> None:
    folder = scene.stand_in_for_worker(install(None, free_port()))
    manifest = json.loads((folder / "manifest.json").read_text())
    files = ["content/injected_late.js", *manifest.pop("content_scripts")[0]["js"]]
    (folder / "manifest.json").write_text(json.dumps(manifest))
    async with await Browser.launch(folder) as browser:
        worker = await browser.service_worker()
        collector = Collector(browser, worker, pages)
        tab = await collector.visit()
        inject = f"(await chrome.tabs.query({{url: '{pages}*'}}))[0].id"
        number = await worker.evaluate(f"(async () => {inject})()")
        target = f"{{target: {{tabId: {number}}}, files: {json.dumps(files)}}}"
        await worker.evaluate(f"chrome.scripting.executeScript({target}).then(() => 0)")
        await tab.evaluate(
            """
            globalThis.told = 0;
            const node = document.createElement('i');
            node.addEventListener('c', () => told += 1);
            document.dispatchEvent(new MouseEvent('gasoline', {relatedTarget: node}));
            const forged = JSON.stringify({type: 'console', ts: 1, level: 'log', args: ['forged']});
            node.dispatchEvent(new CustomEvent('e', {detail: forged}));
            performance.mark('seen from beside');
            0
            """
        )
        await collector.heard(1, name="seen from beside")
        early = await worker.evaluate(f"chrome.tabs.sendMessage({number}, {{name: 'relay'}})")

        assert {"early": False} == early
        assert 0 == await tab.evaluate("told")
        assert [] == await collector.events(type="console")
