"""Workers on other machines come by TCP with a key: others are kept out, and a link that goes bad loses nothing."""

import asyncio
import contextlib
import socket
from collections import Counter

import msgspec
import pytest
import zmq
import zmq.utils.monitor

from gasoline_broker.actor.client import Answer, Link, register
from gasoline_broker.actor.wire import Delivery, Envelope, Kind, pack, stop
from gasoline_broker.errors import CANNOT_START
from gasoline_broker.keys import Keys
from process.echo import Meet, Said, Say
from process.machines import HOST, Load, Machines, free_port, nothing_came_in
from process.processes import HERE, Processes, until, within
from process.systems import procfile
from system import gasoline

HOLES_S = 1.0, 3.0, 10.0
CAPACITY = 4
SUSPECT_S = 2.0  # how long a link that was cut may take to come back
SILENT_S = 8.0  # after which another machine's process is dead; the outcome of its work is unknown
RESETS, RESET_EVERY_S = 5, 0.4
FLOOD = 1_000
UNENCRYPTED = (
    b"\xff" + bytes(8) + b"\x7f\x03\x01" + b"NULL".ljust(52, b"\0")
)  # ZMTP's greeting (rfc.zeromq.org/spec/23)
WORKER = str(HERE.parent.parent / "bridge" / "gasoline_bridge" / "cli" / "entry.py")


@pytest.fixture
async def machines(no_processes: Processes) -> Machines:
    """Return a hub that listens, with a broker and a link to it."""
    machines = Machines(no_processes, f"tcp://{HOST}:{free_port()}")
    await machines.serve()
    return machines


def said(answer: Answer) -> Said:
    read: Said = answer.read(Said)
    return read


def said_once(log: str, event: str) -> bool:
    return [event] == [line["event"] for line in map(msgspec.json.decode, log.splitlines()) if line["event"] == event]


# Allowed keys


async def test_a_worker_with_a_key_that_is_let_in_serves(machines: Machines) -> None:
    worker = await machines.echo()

    assert Said("a", [worker.pid], [1]) == said(await machines.processes.ask(stop("echo", Say("a"))))
    shown = await asyncio.to_thread(gasoline, machines.processes.settings, "status")
    (row,) = [line.split() for line in shown.stdout.splitlines() if line.startswith("echo") and "remote" in line]
    assert ["echo", str(worker.pid), "remote"] == row[:3]


async def test_a_worker_whose_key_is_not_allowed_is_refused_until_it_is(machines: Machines) -> None:
    there = machines.other(let_in=False)
    worker = await machines.begin(there)

    await until(lambda: "is not allowed" in worker.log)
    assert nothing_came_in(await machines.processes.status(lambda status: status.counts.get("refused", 0) > 1))

    machines.keys.allow("late", Keys(there).own().public.hex())
    await machines.processes.registered(worker.pid)
    assert [worker.pid] == said(await machines.processes.ask(stop("echo", Say("a")))).pids
    assert said_once(worker.log, "broker_refused_us")


async def test_the_broker_tells_which_key_it_refused_and_no_secret_is_in_any_log(machines: Machines) -> None:
    broker, there = machines.processes.started[0], machines.other(let_in=False)
    worker = await machines.begin(there)

    await until(lambda: "peer_refused" in broker.log)
    public, secret = Keys(there).own()
    assert public.hex() in broker.log
    for hidden in (secret, machines.keys.own().secret):
        assert hidden.hex() not in broker.log + worker.log


async def test_a_worker_that_is_revoked_stays_until_its_link_breaks_and_is_refused_then(machines: Machines) -> None:
    async with machines.bad_link() as (proxy, there):
        worker = await machines.echo(there)

        machines.keys.revoke("machine0")
        assert [worker.pid] == said(await machines.processes.ask(stop("echo", Say("a")))).pids
        proxy.reset()
        status = await machines.processes.status(lambda status: len(status.peers) == 1)

    assert "is not allowed" in worker.log
    assert {"suspects": 1, "lost_peers": 1} == {name: status.counts[name] for name in ("suspects", "lost_peers")}


