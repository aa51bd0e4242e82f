"""One sentence of under 200 characters on what took an action's time (seed 001, analysis).

The largest cause leads. A layout shift is explained by what most likely moved the rest: nodes that came, else went.
"""

from collections.abc import Sequence
from typing import NamedTuple

from gasoline_workers.diff.addresses import path_of
from gasoline_workers.diff.messages import DomChanges, NodesRow, Number, Timing
from gasoline_workers.diff.sentences import counted, cut, line

ELEMENT = 40  # characters of a selector
LEAST_SHIFT = 0.001


class Shifted(NamedTuple):
    """How far the layout shifted (the sum of scores), the selector of what shifted most, and what had changed."""

    score: Number
    element: str
    changes: DomChanges


def analysis(timing: Timing | None, urls: Sequence[str], tasks: int, still_open: int, shifted: Shifted) -> str:
    """Return the sentence. `urls`: of the requests that ended, the longest first; `still_open`: how many had not."""
    sentences = [f"{timing.total_ms}ms total: {_causes(timing, urls, tasks)}." if timing else "No time was measured."]
    if shifted.score >= LEAST_SHIFT:
        sentences.append(f"Layout shift {shifted.score} {_cause_of_shift(shifted)}".rstrip() + ".")
    if still_open:
        sentences.append(f"{counted(still_open, 'request')} still open.")
    return line(sentences)


def _causes(timing: Timing, urls: Sequence[str], tasks: int) -> str:
    network = f"network ({_named(urls)})" if urls else "network"
    js = "JS long task" if tasks == 1 else f"{tasks} JS long tasks"
    parts = [(timing.network_ms, network), (timing.js_blocking_ms, js), (timing.render_ms, "render")]
    causes = [f"{ms}ms {what}" for ms, what in sorted(parts, key=lambda part: -part[0]) if ms]
    return ", ".join(causes) or "nothing took time"


def _named(urls: Sequence[str]) -> str:
    paths = list(dict.fromkeys(map(path_of, urls)))
    return paths[0] if len(paths) == 1 else f"{paths[0]} and {len(paths) - 1} more"


def _cause_of_shift(shifted: Shifted) -> str:
    changes = shifted.changes
    if changes.added:
        return f"from {_nodes(changes.added)} inserted without reserved height"
    if changes.removed:
        return f"from {_nodes(changes.removed)} removed"
    return f"of {cut(shifted.element, ELEMENT)}" if shifted.element else ""


def _nodes(rows: Sequence[NodesRow]) -> str:
    most = rows[0]
    return f"{most.count} items" if most.count > 1 else cut(most.selector, ELEMENT)
