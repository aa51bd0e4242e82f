"""Starts a process of ours as a fork of this one, with which it then shares what both have imported.

Rules of this file:
- Only before this process has a thread, an event loop or a socket: a fork would have half of them.
- Only where the system has process descriptors (Linux): the end of such a process is awaited by one.
"""

import asyncio
import itertools
import os
import signal
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from typing import NoReturn

Main = Callable[[Sequence[str]], None]
"""Runs a `gasoline` command, given without that name, in this process."""

CAN_FORK = hasattr(os, "pidfd_open")
COMM_CHARACTERS = 15  # of a process's name in the list of processes (proc(5), comm)


class Forked:
    """A process that was forked from this one; what asyncio's Process has and a Child needs."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._fd = os.pidfd_open(pid)
        self._ended: asyncio.Event | None = None

    async def wait(self) -> int:
        """Wait for its end; return the exit code."""
        if self._ended is None:
            self._ended = asyncio.Event()
            asyncio.get_running_loop().add_reader(self._fd, self._end)
        await self._ended.wait()
        return self.returncode or 0

    def _end(self) -> None:
        asyncio.get_running_loop().remove_reader(self._fd)
        os.close(self._fd)
        _, status = os.waitpid(self.pid, 0)
        self.returncode = os.waitstatus_to_exitcode(status)
        if self._ended is not None:
            self._ended.set()

    def terminate(self) -> None:
        """Ask it to end."""
        self._signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it."""
        self._signal(signal.SIGKILL)

    def _signal(self, number: signal.Signals) -> None:
        if self.returncode is None:
            signal.pidfd_send_signal(self._fd, number)


def start(
    main: Main, arguments: Sequence[str], environ: Mapping[str, str], stderr: int, pass_fds: Sequence[int]
) -> Forked:
    """Start `gasoline` with these arguments, as an executed one would: in a session of its own, reading nothing."""
    pid = os.fork()
    if not pid:
        _run(main, arguments, environ, stderr, pass_fds)
    return Forked(pid)


def _run(
    main: Main, arguments: Sequence[str], environ: Mapping[str, str], stderr: int, pass_fds: Sequence[int]
) -> NoReturn:
    code: object = 1
    try:
        os.setsid()
        _keep_files(stderr, pass_fds)
        _name(" ".join(["gasoline", *arguments[:2]]))
        os.environ.clear()
        os.environ.update(environ)
        sys.argv = [sys.argv[0], *arguments]
        main(arguments)
        code = 0
    except SystemExit as end:
        code = end.code
    except BaseException:  # noqa: BLE001 - the end of a process: as the interpreter does
        traceback.print_exc()
    finally:
        os._exit(code if isinstance(code, int) else int(code is not None))


def _keep_files(stderr: int, pass_fds: Sequence[int]) -> None:
    """Close every file but those that an executed process would have."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for place, file in enumerate((nothing, nothing, stderr)):
        os.dup2(file, place)
    ends = [2, *sorted(pass_fds), os.sysconf("SC_OPEN_MAX")]
    for before, after in itertools.pairwise(ends):
        os.closerange(before + 1, after)


def _name(command: str) -> None:
    """Name the process in the list of processes, where it would be another `gasoline up`."""
    try:
        with open("/proc/self/comm", "w") as file:  # noqa: PTH123 - no import in a fork
            file.write(command[:COMM_CHARACTERS])
    except OSError:
        pass
