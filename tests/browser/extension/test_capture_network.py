"""What is handed on of a page's sockets and requests: whole or cut, bodies only while wanted, no secret header."""

import json
from typing import Any

import pytest

from browser.collector import Collector, Event

DROPPED = {"authorization", "cookie", "set-cookie", "x-api-key", "x-auth-token", "x-password", "x-client-secret"}

OPEN = """
globalThis.socket = new WebSocket(location.href.replace('http', 'ws').replace(/[^/]*$/, 'api/socket'));
new Promise((done) => { socket.onopen = () => done(0); })
"""


def _names(event: Event) -> set[str]:
    return {*event.get("requestHeaders", {}), *event.get("responseHeaders", {})}


@pytest.mark.requirement("002-002", "002-006", "002-038", "002-040", "002-041", "002-042", "002-044", "002-045")
@pytest.mark.requirement("002-046", "002-047")
async def test_a_socket_is_reported_from_open_to_close_under_one_id(collector: Collector) -> None:
    tab = await collector.visit()
    await tab.evaluate(OPEN)
    await tab.evaluate("socket.onmessage = () => socket.send('close'); socket.send('grüße')")

    await collector.heard(type="websocket", event="close")
    events = await collector.events(type="websocket")

    assert [(event["event"], event.get("direction"), event.get("data"), event.get("size")) for event in events] == [
        ("open", None, None, None),
        ("message", "outgoing", "grüße", 7),
        ("message", "incoming", "grüße", 7),
        ("message", "outgoing", "close", 5),
        ("close", None, None, None),
    ]
    assert (events[-1]["code"], events[-1]["reason"]) == (4001, "as asked")
    assert len({event["id"] for event in events}) == 1
    assert len(events[0]["id"]) == 36
    assert {event["url"] for event in events} == {collector.pages.replace("http", "ws") + "api/socket"}


@pytest.mark.requirement("002-048")
async def test_a_socket_that_does_not_open_is_an_error_and_a_close(collector: Collector) -> None:
    tab = await collector.visit()
    await tab.evaluate("new WebSocket('ws://127.0.0.1:9/'); 0")

    await collector.heard(type="websocket", event="close")

    assert [event["event"] for event in await collector.events(type="websocket")] == ["error", "close"]


@pytest.mark.requirement("002-055", "002-056")
async def test_a_long_message_is_cut_at_4_kb_and_marked_so(collector: Collector) -> None:
    tab = await collector.visit()
    await tab.evaluate(OPEN)
    await tab.evaluate("socket.send('x'.repeat(4096)); socket.send('y'.repeat(10000))")

    whole, cut = await collector.heard(2, type="websocket", direction="outgoing")

    assert (len(whole["data"]), whole["size"], "truncated" in whole) == (4096, 4096, False)
    assert (len(cut["data"]), cut["size"], cut["truncated"]) == (4096, 10000, True)


@pytest.mark.requirement("faults-027")
@pytest.mark.requirement("002-055", "002-056")
async def test_a_message_is_cut_by_its_bytes_and_at_a_character(collector: Collector) -> None:
    tab = await collector.visit()
    await tab.evaluate(OPEN)
    await tab.evaluate(
        "socket.send('é'.repeat(2048)); socket.send('x' + 'é'.repeat(2048)); socket.send('x' + '😀'.repeat(1024))"
    )

    whole, cut, pair = await collector.heard(3, type="websocket", direction="outgoing")

    assert ("é" * 2048, 4096, False) == (whole["data"], whole["size"], "truncated" in whole)
    assert ("x" + "é" * 2047, 4097, True) == (cut["data"], cut["size"], cut["truncated"])
    assert ("x" + "😀" * 1023, 4097, True) == (pair["data"], pair["size"], pair["truncated"])


