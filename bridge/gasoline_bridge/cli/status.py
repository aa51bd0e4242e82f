"""What `gasoline status` shows: asks the broker and the bridge, and makes a table of it."""

import asyncio

import msgspec

from gasoline_bridge.http.messages import ExtensionRead, ReadExtension
from gasoline_broker.client import Link, register
from gasoline_broker.errors import Failed
from gasoline_broker.lock import holder
from gasoline_broker.messages import StatusRead
from gasoline_broker.settings import Settings
from gasoline_broker.supervisor import read_status
from gasoline_broker.wire import stop
from gasoline_workers.redaction.messages import RedactAnswer

ANSWER_S = 2.0


class Status(msgspec.Struct, frozen=True):
    """The system as it is: who supervises it (0: nobody), the broker's words, and the extension."""

    supervisor: int
    running: bool
    broker: StatusRead | None = None
    extension: ExtensionRead | None = None


def read(settings: Settings) -> Status:
    """Ask the running system, if there is one; it takes 2 s at most."""
    supervisor = holder(settings.runtime_dir / "supervisor.lock")
    if not holder(settings.runtime_dir / "broker.lock"):
        return Status(supervisor, running=False)
    return asyncio.run(_ask(settings, supervisor))


async def _ask(settings: Settings, supervisor: int) -> Status:
    try:
        async with asyncio.timeout(ANSWER_S), Link(settings, register("cli")) as link:
            await link.registered()
            broker = await read_status(link)
            return Status(supervisor, running=True, broker=broker, extension=await _extension(link))
    except (TimeoutError, Failed):
        return Status(supervisor, running=False)


async def _extension(link: Link) -> ExtensionRead | None:
    stops = stop("bridge", ReadExtension()), stop("redaction", RedactAnswer())
    try:
        answer = await link.ask(*stops, ttl_s=ANSWER_S / 2)
    except Failed:
        return None
    read: ExtensionRead = answer.read(ExtensionRead)
    return read


def as_json(status: Status) -> str:
    """Give the status as one JSON object."""
    return msgspec.json.encode(status).decode()


def as_table(status: Status) -> str:
    """Give the status as text for a person."""
    broker = status.broker
    if broker is None:
        return "gasoline is not running: `gasoline up` starts it."
    rows = [("broker", broker.pid, 0, sum(peer.done for peer in broker.peers), broker.up_s)]
    rows += [(peer.service, peer.pid, peer.running, peer.done, peer.up_s) for peer in broker.peers]
    lines = [f"{'process':<12}{'pid':>8}{'running':>9}{'done':>8}{'up':>9}"]
    lines += [f"{name:<12}{pid:>8}{running:>9}{done:>8}{up_s:>8.0f}s" for name, pid, running, done, up_s in rows]
    lines += [f"waiting for {one.service}: {one.waiting}" for one in broker.services if one.waiting]
    lines += [f"{word.replace('_', ' ')}: {count}" for word, count in sorted(broker.counts.items())]
    return "\n".join([*lines, _chrome(status.extension)])


def _chrome(extension: ExtensionRead | None) -> str:
    if extension is None:
        return "Chrome: the bridge or redaction does not answer"
    if not extension.connected:
        return "Chrome: not connected (`gasoline doctor` helps)"
    return f"Chrome: connected, {extension.browser or 'a polling client'}, extension {extension.version or '-'}"
