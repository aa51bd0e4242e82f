"""Makes the reply of a part of the journal that fits its budget, and the cursor that goes on after it; pure.

Rules of this file:
- A cursor is a position in the journal and the question it belongs to, nothing is kept for it: it goes on correctly
  while new events arrive and old ones are evicted, in another session and after a restart.
- A reply has at least one item, cut if need be: else its cursor would lead nowhere.
"""

import base64
import binascii
from typing import Any, NamedTuple

import msgspec

from gasoline_bridge.mcp.replies import Reply, encode, shrunk
from gasoline_broker.errors import fail
from gasoline_broker.wire import pack
from gasoline_workers.journal.messages import EventsRead, Item, Read, ReadBodies, ReadWebSockets

PREFIX = "j."  # tells such a cursor from one of a reply that is kept
LIMIT_MAX = 1_000  # as of the parameter
MORE_SHARE = 2  # what a mode has beside its items may take this part of the budget
HINTS: dict[type[Any], tuple[str, str]] = {
    ReadBodies: ("bodies", "Bodies are captured only while the user has Capture Network Bodies on, in the popup."),
    ReadWebSockets: ("websockets", "The user has switched Capture WebSockets off, in the popup."),
}
NO_BROWSER = "No Chrome with the extension has been connected since the system was started."

_read = msgspec.msgpack.Decoder(Read).decode


class Cut(NamedTuple):
    """The items that a reply has room for."""

    items: list[Item]
    left_out: int


def reply(asked: Read, name: str, answer: EventsRead, budget: int) -> bytes:
    """Give the answer as JSON of at most `budget` bytes, its items under `name`."""
    told: Reply = {name: []} | _notes(asked, answer) | _within(answer.more, budget // MORE_SHARE)
    cut = _cut(told, asked, answer, budget)
    told[name] = cut.items
    if cut.left_out:
        told["omitted"] = {"count": cut.left_out, "cursor": _cursor(asked, answer, cut.items)}
    return encode(told)


def question(cursor: str) -> Read:
    """Give the question that goes on where the reply with this cursor ended.

    Raises:
        Failed: `not_found`, it is no such cursor.

    """
    try:
        raw = base64.urlsafe_b64decode(cursor.removeprefix(PREFIX) + "==")
        asked: Read = _read(raw)
    except (msgspec.MsgspecError, binascii.Error, ValueError, RecursionError):
        fail("not_found", "This is no cursor of ours.", "Call again without a cursor.")
    return msgspec.structs.replace(asked, limit=max(1, min(asked.limit, LIMIT_MAX)))


def _notes(asked: Read, answer: EventsRead) -> Reply:
    notes: Reply = {"seq": answer.seq}
    if answer.tab:
        notes["tab"] = answer.tab
    if answer.dropped:
        notes["dropped"] = answer.dropped
    if asked.since_seq and answer.evicted_seq > asked.since_seq:
        notes["evicted_through"] = answer.evicted_seq
    if hint := _hint(asked, answer):
        notes["hint"] = hint
    return notes


def _hint(asked: Read, answer: EventsRead) -> str:
    if answer.items or asked.before:
        return ""
    if answer.state is None:
        return NO_BROWSER
    setting, words = HINTS.get(type(asked), ("", ""))
    return words if answer.state.get(setting) is False else ""


def _cut(told: Reply, asked: Read, answer: EventsRead, budget: int) -> Cut:
    """Take items while there is room, the cursor's own counted in as soon as something is left out."""
    bare = len(encode(told))
    more = bare + len(encode({"omitted": {"count": answer.total, "cursor": _cursor(asked, answer, answer.items)}}))
    sizes = [len(encode(item)) + 1 for item in answer.items]
    if bare + sum(sizes) <= budget and len(sizes) == answer.total:
        return Cut(answer.items, 0)
    room, fitting = budget - more, 0
    while fitting < len(sizes) and room >= sizes[fitting]:
        room -= sizes[fitting]
        fitting += 1
    items = answer.items[:fitting]
    if not fitting and answer.items:
        items = [shrunk(answer.items[0], budget - more)]
    return Cut(items, answer.total - len(items))


def _cursor(asked: Read, answer: EventsRead, given: list[Item]) -> str:
    before = given[-1]["seq"] if given else asked.before
    rest = msgspec.structs.replace(asked, before=before, upto=answer.upto)
    told = {name: value for name, value in msgspec.to_builtins(rest).items() if value != _defaults(asked).get(name)}
    return PREFIX + base64.urlsafe_b64encode(pack(told)).decode().rstrip("=")


def _defaults(asked: Read) -> dict[str, Any]:
    return {field.encode_name: field.default for field in msgspec.structs.fields(asked)}


def _within(more: Item, most: int) -> Item:
    """Shorten the lists of what a mode has beside its items, the longest first, until they fit."""
    while len(encode(more)) > most:
        lists = [(name, part) for name, group in more.items() if isinstance(group, dict) for part in group.items()]
        name, (key, longest) = max(lists, key=lambda one: len(encode(one[1][1])))
        if not isinstance(longest, list) or not longest:
            return {}
        group = more[name]
        omitted = group.get("omitted", 0) + len(longest) - len(longest) // 2
        more = more | {name: group | {key: longest[: len(longest) // 2], "omitted": omitted}}
    return more
