"""What a page's world hands on of its console and of its errors: whole or cut, whatever the page writes or throws."""

import json

import pytest

from browser.collector import Collector, Event

COLLECT_ERRORS = """
async (extensionId) => {
  await chrome.developerPrivate.updateProfileConfiguration({ inDeveloperMode: true });
  await chrome.developerPrivate.updateExtensionConfiguration({ extensionId, errorCollection: true });
}
"""
"""What Chrome does by itself with an unpacked extension that a person has loaded."""

ERRORS = """
async (id) => {
  const { errorCollection, runtimeErrors } = await chrome.developerPrivate.getExtensionInfo(id);
  return { active: errorCollection.isActive, errors: runtimeErrors.map(({ message }) => message) };
}
"""


async def logged(collector: Collector, expression: str) -> Event:
    """Run something that writes one line to the console and changes nothing, and return what is heard of it."""
    tab = await collector.look()
    await tab.evaluate(f"{expression}; 0")
    return (await collector.heard(type="console"))[0]


async def test_a_line_of_the_console_has_its_level_arguments_and_source(collector: Collector) -> None:
    event = await logged(collector, "console.info('ready', 3, {items: [1, 2]})")

    assert (event["level"], event["args"]) == ("info", ["ready", 3, {"items": [1, 2]}])
    assert event["source"].endswith(":1:9")
    assert "method" not in event
    assert "stack" not in event


@pytest.mark.parametrize(
    ("value", "described"),
    [
        ("undefined", "undefined"),
        ("null", None),
        ("NaN", "NaN"),
        ("-Infinity", "-Infinity"),
        ("12n", "12n"),
        ("Symbol('s')", "Symbol(s)"),
        ("function named() {}", "[Function: named]"),
        ("class Shop {}", "[Function: Shop]"),
        ("new Date(0)", "1970-01-01T00:00:00.000Z"),
        ("new Date(NaN)", "Invalid Date"),
        ("/a+/gi", "/a+/gi"),
        ("Promise.resolve(1)", "[Promise]"),
        ("new Uint8Array(5)", "[Uint8Array: 5 bytes]"),
        ("new ArrayBuffer(7)", "[ArrayBuffer: 7 bytes]"),
        ("new Map([['a', {b: 1}]])", {"[[Map]]": [["a", {"b": 1}]]}),
        ("new Set([1, 'x'])", {"[[Set]]": [1, "x"]}),
        ("document.querySelector('h1')", "<h1#top.big.title>"),
        ("document", "#document"),
        ("window", "[Window]"),
        ("new WeakMap()", "[WeakMap]"),
        ("new Headers()", "[Headers]"),
        ("new MouseEvent('click')", "[MouseEvent: click]"),
        ("new URL('http://a/b')", "http://a/b"),
        ("Object.create(null)", {}),
        ("({get secret() { throw 1 }, a: 1})", {"secret": "[Getter]", "a": 1}),
        ("({toJSON() { throw 1 }})", {"toJSON": "[Function: toJSON]"}),
        ("Object.create(Map.prototype)", "[Unreadable]"),
        ("[1, , 3]", [1, None, 3]),
        ("((a) => (a.self = a))({b: 1})", {"b": 1, "self": "[Circular]"}),
        ("Proxy.revocable({}, {}).proxy", {}),
        ("(({proxy, revoke}) => (revoke(), proxy))(Proxy.revocable({}, {}))", "[Unreadable]"),
        ("'\\ud800'", "\N{REPLACEMENT CHARACTER}"),
    ],
)
async def test_an_argument_of_any_kind_is_described_as_json(
    collector: Collector, value: str, described: object
) -> None:
    assert (await logged(collector, f"console.log({value})"))["args"] == [described]


async def test_an_error_among_the_arguments_comes_with_its_stack(collector: Collector) -> None:
    event = await logged(collector, "console.log(new TypeError('odd'), new DOMException('no', 'AbortError'))")

    assert event["args"][0].startswith("TypeError: odd\n    at ")
    assert event["args"][1].startswith("AbortError: no")


@pytest.mark.parametrize(
    ("call", "args"),
    [
        ("'%s is %d, %f m, %o', 'Ada', 36.9, 1.62, {a: 1}, 'rest'", ['Ada is 36, 1.62 m, {"a":1}', "rest"]),
        ("'%cstyled%c plain', 'color: red', ''", ["styled plain"]),
        ("'100%', 5", ["100%", 5]),
        ("'%s and %s', 1", ["1 and %s"]),
        ("'%d%% of %i', '12px', {}", ["12% of NaN"]),
        ("'%s', {toString() { throw 1 }}", ['{"toString":"[Function: toString]"}']),
        ("'no format', '%s', 1", ["no format", "%s", 1]),
    ],
)  # fmt: skip
async def test_a_format_is_applied(collector: Collector, call: str, args: list[object]) -> None:
    event = await logged(collector, f"try {{ console.log({call}) }} catch {{}}")

    assert event["args"] == args


