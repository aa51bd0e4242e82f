"""Cuts a reply to its budget at item borders, and keeps what did not fit for the next call; pure but for its memory.

Rules of this file:
- A reply is one JSON object and never exceeds its budget; it is never cut inside its JSON.
- Lists, and texts that were read, are cut at their end, the least useful first. What is left out can be fetched with
  the cursor, once or again, as it was when it was cut: a page that changes meanwhile makes no gap and no repetition.
- Sizes are bytes of compact JSON in UTF-8, which is what a client counts.
"""

import bisect
import re
import secrets
import time
from collections import OrderedDict
from typing import Any, NamedTuple

import msgspec

from gasoline_broker.error_codes import as_error
from gasoline_broker.errors import FAILURE_TEXT_BYTES, Failure, fail

KEPT, KEPT_S = 32, 600.0  # cut replies of one session, and for how long
OMITTED_BYTES = 60  # `,"omitted":{"count":12345,"cursor":"0123456789abcdef"}` and one to spare
WORST_CHARACTER_BYTES = 12  # a character beyond the BMP, escaped
STRING_SHARE = 8  # a long string outside of lists is cut to this part of the budget when nothing else helps
SHORTEST = 64  # bytes: less of a text is not worth giving
MARKS = ("truncated", "cut")  # of an item that is cut
COUNTS = {"matches": "returnedCount"}  # the field that counts the items of a list in a reply

_STEERING = re.compile(rb"\x7f|\xc2[\x80-\x9f]|\xe2\x80[\xa8-\xae]|\xe2\x81[\xa6-\xa9]")
"""In UTF-8: DEL, the C1 controls, what ends a line, and what turns the direction of text around."""

Reply = dict[str, Any]


def encode(value: object) -> bytes:
    """Encode as compact JSON; what steers a terminal is escaped too, as JSON has it for control characters."""
    text = msgspec.json.encode(value)
    if text.isascii() and b"\x7f" not in text:
        return text
    return _STEERING.sub(lambda found: b"\\u%04x" % ord(found[0].decode()), text)


class Rest(NamedTuple):
    """What did not fit: the lists with their items, texts with their characters, and until when they are kept.

    `limit`: the most items of a list in one reply, 0: as many as fit.
    """

    lists: dict[str, list[Any] | str]
    until: float
    limit: int = 0


