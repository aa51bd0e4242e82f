"""Notifies clients of resources that have changed: a page has a new error, or a person has finished drawing.

Rules of this file:
- A resource is watched only while a client of this session wants to know; nothing is watched twice.
- What cannot be looked at for a while has not changed: the watch goes on.
- A client hears that something is new, never what: it reads the resource, by way of redaction.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import mcp_types as types
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourceUpdated
from mcp.shared.exceptions import MCPError

from gasoline_bridge.front.calls import Calls
from gasoline_bridge.front.drawings import UNKNOWN
from gasoline_bridge.front.resources import ANNOTATIONS, JOURNAL

ERRORS = f"{JOURNAL}errors"
WATCHED = (ERRORS, ANNOTATIONS)

Notify = Callable[[str], Awaitable[None]]


class Subscriptions:
    """The subscriptions of one session, in either era of the protocol."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self._bus = InMemorySubscriptionBus()
        self._stream = ListenHandler(self._bus)
        self._watches: dict[str, asyncio.Task[None]] = {}
        self._wanted: dict[str, int] = {}  # how many of the session's subscriptions want each
        self._own: set[str] = set()  # those of `resources/subscribe`

    async def subscribe(self, context: Any, params: types.SubscribeRequestParams) -> types.EmptyResult:  # noqa: ANN401 - the SDK's own types
        """Watch a resource, in the eras until 2025-11-25."""
        uri = str(params.uri)
        if uri not in WATCHED:
            raise MCPError(types.INVALID_PARAMS, f"{uri[:80]!r} does not change. Subscribe to {' or '.join(WATCHED)}.")
        if uri not in self._own:
            self._own.add(uri)
            await self._want([uri], context.session.send_resource_updated)
        return types.EmptyResult()

    async def unsubscribe(self, _context: Any, params: types.UnsubscribeRequestParams) -> types.EmptyResult:  # noqa: ANN401 - the same
        """Watch it no longer."""
        uri = str(params.uri)
        if uri in self._own:
            self._own.remove(uri)
            self._leave([uri])
        return types.EmptyResult()

    async def listen(
        self,
        context: Any,  # noqa: ANN401 - the SDK's own type
        params: types.SubscriptionsListenRequestParams,
    ) -> types.SubscriptionsListenResult:
        """Serve one stream of `subscriptions/listen`, since 2026-07-28."""
        uris = [uri for uri in params.notifications.resource_subscriptions or () if uri in WATCHED]

        async def publish(uri: str) -> None:
            await self._bus.publish(ResourceUpdated(uri=uri))

        await self._want(uris, publish)
        try:
            return await self._stream(context, params)
        finally:
            self._leave(uris)

    def close(self) -> None:
        """Watch nothing more."""
        for watch in self._watches.values():
            watch.cancel()

    async def _want(self, uris: Iterable[str], notify: Notify) -> None:
        """Watch from now on: what comes after this returns is heard."""
        for uri in uris:
            self._wanted[uri] = self._wanted.get(uri, 0) + 1
            if uri not in self._watches:
                count = self._calls.newest_error if uri == ERRORS else self._calls.ended_drawings
                self._watches[uri] = asyncio.create_task(_watch(uri, count, await count(UNKNOWN), notify))

    def _leave(self, uris: Iterable[str]) -> None:
        for uri in uris:
            self._wanted[uri] -= 1
            if not self._wanted[uri]:
                self._watches.pop(uri).cancel()


async def _watch(uri: str, count: Callable[[int], Awaitable[int]], known: int, notify: Notify) -> None:
    """Notify of each count that differs from the one that is known, which `count` gets; UNKNOWN is none."""
    while True:
        now = await count(known)
        if UNKNOWN not in (known, now) and now != known:
            with contextlib.suppress(ConnectionError):
                await notify(uri)
        if now != UNKNOWN:
            known = now
