"""Measures what a round trip through the broker costs, against `zmq.proxy` and against no hub at all.

Rules of this file:
- `zmq.proxy` is what a hop through a hub costs at least: it is C, and looks at nothing. The same code sends the same
  frames through all three, so the hub is the only difference.
- All are measured in turn, round by round, so that whatever else the machine does hits every one alike. A figure is the
  median of its rounds; a ratio is the median of the rounds' ratios, and holds between machines where times do not.
- Every child ends when this process does, however that ends.
- In the saturated table clients, workers and the hub share the cores: with few of them, the ratio of rates flatters the
  dearer hub, and its processor time is the figure to trust.
"""

import contextlib
import enum
import multiprocessing
import os
import secrets
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

import click
import msgspec
import zmq

from gasoline_bridge.cli import interpreter
from gasoline_broker.actor.client import register
from gasoline_broker.actor.wire import Envelope, Ids, Kind, pack, read_envelope, stop
from gasoline_broker.settings import Settings

START = Path(__file__).parents[1] / "process" / "start.py"
SIZES = {"200 B": 200, "4 KB": 4 << 10, "100 KB": 100 << 10, "2 MB": 2 << 20}
SMALL, *LARGER = SIZES
SATURATING = {"200 B": (4, 64), "4 KB": (4, 64), "100 KB": (4, 8), "2 MB": (2, 2)}  # clients, open asks of each
CLIENTS, WORKERS = 4, 2
CAPACITY = 128  # of each worker: all that is open can be at the workers, as it is behind zmq.proxy
ROUNDS, QUICK_ROUNDS = 9, 2
ALONE_S, SATURATED_S, WARM_S = 0.4, 0.6, 0.1  # how long one design is measured at a time
MILLION, MILLION_WARM = 1_000_000, 50_000
MILLION_TURN_S = 1.0
SPAWN = multiprocessing.get_context("spawn")
ALONE, SATURATED = ORDER = ("one ask at a time", "saturated")
SESSION, TRACE = "bench", secrets.token_hex(16)
TTL_MS = 60_000  # far from every deadline
BOUND_S = 10.0  # the longest that anything is waited for
COPIED_BYTES = 8_192  # a smaller frame is cheaper to copy than to share

P50_MOST = 1.15  # x zmq.proxy's
CPU_US_MOST = 14.0
RATE_LEAST = 0.8  # x zmq.proxy's
GROWTH_MOST = 0.05

NOW, MORE = zmq.DONTWAIT, zmq.SNDMORE


class Way(enum.StrEnum):
    """What stands between a client and a worker."""

    PROXY = "zmq.proxy"
    BROKER = "gasoline"
    DIRECT = "no hub"


class Echo(msgspec.Struct, frozen=True, tag=True):
    """Ask: answer with the body that you were given."""


class Load(NamedTuple):
    """What each of so many clients does: keep `window` asks of `size` bytes open for `seconds`."""

    clients: int
    window: int
    size: int
    seconds: float


class Driven(NamedTuple):
    """What one client did: the time from its first ask to its last answer, and of each round trip."""

    took_s: float
    times_s: list[float]


class Taken(msgspec.Struct, frozen=True):
    """What one load took, at one design, in one round. `cpu_us`: the hub's processor time per round trip."""

    trips: float
    rate: float
    p50_us: float
    p99_us: float
    cpu_us: float


class Cell(NamedTuple):
    """One place in a table."""

    mode: str
    size: str
    way: Way


class Row(msgspec.Struct, frozen=True):
    """One design at one size: medians, and how many times those of zmq.proxy they are."""

    mode: str
    size: str
    way: Way
    taken: Taken
    times_proxy: Taken


class Memory(msgspec.Struct, frozen=True):
    """The broker's resident memory after the warm-up and after a million messages more."""

    before_mb: float
    after_mb: float
    messages: int

    @property
    def growth(self) -> float:
        """The growth as a share of what it was."""
        return self.after_mb / self.before_mb - 1


