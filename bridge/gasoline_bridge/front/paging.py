"""Makes a reply of the journal's answer that fits its budget, and the cursor that continues after it; pure.

Rules of this file:
- A cursor is a position in the journal and the query it belongs to, as it was understood (its tab, its beginning):
  it continues correctly while new events arrive, old ones are evicted or the human turns to another tab, and in another
  session and after a restart. Only a query that is too long for the budget is kept, and by its session.
- The reply names what was lost: evicted, or not captured at all.
- A reply has at least one item, cut if need be: else its cursor would lead nowhere.
"""

import base64
import binascii
import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec

from gasoline_bridge.front import tab_hints
from gasoline_bridge.front.replies import Reply, encode, shrunk
from gasoline_bridge.front.rows import table
from gasoline_broker.actor.wire import pack
from gasoline_broker.errors import fail
from gasoline_workers.journal.messages import EventsRead, Item, Read, ReadBodies, ReadWebSockets

PREFIX = "j."  # distinguishes such a cursor from one of a reply that is kept
LIMIT_MAX = 1_000  # as of the parameter
NUMBER_MAX = 1 << 53  # as of the parameters
CURSOR_SHARE = 4  # the part of the budget that a cursor may take
CURSOR_KEPT = 16  # characters of one that names a kept query
MORE_SHARE = 2  # what a mode has beside its items may take this part of the budget
HINTS: dict[type[Any], tuple[str, str]] = {
    ReadBodies: ("bodies", "Bodies are captured only while the user has Capture Network Bodies on, in the popup."),
    ReadWebSockets: ("websockets", "The user has switched Capture WebSockets off, in the popup."),
}
NO_BROWSER = "No Chrome with the extension has been connected since the system was started."
NOTHING = "The user has no tab tracked and Capture All Tabs off, in the options: nothing is captured."

_read = msgspec.msgpack.Decoder(Read).decode

Keep = Callable[[Read], str]


class Cut(NamedTuple):
    """The items, or rows, that a reply has room for."""

    items: list[Any]
    left_out: int


