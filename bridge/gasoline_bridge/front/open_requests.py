"""The requests of every session that the front has read and not answered yet."""

import asyncio

import mcp_types as types


class OpenRequests:
    """Keeps them, and waits for their answers."""

    def __init__(self) -> None:
        self._requests: dict[tuple[str, types.RequestId], str] = {}
        self._changed = asyncio.Event()
        self.closing = False

    def note_read(self, session: str, message: types.JSONRPCMessage) -> None:
        """Take in a message of the client; its answers to our questions have ids of ours."""
        match message:
            case types.JSONRPCRequest():
                self._requests[session, message.id] = message.method
            case types.JSONRPCNotification(method="notifications/cancelled", params=dict(params)):
                self._requests.pop((session, params.get("requestId", "")), None)
            case _:
                return
        self._changed.set()

    def note_written(self, session: str, message: types.JSONRPCMessage) -> None:
        """Take in a message to the client: what is answered is open no longer."""
        if isinstance(message, types.JSONRPCResponse | types.JSONRPCError) and message.id is not None:
            self._requests.pop((session, message.id), None)
            self._changed.set()

    def forget(self, session: str) -> None:
        """Wait for nothing of a session that has ended."""
        self._requests = {request: method for request, method in self._requests.items() if request[0] != session}
        self._changed.set()

    async def settled(self, session: str) -> None:
        """Wait until all of a session is answered but its calls, which end with it."""
        while any(of == session and method != "tools/call" for (of, _), method in self._requests.items()):
            self._changed.clear()
            await self._changed.wait()

    async def closed(self) -> None:
        """Have nothing more read, and wait until everything is answered."""
        self.closing = True
        while self._requests:
            self._changed.clear()
            await self._changed.wait()
