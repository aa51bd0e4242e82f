"""The shim passes lines on, and outlives the front."""

import queue
import socket
import threading
from collections.abc import Iterator

import msgspec
import pytest

from gasoline_bridge.front.recorded_answers import Answers
from gasoline_bridge.front.session_folders import UNTIL_CALL, UNTIL_UP
from gasoline_bridge.front.shim import Shim

BOUND_S = 5.0
INITIALIZE = b'{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}\n'
OF_A_VERSION = b'{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}\n'
LIST = b'{"jsonrpc":"2.0","id":"l","method":"tools/list"}\n'
RECORDED = {"initialize": {"2025-06-18": '{"a":1}'}, "tools/list": {"2025-06-18": '{"tools":[]}'}}
INITIALIZED = b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
CALL = b'{"jsonrpc":"2.0","method":"tools/call","params":{"name":"interact"},"id":"a-1"}\n'
PING, PONG = b'{"jsonrpc":"2.0","id":3,"method":"ping"}\n', b'{"jsonrpc":"2.0","id":3,"result":{}}\n'
ANALYZE = b'{"jsonrpc":"2.0","method":"tools/call","params":{"name":"analyze","arguments":{%s}},"id":"a-1"}\n'
AUDIT, HUNT = ANALYZE % b'"action":"audit"', ANALYZE % b'"action":"memory","steps":[]'
READ = b'{"jsonrpc":"2.0","method":"tools/call","params":{"name":"observe"},"id":"a-1"}\n'


class Client:
    """A client of the shim, and the fronts that it connects to, one after the other."""

    def __init__(self, recorded: Answers | None = None) -> None:
        self.fronts: queue.Queue[socket.socket | None] = queue.Queue()
        self.written: queue.Queue[bytes] = queue.Queue()
        self.lines: queue.Queue[bytes] = queue.Queue()
        self.code: queue.Queue[int] = queue.Queue()
        self.stopped = ""
        self.alone = threading.Event()
        shim = Shim(lambda: self.fronts.get(timeout=BOUND_S), self.written.put, self._is_stopped, recorded)
        run = lambda: self.code.put(shim.run(self.lines.get))  # noqa: E731 - the thread's one line
        self._thread = threading.Thread(target=run, daemon=True)
        self._thread.start()

    def _is_stopped(self) -> str:
        self.alone.set()
        return self.stopped

    def left(self, front: socket.socket, stopped: str) -> None:
        """Have the front go, and wait until the shim has noticed."""
        self.stopped = stopped
        front.close()
        assert self.alone.wait(BOUND_S)

    def close(self) -> None:
        """End the shim: no line comes any more, and no front is to be had."""
        self.lines.put(b"")
        self.fronts.put(None)
        self._thread.join(BOUND_S)
        assert not self._thread.is_alive()

    def front(self) -> socket.socket:
        ours, theirs = socket.socketpair()
        ours.settimeout(BOUND_S)
        self.fronts.put(theirs)
        return ours


@pytest.fixture
def client() -> Iterator[Client]:
    made = Client()
    yield made
    made.close()


