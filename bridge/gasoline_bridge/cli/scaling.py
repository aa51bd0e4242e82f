"""What `gasoline scale` and `gasoline restart` ask of the running supervisor; they show what runs then."""

from collections.abc import Iterable

from gasoline_bridge.cli.query import ask
from gasoline_bridge.cli.tables import duration, table
from gasoline_broker.messages import ProcessesRead, ProcessStatus, Restart, Scale
from gasoline_broker.settings import Settings
from gasoline_broker.supervisor.procfile import read_counts

SCALED_S, SCALED_EACH_S = (
    20.0,
    1.0,
)  # longer than one that is stopped may finish what it holds (8 s), and than each starts


def scale(settings: Settings, texts: Iterable[str]) -> list[ProcessStatus]:
    """Run so many processes of each line; give them all when they are ready, and what is too many is gone.

    Raises:
        NotRunning: there is no supervisor.
        Failed: a count is none that its line may have, or it was not so in time.

    """
    counts = read_counts(texts)
    ttl_s = SCALED_S + SCALED_EACH_S * sum(counts.values())
    read: ProcessesRead = ask(settings, "supervisor", Scale(counts), ProcessesRead, ttl_s)
    return read.processes


def restart(settings: Settings, name: str) -> list[ProcessStatus]:
    """Start a process or an actor again; give all processes when it is registered.

    Raises:
        NotRunning: there is no supervisor.
        Failed: there is no process or actor of that name, or it was not registered in time.

    """
    read: ProcessesRead = ask(settings, "supervisor", Restart(name), ProcessesRead, SCALED_S)
    return read.processes


def as_table(processes: list[ProcessStatus]) -> str:
    """Give the processes as text for a person."""
    rows = [(one.name, one.pid or "-", one.state, one.restarts, duration(one.up_s)) for one in processes]
    return "\n".join(table(("process", "pid", "state", "restarts", "up"), rows))
