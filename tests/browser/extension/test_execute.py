"""What `execute_javascript` answers about scripts in real pages, and that it stops every one in its time."""

import asyncio
import json
import re
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest

from browser.bridge_double import BridgeDouble
from browser.extension.conftest import switch_pilot
from browser.scene import Open, held
from gasoline_bridge.devtools import Browser, Tab, until

pytestmark = pytest.mark.usefixtures("acting")

PATIENT_MS = 25_000
"""The time of a script on a machine that runs other tests."""


async def ran(bridge: BridgeDouble, script: str, **arguments: object) -> dict[str, Any]:
    """Run a script in the page in front, and return the whole answer."""
    answer: dict[str, Any] = await bridge.result("execute", script=script, **arguments)
    return answer


async def value(bridge: BridgeDouble, script: str) -> Any:
    """Run a script in the page in front, and return its result."""
    answer = await ran(bridge, script)
    assert answer["success"], answer
    return answer["result"]


async def patient(bridge: BridgeDouble, script: str) -> Any:
    """Run a script in a page that is busy for a while, and return its result."""
    asked = {"script": script, "timeout_ms": PATIENT_MS}
    answer = await bridge.ask("execute", asked, timeout_ms=PATIENT_MS + 1000)
    assert "result" in answer, answer
    return answer["result"]["result"]


FORMS = [
    ("1 + 1", 2),
    ("{a: 1}", {"a": 1}),
    ("document.querySelector('title').text", "Corner Shop"),
    ("location.pathname // with a comment", "/small.html"),
    ("await 5", 5),
    ("await (Promise.resolve(6))", 6),
    ("[await 1, await 2]", [1, 2]),
    ("const a = 20; return a + 1", 21),
    ("const a = await 20;\nreturn a + 2", 22),
    ("'await'", "await"),
    ("return {then: 1}", {"then": 1}),
    ("Promise.resolve({a: Promise.resolve(1)})", {"a": "[Promise]"}),
    ("new Promise((done) => setTimeout(done, 30, 'later'))", "later"),
    ("(async () => new Promise((done) => setTimeout(done, 30, [1])))()", [1]),
    ("({then(done) { setTimeout(done, 20, {a: 'thenable'}) }})", {"a": "thenable"}),
    ("var h = 1; return typeof h + typeof f + typeof v", "numberundefinedundefined"),
    ("this === window", True),
    ("1, 2", 2),
    ("document.querySelector('title').text;", "Corner Shop"),
    ("await 8 ;\n;\n", 8),
    ("'a;'", "a;"),
    ("`a\n${1}`", "a\n1"),
    ("7 //# sourceURL=mine.js", 7),
    ("/* await */ ({v: 1, p: 2})", {"v": 1, "p": 2}),
    ("'use strict'; return this === window && (() => { try { return undeclared = 1 } catch { return 2 } })()", 2),
]


@pytest.mark.requirement("pilot-016", "003-053")
async def test_a_script_is_an_expression_or_statements_that_may_wait(look: Open, bridge: BridgeDouble) -> None:
    await look("small.html")

    for script, expected in FORMS:
        assert (script, await ran(bridge, script)) == (script, {"success": True, "result": expected})


async def test_a_script_runs_once(visit: Open, bridge: BridgeDouble) -> None:
    await visit("small.html")

    await ran(bridge, "globalThis.runs = (globalThis.runs ?? 0) + 1; return runs")
    await ran(bridge, "(globalThis.runs += 1, await 1)")

    assert await value(bridge, "runs") == 2


STARTS = """
globalThis.starts = 0;
const start = (then) => function (...settle) { starts++; return then.apply(this, settle); };
globalThis.Lazy = class extends Promise {};
Lazy.prototype.then = start(Promise.prototype.then);
globalThis.Zone = class { then = start((done) => done({ a: 1 })); get [Symbol.toStringTag]() { return 'Promise'; } };
1
"""


@pytest.mark.parametrize(("script", "starts"), [("new Lazy((done) => done({ a: 1 }))", 1), ("new Zone()", 2)])
async def test_what_begins_when_it_is_awaited_is_awaited_once_or_twice_where_it_only_looks_like_a_promise(
    visit: Open, bridge: BridgeDouble, script: str, starts: int
) -> None:
    tab = await visit("small.html")
    await tab.evaluate(STARTS)

    assert await value(bridge, script) == {"a": 1}

    assert await tab.evaluate("starts") == starts