class Replies:
    """The cut replies of one session."""

    def __init__(self) -> None:
        self._rests: OrderedDict[str, Rest] = OrderedDict()

    def fit(self, reply: Reply, budget: int, lists: tuple[str, ...], limit: int = 0) -> bytes:
        """Give the reply as JSON of at most `budget` bytes; `lists`: its lists and texts, the first to be cut first.

        `limit`: the most items of each list; 0: as many as fit.
        """
        rest: dict[str, Any] = _beyond(reply, lists, limit) if limit else {}
        text = encode(reply)
        if not rest and len(text) <= budget:
            return text
        room = budget - OMITTED_BYTES
        for name in (name for name in lists if reply.get(name)):
            if len(encode(reply)) <= room:
                break
            beyond = _cut(reply, name, room)
            rest[name] = beyond + rest[name] if name in rest else beyond
        if len(encode(reply)) > room:
            _shorten(reply, room // STRING_SHARE)
        self._force_one(reply, rest, lists, room)
        if any(rest.values()):
            reply["omitted"] = self._keep(rest, limit)
        return encode(reply)

    def more(self, cursor: str, budget: int) -> bytes:
        """Give the next part of a reply that was cut.

        Raises:
            Failed: `not_found`, the cursor is unknown to this session or has expired.

        """
        rest = self._rests.get(cursor)
        if rest is None or rest.until < time.monotonic():
            fail("not_found", "This cursor is unknown or older than 10 minutes.", "Call again without a cursor.")
        lists = {name: items[:] for name, items in rest.lists.items() if items}
        reply: Reply = dict(lists)
        for name, count in COUNTS.items():
            if name in reply:
                reply[count] = len(reply[name])
        return self.fit(reply, budget, tuple(lists), rest.limit)

    def _force_one(self, reply: Reply, rest: dict[str, list[Any] | str], lists: tuple[str, ...], room: int) -> None:
        """Every reply of a list has at least one item, however large: else its cursor would lead nowhere.

        The rest of a first reply may leave no room for it: then the cursor leads to it.
        """
        name = next((one for one in reversed(lists) if rest.get(one)), "")
        if not name or any(reply.get(one) for one in lists):
            return
        items = rest[name]
        if isinstance(items, str):
            return
        item = shrunk(items[0], room - len(encode(reply)))
        if isinstance(item, str) and len(item) < SHORTEST and reply.keys() - {*lists, *COUNTS.values()}:
            return
        reply[name] = [item]
        del items[0]
        _count(reply, name)

    def _keep(self, lists: dict[str, list[Any] | str], limit: int) -> Reply:
        cursor = secrets.token_hex(8)
        self._rests[cursor] = Rest(lists, time.monotonic() + KEPT_S, limit)
        while len(self._rests) > KEPT:
            self._rests.popitem(last=False)
        return {"count": sum(map(len, lists.values())), "cursor": cursor}


def _beyond(reply: Reply, lists: tuple[str, ...], limit: int) -> dict[str, Any]:
    """Shorten each list of the reply to its limit, and give what was cut off."""
    rest = {name: reply[name][limit:] for name in lists if len(reply.get(name, ())) > limit}
    for name in rest:
        reply[name] = reply[name][:limit]
    return rest


def _cut(reply: Reply, name: str, room: int) -> list[Any] | str:
    """Shorten a list or a text of the reply until the reply has room, or it is empty, and give what was cut off."""
    items: list[Any] | str = reply[name]
    if isinstance(items, str):
        kept = _fitting(items, room - len(encode(reply)) + len(encode(items)))
        reply[name] = items[:kept]
        return items[kept:]
    excess = len(encode(reply)) - room
    keep = len(items)
    while keep and excess > 0:
        keep -= 1
        excess -= len(encode(items[keep])) + (1 if keep else 0)
    reply[name] = items[:keep]
    _count(reply, name)
    return items[keep:]


def _fitting(text: str, room: int) -> int:
    """Give the number of characters of a text whose JSON fits into so many bytes."""
    return max(0, bisect.bisect_right(range(len(text) + 1), room, key=lambda count: len(encode(text[:count]))) - 1)


def _count(reply: Reply, name: str) -> None:
    if name in COUNTS:
        reply[COUNTS[name]] = len(reply[name])


def _shorten(reply: Reply, most: int) -> None:
    for name, value in reply.items():
        if isinstance(value, str) and len(encode(value)) > most:
            cut = value[:most]
            while len(encode(cut)) > most:  # what takes more than a byte in JSON
                cut = cut[: len(cut) // 2]
            reply[name] = f"{cut}…"


def shrunk(item: Any, room: int) -> Any:  # noqa: ANN401 - JSON
    """Give one item cut to `room` bytes: its longest texts shortened, its other large parts left out; and name them.

    Of what has no parts, or so many that their names alone are too long, it gives the begin as a text.
    """
    if not isinstance(item, dict):
        return _begin(item, room)
    small = dict(item) | {"truncated": True, "cut": []}
    while (excess := len(encode(small)) - room) > 0 and len(small) > len(MARKS):
        part = max((name for name in small if name not in MARKS), key=lambda name: len(encode(small[name])))
        small["cut"] = sorted({*small["cut"], part})
        kept = _shortened(small.pop(part), excess + len(part))
        if kept:
            small[part] = kept
    return small if len(encode(small)) <= room else _begin(item, room)


def _begin(item: Any, room: int) -> str:  # noqa: ANN401 - JSON
    text = item if isinstance(item, str) else encode(item).decode()
    return f"{text[: max(0, room // WORST_CHARACTER_BYTES - 1)]}…"


def _shortened(value: Any, excess: int) -> str:  # noqa: ANN401 - JSON
    """Give a text without so many bytes of its end, nothing for what is no text or would be nearly empty."""
    if not isinstance(value, str) or len(encode(value)) < excess + SHORTEST:
        return ""
    cut, most = value, len(encode(value)) - excess - SHORTEST // 2
    while len(encode(cut)) > most:
        cut = cut[: min(len(cut) - 1, len(cut) * most // len(encode(cut)))]
    return f"{cut}…"


def error(failure: Failure) -> bytes:
    """Give the one shape of every error, short enough for every client."""
    shape = as_error(failure)
    text = encode({"status": "error", "error": shape})
    if len(text) <= FAILURE_TEXT_BYTES:
        return text
    cut = {name: text[:1_000] for name, text in shape.items() if isinstance(text, str)}
    return encode({"status": "error", "error": cut})