async def test_a_worker_with_a_wrong_broker_key_logs_it_once_and_does_not_flood(machines: Machines) -> None:
    there = msgspec.structs.replace(machines.other(), broker_key=Keys(machines.other()).own().public.hex())
    worker = await machines.begin(there)

    await until(lambda: "is GASOLINE_BROKER_KEY the key" in worker.log)
    other = await machines.echo()
    assert [other.pid] == said(await machines.processes.ask(stop("echo", Say("a")))).pids
    assert said_once(worker.log, "broker_refused_us")
    assert (await machines.processes.status()).counts["refused"] < 10


async def test_a_worker_that_finds_no_broker_logs_it(machines: Machines) -> None:
    worker = await machines.begin(machines.other(address=f"tcp://{HOST}:{free_port()}"))

    await until(lambda: "No broker answers at GASOLINE_BROKER yet" in worker.log)


async def test_a_socket_without_encryption_is_refused(machines: Machines) -> None:
    def knock() -> int:
        with zmq.Context() as context, context.socket(zmq.DEALER) as plain:
            plain.linger = 0
            monitor = plain.get_monitor_socket(zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL | zmq.EVENT_HANDSHAKE_SUCCEEDED)
            plain.connect(machines.address)
            told = pack(msgspec.structs.replace(register("echo"), capacity=1))
            with contextlib.suppress(zmq.Again):  # refused before it was sent: there is nowhere to send to any more
                plain.send_multipart([pack(Envelope(Kind.REGISTER)), told], zmq.DONTWAIT)
            assert monitor.poll(30_000)
            event: int = zmq.utils.monitor.recv_monitor_message(monitor)["event"]
            plain.disable_monitor()
            monitor.close(0)
            return event

    assert zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL == await asyncio.to_thread(knock)
    assert nothing_came_in(await machines.processes.status(lambda status: status.counts.get("refused")))


async def test_a_flood_of_strangers_costs_the_log_a_few_lines_and_no_answer(machines: Machines) -> None:
    broker, worker = machines.processes.started[0], await machines.echo()

    def flood() -> None:
        place = HOST, int(machines.address.rpartition(":")[2])
        for _ in range(FLOOD):
            with socket.create_connection(place) as one:
                one.sendall(UNENCRYPTED)
                while one.recv(1_000):  # until it is hung up on
                    pass

    flooding = asyncio.create_task(asyncio.to_thread(flood))
    while not flooding.done():
        assert [worker.pid] == said(await machines.processes.ask(stop("echo", Say("a")), ttl_s=5)).pids
    await flooding

    status = await machines.processes.status(lambda status: status.counts.get("refused", 0) >= FLOOD)
    assert {"echo", "front"} == {peer.service for peer in status.peers}
    assert {"refused"} == set(status.counts)
    assert broker.log.count("peer_refused") <= 3


# What goes wrong on the way


async def test_the_ask_of_a_killed_worker_on_another_machine_is_given_to_another(machines: Machines) -> None:
    one, other, gate = await machines.echo(), await machines.echo(), await machines.processes.gate()
    asking = asyncio.create_task(machines.processes.ask(stop("echo", Meet(gate.path))))
    first = await gate.visitor()
    killed, left = (one, other) if first.pid == one.pid else (other, one)

    killed.kill()
    (await gate.visitor()).let_go()

    assert [left.pid] == said(await asking).pids


@pytest.mark.requirement("hub-032")
async def test_a_worker_that_dies_behind_a_link_that_stays_half_open_is_found_out_by_its_silence(
    machines: Machines,
) -> None:
    async with machines.bad_link() as (proxy, there):
        gate = await machines.processes.gate()
        lost = await machines.echo(there)
        asking = asyncio.create_task(machines.processes.ask(stop("echo", Meet(gate.path))))
        await gate.visitor()
        left = await machines.echo()

        proxy.hole()  # its end of the link is never closed
        lost.kill()
        (await gate.visitor()).let_go()

        assert [left.pid] == said(await asking).pids
        status = await machines.processes.status()
        found = Counter(status.counts)["suspects"] + Counter(status.counts)["silent_peers"]
        assert (1, 0) == (found, status.in_flight), "its link's heartbeats have stopped, and its own"


