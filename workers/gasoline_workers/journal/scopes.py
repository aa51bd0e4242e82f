"""Which part of the journal a read is about: its view, its tab, its page of a list."""

from typing import Any

import msgspec

from gasoline_workers.journal.messages import Item, Window

TABS = ("front", "tracked")
NO_FRONT = "No tab is in front; name one with tab_id, or all_tabs:true."
LIMIT_MAX = 1_000  # items of one answer: no ring holds more


class Scope(msgspec.Struct, frozen=True):
    """What came after `since`, up to `upto`; of it, items before `before`. `tab` 0: of all; `note`: why it is empty.

    `now`: s since the epoch.
    """

    since: int
    upto: int
    before: int
    limit: int
    now: float
    tab: int = 0
    url: str = ""
    note: str = ""


def scope(ask: Window, state: Item | None, begin: int, end: int, now: float) -> Scope:
    """Return what is read. `begin`, `end`: of the current view."""
    tab, note = _tab(ask, state)
    upto = min(ask.upto, end) if ask.upto > 0 else end
    return Scope(
        since=ask.since_seq if ask.since_seq > 0 or ask.resumed else begin,
        upto=upto,
        before=ask.before if ask.before > 0 else upto + 1,
        limit=min(max(ask.limit, 0), LIMIT_MAX),
        now=now,
        tab=tab,
        url=ask.url_filter,
        note=note,
    )


def known(state: object) -> Item | None:
    """Return what can be believed of a state: ids of tabs, whether something is on; None where there is nothing."""
    if not isinstance(state, dict):
        return None
    flags = {name: value for name, value in state.items() if isinstance(value, bool) and name not in TABS}
    return flags | {name: _id(state.get(name)) or None for name in TABS}


def _tab(ask: Window, state: Item | None) -> tuple[int, str]:
    tracked = _id((state or {}).get("tracked"))
    if tracked and ask.tab_id not in {0, tracked}:
        return ask.tab_id, f"Tab {tracked} is tracked: nothing of another tab is given until tracking is stopped."
    if tracked:
        return tracked, ""
    if ask.all_tabs or ask.resumed or state is None:  # None: no browser was ever there, only what programs pushed
        return 0 if ask.all_tabs else ask.tab_id, ""
    tab = ask.tab_id or _id(state.get("front"))
    return tab, "" if tab else NO_FRONT


def _id(value: Any) -> int:  # noqa: ANN401 - anything that the extension sent
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