class Goal(msgspec.Struct, frozen=True):
    """One goal of the broker's, whether it was met, and by what figure."""

    goal: str
    met: bool
    figure: str


class Report(msgspec.Struct, frozen=True):
    """All that was measured."""

    rows: list[Row]
    memory: Memory | None
    goals: list[Goal]


# Children: what runs in a process of its own


def client(control: Connection, way: Way, address: str) -> None:
    """Be a client: measure each load that is sent through `control`, and answer with its round trip times."""
    with _child() as context, context.socket(zmq.DEALER) as socket:
        socket.connect(address)
        if way is Way.BROKER:
            _register(socket, "client", 0)
        control.send("ready")
        for load in _orders(control, socket, lambda: _respond(socket, read_envelope(socket.recv()))):
            control.send(_drive(socket, load))


def worker(control: Connection, way: Way, address: str) -> None:
    """Be a worker: answer every ask with its own body."""
    with _child() as context, context.socket(zmq.ROUTER if way is Way.DIRECT else zmq.DEALER) as socket:
        if way is Way.DIRECT:
            socket.bind(address)
        else:
            socket.connect(address)
        if way is Way.BROKER:
            _register(socket, "echo", CAPACITY)
        control.send("ready")
        for _ in _orders(control, socket, lambda: _echo(socket, way)):
            pass


def proxy(control: Connection, to_clients: str, to_workers: str) -> None:
    """Be the hub that `zmq.proxy` makes."""
    with _child() as context, context.socket(zmq.ROUTER) as front, context.socket(zmq.DEALER) as back:
        front.bind(to_clients)
        back.bind(to_workers)
        control.send("ready")
        zmq.proxy(front, back)


@contextlib.contextmanager
def _child() -> Iterator[zmq.SyncContext]:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it reaches the parent too, which ends us
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with zmq.Context() as context:
        context.linger = 0
        context.rcvtimeo = context.sndtimeo = int(BOUND_S * 1000)
        yield context


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(0)


def _register(socket: zmq.SyncSocket, service: str, capacity: int) -> None:
    socket.send_multipart([pack(Envelope(Kind.REGISTER)), pack(register(service, capacity))])
    assert read_envelope(socket.recv()).kind is Kind.REGISTER


def _orders(control: Connection, socket: zmq.SyncSocket, take: Callable[[], None]) -> Iterator[Load]:
    """Give the parent's orders as long as it lives; in between, `take` what comes by the socket."""
    poller = zmq.Poller()
    poller.register(control.fileno(), zmq.POLLIN)
    poller.register(socket, zmq.POLLIN)
    while True:
        ready = dict(poller.poll())
        if socket in ready:
            take()
        if control.fileno() in ready:
            try:
                order: Load = control.recv()
            except (EOFError, ConnectionResetError):
                return
            yield order


def _echo(socket: zmq.SyncSocket, way: Way) -> None:
    """Answer all that has come. The other ways put the sender before the envelope."""
    with contextlib.suppress(zmq.Again):
        while True:
            sender = socket.recv(NOW) if way is not Way.BROKER else None
            asked = read_envelope(socket.recv(NOW))
            if asked.kind is not Kind.ASK:
                _respond(socket, asked)
                continue
            body = socket.recv(NOW, copy=False)
            if sender is not None:
                socket.send(sender, MORE)
            socket.send(pack(Envelope(Kind.ANSWER, asked.id, position=asked.position)), MORE)
            socket.send(body, copy=False)


def _drive(socket: zmq.SyncSocket, load: Load) -> Driven:
    """Ask, and ask again with every answer until the time is up; all that was asked has been answered at the end."""
    ids, body, itinerary = Ids(), bytes(load.size), (stop("echo", Echo()),)
    copied = load.size < COPIED_BYTES
    begun: dict[bytes, float] = {}
    times = []

    def ask() -> None:
        number = ids.next()
        begun[number] = time.perf_counter()
        envelope = Envelope(Kind.ASK, number, itinerary, ttl_ms=TTL_MS, session=SESSION, trace=TRACE)
        socket.send(pack(envelope), MORE)
        socket.send(body, 0, copied)

    start = time.perf_counter()
    until = start + load.seconds
    for _ in range(load.window):
        ask()
    while begun:
        answered = read_envelope(socket.recv())
        if answered.kind is not Kind.ANSWER:
            _respond(socket, answered)
            continue
        socket.recv(copy=copied)
        now = time.perf_counter()
        times.append(now - begun.pop(answered.id))
        if now < until:
            ask()
    return Driven(time.perf_counter() - start, times)


