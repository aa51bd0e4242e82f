"""A system under a supervisor, for tests: its Procfile, its processes, and how long they outlive it."""

import asyncio
from pathlib import Path

from gasoline_broker.actor.wire import stop
from gasoline_broker.messages import ProcessesRead, ReadProcesses, StatusRead
from process.processes import HERE, Processes, gone

START, ECHO = HERE / "start.py", HERE / "echo.py"
ORPHANED_S = 15.0  # 5 s are promised (docs/design.md), on a machine that is not busy; what is left stays for ever


def procfile(processes: Processes, **more: str) -> Path:
    """Write a Procfile: a broker, an actor, and more."""
    commands = {"broker": f"python {START} broker", "echo": f"python {ECHO} echo"} | more
    path = processes.settings.data_dir / "Procfile"
    path.write_text("".join(f"{name}: {command}\n" for name, command in commands.items()))
    return path


async def pids(processes: Processes) -> dict[str, int]:
    """Wait until the broker and the actor are there, and give their pids."""
    status = await processes.status(_echoes)
    (echo,) = _echoes(status)
    return {"broker": status.pid, "echo": echo}


def _echoes(status: StatusRead) -> list[int]:
    return [peer.pid for peer in status.peers if peer.service == "echo"]


async def read_processes(processes: Processes) -> ProcessesRead:
    """Ask the supervisor what it keeps running."""
    read: ProcessesRead = (await processes.ask(stop("supervisor", ReadProcesses()))).read(ProcessesRead)
    return read


def reaper(supervisor: int) -> int:
    """Return the pid of a supervisor's reaper, 0 when there is none."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes()
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except (FileNotFoundError, ProcessLookupError):
            continue
        if b"reaper.py" in command and parent == supervisor:
            return int(folder.name)
    return 0


async def seconds_until_gone(*running: int) -> float:
    """Wait until these processes have ended, and return how long it took."""
    begun = asyncio.get_running_loop().time()
    await asyncio.gather(*map(gone, running))
    return asyncio.get_running_loop().time() - begun


def is_alive(pid: int) -> bool:
    """Return whether it runs; what has ended may stay in the table until its parent looks."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "ZX"
