"""An ask goes its way through real processes, or fails by name."""

import asyncio
import signal
from collections.abc import Awaitable

import msgspec
import pytest

from gasoline_broker.actor.client import Answer
from gasoline_broker.actor.wire import MESSAGE_BYTES_MAX, Stop, stop
from gasoline_broker.errors import Failed
from process.echo import Break, CarryBlobs, Meet, Refuse, Said, Say, SayTooMuch
from process.processes import Processes, Started

SECRET = "what-the-page-said"

pytestmark = pytest.mark.usefixtures("echo")


def said(answer: Answer) -> Said:
    read: Said = answer.read(Said)
    return read


async def code_of(asking: Awaitable[Answer]) -> str:
    with pytest.raises(Failed) as told:
        await asking
    return told.value.failure.code


async def test_an_ask_goes_through_all_its_stops_in_order(processes: Processes) -> None:
    echo, other = await processes.echo("echo"), await processes.echo("other")

    answer = said(await processes.ask(stop("echo", Say("a")), stop("other", Say("b")), stop("echo", Say("c"))))

    assert Said("abc", [echo.pid, other.pid, echo.pid], [1, 1, 1]) == answer


async def test_a_thousand_asks_at_a_time_are_each_answered_with_their_own_answer(shared: Processes) -> None:
    most = asyncio.Semaphore(200)

    async def one(number: int) -> str:
        async with most:
            return said(await shared.ask(stop("echo", Say(str(number))))).text

    assert [str(number) for number in range(1000)] == await asyncio.gather(*map(one, range(1000)))


async def test_blobs_travel_whole(shared: Processes) -> None:
    answer = await shared.ask(
        stop("echo", CarryBlobs(2 << 20)), stop("echo", CarryBlobs(3)), stop("echo", CarryBlobs(0))
    )

    assert [2 << 20, 3, 0] == [len(blob) for blob in answer.blobs]
    assert b"" == answer.body


async def test_a_stop_that_fails_ends_the_way(shared: Processes) -> None:
    with pytest.raises(Failed, match="refused: no baseline"):
        await shared.ask(stop("echo", Refuse("no baseline")), stop("echo", Say("never")))


async def test_an_answer_that_is_too_large_fails_and_its_process_stays(shared: Processes, echo: Started) -> None:
    before = (await shared.status()).counts

    assert "payload_too_large" == await code_of(shared.ask(stop("echo", SayTooMuch())))
    assert [echo.pid] == said(await shared.ask(stop("echo", Say("a")))).pids
    assert before == (await shared.status()).counts


async def test_an_ask_that_is_too_large_fails_by_name_and_its_process_stays(shared: Processes) -> None:
    before = (await shared.status()).counts

    assert "payload_too_large" == await code_of(shared.ask(stop("echo", Say("a")), body=bytes(MESSAGE_BYTES_MAX + 1)))
    assert "payload_too_large" == await code_of(shared.ask(stop("echo", Say("a" * MESSAGE_BYTES_MAX))))
    assert "a" == said(await shared.ask(stop("echo", Say("a")))).text
    assert before == (await shared.status()).counts


async def test_without_a_process_of_its_service_an_ask_fails_long_before_its_deadline(
    processes: Processes,
) -> None:
    await processes.echo("bridge")
    begun = asyncio.get_running_loop().time()

    results = await asyncio.gather(
        processes.ask(stop("diff", Say("a")), ttl_s=100),
        processes.ask(stop("redaction", Say("a")), ttl_s=100),
        processes.ask(stop("bridge", Say(SECRET)), stop("redaction", Say("a")), ttl_s=100),
        return_exceptions=True,
    )

    failures = [result.failure for result in results if isinstance(result, Failed)]
    codes = ["worker_unavailable", "redaction_unavailable", "redaction_unavailable"]
    assert codes == [failure.code for failure in failures]
    assert SECRET not in str(failures)
    assert asyncio.get_running_loop().time() - begun < 50