VALUES = [
    ("null", None),
    ("[undefined, , () => 1]", [None, None, "[Function]"]),
    ("({a: undefined, [Symbol('x')]: 1, b: 2})", {"b": 2}),
    ("[NaN, Infinity, -0, 0, 1.5, 10n, -3n]", ["NaN", "Infinity", "-0", 0, 1.5, "10n", "-3n"]),
    ("NaN", "NaN"),
    ("10n", "10n"),
    ("Symbol('x')", "Symbol(x)"),
    ("[Symbol('y')]", ["Symbol(y)"]),
    ("[function foo() {}, class Bar {}]", ["[Function: foo]", "[Function: Bar]"]),
    ("[function foo() {}][0]", "[Function: foo]"),
    ("const a = {b: {}}; a.b.c = a; return a", {"b": {"c": "[Circular]"}}),
    ("const a = {x: 1}; return [a, a]", [{"x": 1}, {"x": 1}]),
    ("document.querySelector('h1')", "<h1>"),
    ("[document, document.querySelector('#sign-in')]", ["<#document>", "<form#sign-in>"]),
    ("[...document.querySelectorAll('h1')].length", 1),
    ("document.querySelectorAll('h1')", ["<h1>"]),
    ("[new Date(5), new Date(NaN)]", ["1970-01-01T00:00:00.005Z", "Invalid Date"]),
    ("/a/g", "/a/g"),
    ("new TypeError('message')", "TypeError: message"),
    ("new Map([['a', {b: 1}], [{k: 1}, 2]])", {"[Map]": [["a", {"b": 1}], [{"k": 1}, 2]]}),
    ("new Set([1, new Set([2])])", {"[Set]": [1, {"[Set]": [2]}]}),
    ("[new WeakMap, new Uint8Array(9), new ArrayBuffer(8)]", ["[WeakMap]", "[Uint8Array(9)]", "[ArrayBuffer(8)]"]),
    ("[new URL('http://a/b'), window]", ["http://a/b", "[Window]"]),
    ("new DOMRect(1, 2, 3, 4).toJSON().x", 1),
    ("[new DOMRect(1, 2, 3, 4)].map(r => [r])", [[{"x": 1, "y": 2, "width": 3, "height": 4, "top": 2, "right": 4,
                                                  "bottom": 6, "left": 1}]]),
    ("new Proxy({a: 1}, {})", {"a": 1}),
    ("[new Proxy([1, 2], {}), new Proxy(new Map([[1, 2]]), {})]", [[1, 2], {"[Map]": [[1, 2]]}]),
    ("const {proxy, revoke} = Proxy.revocable({}, {}); revoke(); return [proxy]", ["[Proxy]"]),
    ("({get a() { return 1 }, get b() { throw new Error('no') }, c: 3})", {"a": 1, "b": "[Threw: Error: no]", "c": 3}),
    ("new Proxy({}, {ownKeys() { throw new Error('trap') }})", "[Threw: Error: trap]"),
    ("({['__proto__']: 1, toJSON: undefined})", {"__proto__": 1}),
    ("({toJSON() { return {a: [1]} }})", {"a": [1]}),
    ("({toJSON() { throw 1 }})", "[Threw: 1]"),
    ("new (class Foo { a = 1; #b = 2; get c() { return 3 } })", {"a": 1}),
    ("localStorage.setItem('k', 'v'); return localStorage", {"k": "v"}),
    ("'\\ud800'", "\ufffd"),
    ("[performance.memory].map(Object)[0].jsHeapSizeLimit > 0", True),
    ("document.all", "[HTMLAllCollection(64)]"),
    ("(function () { return arguments })(1, 2)", [1, 2]),
]  # fmt: skip


