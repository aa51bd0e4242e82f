"""The table of what each tool can do: every mode's required and optional arguments; of an action its group and time.

Rules of this file:
- It is the one list of action names in Python: schemas, argument checks, time bounds and the reference derive from it.
- tests/wire/actions.json pins what the extension is sent for each action (a batch is sent step by step); both languages
  compare their table with it.
- Arguments that every mode takes (`tab_id`, `budget`) are in no row.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec

from gasoline_bridge.front.rows import LAYOUTS
from gasoline_workers.journal import messages as journal

Group = Literal["mutating", "navigation", "reading", "moving", "tabs", "waiting", "dialog", "drawing", "batch"]

LOAD_S = 20.0  # a page's load, beyond the time of a query
AUDITS_S = 10.0  # an audit before an action and one after it, 5 s each at most


class Mode(msgspec.Struct, frozen=True, kw_only=True):
    """One mode of a tool: the arguments that it needs, those that it also takes, and those of which it needs one.

    `any_of`: those of which it needs at least one.
    """

    needs: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    one_of: tuple[str, ...] = ()
    any_of: tuple[str, ...] = ()

    @property
    def arguments(self) -> tuple[str, ...]:
        """Every argument of this mode's own."""
        return (*self.needs, *self.takes, *self.one_of, *self.any_of)


class Action(Mode, frozen=True, kw_only=True):
    """One action of `interact`. `extra_s`: more time than a query has; a wait and an audit add their own."""

    group: Group
    extra_s: float = 0.0

    @property
    def sent(self) -> tuple[str, ...]:
        """The arguments that the extension is sent, beside the action's name and tab."""
        return tuple(name for name in self.arguments if name != "tab_id")


EVERYWHERE = {"tab_id", "analyze", "cursor"}  # taken by every action: a reply of any may be cut, most need no tab
TARGET = ("nth", "frame")
PLACE = ("x", "y")
OFFSET = ("dx", "dy")
PRESS = ("button", "count", "modifiers", "hold_ms")
MEASURED = ("analyze", "a11y")


def _mutating(
    *needs: str, takes: tuple[str, ...] = (), one_of: tuple[str, ...] = (), any_of: tuple[str, ...] = ()
) -> Action:
    takes = (*takes, *MEASURED)
    return Action(group="mutating", needs=needs, takes=takes, one_of=one_of, any_of=any_of, extra_s=LOAD_S)


ACTIONS: dict[str, Action] = {
    "annotation_reply": Action(group="drawing", needs=("correlation_id", "value"), takes=("text",)),
    "back": Action(group="navigation", extra_s=LOAD_S),
    "batch": Action(group="batch", needs=("steps",)),
    "check": _mutating("selector", takes=(*TARGET, "checked")),
    "click": _mutating("selector", takes=(*TARGET, *PLACE, *PRESS, "trusted")),
    "close_tab": Action(group="tabs", needs=("tab_id",), extra_s=LOAD_S),
    "dialog": Action(group="dialog", needs=("accept",), takes=("text",), extra_s=LOAD_S),
    "drag": _mutating("selector", takes=(*TARGET, *PLACE, "trusted"), any_of=("to", *OFFSET)),
    "draw_mode_start": Action(group="drawing", takes=("text",), extra_s=LOAD_S),
    "fill_form": _mutating("fields", takes=("frame", "submit")),
    "focus": Action(group="moving", needs=("selector",), takes=TARGET),
    "forward": Action(group="navigation", extra_s=LOAD_S),
    "get_attribute": Action(group="reading", needs=("selector", "attribute"), takes=TARGET),
    "get_text": Action(group="reading", needs=("selector",), takes=TARGET),
    "get_value": Action(group="reading", needs=("selector",), takes=TARGET),
    "hover": _mutating("selector", takes=(*TARGET, *PLACE, "trusted")),
    "key_press": _mutating("key", takes=("selector", *TARGET, "trusted")),
    "list_interactive": Action(group="reading", takes=("selector", "frame")),
    "navigate": Action(group="navigation", needs=("url",), extra_s=LOAD_S),
    "new_tab": Action(group="tabs", takes=("url",), extra_s=LOAD_S),
    "refresh": Action(group="navigation", extra_s=LOAD_S),
    "scroll_to": Action(group="moving", needs=("selector",), takes=TARGET),
    "select": _mutating("selector", takes=TARGET, one_of=("value", "values")),
    "set_attribute": _mutating("selector", "attribute", takes=(*TARGET, "value")),
    "switch_tab": Action(group="tabs", needs=("tab_id",), extra_s=LOAD_S),
    "type": _mutating("selector", "text", takes=(*TARGET, "clear", "keys", "trusted")),
    "upload": _mutating("selector", "files", takes=TARGET),
    "wait_for": Action(group="waiting", takes=("frame", "state", "timeout_ms"), one_of=("selector", "text", "url")),
    "wheel": _mutating("selector", takes=(*TARGET, *PLACE, "modifiers", "trusted"), any_of=OFFSET),
}