@pytest.mark.parametrize(
    ("call", "level", "method", "args"),
    [
        ("trace('here')", "log", "trace", ["here"]),
        ("assert(false, 'broken')", "error", "assert", ["broken"]),
        ("table([1])", "log", "table", [[1]]),
        ("dir({a: 1})", "log", "dir", [{"a": 1}]),
        ("group('g')", "log", "group", ["g"]),
        ("groupCollapsed('g')", "log", "groupCollapsed", ["g"]),
        ("count()", "log", "count", ["default: 1"]),
        ("count('x')", "log", "count", ["x: 1"]),
    ],
)
async def test_every_method_that_writes_is_captured(
    collector: Collector, call: str, level: str, method: str, args: list[object]
) -> None:
    event = await logged(collector, f"console.{call}")

    assert (event["level"], event["method"], event["args"]) == (level, method, args)
    assert ("stack" in event) is (method in {"trace", "assert"})


async def test_what_writes_nothing_is_not_captured(collector: Collector) -> None:
    event = await logged(
        collector, "console.assert(true, 'x'); console.groupEnd(); console.time('t'); console.timeEnd('t')"
    )

    assert (event["method"], event["args"][0][:3]) == ("timeEnd", "t: ")


async def test_a_large_argument_is_cut_and_marked_so(collector: Collector) -> None:
    tab = await collector.visit()
    await tab.evaluate(
        """
        console.log('x'.repeat(9000));
        console.log(Array.from({length: 101}, (_, n) => n));
        console.log(Object.fromEntries(Array.from({length: 51}, (_, n) => ['k' + n, n])));
        console.log({a: {b: {c: {d: {e: 1}}}}});
        console.log('y'.repeat(7000), 'y'.repeat(7000), 'y'.repeat(7000), 'end');
        console.log('x'.repeat(8192), {a: {b: {c: 1}}});
        """
    )

    text, items, keys, deep, whole, fits = await collector.heard(6, type="console")

    assert [event.get("truncated") for event in (text, items, keys, deep, whole, fits)] == [True] * 5 + [None]
    assert (len(text["args"][0]), len(items["args"][0]), len(keys["args"][0])) == (8192, 100, 50)
    assert deep["args"] == [{"a": {"b": {"c": {"d": "[Object]"}}}}]
    assert len(json.dumps(whole)) < 17_000
    assert "end" not in whole["args"]


async def test_an_uncaught_error_has_name_message_stack_and_source(collector: Collector) -> None:
    tab = await collector.visit()
    await tab.evaluate("setTimeout(() => { null.id }); 0")

    (event,) = await collector.heard(type="error")

    assert (event["kind"], event["name"]) == ("error", "TypeError")
    assert event["message"] == "Cannot read properties of null (reading 'id')"
    assert event["stack"].startswith("TypeError: Cannot read")
    assert event["source"]


async def test_what_is_thrown_and_is_no_error_has_a_message(collector: Collector) -> None:
    tab = await collector.visit()
    await tab.evaluate("setTimeout(() => { throw 'a text' }); Promise.reject({code: 7}); 0")

    thrown, rejected = sorted(await collector.heard(2, type="error"), key=lambda event: event["kind"])

    assert thrown["message"] == "Uncaught a text"
    assert (rejected["kind"], rejected["message"]) == ("rejection", '{"code":7}')


async def test_a_rejection_has_the_stack_of_its_reason(collector: Collector) -> None:
    tab = await collector.visit()
    await tab.evaluate("Promise.reject(new RangeError('far')); 0")

    (event,) = await collector.heard(type="error", kind="rejection")

    assert (event["name"], event["message"]) == ("RangeError", "far")
    assert event["stack"].startswith("RangeError: far\n")


@pytest.mark.parametrize(
    ("tag", "attribute"), [("img", "src"), ("script", "src"), ("link", "href"), ("video", "src"), ("object", "data")]
)
async def test_what_could_not_be_loaded_is_named(collector: Collector, tag: str, attribute: str) -> None:
    tab = await collector.visit()
    await tab.evaluate(
        f"""
        const it = document.createElement('{tag}');
        if ('{tag}' === 'link') it.rel = 'stylesheet';
        it.{attribute} = 'missing.bin';
        document.body.append(it);
        """
    )

    (event,) = await collector.heard(type="error", kind="resource")

    assert (event["tag"], event["target"]) == (tag, collector.pages + "missing.bin")
    assert event["message"] == f"<{tag}> could not be loaded"


@pytest.mark.requirement("doors-013")
async def test_what_a_page_logs_is_no_error_of_the_extensions_and_names_its_own_place(collector: Collector) -> None:
    browser = collector.browser
    settings = await browser.new_tab("chrome://extensions/")
    try:
        await settings.evaluate(f"({COLLECT_ERRORS})({browser.extension_id!r})")
        tab = await collector.visit()
        await tab.send("Runtime.enable")
        async with tab.expect("Runtime.consoleAPICalled") as line:
            await tab.evaluate("function mine() { console.error('the page itself') } mine(); 0")
        await tab.send("Runtime.disable")
        listed = await settings.evaluate(f"({ERRORS})({browser.extension_id!r})")
    finally:
        await settings.close()

    ours, its = [frame["url"] for frame in line.result()["params"]["stackTrace"]["callFrames"][:2]]
    assert "/node_modules/" in ours  # DevTools leave such a place out
    assert "" == its
    assert "chrome-extension:" not in ours
    assert {"active": True, "errors": []} == listed
