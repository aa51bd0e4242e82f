"""Stands in for the bridge: the same socket, checks and messages, and what it heard; it must not know a page."""

import asyncio
import json
import secrets
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final

import msgspec
from aiohttp import WSMsgType, web

import reply_fields
from gasoline_bridge.chrome.link_socket import TAKEN
from gasoline_bridge.chrome.proof import Proofs

Message = dict[str, Any]
"""One JSON object of the link."""

BOUND_S: Final = 30.0
"""The longest that anything here waits for the extension."""

TIMEOUT_MS: Final = 9_800
"""What a command is given when the test does not say."""


class BridgeDouble:
    """A bridge that a test can stop and start on its port, make slow to acknowledge, and look into the journal of."""

    def __init__(self, token: str, origin: str, port: int) -> None:
        self.token = token
        self.proofs = Proofs(token, port)
        self.origin = origin
        self.port = port
        self.acknowledging = True
        self.storing = True
        self.stored: dict[str, Message] = {}
        self.status = 200
        self.taken = False  # by another browser
        self.client: Message | None = None
        self.heard: list[Message] = []
        self._answers: dict[str, Message] = {}  # by their ids: what was heard in a whole run is long
        self.requests: list[dict[str, str]] = []
        self._socket: web.WebSocketResponse | None = None
        self._runner: web.AppRunner | None = None
        self._news = asyncio.Condition()

    async def start(self) -> None:
        """Listen."""
        application = web.Application()
        application.add_routes([web.get("/proof", self._prove), web.get("/link", self._link)])
        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.5)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self.port, reuse_address=True).start()

    async def stop(self) -> None:
        """Close the connection and stop listening."""
        await self.hang_up()
        if self._runner:
            await self._runner.cleanup()
            self._runner = None

    async def restore(self) -> None:
        """Listen and behave as at first, and wait until the extension is there."""
        self.acknowledging, self.storing, self.status, self.client = True, True, 200, None
        self.taken = False
        if self._runner is None:
            await self.start()
        await self.until_connected()

    async def hang_up(self) -> None:
        """Close the connection, and keep listening."""
        if self._socket:
            await self._socket.close()

    @property
    def connected(self) -> bool:
        """Whether the extension has said hello on a connection that is still open."""
        return self._socket is not None and not self._socket.closed

    async def until_connected(self, bound_s: float = BOUND_S) -> None:
        """Wait until the extension has said hello."""
        await self._until(lambda: self.connected, "the extension to connect", bound_s)

    async def until_heard(self, bound_s: float = BOUND_S, **fields: object) -> Message:
        """Wait for a message with these fields, one that came before included, and return the last such."""

        def found() -> Message | None:
            return next((said for said in reversed(self.heard) if fields.items() <= said.items()), None)

        await self._until(found, f"a message with {fields}", bound_s)
        said = found()
        assert said is not None
        return said

    def events(self, tab: int | None = None, **fields: object) -> list[Message]:
        """Give the events that were stored, in order: of a tab, and with these fields."""
        chunks = [chunk for chunk in self.stored.values() if tab is None or chunk["tab"] == tab]
        return [event for chunk in chunks for event in chunk["events"] if fields.items() <= event.items()]

    async def until_stored(self, count: int = 1, tab: int | None = None, **fields: object) -> list[Message]:
        """Wait until so many events of a tab, with these fields, are stored, and give all such."""
        await self._until(lambda: len(self.events(tab, **fields)) >= count, f"{count} events with {fields}", BOUND_S)
        return self.events(tab, **fields)

    async def _until(self, holds: Callable[[], object], what: str, bound_s: float) -> None:
        try:
            async with asyncio.timeout(bound_s), self._news:
                await self._news.wait_for(holds)
        except TimeoutError:
            raise TimeoutError(f"Waited {bound_s} s for {what}; heard {self.heard[-5:]}") from None

    async def say(self, message: Message | str) -> None:
        """Send a message, or a text that is none."""
        assert self._socket is not None
        await self._socket.send_str(message if isinstance(message, str) else json.dumps(message))

    async def command(self, name: str, arguments: Message, timeout_ms: int = TIMEOUT_MS, id_: str | None = None) -> str:
        """Send a command, and return its id; in the name of `client`, if there is one."""
        number = id_ or secrets.token_hex(16)
        command = {"type": "command", "id": number, "name": name, "arguments": arguments, "timeout_ms": timeout_ms}
        await self.say(command | ({"client": self.client} if self.client else {}))
        return number

    async def ask(self, name: str, arguments: Message, timeout_ms: int = TIMEOUT_MS) -> Message:
        """Send a command and wait for what comes of it: a message with a `result` or an `error`."""
        number = await self.command(name, arguments, timeout_ms)
        await self._until(lambda: number in self._answers, f"an answer to {name} {arguments}", BOUND_S)
        return self._answers.pop(number)

    async def result(self, name: str, **arguments: object) -> Any:
        """Send a command, and return its result."""
        answer = await self.ask(name, arguments)
        assert "result" in answer, answer
        reply_fields.note_answer(name, answer["result"])
        return answer["result"]

    async def error(self, name: str, **arguments: object) -> Message:
        """Send a command, and return the error that it ends with."""
        answer = await self.ask(name, arguments)
        assert "error" in answer, answer
        error: Message = answer["error"]
        return error

    async def _prove(self, request: web.Request) -> web.Response:
        if self.status != HTTPStatus.OK:
            return web.Response(status=self.status)
        return web.json_response(msgspec.to_builtins(self.proofs.give(request.query["nonce"])))

    async def _link(self, request: web.Request) -> web.StreamResponse:
        self.requests.append(dict(request.headers))
        shown = request.headers.get("Sec-WebSocket-Protocol", "").removeprefix("gasoline.v1, proof.")
        exchange = self.proofs.take(shown)
        if request.headers.get("Origin") != self.origin or exchange is None:
            return web.Response(status=403)
        socket = web.WebSocketResponse(protocols=["gasoline.v1"], max_msg_size=16 * 1024 * 1024)
        await socket.prepare(request)
        if self.taken:
            await socket.close(code=TAKEN)
            return socket
        welcome = {"type": "welcome", "name": "gasoline", "version": "0.1.0", "proof": self.proofs.welcome(exchange)}
        await socket.send_json(welcome)
        async for frame in socket:
            if frame.type is WSMsgType.TEXT:
                await self._hear(socket, json.loads(frame.data))
        async with self._news:
            self._news.notify_all()
        return socket

    async def _hear(self, socket: web.WebSocketResponse, said: Message) -> None:
        if said["type"] == "hello":
            self._socket = socket
        if said["type"] == "result":
            self._answers[said["id"]] = said
        if said["type"] in ("result", "clear") and self.acknowledging:
            await socket.send_json({"type": "acknowledge", "id": said["id"]})
        if said["type"] == "events" and self.storing:
            for chunk in said["chunks"]:
                self.stored.setdefault(chunk["id"], chunk)
            await socket.send_json({"type": "stored", "ids": [chunk["id"] for chunk in said["chunks"]]})
        async with self._news:
            self.heard.append(said)
            self._news.notify_all()
