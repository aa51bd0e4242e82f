"""Random bodies and frames against each reader of what strangers, pages and clients send: read, or refused by name."""

import asyncio
import contextlib
import itertools
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, cast

import msgspec
import pytest

from attacks.bent import ATOMS, COUNT, bent, chance, jupyter
from gasoline_bridge.chrome import routes
from gasoline_bridge.chrome.commands import Commands
from gasoline_bridge.chrome.frames import decoded
from gasoline_bridge.chrome.intake import Intake
from gasoline_bridge.chrome.link import MALFORMED, Chunk, Events, Result, read_chunk, read_up
from gasoline_bridge.chrome.messages import QueryDom
from gasoline_bridge.chrome.posted_events import LineError, chunks_of
from gasoline_bridge.chrome.proof import Exchange, Proofs, nonce, shown
from gasoline_bridge.front import arguments, lines, paging
from gasoline_broker.actor.wire import MALFORMED as NO_ENVELOPE
from gasoline_broker.actor.wire import Envelope, Kind, Label, pack, read_envelope
from gasoline_broker.errors import Failed
from gasoline_workers.journal.messages import ChunkBody, EventsRead, ReadLogs, StoreEvents
from gasoline_workers.redaction.rules import redact
from unit.hub import Hub, itinerary

if TYPE_CHECKING:
    from aiohttp import web

WIRE = Path(__file__).parents[1] / "wire"
Reader = Callable[[bytes], bool]
"""Reads an input, and gives whether it was one; any other exception than its refusal is a fault."""

UPS = [path.read_bytes() for path in sorted(WIRE.glob("link-up-*.json"))]
CHUNKS = [
    msgspec.json.encode(one) for one in msgspec.json.decode((WIRE / "link-up-events.json").read_bytes())["chunks"]
]
POSTS = [
    b'{"ts":"2024-01-15T10:30:00.000Z","level":"error","message":"failed","url":"http://x/","source":"a.js:1:2"}',
    b'{"type":"websocket","event":"message","id":"u","direction":"incoming","data":"{}","size":32,"tabId":3}\n' * 2,
    b'[{"method":"POST","url":"/api","status":201,"requestHeaders":{"a":"b"},"responseBody":"{}","duration":1.5}]',
]
CALLS = [
    b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"observe","arguments":{"what":"logs"}}}',
    b'{"jsonrpc":"2.0","id":"a","method":"tools/list"}',
    b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}',
]
CALL = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":%s}'
ARGUMENTS = [
    b'{"name":"interact","arguments":{"action":"click","selector":"#a","tab_id":3,"budget":900}}',
    b'{"name":"interact","arguments":{"action":"fill_form","fields":[{"selector":"a","value":"b"}],"submit":true}}',
    b'{"name":"observe","arguments":{"what":"network_bodies","status_min":200,"body_path":"$.a[0]"}}',
    b'{"name":"execute_javascript","arguments":{"script":"1","timeout_ms":50}}',
]
BINARY = [pack({"a": [1, b"x", {"b": None}]}), b'{"a":1}', "ä".encode() * 9, *map(jupyter, (b"1", *ATOMS))]
ASK = Envelope(Kind.ASK, b"0123456789abcdef", itinerary("bridge", "redaction", "diff"), ttl_ms=9_000, session="s")
ENVELOPES = [
    *(pack(msgspec.structs.replace(ASK, kind=kind, position=at)) for kind in Kind for at in (0, 1)),
    pack(msgspec.structs.replace(ASK, label=Label.RAW, attempt=3, trace="t" * 32)),
]
PAGE = b"only redaction may see this"


def reads(read: Callable[[bytes], object], *refusals: type[Exception]) -> Reader:
    """Make a reader that refuses by these exceptions."""

    def reader(data: bytes) -> bool:
        with contextlib.suppress(*refusals):
            read(data)
            return True
        return False

    return reader


def link_reader() -> Reader:
    """Read what comes up the link as the bridge does, to the ask that goes to redaction and the journal."""
    commands, stored = Commands(), itertools.count(1)

    async def store(_message: StoreEvents, body: bytes) -> int:
        redact(msgspec.msgpack.decode(body))
        msgspec.msgpack.decode(body, type=list[ChunkBody])
        return next(stored)

    intake = Intake(store)
    running = asyncio.create_task(intake.run())
    last: deque[asyncio.Future[bool]] = deque(maxlen=1)
    ids = (f"{number:032x}" for number in itertools.count())  # one that is known is held once

    def read(data: bytes) -> bool:
        if running.done():
            running.result()
        try:
            message = read_up(data)
        except MALFORMED:
            return False
        read_chunks = map(read_chunk, message.chunks) if isinstance(message, Events) else []
        for chunk in (one for one in read_chunks if isinstance(one, Chunk)):
            last.append(intake.take(msgspec.structs.replace(chunk, id=next(ids))))
        if isinstance(message, Result):
            commands.finish(message)
        return True

    return read


def chunk_reader() -> Reader:
    """Read one chunk of events, within a message that is whole."""
    read = link_reader()
    return lambda data: read(b'{"type":"events","chunks":[' + data + b"]}")


