"""Asks that kill their worker, and messages that cannot be read: they cost their own sender alone."""

import logging
import random
import socket

import pytest

from gasoline_broker.actor.wire import FRAMES_MAX, MESSAGE_BYTES_MAX, Delivery, Envelope, Kind, pack, stop
from gasoline_broker.errors import Failed
from gasoline_broker.messages import StatusRead
from process.faults.accounts import assert_all_accounted, assert_none_stalled, unknown
from process.faults.fault_env import FAULT_S, FaultEnv, pass_by, repeat
from process.faults.raw import Raw
from process.faults.worker_app import Crash, Work, noted

SEED = 20_251_121
MESSAGES = 10_000
BATCH = 200  # of random messages at a time, so that the load continues in between
STRANGERS_EVERY_S = 0.01

logger = logging.getLogger("faults")


@pytest.mark.requirement("hub-015", "hub-036")
async def test_an_ask_that_kills_its_workers_kills_three_and_is_a_dead_letter(env: FaultEnv) -> None:
    log = env.settings.data_dir / "crashed"
    async with await env.load(per_s=200) as load:
        with pytest.raises(Failed) as told:
            await env.processes.ask(stop("worker_app", Crash(str(log))), ttl_s=20)
        await pass_by(1.0)

    assert "worker_unavailable" == told.value.failure.code
    assert 3 == len(noted(log))
    assert_all_accounted(load.result)
    assert unknown(load.result) <= 3
    status = await env.all_back()
    (letter,) = status.dead_letters
    assert ("worker_app", ("worker_app",), tuple(noted(log))) == (letter.service, letter.stops, letter.pids)


async def test_a_command_that_kills_its_worker_kills_one_and_its_outcome_is_unknown(env: FaultEnv) -> None:
    log = env.settings.data_dir / "crashed"

    with pytest.raises(Failed) as told:
        await env.processes.ask(stop("worker_app", Crash(str(log)), Delivery.COMMAND), ttl_s=20)

    assert "outcome_unknown" == told.value.failure.code
    assert 1 == len(noted(log))
    await env.all_back()


def _random_message(chance: random.Random) -> list[bytes]:
    """Make a message of 1 to 21 frames: anything, a torn or bent envelope of ours, or one of another version."""
    ask = pack(Envelope(Kind.ASK, chance.randbytes(16), (stop("worker_app", Work(0)),), ttl_ms=1_000))
    heads = [
        chance.randbytes(chance.randrange(200)),
        ask[: chance.randrange(len(ask))],
        _bent(chance, ask),
        pack([chance.randrange(20)]),
        pack([Kind.ASK, b"id", "an itinerary of another version", 1]),
        pack({"v": 0, "kind": "REQ", "id": 7}),
        b"",
    ]
    return [chance.choice(heads), *(chance.randbytes(chance.randrange(50)) for _ in range(chance.randrange(21)))]


def _bent(chance: random.Random, data: bytes) -> bytes:
    at = chance.randrange(len(data))
    return data[:at] + chance.randbytes(1) + data[at + 1 :]


@pytest.mark.requirement("hub-037")
async def test_ten_thousand_random_messages_are_counted_and_disturb_no_process(env: FaultEnv) -> None:
    chance = random.Random(SEED)  # noqa: S311 - it is to be repeatable, not secret
    broker = env.broker.child.pid
    async with (
        await env.load(per_s=200) as load,
        Raw(env.settings) as stranger,
        Raw(env.settings) as known,
    ):
        await known.register()
        for sent in range(MESSAGES):
            said = known if sent % 2 else stranger
            while not said.send(_random_message(chance)):
                await env.processes.status()
            if sent % BATCH == 0:
                await env.processes.status()
        status = await env.processes.status(lambda status: _refused(status) >= MESSAGES / 2)

    logger.info("%s", status.counts)
    assert_all_accounted(load.result)
    assert {} == load.result.failed
    assert_none_stalled(load.result)
    assert broker == env.broker.child.pid
    assert 0 == len(env.broker.deaths)
    await env.all_back()


def _refused(status: StatusRead) -> int:
    return sum(status.counts.get(word, 0) for word in ("malformed", "unregistered", "misplaced"))


@pytest.mark.parametrize(
    "frames",
    [
        [pack(Envelope(Kind.PING)), bytes(MESSAGE_BYTES_MAX + (1 << 20))],
        [pack(Envelope(Kind.PING)), *[bytes(MESSAGE_BYTES_MAX // 2)] * 3],
        [pack(Envelope(Kind.PING)), *[b""] * FRAMES_MAX],
        [bytes(MESSAGE_BYTES_MAX)],
    ],
    ids=["one frame of 17 MB", "24 MB in three frames", "too many frames", "an envelope of 16 MB"],
)
@pytest.mark.requirement("hub-037")
async def test_a_message_that_is_too_large_disturbs_no_other(env: FaultEnv, frames: list[bytes]) -> None:
    async with await env.load(per_s=200) as load, Raw(env.settings) as stranger:
        await repeat(0.1, lambda: stranger.send(frames), 0.5)

    assert_all_accounted(load.result)
    assert {} == load.result.failed
    assert 0 == len(env.broker.deaths)


async def test_strangers_with_another_protocol_disturb_no_process(env: FaultEnv) -> None:
    chance = random.Random(SEED)  # noqa: S311 - the same
    path = str(env.settings.broker_socket)
    kept: list[socket.socket] = []

    def visit() -> None:
        for words in (b"", b"GET / HTTP/1.1\r\n\r\n", b"\xff" + bytes(8) + b"\x7f\x03", chance.randbytes(64)):
            one = socket.socket(socket.AF_UNIX)
            one.settimeout(0)
            try:
                one.connect(path)
                one.send(words)
            except BlockingIOError:
                pass
            kept.append(one)
        for one in kept[:-100]:
            one.close()
        del kept[:-100]

    async with await env.load(per_s=200) as load:
        await repeat(STRANGERS_EVERY_S, visit, FAULT_S / 3)
    for one in kept:
        one.close()

    assert_all_accounted(load.result)
    assert {} == load.result.failed
    assert_none_stalled(load.result)
    assert 0 == len(env.broker.deaths)
