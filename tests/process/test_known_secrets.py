"""A secret that one redaction process has seen is known to all, at once, and survives the end of any of them."""

import asyncio
import contextlib
import os
import re
import secrets
import signal
from collections.abc import AsyncIterator, Iterator

import pytest

import system
from gasoline_broker.actor.client import Link, register
from gasoline_broker.actor.status import read_status
from gasoline_broker.actor.wire import pack, stop
from gasoline_broker.errors import Failed
from gasoline_broker.messages import StatusRead
from gasoline_broker.settings import Settings
from gasoline_workers.redaction.messages import RedactAnswer
from process.processes import within
from system import gasoline

PROCESSES = 4
LONG = "x" * 9_000  # redacted in a thread, beside the link's


@pytest.fixture(scope="module")
def settings() -> Iterator[Settings]:
    with system.settings() as made:
        started = gasoline(made, "up", "--detach", "--scale", f"redaction={PROCESSES}")
        assert started.returncode == 0, started.stderr
        try:
            yield made
        finally:
            gasoline(made, "down")


@pytest.fixture
async def link(settings: Settings) -> AsyncIterator[Link]:
    async with Link(settings, register("front")) as link, within():
        await link.registered()
        yield link


def new_secret() -> str:
    return "k9" + secrets.token_hex(6) + "Qz7" + secrets.token_hex(4)


async def redacted(link: Link, body: dict[str, str]) -> dict[str, str]:
    """Have it redacted, also when a process dies meanwhile."""
    while True:
        with contextlib.suppress(Failed):
            answer = await link.ask(stop("redaction", RedactAnswer()), body=pack(body), ttl_s=30)
            found: dict[str, str] = answer.read(dict[str, str])
            return found


async def status_of(link: Link) -> StatusRead:
    """Ask the broker for its status, also while one starts: on a busy machine that takes longer than an ask may."""
    while True:
        with contextlib.suppress(Failed):
            return await read_status(link)


async def pids(link: Link) -> dict[int, int]:
    """Give the redaction processes, and how many asks each has answered."""
    status = await status_of(link)
    return {peer.pid: peer.done for peer in status.peers if peer.service == "redaction"}


async def all_show(link: Link, body: dict[str, str]) -> set[str]:
    """Ask until each process has answered, and give the texts that they showed."""
    before, now, shown = await pids(link), dict[int, int](), set[str]()
    assert before
    while not all(now.get(pid, 0) > done for pid, done in before.items()):
        shown |= {one["text"] for one in await asyncio.gather(*(redacted(link, body) for _ in range(8)))}
        now = await pids(link)
    return shown


async def others_than(link: Link, gone: set[int]) -> None:
    """Wait until all processes are there, and none of these."""
    while len(found := set(await pids(link))) < PROCESSES or found & gone:  # noqa: ASYNC110 - another process's state
        await asyncio.sleep(0.02)


HANDLE = re.compile("⟦authorization#([0-9]+)⟧")


async def seen(link: Link, secret: str, beside: str = "") -> str:
    """Have a secret seen under a telling name, and give its handle."""
    shown = (await redacted(link, {"authorization": f"Bearer {secret}", "beside": beside}))["authorization"]
    assert HANDLE.fullmatch(shown)
    return shown


@pytest.mark.requirement("redact-008", "redact-009", "redact-013")
@pytest.mark.parametrize("beside", ["", LONG], ids=["short", "long"])
async def test_a_token_seen_by_one_process_is_hidden_by_each_of_four(link: Link, beside: str) -> None:
    assert PROCESSES == len(await pids(link))
    for _ in range(20):
        secret = new_secret()
        assert f"bare {secret}" == (await redacted(link, {"text": f"bare {secret}"}))["text"]

        handle = await seen(link, secret, beside)

        assert f"bare {handle}" == (await redacted(link, {"text": f"bare {secret}"}))["text"]
    assert {f"bare {handle}"} == await all_show(link, {"text": f"bare {secret}"})


@pytest.mark.requirement("redact-013")
async def test_secrets_that_many_processes_meet_at_once_have_one_number_each(link: Link) -> None:
    secrets_ = [new_secret() for _ in range(12)]

    shown = await asyncio.gather(*(seen(link, one, beside) for one in secrets_ for beside in ("", LONG, "", "x")))

    handles = [set(shown[first : first + 4]) for first in range(0, len(shown), 4)]
    assert [1] * 12 == [len(of_one) for of_one in handles]
    assert 12 == len(set[str]().union(*handles))


@pytest.mark.requirement("redact-013")
async def test_what_a_baseline_keeps_has_no_number_of_a_session(link: Link) -> None:
    secret = new_secret()
    await seen(link, secret)

    lasting = stop("redaction", RedactAnswer(numbered=False))
    answer = await link.ask(lasting, body=pack({"text": f"bare {secret}"}), ttl_s=30)

    assert "bare [REDACTED]" == answer.read(dict[str, str])["text"]


@pytest.mark.requirement("redact-009")
async def test_what_was_known_survives_the_death_of_every_process_of_redaction(link: Link) -> None:
    secret = new_secret()
    handle = await seen(link, secret)
    killed = set(await pids(link))

    for pid in killed:
        os.kill(pid, signal.SIGKILL)
    await others_than(link, killed)
    assert {f"bare {handle}"} == await all_show(link, {"text": f"bare {secret}"})


@pytest.mark.requirement("redact-009")
async def test_what_was_known_survives_the_death_of_the_broker(link: Link) -> None:
    secret = new_secret()
    handle = await seen(link, secret)
    broker = (await status_of(link)).pid

    os.kill(broker, signal.SIGKILL)
    while (await status_of(link)).pid == broker:
        pass
    await others_than(link, set())
    assert {f"bare {handle}"} == await all_show(link, {"text": f"bare {secret}"})
    victim = next(iter(await pids(link)))
    assert handle != await seen(link, new_secret())
    os.kill(victim, signal.SIGKILL)
    await others_than(link, {victim})
    assert {f"bare {handle}"} == await all_show(link, {"text": f"bare {secret}"})


@pytest.mark.requirement("redact-009")
async def test_what_was_known_survives_a_process_that_starts_with_another_broker(link: Link) -> None:
    """It knows nothing, and may be the first that has something to note."""
    secret = new_secret()
    handle = await seen(link, secret)
    for _ in range(3):
        broker, victim = (await status_of(link)).pid, next(iter(await pids(link)))
        for pid in (broker, victim):
            os.kill(pid, signal.SIGKILL)
        while (await status_of(link)).pid == broker:
            pass
        await seen(link, new_secret())
        await others_than(link, {victim})
        assert {f"bare {handle}"} == await all_show(link, {"text": f"bare {secret}"})


@pytest.mark.requirement("redact-009")
async def test_no_file_of_the_system_has_the_secret_or_its_key(settings: Settings, link: Link) -> None:
    secret = new_secret()
    await redacted(link, {"authorization": f"Bearer {secret}"})

    files = [path for path in settings.data_dir.parent.rglob("*") if path.is_file()]

    assert files
    assert not [path for path in files if secret.encode() in path.read_bytes()]