def frame_reader() -> Reader:
    """Read a binary message of a page's WebSocket."""

    def read(data: bytes) -> bool:
        event = decoded({"type": "websocket", "bytes": data.hex()})
        assert "bytes" not in event
        return "decoded" in event

    return read


def hub_reader() -> Reader:
    """Route what any process sends, itself registered or not; page data reaches redaction alone."""
    hub = Hub()
    peers = {name: name for name in ("bridge", "redaction", "diff", "front", "journal")}
    for peer, service in peers.items():
        hub.register(peer, service, capacity=4)
    turns = itertools.count()

    def read(data: bytes) -> bool:
        turn = next(turns)
        try:
            envelope = read_envelope(data)
        except NO_ENVELOPE:
            return False
        peer = ("front", "stranger", "bridge", "diff", "redaction")[turn % 5]
        for send in hub.receive(peer, envelope, PAGE if peer == "bridge" else b"", b""):
            assert PAGE not in b"".join(send.frames) or peers.get(send.peer.decode()) == "redaction"
        if turn % 50 == 0:
            hub.tick(0.1)
            for peer, service in peers.items():
                hub.register(peer, service, capacity=4)
        return True

    return read


def argument_reader() -> Reader:
    """Read the arguments of a call."""

    def read(data: bytes) -> bool:
        message = lines.read(CALL % data)
        if not isinstance(message, dict):
            return False
        request = message["params"].get("arguments")
        with contextlib.suppress(Failed):
            arguments.read(str(message["params"].get("name")), request if isinstance(request, dict) else {})
            return True
        return False

    return read


def line_reader() -> Reader:
    """Read a line of a client."""

    def read(data: bytes) -> bool:
        message = lines.read(data)
        assert not isinstance(message, lines.Refusal) or message.line().endswith(b"\n")
        return isinstance(message, dict)

    return read


def body_reader(kind: type[msgspec.Struct]) -> Reader:
    """Read the body of a request."""

    class Request:
        def __init__(self, body: bytes) -> None:
            self.body = body

        async def read(self) -> bytes:
            return self.body

    def read(data: bytes) -> bool:
        reading = routes._body(cast("web.Request", Request(data)), kind)
        try:
            reading.send(None)
        except StopIteration:
            return True
        except Failed:
            return False
        return False

    return read


def proof_reader() -> tuple[Reader, list[bytes]]:
    """Take a proof of the port's token; one that is right is taken once."""
    proofs, client = Proofs("t" * 64, 7890), nonce()
    right = [shown("t" * 64, 7890, Exchange(client, proofs.give(client).nonce)).encode() for _ in range(3)]

    return (lambda data: proofs.take(data.decode("utf-8", "surrogateescape")) is not None), right


WINDOW = EventsRead([], seq=9, upto=9, total=0, since=1)
CURSORS = [paging._cursor(ReadLogs(since_seq=3, tab_id=7, text="a"), WINDOW, []).encode()]

READERS: dict[str, tuple[Callable[[], Reader], list[bytes]]] = {
    "messages of the link": (link_reader, UPS),
    "chunks of events": (chunk_reader, CHUNKS),
    "binary messages of a page": (frame_reader, BINARY),
    "envelopes at the hub": (hub_reader, ENVELOPES),
    "posted events": (lambda: reads(lambda data: chunks_of("log", data), LineError), POSTS[:1]),
    "posted messages": (lambda: reads(lambda data: chunks_of("websocket", data), LineError), POSTS[1:2]),
    "posted bodies": (lambda: reads(lambda data: chunks_of("network_body", data, "key"), LineError), POSTS[2:]),
    "queries": (lambda: body_reader(QueryDom), [b'{"selector":"a","offset":3,"tab_id":7}']),
    "results": (lambda: body_reader(routes.PolledResult), [b'{"id":"a","result":{"a":[1]}}']),
    "lines of a client": (line_reader, CALLS),
    "arguments of a call": (argument_reader, ARGUMENTS),
    "cursors": (lambda: reads(lambda data: paging.query_of(data.decode("latin-1")), Failed), CURSORS),
}


@pytest.mark.requirement("attacks-006")
@pytest.mark.parametrize("name", READERS)
async def test_random_input_is_read_or_refused_by_name(name: str) -> None:
    make, samples = READERS[name]
    read, accepted = make(), 0
    for number, data in enumerate((*samples, *inputs(name))):
        try:
            accepted += read(data)
        except BaseException as fault:
            fault.add_note(f"input {number} of {name}: {data[:200]!r}")
            raise
        if number % 100 == 0:
            await asyncio.sleep(0)

    assert 0 < accepted < COUNT


def inputs(name: str) -> Iterator[bytes]:
    """Give the inputs of a reader."""
    by, samples = chance(name), READERS[name][1]
    return (bent(by, samples) for _ in range(COUNT))


@pytest.mark.requirement("attacks-006")
def test_no_random_text_is_taken_for_a_proof() -> None:
    take, right = proof_reader()
    by = chance("proofs")
    taken = [data for _ in range(COUNT) if (data := bent(by, right)) not in right and take(data)]

    assert [] == taken
    assert take(right[0])