WINDOW = ("all_tabs", "since_seq", "limit", "url_filter")


def _journal_mode(query: type[msgspec.Struct]) -> Mode:
    """Derive the arguments of a mode that reads the journal: those of a window, and its query's own."""
    return Mode(takes=(*WINDOW, *own_arguments(query), *(["verbose"] if query in LAYOUTS else [])))


def own_arguments(query: type[msgspec.Struct]) -> tuple[str, ...]:
    """Name the arguments that a query of the journal has beside those of every window."""
    return tuple(name for name in query.__struct_fields__ if name not in journal.Window.__struct_fields__)


OBSERVED: dict[str, Mode] = {
    **{name: _journal_mode(mode.query) for name, mode in journal.MODES.items()},
    "analyze_result": Mode(needs=("correlation_id",), takes=("wait_s",)),
    "effects": Mode(needs=("id",), takes=("limit",)),
    "outline": Mode(takes=("selector", "since_seq")),
    "page": Mode(),
    "screenshot": Mode(takes=("selector", "full_page", "full", "animations", "overlays")),
    "screenshots": Mode(takes=("limit", "url_filter")),
    "status": Mode(),
    "tabs": Mode(),
}

CONFIGURED: dict[str, Mode] = {
    "clear": Mode(),
    "delete_state": Mode(needs=("snapshot_name",)),
    "execute": Mode(needs=("script",), takes=("timeout_ms",)),
    "highlight": Mode(needs=("selector",), takes=("duration_ms",)),
    "lease": Mode(takes=("ttl_s",)),
    "list_states": Mode(),
    "load_state": Mode(needs=("snapshot_name",), takes=("include_url",)),
    "release": Mode(),
    "save_state": Mode(needs=("snapshot_name",)),
}

GENERATED: dict[str, Mode] = {
    "har": Mode(takes=("save_to",)),
    "report": Mode(takes=("correlation_id", "save_to", "since_seq")),
    "reproduction": Mode(takes=("language", "save_to", "since_seq")),
    "sarif": Mode(takes=("correlation_id", "save_to")),
    "test": Mode(takes=("language", "save_to", "since_seq")),
}

STATES: dict[str, Mode] = {
    "save": Mode(needs=("snapshot_name",)),
    "load": Mode(needs=("snapshot_name",), takes=("include_url",)),
    "list": Mode(),
    "delete": Mode(needs=("snapshot_name",)),
}


def named(*groups: Group) -> tuple[str, ...]:
    """Name the actions of these groups."""
    return tuple(name for name, action in ACTIONS.items() if action.group in groups)


def limited(modes: Mapping[str, Mode]) -> dict[str, tuple[str, ...]]:
    """Give each argument that only some of the modes take, with those modes."""
    names = dict.fromkeys(name for mode in modes.values() for name in mode.arguments if name not in EVERYWHERE)
    return {name: tuple(key for key, mode in modes.items() if name in mode.arguments) for name in names}
