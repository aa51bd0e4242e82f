"""The JSON lines that clients post, as seed 002 writes them."""

import msgspec
import pytest

from gasoline_bridge.chrome.posted_events import LineError, chunks_of

SOCKET = (
    b'{"ts":"2024-01-15T10:30:00.000Z","type":"websocket","event":"open","id":"uuid","url":"wss://api.example.com/ws",'
    b'"tabId":123}\n'
    b'{"ts":"2024-01-15T10:30:01.000Z","type":"websocket","event":"message","id":"uuid","direction":"incoming",'
    b'"data":"{\\"type\\":\\"chat\\",\\"msg\\":\\"hello\\"}","size":32}\n'
    b'{"ts":"2024-01-15T10:30:05.000Z","type":"websocket","event":"close","id":"uuid","code":1000,'
    b'"reason":"normal closure"}\n'
    b'{"ts":"2024-01-15T10:30:06.000Z","type":"websocket","event":"error","id":"uuid","url":"wss://api.example.com/ws"}'
)
BODY = (
    b'{"ts":"2024-01-15T10:30:00.000Z","type":"network_body","method":"POST","url":"/api/users","status":201,'
    b'"requestBody":"{\\"name\\":\\"Alice\\"}","responseBody":"{\\"id\\":1,\\"name\\":\\"Alice\\"}",'
    b'"contentType":"application/json","duration":142}\n'
    b'{"ts":"2024-01-15T10:30:01.000Z","type":"network_body","method":"GET","url":"/api/products?page=2","status":200,'
    b'"requestBody":null,"responseBody":"{\\"items\\":[],\\"total\\":50}","contentType":"application/json","duration":89}'
)


def events(kind: str, body: bytes) -> list[dict[str, object]]:
    return [event for chunk in chunks_of(kind, body) for event in chunk.events]


@pytest.mark.requirement("002-018", "002-044", "002-045", "002-047", "002-048")
def test_the_seeds_lines_of_a_websocket_are_events_as_they_stand() -> None:
    expected = [msgspec.json.decode(line) for line in SOCKET.splitlines()]
    for line in expected:
        line.pop("tabId", None)

    assert expected == events("websocket", SOCKET)


@pytest.mark.requirement("002-019", "002-071", "002-072")
def test_the_seeds_lines_of_bodies_are_events_as_they_stand() -> None:
    assert [msgspec.json.decode(line) for line in BODY.splitlines()] == events("network_body", BODY)


def test_the_same_body_under_the_same_key_has_the_same_ids_and_no_other_has() -> None:
    def ids(kind: str, body: bytes, key: str) -> list[str]:
        return [chunk.id for chunk in chunks_of(kind, body, key)]

    assert ids("websocket", SOCKET, "k") == ids("websocket", SOCKET, "k")
    others = [
        ("websocket", SOCKET, ""),
        ("websocket", SOCKET, "l"),
        ("websocket", SOCKET + b"\n", "k"),
        ("log", b'{"message":"a"}', "k"),
    ]
    assert not [other for other in others if set(ids(*other)) & set(ids("websocket", SOCKET, "k"))]


def test_the_tab_of_a_line_is_the_chunks() -> None:
    assert [123, 0] == [chunk.tab for chunk in chunks_of("websocket", SOCKET)]


def test_an_array_is_read_like_its_lines() -> None:
    array = b"[" + BODY.replace(b"\n", b",") + b"]"

    assert events("network_body", BODY) == events("network_body", array)


@pytest.mark.requirement("002-017")
def test_a_line_of_the_console_is_an_event_of_the_console() -> None:
    line = b'{"ts":"2024-01-15T10:30:00.000Z","level":"error","message":"failed","url":"http://x/","source":"a.js:1:2"}'
    (chunk,) = chunks_of("log", line)

    assert "http://x/" == chunk.page
    assert {
        "type": "console",
        "ts": "2024-01-15T10:30:00.000Z",
        "level": "error",
        "args": ["failed"],
        "source": "a.js:1:2",
    } == chunk.events[0]


@pytest.mark.parametrize(
    ("kind", "name", "field", "limit"),
    [("websocket", "data", "data", 4_096), ("body", "requestBody", "requestBody", 8_192)],
)
def test_what_is_too_long_is_cut_and_marked(kind: str, name: str, field: str, limit: int) -> None:
    line = {"event": "message", "id": "1"} if kind == "websocket" else {"method": "GET", "url": "/", "status": 200}
    body = msgspec.json.encode(line | {name: "x" * 20_000})
    (event,) = events("websocket" if kind == "websocket" else "network_body", body)

    assert limit == len(str(event[field]))
    assert event["truncated"] is True


def test_no_sensitive_header_is_taken() -> None:
    headers = {"Authorization": "a", "cookie": "b", "X-API-Key": "c", "x-csrf-token": "d", "Accept": "e"}
    line = {"method": "GET", "url": "/", "status": 200, "requestHeaders": headers, "responseHeaders": headers}
    (event,) = events("network_body", msgspec.json.encode(line))

    assert {"Accept": "e"} == event["requestHeaders"] == event["responseHeaders"]


@pytest.mark.requirement("capture-048")
@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b'{"event":"open","id":"1"}\n{"event":"opn","id":"x"}', "Entry 2: Invalid enum value 'opn' - at `$.event`"),
        (b'{"type":"log","event":"open","id":"x"}', "at `$.type`"),
        (b'{"event":"open"}', "missing required field `id`"),
        (b'{"event":"open","id":"x","nick":1}', "unknown field `nick`"),
        (b'{"event":"open","id":"x","ts":"yesterday"}', "at `$.ts`"),
        (b'{"event":"open"', "Entry 1: Input data was truncated"),
        (b"[1", "Entry 1: Expected `object`, got `int`"),
        (b"[", "no JSON array"),
        (b'[{"event":"open","id":"1"},{"event":"opn","id":"x"}]', "Entry 2: Invalid enum value 'opn' - at `$.event`"),
        (b'[{"event":"open","id":"1"},', "no JSON array"),
        (b"\xff\xfe", "Entry 1"),
        (b"[" * 100_000, "Entry 1: Expected `object`, got `array`"),
    ],
)
def test_a_wrong_line_refuses_the_body_and_is_named(body: bytes, words: str) -> None:
    with pytest.raises(LineError) as caught:
        chunks_of("websocket", body)

    assert words in str(caught.value)


def test_more_entries_than_may_come_at_once_are_refused() -> None:
    entry = b'{"event":"open","id":"1"}'
    for body in (b"\n".join([entry] * 5_001), b"[" + b",".join([entry] * 5_001) + b"]"):
        with pytest.raises(LineError, match="may have 5000 entries; this one has 5001"):
            chunks_of("websocket", body)
