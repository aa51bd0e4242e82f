"""What `gasoline status` shows: asks the broker, the supervisor and the bridge, and makes tables of it."""

import asyncio
import contextlib
import os
from collections.abc import Callable, Iterator

import msgspec

from gasoline_bridge.chrome.messages import ExtensionRead, ReadExtension
from gasoline_bridge.cli import screen
from gasoline_bridge.cli.query import linked
from gasoline_bridge.cli.tables import duration, ms, table
from gasoline_broker import running
from gasoline_broker.actor.client import Link
from gasoline_broker.actor.status import read_status
from gasoline_broker.actor.wire import stop
from gasoline_broker.errors import Failed
from gasoline_broker.messages import (
    DeadLetter,
    PeerStatus,
    ProcessesRead,
    ProcessStatus,
    ReadProcesses,
    ServiceStatus,
    Spread,
    StatusRead,
)
from gasoline_broker.settings import Settings
from gasoline_workers.redaction.messages import RedactAnswer

ANSWER_S = 2.0
EVERY_S = 1.0  # how often a watched status is read again
DEAD_LETTERS_SHOWN = 5


class Status(msgspec.Struct, frozen=True):
    """The system as it is: the supervisor's pid (0: none), the broker's status, the extension, what is kept running."""

    supervisor: int
    running: bool
    broker: StatusRead | None = None
    extension: ExtensionRead | None = None
    processes: list[ProcessStatus] = []


def read(settings: Settings) -> Status:
    """Ask the running system, if there is one; it takes 2 s at most."""
    return asyncio.run(_read_once(settings))


async def _read_once(settings: Settings) -> Status:
    async with linked(settings) as link:
        return await _read(settings, link)


def watch(settings: Settings, shown: Callable[[Status], str]) -> None:
    """Show the status, again and again until Ctrl+C."""
    with contextlib.suppress(KeyboardInterrupt), screen.entered():
        asyncio.run(_watch(settings, shown))


async def _watch(settings: Settings, shown: Callable[[Status], str]) -> None:
    async with linked(settings) as link:
        while True:
            screen.draw(shown(await _read(settings, link)))
            await asyncio.sleep(EVERY_S)


async def _read(settings: Settings, link: Link) -> Status:
    found = running.find(settings)
    supervisor = found.pid if found is not None else 0
    if not await asyncio.to_thread(running.broker_pid, settings):
        return Status(supervisor, running=False)
    try:
        async with asyncio.timeout(ANSWER_S):
            await link.registered()
            broker = await read_status(link)
            processes = await read_processes(link, broker)
            return Status(supervisor, True, broker, await _extension(link), processes)  # noqa: FBT003 - a field
    except (TimeoutError, Failed):
        return Status(supervisor, running=False)


async def read_processes(link: Link, broker: StatusRead) -> list[ProcessStatus]:
    """Ask the supervisor what it keeps running; nothing when another runner has started the system."""
    if not any(peer.service == "supervisor" for peer in broker.peers):
        return []
    read: ProcessesRead = (await link.ask(stop("supervisor", ReadProcesses()), ttl_s=ANSWER_S / 2)).read(ProcessesRead)
    return read.processes


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


def as_tables(status: Status) -> str:
    """Give the status as text for a person."""
    broker = status.broker
    if broker is None and status.supervisor:
        return f"gasoline runs (process {status.supervisor}), and its broker does not answer: `gasoline doctor` helps."
    if broker is None:
        return "gasoline is not running: `gasoline up` starts it."
    head = ("process", "pid", "state", "running", "done", "restarts", "up")
    lines = table(head, _processes(broker, status.processes))
    lines += [compact_of(one) for one in status.processes if one.actors]
    lines += ["", *table(SERVICE_HEAD, map(_service, broker.services))]
    lines += ["", f"in flight: {broker.in_flight}"]
    lines += [f"{word.replace('_', ' ')}: {count}" for word, count in sorted(broker.counts.items())]
    lines += map(_dead_letter, broker.dead_letters[-DEAD_LETTERS_SHOWN:])
    return "\n".join([*lines, _chrome(status.extension)])


def _processes(broker: StatusRead, kept: list[ProcessStatus]) -> Iterator[tuple[object, ...]]:
    """Give a row for each process that is kept running, then for each other one that is connected; not for us."""
    done = sum(peer.done for peer in broker.peers)
    itself = PeerStatus("broker", broker.pid, 0, broker.in_flight, done, broker.up_s, broker.version)
    local = [itself, *(peer for peer in broker.peers if peer.pid != os.getpid() and not peer.remote)]
    peers = {(peer.pid, peer.service): peer for peer in local}
    for process in kept:
        actors = {name: peers.pop((process.pid, name), None) for name in process.actors}
        peer = next((one for one in peers.values() if one.pid == process.pid), None)
        if peer is not None:
            del peers[peer.pid, peer.service]
        state = "suspect" if peer is not None and peer.suspect else process.state
        held = (peer.running, peer.done) if peer is not None else ("-", "-")
        yield process.name, process.pid or "-", state, *held, process.restarts, duration(process.up_s)
        for name, actor in actors.items():
            yield _peer(f"  {name}", actor) if actor is not None else (f"  {name}", *6 * "-")
    for peer in [*peers.values(), *(peer for peer in broker.peers if peer.remote)]:
        yield _peer(peer.service, peer)


def _peer(name: str, peer: PeerStatus) -> tuple[object, ...]:
    state = "suspect" if peer.suspect else "remote" if peer.remote else "running"
    return name, peer.pid, state, peer.running, peer.done, "-", duration(peer.up_s)


def compact_of(group: ProcessStatus) -> str:
    """State that the system is compact."""
    return f"compact: {len(group.actors)} workers are actors of one process, {group.name} ({group.pid or 'starting'})"


SERVICE_HEAD = (
    "service",
    "waiting",
    "running",
    "failed",
    *("waited p50", "p95", "p99 ms"),
    *("worked p50", "p95", "p99 ms"),
)


def _service(one: ServiceStatus) -> tuple[object, ...]:
    return one.service, one.waiting, one.running, one.failed, *_quantiles(one.waited), *_quantiles(one.worked)


def _quantiles(spread: Spread) -> tuple[str, str, str]:
    return ms(spread.p50_ms), ms(spread.p95_ms), ms(spread.p99_ms)


def _dead_letter(letter: DeadLetter) -> str:
    pids = ", ".join(map(str, letter.pids))
    way = " > ".join(letter.stops)
    age = duration(letter.age_s)
    return f"dead letter: {letter.service} (processes {pids}) on the way {way}, {age} ago, trace {letter.trace}"


def _chrome(extension: ExtensionRead | None) -> str:
    if extension is None:
        return "Chrome: the bridge or redaction does not answer"
    if extension.problem:
        return f"Chrome: not connected: {extension.problem}"
    if not extension.connected:
        return "Chrome: not connected (`gasoline doctor` helps)"
    return f"Chrome: connected, {extension.browser or 'a polling client'}, extension {extension.version or '-'}"
