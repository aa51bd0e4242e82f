"""The output of the commands that show the system."""

import os

import msgspec
import pytest

from gasoline_bridge.chrome import metrics
from gasoline_bridge.cli import status, tables, trace
from gasoline_bridge.cli.status import Status
from gasoline_bridge.front.status import StatusShown, shown
from gasoline_broker.messages import (
    Call,
    DeadLetter,
    Hop,
    PeerStatus,
    ProcessStatus,
    ServiceStatus,
    Spread,
    StatusRead,
)

WILD = "ann\x1b[2J\x1b]0;title\x07\n\r\x9b31m\u202egpj\u2028"
WAITED, WORKED = Spread(3, 0.5, 1.0, 20.0, 300.0), Spread(4, 0.75, 0.1, 1.5, 42.4)
BROKER = StatusRead(
    pid=10,
    version="1.2.3",
    up_s=3.0,
    in_flight=2,
    peers=[
        PeerStatus("redaction", 11, 1, 1, 7, 60.0, "1.2.3", suspect=True),
        PeerStatus("redaction", 99, 1, 0, 1, 5.0, "1.2.3", remote=True),
        PeerStatus("cli", os.getpid(), 0, 0, 0, 0.1, "1.2.3"),
    ],
    services=[ServiceStatus("redaction", 4, 1, WAITED, WORKED, 5), ServiceStatus("bridge", 0, 0, Spread(), Spread())],
    counts={"lost_peers": 6},
    dead_letters=[DeadLetter("ab" * 16, "redaction", ("bridge", "redaction"), (11, 12), 61.0)],
)
KEPT = [
    ProcessStatus("broker", 10, "running", 0, 3.0),
    ProcessStatus("redaction", 11, "running", 2, 60.0),
    ProcessStatus("redaction.2", 0, "waiting", 9, 0.0),
]
HOPS = [Hop("bridge", 20, 1, 0.1, 0.2, 3.25, "lost"), Hop("bridge", 21, 2, 3.5, 0.0, 1.0, "answered")]
CALL = Call("cd" * 16, "s1", "front", 120.0, 12.34, "answered", HOPS)


def test_status_shows_kept_processes_by_name_then_the_others_and_not_itself() -> None:
    lines = status.as_tables(Status(1, running=True, broker=BROKER, processes=KEPT)).splitlines()

    assert [
        ["process", "pid", "state", "running", "done", "restarts", "up"],
        ["broker", "10", "running", "2", "8", "0", "3s"],
        ["redaction", "11", "suspect", "1", "7", "2", "1m"],
        ["redaction.2", "-", "waiting", "-", "-", "9", "0s"],
        ["redaction", "99", "remote", "0", "1", "-", "5s"],
    ] == [line.split() for line in lines[: lines.index("")]]


@pytest.mark.requirement("fast-002")
def test_status_shows_the_actors_of_a_process_below_it() -> None:
    actors = [PeerStatus(name, 11, 1, 0, 7, 60.0, "1.2.3") for name in ("workers", "diff", "audit")]
    kept = [ProcessStatus("workers", 11, "running", 2, 60.0, ("diff", "audit", "journal"))]
    broker = msgspec.structs.replace(BROKER, peers=actors)

    lines = status.as_tables(Status(1, running=True, broker=broker, processes=kept)).splitlines()

    assert [
        ["workers", "11", "running", "0", "7", "2", "1m"],
        ["diff", "11", "running", "0", "7", "-", "1m"],
        ["audit", "11", "running", "0", "7", "-", "1m"],
        ["journal", "-", "-", "-", "-", "-", "-"],
        ["broker", "10", "running", "2", "21", "-", "3s"],
        ["compact:", "3", "workers", "are", "actors", "of", "one", "process,", "workers", "(11)"],
    ] == [line.split() for line in lines[1 : lines.index("")]]


def test_status_shows_for_each_service_what_waits_and_how_long_it_takes() -> None:
    lines = status.as_tables(Status(1, running=True, broker=BROKER)).splitlines()

    assert ["redaction", "4", "1", "5", "1.0", "20", "300", "0.10", "1.5", "42"] in [line.split() for line in lines]
    assert "in flight: 2" in lines
    assert "lost peers: 6" in lines
    letter = "dead letter: redaction (processes 11, 12) on the way bridge > redaction, 1m ago, trace " + "ab" * 16
    assert letter in lines


