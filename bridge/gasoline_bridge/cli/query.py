"""Sends one ask to the running system, for a command that prints the answer."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import msgspec

from gasoline_broker import log, running
from gasoline_broker.actor.client import Link, register
from gasoline_broker.actor.wire import stop
from gasoline_broker.errors import NotRunning
from gasoline_broker.settings import Settings

LINK_S = 2.0  # a broker that runs registers and releases a process within milliseconds


def ask(settings: Settings, service: str, message: msgspec.Struct, kind: Any, ttl_s: float) -> Any:  # noqa: ANN401 - the caller names the type it gets
    """Ask a service, and give its answer, a `kind`.

    Raises:
        NotRunning: there is no system, or it has no such process.
        Failed: the answer is a Failure.

    """
    if not running.broker_pid(settings):
        raise NotRunning("The system is not running: `gasoline up` starts it.")
    if service == "supervisor" and running.find(settings) is None:
        raise NotRunning("The system was not started by `gasoline up`: whatever runs its processes must do this.")
    return asyncio.run(_ask(settings, service, message, kind, ttl_s))


@contextlib.asynccontextmanager
async def linked(settings: Settings) -> AsyncIterator[Link]:
    """Give a link, and sign off at its end: a process that leaves without that is counted as lost.

    A command prints its answer: of what happens to its link only what is wrong is logged, on stderr.
    """
    log.configure(msgspec.structs.replace(settings, log_level="warning"), "cli")
    async with Link(settings, register("cli")) as link:
        try:
            yield link
        finally:
            if link.connected:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(LINK_S):
                        await link.drain()


@contextlib.asynccontextmanager
async def linked_now(settings: Settings) -> AsyncIterator[Link]:
    """Give a link to the running system, as `linked`.

    Raises:
        NotRunning: there is no system, or its broker does not answer.

    """
    if not running.broker_pid(settings):
        raise NotRunning("The system is not running: `gasoline up` starts it.")
    async with linked(settings) as link:
        try:
            async with asyncio.timeout(LINK_S):
                await link.registered()
        except TimeoutError:
            raise NotRunning("The broker does not answer; `gasoline doctor` helps to find out why.") from None
        yield link


async def _ask(settings: Settings, service: str, message: msgspec.Struct, kind: Any, ttl_s: float) -> Any:  # noqa: ANN401 - the same
    async with linked_now(settings) as link:
        return (await link.ask(stop(service, message), ttl_s=ttl_s)).read(kind)
