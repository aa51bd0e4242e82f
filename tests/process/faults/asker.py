"""A process that asks steadily until SIGTERM, and leaves its accounts behind."""

import asyncio
import os
import signal
import sys
from pathlib import Path

import msgspec

from gasoline_broker import log
from gasoline_broker.actor.client import Link, register
from gasoline_broker.settings import Settings
from process.faults.load import Load


async def ask(settings: Settings, noted: Path, per_s: float) -> bytes:
    """Ask until SIGTERM, and write the accounts."""
    told = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, told.set)
    async with Link(settings, register("front")) as link:
        await link.registered()
        async with Load([link], noted, per_s=per_s) as load:
            await told.wait()
        await link.drain()
    return msgspec.json.encode((load.sent, load.outcomes, load.lags))


def main(settings: Settings, folder: str, per_s: str) -> None:
    """Be that process."""
    log.configure(settings, "asker")
    noted = Path(folder) / f"asked.{os.getpid()}"
    noted.with_name(f"accounts.{os.getpid()}").write_bytes(asyncio.run(ask(settings, noted, float(per_s))))


if __name__ == "__main__":
    main(Settings.from_environ(), *sys.argv[1:])
