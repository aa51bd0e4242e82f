"""One process of the supervisor: started, restarted when it dies, and stopped."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from typing import Protocol

import structlog

from gasoline_broker.errors import CANNOT_START, CannotStart
from gasoline_broker.messages import ProcessStatus
from gasoline_broker.supervisor.procfile import Place
from gasoline_broker.supervisor.restart_policy import RestartBudget

STOP_S = 8.0  # longer than an actor drains and then lingers (5 s and 2 s)

logger = structlog.get_logger()


class Process(Protocol):
    """A started process, as asyncio has it."""

    pid: int

    @property
    def returncode(self) -> int | None: ...  # noqa: D102 - asyncio's documentation has these

    async def wait(self) -> int: ...  # noqa: D102

    def terminate(self) -> None: ...  # noqa: D102

    def kill(self) -> None: ...  # noqa: D102


class Child:
    """The process of one place, which runs these actors if it runs several. `start` starts it once."""

    def __init__(
        self, place: Place, start: Callable[["Child"], Awaitable[Process]], actors: tuple[str, ...] = ()
    ) -> None:
        self.place = place
        self.actors = actors
        self.stopping = False
        self._keeping: asyncio.Task[None] | None = None
        self._start = start
        self._process: Process | None = None
        self._again = False
        self.begun = 0.0  # when it was started last (monotonic, s)
        self.restarts = 0

    @property
    def pid(self) -> int:
        """The process's number while it lives, else 0."""
        return self._process.pid if self._process is not None and self._process.returncode is None else 0

    async def keep(self) -> None:
        """Keep it running until cancelled.

        Raises:
            CannotStart: it cannot do its work here, or died too often.

        """
        budget, self._keeping = RestartBudget(), asyncio.current_task()
        while not self.stopping:
            self.begun = time.monotonic()
            try:
                self._process = await self._start(self)
            except OSError as fault:  # the system has no process or file left
                code, fault_text = -1, str(fault)
                logger.warning("process_not_started", name=self.place.name, reason=fault_text)
            else:
                code = await self._process.wait()
            if self._again:
                self._again = False
                continue
            if code == CANNOT_START:
                raise CannotStart("it cannot work here; its own error is above.")
            now = time.monotonic()
            pause_s = budget.pause_s(now, now - self.begun)
            logger.warning("process_died", name=self.place.name, code=code, pause_s=pause_s)
            await asyncio.sleep(pause_s)
            self.restarts += 1

    def kill(self, reason: str) -> None:
        """Kill it; `keep` starts it again."""
        if self._process is not None and self.pid:
            logger.warning("process_killed", name=self.place.name, pid=self.pid, reason=reason)
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()

    async def stop(self) -> None:
        """Let it finish what it holds, and end; it is not restarted."""
        self.stopping = True
        if self._keeping is not None:
            self._keeping.cancel()
            await asyncio.wait([self._keeping])
        await self._end()

    async def restart(self) -> None:
        """Let it finish what it holds, and end; `keep` starts it again at once."""
        self._again = bool(self.pid)
        await self._end()

    async def _end(self) -> None:
        if self._process is None or not self.pid:
            return
        with contextlib.suppress(ProcessLookupError):
            self._process.terminate()
        try:
            async with asyncio.timeout(STOP_S):
                await self._process.wait()
        except TimeoutError:
            self.kill("did not stop")
            await self._process.wait()

    def status(self, now: float) -> ProcessStatus:
        """Return its state."""
        state = "stopping" if self.stopping else "running" if self.pid else "waiting"
        up_s = round(now - self.begun, 1) if self.pid else 0.0
        return ProcessStatus(self.place.name, self.pid, state, self.restarts, up_s, self.actors)
