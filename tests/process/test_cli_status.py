"""The commands to look at a running system, and to scale it, as a person and as a program calls them."""

import contextlib
import os
import pty
import signal
import subprocess
from collections.abc import Iterator

import msgspec
import pytest

import system
from gasoline_broker.messages import Call, ProcessStatus
from gasoline_broker.settings import Settings
from process.processes import BOUND_S
from system import GASOLINE, assistant, gasoline

NAMES = ["broker", "redaction", "diff", "audit", "regression", "screenshots", "journal", "bridge", "front"]
"""The lines of the Procfile."""


@pytest.fixture(scope="module")
def settings() -> Iterator[Settings]:
    with system.settings() as made, system.running(made, compact=False) as up:
        yield up


@pytest.fixture(scope="module")
def nothing() -> Iterator[Settings]:
    """Return the settings of a system that does not run."""
    with system.settings() as made:
        yield made


@pytest.mark.requirement("hub-052")
def test_status_shows_every_process_and_every_service_in_columns(settings: Settings) -> None:
    shown = gasoline(settings, "status")

    lines = shown.stdout.splitlines()
    assert 0 == shown.returncode, shown.stderr
    assert ["process", "pid", "state", "running", "done", "restarts", "up"] == lines[0].split()
    rows = {line.split()[0]: line.split()[2:] for line in lines[1 : lines.index("")]}
    assert {*NAMES, "supervisor"} == set(rows)
    assert {("running", "0")} == {(row[0], row[3]) for name, row in rows.items() if name != "supervisor"}
    assert "\x1b" not in shown.stdout
    assert "in flight:" in shown.stdout


def test_status_as_json_has_the_same_for_a_program(settings: Settings) -> None:
    told = msgspec.json.decode(gasoline(settings, "status", "--json").stdout)

    assert told["running"]
    assert NAMES == [one["name"] for one in told["processes"]]
    assert {"services", "in_flight", "dead_letters"} <= set(told["broker"])


@pytest.mark.requirement("hub-052")
def test_a_watched_status_is_drawn_on_the_terminal_until_ctrl_c(settings: Settings) -> None:
    with watched(settings) as (watching, terminal):
        frame = read_until(terminal, b"Chrome:")
        read_until(terminal, b"\x1b[H")  # the next one begins where the first did

        watching.send_signal(signal.SIGINT)
        last = read_until(terminal, b"\x1b[?1049l")

    assert 0 == watching.returncode
    assert frame.startswith(b"\x1b[?1049h")
    assert b"redaction" in frame
    assert b"Traceback" not in last


@contextlib.contextmanager
def watched(settings: Settings) -> Iterator[tuple["subprocess.Popen[bytes]", int]]:
    """Run `gasoline status --watch` on a terminal of 200 columns."""
    ours, theirs = pty.openpty()
    environ = os.environ | settings.environ() | {"COLUMNS": "200", "LINES": "50"}
    command = ["env", "--default-signal=INT", GASOLINE, "status", "--watch"]  # a shell's background job ignores it
    with subprocess.Popen(command, env=environ, stdin=theirs, stdout=theirs, stderr=theirs) as watching:
        os.close(theirs)
        try:
            yield watching, ours
            watching.wait(BOUND_S)
        finally:
            watching.kill()
            os.close(ours)


def read_until(terminal: int, mark: bytes) -> bytes:
    read = b""
    while mark not in read:
        read += os.read(terminal, 4_096)
    return read


@pytest.mark.requirement("hub-049")
def test_scale_shows_what_runs_when_it_is_ready(settings: Settings) -> None:
    more = gasoline(settings, "scale", "redaction=3", "--json")
    fewer = gasoline(settings, "scale", "redaction=1")

    names = [one.name for one in msgspec.json.decode(more.stdout, type=list[ProcessStatus])]
    assert [*NAMES[:2], "redaction.2", "redaction.3", *NAMES[2:]] == names
    assert ["process", *NAMES] == [line.split()[0] for line in fewer.stdout.splitlines()]


@pytest.mark.parametrize(
    ("count", "said"),
    [
        ("broker=2", "broker holds a lock, a port or a socket of which there is one: it runs once. These can be"),
        ("nobody=2", "nobody is not a line of the Procfile. These can be scaled: "),
        ("redaction=65", "redaction is 65, which is out of range. These can be scaled: "),
        ("redaction", "'redaction' has no count. Write NAME=COUNT, as in redaction=3."),
    ],
)
def test_a_count_that_cannot_be_is_refused_in_words(settings: Settings, count: str, said: str) -> None:
    scaled, started = gasoline(settings, "scale", count), gasoline(settings, "up", "--scale", count)

    assert [1, 1] == [scaled.returncode, started.returncode]
    assert said in scaled.stderr
    assert said in started.stderr


