"""A process that outlives the supervisor for a moment, and kills the children that do not end by themselves.

Rules of this file:
- A child that is stopped, or that never releases its interpreter, does not see that its supervisor is gone. This
  process sees it: the socket to the supervisor ends with every kind of death.
- It receives a descriptor of each child (pidfd_open(2)), not a number: a number that another process reuses cannot be
  hit, and a descriptor becomes readable when its process has ended.
- It imports little of the standard library and nothing else: it starts in 20 ms.
"""

import contextlib
import os
import select
import signal
import socket
import sys
import time
from collections.abc import Iterable

GRACE_S = 4.0  # what an orphan has to end by itself (ORPHAN_S in actor.py): none is left after 5 s


def hold(supervisor: socket.socket) -> set[int]:
    """Receive descriptors of processes until the supervisor is gone; return those whose processes still live."""
    children: set[int] = set()
    while True:
        ready = _ready([supervisor.fileno(), *children])
        for ended in children & ready:
            os.close(ended)
        children -= ready
        if supervisor.fileno() in ready:
            received, descriptors, _, _ = socket.recv_fds(supervisor, 1, 1)
            if not received:
                return children
            children.update(descriptors)


def end(children: set[int], grace_s: float = GRACE_S) -> None:
    """Wait until these processes have ended, for so many seconds at most; then kill what is left."""
    until = time.monotonic() + grace_s
    while children and (left_s := until - time.monotonic()) > 0:
        children -= _ready(children, left_s)
    for child in children:
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(child, signal.SIGKILL)


def _ready(fds: Iterable[int], wait_s: float | None = None) -> set[int]:
    poller = select.poll()
    for fd in fds:
        poller.register(fd, select.POLLIN)
    return {fd for fd, _ in poller.poll(None if wait_s is None else wait_s * 1000)}


if __name__ == "__main__":
    end(hold(socket.socket(fileno=int(sys.argv[1]))))
