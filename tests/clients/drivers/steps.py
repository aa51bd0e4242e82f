"""What every driver does with its client, and reports as a line of JSON for each step; standard library alone."""

import asyncio
import json
import os
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any

COMMAND = sys.argv[1]
ENVIRON = dict(os.environ)
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("observe", {"what": "status"}),
    ("query_dom", {"selector": "#p"}),
    ("observe", {"what": "logs"}),
]
WRONG: tuple[str, dict[str, Any]] = ("observe", {"what": "log"})
SLOW_S = 2.5  # until a call that nothing answers is cancelled, or given up: two reports of progress come before that

Call = Callable[[str, dict[str, Any]], Awaitable[str]]
Bounded = Callable[[str, dict[str, Any], float], Awaitable[str]]


def slow(why: str) -> tuple[str, dict[str, Any]]:
    """Give a call that the page never answers."""
    return "query_dom", {"selector": f"#{why}"}


def say(step: str, **facts: object) -> None:
    print(json.dumps({"step": step, **facts}), flush=True)


async def shown(calling: Awaitable[str]) -> str:
    """Give what a caller sees of a call, an exception as its type and text."""
    try:
        return await calling
    except asyncio.CancelledError:
        return "CancelledError"
    except Exception as fault:  # noqa: BLE001 - whatever the client raises is what is to be seen
        return f"{type(fault).__name__}: {fault}"


async def drive(call: Call, bounded: Bounded | None, progress: list[Any] | None) -> None:
    """Make the calls; `bounded`: with the client's own time-out; `progress`: gets what the client hears of it."""
    for name, arguments in CALLS:
        say("called", text=await call(name, arguments))
    say("error", text=await shown(call(*WRONG)))
    calling = asyncio.ensure_future(call(*slow("cancelled")))
    await asyncio.sleep(SLOW_S)
    calling.cancel()
    say("cancelled", text=await shown(calling), progress=len(progress or ()))
    if bounded is not None:
        begun = time.monotonic()
        text = await shown(bounded(*slow("timeout"), SLOW_S))
        say("timeout", text=text, took_s=round(time.monotonic() - begun, 1))
    say("after", text=await shown(call(*CALLS[0])))
    asyncio.get_running_loop().call_later(0.5, say, "hanging")
    await call(*slow("killed"))
