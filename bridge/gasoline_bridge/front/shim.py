"""The process that an MCP client starts: passes lines to the front and back, and starts the system if none runs.

Rules of this file:
- It imports almost nothing, for a client waits for it: the front is loaded already, once, for all clients.
- A front that dies or is restarted does not end the client's session: the shim connects again and repeats the client's
  handshake. Of what was under way it repeats what only reads; the rest is answered with an error, because how far it
  got is unknown.
- A line that is no message is answered here (`lines.py`): the front and its session never have to deal with it.
- Standard output carries the front's lines and nothing else.
"""

import contextlib
import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from gasoline_bridge.front import lines
from gasoline_bridge.front.reading_tools import READING

START_S = 20.0
RETRY_S = 0.02
LINE_BYTES_READ = 4 * lines.BYTES_MAX  # of a line that is too long, for the id that its answer needs
LOST = {
    "code": "outcome_unknown",
    "message": "Gasoline was restarted while it worked on this call.",
    "recovery": "Look at the page before you do it again: it may have happened.",
}
_ANSWERED = re.compile(rb'^\{"jsonrpc":"2\.0","id":("(?:[^"\\]|\\.)*"|-?\d+)')  # the front writes an answer's id first

Connect = Callable[[], "socket.socket | None"]


class Shim:
    """One client's session. `connect` gives a link to the front, or None when there is none to be had."""

    def __init__(self, connect: Connect, write: Callable[[bytes], None]) -> None:
        self._connect = connect
        self._write = write
        self._link: socket.socket | None = None
        self._sending = threading.Lock()
        self._writing = threading.Lock()
        self._pending: dict[str, bytes] = {}  # the client's open requests, by their id as JSON; b"": not to be repeated
        self._handshake: list[bytes] = []
        self._ended = False

    def run(self, read_line: Callable[[], bytes]) -> int:
        """Serve until the client goes; give the exit code."""
        self._link = self._connect()
        if self._link is None:
            return 1
        threading.Thread(target=self._pump_up, args=(read_line,), daemon=True).start()
        while self._link is not None:
            self._pump_down(self._link)
            with self._sending:
                self._link.close()
                self._link = None
                if self._ended:
                    return 0
                self._reconnect()
        return 1

    def _pump_up(self, read_line: Callable[[], bytes]) -> None:
        while line := read_line():
            message = lines.read(line)
            if isinstance(message, lines.Refusal):
                self._answer(message.line())
            elif message is not None:
                self._send(line, message)
        with self._sending, contextlib.suppress(OSError):
            self._ended = True
            if self._link is not None:
                self._link.shutdown(socket.SHUT_WR)  # the front cancels what is running

    def _send(self, line: bytes, message: lines.Message) -> None:
        """Pass a message on; one that meets no front is passed on by the reconnect."""
        with self._sending, contextlib.suppress(OSError):
            self._note(line, message)
            if self._link is not None:
                self._link.sendall(line)

    def _answer(self, line: bytes) -> None:
        """Write a line to the client."""
        with self._writing:
            self._write(line)

    def _note(self, line: bytes, message: lines.Message) -> None:
        """Remember what a reconnect must repeat or answer."""
        if "method" not in message:
            return
        if message["method"] in ("initialize", "notifications/initialized"):
            self._handshake.append(line)
        if message["method"] == "notifications/cancelled":
            self._pending.pop(json.dumps(_cancelled(message)), None)
        if (number := lines.id_of(message)) is not None:
            self._pending[json.dumps(number)] = line if _only_reads(message) else b""

    def _pump_down(self, link: socket.socket) -> None:
        with contextlib.suppress(OSError), link.makefile("rb") as down:
            for line in down:
                if found := _ANSWERED.match(line):
                    self._pending.pop(json.dumps(json.loads(found[1])), None)
                self._answer(line)

    def _reconnect(self) -> None:
        """Connect again; nothing of the client's is sent before its handshake."""
        for number in [number for number, line in self._pending.items() if not line]:
            self._answer(_lost(number))
            del self._pending[number]
        self._link = self._connect()
        if self._link is not None:
            with contextlib.suppress(OSError):
                self._repeat(self._link)

    def _repeat(self, link: socket.socket) -> None:
        """Repeat the handshake, and the requests that were not answered."""
        for line in self._handshake:
            link.sendall(line)
            if b'"id"' in line and line not in self._pending.values():
                _read_line(link)  # the client has this answer already
        for line in self._pending.values():
            if line not in self._handshake:
                link.sendall(line)


def _only_reads(message: lines.Message) -> bool:
    if message["method"] != "tools/call":
        return True  # every other request of the protocol only asks
    params = message.get("params")
    return isinstance(params, dict) and params.get("name") in READING


def _read_line(link: socket.socket) -> None:
    """Read one line, byte by byte: what follows it is the next reader's."""
    while link.recv(1) not in (b"\n", b""):
        pass


def _cancelled(message: lines.Message) -> object:
    params = message.get("params")
    return params.get("requestId") if isinstance(params, dict) else None


def _lost(number: str) -> bytes:
    """Answer a call that acts as every other failure is answered; how far it got is not known."""
    text = json.dumps({"status": "error", "error": LOST}, separators=(",", ":"))
    result = {"content": [{"type": "text", "text": text}], "isError": True, "resultType": "complete"}
    return f'{{"jsonrpc":"2.0","id":{number},"result":{json.dumps(result, separators=(",", ":"))}}}\n'.encode()


def run(mcp_socket: Path, log_file: Path) -> int:
    """Serve the client on standard input and output until it goes; give the exit code."""
    code = Shim(lambda: connect(mcp_socket, log_file), _write_out).run(_read_in)
    if code:
        sys.stderr.write(f"gasoline: the system did not start; {log_file} and `gasoline doctor` say why.\n")
    return code


def _read_in() -> bytes:
    """Read a line; of an endless one, as much as an answer may need."""
    line = rest = sys.stdin.buffer.readline(LINE_BYTES_READ)
    while rest and not rest.endswith(b"\n"):
        rest = sys.stdin.buffer.readline(LINE_BYTES_READ)
    return line


def _write_out(data: bytes) -> None:
    while data:
        data = data[os.write(1, data) :]


def connect(mcp_socket: Path, log_file: Path, options: Sequence[str] = ()) -> socket.socket | None:
    """Connect to the front; start the system (with these options) when none listens. None: it does not start."""
    if link := _try(mcp_socket):
        return link
    system = _start(log_file, options)
    until = time.monotonic() + START_S
    while time.monotonic() < until:
        if link := _try(mcp_socket):
            return link
        if system.poll() not in (None, 0):  # 0: another one runs it already
            return _try(mcp_socket)  # the processes may have been started by another runner
        time.sleep(RETRY_S)
    return None


def _try(mcp_socket: Path) -> socket.socket | None:
    link = socket.socket(socket.AF_UNIX)
    try:
        link.connect(str(mcp_socket))
    except OSError:
        link.close()
        return None
    return link


def _start(log_file: Path, options: Sequence[str]) -> "subprocess.Popen[bytes]":
    """Start `gasoline up` in a session of its own: it outlives this client, and serves the next."""
    log_file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    fd = os.open(log_file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        return subprocess.Popen(  # noqa: S603 - the options are our own command line's
            [sys.executable, "-P", "-m", "gasoline_bridge.cli.entry", "up", *options],
            stdin=subprocess.DEVNULL,
            stdout=fd,
            stderr=fd,
            start_new_session=True,
            cwd="/",
        )
    finally:
        os.close(fd)