@pytest.mark.requirement("pilot-017")
async def test_every_kind_of_value_is_told(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("small.html")
    await tab.evaluate("localStorage.clear()")  # a page of another test may have left something

    for script, expected in VALUES:
        assert (script, await ran(bridge, script)) == (script, {"success": True, "result": expected})


async def test_no_value_is_told_apart_from_null(look: Open, bridge: BridgeDouble) -> None:
    await look("small.html")

    for script in ("undefined", "return", "let x = 1", "await undefined", "Promise.resolve()", "void 0"):
        assert await ran(bridge, script) == {"success": True, "undefined": True}


ERRORS = [
    ("null.x", "TypeError: Cannot read properties of null (reading 'x')", "    at script:1:6"),
    (
        "function f() {\n  missing()\n}\nf()",
        "ReferenceError: missing is not defined",
        "    at f (script:2:3)\n    at script:4:1",
    ),
    ("await 1;\n  throw new RangeError('far')", "RangeError: far", "    at script:2:9"),
    ("await (async () => { await 1; null.y })()", "TypeError: Cannot read properties of null (reading 'y')",
     "    at script:1:36"),
    ("throw null", "null was thrown", ""),
    ("throw undefined", "undefined was thrown", ""),
    ("throw {a: 1}", '{"a":1} was thrown', ""),
    ("throw 'words'", "words", ""),
    ("throw 10n", "10n was thrown", ""),
    ("Promise.reject('no')", "no", ""),
    ("Promise.reject()", "undefined was thrown", ""),
    ("Promise.reject({b: [2]})", '{"b":[2]} was thrown', ""),
    ("1 +", "SyntaxError: Unexpected end of input", "    at script:1:4"),
    ("let a = 1;\nlet a = 2;", "SyntaxError: Identifier 'a' has already been declared", "    at script:2:5"),
    ("return 1;\nlet b = );", "SyntaxError: Unexpected token ')'", "    at script:2:9"),
    ("1)+(2", "SyntaxError: Unexpected token ')'", "    at script:1:2"),
    ("}); (() => {", "SyntaxError: Unexpected token '}'", "    at script:1:1"),
    ("return 1}", "SyntaxError: The brackets of the script do not match.", ""),
    ("[" * 40_000, "RangeError: Maximum call stack size exceeded", ""),
    ("const c = await 1\nconst c = 2", "SyntaxError: Identifier 'c' has already been declared", "    at script:2:7"),
]  # fmt: skip


@pytest.mark.requirement("003-103", "pilot-019", "pilot-034")
async def test_what_is_thrown_is_told_in_the_lines_of_the_script(look: Open, bridge: BridgeDouble) -> None:
    await look("small.html")

    for script, error, stack in ERRORS:
        assert await ran(bridge, script) == {"success": False, "error": error, "stack": stack}


HOSTILE = [
    ("1 + 1", 2),
    ("({a: [1, 2], b: 'x'})", {"a": [1, 2], "b": "x"}),
    ("[new (class {})().constructor.name, [[1]], {c: null}]", ["", [[1]], {"c": None}]),
    ("(async () => ({__proto__: null, n: 5}))()", {"n": 5}),
    ("await 7", 7),
    ("(async () => { const n = 8; return n })()", 8),
    ("[/x/g, 10n, -0]", ["/x/g", "10n", "-0"]),
]


@pytest.mark.requirement("pilot-022")
async def test_a_page_that_replaced_every_built_in_changes_nothing(look: Open, bridge: BridgeDouble) -> None:
    await look("hostile.html")

    for script, expected in HOSTILE:
        assert (script, await ran(bridge, script)) == (script, {"success": True, "result": expected})


FORGED = {
    "success": False,
    "error": "TypeError: Cannot read properties of null (reading 'x')",
    "stack": "    at f (script:1:21)\n    at script:2:2",
}


@pytest.mark.requirement("pilot-022")
async def test_a_page_cannot_forge_an_error(look: Open, bridge: BridgeDouble) -> None:
    await look("hostile.html")

    assert FORGED == await ran(bridge, "function f() { null.x }\n f()")


async def test_what_a_page_gives_every_object_changes_nothing(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("small.html")
    names = "keys index kind entries nodes bytes text object value result v p e o up n"
    await tab.evaluate(f"for (const name of '{names}'.split(' ')) Object.prototype[name] = ['forged']; 1")

    for script in ("({a: [1, {b: 2}]})", "await ({a: [1, {b: 2}]})", "[new Map([[{c: 1}, 2]])]", "null.x"):
        assert "forged" not in json.dumps(await ran(bridge, script))
    assert await value(bridge, "[{a: [1, {b: 2}]}][0].a.slice(1)") == [{"b": 2}]
    assert await value(bridge, "const m = new Map(); m.set({c: 1}, 2); return [...m][0][1]") == 2


GRAB = """
  const grab = () => {
    Error.prepareStackTrace = (error, sites) => sites;
    for (const site of new Error().stack) {
      const held = site.getThis();
      if (typeof held !== 'object' || held === null || Object.getPrototypeOf(held) !== null) continue;
      seen++;
      for (const objects of [held, held.o ?? {}]) {
        for (const key in objects) if (objects[key]?.honest) objects[key] = {};
      }
    }
  };
  globalThis.seen = 0;
  const getter = { enumerable: true, get() { grab(); return 'x' } };
  globalThis.evil = Object.defineProperties(new Error(), { then: getter, name: getter, message: getter, own: getter });
  globalThis.plain = Object.defineProperty(Object.defineProperty({}, 'then', getter), 'own', getter);
  1
"""
"""Getters that look for what is held by whoever called them, and put something else in its place."""


@pytest.mark.parametrize("script", ["evil", "throw evil", "plain", "await plain", "Promise.reject(evil)"])
async def test_a_getter_that_looks_at_its_callers_cannot_change_what_is_read(
    visit: Open, bridge: BridgeDouble, script: str
) -> None:
    tab = await visit("small.html")
    await tab.evaluate(GRAB)

    await ran(bridge, script)
    honest = await value(bridge, "[plain, evil, {honest: [1]}]")

    assert honest[2] == {"honest": [1]}
    assert await tab.evaluate("seen") == 0


@pytest.mark.requirement("pilot-021")
async def test_a_strict_page_is_open(visit: Open, bridge: BridgeDouble) -> None:
    await visit("strict.html")

    for script in ("document.title", "await 1, eval('document.title')", "return document.title"):
        assert await value(bridge, script) == "Nothing may run here"


LOOPS = [
    ("while (true) {}", "stopped"),
    ("await 1; while (true) {}", "stopped"),
    ("await new Promise((d) => setTimeout(d, 20)); while (true) {}", "stopped"),
    ("for (;;) await 0", "stopped"),
    ("await new Promise((d) => setTimeout(d, 20)); for (;;) await 0", "stopped"),
    ("try { while (true) {} } finally { while (true) {} }", "stopped"),
    ("new Promise(() => {})", "abandoned"),
    ("({then() {}})", "abandoned"),
    ("({get a() { while (true) {} }})", "stopped"),
    ("({toJSON() { while (true) {} }})", "stopped"),
    ("({then(done) { while (true) {} }})", "stopped"),
]


GOES_ON_LATER = ("new Promise(() => setTimeout(() => { for (;;); }, 50))", "")


@pytest.mark.requirement("pilot-020")
@pytest.mark.parametrize(("script", "said"), LOOPS)
async def test_every_script_ends_in_its_time(look: Open, bridge: BridgeDouble, script: str, said: str) -> None:
    await look("small.html")

    for _ in range(3):
        begun = time.monotonic()
        error = await bridge.error("execute", script=script, timeout_ms=300)

        assert (error["code"], error["details"]) == ("execution_timeout", {"timeout_ms": 300})
        assert time.monotonic() - begun < 8
        if not re.search("The page (does|did) not answer", error["message"]):  # of a busy machine that is so
            break

    assert said in error["message"] or "None of it is running now" in error["message"]  # a busy page has not begun it
    assert await value(bridge, "new Promise((done) => setTimeout(done, 10, 'alive'))") == "alive"
    assert (await bridge.result("query_dom", selector="h1"))["matchCount"] == 1


@pytest.fixture
async def undebugged(chromium: Browser, pages: str) -> AsyncIterator[Open]:
    """Open pages in tabs that no other client debugs, as an assistant's user has them."""
    opened: list[Tab] = []

    async def open_(name: str) -> Tab:
        opened.append(await chromium.new_tab(pages + name))
        await opened[-1].activate()
        await opened[-1].detach()
        return opened[-1]

    yield open_
    for tab in opened:
        await tab.close()


@pytest.mark.requirement("pilot-016", "pilot-017", "pilot-019", "pilot-022")
async def test_it_is_all_the_same_where_no_other_client_debugs_the_page(undebugged: Open, bridge: BridgeDouble) -> None:
    await undebugged("small.html")

    for script, expected in FORMS + VALUES:
        assert (script, await ran(bridge, script)) == (script, {"success": True, "result": expected})
    for script, error, stack in ERRORS:
        assert (script, await ran(bridge, script)) == (script, {"success": False, "error": error, "stack": stack})
    await undebugged("hostile.html")
    for script, expected in HOSTILE:
        assert (script, await ran(bridge, script)) == (script, {"success": True, "result": expected})
    assert FORGED == await ran(bridge, "function f() { null.x }\n f()")


@pytest.mark.requirement("pilot-020")
async def test_every_script_ends_where_no_other_client_debugs_the_page(undebugged: Open, bridge: BridgeDouble) -> None:
    await undebugged("small.html")

    for script, _ in [
        *LOOPS,
        ("(function f() { f.n = (f.n ?? 0) + 1; try { f() } catch {} f() })()", ""),
        GOES_ON_LATER,
    ]:
        error = await bridge.error("execute", script=script, timeout_ms=300)
        assert (script, "execution_timeout") == (script, error["code"])
        assert "alive" == await value(bridge, "new Promise((done) => setTimeout(done, 10, 'alive'))")


async def test_a_script_that_a_page_cannot_stop_in_time_is_stopped_once_it_can(
    undebugged: Open, bridge: BridgeDouble
) -> None:
    await undebugged("small.html")
    asks = "const asking = new XMLHttpRequest(); asking.open('GET', 'api/later?ms=2500', false); asking.send()"
    script = f"await new Promise((done) => setTimeout(done, 20)); {asks}; while (true) {{}}"

    error = await bridge.error("execute", script=script, timeout_ms=300)

    assert "The page does not answer" in error["message"]
    assert "alive" == await patient(bridge, "'alive'")


async def test_a_script_whose_answer_is_late_is_stopped_in_what_it_goes_on_with(
    undebugged: Open, bridge: BridgeDouble
) -> None:
    await undebugged("small.html")
    busy = "const until = Date.now() + 130; while (Date.now() < until);"
    await ran(bridge, f"setInterval(() => {{ {busy} }}, 5); 1")
    script = "await new Promise((done) => setTimeout(done, 20)); while (true) {}"

    for _ in range(4):
        error = await bridge.error("execute", script=script, timeout_ms=100)
        assert "execution_timeout" == error["code"]
        assert "alive" == await patient(bridge, "'alive'")


async def test_what_is_cancelled_is_stopped_where_no_other_client_debugs_the_page(
    undebugged: Open, bridge: BridgeDouble
) -> None:
    await undebugged("small.html")
    number = await bridge.command("execute", {"script": "while (true) {}", "timeout_ms": 9000})
    await asyncio.sleep(0.3)

    await bridge.say({"type": "cancel", "id": number})
    begun = time.monotonic()

    assert await value(bridge, "1 + 1") == 2
    assert time.monotonic() - begun < 7


async def test_what_is_late_in_the_queue_of_a_busy_page_does_not_run(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("small.html")
    await tab.evaluate(f"setTimeout(() => {held(4_000)}, 0); 1")

    error = await bridge.error("execute", script="document.body.id = 'ran'", timeout_ms=200)

    assert error["code"] == "execution_timeout"
    assert "was not run" in error["message"]
    assert await value(bridge, "document.documentElement.id + document.body.id") == ""


HUGE = [
    "'x'.repeat(5e7)",
    "Promise.resolve('x'.repeat(5e7))",
    "new Array(5e6).fill(0).map((_, i) => i)",
    "Array.from({length: 1e6}, (_, i) => ({i, a: [i]}))",
    "new Map(Array.from({length: 2e5}, (_, i) => [i, {i}]))",
    "({big: {bigger: 'x'.repeat(5e7)}, next: 1})",
    "({['k'.repeat(5e6)]: 1, a: 'é'.repeat(1e6)})",
    "const deep = {}; let at = deep; for (let i = 0; i < 1e4; i++) at = at.a = {}; return deep",
    "let a = [1]; for (let i = 0; i < 30; i++) a = [a, a]; return a",
    "throw new Error('x'.repeat(5e7))",
]


@pytest.mark.requirement("pilot-018", "pilot-033")
@pytest.mark.parametrize("script", HUGE)
async def test_what_is_huge_is_cut_and_says_so(look: Open, bridge: BridgeDouble, script: str) -> None:
    await look("small.html")

    asked = {"script": script, "timeout_ms": PATIENT_MS}
    answer = (await bridge.ask("execute", asked, timeout_ms=PATIENT_MS + 1000))["result"]

    assert len(json.dumps(answer, ensure_ascii=False).encode()) < 150_000
    assert "…" in json.dumps(answer, ensure_ascii=False)
    assert answer.get("truncated", not answer["success"]) is True
    assert await value(bridge, "1 + 1") == 2


async def test_a_huge_buffer_is_named(look: Open, bridge: BridgeDouble) -> None:
    await look("small.html")

    assert await value(bridge, "[new Uint8Array(5e7)]") == ["[Uint8Array(50000000)]"]


@pytest.mark.requirement("pilot-034")
async def test_dialogs_are_dismissed_and_told(visit: Open, bridge: BridgeDouble) -> None:
    await visit("small.html")

    answer = await ran(bridge, "alert('a'); return [confirm('b'), prompt('c', 'd')]")

    assert answer == {
        "success": True,
        "result": [False, None],
        "dialogs": [
            {"type": "alert", "message": "a"},
            {"type": "confirm", "message": "b"},
            {"type": "prompt", "message": "c"},
        ],
    }


@pytest.mark.requirement("pilot-034")
async def test_a_script_that_is_stopped_states_the_dialogs_too(visit: Open, bridge: BridgeDouble) -> None:
    await visit("small.html")

    error = await bridge.error("execute", script="alert('a'); while (true);", timeout_ms=3_000)

    assert ("execution_timeout", [{"type": "alert", "message": "a"}]) == (error["code"], error["details"]["dialogs"])


async def test_a_dialog_that_was_open_before_is_named(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("small.html")
    async with tab.expect("Page.javascriptDialogOpening"):
        await tab.evaluate("setTimeout(() => alert('before')); 1")

    error = await bridge.error("execute", script="1", timeout_ms=300)

    assert error["code"] in ("dialog_open", "execution_timeout")
    assert "dialog" in error["message"]
    await tab.send("Page.handleJavaScriptDialog", accept=False)
    assert await value(bridge, "1 + 1") == 2


@pytest.mark.requirement("pilot-034")
async def test_a_script_that_navigates_returns(visit: Open, bridge: BridgeDouble, pages: str) -> None:
    await visit("small.html")

    answer = await ran(bridge, f"location.href = '{pages}large.html'; return 5")

    assert answer == {"success": True, "result": 5}


async def test_a_script_whose_page_goes_away_says_so(visit: Open, bridge: BridgeDouble, pages: str) -> None:
    await visit("small.html")

    error = await bridge.error("execute", script=f"location.href = '{pages}large.html'; await new Promise(() => {{}})")

    assert error["code"] == "page_navigated"


async def test_a_tab_that_is_closed_meanwhile_is_told(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("small.html")
    asked = asyncio.create_task(bridge.error("execute", script="globalThis.begun = true; await new Promise(() => {})"))
    await tab.until("globalThis.begun")

    await tab.close()
    error = await asked

    assert error["code"] == "tab_not_found"
    assert "while the script ran" in error["message"]


async def test_a_page_that_crashes_is_told_at_once(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("small.html")
    script = "globalThis.begun = true; await new Promise(() => {})"
    asked = asyncio.create_task(bridge.error("execute", script=script, timeout_ms=8000))
    await tab.until("globalThis.begun")
    begun = time.monotonic()

    crashing = asyncio.create_task(tab.send("Page.crash"))
    error = await asked
    crashing.cancel()

    assert (error["code"], error["details"]["reason"]) == ("tab_not_scriptable", "crashed")
    assert time.monotonic() - begun < 7


@pytest.mark.requirement("pilot-034")
async def test_a_window_that_closes_itself_is_told(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("small.html")
    await tab.evaluate("globalThis.child = open('large.html'); 1", user_gesture=True)
    await tab.until("child.document.readyState === 'complete' && child.location.pathname === '/large.html'")

    error = await bridge.error("execute", script="window.close(); await new Promise(() => {})")

    assert error["code"] == "tab_not_found"


async def test_a_short_time_is_the_scripts_own(look: Open, bridge: BridgeDouble) -> None:
    await look("small.html")

    async def answered() -> Any:  # on a busy machine attaching takes longer than the script and what is added for it
        answer = await bridge.ask("execute", {"script": "1 + 1", "timeout_ms": 100})
        return answer.get("result")

    assert (await until(answered, "the answer of a short script"))["result"] == 2


async def test_a_pages_own_breakpoints_are_passed(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("small.html")
    await tab.evaluate("globalThis.ticks = 0; setInterval(() => { debugger; ticks++ }, 1); 1")

    assert (
        await value(
            bridge, "const a = ticks; while (ticks < a + 3) await new Promise((d) => setTimeout(d, 5)); return 1"
        )
        == 1
    )


async def test_scripts_at_once_run_one_after_the_other_and_get_their_own_answers(
    visit: Open, bridge: BridgeDouble
) -> None:
    await visit("small.html")
    wait = "globalThis.n = (globalThis.n ?? 0) + 1; await new Promise((d) => setTimeout(d, 99)); return globalThis.n--"

    answers = await asyncio.gather(
        ran(bridge, wait),
        bridge.error("execute", script="await 1; while (true) {}", timeout_ms=300),
        ran(bridge, wait),
        ran(bridge, "[1]"),
    )

    assert [answers[0]["result"], answers[1]["code"], answers[2]["result"], answers[3]["result"]] == [
        1, "execution_timeout", 1, [1],
    ]  # fmt: skip


@pytest.mark.parametrize("script", ["debugger; return 5", "await 1; debugger; return 5"])
async def test_a_breakpoint_holds_nothing_beside_another_client(visit: Open, bridge: BridgeDouble, script: str) -> None:
    tab = await visit("small.html")
    await tab.send("Debugger.enable")
    await tab.send("Runtime.enable")

    assert await value(bridge, script) == 5


@pytest.mark.parametrize("script", ["while (true) {}", "await new Promise((d) => setTimeout(d, 20)); while (true) {}"])
async def test_what_is_cancelled_is_stopped(look: Open, bridge: BridgeDouble, script: str) -> None:
    await look("small.html")
    number = await bridge.command("execute", {"script": script, "timeout_ms": 9000})
    await asyncio.sleep(0.3)

    await bridge.say({"type": "cancel", "id": number})
    begun = time.monotonic()

    assert await value(bridge, "1 + 1") == 2
    assert time.monotonic() - begun < 7


@pytest.mark.requirement("attacks-001")
@pytest.mark.usefixtures("fresh_tab")
async def test_switched_off_a_script_that_waits_is_answered_and_none_begins(
    visit: Open, bridge: BridgeDouble, chromium: Browser
) -> None:
    tab = await visit("small.html")
    waits = "globalThis.steps = 1; await new Promise(() => {})"
    number = await bridge.command("execute", {"script": waits, "timeout_ms": 9000})
    await tab.until("globalThis.steps === 1")
    await switch_pilot(chromium, on=False)
    ended = await bridge.until_heard(type="result", id=number)
    refused = await bridge.error("execute", script="globalThis.steps = 2")

    assert ["ai_web_pilot_disabled"] * 2 == [ended["error"]["code"], refused["code"]]
    assert 1 == await tab.evaluate("steps")


async def test_the_page_can_notice_nothing(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("small.html")
    await tab.evaluate(
        """
        globalThis.seen = [];
        for (const type of ['error', 'unhandledrejection', 'rejectionhandled', 'message'])
          addEventListener(type, (event) => seen.push(type));
        globalThis.watch = new MutationObserver((records) => seen.push(...records));
        watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
        for (const name of Object.keys(console)) console[name] = () => seen.push(name);
        globalThis.before = '';
        before = Reflect.ownKeys(globalThis).map(String).join();
        """
    )

    for script in (
        "[{a: document.querySelector('h1')}]", "await [1]", "null.x", "1 +", "new Map([[1, 2]])", "await 1; null.x",
        "Promise.reject(1)", "({then(_, no) { no(1) }})", "(async () => { await 1; throw 2 })()",
    ):  # fmt: skip
        await ran(bridge, script)

    await tab.evaluate("new Promise((done) => setTimeout(done, 50)).then(() => 0)")
    assert await tab.evaluate("[...seen, ...watch.takeRecords()].map(String).join()") == ""

    assert await tab.evaluate("Reflect.ownKeys(globalThis).map(String).join() === before")
    assert await tab.evaluate("navigator.userActivation.hasBeenActive") is False


@pytest.mark.parametrize("url", ["chrome://version/", "about:blank"])
async def test_a_page_that_is_closed_to_us_says_why(chromium: Browser, bridge: BridgeDouble, url: str) -> None:
    tab = await chromium.new_tab("about:blank")
    await tab.send("Page.enable")
    async with tab.expect("Page.loadEventFired"):
        await tab.send("Page.navigate", url=url)

    error = await bridge.error("execute", script="1")
    await tab.close()

    assert error["code"] == "tab_not_scriptable"
    assert error["recovery"]