async def test_the_size_of_a_text_above_64_kb_is_its_characters(collector: Collector) -> None:
    tab = await collector.visit()
    await tab.evaluate(OPEN)
    await tab.evaluate(
        "for (const count of [65536, 65537]) { const text = 'é'.repeat(count); socket.send(text);"
        " fetch('api/echo', {method: 'POST', body: text}); } 0"
    )

    messages = await collector.heard(2, type="websocket", direction="outgoing")
    requests = await collector.heard(2, type="network")

    assert [event["size"] for event in messages] == [131072, 65537]
    assert sorted(event["requestSize"] for event in requests) == [65537, 131072]


@pytest.mark.parametrize("body", ["new URLSearchParams({a: '1'})", "new FormData()"])
async def test_nothing_is_made_text_of_only_to_know_its_size(collector: Collector, body: str) -> None:
    event = await _asked(collector, f"fetch('api/echo', {{method: 'POST', body: {body}}})")

    assert "requestSize" not in event


@pytest.mark.requirement("002-060")
async def test_binary_messages_are_named_by_their_size(collector: Collector) -> None:
    tab = await collector.visit()
    await tab.evaluate(OPEN)
    await tab.evaluate(
        """
        socket.send(new Uint8Array(3)); socket.send(new ArrayBuffer(4)); socket.send(new DataView(new ArrayBuffer(5)));
        socket.send(new Blob(['123456']));
        """
    )

    outgoing = await collector.heard(4, type="websocket", direction="outgoing")
    incoming = await collector.heard(4, type="websocket", direction="incoming")

    assert [event["data"] for event in outgoing] == [f"[Binary: {size} bytes]" for size in (3, 4, 5, 6)]
    assert [event["data"] for event in incoming] == [event["data"] for event in outgoing]


@pytest.mark.requirement("002-061")
async def test_sockets_are_not_captured_while_that_is_off(collector: Collector) -> None:
    tab = await collector.visit()
    await tab.evaluate(OPEN)
    await collector.heard(type="websocket", event="open")
    await collector.want(websockets=False)
    await tab.evaluate("new Promise((done) => { socket.onmessage = () => done(0); socket.send('unheard'); })")
    await tab.evaluate("console.log('after')")

    await collector.heard(type="console")

    assert await collector.events(type="websocket", event="message") == []


async def _asked(collector: Collector, expression: str, *, bodies: bool = False) -> Event:
    """Make a request in a page, and return what is heard of it."""
    tab = await collector.look()
    if bodies:
        await collector.want(bodies=True)
    await tab.evaluate(f"(async () => {{ try {{ await ({expression}) }} catch {{}} }})()")
    return (await collector.heard(type="network_body" if bodies else "network"))[-1]


XHR = """new Promise((done) => {{
  const xhr = new XMLHttpRequest();
  xhr.onloadend = done;
  xhr.open({open});
  {more}
  xhr.send({body});
}})"""

POST = "method: 'post', body: JSON.stringify({name: 'Ada'}), headers: {'Content-Type': 'application/json'}"


@pytest.mark.requirement("002-065")
@pytest.mark.parametrize(
    ("api", "expression"),
    [
        ("fetch", f"fetch('api/echo?a=1', {{{POST}}})"),
        ("fetch", f"fetch(new URL('api/echo?a=1', location), {{{POST}}})"),
        ("fetch", f"fetch(new Request('api/echo?a=1', {{{POST}}}))"),
        (
            "xhr",
            XHR.format(
                open="'post', 'api/echo?a=1'",
                more="xhr.setRequestHeader('Content-Type', 'application/json');",
                body="JSON.stringify({name: 'Ada'})",
            ),
        ),
    ],
)
async def test_a_request_is_reported_with_method_address_status_and_sizes(
    collector: Collector, api: str, expression: str
) -> None:
    event = await _asked(collector, expression)

    assert {name: event[name] for name in ("api", "method", "url", "status", "contentType", "responseSize")} == {
        "api": api,
        "method": "POST",
        "url": collector.pages + "api/echo?a=1",
        "status": 200,
        "contentType": "application/json",
        "responseSize": 14,
    }
    assert event.get("requestSize", 14) == 14
    assert event["requestHeaders"] == {"content-type": "application/json"}
    assert 0 <= event["duration"] < 5000
    assert "error" not in event


