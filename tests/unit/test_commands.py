"""A command of the extension stays open until it is answered, across every loss of the link."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from gasoline_bridge.chrome.commands import Commands, Finished
from gasoline_bridge.chrome.link import Cancel, Client, Command, Fault, Hello, Pilot, Result
from gasoline_broker.error_codes import recovery_of
from gasoline_broker.errors import Failed, Failure

HELLO = Hello("0.1.0", "Chrome/156.0.0.0", "w1")
Sent = list[msgspec.Struct]


def soon() -> float:
    return time.monotonic() + 5


async def connected() -> tuple[Commands, Sent, Callable[[msgspec.Struct], None]]:
    commands, sent = Commands(), Sent()
    await commands.connect(HELLO, sent.append)
    return commands, sent, sent.append


async def sent_command(sent: Sent) -> Command:
    async with asyncio.timeout(5):
        while True:
            for message in sent:
                if isinstance(message, Command):
                    return message
            await asyncio.sleep(0)


def result(command: Command, text: bytes = b"{}") -> Result:
    return Result(command.id, msgspec.Raw(text))


async def test_a_command_is_sent_and_answered() -> None:
    commands, sent, _ = await connected()
    running = asyncio.create_task(commands.run("query_dom", {"selector": "a"}, soon()))
    command = await sent_command(sent)

    assert commands.finish(result(command, b'{"a":1}'))

    assert b'{"a":1}' == bytes((await running).result)
    assert ("query_dom", {"selector": "a"}) == (command.name, command.arguments)
    assert 0 < command.timeout_ms < 5_000


@pytest.mark.requirement("faults-011")
async def test_a_result_whose_events_are_not_stored_is_passed_on_with_the_reason() -> None:
    commands, sent, _ = await connected()
    running = asyncio.create_task(commands.run("execute", {}, soon(), ANN))
    command = await sent_command(sent)

    commands.finish(result(command, b'{"a":1}'), Failure("store_failed", "The disk is full."))

    assert Finished(msgspec.Raw(b'{"a":1}'), "The disk is full.") == await running


@pytest.mark.requirement("faults-015")
@pytest.mark.parametrize("client", [None, Client("0011", "ann")])
async def test_what_was_done_and_cannot_be_redacted_is_not_asked_for_again(client: Client | None) -> None:
    commands, sent, _ = await connected()
    running = asyncio.create_task(commands.run("execute", {}, soon(), client))
    command = await sent_command(sent)

    commands.finish(result(command), Failure("redaction_unavailable", "None is there.", "Start it."))

    with pytest.raises(Failed) as caught:
        await running
    wanted = "It was done: do not repeat it." if client else "Start it."
    assert ("redaction_unavailable", wanted) == (
        caught.value.failure.code,
        caught.value.failure.recovery[: len(wanted)],
    )


async def test_while_the_port_is_taken_a_call_names_the_reason() -> None:
    commands = Commands()
    commands.no_port = "Port 7890 is taken by another program."

    with pytest.raises(Failed, match="extension_disconnected: Port 7890 is taken by another program"):
        await commands.run("query_dom", {}, time.monotonic())


async def test_a_detail_of_an_error_may_have_any_name() -> None:
    commands, sent, _ = await connected()
    running = asyncio.create_task(commands.run("interact", {}, soon()))
    command = await sent_command(sent)
    details = {"text": "Saved", "code": 3, "recovery": "none"}

    commands.finish(Result(command.id, error=Fault("wait_timeout", "Not shown.", details, "Look.")))

    with pytest.raises(Failed) as raised:
        await running
    assert details == raised.value.failure.details


async def test_an_error_of_the_extension_is_a_failure_with_its_words() -> None:
    commands, sent, _ = await connected()
    running = asyncio.create_task(commands.run("query_dom", {}, soon()))
    command = await sent_command(sent)

    commands.finish(Result(command.id, error=Fault("tab_not_found", "No tab 7.", {"tab_id": 7}, "List the tabs.")))

    with pytest.raises(Failed) as caught:
        await running
    failure = caught.value.failure
    assert ("tab_not_found", "No tab 7.", {"tab_id": 7}, "List the tabs.") == (
        failure.code,
        failure.text,
        failure.details,
        failure.recovery,
    )


async def test_after_a_reconnect_an_open_command_is_sent_again_with_its_id() -> None:
    commands, sent, send = await connected()
    running = asyncio.create_task(commands.run("query_dom", {}, soon()))
    first = await sent_command(sent)
    commands.disconnect(send)
    again: Sent = []

    await commands.connect(HELLO, again.append)

    assert first.id == (await sent_command(again)).id
    commands.finish(result(first))
    await running


async def test_a_command_waits_for_an_extension_that_comes_back() -> None:
    commands, sent, send = await connected()
    commands.disconnect(send)
    running = asyncio.create_task(commands.run("query_dom", {}, soon()))
    await asyncio.sleep(0)

    await commands.connect(HELLO, send)

    commands.finish(result(await sent_command(sent)))
    await running


async def test_without_an_extension_for_long_a_command_fails_at_once() -> None:
    commands = Commands()
    commands._lost_at -= 60

    with pytest.raises(Failed) as caught:
        await commands.run("query_dom", {}, soon())

    assert "extension_disconnected" == caught.value.failure.code
    assert "gasoline extension install" in recovery_of(caught.value.failure)


@pytest.mark.requirement("analyze-009")
async def test_a_command_with_much_time_waits_longer_for_a_link_that_was_cut() -> None:
    commands, sent = Commands(), Sent()
    commands._lost_at = time.monotonic() - 3

    with pytest.raises(Failed, match="No Chrome"):
        await commands.run("query_dom", {}, time.monotonic() + 10)
    running = asyncio.create_task(commands.run("query_dom", {}, time.monotonic() + 40))
    await asyncio.sleep(0)
    await commands.connect(HELLO, sent.append)

    commands.finish(result(await sent_command(sent)))
    await running


@pytest.mark.requirement("002-036", "002-126")
async def test_an_extension_that_does_not_answer_in_time_is_a_failure_and_gets_a_cancel() -> None:
    commands, sent, _ = await connected()

    with pytest.raises(Failed) as caught:
        await commands.run("query_dom", {}, time.monotonic() + 0.05)

    assert "deadline_exceeded" == caught.value.failure.code
    assert Cancel((await sent_command(sent)).id) in sent


async def test_a_caller_that_goes_has_its_command_cancelled() -> None:
    commands, sent, _ = await connected()
    running = asyncio.create_task(commands.run("query_dom", {}, soon()))
    command = await sent_command(sent)

    running.cancel()
    await asyncio.wait([running])

    assert Cancel(command.id) == sent[-1]


async def test_a_result_that_is_not_awaited_is_counted() -> None:
    commands, _, _ = await connected()

    assert not commands.finish(Result("f" * 32, msgspec.Raw(b"{}")))
    assert 1 == commands.unknown


@pytest.mark.requirement("002-030", "002-108", "002-156")
async def test_a_polling_client_gets_a_command_once() -> None:
    commands = Commands()
    polling = asyncio.create_task(commands.poll(5))
    running = asyncio.create_task(commands.run("get_page_info", {"tab_id": 0}, soon()))

    (command,) = await polling

    assert ("get_page_info", {"tab_id": 0}) == (command.name, command.arguments)
    assert [] == await commands.poll(0)
    commands.finish(result(command))
    await running


@pytest.mark.requirement("002-155")
async def test_a_poll_with_nothing_pending_gets_nothing() -> None:
    assert [] == await Commands().poll(0)


async def test_a_link_that_ended_is_no_connection() -> None:
    commands, _, send = await connected()

    commands.disconnect(send)

    assert not commands.connected


async def test_an_older_link_that_ends_does_not_disconnect_the_newer_one() -> None:
    commands, _, send = await connected()
    newer: Sent = []
    await commands.connect(HELLO, newer.append)

    commands.disconnect(send)

    assert commands.connected


ANN = Client("0011", "ann")


async def test_a_command_that_acts_names_its_client() -> None:
    commands, sent, _ = await connected()
    running = asyncio.create_task(commands.run("execute", {"script": "1"}, soon(), ANN))
    command = await sent_command(sent)
    commands.finish(result(command))
    await running

    assert ANN == command.client


async def test_a_polling_client_gets_nothing_that_acts() -> None:
    commands = Commands()
    await commands.poll(0.0)  # it is there, as long as it polls
    with pytest.raises(Failed) as caught:
        await commands.admit(time.monotonic())
    running = asyncio.create_task(commands.run("execute", {}, time.monotonic() + 0.1, ANN))

    assert [] == await commands.poll(0.2)
    assert "extension_disconnected" == caught.value.failure.code
    with pytest.raises(Failed):
        await running


@pytest.mark.requirement("pilot-004")
async def test_while_the_switch_is_known_to_be_off_nothing_is_asked() -> None:
    commands, sent, _ = await connected()
    commands.pilot = False

    with pytest.raises(Failed) as caught:
        await commands.admit(soon())

    assert ("ai_web_pilot_disabled", []) == (caught.value.failure.code, sent)


async def test_a_switch_that_was_just_turned_on_counts_though_its_report_comes_later() -> None:
    commands, _, _ = await connected()
    commands.note(Pilot(enabled=False))
    admitted = asyncio.create_task(commands.admit(soon()))
    await asyncio.sleep(0.05)
    assert not admitted.done()
    commands.note(Pilot(enabled=True))

    await admitted


@pytest.mark.parametrize("enabled", [None, True])
async def test_while_it_may_be_on_the_extension_decides(enabled: bool | None) -> None:  # noqa: FBT001 - cases
    commands, _, _ = await connected()
    commands.pilot = enabled

    await commands.admit(soon())


async def test_what_was_known_of_the_switch_goes_with_the_link() -> None:
    commands, _, send = await connected()
    commands.pilot = False
    commands.disconnect(send)
    await commands.connect(HELLO, send)

    assert commands.pilot is None


async def code_of(running: "asyncio.Task[Finished]") -> str:
    with pytest.raises(Failed) as caught:
        await running
    return caught.value.failure.code


async def test_what_acts_is_never_handed_to_another_life_of_the_extension() -> None:
    commands, sent, send = await connected()
    running = asyncio.create_task(commands.run("execute", {}, soon(), ANN))
    await sent_command(sent)
    commands.disconnect(send)
    again: Sent = []

    await commands.connect(msgspec.structs.replace(HELLO, worker="w2"), again.append)

    assert "outcome_unknown" == await code_of(running)
    assert [] == again


@pytest.mark.requirement("analyze-009")
async def test_what_only_reads_is_handed_to_another_life_though_it_has_a_client() -> None:
    commands, sent, send = await connected()
    running = asyncio.create_task(commands.run("analyze", {}, soon(), ANN, repeatable=True))
    first = await sent_command(sent)
    commands.disconnect(send)
    again: Sent = []

    await commands.connect(msgspec.structs.replace(HELLO, worker="w2"), again.append)

    assert first.id == (await sent_command(again)).id
    running.cancel()


async def test_what_acts_is_sent_again_to_the_life_that_had_it() -> None:
    commands, sent, send = await connected()
    running = asyncio.create_task(commands.run("execute", {}, soon(), ANN))
    first = await sent_command(sent)
    commands.disconnect(send)
    again: Sent = []

    await commands.connect(HELLO, again.append)

    assert first.id == (await sent_command(again)).id
    running.cancel()


async def test_what_acts_is_unknown_when_the_browser_does_not_come_back() -> None:
    commands, sent, send = await connected()
    running = asyncio.create_task(commands.run("execute", {}, soon(), ANN))
    await sent_command(sent)

    commands.disconnect(send)

    assert "outcome_unknown" == await code_of(running)


@pytest.mark.requirement("install-019")
async def test_the_switch_for_personal_data_is_kept_and_an_older_extension_leaves_it(tmp_path: Path) -> None:
    commands = Commands(tmp_path / "hide")
    kept = []
    for wanted in (None, True, None, True, False, False):
        commands.note(Pilot(enabled=True, hide_personal=wanted))
        kept.append(commands.hides_personal)

    assert kept == [False, True, True, True, False, False]


async def test_a_switch_that_cannot_be_kept_ends_nothing(tmp_path: Path) -> None:
    commands = Commands(tmp_path / "nowhere" / "hide")

    commands.note(Pilot(enabled=True, hide_personal=True))

    assert commands.pilot
    assert not commands.hides_personal