@pytest.fixture(scope="module")
async def bridge(shared: Processes) -> None:
    """Start a bridge, which answers page data, and a service that may not see such."""
    await asyncio.gather(shared.echo("bridge"), shared.echo("diff"))


@pytest.mark.usefixtures("bridge")
@pytest.mark.parametrize("message", [Say(SECRET), Refuse(SECRET), Break(SECRET, "runtime")])
@pytest.mark.parametrize("after", [[], [stop("diff", Say(""))]], ids=["last", "before a service"])
async def test_an_itinerary_that_forgets_redaction_gives_nothing_of_the_page(
    shared: Processes, message: msgspec.Struct, after: list[Stop]
) -> None:
    with pytest.raises(Failed) as told:
        await shared.ask(stop("bridge", message), *after)

    assert "redaction_unavailable" == told.value.failure.code
    assert SECRET not in str(told.value.failure)


async def test_by_way_of_redaction_it_is_answered(processes: Processes) -> None:
    await processes.echo("bridge")
    await processes.echo("redaction")

    assert "ab" == said(await processes.ask(stop("bridge", Say("a")), stop("redaction", Say("b")))).text


@pytest.mark.parametrize("kind", ["runtime", "validation", "unpackable", "unsendable"])
async def test_an_actor_that_breaks_answers_without_its_faults_words_and_works_on(
    shared: Processes, echo: Started, kind: str
) -> None:
    with pytest.raises(Failed) as told:
        await shared.ask(stop("echo", Break(SECRET, kind)))

    assert "internal_error" == told.value.failure.code
    assert SECRET not in str(told.value.failure)
    assert SECRET not in echo.log
    assert [echo.pid] == said(await shared.ask(stop("echo", Say("a")))).pids


async def test_an_actor_refuses_what_it_does_not_understand(shared: Processes) -> None:
    with pytest.raises(Failed, match="invalid_params: The echo process does not understand this"):
        await shared.ask(stop("echo", _Unknown()))


class _Unknown(msgspec.Struct, frozen=True, tag=True):
    """Ask: something that no actor knows."""


async def test_at_its_deadline_an_ask_fails_and_its_worker_stops(shared: Processes, echo: Started) -> None:
    gate = await shared.gate()
    asking = asyncio.create_task(shared.ask(stop("echo", Meet(gate.path)), ttl_s=1))
    visitor = await gate.visitor()

    assert "deadline_exceeded" == await code_of(asking)
    assert await visitor.cancelled()
    assert [echo.pid] == said(await shared.ask(stop("echo", Say("a")))).pids


async def test_an_ask_that_is_cancelled_is_cancelled_at_its_worker(shared: Processes, echo: Started) -> None:
    gate = await shared.gate()
    asking = asyncio.create_task(shared.ask(stop("echo", Meet(gate.path))))
    visitor = await gate.visitor()

    asking.cancel()

    assert await visitor.cancelled()
    assert [echo.pid] == said(await shared.ask(stop("echo", Say("a")))).pids


async def test_an_ask_that_is_cancelled_before_its_worker_has_begun_does_not_block_the_worker(
    shared: Processes, echo: Started
) -> None:
    echo.signal(signal.SIGSTOP)
    asking = asyncio.create_task(shared.ask(stop("echo", Say("never"))))
    await shared.status(lambda status: any(peer.running for peer in status.peers))

    asking.cancel()
    await shared.status()  # what was sent before this has been read
    echo.signal(signal.SIGCONT)

    assert [echo.pid] == said(await shared.ask(stop("echo", Say("a")))).pids


async def test_while_one_works_another_of_its_kind_answers(processes: Processes) -> None:
    one, gate = await processes.echo("echo"), await processes.gate()
    other = await processes.echo("echo")
    asking = asyncio.create_task(processes.ask(stop("echo", Meet(gate.path))))
    visitor = await gate.visitor()

    pids = said(await processes.ask(stop("echo", Say("a")))).pids
    visitor.let_go()

    assert [visitor.pid] == said(await asking).pids
    assert {one.pid, other.pid} == {visitor.pid, *pids}
