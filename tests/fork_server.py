"""Starts the tests' Python processes in milliseconds: forks itself, with everything already imported.

Started as `python fork_server.py FD`, with a listening socket. A connection starts one process: it sends the request
and the process's stdin, stdout and stderr, receives the pid and then the exit code, and ends the process by closing.
"""

import contextlib
import importlib
import os
import pkgutil
import runpy
import select
import signal
import socket
import sys
import traceback
from typing import NoReturn

import msgspec

REQUEST_BYTES_MAX = 200_000  # what a socket that keeps messages whole carries: net.core.wmem_default is 212,992
PACKAGES = "gasoline_broker", "gasoline_workers", "gasoline_bridge.cli"
MODULES = (
    "gasoline_bridge.front.shim",
    "process.echo",
    "process.faults.worker_app",
    "process.faults.asker",
    "process.faults.store_app",
)


class Request(msgspec.Struct, array_like=True):
    """A `python` command line to run, and where."""

    arguments: list[str]
    environ: dict[str, str]
    folder: str
    umask: int


decode = msgspec.json.Decoder(Request).decode


def main(fd: int) -> None:
    """Serve until the standard input ends, and leave no process behind."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is the tests' to handle, who then end us
    _import_all()
    listener = socket.socket(fileno=fd)
    links: dict[
        int, tuple[socket.socket, int, int]
    ] = {}  # by the file that becomes readable: of a link, or of a process
    while True:
        ready, _, _ = select.select([0, fd, *links], [], [])
        if 0 in ready:
            break
        if fd in ready:
            link, _ = listener.accept()
            pid, ended = _start(link)
            links[link.fileno()] = links[ended] = link, pid, ended
        for file in ready:
            if file in links:
                _notice(file, *links[file], links)
    for _link, pid, _ended in links.values():
        os.kill(pid, signal.SIGKILL)


def _import_all() -> None:
    for package in PACKAGES:
        module = importlib.import_module(package)
        for found in pkgutil.walk_packages(module.__path__, f"{package}."):
            importlib.import_module(found.name)
    for name in MODULES:
        importlib.import_module(name)


def _start(link: socket.socket) -> tuple[int, int]:
    data, files, _, _ = socket.recv_fds(link, REQUEST_BYTES_MAX, 3)
    pid = os.fork()
    if not pid:
        _run(decode(data), files)
    for file in files:
        os.close(file)
    link.send(str(pid).encode())
    return pid, os.pidfd_open(pid)


def _notice(
    file: int, link: socket.socket, pid: int, ended: int, links: dict[int, tuple[socket.socket, int, int]]
) -> None:
    """Report a process that has ended; end one whose link was closed."""
    if file != ended:
        del links[file]
        os.kill(pid, signal.SIGKILL)
        return
    _, status = os.waitpid(pid, 0)
    del links[ended]
    links.pop(link.fileno(), None)
    os.close(ended)
    with contextlib.suppress(OSError):  # nobody waits for it
        link.send(str(os.waitstatus_to_exitcode(status)).encode())
    link.close()


def _run(request: Request, files: list[int]) -> NoReturn:
    """Be `python ARGUMENTS`, with nothing of ours but the imported modules."""
    code: object = 1
    try:
        for place, file in enumerate(files):
            os.dup2(file, place)
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.chdir(request.folder)
        if request.umask >= 0:
            os.umask(request.umask)
        os.environ.clear()
        os.environ.update(request.environ)
        _run_python(request.arguments)
        code = 0
    except SystemExit as end:
        code = end.code
    except BaseException:  # noqa: BLE001 - as the interpreter does
        traceback.print_exc()
    finally:
        if isinstance(code, str):
            sys.stderr.write(f"{code}\n")
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else int(code is not None))


def _run_python(arguments: list[str]) -> None:
    if arguments[0] == "-c":
        sys.argv = ["-c", *arguments[2:]]
        exec(arguments[1], {"__name__": "__main__"})  # noqa: S102 - as `python -c` does
        return
    sys.argv = arguments
    runpy.run_path(arguments[0], run_name="__main__")


if __name__ == "__main__":
    main(int(sys.argv[1]))
