"""What a page logs, throws and sends to hold the capture up, and what it replaces to see it."""

import pytest

from browser.collector import Collector

ITSELF = "(() => { const it = new Proxy({}, {getPrototypeOf: () => it}); return it; })()"
"""A Proxy whose chain of prototypes has no end."""

ENDLESS = [
    f"console.log({ITSELF})",
    f"console.error('%o', {ITSELF})",
    f"console.log([{ITSELF}, {{deep: {ITSELF}}}])",
    f"Promise.reject({ITSELF})",
    f"reportError({ITSELF})",
    f"fetch('api/echo', {{method: 'POST', body: {ITSELF}}}).catch(() => 0)",
    f"fetch({ITSELF}).catch(() => 0)",
    f"fetch('api/echo', {{headers: {ITSELF}}}).catch(() => 0)",
    f"fetch('api/echo', {ITSELF}).catch(() => 0)",
    f"try {{ navigator.sendBeacon('api/echo', {ITSELF}) }} catch {{}}",
    f"try {{ new XMLHttpRequest().open('GET', {ITSELF}) }} catch {{}}",
    f"const xhr = new XMLHttpRequest(); xhr.open('POST', 'api/echo'); try {{ xhr.send({ITSELF}) }} catch {{}}",
    f"try {{ socket.send({ITSELF}) }} catch {{}}",
]


@pytest.mark.requirement("doors-010")
@pytest.mark.parametrize("expression", ENDLESS)
async def test_a_chain_of_prototypes_without_an_end_holds_nothing_up(collector: Collector, expression: str) -> None:
    tab = await collector.visit()
    await tab.evaluate(
        "globalThis.socket = new WebSocket(location.href.replace('http', 'ws').replace(/[^/]*$/, 'api/socket'));"
        "new Promise((done) => { socket.onopen = () => done(0); })"
    )
    await tab.evaluate(f"(async () => {{ {expression}; return 0; }})()")
    await tab.evaluate("console.log('alive'); 0")

    assert await collector.heard(type="console", args=["alive"])


COUNTING = """
globalThis.calls = 0;
const counted = {};
for (const name of Object.getOwnPropertyNames(Reflect)) {
  if (typeof Reflect[name] === 'function') counted[name] = (...args) => { calls += 1; return Reflect[name](...args); };
}
globalThis.counting = (target) => new Proxy(target, counted);
globalThis.wide = Object.fromEntries(Array.from({length: 100_000}, (_, n) => [`key${n}`, n]));
globalThis.callsOf = (target) => { calls = 0; console.log(counting(target)); return calls; };
0
"""


@pytest.mark.requirement("doors-010")
async def test_a_line_of_the_console_calls_few_traps_of_a_proxy(collector: Collector) -> None:
    tab = await collector.visit()
    await tab.evaluate(COUNTING)
    small, wide = await tab.evaluate("[callsOf({a: 1, b: 2}), callsOf(wide)]")

    assert 4 == small  # getPrototypeOf, ownKeys, and a descriptor for each of two keys
    assert wide <= 2 + 50 + 1


@pytest.mark.requirement("doors-010")
@pytest.mark.parametrize("owner", ["Error", "Function.prototype"])
async def test_a_proxy_that_errors_inherit_from_is_not_asked(collector: Collector, owner: str) -> None:
    tab = await collector.visit()
    await tab.evaluate(COUNTING)
    asked = await tab.evaluate(
        f"Object.setPrototypeOf({owner}, counting(Object.getPrototypeOf({owner}))); calls = 0;"
        " console.error('a'); calls"
    )

    assert 0 == asked
    assert ["a"] == (await collector.heard(type="console"))[0]["args"]


@pytest.mark.requirement("doors-010")
async def test_the_time_that_a_line_takes_too_long_is_taken_from_the_next_ones(collector: Collector) -> None:
    tab = await collector.visit()
    await tab.evaluate(COUNTING)
    after, later = await tab.evaluate(
        """
        (() => {
          const slow = () => { const until = performance.now() + 150; while (performance.now() < until); return []; };
          console.log(new Proxy({}, { ownKeys: slow }));
          const after = Array.from({ length: 10 }, () => callsOf({ a: 1 }));
          for (let n = 0; n < 300; n++) console.log('line');
          return [after, callsOf({ a: 1 })];
        })()
        """
    )

    assert [0] * 10 == after
    assert later > 0
    lines = await collector.heard(312, type="console")
    assert (["[Object]"], True) == (lines[1]["args"], lines[1]["truncated"])


@pytest.mark.requirement("doors-010")
@pytest.mark.parametrize(
    ("value", "described"),
    [
        ("1n << 5_000_000n", "[BigInt]"),
        ("(1n << 64n) - 1n", "18446744073709551615n"),
        ("Object.assign(document.createElement('p'), {className: 'c '.repeat(1_000_000)})", "<p" + ".c" * 512 + ">"),
    ],
)
async def test_what_is_long_is_not_made_text_of(collector: Collector, value: str, described: str) -> None:
    tab = await collector.visit()
    await tab.evaluate(f"console.log({value}); 0")

    assert [described] == (await collector.heard(type="console"))[0]["args"]


ALL_THAT_IS_CAPTURED = """
(async () => {
  console.log('a', { b: [1, { c: 2 }] }, new Map([[1, 2]]), new Set([1]), new Date(0), /a/gi, new Error('x'), 12n);
  console.warn('%s %d %f %o', 'a', 1, 2, { a: 1 }, document.body, new URL('http://a/'), new Uint8Array(3));
  console.assert(false); console.count(); console.time(); console.timeEnd(); console.trace(); console.table([1]);
  const done = (target, type) => new Promise((act) => { target[`on${type}`] = act; });
  const xhr = new XMLHttpRequest();
  xhr.open('POST', 'api/echo');
  xhr.setRequestHeader('X-A', 'b');
  xhr.send(new URLSearchParams('a=1'));
  await done(xhr, 'loadend');
  await fetch('api/echo', { method: 'POST', body: new Blob(['x']), headers: { a: 'b' } }).then((it) => it.text());
  await fetch(new Request('api/echo', { method: 'POST', body: '{}', headers: new Headers() })).then((it) => it.json());
  await fetch('http://127.0.0.1:9/').catch(() => 0);
  navigator.sendBeacon('api/echo', new FormData());
  const socket = new WebSocket(location.href.replace('http', 'ws').replace(/[^/]*$/, 'api/socket'));
  await done(socket, 'open');
  const two = new ArrayBuffer(2);
  for (const data of ['text', new Uint8Array([1, 2]), new DataView(two), two, new Blob(['x'])]) socket.send(data);
  await done(socket, 'message');
  socket.close();
  await done(socket, 'close');
  Promise.reject(new DOMException('no', 'AbortError'));
  setTimeout(() => { throw new TypeError('thrown'); });
  document.body.append(Object.assign(document.createElement('img'), { src: 'api/echo?status=404' }));
  await new Promise((act) => setTimeout(act, 300));
  return [notes.join(), replaced];
})()
"""


@pytest.mark.requirement("doors-011")
@pytest.mark.parametrize("bodies", [False, True])
async def test_nothing_that_a_page_can_replace_is_called_by_the_capture(collector: Collector, *, bodies: bool) -> None:
    await collector.want(bodies=bodies)
    tab = await collector.visit("replaced.html")
    notes, replaced = await tab.evaluate(ALL_THAT_IS_CAPTURED)

    assert "" == notes
    assert replaced > 900
    for fields in ({"type": "error"}, {"type": "websocket", "event": "close"}, {"type": "network", "api": "fetch"}):
        assert await collector.heard(1, **fields)
