"""Every command of the README does what the README states."""

import asyncio
import contextlib
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import system
from gasoline_broker.settings import Settings
from system import READY_S, assistant, gasoline

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
README = (ROOT / "README.md").read_text()
CHROME = "chrome://extensions"

TESTED = {
    "make demo",
    "make test",  # what runs this very test
    ".venv/bin/gasoline extension install",
    ".venv/bin/gasoline doctor",
    ".venv/bin/gasoline install claude-code",
    "gasoline up",
    "gasoline down",
    "gasoline status",
    "gasoline extension path",
    "honcho start",
    "honcho start -c redaction=2",
}


def commands() -> set[str]:
    """Give every command that the README names."""
    blocks = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
    lines = {re.split(r"\s{2,}#", line)[0].strip() for block in blocks for line in block.splitlines()}
    return {line for line in lines if line}


def processes_of(home: str) -> list[int]:
    """Give the processes that have this text in their environment or arguments."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            told = (entry / "environ").read_bytes() + (entry / "cmdline").read_bytes()
            if home.encode() in told and int(entry.name) != os.getpid():
                found.append(int(entry.name))
    return found


def judged_wrong(printed: str) -> str:
    """Give the answers that the demonstration judged wrong, before a long log is cut, and how it ended."""
    wrong = [answer for answer in printed.split("\n\n") if answer.startswith("✗")]
    return "\n\n".join([*wrong, printed[-1_500:]])


def test_every_command_in_a_block_is_one_that_is_tested() -> None:
    assert commands() <= TESTED


def test_it_is_one_screen() -> None:
    assert len(README.splitlines()) <= 72


@pytest.mark.requirement("hub-056")
def test_make_demo_shows_everything_and_leaves_nothing_behind() -> None:
    environ = {name: text for name, text in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}

    shown = subprocess.run(
        ["make", "demo"],  # noqa: S607 - as a person types it
        cwd=ROOT,
        env=environ,
        capture_output=True,
        text=True,
        timeout=300,  # it installs an application at first use
        check=False,
    )

    assert 0 == shown.returncode, judged_wrong(shown.stdout) + shown.stderr[-2_000:]
    assert re.search(r"^(\d+) of \1 answers were right\.$", shown.stdout, re.MULTILINE)
    assert "gasoline install CLIENT" in shown.stdout
    assert "gasoline extension install" in shown.stdout
    assert [] == processes_of("gasoline-demo-")


def test_the_demo_fails_when_a_step_fails() -> None:
    with system.settings() as settings:
        sources = {"PYTHONPATH": f"{ROOT / 'demo'}:{ROOT / 'tests'}"}  # as the Makefile has it
        environ = os.environ | settings.environ() | sources | {"GASOLINE_CHROMIUM": "/nothing/there"}
        shown = subprocess.run(
            [sys.executable, "-m", "gasoline_demo"],
            cwd=ROOT,
            env=environ,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    assert 0 != shown.returncode
    assert "No browser found" in shown.stderr
    assert [] == processes_of("gasoline-demo-")


def test_a_demo_that_is_ended_leaves_nothing_behind() -> None:
    environ = {name: text for name, text in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    sources = {"PYTHONPATH": f"{ROOT / 'demo'}:{ROOT / 'tests'}", "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "gasoline_demo"]
    with subprocess.Popen(command, cwd=ROOT, env=environ | sources, stdout=subprocess.PIPE, text=True) as shown:
        assert shown.stdout
        assert any("A client is connected" in line for line in shown.stdout)
        assert len(processes_of("gasoline-demo-")) > 1
        shown.terminate()
        shown.stdout.read()

    assert 128 + signal.SIGTERM == shown.returncode
    assert [] == processes_of("gasoline-demo-")


@pytest.fixture
def settings() -> Iterator[Settings]:
    with system.settings() as made:
        yield made


def test_extension_install_prints_the_folder_to_load_and_path_prints_it_again(settings: Settings) -> None:
    before = gasoline(settings, "extension", "path")
    installed = gasoline(settings, "extension", "install")
    after = gasoline(settings, "extension", "path")

    assert (78, "") == (before.returncode, before.stdout)
    assert "gasoline extension install" in before.stderr
    assert f"{settings.extension_dir}\n" == installed.stdout == after.stdout
    assert CHROME in installed.stderr
    assert 0o600 == (settings.extension_dir / "install.json").stat().st_mode & 0o777


def test_doctor_names_what_is_missing_and_what_to_do(settings: Settings) -> None:
    found = gasoline(settings, "doctor")

    assert 1 == found.returncode
    assert "Run `gasoline extension install`" in found.stdout


async def test_up_and_down_start_and_stop_what_status_and_doctor_show_and_the_assistant_s_command_serves(
    settings: Settings,
) -> None:
    gasoline(settings, "extension", "install")
    with system.running(settings):
        shown, found = gasoline(settings, "status"), gasoline(settings, "doctor")
        async with assistant(settings, by_command=True) as client:
            served = await client.call("observe", what="status")
    after = gasoline(settings, "status")

    assert 0 == shown.returncode
    assert {"broker", "redaction", "diff", "journal", "bridge", "front"} <= set(shown.stdout.split())
    assert ["FAIL Chrome is not connected"] == [line for line in found.stdout.splitlines() if line.startswith("FAIL")]
    assert "extension" in served
    assert 3 == after.returncode
    assert "`gasoline up` starts it" in after.stdout


@pytest.mark.parametrize("arguments", [[], ["-c", "redaction=2"]])
@pytest.mark.requirement("hub-051")
async def test_honcho_runs_the_same_processes(settings: Settings, arguments: list[str]) -> None:
    environ = os.environ | settings.environ() | {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
    with subprocess.Popen(  # noqa: ASYNC220 - it runs beside
        [BIN / "honcho", "start", *arguments],
        cwd=ROOT,
        env=environ,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as runner:
        try:
            async with asyncio.timeout(READY_S):
                while not settings.mcp_socket.exists():  # noqa: ASYNC110 - made by another process
                    await asyncio.sleep(0.02)
                async with assistant(settings, by_command=True) as client:
                    status = await client.call("observe", what="status")
                    while sum(row["service"] == "redaction" for row in status["processes"]) < (2 if arguments else 1):
                        status = await client.call("observe", what="status")
        finally:
            os.killpg(runner.pid, signal.SIGTERM)
    assert {"broker", "bridge", "front", "journal", "redaction"} <= {row["service"] for row in status["processes"]}
