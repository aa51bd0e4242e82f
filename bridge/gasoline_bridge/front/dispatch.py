"""The table from each tool and mode to the message that answers it: a page query, a journal query or a page command.

Rules of this file:
- A new mode is one row: in PAGE_QUERIES what the bridge is asked and which lists of the answer may be cut, the first
  one first; in JOURNAL_QUERIES what the journal is asked, which holds only redacted data, and the name of its items; in
  PAGE_COMMANDS what acts on the page, for a named client.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from gasoline_bridge.chrome import messages as bridge
from gasoline_bridge.front import tools
from gasoline_bridge.front.actions import ACTIONS, AUDITS_S, LOAD_S, own_arguments
from gasoline_bridge.front.analyses import (
    ANALYSES,
    ANALYZED,
    REPORT_CACHED_S,
    REPORT_S,
    arguments_of,
    chosen,
)
from gasoline_workers.audit import messages as audit
from gasoline_workers.diff import messages as diff
from gasoline_workers.journal import messages as journal

WAITS_S = 3.0  # for the tab's turn and a pause of the user's, which a query's time has no room for


class PageQuery(NamedTuple):
    """What a tool, in a mode, asks of the bridge, the lists of its answer, and more time than a query has (s).

    `judged`: what the audit worker is asked of the answer.
    """

    message: Callable[[Any], msgspec.Struct]
    lists: tuple[str, ...]
    extra_s: float = 0.0
    judged: Callable[[Any], audit.Request | None] = lambda _arguments: None


class JournalQuery(NamedTuple):
    """What a tool, in a mode, asks of the journal, and the name of the items in its reply."""

    message: Callable[[Any], journal.Read]
    name: str


class PageCommand(NamedTuple):
    """What a tool, in a mode, has the bridge do; the lists of the answer, and more time than a query has (s).

    `explained`: what the diff worker is asked of the answer. `judged`: what the audit worker is: then nothing is
    changed in the page, and the command may be repeated.
    """

    message: Callable[[Any, bridge.Client], bridge.Acts]
    lists: tuple[str, ...] = ()
    extra_s: Callable[[Any], float] = lambda _arguments: 0.0
    explained: Callable[[Any], diff.Request | None] = lambda _arguments: None
    judged: Callable[[Any], audit.Request | None] = lambda _arguments: None


def _query_dom(arguments: tools.QueryDom) -> bridge.QueryDom:
    properties = None if arguments.properties is msgspec.UNSET else arguments.properties
    return bridge.QueryDom(
        selector=arguments.selector,
        include_styles=arguments.include_styles,
        include_children=arguments.include_children,
        max_depth=arguments.max_depth,
        properties=properties,
        offset=arguments.offset,
        tab_id=arguments.tab_id,
    )


def _accessibility(arguments: tools.RunAccessibilityAudit) -> bridge.RunAccessibilityAudit:
    own = {"selector": arguments.scope, "tags": arguments.tags, "include_passes": arguments.include_passes}
    return bridge.RunAccessibilityAudit(
        arguments={name: value for name, value in own.items() if value is not msgspec.UNSET},
        timeout_ms=REPORT_S * 1_000,
        cached_ms=0 if arguments.force_refresh else REPORT_CACHED_S * 1_000,
        tab_id=arguments.tab_id,
    )


FINDING_LISTS = ("findings",)
_PAGE = PageQuery(lambda arguments: bridge.GetPageInfo(arguments.tab_id), ("controls", "headings", "forms"))


def _outline(arguments: tools.Observe) -> bridge.GetOutline:
    selector = None if arguments.selector is msgspec.UNSET else arguments.selector
    return bridge.GetOutline(arguments.budget, selector, arguments.since_seq, arguments.tab_id)


PAGE_QUERIES: dict[tuple[str, str], PageQuery] = {
    ("query_dom", ""): PageQuery(_query_dom, ("matches",)),
    ("get_page_info", ""): _PAGE,
    ("run_accessibility_audit", ""): PageQuery(
        _accessibility,
        ("passes", "incomplete", "violations"),
        REPORT_S,
        lambda arguments: audit.ReportAccessibility(arguments.include_passes),
    ),
    ("observe", "page"): _PAGE,
    ("observe", "outline"): PageQuery(_outline, ("gone", "lines")),
    ("observe", "tabs"): PageQuery(lambda _arguments: bridge.ListTabs(), ("tabs",)),
    ("configure", "clear"): PageQuery(lambda _arguments: bridge.ClearEvents(), ()),
}


def _window(kind: type[journal.Read]) -> Callable[[Any], journal.Read]:
    """Make the journal's query of a tool's arguments: those of a window, and the query's own."""
    names = ("since_seq", "limit", "tab_id", "all_tabs", "url_filter", *own_arguments(kind))

    def message(arguments: Any) -> journal.Read:  # noqa: ANN401 - the Struct of any tool that reads the journal
        values = {name: getattr(arguments, name, msgspec.UNSET) for name in names}
        set_ = {name: value for name, value in values.items() if value is not msgspec.UNSET}
        return msgspec.convert(set_, kind)

    return message


