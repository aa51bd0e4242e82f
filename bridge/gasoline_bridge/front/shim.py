"""The process that an MCP client starts: passes lines to the front and back, through every outage of the system.

Rules of this file:
- It imports almost nothing, for a client waits for it: the front is loaded already, once, for all clients. What starts
  a system is imported when one is to be started.
- While the first front starts, a client's handshake and its list of tools are answered by what an earlier front of this
  very version has answered (`recorded_answers.py`), and the front gets the handshake as soon as it is there.
- A front that dies or is restarted does not end the client's session: the shim connects again and repeats the client's
  handshake, its subscriptions and its level of log messages. Of what was under way it repeats what only reads; the rest
  is answered with an error, because how far it got is unknown.
- No outage ends the client's session. A system that the user has stopped is started by the next request, or by the user
  alone if they wrote `--hold`; one that does not start is tried again with each request. Until then the answer is
  `system_stopped`.
- A line that is no message is answered here (`lines.py`): the front and its session never have to deal with it.
- Standard output carries the front's lines and nothing else, whatever a library prints.
"""

import contextlib
import json
import os
import re
import socket
import sys
import threading
from collections.abc import Callable
from typing import NamedTuple

from gasoline_bridge.front import lines, recorded_answers
from gasoline_bridge.front.reading_tools import may_be_repeated
from gasoline_bridge.front.recorded_answers import Answers
from gasoline_bridge.front.session_folders import UNTIL_CALL, UNTIL_UP, Folders

REPEATED = ("initialize", "notifications/initialized", "resources/subscribe", "logging/setLevel")
LINE_BYTES_READ = 4 * lines.BYTES_MAX  # of a line that is too long, for the id that its answer needs


class Fault(NamedTuple):
    """Why a call fails; what a Failure has, which loads more."""

    code: str
    text: str
    recovery: str


_LOST = Fault(
    "outcome_unknown",
    "Gasoline was restarted while it worked on this call.",
    "Look at the page before you do it again: it may have happened.",
)
_STOPPED = {
    UNTIL_CALL: Fault("system_stopped", "The user has stopped Gasoline.", "Call again: that starts it."),
    UNTIL_UP: Fault(
        "system_stopped",
        "The user has stopped Gasoline, and holds it.",
        "Ask the user to run `gasoline up`, then call again.",
    ),
    "": Fault("system_stopped", "Gasoline does not start.", "`gasoline doctor` states why; then call again."),
}
_ANSWERED = re.compile(
    rb'^\{"jsonrpc":"2\.0","id":("(?:[^"\\]|\\.)*"|-?\d+),"(?:result|error)"'
)  # a question of the front is none

Connect = Callable[[], "socket.socket | None"]


class _Open(NamedTuple):
    """A request of the client that is not answered. `again`: it may be sent to a new front."""

    line: bytes
    is_call: bool
    again: bool


