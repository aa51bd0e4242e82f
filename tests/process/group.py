"""A process of several actors for tests, started as `python group.py KIND…`; a restarted actor is another object."""

import asyncio
import sys
import threading
from collections.abc import Callable
from typing import Any

import msgspec

from gasoline_broker.actor.actor import Actor, run
from gasoline_broker.actor.client import Step
from gasoline_broker.errors import CANNOT_START, CannotStart
from gasoline_broker.settings import Settings
from gasoline_broker.supervisor.actor_group import ActorGroup
from process.echo import Echo


class End(msgspec.Struct, frozen=True, tag=True):
    """Ask: end this actor by a fault, before it is answered the first time."""


class Counted(msgspec.Struct, frozen=True, tag=True):
    """Answer: how many lives this actor has had."""

    lives: int


class Fragile(Actor[End]):
    """Ends by a fault in its first life."""

    service = "fragile"
    accepts = End
    lives = 0

    async def serve(self, stopping: asyncio.Event) -> None:
        """Serve until stopped or broken."""
        type(self).lives += 1
        self._broken = asyncio.Event()
        serving = asyncio.create_task(super().serve(stopping))
        breaking = asyncio.create_task(self._broken.wait())
        await asyncio.wait([serving, breaking], return_when=asyncio.FIRST_COMPLETED)
        breaking.cancel()
        if self._broken.is_set():
            serving.cancel()
            await asyncio.wait([serving])
            raise ValueError("a secret of the page")
        await serving

    async def receive(self, message: End, step: Step) -> Counted:  # noqa: ARG002 - the actor's own signature
        """Break in the first life, answer in the others."""
        if self.lives == 1:
            self._broken.set()
            await asyncio.Event().wait()
        return Counted(self.lives)


class Weigh(msgspec.Struct, frozen=True, tag=True):
    """Ask: compute. Answered by Weighed."""


class Weighed(msgspec.Struct, frozen=True, tag=True):
    """Answer: the name of the thread that has computed."""

    thread: str


class Scale(Actor[Weigh]):
    """Computes: what is short at once, all else in a thread."""

    service = "scale"
    accepts = Weigh
    computes = True
    short_bytes = 1_000

    async def receive(self, message: Weigh, step: Step) -> Weighed:  # noqa: ARG002 - the actor's own signature
        """Name the thread; a body that is no text breaks."""
        step.body.decode()
        return Weighed(threading.current_thread().name)


class Futile(Actor[None]):
    """Cannot start."""

    service = "futile"

    async def started(self) -> None:
        """Refuse."""
        raise CannotStart("This one cannot work here.")


KINDS: dict[str, Callable[[Settings], Actor[Any]]] = {
    "echo": Echo,
    "fragile": Fragile,
    "futile": Futile,
    "scale": Scale,
}


if __name__ == "__main__":
    try:
        makes = {name: KINDS[name] for name in sys.argv[1:]}
        run(lambda settings: ActorGroup(settings, makes), Settings.from_environ())
    except CannotStart as fault:
        sys.stderr.write(f"{fault}\n")
        sys.exit(CANNOT_START)