@pytest.mark.parametrize(
    ("expression", "error"),
    [
        ("fetch('http://127.0.0.1:9/')", "TypeError: Failed to fetch"),
        ("fetch('api/slow', {signal: AbortSignal.timeout(20)})", "TimeoutError: signal timed out"),
        (XHR.format(open="'GET', 'http://127.0.0.1:9/'", more="", body=""), "Failed"),
        (XHR.format(open="'GET', 'api/slow'", more="xhr.timeout = 20;", body=""), "Timed out"),
        (XHR.format(open="'GET', 'api/slow'", more="setTimeout(() => xhr.abort(), 20);", body=""), "Aborted"),
        (XHR.format(open="'GET', 'http://127.0.0.1:9/', false", more="", body=""), "NetworkError: "),
    ],
)
async def test_a_request_that_fails_has_the_reason(collector: Collector, expression: str, error: str) -> None:
    event = await _asked(collector, expression)

    assert event["status"] == 0
    assert event["error"].startswith(error)


async def test_a_status_of_an_error_is_no_failure(collector: Collector) -> None:
    event = await _asked(collector, "fetch('api/echo?status=503')")

    assert (event["status"], "error" in event) == (503, False)


@pytest.mark.parametrize("bodies", [False, True])
async def test_a_request_that_another_takes_the_place_of_is_reported_as_aborted(
    collector: Collector, *, bodies: bool
) -> None:
    both = XHR.format(open="'GET', 'api/slow'", more="xhr.send(); xhr.open('GET', 'api/echo');", body="")
    await _asked(collector, both, bodies=bodies)
    events = await collector.heard(2, type="network_body" if bodies else "network")

    assert [(event["url"][-8:], event["status"]) for event in events] == [("api/slow", 0), ("api/echo", 200)]
    assert [event.get("error") for event in await collector.events(type="network")] == ["Aborted", None]


async def test_a_request_that_another_takes_the_place_of_when_its_answer_is_there_is_reported_with_it(
    collector: Collector,
) -> None:
    again = "xhr.onreadystatechange = () => { if (xhr.readyState === 4) { xhr.onreadystatechange = null;"
    again += " xhr.open('GET', 'api/echo?second'); xhr.send(); } };"
    await _asked(collector, XHR.format(open="'GET', 'api/echo?first'", more=again, body=""))

    events = await collector.heard(2, type="network")

    assert [(event["url"].partition("?")[2], event["status"]) for event in events] == [("first", 200), ("second", 200)]


async def test_a_beacon_and_an_event_stream_are_requests_too(collector: Collector) -> None:
    beacon = await _asked(collector, "navigator.sendBeacon('api/echo', 'bye')")
    stream = await _asked(collector, "new EventSource('api/events')")

    assert (beacon["api"], beacon["method"], beacon["requestSize"]) == ("beacon", "POST", 3)
    assert (stream["api"], stream["status"], stream["url"]) == ("eventsource", 200, collector.pages + "api/events")


@pytest.mark.requirement("002-085", "002-086", "002-087", "002-088", "002-089")
@pytest.mark.parametrize("bodies", [False, True])
async def test_no_sensitive_header_is_reported(collector: Collector, *, bodies: bool) -> None:
    secrets = {name: "planted" for name in DROPPED if "cookie" not in name} | {"X-Kept": "kept"}
    headers = json.dumps(secrets)
    sent = "for (const [name, value] of Object.entries(%s)) xhr.setRequestHeader(name, value);" % headers  # noqa: UP031
    for expression in (
        f"fetch('api/echo', {{headers: {headers}}})",
        f"fetch('api/echo', {{headers: new Headers({headers})}})",
        f"fetch('api/echo', {{headers: Object.entries({headers})}})",
        f"fetch(new Request('api/echo', {{headers: {headers}}}))",
        XHR.format(open="'GET', 'api/echo'", more=sent, body=""),
    ):
        event = await _asked(collector, expression, bodies=bodies)

        assert _names(event) & DROPPED == set()
        assert "planted" not in json.dumps(event)
        assert event["requestHeaders"]["x-kept"] == "kept"
        assert event["responseHeaders"]["x-request-id"] == "r1"