def test_up_on_a_running_system_shows_how_to_scale_it(settings: Settings) -> None:
    shown = gasoline(settings, "up", "--scale", "redaction=2", "--detach")

    assert 1 == shown.returncode
    assert "`gasoline scale redaction=2` scales it." in shown.stderr


@pytest.mark.requirement("hub-049")
def test_up_starts_the_counts_of_its_options() -> None:
    with system.settings() as made:
        try:
            started = gasoline(made, "up", "--detach", "--scale", "redaction=2")
            scaled = gasoline(made, "scale", "redaction=2")
        finally:
            gasoline(made, "down")

    assert 0 == started.returncode, started.stderr
    assert ["redaction", "redaction.2"] == [
        line.split()[0] for line in scaled.stdout.splitlines() if line.startswith("redaction")
    ]


@pytest.mark.requirement("hub-055")
async def test_trace_shows_the_last_calls_and_the_way_of_one(settings: Settings) -> None:
    async with assistant(settings) as client:
        await client.call("observe", what="status")

    calls = msgspec.json.decode(gasoline(settings, "trace", "--json").stdout, type=list[Call])
    lines = gasoline(settings, "trace").stdout.splitlines()
    call = next(call for call in calls if [hop.service for hop in call.hops] == ["bridge", "redaction"])
    way = gasoline(settings, "trace", call.trace[:8])

    assert ["trace", "asked", "by", "way", "outcome", "took", "ms", "ago"] == lines[0].split()
    assert any(line.startswith(call.trace[:12]) and "bridge > redaction" in line for line in lines)
    assert 0 == way.returncode, way.stderr
    assert way.stdout.startswith(f"{call.trace}  answered after ")
    assert ["bridge", "redaction"] == [line.split()[0] for line in way.stdout.splitlines() if " answered  " in line]


def test_an_unknown_trace_is_refused_by_name(settings: Settings) -> None:
    shown = gasoline(settings, "trace", "nothing")

    assert 1 == shown.returncode
    assert "No call is remembered whose trace begins with nothing. `gasoline trace` shows" in shown.stderr


@pytest.mark.parametrize("command", [["scale", "redaction=2"], ["trace"], ["trace", "ab"], ["status"]])
def test_without_a_system_each_command_shows_how_to_start_it(nothing: Settings, command: list[str]) -> None:
    shown = gasoline(nothing, *command)

    assert 3 == shown.returncode
    assert "not running: `gasoline up` starts it." in shown.stdout + shown.stderr


@pytest.mark.requirement("pilot-029", "pilot-030")
async def test_audit_shows_refused_callers_also_without_a_browser(settings: Settings) -> None:
    async with assistant(settings, name="ann") as client:
        error = await client.error("execute_javascript", script="'hunter2-script'")
        await client.call("configure", action="clear")
        leased = await client.error("configure", action="lease", tab_id=7)
    shown = gasoline(settings, "audit")
    told = msgspec.json.decode(gasoline(settings, "audit", "--json", "--limit", "1").stdout)

    assert "extension_disconnected" == error["code"] == leased["code"]
    assert [("ann", "lease", 7, "extension_disconnected")] == [
        (call["client"], call["action"], call["tab"], call["outcome"]) for call in told
    ]
    head, newest, oldest = shown.stdout.splitlines()[:3]
    assert ["when", "who", "id", "what", "tab", "page", "of", "outcome", "took", "ms"] == head.split()
    assert ("lease", "execute") == (newest.split()[4], oldest.split()[4])
    assert "hunter2" not in shown.stdout


@pytest.mark.requirement("pilot-029")
async def test_a_call_that_is_refused_for_its_arguments_is_in_the_audit_trail_too(settings: Settings) -> None:
    async with assistant(settings, name="ann") as client:
        await client.error("manage_state", action="save", snapshot_name="../hunter2", tab_id=7)
        await client.error("query_dom", selectr="hunter2")
        await client.call("configure", action="clear")  # what was sent before is stored by then
    told = msgspec.json.decode(gasoline(settings, "audit", "--json", "--limit", "1").stdout)

    assert [("ann", "manage_state save", 7, "invalid_params")] == [
        (call["client"], call["action"], call["tab"], call["outcome"]) for call in told
    ]


def test_audit_without_a_system_shows_how_to_start_it(nothing: Settings) -> None:
    shown = gasoline(nothing, "audit")

    assert (3, "") == (shown.returncode, shown.stdout)
    assert "gasoline up" in shown.stderr
