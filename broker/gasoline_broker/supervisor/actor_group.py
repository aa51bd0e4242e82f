"""Runs several actors in one process, each with its own place at the broker; it computes nothing itself.

Rules of this file:
- One for one, as the supervisor has it for processes: an actor that ends by a fault is started again alone, after a
  pause; one that cannot start, or that fails too often, ends the process.
- What ends or hangs the whole process is the supervisor's to restart: what every actor held is then assigned again.
- Each actor's lines in the log have its own name.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import structlog

from gasoline_broker.actor.actor import Actor, where
from gasoline_broker.actor.client import Step
from gasoline_broker.errors import AlreadyRunning, CannotStart, fail
from gasoline_broker.messages import ActorRestarted, RestartActor
from gasoline_broker.settings import Settings
from gasoline_broker.supervisor.restart_policy import RestartBudget

logger = structlog.get_logger()

Make = Callable[[Settings], Actor[Any]]


class Life(NamedTuple):
    """One life of an actor: the task that serves, and what ends it."""

    serving: asyncio.Task[None]
    stopping: asyncio.Event


class ActorGroup(Actor[RestartActor]):
    """The process of several actors. `makes`: what makes each, by its service."""

    service = "workers"
    accepts = RestartActor
    capacity = 4  # it waits for its actors

    def __init__(self, settings: Settings, makes: Mapping[str, Make]) -> None:
        super().__init__(settings)
        self._makes = makes
        self._lives: dict[str, Life] = {}
        self._fault: CannotStart | AlreadyRunning | None = None

    async def serve(self, stopping: asyncio.Event) -> None:
        """Serve until `stopping` is set.

        Raises:
            CannotStart: an actor cannot do its work here, or failed too often.
            AlreadyRunning: another process does an actor's work.

        """
        self._stopping = stopping
        await super().serve(stopping)
        if self._fault is not None:
            raise self._fault

    async def started(self) -> None:
        """Start the actors, in their order."""
        self._keeping = [asyncio.create_task(self._keep(service, make)) for service, make in self._makes.items()]

    async def leaving(self) -> None:
        """Have each actor finish what it holds."""
        for life in self._lives.values():
            life.stopping.set()
        await asyncio.wait(self._keeping)

    async def stopping(self) -> None:
        """Wait for those that take as long as they may."""
        await self.leaving()

    async def receive(self, message: RestartActor, _step: Step) -> ActorRestarted:
        """Stop an actor; it is started again at once."""
        life = self._lives.get(message.service)
        if life is None:
            valid = list(self._makes)
            fail("invalid_params", f"{message.service} is no actor of this process.", f"Valid: {', '.join(valid)}.")
        life.stopping.set()
        await asyncio.wait([life.serving])
        return ActorRestarted()

    async def _keep(self, service: str, make: Make) -> None:
        structlog.contextvars.bind_contextvars(process=service)  # of this task, and of what it starts
        budget = RestartBudget()
        while not self._stopping.is_set():
            begun, stopping = time.monotonic(), asyncio.Event()
            life = self._lives[service] = Life(asyncio.create_task(make(self.settings).serve(stopping)), stopping)
            await asyncio.wait([life.serving])
            if fault := life.serving.exception():
                await self._pause(fault, budget, begun)

    async def _pause(self, fault: BaseException, budget: RestartBudget, begun: float) -> None:
        """Wait after an actor's end by a fault until it may be started again; or have the process end."""
        now = time.monotonic()
        try:
            if isinstance(fault, CannotStart | AlreadyRunning):
                raise fault
            pause_s = budget.pause_s(now, now - begun)
        except (CannotStart, AlreadyRunning) as futile:
            self._fault = futile
            self._stopping.set()
            return
        logger.error("actor_died", fault=type(fault).__name__, at=where(fault), pause_s=pause_s)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(pause_s):
                await self._stopping.wait()