@pytest.mark.requirement("002-090")
async def test_bodies_are_not_reported_unless_they_are_wanted(collector: Collector) -> None:
    tab = await collector.visit()
    await tab.evaluate("fetch('api/echo', {method: 'POST', body: 'private'}).then((reply) => reply.text())")
    await tab.evaluate("console.log('after')")

    heard = json.dumps([await collector.heard(type="network"), await collector.heard(type="console")])

    assert await collector.events(type="network_body") == []
    assert "private" not in heard


async def test_a_page_that_the_next_test_looks_at_too_captures_what_is_wanted_at_first(collector: Collector) -> None:
    first = await collector.look()
    await collector.want(bodies=True)
    await collector.restore()
    tab = await collector.look()
    await tab.evaluate("fetch('api/echo', {method: 'POST', body: 'private'}).then((reply) => reply.text())")
    await tab.evaluate("console.log('after')")
    await collector.heard(type="console")

    assert tab is first
    assert 1 == len(await collector.heard(type="network"))
    assert await collector.events(type="network_body") == []


@pytest.mark.requirement("002-069")
@pytest.mark.requirement("002-003", "002-007", "002-063", "002-067")
@pytest.mark.parametrize(
    ("body", "request_body", "response_body"),
    [
        ("'{\"id\":1}'", '{"id":1}', '{"id":1}'),
        ("new URLSearchParams({a: '1 2'})", "a=1+2", "a=1+2"),
        ("new Blob(['abc'], {type: 'text/plain'})", "[Binary: 3 bytes, type: text/plain]", "abc"),
        (
            "new Blob(['abc'], {type: 'image/png'})",
            "[Binary: 3 bytes, type: image/png]",
            "[Binary: 3 bytes, type: image/png]",
        ),
        ("new Uint8Array([65, 66])", "[Binary: 2 bytes]", "AB"),
        ("undefined", None, "{}"),
    ],
)
@pytest.mark.parametrize("api", ["fetch", "xhr"])
async def test_the_bodies_of_a_request_are_reported_while_they_are_wanted(
    collector: Collector, api: str, body: str, request_body: str | None, response_body: str
) -> None:
    made = {
        "fetch": f"fetch('api/echo', {{method: 'POST', body: {body}}})",
        "xhr": XHR.format(open="'POST', 'api/echo'", more="", body=body),
    }
    event = await _asked(collector, made[api], bodies=True)

    assert (event["requestBody"], event["responseBody"]) == (request_body, response_body)
    assert "truncated" not in event


async def test_a_form_is_reported_field_by_field_and_its_files_by_name(collector: Collector) -> None:
    form = "((f) => (f.set('a', '1'), f.set('file', new File(['12345'], 'x.bin')), f))(new FormData())"
    event = await _asked(collector, f"fetch('api/echo', {{method: 'POST', body: {form}}})", bodies=True)

    assert event["requestBody"] == "a=1&file=[File: x.bin, 5 bytes]"


async def test_the_body_of_a_request_object_is_read_and_the_request_still_sent(collector: Collector) -> None:
    event = await _asked(collector, f"fetch(new Request('api/echo', {{{POST}}}))", bodies=True)

    assert event["responseBody"] == '{"name":"Ada"}'
    assert event["requestBody"] == '{"name":"Ada"}'


@pytest.mark.requirement("002-080", "002-081")
@pytest.mark.parametrize("character", ["x", "é"])
@pytest.mark.parametrize("api", ["fetch", "xhr"])
async def test_bodies_are_cut_at_8_and_16_kb_and_marked_so(collector: Collector, api: str, character: str) -> None:
    body = f"'{character}'.repeat(20000)"
    made = {
        "fetch": f"fetch('api/echo', {{method: 'POST', body: {body}}})",
        "xhr": XHR.format(open="'POST', 'api/echo'", more="", body=body),
    }
    event = await _asked(collector, made[api], bodies=True)

    sizes = [len(event[name].encode()) for name in ("requestBody", "responseBody")]
    assert (sizes, event["truncated"]) == ([8192, 16384], True)


