"""A link that can go bad: carries bytes between peers and a broker, over Unix sockets or TCP, unless it must not."""

import asyncio
from pathlib import Path
from typing import Self

Place = Path | tuple[str, int]  # a Unix socket's path, or a host and port


class Pipe(asyncio.Protocol):
    """One end of one connection: what it reads is written to the other end, unless there is a hole."""

    def __init__(self, proxy: "Proxy", other: "Pipe | None" = None) -> None:
        self._proxy = proxy
        self._held: list[bytes] = []
        self.other = other
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Join the two ends."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self._proxy.pipes.add(self)
        if self.other is None:
            self._proxy.join(self)
        else:
            self.other.other = self
            self.other.flush()
        if self._proxy.holed:
            self.pause()

    def data_received(self, data: bytes) -> None:
        """Pass it on."""
        self._held.append(data)
        self.flush()

    def connection_lost(self, _: Exception | None) -> None:
        """End the other end, too; in a hole neither end notices."""
        self._proxy.pipes.discard(self)
        if self.other is not None and self.other.transport is not None and not self._proxy.holed:
            self.other.transport.close()

    def pause_writing(self) -> None:
        """Leave the rest to the sender."""
        if self.other is not None:
            self.other.pause()

    def resume_writing(self) -> None:
        """Go on, but not in a hole."""
        if self.other is not None and not self._proxy.holed:
            self.other.resume()

    def flush(self) -> None:
        if self.other is not None and self.other.transport is not None and not self._proxy.holed:
            for data in self._held:
                self.other.transport.write(data)
            self._held.clear()

    def pause(self) -> None:
        if self.transport is not None:
            self.transport.pause_reading()

    def resume(self) -> None:
        if self.transport is not None and not self.transport.is_closing():
            self.transport.resume_reading()

    def abort(self) -> None:
        if self.transport is not None:
            self.transport.abort()


class Proxy:
    """Listens at `near`, and carries every connection to `far`."""

    def __init__(self, near: Place, far: Place) -> None:
        self._near = near
        self._far = far
        self._joining: set[asyncio.Task[None]] = set()
        self.pipes: set[Pipe] = set()
        self.holed = False

    async def __aenter__(self) -> Self:
        """Listen."""
        loop = asyncio.get_running_loop()
        if isinstance(self._near, Path):
            self._server = await loop.create_unix_server(lambda: Pipe(self), str(self._near))
        else:
            self._server = await loop.create_server(lambda: Pipe(self), *self._near)
        return self

    async def __aexit__(self, *_: object) -> None:
        """End every connection."""
        self._server.close()
        self.reset()
        for joining in self._joining:
            joining.cancel()

    def join(self, pipe: Pipe) -> None:
        """Connect a new peer's pipe with the broker."""
        joining = asyncio.create_task(self._join(pipe))
        self._joining.add(joining)
        joining.add_done_callback(self._joining.discard)

    async def _join(self, pipe: Pipe) -> None:
        loop = asyncio.get_running_loop()
        try:
            if isinstance(self._far, Path):
                await loop.create_unix_connection(lambda: Pipe(self, pipe), str(self._far))
            else:
                await loop.create_connection(lambda: Pipe(self, pipe), *self._far)
        except OSError:  # no broker: the peer tries again
            pipe.abort()

    def hole(self) -> None:
        """Carry nothing any more, silently."""
        self.holed = True
        for pipe in self.pipes:
            pipe.pause()

    def heal(self) -> None:
        """Carry on, with what was held back first."""
        self.holed = False
        for pipe in self.pipes:
            pipe.flush()
            pipe.resume()

    def reset(self) -> None:
        """Cut every connection at once, and lose what is on its way."""
        for pipe in list(self.pipes):
            pipe.abort()
