"""The fork server of the tests runs a command line of Python as Python would."""

import asyncio
import os
from pathlib import Path

import pytest

import forks
from process.processes import gone


@pytest.mark.parametrize(
    ("code", "ended"),
    [
        ("print(__name__, sys.argv[1:])", (0, "__main__ ['a', 'b']\n", "")),
        ("print(os.environ['COLOUR'], os.getcwd())", (0, f"red {Path.cwd()}\n", "")),
        ("sys.exit(3)", (3, "", "")),
        ("sys.exit('No.')", (1, "", "No.\n")),
        ("os.kill(os.getpid(), 9)", (-9, "", "")),
        ("print(os.listdir('/proc/self/fd'))", (0, "['0', '1', '2', '3']\n", "")),
    ],
)
def test_a_command_line_ends_as_python_ends_it(code: str, ended: tuple[int, str, str]) -> None:
    done = forks.run(["-c", f"import os, sys; {code}", "a", "b"], os.environ | {"COLOUR": "red"}, timeout_s=30)

    assert ended == (done.returncode, done.stdout, done.stderr)


def test_an_exception_is_printed_and_its_code_is_1() -> None:
    done = forks.run(["-c", "1 / 0"], os.environ, timeout_s=30)

    assert (1, "ZeroDivisionError: division by zero") == (done.returncode, done.stderr.splitlines()[-1])


async def test_what_nobody_waits_for_any_more_is_ended() -> None:
    process = await forks.start(["-c", "import signal; signal.pause()"], os.environ)

    await asyncio.sleep(0)  # its end is waited for
    process.code.cancel()

    async with asyncio.timeout(forks.ENDS_S):
        await gone(process.pid)