@pytest.mark.requirement("002-070")
@pytest.mark.requirement("002-083")
@pytest.mark.parametrize("kind", ["image/png", "video/mp4", "audio/ogg", "font/woff2", "application/wasm"])
@pytest.mark.parametrize("api", ["fetch", "xhr"])
async def test_what_is_no_text_is_named_by_size_and_type(collector: Collector, api: str, kind: str) -> None:
    made = {
        "fetch": f"fetch('api/large?size=9&length&type={kind}')",
        "xhr": XHR.format(open=f"'GET', 'api/large?size=9&length&type={kind}'", more="", body=""),
    }
    event = await _asked(collector, made[api], bodies=True)

    assert event["responseBody"] == f"[Binary: 9 bytes, type: {kind}]"


@pytest.mark.parametrize("read", ["text", "arrayBuffer", "blob", "clone().text"])
async def test_a_body_of_unknown_length_is_reported_when_the_page_reads_it(collector: Collector, read: str) -> None:
    tab = await collector.visit()
    await collector.want(bodies=True)
    await tab.evaluate("fetch('api/large?size=20000').then((reply) => { globalThis.reply = reply; })")
    await collector.heard(type="network")
    before = await collector.events(type="network_body")
    size = await tab.evaluate(f"reply.{read}().then((body) => body.length ?? body.byteLength ?? body.size)")

    (event,) = await collector.heard(type="network_body")

    assert before == []
    assert size == 20000
    assert (len(event["responseBody"]), event["truncated"]) == (16384, True)


CHUNKED = "fetch('api/large?size=9', {method: 'POST', body: 'asked'}).then((reply) => { globalThis.reply = reply; })"


@pytest.mark.parametrize(
    "read",
    ["0", "(async () => { for await (const part of reply.body); })()", "reply.body.pipeTo(new WritableStream())"],
)
async def test_a_body_of_unknown_length_that_the_page_reads_in_its_own_way_or_not_is_reported_without_it(
    collector: Collector, read: str
) -> None:
    tab = await collector.visit()
    await collector.want(bodies=True)
    await tab.evaluate(f"{CHUNKED}.then(() => {read}).then(() => 0)")

    (event,) = await collector.heard(type="network_body")
    await tab.evaluate("reply.bodyUsed || reply.text()")  # too late to be told
    await tab.evaluate("fetch('api/echo')")
    (_, other) = await collector.heard(2, type="network_body")

    assert (event["requestBody"], event["responseBody"], "truncated" in event) == ("asked", "[Not read]", False)
    assert other["url"] == collector.pages + "api/echo"


async def test_a_body_that_is_not_read_when_the_page_is_left_is_reported_without_it(collector: Collector) -> None:
    tab = await collector.visit()
    await collector.want(bodies=True)
    await tab.evaluate(f"{CHUNKED}.then(() => 0)")
    before = await collector.events(type="network_body")
    await tab.navigate(collector.pages + "small.html")

    (event,) = await collector.heard(type="network_body")

    assert before == []
    assert (event["requestBody"], event["responseBody"]) == ("asked", "[Not read]")


async def test_a_body_that_is_being_read_when_the_page_is_left_is_reported_as_far_as_it_came(
    collector: Collector,
) -> None:
    tab = await collector.visit()
    await collector.want(bodies=True)
    await tab.evaluate(
        "fetch('api/stream?name=left').then((reply) => { const copy = reply.clone(); reply.text();"
        " return copy.body.getReader().read(); }).then(() => 0)"
    )
    await tab.navigate(collector.pages + "small.html")

    (event,) = await collector.heard(type="network_body")

    assert (event["responseBody"], event["truncated"]) == ("first,", True)


