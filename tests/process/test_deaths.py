"""Processes die, hang and come back, and no ask is lost, doubled or left hanging."""

import asyncio
import signal

import pytest

from gasoline_broker.actor.client import Answer, Link, register
from gasoline_broker.actor.wire import Delivery, stop
from gasoline_broker.errors import Failed
from process.echo import Meet, Said, Say
from process.processes import HERE, Processes, until, within

KILLED = 5
RECOVERED_S = 15.0  # 2 s are promised; the machine may be busy with other tests


def said(answer: Answer) -> Said:
    read: Said = answer.read(Said)
    return read


def code_of(told: pytest.ExceptionInfo[Failed]) -> str:
    return told.value.failure.code


# A worker


async def test_the_ask_of_a_killed_worker_is_given_to_another(processes: Processes) -> None:
    one, other, gate = await processes.echo(), await processes.echo(), await processes.gate()
    asking = asyncio.create_task(processes.ask(stop("echo", Meet(gate.path))))
    first = await gate.visitor()
    killed, left = (one, other) if first.pid == one.pid else (other, one)

    killed.kill()
    second = await gate.visitor()
    second.let_go()

    assert (left.pid, 2) == (second.pid, second.attempt)
    assert Said("met", [left.pid], [2]) == said(await asking)


@pytest.mark.requirement("hub-022")
async def test_a_death_is_noticed_by_the_broken_link_and_not_by_the_silence(processes: Processes) -> None:
    workers = {worker.pid: worker for worker in await asyncio.gather(*(processes.echo() for _ in range(KILLED + 1)))}
    gate = await processes.gate()
    for _ in range(KILLED):
        asking = asyncio.create_task(processes.ask(stop("echo", Meet(gate.path))))
        killed = await gate.visitor()
        workers[killed.pid].kill()
        (await gate.visitor()).let_go()
        await asking

    assert {"lost_peers": KILLED, "unreachable": KILLED} == (await processes.status()).counts


async def test_the_ask_of_the_only_worker_waits_until_it_is_started_again(processes: Processes) -> None:
    worker, gate = await processes.echo(), await processes.gate()
    asking = asyncio.create_task(processes.ask(stop("echo", Meet(gate.path))))
    await gate.visitor()

    worker.kill()
    again = await processes.echo()
    (await gate.visitor()).let_go()

    assert Said("met", [again.pid], [2]) == said(await asking)


async def test_a_command_of_a_killed_worker_is_not_done_again(processes: Processes) -> None:
    one, _, gate = await processes.echo(), await processes.echo(), await processes.gate()
    asking = asyncio.create_task(processes.ask(stop("echo", Meet(gate.path), Delivery.COMMAND)))
    await gate.visitor()

    one.kill()

    with pytest.raises(Failed) as told:
        await asking
    assert ("outcome_unknown", 1) == (code_of(told), gate.visits)


@pytest.mark.requirement("hub-022")
async def test_the_ask_of_a_worker_that_hangs_is_given_to_another(processes: Processes) -> None:
    one, other, gate = await processes.echo(), await processes.echo(), await processes.gate()
    asking = asyncio.create_task(processes.ask(stop("echo", Meet(gate.path))))
    first = await gate.visitor()
    hung, left = (one, other) if first.pid == one.pid else (other, one)

    hung.signal(signal.SIGSTOP)
    second = await gate.visitor()
    second.let_go()

    assert Said("met", [left.pid], [2]) == said(await asking)


async def test_a_worker_that_hung_serves_again_when_it_goes_on(processes: Processes) -> None:
    worker, gate = await processes.echo(), await processes.gate()
    asking = asyncio.create_task(processes.ask(stop("echo", Meet(gate.path))))
    visitor = await gate.visitor()

    worker.signal(signal.SIGSTOP)
    await processes.status(lambda status: status.counts.get("silent_peers"))
    worker.signal(signal.SIGCONT)
    await processes.registered(worker.pid)
    visitor.let_go()

    assert [worker.pid] == said(await asking).pids
    assert 1 == gate.visits, "it was given again what it was still working on, and did not begin anew"
    assert [worker.pid] == said(await processes.ask(stop("echo", Say("a")))).pids


@pytest.mark.requirement("hub-012")
async def test_a_worker_that_stops_answers_what_it_holds_first(processes: Processes) -> None:
    worker, gate = await processes.echo(), await processes.gate()
    asking = asyncio.create_task(processes.ask(stop("echo", Meet(gate.path))))
    visitor = await gate.visitor()

    worker.terminate()
    other = await processes.echo()
    assert [other.pid] == said(await processes.ask(stop("echo", Say("a")))).pids
    visitor.let_go()

    assert Said("met", [worker.pid], [1]) == said(await asking)
    assert 0 == await worker.exit_code()
    assert {} == (await processes.status()).counts


