"""Which trace a call goes by, and when it is logged."""

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest
import structlog

from gasoline_bridge.front.calls import Calls, trace_of
from gasoline_bridge.front.front import serve
from gasoline_bridge.front.jobs import Jobs
from gasoline_bridge.front.open_requests import OpenRequests
from gasoline_broker.actor.client import Answer
from gasoline_broker.actor.wire import Stop, pack
from gasoline_broker.errors import Failed, Failure
from gasoline_broker.settings import Settings
from gasoline_workers.journal.messages import EventsRead

if TYPE_CHECKING:
    from gasoline_broker.actor.client import Link

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"


@pytest.mark.parametrize(
    "parent",
    [f"00-{TRACE}-00f067aa0ba902b7-01", f"00-{TRACE}-00f067aa0ba902b7-00", f"cc-{TRACE}-00f067aa0ba902b7-01-more"],
)
def test_a_clients_trace_is_continued(parent: str) -> None:
    assert TRACE == trace_of(parent)


@pytest.mark.parametrize(
    "parent",
    [
        "",
        None,
        7,
        TRACE,
        f"ff-{TRACE}-00f067aa0ba902b7-01",
        f"00-{'0' * 32}-00f067aa0ba902b7-01",
        f"00-{TRACE}-{'0' * 16}-01",
        f"00-{TRACE.upper()}-00f067aa0ba902b7-01",
        f"00-{TRACE}-00f067aa0ba902b7",
    ],
)
def test_without_one_or_with_nonsense_a_call_has_a_trace_of_its_own(parent: object) -> None:
    made = trace_of(parent)

    assert (32, True) == (len(made), made != TRACE)
    assert made != trace_of(parent)


class NoSystem:
    """A link to no other process."""

    async def ask(self, *_itinerary: object, **_options: object) -> object:
        raise Failed(Failure("worker_unavailable", "There is no system."))


class SilentBrowser:
    """A link to a system whose journal has nothing, and whose browser does not answer."""

    async def ask(self, first: Stop, *_stops: object, **_options: object) -> Answer:
        if first.service != "journal":
            raise Failed(Failure("deadline_exceeded", "Chrome did not answer."))
        return Answer(pack(EventsRead([], 0, 0, 0, tab=9, state={"allTabs": True})))


class Writer:
    """The client's end. `logged_before`: how many events were logged when each line was written."""

    def __init__(self, logged: list[Any]) -> None:
        self.lines: list[dict[str, Any]] = []
        self.logged_before: list[int] = []
        self._logged = logged

    def write(self, line: bytes) -> None:
        self.lines.append(json.loads(line))
        self.logged_before.append(len(self._logged))

    async def drain(self) -> None:
        pass


def calls(folder: Path) -> Calls:
    link = cast("Link", NoSystem())
    return Calls(link, Settings(data_dir=folder, runtime_dir=folder), Jobs(link))


@pytest.mark.requirement("fast-012")
async def test_an_answer_is_written_before_its_call_is_logged(tmp_path: Path) -> None:
    reader = asyncio.StreamReader()
    with structlog.testing.capture_logs() as logged:
        writer = Writer(logged)
        client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}}
        for message in (
            {"id": 0, "method": "initialize", "params": client},
            {"method": "notifications/initialized"},
            {"id": 1, "method": "tools/call", "params": {"name": "observe", "arguments": {"what": "nothing"}}},
        ):
            reader.feed_data(json.dumps({"jsonrpc": "2.0"} | message).encode() + b"\n")
        serving = asyncio.create_task(
            serve(calls(tmp_path), reader, cast("asyncio.StreamWriter", writer), OpenRequests())
        )
        async with asyncio.timeout(10):
            while not logged:  # noqa: ASYNC110 - the log has no event
                await asyncio.sleep(0)
        reader.feed_eof()
        await serving

    assert [0, 1] == [line["id"] for line in writer.lines]
    assert [0, 0] == writer.logged_before
    (event,) = logged
    assert ("call_ended", "observe", "invalid_params") == (event["event"], event["tool"], event["outcome"])
    assert 32 == len(event["trace"])


@pytest.mark.requirement("applications-031")
async def test_an_empty_list_states_that_the_browser_did_not_answer_why(tmp_path: Path) -> None:
    link = cast("Link", SilentBrowser())
    made = Calls(link, Settings(data_dir=tmp_path, runtime_dir=tmp_path), Jobs(link))

    called = await made.call("observe", {"what": "logs", "tab_id": 9})

    assert "did not state in time" in json.loads(called.text)["hint"]


@pytest.mark.requirement("fast-012")
async def test_a_session_that_ends_logs_what_was_not_answered(tmp_path: Path) -> None:
    made = calls(tmp_path)
    with structlog.testing.capture_logs() as logged:
        await made.call("observe", {"what": "nothing"})
        assert [] == logged
        await made.close()

    assert ["call_ended"] == [event["event"] for event in logged]