async def test_a_command_whose_link_is_reset_is_waited_for_and_not_done_again(machines: Machines) -> None:
    async with machines.bad_link() as (proxy, there):
        worker, gate = await machines.echo(there), await machines.processes.gate()
        await machines.echo()
        asks = [
            asyncio.create_task(machines.processes.ask(stop("echo", Meet(gate.path), Delivery.COMMAND)))
            for _ in range(2)
        ]
        visitors = [await gate.visitor(), await gate.visitor()]

        proxy.reset()
        await machines.processes.status(lambda status: status.counts.get("linked_again"))
        for visitor in visitors:
            visitor.let_go()
        answers = [said(await ask) for ask in asks]

    assert worker.pid in [pid for answer in answers for pid in answer.pids]
    assert ([[1], [1]], 2) == ([answer.attempts for answer in answers], gate.visits)


async def test_links_that_are_reset_again_and_again_lose_nothing(machines: Machines) -> None:
    async with machines.bad_link() as (proxy, there):
        await machines.echo(there, capacity=CAPACITY)
        async with Load(machines.processes) as load:
            for _ in range(RESETS):
                proxy.reset()
                await asyncio.sleep(RESET_EVERY_S)

    assert ({}, [], set()) == (load.failed, load.doubled, load.undone)


async def test_links_that_carry_nothing_for_a_while_lose_no_ask(machines: Machines) -> None:
    async def try_one(hole_s: float) -> Load:
        service = f"echo{hole_s:g}"
        async with machines.bad_link() as (proxy, there):
            worker = await machines.echo(there, service, CAPACITY)
            async with Load(machines.processes, service) as load:
                proxy.hole()
                await asyncio.sleep(hole_s)
                proxy.heal()
            await machines.processes.registered(worker.pid)
        return load

    for hole_s, load in zip(HOLES_S, await asyncio.gather(*map(try_one, HOLES_S)), strict=True):
        assert load.unknown <= (CAPACITY if hole_s > SILENT_S else 0), "what it was doing when it was given up"
        assert ({}, [], set()) == (load.failed, load.doubled, load.undone)


async def test_an_asker_on_another_machine_loses_nothing_either(machines: Machines) -> None:
    await machines.processes.echo(capacity=CAPACITY)
    async with machines.bad_link() as (proxy, there), Link(there, register("front")) as asking:
        async with within():
            await asking.registered()
        async with Load(machines.processes, asking=asking) as load:
            for _ in range(RESETS):
                proxy.reset()
                await asyncio.sleep(RESET_EVERY_S)
            proxy.hole()
            await asyncio.sleep(HOLES_S[0])
            proxy.heal()

    assert ({}, [], set()) == (load.failed, load.doubled, load.undone)


# Starting and stopping


async def test_a_broker_whose_port_is_taken_names_it_and_cannot_start(no_processes: Processes) -> None:
    with socket.create_server((HOST, 0)) as taken:
        address = f"tcp://{HOST}:{taken.getsockname()[1]}"
        machines = Machines(no_processes, address)
        broker = await machines.processes.broker()

        assert CANNOT_START == await broker.exit_code()
    assert f"{address} cannot be listened on: Address already in use." in broker.log
    assert not no_processes.settings.broker_socket.exists()


async def test_a_broker_whose_own_key_is_broken_names_it_and_does_not_hang(no_processes: Processes) -> None:
    machines = Machines(no_processes, f"tcp://{HOST}:{free_port()}")
    machines.keys.own()
    (no_processes.settings.data_dir / "keys" / "own.secret").write_text("00\n11\n")

    broker = await machines.processes.broker()

    assert CANNOT_START == await broker.exit_code()
    assert "does not hold a pair of keys" in broker.log