def _respond(socket: zmq.SyncSocket, heard: Envelope) -> None:
    assert heard.kind is Kind.PING, heard
    socket.send(pack(Envelope(Kind.PONG)))


# The parent: starts them, tells them what to do, and counts


class Child:
    """One process, and the pipe by which it is told what to do."""

    def __init__(self, be: Callable[..., None], *told: object) -> None:
        self._control, theirs = SPAWN.Pipe()
        self._process = SPAWN.Process(target=be, args=(theirs, *told), daemon=True)
        self._process.start()
        theirs.close()

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    def tell(self, load: Load) -> None:
        self._control.send(load)

    def heard(self) -> Any:
        """Give what it says next."""
        if not self._control.poll(2 * BOUND_S):
            raise TimeoutError(f"Process {self.pid} says nothing.")
        try:
            return self._control.recv()
        except EOFError:
            raise ChildProcessError(f"Process {self.pid} has died.") from None

    def close(self) -> None:
        self._process.kill()
        self._process.join()
        self._control.close()


class Design(NamedTuple):
    """One way from clients to workers, running. `hub`: its process, if it has one."""

    way: Way
    clients: list[Child]
    hub: int | None

    def take(self, load: Load) -> Taken:
        """Put this load on it, and give what that took."""
        before_s = _cpu_s(self.hub)
        clients = self.clients[: load.clients]
        for one in clients:
            one.tell(load)
        driven: list[Driven] = [one.heard() for one in clients]
        cpu_s = _cpu_s(self.hub) - before_s
        times_s = [time_s for one in driven for time_s in one.times_s]
        return Taken(
            trips=len(times_s),
            rate=len(times_s) / max(one.took_s for one in driven),
            p50_us=statistics.median(times_s) * 1e6,
            p99_us=sorted(times_s)[len(times_s) * 99 // 100] * 1e6,
            cpu_us=cpu_s / len(times_s) * 1e6,
        )


def _cpu_s(pid: int | None) -> float:
    """Give the processor time of all threads of a process, to the ns (clock_getcpuclockid(3), on Linux)."""
    return 0.0 if pid is None else time.clock_gettime(~pid << 3 | 2)


def _rss_mb(pid: int) -> float:
    """Give a process's resident memory (proc(5))."""
    status = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return int(status["VmRSS"].split()[0]) / 1024


@contextlib.contextmanager
def _running() -> Iterator[dict[Way, Design]]:
    """Start all processes, and give the designs in the order in which they are measured."""
    with tempfile.TemporaryDirectory(prefix="bench") as folder, contextlib.ExitStack() as stack:
        yield {
            Way.PROXY: _through_proxy(stack, f"ipc://{folder}"),
            Way.BROKER: _through_broker(stack, Path(folder)),
            Way.DIRECT: _directly(stack, f"ipc://{folder}"),
        }


def _through_proxy(stack: contextlib.ExitStack, folder: str) -> Design:
    to_clients, to_workers = f"{folder}/front", f"{folder}/back"
    (hub,) = _start(stack, proxy, [(to_clients, to_workers)])
    _start(stack, worker, [(Way.PROXY, to_workers)] * WORKERS)
    return Design(Way.PROXY, _start(stack, client, [(Way.PROXY, to_clients)] * CLIENTS), hub.pid)


def _through_broker(stack: contextlib.ExitStack, folder: Path) -> Design:
    settings = Settings(data_dir=folder, runtime_dir=folder, log_level="warning")
    broker = stack.enter_context(_broker(settings))
    _start(stack, worker, [(Way.BROKER, settings.broker_address)] * WORKERS)
    return Design(Way.BROKER, _start(stack, client, [(Way.BROKER, settings.broker_address)] * CLIENTS), broker)


def _directly(stack: contextlib.ExitStack, folder: str) -> Design:
    ways = [(Way.DIRECT, f"{folder}/worker{number}") for number in range(WORKERS)]
    _start(stack, worker, ways)
    return Design(Way.DIRECT, _start(stack, client, ways * (CLIENTS // WORKERS)), None)


def _start(stack: contextlib.ExitStack, be: Callable[..., None], told: Sequence[tuple[object, ...]]) -> list[Child]:
    """Start a process for each, and wait until all are ready."""
    children = [stack.enter_context(contextlib.closing(Child(be, *one))) for one in told]
    for child in children:
        child.heard()
    return children


@contextlib.contextmanager
def _broker(settings: Settings) -> Iterator[int]:
    """Run the broker, on the lifeline that ends it when this process ends, and give its pid."""
    lifeline, ours = os.pipe()
    environ = os.environ | settings.environ() | {"GASOLINE_LIFELINE_FD": str(lifeline)}
    with subprocess.Popen([sys.executable, START, "broker"], env=environ, pass_fds=[lifeline]) as broker:
        os.close(lifeline)
        try:
            yield broker.pid
        finally:
            broker.kill()
            os.close(ours)


# What is measured, and what it says


def _measure(designs: dict[Way, Design], rounds: int) -> list[tuple[Cell, Taken]]:
    """Measure every cell once a round, after a shorter round that warms up."""
    warming = [(cell, load._replace(seconds=WARM_S)) for cell, load in _loads()]
    turns = [*warming, *(turn for _ in range(rounds) for turn in _loads())]
    with click.progressbar(turns, label="Round trips", file=sys.stderr) as bar:
        return [(cell, designs[cell.way].take(load)) for cell, load in bar][len(warming) :]


def _loads() -> Iterator[tuple[Cell, Load]]:
    for name, size in SIZES.items():
        for way in Way:
            yield Cell(ALONE, name, way), Load(1, 1, size, ALONE_S)
        for way in Way:
            yield Cell(SATURATED, name, way), Load(*SATURATING[name], size, SATURATED_S)


def _fill(broker: Design) -> Memory:
    """Send a million messages through the broker, and see what memory it keeps."""
    assert broker.hub is not None
    _send(broker, MILLION_WARM, "Warming up")
    before_mb = _rss_mb(broker.hub)
    sent = _send(broker, MILLION, "A million messages")
    return Memory(before_mb, _rss_mb(broker.hub), sent)


def _send(broker: Design, messages: int, label: str) -> int:
    """Send at least so many messages, and give how many."""
    sent = 0
    with click.progressbar(length=messages, label=label, file=sys.stderr) as bar:
        while sent < messages:
            trips = int(broker.take(Load(*SATURATING[SMALL], SIZES[SMALL], MILLION_TURN_S)).trips)
            sent += trips
            bar.update(trips)
    return sent


def _rows(measured: list[tuple[Cell, Taken]]) -> dict[Cell, Row]:
    rounds: dict[Cell, list[Taken]] = {}
    for cell, taken in measured:
        rounds.setdefault(cell, []).append(taken)
    return {
        cell: Row(*cell, _median(mine), _median([_ratio(*pair) for pair in zip(mine, proxys, strict=True)]))
        for cell, mine in sorted(rounds.items(), key=lambda item: ORDER.index(item[0].mode))
        for proxys in [rounds[cell._replace(way=Way.PROXY)]]
    }


def _median(rounds: list[Taken]) -> Taken:
    return Taken(*map(statistics.median, zip(*map(msgspec.structs.astuple, rounds), strict=True)))


def _ratio(mine: Taken, proxys: Taken) -> Taken:
    pairs = zip(msgspec.structs.astuple(mine), msgspec.structs.astuple(proxys), strict=True)
    return Taken(*(one / other for one, other in pairs))


def _judge(rows: dict[Cell, Row], memory: Memory | None) -> list[Goal]:
    if memory is not None:
        return [_judge_memory(memory)]
    return [_judge_p50(rows), _judge_cpu(rows), _judge_rate(rows)]


def _judge_p50(rows: dict[Cell, Row]) -> Goal:
    ratios = {size: rows[Cell(ALONE, size, Way.BROKER)].times_proxy.p50_us for size in SIZES}
    met = max(ratios.values()) <= P50_MOST
    return Goal(f"p50 at most {P50_MOST} x zmq.proxy's", met, _each(ratios))


def _judge_cpu(rows: dict[Cell, Row]) -> Goal:
    row = rows[Cell(SATURATED, SMALL, Way.BROKER)]
    cpu_us = row.taken.cpu_us
    goal = f"at most {CPU_US_MOST:.0f} µs of the broker's processor for {SMALL}"
    return Goal(goal, cpu_us <= CPU_US_MOST, f"{cpu_us:.1f} µs, {row.times_proxy.cpu_us:.1f} x zmq.proxy's")


def _judge_rate(rows: dict[Cell, Row]) -> Goal:
    ratios = {size: rows[Cell(SATURATED, size, Way.BROKER)].times_proxy.rate for size in LARGER}
    met = min(ratios.values()) >= RATE_LEAST
    return Goal(f"at least {RATE_LEAST} x zmq.proxy's rate from {LARGER[0]} up", met, _each(ratios))


def _judge_memory(memory: Memory) -> Goal:
    figure = f"{memory.before_mb:.1f} to {memory.after_mb:.1f} MB ({memory.growth:+.1%}) over {memory.messages:,}"
    goal = f"memory grows by less than {GROWTH_MOST:.0%} over a million messages"
    return Goal(goal, memory.growth < GROWTH_MOST, figure)


def _each(ratios: dict[str, float]) -> str:
    return ", ".join(f"{size} {ratio:.2f} x" for size, ratio in ratios.items())


def _print(report: Report) -> None:
    print(interpreter.shown())
    mode = ""
    for row in report.rows:
        if row.mode != mode:
            mode = row.mode
            heads = "".join(f"{head:>12}{'x':>6}" for head in ("trips/s", "p50 µs", "p99 µs", "hub CPU µs"))
            print(f"\n{mode}; x: times zmq.proxy's\n{'':<8}{'through':<10}{heads}")
        print(f"{row.size:<8}{row.way:<10}{_figures(row)}")
    print()
    for goal in report.goals:
        print(f"{'met   ' if goal.met else 'MISSED'}  {goal.goal}: {goal.figure}")


def _figures(row: Row) -> str:
    taken, times = row.taken, row.times_proxy
    text = f"{taken.rate:>12,.0f}{times.rate:>6.2f}{taken.p50_us:>12,.0f}{times.p50_us:>6.2f}"
    text += f"{taken.p99_us:>12,.0f}{times.p99_us:>6.2f}"
    return text if row.way is Way.DIRECT else f"{text}{taken.cpu_us:>12,.1f}{times.cpu_us:>6.2f}"


@click.command()
@click.option("--rounds", default=ROUNDS, show_default=True, help="How often each design is measured.")
@click.option("--quick", is_flag=True, help=f"{QUICK_ROUNDS} rounds only.")
@click.option("--million", is_flag=True, help="Send a million messages instead, and see what memory the broker keeps.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def main(rounds: int, *, quick: bool, million: bool, as_json: bool) -> None:
    """Measure what a round trip through the broker costs (2 to 3 minutes)."""
    with _running() as designs:
        rows = {} if million else _rows(_measure(designs, QUICK_ROUNDS if quick else rounds))
        memory = _fill(designs[Way.BROKER]) if million else None
    report = Report(list(rows.values()), memory, _judge(rows, memory))
    if as_json:
        print(msgspec.json.encode(report).decode())
    else:
        _print(report)


if __name__ == "__main__":
    main()
