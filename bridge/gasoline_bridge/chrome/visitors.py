"""Bounds what strangers can take of the bridge's port: connections and their time.

Rules of this file:
- A connection is a stranger's until a request on it has shown the token or a proof of it. Strangers have a share of the
  connections; beyond it the oldest one is closed. The rest is for the extension and for clients with the token.
- The headers of a connection's first request have 5 s.
"""

import asyncio
import resource

HEADERS_S = 5.0  # a program on this machine needs milliseconds
KEEP_ALIVE_S = 15.0  # for another request: clients that poll ask each second
LINGERING_S = 1.0  # for the rest of a body that is refused
STRANGERS_MAX = 256


def strangers_max() -> int:
    """Give how many strangers may be connected: at most half of the files that this process may open."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return STRANGERS_MAX if files == resource.RLIM_INFINITY else min(STRANGERS_MAX, files // 2)


class Visitors:
    """The connections that have shown nothing yet, oldest first, each with the timer that ends it."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._strangers: dict[asyncio.BaseTransport, asyncio.TimerHandle] = {}

    def came(self, transport: asyncio.BaseTransport) -> None:
        """Take in a new connection, and close the oldest stranger's if there are too many."""
        loop = asyncio.get_running_loop()
        self._strangers[transport] = loop.call_later(HEADERS_S, self._end, transport)
        if len(self._strangers) > self._most:
            self._end(next(iter(self._strangers)))

    def has_asked(self, transport: asyncio.BaseTransport | None) -> None:
        """Note that the headers of a request have come."""
        if transport in self._strangers:
            self._strangers[transport].cancel()

    def is_known(self, transport: asyncio.BaseTransport | None) -> None:
        """Note that a connection is no stranger's, or has ended."""
        if transport in self._strangers:
            self._strangers.pop(transport).cancel()

    def _end(self, transport: asyncio.BaseTransport) -> None:
        self.is_known(transport)
        if isinstance(transport, asyncio.Transport):
            transport.abort()


class Visitor(asyncio.Protocol):
    """One connection: passes everything on to the HTTP server's protocol, and reports when it begins and ends."""

    def __init__(self, visitors: Visitors, served: asyncio.Protocol) -> None:
        self._visitors = visitors
        self._served = served
        self._transport: asyncio.BaseTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        self._transport = transport
        self._visitors.came(transport)
        self._served.connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self._visitors.is_known(self._transport)
        self._served.connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Pass on."""
        self._served.data_received(data)

    def eof_received(self) -> bool | None:
        """Pass on."""
        return self._served.eof_received()

    def pause_writing(self) -> None:
        """Pass on."""
        self._served.pause_writing()

    def resume_writing(self) -> None:
        """Pass on."""
        self._served.resume_writing()
