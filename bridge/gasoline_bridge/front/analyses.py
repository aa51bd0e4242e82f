"""The table of what `analyze` can do: of each action and scope what it gathers, its time, and how it answers.

Rules of this file:
- A new scope is a row of ANALYSES. Arguments that its parts take are in PART_ARGUMENTS.
- A scope that nothing serves has no row: it is refused with the list of those that there are.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from gasoline_bridge.front.actions import Mode
from gasoline_broker.errors import fail

CACHED_S = 10  # seed 000, Performance Considerations: "Results cached 10 seconds"
REPORT_CACHED_S, REPORT_S = 30, 30  # seed 002, Feature 4, Limits
HUNT_S = 180  # of all iterations of a flow
LOAD_S = 20  # of each load of a regression's page: seed 000 has as much for a baseline or a compare of one
WHOLE = "full"


class Analysis(NamedTuple):
    """What one scope gathers (parts of the extension's analyze), for how long at most (s), and how it answers.

    The time is of the wait for its turn in the tab and of the run. `asynchronous`: the call answers at once, the result
    is fetched. `cached_s`: how old a result may be that is given again; memory changes all the time. `acts`: it does
    steps in the page, so it is never begun twice.
    """

    parts: tuple[str, ...]
    limit_s: int
    asynchronous: bool = False
    cached_s: int = CACHED_S
    acts: bool = False


ANALYSES: Mapping[tuple[str, str], Analysis] = {  # times: seed 000, Request Flow & Concurrency Model
    ("audit", "accessibility"): Analysis(("accessibility",), 15, asynchronous=True),
    ("audit", "performance"): Analysis(("performance",), 20, asynchronous=True),
    ("audit", "full"): Analysis(("accessibility", "performance", "security"), 45, asynchronous=True),
    ("memory", "snapshot"): Analysis(("memory",), 5, cached_s=0),
    ("memory", "compare"): Analysis(("memory",), 5, cached_s=0),
    ("memory", "leak"): Analysis(("leak",), HUNT_S, asynchronous=True, cached_s=0, acts=True),
    ("regression", "baseline"): Analysis(("loads", "look"), LOAD_S, asynchronous=True, cached_s=0),
    ("regression", "compare"): Analysis(("loads", "look", "pair"), LOAD_S, asynchronous=True, cached_s=0),
    ("regression", "visual"): Analysis(("kept", "look", "pair"), LOAD_S, asynchronous=True, cached_s=0),
    ("regression", "list"): Analysis((), 0),
    ("regression", "delete"): Analysis(("kept",), 0),
    ("security", "full"): Analysis(("security",), 5),
    ("security", "headers"): Analysis(("security",), 5),
    ("security", "cookies"): Analysis(("security",), 5),
    ("security", "storage"): Analysis(("security",), 5),
}

PART_ARGUMENTS: Mapping[str, tuple[str, ...]] = {
    "accessibility": ("selector", "tags"),
    "memory": ("scope", "name"),
    "leak": ("steps", "iterations"),
    "loads": ("name", "runs"),
    "kept": ("name",),
    "look": ("ignore",),
    "pair": ("against",),
}
"""The arguments of the page's parts, beside those of every analysis."""

NEEDED = {
    ("memory", "leak"): ("steps", "Give the flow as the steps of a batch."),
    ("regression", "delete"): ("name", 'analyze(action:"regression", scope:"list") lists the names.'),
}
"""The argument without which a scope has nothing to do, and what to give."""

EXCLUDING = ("name", "against")
"""Both name what a page is compared with."""

EVERY = ("scope", "force_refresh", "wait_s")


def scopes(action: str) -> list[str]:
    """List what an action can be narrowed to."""
    return [scope for of, scope in ANALYSES if of == action]


def arguments_of(analysis: Analysis) -> tuple[str, ...]:
    """List the arguments that the parts of an analysis take."""
    return tuple(dict.fromkeys(name for part in analysis.parts for name in PART_ARGUMENTS.get(part, ())))


def chosen(action: str, scope: str) -> str:
    """Give the scope that is meant: without one the whole, or the only one that there is.

    Raises:
        Failed: `invalid_params`: there is no such scope, or it must be named.

    """
    valid = scopes(action)
    meant = scope or (WHOLE if WHOLE in valid else valid[0] if len(valid) == 1 else "")
    if meant not in valid:
        text = f"`scope` is {scope!r}, which `{action}` does not have." if scope else f"`{action}` needs a `scope`."
        fail("invalid_params", text, f"Valid: {', '.join(valid)}.", parameter="scope")
    return meant


def is_asynchronous(action: str, scope: str) -> bool:
    """Whether a call answers before its result is there."""
    return ANALYSES[action, chosen(action, scope)].asynchronous


def acts(action: str, scope: str) -> bool:
    """Whether it does steps in the page."""
    return ANALYSES[action, chosen(action, scope)].acts


def check(action: str, scope: str, given: Mapping[str, Any]) -> None:
    """Check that an analysis takes these arguments.

    Raises:
        Failed: `invalid_params`.

    """
    taken = arguments_of(ANALYSES[action, scope])
    for name in {name for names in PART_ARGUMENTS.values() for name in names}.difference(EVERY):
        if name in given and name not in taken:
            text = f"`{name}` does not apply to the scope `{scope}`."
            fail("invalid_params", text, f"Leave `{name}` out.", parameter=name)
    needed, recovery = NEEDED.get((action, scope), ("", ""))
    if needed and needed not in given:
        fail("invalid_params", f"Required parameter `{needed}` is missing.", recovery, parameter=needed)
    if all(name in given for name in EXCLUDING):
        text = "`name` is a baseline and `against` another page: a page is compared with one of them."
        fail("invalid_params", text, "Leave `name` or `against` out.", parameter="against")


DRAWN: dict[str, Mode] = {
    "annotations": Mode(takes=("wait", "timeout_s", "verify", "name")),
    "annotation_detail": Mode(needs=("correlation_id",)),
}
"""What a person has drawn on a page: it is read, and nothing is analysed."""


def _mode(action: str) -> Mode:
    taken = [name for scope in scopes(action) for name in arguments_of(ANALYSES[action, scope])]
    return Mode(takes=tuple(dict.fromkeys((*EVERY, *taken))))


ANALYZED: dict[str, Mode] = {action: _mode(action) for action in sorted({action for action, _ in ANALYSES})}