async def test_a_broker_that_listens_stops_at_once_with_machines_linked(machines: Machines) -> None:
    broker, worker = machines.processes.started[0], await machines.echo()
    begun = asyncio.get_running_loop().time()

    broker.terminate()

    assert 0 == await broker.exit_code()
    assert asyncio.get_running_loop().time() - begun < SUSPECT_S
    worker.terminate()
    assert 0 == await worker.exit_code()


async def test_a_whole_system_listens_and_is_helped_by_a_worker_elsewhere(no_processes: Processes) -> None:
    machines = Machines(no_processes, f"tcp://{HOST}:{free_port()}")
    system = await no_processes.up(procfile(no_processes))
    await no_processes.link(Link(no_processes.settings, register("front")))
    worker = await no_processes.start(WORKER, "worker", "redaction", settings=machines.other())
    assert (await no_processes.registered(worker.pid)).remote

    system.terminate()

    assert 0 == await system.exit_code()
    assert "process_killed" not in system.log
    worker.terminate()
    assert 0 == await worker.exit_code()


# The command


async def test_the_command_shows_lets_in_and_revokes_and_tells_no_secret(no_processes: Processes) -> None:
    settings, key = no_processes.settings, "ab" * 32

    def run(*arguments: str) -> str:
        done = gasoline(settings, "keys", *arguments)
        assert (0, "") == (done.returncode, done.stderr)
        assert Keys(settings).own().secret.hex() not in done.stdout
        return done.stdout

    own = Keys(settings).own().public.hex()
    known = {"public_key": own, "listen": "", "machines": [{"name": "box", "key": key}]}
    assert f"this machine's public key: {own}" in run()
    assert ["box", key] in [line.split() for line in run("allow", "box", key).splitlines()]
    assert known == msgspec.json.decode(run("--json"))
    assert known | {"machines": []} == msgspec.json.decode(run("revoke", "box", "--json"))


async def test_what_the_command_prints_is_all_that_a_worker_elsewhere_takes(no_processes: Processes) -> None:
    machines = Machines(no_processes, f"tcp://{HOST}:{free_port()}")
    await machines.serve()
    there = machines.other(let_in=False)
    shown = gasoline(machines.processes.settings, "keys").stdout
    (line,) = [line for line in shown.splitlines() if "gasoline worker redaction" in line]
    given = dict(word.split("=", 1) for word in line.split() if "=" in word)

    as_told = msgspec.structs.replace(there, broker=given["GASOLINE_BROKER"], broker_key=given["GASOLINE_BROKER_KEY"])
    public = msgspec.json.decode(gasoline(there, "keys", "--json").stdout)["public_key"]
    gasoline(machines.processes.settings, "keys", "allow", "there", public)
    worker = await machines.processes.start(WORKER, "worker", "redaction", settings=as_told)

    assert (await machines.processes.registered(worker.pid)).remote


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("keys", "allow", "box", "12"), "A public key has 64 hex digits"),
        (("keys", "allow", "a b", "ab" * 32), "Invalid machine name 'a b'"),
        (("keys", "revoke", "box"), "No machine 'box' is allowed; there are: none."),
        (("up",), "GASOLINE_BROKER is for a worker on another machine"),
    ],
)
async def test_what_cannot_be_done_is_refused_in_a_sentence(
    no_processes: Processes, arguments: tuple[str, ...], said: str
) -> None:
    broker = f"tcp://{HOST}:{free_port()}" if arguments == ("up",) else ""
    settings = msgspec.structs.replace(no_processes.settings, broker=broker, broker_key="ab" * 32)

    done = gasoline(settings, *arguments)

    assert (2, "") == (done.returncode, done.stdout)
    assert said in done.stderr


async def test_a_worker_for_another_machine_without_a_broker_key_does_not_start(
    no_processes: Processes,
) -> None:
    settings = msgspec.structs.replace(no_processes.settings, broker=f"tcp://{HOST}:{free_port()}")

    done = gasoline(settings, "worker", "redaction")

    assert 2 == done.returncode
    assert "GASOLINE_BROKER needs GASOLINE_BROKER_KEY" in done.stderr
