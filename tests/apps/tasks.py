"""What a task of a user is, and the verdict on it; it starts nothing and drives nothing.

Rules of this file:
- A script believes every reply, as an assistant does, and returns what it concluded.
- The truth is read from the application: its database, its files, its server's log, or its page by Chrome's DevTools
  protocol. No reply of our own tools is ever part of it.
- Another tool can do the same task: it does the steps of the script by its own calls.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from gasoline_bridge.devtools import Tab

Verdict = Literal["right", "led", "missed", "refused", "wrong", "untried"]
VERDICTS: Final[dict[Verdict, str]] = {
    "right": "what was concluded is the application's state, and it is what the user wanted",
    "led": "right, after an error that named the call to make instead, which was made",
    "missed": "not done, or not all of it, and the replies showed that",
    "refused": "an error by name, and nothing was done",
    "wrong": "the replies reported otherwise than the application's state, without a word",
    "untried": "it has no tool for a step of the script",
}


class Refused(Exception):  # noqa: N818 - it is an answer, not a fault
    """A tool answered with an error."""

    def __init__(self, code: str, message: str, recovery: str = "") -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.recovery = recovery


class Untried(Exception):  # noqa: N818 - it is no fault of the tool
    """The tool that is compared has nothing for a step."""


@dataclass(frozen=True)
class Ground:
    """What a truth is read from: the application's address, its own folder and log, the page, and saved files."""

    address: str
    folder: Path
    log: Path
    downloads: Path
    tab: Tab


Truth = Callable[[Ground], Awaitable[Any]]
Script = Callable[[Any], Awaitable[Any]]


@dataclass(frozen=True)
class Task:
    """A task. `page`: where the user stands; `ready`: true in the page once they can begin; `wanted`: None if it reads.

    `prepare` puts the application into the state that the task starts from.
    """

    name: str
    goal: str
    page: str
    truth: Truth
    script: Script
    wanted: Any = None
    ready: str = "true"
    prepare: Truth | None = None


@dataclass
class Day:
    """The tasks on one application."""

    ready: str = "true"
    tasks: dict[str, Task] = field(default_factory=dict)

    def task(
        self, page: str, truth: Truth, wanted: Any = None, *, ready: str = "", prepare: Truth | None = None
    ) -> Callable[[Script], Script]:
        """Register a script with our tools as a task: its name is the task's, its docstring the goal."""

        def register(script: Script) -> Script:
            name = script.__name__
            assert name not in self.tasks, name
            goal = (script.__doc__ or "").strip()
            self.tasks[name] = Task(name, goal, page, truth, script, wanted, ready or self.ready, prepare)
            return script

        return register


@dataclass(frozen=True)
class Result:
    """How a task went."""

    application: str
    task: str
    verdict: Verdict
    what: str
    calls: int
    sent: int
    received: int
    seconds: float


def judge(task: Task, before: Any, concluded: Any, after: Any, *, led: bool) -> tuple[Verdict, str]:
    """Compare what was concluded with the application's state before and after, and state what differs.

    `led`: an error was followed on the way.
    """
    if isinstance(concluded, Untried):
        return "untried", str(concluded)
    if isinstance(concluded, Refused):
        if task.wanted is None or after == before:
            return "refused", str(concluded)
        return "missed", f"{concluded} Now {_short(after)}"
    if concluded != after:
        return "wrong", f"concluded {_short(concluded)}, in truth {_short(after)}"
    if task.wanted is not None and after != task.wanted:
        return "missed", f"wanted {_short(task.wanted)}, is {_short(after)}"
    return ("led" if led else "right"), ""


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 160 else text[:160] + "…"


def together(*days: Day) -> Day:
    """Make one day of several modules' tasks."""
    return Day(tasks={name: task for day in days for name, task in day.tasks.items()})