def test_a_table_begins_its_words_and_ends_its_numbers_where_their_heads_do() -> None:
    assert ["name    count", "a           1", "longer     22"] == tables.table(
        ("name", "count"), [("a", 1), ("longer", 22)]
    )


@pytest.mark.parametrize(
    ("seconds", "shown"), [(0, "0s"), (59.9, "59s"), (60, "1m"), (3600, "1h"), (172_799, "47h"), (172_800, "2d")]
)
def test_a_time_is_shown_in_the_unit_of_a_person(seconds: float, shown: str) -> None:
    assert shown == tables.duration(seconds)


@pytest.mark.parametrize(("number", "shown"), [(0, "0.00"), (0.126, "0.13"), (1, "1.0"), (9.94, "9.9"), (42.4, "42")])
def test_milliseconds_have_a_fraction_where_they_are_few(number: float, shown: str) -> None:
    assert shown == tables.ms(number)


def test_a_call_is_one_line_and_each_service_of_its_way_is_named_once() -> None:
    head, line = trace.as_lines([CALL]).splitlines()

    assert ["cdcdcdcdcdcd", "front", "bridge", "answered", "12", "2m"] == line.split()
    assert len(head) == len(line)


def test_a_call_is_shown_hop_by_hop_with_times() -> None:
    first, asker, _head, *hops = trace.as_ways([CALL]).splitlines()

    assert "cd" * 16 + "  answered after 12 ms, 2m ago" == first
    assert "asked by front in session s1" == asker
    assert [
        ["bridge", "lost", "20", "1", "0.10", "0.20", "3.2"],
        ["bridge", "answered", "21", "2", "3.5", "0.00", "1.0"],
    ] == [hop.split() for hop in hops]


def test_without_calls_there_is_a_sentence() -> None:
    assert "No call has ended yet." == trace.as_lines([])


def test_a_model_sees_the_figures_that_are_not_zero() -> None:
    quiet = msgspec.structs.replace(BROKER, services=BROKER.services[1:], in_flight=0, counts={})

    assert {"processes"} == set(shown(quiet, {}))
    reply = shown(BROKER, {"redaction": 2})
    assert {"redaction": 4} == reply["waiting"]
    assert (2, {"redaction": 2}, {"lost_peers": 6}) == (reply["in_flight"], reply["restarts"], reply["counts"])
    assert set(reply) < set(StatusShown.__struct_fields__)


@pytest.mark.parametrize(
    "line",
    [
        'gasoline_processes{service="redaction"} 2.0',
        'gasoline_processes{service="broker"} 1.0',
        'gasoline_waiting{service="redaction"} 4.0',
        'gasoline_running{service="redaction"} 1.0',
        "gasoline_in_flight 2.0",
        "gasoline_dead_letters 1.0",
        'gasoline_events_total{event="lost_peers"} 6.0',
        'gasoline_stop_failed_total{service="redaction"} 5.0',
        "# TYPE gasoline_stop_wait_seconds summary",
        'gasoline_stop_wait_seconds{quantile="0.99",service="redaction"} 0.3',
        'gasoline_stop_wait_seconds_count{service="redaction"} 3.0',
        'gasoline_stop_work_seconds_sum{service="redaction"} 0.75',
        'gasoline_bridge_dropped_total{what="chunk"} 3.0',
        'gasoline_bridge_dropped_total{what="message"} 4.0',
        'gasoline_info{version="1.2.3"} 1.0',
    ],
)
def test_the_metrics_have_the_figures_of_broker_and_bridge_in_base_units(line: str) -> None:
    assert line in metrics.text(BROKER, {"message": 4, "chunk": 3}).decode().splitlines()


def test_no_cell_of_a_table_writes_on_the_terminal_or_begins_a_line() -> None:
    (_, line) = tables.table(("who", "what"), [(WILD, "lease")])

    assert line.isprintable()
    assert line.startswith("ann")
    assert "lease" in line
