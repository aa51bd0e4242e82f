"""One checkout's side of chain.py: a bridge that answers at once, redaction and a front, through the broker.

Reads lines `SIZE COUNT PAUSE_MS` from its standard input, and answers each with the latencies in ms, as JSON.
"""

import asyncio
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import msgspec

from gasoline_broker.actor.actor import Actor, run
from gasoline_broker.actor.client import Answer, Link, Step, register
from gasoline_broker.actor.status import read_status
from gasoline_broker.actor.wire import pack, stop
from gasoline_broker.settings import Settings
from gasoline_workers.redaction.messages import RedactAnswer

GASOLINE = str(Path(sys.executable).with_name("gasoline"))
TTL_S = 60.0
WORD = "word and 12 "


class Answered(msgspec.Struct, frozen=True, tag=True):
    """Ask: answer with a body of about this many bytes, as a page's text is."""

    size_bytes: int


class Bridge(Actor[Answered]):
    """Answers as a bridge whose page takes no time."""

    service = "bridge"
    accepts = Answered
    capacity = 32

    async def receive(self, message: Answered, step: Step) -> Answer:  # noqa: ARG002 - the actor's own signature
        """Answer at once."""
        text = (WORD * (message.size_bytes // len(WORD) + 1))[: message.size_bytes - 40]
        return Answer(pack({"url": "http://localhost/a", "text": text}))


async def ask(link: Link, size: int) -> float:
    begun = time.perf_counter()
    await link.ask(stop("bridge", Answered(size)), stop("redaction", RedactAnswer()), ttl_s=TTL_S)
    return (time.perf_counter() - begun) * 1000


async def main(settings: Settings) -> None:
    async with Link(settings, register("front")) as link:
        await link.registered()
        while not {"bridge", "redaction"} <= {peer.service for peer in (await read_status(link)).peers}:  # noqa: ASYNC110 - another process's state
            await asyncio.sleep(0.02)
        for _ in range(200):
            await ask(link, 200)
        print("ready", flush=True)
        loop = asyncio.get_running_loop()
        while line := await loop.run_in_executor(None, sys.stdin.readline):
            size, count, pause_ms = map(int, line.split())
            took = []
            for _ in range(count):
                if pause_ms:
                    await asyncio.sleep(pause_ms / 1000)
                took.append(await ask(link, size))
            print(json.dumps(took), flush=True)


if __name__ == "__main__":
    if sys.argv[1:] == ["bridge"]:
        run(Bridge, Settings.from_environ())
        sys.exit()
    with tempfile.TemporaryDirectory(prefix="gc-") as home, contextlib.ExitStack() as stack:
        (Path(home) / "data").mkdir()
        (Path(home) / "run").mkdir(mode=0o700)
        settings = Settings(data_dir=Path(home) / "data", runtime_dir=Path(home) / "run", log_level="warning")
        environ = os.environ | settings.environ()
        for command in ([GASOLINE, "broker"], [GASOLINE, "worker", "redaction"], [sys.executable, __file__, "bridge"]):
            process = subprocess.Popen(command, env=environ)
            stack.callback(process.wait)
            stack.callback(process.terminate)
        asyncio.run(main(settings))
