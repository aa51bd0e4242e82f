"""A process that only asks, started as `python ask.py SERVICE GATE`: asks an actor to come to the gate, once."""

import asyncio
import sys

from gasoline_broker.actor.actor import Actor, run
from gasoline_broker.actor.wire import stop
from gasoline_broker.settings import Settings
from process.echo import Meet


class Asker(Actor[None]):
    """Asks once, from its start on."""

    service = "front"

    async def started(self) -> None:
        """Ask."""
        self._asking = asyncio.get_running_loop().create_task(self._ask())

    async def _ask(self) -> None:
        await asyncio.wait_for(self.link.ask(stop(sys.argv[1], Meet(sys.argv[2])), ttl_s=60), 60)
        sys.stderr.write("let go and answered\n")


if __name__ == "__main__":
    run(Asker, Settings.from_environ())