async def test_a_worker_that_holds_nothing_stops_at_once(processes: Processes) -> None:
    worker = await processes.echo()

    worker.terminate()

    assert 0 == await worker.exit_code()


# An asker


@pytest.mark.requirement("hub-010")
async def test_what_a_killed_asker_had_asked_is_cancelled_at_its_worker(processes: Processes) -> None:
    worker, gate = await processes.echo(), await processes.gate()
    asker = await processes.start(str(HERE / "ask.py"), "echo", gate.path)
    visitor = await gate.visitor()

    asker.kill()

    assert await visitor.cancelled()
    assert [worker.pid] == said(await processes.ask(stop("echo", Say("a")))).pids


async def test_an_asker_that_stops_waits_for_its_answer(processes: Processes) -> None:
    await processes.echo()
    gate = await processes.gate()
    asker = await processes.start(str(HERE / "ask.py"), "echo", gate.path)
    visitor = await gate.visitor()

    asker.terminate()
    await until(lambda: "service_stopping" in asker.log)
    visitor.let_go()

    assert 0 == await asker.exit_code()
    assert "let go and answered" in asker.log


async def test_a_link_that_closes_fails_what_is_still_asked(processes: Processes) -> None:
    await processes.echo()
    gate = await processes.gate()
    link = Link(processes.settings, register("front"))
    async with link:
        asking = asyncio.create_task(link.ask(stop("echo", Meet(gate.path)), ttl_s=100))
        visitor = await gate.visitor()

    with pytest.raises(Failed, match="This process is stopping"):
        await asking
    with pytest.raises(Failed, match="This process is stopping"):
        await link.ask(stop("echo", Say("a")), ttl_s=100)
    assert await visitor.cancelled()


# The broker


@pytest.mark.requirement("hub-013")
async def test_asks_that_are_open_when_the_broker_is_killed_are_answered_by_the_next(
    no_processes: Processes,
) -> None:
    processes = no_processes
    broker = await processes.broker()
    await processes.link(Link(processes.settings, register("front")))
    worker, gate = await processes.echo(), await processes.gate()
    asking = asyncio.create_task(processes.ask(stop("echo", Meet(gate.path)), stop("echo", Say("!"))))
    visitor = await gate.visitor()

    begun = asyncio.get_running_loop().time()
    broker.kill()
    await broker.exit_code()
    later = asyncio.create_task(processes.ask(stop("echo", Say("asked while there was none"))))
    await processes.broker()
    await processes.registered(worker.pid)
    visitor.let_go()

    assert Said("met!", [worker.pid] * 2, [1, 1]) == said(await asking)
    assert "asked while there was none" == said(await later).text
    assert asyncio.get_running_loop().time() - begun < RECOVERED_S
    assert 1 == gate.visits, "its worker never left off"


async def test_what_is_answered_while_there_is_no_broker_is_asked_again(no_processes: Processes) -> None:
    processes = no_processes
    broker = await processes.broker()
    await processes.link(Link(processes.settings, register("front")))
    worker, gate = await processes.echo(), await processes.gate()
    asking = asyncio.create_task(processes.ask(stop("echo", Meet(gate.path))))
    visitor = await gate.visitor()

    broker.kill()
    await broker.exit_code()
    visitor.let_go()
    await processes.broker()
    (await gate.visitor()).let_go()

    assert [worker.pid] == said(await asking).pids


async def test_an_ask_without_a_broker_fails_by_name_soon_after_its_deadline(no_processes: Processes) -> None:
    async with within(), Link(no_processes.settings, register("front")) as link:
        with pytest.raises(Failed) as told:
            await link.ask(stop("echo", Say("a")), ttl_s=0.2)

    assert "worker_unavailable" == code_of(told)


async def test_a_broker_that_hangs_costs_its_asks_their_deadline_and_nothing_after(no_processes: Processes) -> None:
    processes = no_processes
    broker = await processes.broker()
    await processes.link(Link(processes.settings, register("front")))
    worker = await processes.echo()

    broker.signal(signal.SIGSTOP)
    with pytest.raises(Failed) as told:
        await processes.ask(stop("echo", Say("a")), ttl_s=0.5)
    broker.signal(signal.SIGCONT)

    assert "worker_unavailable" == code_of(told)
    assert [worker.pid] == said(await processes.ask(stop("echo", Say("a")))).pids


async def test_a_broker_that_stops_leaves_nothing_behind(no_processes: Processes) -> None:
    broker = await no_processes.broker()
    await no_processes.link(Link(no_processes.settings, register("front")))

    broker.terminate()

    assert 0 == await broker.exit_code()
    assert not no_processes.settings.broker_socket.exists()