class Shim:
    """One client's session. `connect` gives a link to the front, or None when there is none to be had.

    `stopped` gives how long the system stays stopped, "" for one that is not; `recorded`: what can be answered while
    the first front starts; `reason`: why there was none to be had, if that is known.
    """

    def __init__(
        self,
        connect: Connect,
        write: Callable[[bytes], None],
        stopped: Callable[[], str],
        recorded: Answers | None = None,
        reason: Callable[[], str] = str,
    ) -> None:
        self._connect = connect
        self._write = write
        self._stopped = stopped
        self._recorded = recorded
        self._reason = reason
        self._link: socket.socket | None = None
        self._sending = threading.Lock()
        self._writing = threading.Lock()
        self._pending: dict[str, _Open] = {}  # by their id as JSON
        self._wanted = threading.Event()
        self._handshake: list[bytes] = []
        self._ended = False
        self._has_met = False

    def run(self, read_line: Callable[[], bytes]) -> int:
        """Serve until the client goes; give the exit code."""
        reading = threading.Thread(target=self._pump_up, args=(read_line,), daemon=True)
        if self._recorded is not None:
            reading.start()
        link = self._connect()
        if link is None and self._recorded is None:
            return 1
        with self._sending:
            self._recorded = None
            self._take(link)
        if not reading.is_alive() and not self._ended:
            reading.start()
        while self._link is not None or not self._ended:
            if self._link is not None:
                self._pump_down(self._link)
                self._leave(self._link)
            else:
                self._wanted.wait()
                self._return()
        return 0 if self._has_met else 1

    def _leave(self, link: socket.socket) -> None:
        """Leave a front that is gone for the next one, unless the user has stopped the system."""
        with self._sending:
            link.close()
            self._link = None
            self._wanted.clear()
            if self._ended:
                return
            self._answer_lost()
            if stop := self._stopped():
                self._refuse(stop)
            else:
                self._reconnect()

    def _return(self) -> None:
        """Look for a front because the client wants one."""
        with self._sending:
            self._wanted.clear()
            if self._ended:
                return
            if (stop := self._stopped()) == UNTIL_UP:
                self._refuse(stop)
            else:
                self._reconnect()

    def _pump_up(self, read_line: Callable[[], bytes]) -> None:
        while line := read_line():
            message = lines.read(line)
            if isinstance(message, lines.Refusal):
                self._answer(message.line())
            elif message is not None:
                self._send(line, message)
        with self._sending, contextlib.suppress(OSError):
            self._ended = True
            self._wanted.set()
            if self._link is not None:
                self._link.shutdown(socket.SHUT_WR)  # the front cancels what is running

    def _send(self, line: bytes, message: lines.Message) -> None:
        """Pass a message on; one that meets no front is passed on by the reconnect."""
        with self._sending, contextlib.suppress(OSError):
            if self._link is None and message.get("method") == "ping" and (number := lines.id_of(message)) is not None:
                self._answer(_json({"jsonrpc": "2.0", "id": number, "result": {}}))  # a ping starts nothing
                return
            self._note(line, message)
            if self._link is not None:
                self._link.sendall(line)
            elif self._recorded is not None:
                if answer := self._recorded.answer(message):
                    del self._pending[json.dumps(message["id"])]
                    self._answer(answer)
            elif "id" in message:
                self._wanted.set()

    def _answer(self, line: bytes) -> None:
        """Write a line to the client."""
        with self._writing:
            self._write(line)

    def _note(self, line: bytes, message: lines.Message) -> None:
        """Remember what a reconnect must repeat or answer."""
        if "method" not in message:
            return
        if message["method"] == "logging/setLevel":  # the last one counts
            self._handshake = [one for one in self._handshake if b"logging/setLevel" not in one]
        if message["method"] in REPEATED:
            self._handshake.append(line)
        if message["method"] == "resources/unsubscribe":
            self._handshake = [one for one in self._handshake if not _subscribes_to(one, message)]
        if message["method"] == "notifications/cancelled":
            self._pending.pop(json.dumps(_cancelled(message)), None)
        if (number := lines.id_of(message)) is not None:
            is_call = message["method"] == "tools/call"
            again = self._link is None or not is_call or _only_reads(message)  # what was never sent may be sent
            self._pending[json.dumps(number)] = _Open(line, is_call, again)

    def _pump_down(self, link: socket.socket) -> None:
        with contextlib.suppress(OSError), link.makefile("rb") as down:
            for line in down:
                if found := _ANSWERED.match(line):
                    self._note_answer(json.dumps(json.loads(found[1])), line)
                self._answer(line)

    def _note_answer(self, number: str, line: bytes) -> None:
        """Forget a request; a handshake that was refused is none: a client whose first question was late tries both."""
        open_ = self._pending.pop(number, None)
        if open_ is not None and open_.line in self._handshake and "error" in json.loads(line):
            self._handshake.remove(open_.line)

    def _answer_lost(self) -> None:
        for number in [number for number, open_ in self._pending.items() if not open_.again]:
            self._answer(_failed(number, _LOST))
            del self._pending[number]

    def _refuse(self, stop: str) -> None:
        """Answer what is open: nobody works on it."""
        fault = _STOPPED[stop]
        if not stop:
            fault = fault._replace(text=f"{fault.text} {self._reason()}".strip())
        for number, open_ in self._pending.items():
            self._answer(_failed(number, fault) if open_.is_call else _error(number, f"{fault.text} {fault.recovery}"))
        self._pending.clear()

    def _reconnect(self) -> None:
        self._take(self._connect())

    def _take(self, link: "socket.socket | None") -> None:
        """Take a new front; nothing of the client's is sent before its handshake."""
        self._link = link
        self._has_met |= link is not None
        if link is None:
            self._refuse("")
            return
        with contextlib.suppress(OSError):
            self._repeat(link)
            if self._ended:
                link.shutdown(socket.SHUT_WR)
        self._pending = {
            number: open_._replace(again=not open_.is_call or _only_reads(json.loads(open_.line)))
            for number, open_ in self._pending.items()
        }

    def _skip_answer(self, link: socket.socket) -> None:
        """Read an answer that the client has already; what comes before it is news."""
        while (line := _read_line(link)) and not _ANSWERED.match(line):
            self._answer(line)

    def _repeat(self, link: socket.socket) -> None:
        """Repeat the handshake, and the requests that were not answered."""
        open_lines = [open_.line for open_ in self._pending.values()]
        for line in self._handshake:
            link.sendall(line)
            if b'"id"' in line and line not in open_lines:
                self._skip_answer(link)
        for line in open_lines:
            if line not in self._handshake:
                link.sendall(line)