OF_A_MODE = {name: JournalQuery(_window(mode.query), mode.items) for name, mode in journal.MODES.items()}
JOURNAL_QUERIES: dict[tuple[str, str], JournalQuery] = {
    **{("observe", name): query for name, query in OF_A_MODE.items()},
    ("get_websocket_events", ""): OF_A_MODE["websocket_events"],
    ("get_network_bodies", ""): OF_A_MODE["network_bodies"],
}
ITEM_NAMES = {mode.query: mode.items for mode in journal.MODES.values()}


def _command(kind: type[Any], *names: str) -> Callable[[Any, bridge.Client], bridge.Acts]:
    """Make the command of a tool's arguments: the named ones, and the tab."""
    return lambda arguments, client: kind(
        client=client, tab_id=arguments.tab_id, **{name: getattr(arguments, name) for name in names}
    )


def _interact(arguments: tools.Interact, client: bridge.Client) -> bridge.Interact:
    own = {name: getattr(arguments, name) for name in ACTIONS[arguments.action].sent}
    set_ = {name: value for name, value in own.items() if value is not msgspec.UNSET}
    action = arguments.action
    reads = ACTIONS[action].group == "reading"
    return bridge.Interact(client=client, tab_id=arguments.tab_id, action=action, arguments=set_, reads=reads)


def _analyze(arguments: tools.Analyze, client: bridge.Client) -> bridge.Analyze:
    scope = chosen(arguments.action, arguments.scope)
    analysis = ANALYSES[arguments.action, scope]
    own = {name: getattr(arguments, name) for name in arguments_of(analysis)}
    return bridge.Analyze(
        client=client,
        tab_id=arguments.tab_id,
        what=f"{arguments.action} {scope}",
        parts=analysis.parts,
        arguments={name: value for name, value in own.items() if value is not msgspec.UNSET},
        timeout_ms=analysis.limit_s * 1_000,
        cached_ms=0 if arguments.force_refresh else analysis.cached_s * 1_000,
    )


def _analyze_s(arguments: tools.Analyze) -> float:
    return ANALYSES[arguments.action, chosen(arguments.action, arguments.scope)].limit_s


def _judged(arguments: tools.Analyze) -> audit.Judge:
    return audit.Judge(arguments.action, chosen(arguments.action, arguments.scope))


def _interact_extra_s(arguments: tools.Interact) -> float:
    action = ACTIONS[arguments.action]
    waits_s = arguments.timeout_ms / 1_000 if "timeout_ms" in action.arguments else 0.0
    waits_s += 0.0 if arguments.hold_ms is msgspec.UNSET else arguments.hold_ms / 1_000
    return action.extra_s + waits_s + (AUDITS_S if arguments.a11y else 0.0)


def _explained(arguments: tools.Interact) -> diff.Request | None:
    match ACTIONS[arguments.action].group:
        case "mutating":
            return diff.ExplainAction(arguments.analyze)
        case "dialog":  # what it interrupted
            return diff.ExplainAction()
        case "navigation":
            return diff.CompareLoads()
        case _:
            return None


INTERACT_LISTS = {"mutating": ("network", "long_tasks"), "reading": ("elements", "text", "value")}
_HIGHLIGHT = PageCommand(_command(bridge.Highlight, "selector", "duration_ms"))
_SAVE = PageCommand(_command(bridge.SaveState, "snapshot_name"))
_LOAD = PageCommand(_command(bridge.LoadState, "snapshot_name", "include_url"), ("refused",), lambda _arguments: LOAD_S)
_LIST = PageCommand(_command(bridge.ListStates), ("snapshots",))
_DELETE = PageCommand(_command(bridge.DeleteState, "snapshot_name"))
_EXECUTE = PageCommand(
    _command(bridge.Execute, "script", "timeout_ms"),
    ("dialogs", "result"),
    lambda arguments: WAITS_S + arguments.timeout_ms / 1_000,
)
PAGE_COMMANDS: dict[tuple[str, str], PageCommand] = {
    ("configure", "highlight"): _HIGHLIGHT,
    ("configure", "save_state"): _SAVE,
    ("configure", "load_state"): _LOAD,
    ("configure", "list_states"): _LIST,
    ("configure", "delete_state"): _DELETE,
    ("configure", "execute"): _EXECUTE,
    ("configure", "lease"): PageCommand(_command(bridge.Lease, "ttl_s")),
    ("configure", "release"): PageCommand(_command(bridge.Release), ("released",)),
    **{
        ("interact", name): PageCommand(_interact, INTERACT_LISTS.get(action.group, ()), _interact_extra_s, _explained)
        for name, action in ACTIONS.items()
        if action.group != "batch"
    },
    **{("analyze", name): PageCommand(_analyze, FINDING_LISTS, _analyze_s, judged=_judged) for name in ANALYZED},
    ("highlight_element", ""): _HIGHLIGHT,
    ("manage_state", "save"): _SAVE,
    ("manage_state", "load"): _LOAD,
    ("manage_state", "list"): _LIST,
    ("manage_state", "delete"): _DELETE,
    ("execute_javascript", ""): _EXECUTE,
}

BATCH = ("interact", "batch")  # runs other rows, one after another
EFFECT_LISTS = (
    "console",
    "requests",
    "websockets",
    "routes",
    "storage",
    "errors",
    "downloads",
)  # of an effect, the least useful first
RELEASE = ("configure", "release")  # gives tabs back, and acts on none
ACTING = {*PAGE_COMMANDS, BATCH} - {RELEASE}  # what the audit trail holds