def read(front: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        data += front.recv(size - len(data))
    return data


def test_lines_go_both_ways(client: Client) -> None:
    with client.front() as front:
        client.lines.put(CALL)
        front.sendall(b'{"jsonrpc":"2.0","id":"a-1","result":{}}\n')

        assert CALL == read(front, len(CALL))
        assert b'{"jsonrpc":"2.0","id":"a-1","result":{}}\n' == client.written.get(timeout=BOUND_S)


def test_the_clients_end_is_the_fronts_end_and_the_exit_is_clean(client: Client) -> None:
    front = client.front()
    client.lines.put(b"")

    assert b"" == front.recv(1)
    front.close()
    assert 0 == client.code.get(timeout=BOUND_S)


def test_a_handshake_that_was_refused_is_not_repeated(client: Client) -> None:
    refusal = b'{"jsonrpc":"2.0","id":0,"error":{"code":-32022,"message":"This session is of another era."}}\n'
    first = client.front()
    client.lines.put(INITIALIZE)
    read(first, len(INITIALIZE))
    first.sendall(refusal)
    assert refusal == client.written.get(timeout=BOUND_S)
    first.close()

    with client.front() as second:
        client.lines.put(READ)

        assert READ == read(second, len(READ))


def test_after_a_front_died_the_next_one_gets_the_handshake_again(client: Client) -> None:
    first = client.front()
    client.lines.put(INITIALIZE)
    read(first, len(INITIALIZE))
    first.sendall(b'{"jsonrpc":"2.0","id":0,"result":{}}\n')
    client.written.get(timeout=BOUND_S)
    client.lines.put(INITIALIZED)
    read(first, len(INITIALIZED))
    first.close()

    with client.front() as second:
        assert INITIALIZE == read(second, len(INITIALIZE))
        second.sendall(b'{"jsonrpc":"2.0","id":0,"result":{}}\n')
        assert INITIALIZED == read(second, len(INITIALIZED))
        client.lines.put(CALL)

        assert CALL == read(second, len(CALL))
        assert client.written.empty()  # the second answer to the handshake is not the client's


def set_level(number: int, level: str) -> bytes:
    message = {"jsonrpc": "2.0", "id": number, "method": "logging/setLevel", "params": {"level": level}}
    return msgspec.json.encode(message) + b"\n"


@pytest.mark.requirement("clients-012")
def test_the_next_front_gets_the_last_level_and_what_it_says_before_its_answer_is_the_clients(client: Client) -> None:
    news = (
        b'{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"warning","data":"Restarted: front."}}\n'
    )
    levels, first = [set_level(1, "error"), set_level(2, "info")], client.front()
    for number, line in enumerate(levels, 1):
        client.lines.put(line)
        read(first, len(line))
        first.sendall(b'{"jsonrpc":"2.0","id":%d,"result":{}}\n' % number)
        client.written.get(timeout=BOUND_S)
    first.close()

    with client.front() as second:
        assert levels[1] == read(second, len(levels[1]))
        second.sendall(news + b'{"jsonrpc":"2.0","id":2,"result":{}}\n')
        client.lines.put(CALL)

        assert CALL == read(second, len(CALL))
        assert news == client.written.get(timeout=BOUND_S)
        assert client.written.empty()


@pytest.mark.parametrize("call", [READ, AUDIT])
def test_a_call_that_only_reads_and_was_under_way_is_made_again(client: Client, call: bytes) -> None:
    first = client.front()
    client.lines.put(call)
    read(first, len(call))
    first.close()

    with client.front() as second:
        assert call == read(second, len(call))
        second.sendall(b'{"jsonrpc":"2.0","id":"a-1","result":{}}\n')

        assert b'{"jsonrpc":"2.0","id":"a-1","result":{}}\n' == client.written.get(timeout=BOUND_S)


def test_a_handshake_that_was_under_way_is_made_again_and_answered(client: Client) -> None:
    first = client.front()
    client.lines.put(INITIALIZE)
    read(first, len(INITIALIZE))
    first.close()

    with client.front() as second:
        assert INITIALIZE == read(second, len(INITIALIZE))
        second.sendall(b'{"jsonrpc":"2.0","id":0,"result":{}}\n')

        assert b'{"jsonrpc":"2.0","id":0,"result":{}}\n' == client.written.get(timeout=BOUND_S)


@pytest.mark.requirement("faults-007", "leaks-004")
@pytest.mark.parametrize("call", [CALL, HUNT])
def test_a_call_that_acts_and_was_under_way_is_a_result_with_outcome_unknown(client: Client, call: bytes) -> None:
    first = client.front()
    client.lines.put(call)
    read(first, len(call))

    first.close()

    answer = msgspec.json.decode(client.written.get(timeout=BOUND_S))
    assert "a-1" == answer["id"]
    assert answer["result"]["isError"]
    (content,) = answer["result"]["content"]
    assert "outcome_unknown" == msgspec.json.decode(content["text"])["error"]["code"]
    client.front().close()
    client.fronts.put(None)


def test_an_answered_call_is_not_answered_again_when_the_front_dies(client: Client) -> None:
    first = client.front()
    client.lines.put(CALL)
    read(first, len(CALL))
    first.sendall(b'{"jsonrpc":"2.0","id":"a-1","result":{}}\n')
    client.written.get(timeout=BOUND_S)

    first.close()
    with client.front() as second:
        client.lines.put(INITIALIZED)

        read(second, len(INITIALIZED))
        assert client.written.empty()


def test_without_a_front_the_exit_code_is_1(client: Client) -> None:
    client.fronts.put(None)

    assert 1 == client.code.get(timeout=BOUND_S)


@pytest.mark.requirement("faults-007")
def test_a_cancelled_call_is_neither_made_again_nor_answered(client: Client) -> None:
    first = client.front()
    cancel = b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a-1"}}\n'
    for line in (READ, cancel, CALL, cancel):
        client.lines.put(line)
        read(first, len(line))
    first.close()

    with client.front() as second:
        client.lines.put(INITIALIZED)

        assert INITIALIZED == read(second, len(INITIALIZED))
        assert client.written.empty()


def code_of(line: bytes) -> str:
    """Give the code of a call's error."""
    (content,) = msgspec.json.decode(line)["result"]["content"]
    code: str = msgspec.json.decode(content["text"])["error"]["code"]
    return code


@pytest.mark.requirement("faults-009")
@pytest.mark.parametrize("call", [CALL, READ], ids=["acts", "reads"])
def test_a_system_that_the_user_has_stopped_is_started_by_the_next_call(client: Client, call: bytes) -> None:
    first = client.front()
    client.lines.put(INITIALIZED)
    read(first, len(INITIALIZED))
    client.left(first, UNTIL_CALL)
    client.lines.put(PING)
    assert PONG == client.written.get(timeout=BOUND_S)  # which starts nothing

    client.lines.put(call)
    with client.front() as second:
        assert INITIALIZED + call == read(second, len(INITIALIZED + call))


@pytest.mark.requirement("faults-009")
def test_what_was_under_way_when_the_user_stopped_the_system_starts_it_not_again(client: Client) -> None:
    first = client.front()
    client.lines.put(READ)
    read(first, len(READ))
    client.left(first, UNTIL_CALL)

    assert "system_stopped" == code_of(client.written.get(timeout=BOUND_S))


@pytest.mark.requirement("faults-009")
def test_a_system_that_the_user_holds_is_started_by_no_call(client: Client) -> None:
    first = client.front()
    client.left(first, UNTIL_UP)
    for call in (CALL, READ):
        client.lines.put(call)
        assert "system_stopped" == code_of(client.written.get(timeout=BOUND_S))

    client.stopped = ""
    client.lines.put(CALL)
    with client.front() as second:
        assert CALL == read(second, len(CALL))


@pytest.mark.requirement("faults-009")
def test_a_system_that_does_not_start_is_tried_again_with_the_next_call(client: Client) -> None:
    client.left(client.front(), "")
    client.fronts.put(None)
    for call in (CALL, READ):
        client.lines.put(call)
        client.fronts.put(None)
        assert "system_stopped" == code_of(client.written.get(timeout=BOUND_S))

    client.lines.put(CALL)
    with client.front() as second:
        assert CALL == read(second, len(CALL))


@pytest.mark.requirement("faults-006")
def test_a_line_that_is_no_message_is_refused_before_the_front(client: Client) -> None:
    with client.front() as front:
        for line in (b"no json\n", b"[" * 100_000 + b"\n", READ):
            client.lines.put(line)

        assert READ == read(front, len(READ))
        assert [-32700, -32700] == [msgspec.json.decode(client.written.get())["error"]["code"] for _ in range(2)]


@pytest.fixture
def early() -> Iterator[Client]:
    """Return a client whose first front is only just starting."""
    made = Client(Answers(RECORDED))
    yield made
    made.close()


def answered(client: Client, *lines: bytes) -> list[bytes]:
    """Send these lines, and give as many answers."""
    for line in lines:
        client.lines.put(line)
    return [client.written.get(timeout=BOUND_S) for _ in lines]


@pytest.mark.requirement("fast-007")
def test_while_the_first_front_starts_the_handshake_and_the_tools_are_answered(early: Client) -> None:
    answers = answered(early, OF_A_VERSION, LIST, PING)

    assert [
        b'{"jsonrpc":"2.0","id":0,"result":{"a":1}}\n',
        b'{"jsonrpc":"2.0","id":"l","result":{"tools":[]}}\n',
        PONG,
    ] == answers
    early.front().close()
    early.fronts.put(None)


@pytest.mark.requirement("fast-008")
def test_the_front_then_gets_the_handshake_and_what_it_alone_can_answer(early: Client) -> None:
    answered(early, OF_A_VERSION, LIST)
    early.lines.put(INITIALIZED)
    early.lines.put(READ)

    with early.front() as front:
        assert OF_A_VERSION == read(front, len(OF_A_VERSION))
        front.sendall(b'{"jsonrpc":"2.0","id":0,"result":{"a":1}}\n')
        assert INITIALIZED + READ == read(front, len(INITIALIZED + READ))
        front.sendall(b'{"jsonrpc":"2.0","id":"a-1","result":{}}\n')

        assert b'{"jsonrpc":"2.0","id":"a-1","result":{}}\n' == early.written.get(timeout=BOUND_S)
        early.lines.put(LIST)
        assert LIST == read(front, len(LIST)), "a front that is there answers itself"
        assert early.written.empty()


@pytest.mark.requirement("fast-008")
def test_a_call_that_was_cancelled_while_the_front_started_is_not_made(early: Client) -> None:
    answered(early, OF_A_VERSION)
    early.lines.put(READ)
    early.lines.put(b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a-1"}}\n')
    answered(early, LIST)

    with early.front() as front:
        assert OF_A_VERSION == read(front, len(OF_A_VERSION))
        front.sendall(b'{"jsonrpc":"2.0","id":0,"result":{"a":1}}\n')
        early.lines.put(CALL)
        assert CALL == read(front, len(CALL))


@pytest.mark.requirement("fast-008")
def test_a_client_that_ends_while_the_front_starts_gets_its_answers(early: Client) -> None:
    early.lines.put(READ)
    early.lines.put(b"")

    with early.front() as front:
        assert READ == read(front, len(READ))
        assert b"" == front.recv(1)
        front.sendall(b'{"jsonrpc":"2.0","id":"a-1","result":{}}\n')
        assert b'{"jsonrpc":"2.0","id":"a-1","result":{}}\n' == early.written.get(timeout=BOUND_S)
    assert 0 == early.code.get(timeout=BOUND_S)


@pytest.mark.requirement("fast-008")
def test_after_a_start_that_fails_each_call_is_an_error_and_the_next_one_tries_again(early: Client) -> None:
    answered(early, OF_A_VERSION)
    early.lines.put(READ)
    answered(early, LIST)
    early.fronts.put(None)
    assert "system_stopped" == code_of(early.written.get(timeout=BOUND_S))

    early.lines.put(READ)
    with early.front() as front:
        assert OF_A_VERSION == read(front, len(OF_A_VERSION))
        front.sendall(b'{"jsonrpc":"2.0","id":0,"result":{"a":1}}\n')
        assert READ == read(front, len(READ))


def test_the_exit_code_is_1_where_no_front_was_ever_met(early: Client) -> None:
    answered(early, OF_A_VERSION)
    early.fronts.put(None)
    early.lines.put(b"")

    assert 1 == early.code.get(timeout=BOUND_S)
