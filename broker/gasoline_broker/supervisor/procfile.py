"""The Procfile's lines, and how many processes of each may run."""

import itertools
import re
import shlex
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import honcho.environ

from gasoline_broker.errors import CannotStart, fail

GROUP = "workers"  # the process of a compact system that has an actor of each worker
COUNT_MAX = 64  # of one line: more processes than any machine that this runs on has cores

_COUNT = re.compile(r"\s*([\w-]+)\s*=\s*(\d{1,9})\s*", re.ASCII)


class Place(NamedTuple):
    """One process of a line: the line's name, and its number, from 1."""

    line: str
    number: int = 1

    @property
    def name(self) -> str:
        """The process's name: its line, and from the second one on its number."""
        return self.line if self.number == 1 else f"{self.line}.{self.number}"


def read(path: Path) -> Mapping[str, str]:
    """Return each line's command by its name.

    Raises:
        CannotStart: the file cannot be read, or names nothing.

    """
    try:
        commands: Mapping[str, str] = honcho.environ.parse_procfile(path.read_text()).processes
    except OSError as fault:
        raise CannotStart(f"{path} cannot be read: {fault.strerror}.") from None
    if not commands:
        raise CannotStart(f"{path} names no process.")
    return commands


def read_counts(texts: Iterable[str]) -> dict[str, int]:
    """Read `redaction=3`, or several of these with commas in between.

    Raises:
        Failed: a text is of another form.

    """
    counts = {}
    for pair in itertools.chain.from_iterable(text.split(",") for text in texts):
        if not (found := _COUNT.fullmatch(pair)):
            fail("invalid_params", f"{pair!r} has no count.", "Write NAME=COUNT, as in redaction=3.")
        counts[found[1]] = int(found[2])
    return counts


def compact(commands: Mapping[str, str]) -> dict[str, str]:
    """Return the lines of a compact system: before its workers, one process with an actor of each.

    A worker's own line remains, for the processes that it is scaled to beside its actor.
    """
    workers = [name for name, command in commands.items() if _worker_names(command)]
    if not workers:
        return dict(commands)
    names = dict.fromkeys(worker for name in workers for worker in _worker_names(commands[name]))
    lines, at = list(commands.items()), list(commands).index(workers[0])
    return dict([*lines[:at], (GROUP, f"gasoline worker {' '.join(names)}"), *lines[at:]])


def actors(commands: Mapping[str, str]) -> tuple[str, ...]:
    """Return the actors of a compact system's one process of workers; none of any other system."""
    return _worker_names(commands.get(GROUP, ""))


def check(commands: Mapping[str, str], counts: Mapping[str, int]) -> None:
    """Check these counts.

    Raises:
        Failed: a name is unknown or runs once only, or a count is out of range; the text names it and what is valid.

    """
    valid = [name for name, command in commands.items() if name != GROUP and _worker_names(command)]
    least = 1 if actors(commands) else 0
    recovery = f"These can be scaled: {', '.join(valid) or 'none'}; from {least} to {COUNT_MAX}."
    for name, count in counts.items():
        if name not in commands:
            fail("invalid_params", f"{name} is not a line of the Procfile.", recovery, field=name, valid=valid)
        if name == GROUP:
            fail("invalid_params", f"{name} has one actor of each worker.", recovery, field=name, valid=valid)
        if name not in valid:
            text = f"{name} holds a lock, a port or a socket of which there is one: it runs once."
            fail("invalid_params", text, recovery, field=name, valid=valid)
        if not least <= count <= COUNT_MAX:
            fail("invalid_params", f"{name} is {count}, which is out of range.", recovery, field=name, valid=valid)


def _worker_names(command: str) -> tuple[str, ...]:
    """Return the workers of a line, which shares nothing but messages: any number of them may run."""
    try:
        words = shlex.split(command)
    except ValueError:
        return ()
    return tuple(words[2:]) if words[:2] == ["gasoline", "worker"] else ()


def places(counts: Mapping[str, int], actors: Collection[str] = ()) -> list[Place]:
    """Return every process that these counts ask for, in their order; the first of what is an actor is no process."""
    return [Place(line, number) for line, count in counts.items() for number in range(1 + (line in actors), count + 1)]