def reply(
    query: Read, name: str, answer: EventsRead, budget: int, keep: Keep, absent: str = "", *, verbose: bool = True
) -> bytes:
    """Give the answer as JSON of at most `budget` bytes, its items under `name`.

    `keep`: remembers a query when its cursor would take too much of the budget, and gives a short one. `absent`: why
    the browser has nothing of the tab now. `verbose`: each item is an object, also in a list that has rows.
    """
    rows = None if verbose else table(type(query), answer.items)
    beside = {name: part for name, part in answer.more.items() if name != "hint"}
    head = rows.head if rows else {}
    shown: Reply = head | {name: []} | _notes(query, answer, absent) | _within(beside, budget // MORE_SHARE)
    cut = _cut(shown, query, answer, budget, rows.rows if rows else answer.items)
    shown[name] = cut.items
    if cut.left_out:
        cursor = _cursor(query, answer, cut.items)
        if len(cursor) > _cursor_bytes(budget):
            cursor = keep(rest(query, answer, cut.items))
        shown["omitted"] = {"count": cut.left_out, "cursor": cursor}
    return encode(shown)


def query_of(cursor: str) -> Read:
    """Give the query that continues where the reply with this cursor ended.

    Raises:
        Failed: `not_found`, it is no such cursor.

    """
    try:
        if not cursor.startswith(PREFIX):
            raise ValueError  # noqa: TRY301 - one place describes what a cursor is
        query: Read = _read(base64.urlsafe_b64decode(cursor.removeprefix(PREFIX) + "=="))
    except (msgspec.MsgspecError, binascii.Error, ValueError, RecursionError):
        fail("not_found", "This is no cursor of ours, or one that was kept and is forgotten.", "Call without a cursor.")
    if not all(0 <= number <= NUMBER_MAX for number in (query.since_seq, query.before, query.upto, query.tab_id)):
        fail("not_found", "This is no cursor of ours.", "Call without a cursor.")
    return msgspec.structs.replace(query, limit=max(1, min(query.limit, LIMIT_MAX)), resumed=True)


def _notes(query: Read, answer: EventsRead, absent: str) -> Reply:
    notes: Reply = {"seq": answer.upto}  # not the journal's end: what came after this list's is still to be read
    if answer.tab:
        notes["tab"] = answer.tab
    if answer.dropped:
        notes["dropped"] = answer.dropped
    if (query.since_seq or query.before) and answer.evicted_seq > answer.since:
        notes["evicted_through"] = answer.evicted_seq
    known = "" if absent == tab_hints.UNANSWERED else absent  # that comes last: it explains the least
    if not answer.items and (hint := known or _unset(query, answer) or answer.more.get("hint") or absent):
        notes["hint"] = hint
    return notes


def _unset(query: Read, answer: EventsRead) -> str:
    """Name the setting for which nothing can be there, whatever the filters; empty if there is none."""
    if answer.state is None:
        return NO_BROWSER
    if answer.state.get("allTabs") is False and not answer.state.get("tracked"):
        return NOTHING
    setting, words = HINTS.get(type(query), ("", ""))
    return words if answer.state.get(setting) is False else ""


def _cut(shown: Reply, query: Read, answer: EventsRead, budget: int, items: Sequence[Any]) -> Cut:
    """Take items while there is room, the cursor's own counted in as soon as something is left out."""
    bare = len(encode(shown))
    cursor = min(len(_cursor(query, answer, answer.items[:1])), _cursor_bytes(budget))  # none names a larger position
    more = bare + len(encode({"omitted": {"count": answer.total, "cursor": "x" * cursor}})) - 1  # `{…}` becomes `,…`
    sizes = [len(encode(item)) + 1 for item in items]  # with a comma, which the first has not
    if bare + sum(sizes) - 1 <= budget and len(sizes) == answer.total:
        return Cut(list(items), 0)
    room, fitting = budget - more + 1, 0
    while fitting < len(sizes) and room >= sizes[fitting]:
        room -= sizes[fitting]
        fitting += 1
    kept = list(items[:fitting])
    if not fitting and answer.items:
        kept = [shrunk(answer.items[0], budget - more)]  # an object, also where the others are rows
    return Cut(kept, answer.total - len(kept))


def rest(query: Read, answer: EventsRead, items: Sequence[Any]) -> Read:
    """Give the query that continues after these items, or rows, of an answer, in the window as it was understood."""
    return msgspec.structs.replace(
        query,
        before=answer.items[len(items) - 1]["seq"] if items else query.before,
        upto=answer.upto,
        since_seq=answer.since,
        tab_id=answer.tab,
        all_tabs=not answer.tab,
        resumed=True,
    )


def _cursor(query: Read, answer: EventsRead, items: Sequence[Any]) -> str:
    fields = msgspec.to_builtins(rest(query, answer, items))
    defaults = _defaults(type(query))
    values = {name: value for name, value in fields.items() if value != defaults.get(name) and name != "resumed"}
    return PREFIX + base64.urlsafe_b64encode(pack(values)).decode().rstrip("=")


def _cursor_bytes(budget: int) -> int:
    """Give how long a cursor may be, that this budget leaves room for an item."""
    return max(CURSOR_KEPT, budget // CURSOR_SHARE)


@functools.cache
def _defaults(kind: type[Read]) -> dict[str, Any]:
    return {field.encode_name: field.default for field in msgspec.structs.fields(kind)}


def _within(more: Item, most: int) -> Item:
    """Shorten the lists of what a mode has beside its items at their beginning, the longest first, until they fit."""
    while len(encode(more)) > most:
        lists = [(name, part) for name, group in more.items() if isinstance(group, dict) for part in group.items()]
        if not lists:
            return {}
        name, (key, longest) = max(lists, key=lambda one: len(encode(one[1][1])))
        if not isinstance(longest, list) or not longest:
            return {}
        group = more[name]
        omitted = group.get("omitted", 0) + len(longest) - len(longest) // 2
        more = more | {name: group | {key: longest[len(longest) - len(longest) // 2 :], "omitted": omitted}}
    return more