@pytest.mark.parametrize(
    ("expression", "body"),
    [
        ("fetch('api/echo?status=204')", ""),
        ("fetch('api/large?size=9', {method: 'HEAD'})", ""),
        (
            "fetch(new URL('api/large?size=9', location.href.replace('127.0.0.1', 'localhost')), {mode: 'no-cors'})",
            None,
        ),
    ],
)
async def test_an_answer_that_has_no_body_for_the_page_is_not_waited_for(
    collector: Collector, expression: str, body: str | None
) -> None:
    event = await _asked(collector, expression, bodies=True)

    assert event["responseBody"] == body


@pytest.mark.parametrize("kind", ["text/event-stream", "application/x-ndjson"])
async def test_a_stream_of_events_is_never_cloned(collector: Collector, kind: str) -> None:
    event = await _asked(collector, f"fetch('api/stream?name={kind[-6:]}&type={kind}')", bodies=True)

    assert event["responseBody"] == "[Stream]"


@pytest.mark.requirement("002-084")
async def test_what_an_extension_serves_is_no_request_of_the_page(collector: Collector) -> None:
    tab = await collector.visit()
    await tab.evaluate("fetch('chrome-extension://abcdefghijklmnopabcdefghijklmnop/x').catch(() => 0)")
    await tab.evaluate("fetch('api/echo')")

    heard: list[dict[str, Any]] = await collector.heard(type="network")

    assert [event["url"] for event in heard] == [collector.pages + "api/echo"]


async def test_a_request_object_that_is_used_again_from_its_own_listener_gives_each_request(
    collector: Collector,
) -> None:
    tab = await collector.visit()
    await collector.want(bodies=True)
    await tab.evaluate(
        """
        const xhr = new XMLHttpRequest();
        let turn = 0;
        xhr.onload = () => {
          turn += 1;
          if (turn > 2) return;
          xhr.open('POST', `/api/echo?again=${turn}`);
          xhr.send(`body ${turn}`);
        };
        xhr.open('POST', '/api/echo?again=0');
        xhr.send('body 0');
        0
        """
    )

    told = await collector.heard(3, type="network", api="xhr")
    bodies = await collector.heard(3, type="network_body", api="xhr")

    assert [200, 200, 200] == [one["status"] for one in told]
    assert ["body 0", "body 1", "body 2"] == [one["responseBody"] for one in bodies]


@pytest.mark.requirement("applications-032")
async def test_a_request_that_lasts_is_reported_as_open_once_and_a_quick_one_never(collector: Collector) -> None:
    tab = await collector.visit()
    await tab.evaluate(
        "fetch('api/echo?quick'); fetch('api/later?ms=700'); fetch('http://127.0.0.1:1/').catch(() => 0);"
        "const xhr = new XMLHttpRequest(); xhr.open('get', 'api/later?ms=700&xhr'); xhr.send(); 0"
    )

    await collector.heard(4, type="network")
    opened = await collector.events(type="request")
    ended = {event["url"]: event for event in await collector.events(type="network")}

    quick = [event for event in opened if "api/later" not in event["url"]]
    assert [] == [event for event in quick if ended[event["url"]]["duration"] < 200]  # on a busy machine one lasts
    lasting = [event for event in opened if event not in quick]
    assert [("fetch", "GET"), ("xhr", "GET")] == sorted((event["api"], event["method"]) for event in lasting)
    assert [event["ts"] for event in opened] == [ended[event["url"]]["ts"] for event in opened]


@pytest.mark.requirement("applications-032")
async def test_a_request_that_is_open_as_its_frame_goes_is_reported_as_failed(collector: Collector) -> None:
    tab = await collector.visit()
    await tab.evaluate(
        "globalThis.part = document.createElement('iframe'); part.src = 'small.html';"
        "new Promise((done) => { part.onload = () => done(0); document.body.append(part); })"
    )
    await tab.evaluate("part.contentWindow.Object.prototype.ended = true; part.contentWindow.fetch('api/slow'); 0")
    await collector.heard(type="request")
    await tab.evaluate("part.remove()")

    (left,) = await collector.heard(type="network")
    assert (0, "The page was left before it ended") == (left["status"], left["error"])
