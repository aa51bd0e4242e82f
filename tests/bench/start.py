"""What a start costs: processor time of all processes, memory, and how long a client waits from cold.

`python tests/bench/start.py [ROUNDS]`. The processor time is exact (wait4 of every process, which end as this one's
children); so is the memory (PSS) on a machine of any load. The waits are medians of a machine as it is.
"""

import contextlib
import ctypes
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

import system
from gasoline_bridge.cli import interpreter
from gasoline_broker.settings import Settings
from process.systems import reaper

PR_SET_CHILD_SUBREAPER = 36
ROUNDS = 5
CLIENT = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
STATUS = {"name": "observe", "arguments": {"what": "status"}}


class Start(NamedTuple):
    """One start: processor time in s, of the system alone and with its end; memory in MB; how many processes."""

    cpu_s: float
    memory_mb: float
    processes: int


def gasoline(settings: Settings, *arguments: str) -> str:
    environ = os.environ | settings.environ()
    return subprocess.run([system.GASOLINE, *arguments], env=environ, check=True, capture_output=True, text=True).stdout


def used_s() -> float:
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def bury() -> None:
    """Wait for every process that was left to us, so that its time is counted."""
    with contextlib.suppress(ChildProcessError):
        while True:
            os.waitpid(-1, 0)


def pss_kb(pid: int) -> int:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))


def start(*options: str) -> Start:
    with system.settings() as settings:
        before = used_s()
        gasoline(settings, "up", "--detach", *options)
        shown = json.loads(gasoline(settings, "status", "--json"))
        pids = {shown["supervisor"], reaper(shown["supervisor"]), *(one["pid"] for one in shown["processes"])}
        memory_mb = sum(map(pss_kb, pids)) / 1000
        gasoline(settings, "down")
        bury()
        return Start(used_s() - before, memory_mb, len(pids))


class Session:
    """A client that is started by its command. `since`: how long ago, in ms."""

    def __init__(self, settings: Settings) -> None:
        self._begun = time.perf_counter()
        self._process = subprocess.Popen(
            [system.GASOLINE, "mcp"],
            env=os.environ | settings.environ(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def ask_ms(self, method: str, params: dict[str, Any]) -> float:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        self._process.stdin.write(json.dumps(request).encode() + b"\n")
        self._process.stdin.flush()
        self._process.stdout.readline()
        return (time.perf_counter() - self._begun) * 1000

    def close(self) -> None:
        self._process.communicate()


def cold(settings: Settings) -> tuple[float, float]:
    """Return when a client has the tools and its first answer, where no system runs, in ms."""
    session = Session(settings)
    session.ask_ms("initialize", CLIENT)
    tools_ms, answer_ms = session.ask_ms("tools/list", {}), session.ask_ms("tools/call", STATUS)
    session.close()
    gasoline(settings, "down")
    return tools_ms, answer_ms


def main(rounds: int) -> None:
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    print(interpreter.shown())
    print("| | processes | memory, PSS | processor time of start, status and stop |\n| --- | --- | --- | --- |")
    for name, options in (("`gasoline up`", []), ("`gasoline up --compact`", ["--compact"])):
        taken = [start(*options) for _ in range(rounds)]
        cpu_s, memory_mb = (statistics.median(one[at] for one in taken) for at in (0, 1))
        print(f"| {name} | {taken[0].processes} | {memory_mb:.0f} MB | {cpu_s:.2f} s |")
    with system.settings() as settings:
        cold(settings)  # writes what the next clients are answered
        waits = [cold(settings) for _ in range(rounds)]
    bury()
    tools_ms, answer_ms = (statistics.median(one[at] for one in waits) for at in (0, 1))
    print(f"\nFrom cold: the tools after {tools_ms:.0f} ms, the first answer after {answer_ms:.0f} ms.")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS)
