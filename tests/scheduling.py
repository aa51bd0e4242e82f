"""Shares the test files out to the processes of a run so that few browsers and systems are started; it runs no test.

Up to half of the processes begin with what keeps the processor busy, and stay with it: the tests of the extension;
the others mostly wait, so that more processes than processors are of use and none is late. Those begin with the files
that take longest, so that none of them is left alone at the end. After that a process gets files that need what it
has started already, then what no other process has started, then files that need nothing: only when all of those are
gone does it start what another has too.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling
from xdist.workermanage import WorkerController

ROOT = Path(__file__).parents[1]

NEEDS = {
    "extension": re.compile(r"\b(bridge: BridgeDouble|chromium: Browser)\b"),
    "collector": re.compile(r"\bcollector: Collector\b"),
    "relay": re.compile(r"\bstage: Stage\b"),
    "system with a browser": re.compile(r"\blive: Settings\b"),
    "system": re.compile(r"\bwhole_system: Settings\b"),
}
"""What the tests of many files share, and how a file that needs it names it."""

BUSY = "extension"
"""What the tests need that wait little: a process with them uses most of a processor, any other a third."""

LONGEST = tuple(
    f"tests/browser/test_{name}.py"
    for name in (
        *("regression", "check_team", "check_in_ci", "check", "readme", "looks_of_applications", "applications"),
        *("generated_tests", "findings", "analyze", "generated_on_applications"),
    )
)
"""The files that take 50 to 150 s, most of it waiting, for systems or browsers of their own; the longest first."""


class FilesByNeed(LoadFileScheduling):  # type: ignore[misc] # xdist has no types
    """xdist's `loadfile`, in another order."""

    def __init__(self, config: pytest.Config, log: Producer) -> None:
        super().__init__(config, log)
        self._started: dict[WorkerController, set[str]] = {}

    def _assign_work_unit(self, node: WorkerController) -> None:
        mine = self._started.setdefault(node, set())
        others = [self._started.get(other, set()) for other in self.nodes if other is not node]
        file = next_file([(name, needs(ROOT / name)) for name in self.workqueue], mine, others)
        mine |= needs(ROOT / file)
        self.workqueue.move_to_end(file, last=False)
        super()._assign_work_unit(node)


def next_file(files: Iterable[tuple[str, frozenset[str]]], mine: set[str], others: Sequence[set[str]]) -> str:
    """Choose the file for a process that has started `mine`, where the others have started what `others` lists."""
    theirs = set[str]().union(*others)
    busy = sum(BUSY in one for one in others)
    is_busy = BUSY in mine or busy < (len(others) + 1) // 2

    def rank(file: tuple[str, frozenset[str]]) -> int:
        if is_busy and BUSY in file[1]:
            return -len(LONGEST) - 1
        if file[0] in LONGEST:
            return LONGEST.index(file[0]) - len(LONGEST)
        new = file[1] - mine
        if not new:
            return 0 if file[1] else 2
        return 3 if new & theirs else 1

    return min(files, key=rank)[0]


@cache
def needs(file: Path) -> frozenset[str]:
    """Read what the tests of a file need."""
    text = file.read_text()
    return frozenset(name for name, named in NEEDS.items() if named.search(text))
