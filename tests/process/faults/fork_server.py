"""Starts the processes of the fault tests in milliseconds: forks itself, with everything already imported.

A line `[KEY, SETTINGS, WHAT, ARGUMENTS]`, in JSON, starts a process; `KEY began PID` and `KEY ended CODE` are printed.
It ends when its input does, and its processes with it.
"""

import contextlib
import os
import select
import signal
import sys
from collections.abc import Callable, Mapping

import msgspec

from gasoline_broker.hub import server
from gasoline_broker.settings import Settings
from process.faults import asker, worker_app

MAINS: Mapping[str, Callable[..., None]] = {"broker": server.run, "worker_app": worker_app.main, "asker": asker.main}

decode = msgspec.json.Decoder(tuple[str, dict[str, str], str, list[str]]).decode


def _child(settings: Settings, what: str, arguments: list[str]) -> None:
    code = 1
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.dup2(os.open(os.devnull, os.O_RDWR), 0)
        os.dup2(0, 1)
        MAINS[what](settings, *arguments)
        code = 0
    finally:
        os._exit(code)


def main() -> None:
    """Serve until the input ends."""
    alive, closing = os.pipe()  # held open by us alone: a process forked from us ends with us
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    keys: dict[int, str] = {}
    rest = b""
    while True:
        ready, _, _ = select.select([0, reading], [], [])
        if reading in ready:
            os.read(reading, 4096)
            _reap(keys)
        if 0 in ready:
            if not (data := os.read(0, 65536)):
                break
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                key, environ, what, arguments = decode(line)
                pid = os.fork()
                if not pid:
                    os.close(closing)
                    settings = msgspec.structs.replace(Settings.from_environ(environ), lifeline_fd=alive)
                    _child(settings, what, arguments)
                keys[pid] = key
                _say(f"{key} began {pid}")
    for pid in keys:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _reap(keys: dict[int, str]) -> None:
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return
            _say(f"{keys.pop(pid)} ended {os.waitstatus_to_exitcode(status)}")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