def _subscribes_to(line: bytes, unsubscribe: lines.Message) -> bool:
    """Whether a line of the handshake subscribes to the resource that is to be watched no longer."""
    message = json.loads(line)
    return (message["method"], message.get("params")) == ("resources/subscribe", unsubscribe.get("params"))


def _only_reads(message: lines.Message) -> bool:
    """Whether a call may be made twice."""
    params = message.get("params")
    return isinstance(params, dict) and may_be_repeated(params.get("name"), params.get("arguments"))


def _read_line(link: socket.socket) -> bytes:
    """Read one line, byte by byte: what follows it is the next reader's. b"": the link has ended."""
    line = bytearray()
    while not line.endswith(b"\n") and (byte := link.recv(1)):
        line += byte
    return bytes(line)


def _cancelled(message: lines.Message) -> object:
    params = message.get("params")
    return params.get("requestId") if isinstance(params, dict) else None


def _failed(number: str, fault: Fault) -> bytes:
    """Answer a call as every other failure is answered."""
    error = {"code": fault.code, "message": fault.text, "recovery": fault.recovery}
    text = json.dumps({"status": "error", "error": error}, separators=(",", ":"))
    result = {"content": [{"type": "text", "text": text}], "isError": True, "resultType": "complete"}
    return _json({"jsonrpc": "2.0", "id": json.loads(number), "result": result})


def _error(number: str, text: str) -> bytes:
    error = {"code": lines.INTERNAL_ERROR, "message": text}
    return _json({"jsonrpc": "2.0", "id": json.loads(number), "error": error})


def _json(message: object) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def run(folders: Folders) -> int:
    """Serve the client on standard input and output until it goes; give the exit code."""
    wire = _own_output()
    if folders.stopped() == UNTIL_UP:
        sys.stderr.write(f"gasoline: {_STOPPED[UNTIL_UP].text} Run `gasoline up`.\n")
        return 1
    recorded = recorded_answers.load(folders.answers_file)
    front = _Front(folders)
    shim = Shim(front.connect, lambda data: _write_out(wire, data), folders.stopped, recorded, lambda: front.reason)
    code = shim.run(_read_in)
    if code:
        sys.stderr.write(f"gasoline: the system did not start; {folders.log_file} and `gasoline doctor` say why.\n")
    return code


class _Front:
    """Where the front is to be found. `reason`: why the system could not be started the last time, if that is known."""

    def __init__(self, folders: Folders) -> None:
        self._folders = folders
        self.reason = ""

    def connect(self) -> "socket.socket | None":
        """Connect to the front; start the system if there is none."""
        link = socket.socket(socket.AF_UNIX)
        try:
            link.connect(self._folders.mcp_socket)
        except OSError:
            link.close()
            return self._start()
        return link

    def _start(self) -> "socket.socket | None":
        from gasoline_bridge.front.starting import connect  # noqa: PLC0415 - they load what only a start needs
        from gasoline_broker.errors import GasolineError  # noqa: PLC0415
        from gasoline_broker.settings import Settings  # noqa: PLC0415

        try:
            self.reason = ""
            return connect(Settings.from_environ(), ["--compact"])
        except (GasolineError, OSError) as fault:
            self.reason = str(fault)
            sys.stderr.write(f"gasoline: {fault}\n")
            return None


def _read_in() -> bytes:
    """Read a line; of an endless one, as much as an answer may need."""
    line = rest = sys.stdin.buffer.readline(LINE_BYTES_READ)
    while rest and not rest.endswith(b"\n"):
        rest = sys.stdin.buffer.readline(LINE_BYTES_READ)
    return line


def _own_output() -> int:
    """Take the standard output for our lines alone: what a library prints goes to standard error from now on."""
    wire = os.dup(1)
    with contextlib.suppress(OSError):  # without a standard error both are the client's
        os.dup2(2, 1)
    return wire


def _write_out(wire: int, data: bytes) -> None:
    while data:
        data = data[os.write(wire, data) :]
