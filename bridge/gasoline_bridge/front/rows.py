"""Writes captured events as rows: the names of the columns once, and the values of each event in an array; pure.

Rules of this file:
- A row has its values in the order of `columns`; what is as usual or absent is null, and nulls at its end are left out.
- Times (`ms`) are since `first_ts`, the time of the first row. An address that begins with `/` is below `origin`.
- What all rows have in common is in `same`, once.
- What was around an error is rows too, of `seq`, `ms`, `type` and `text`.
- What a reader seldom needs is left out: `verbose` gives each event as an object, whole.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from gasoline_workers.journal.messages import (
    Item,
    Read,
    ReadActions,
    ReadErrors,
    ReadLogs,
    ReadWaterfall,
    ReadWebSockets,
)

Row = list[Any]

ADDRESSES = ("url", "page", "source", "target", "from")
HOSTS_MIN = 2  # an origin that only one value has is longer than what it saves
MARKS = ("truncated", "cut")


class Layout(NamedTuple):
    """The columns of a list, what is usual in them, and what only errors have."""

    columns: tuple[str, ...]
    usual: Mapping[str, Any] = MappingProxyType({})
    of_errors: tuple[str, ...] = ()


class Table(NamedTuple):
    """A list as rows; `head`: the fields of the reply that explain them."""

    rows: list[Row]
    head: dict[str, Any]


LAYOUTS: dict[type[Any], Layout] = {
    ReadLogs: Layout(
        ("seq", "ms", "text", "level", "count", "page", "source", "stack", "method", *MARKS, "tab"),
        {"level": "log"},
        ("source", "stack"),
    ),
    ReadWaterfall: Layout(
        (
            *("seq", "ms", "url", "duration", "kb", "type", "status", "method", "failed", "error", "open", "age_ms"),
            *("cached", "render_blocking", "request_headers", "response_headers", *MARKS, "tab"),
        ),
        {"status": 200, "method": "GET"},
    ),
    ReadErrors: Layout(
        (
            *("seq", "ms", "message", "kind", "name", "count", "first_ts", "source", "stack", "target", "tag"),
            *("directive", "report_only", "page", "around", *MARKS, "tab"),
        ),
        {"kind": "error"},
    ),
    ReadActions: Layout(
        (
            *("seq", "ms", "action", "selector", "text", "value", "key", "x", "y"),
            *("navigation", "url", "from", *MARKS, "tab"),
        ),
    ),
    ReadWebSockets: Layout(
        (
            *("seq", "ms", "data", "direction", "event", "id", "format", "decoded", "url", "code", "reason"),
            *(*MARKS, "tabId"),
        ),
        {"event": "message"},
    ),
}


def table(kind: type[Read], items: Sequence[Item]) -> Table | None:
    """Give a list as rows; None for one that has none, and for one that is empty."""
    layout = LAYOUTS.get(kind)
    if layout is None or not items:
        return None
    first = items[0].get("ts")
    shown = [_chosen(item, layout) for item in items]
    for one in shown:
        if around := one.get("around"):
            one["around"] = [[near["seq"], _since(near, first), near["type"], near["text"]] for near in around]
    same = _same(shown, layout)
    origin = _origin(shown)
    present = {"seq", "ms"}.union(*shown) - same.keys()
    used = [name for name in layout.columns if name in present]
    rows = [_row(one, used, origin, _since(item, first)) for one, item in zip(shown, items, strict=True)]
    head: dict[str, Any] = {"columns": used}
    if first is not None:
        head["first_ts"] = first
    if origin:
        head["origin"] = origin
    if same:
        head["same"] = {name: _below(value, name, origin) for name, value in same.items()}
    return Table(rows, head)


def _chosen(item: Item, layout: Layout) -> Item:
    is_error = item.get("level") == "error"
    return {
        name: item[name]
        for name in layout.columns
        if name in item and item[name] != layout.usual.get(name) and (is_error or name not in layout.of_errors)
    }


def _same(shown: Sequence[Item], layout: Layout) -> Item:
    """Give what every one of several has, and has the same."""
    if len(shown) == 1:
        return {}
    first = shown[0]
    names = (name for name in layout.columns if name in first and name != "seq")
    return {name: first[name] for name in names if all(name in one and one[name] == first[name] for one in shown)}


def _origin(shown: Iterable[Item]) -> str:
    """Give the origin that most addresses have; empty if no two have one, or one is a path itself."""
    addresses = [str(one[name]) for one in shown for name in ADDRESSES if one.get(name)]
    if any(address.startswith("/") for address in addresses):
        return ""
    origins = Counter(found for address in addresses if (found := _origin_of(address)))
    origin, count = next(iter(origins.most_common(1)), ("", 0))
    return origin if count >= HOSTS_MIN else ""


def _origin_of(address: str) -> str:
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    whole = f"{parts.scheme}://{parts.netloc}"
    return whole if parts.scheme and parts.netloc and address.startswith(f"{whole}/") else ""


def _row(one: Item, used: Sequence[str], origin: str, ms: int | None) -> Row:
    row = [ms if name == "ms" else _below(one.get(name), name, origin) for name in used]
    while row and row[-1] is None:
        row.pop()
    return row


def _below(value: object, name: str, origin: str) -> object:
    if origin and name in ADDRESSES and isinstance(value, str) and value.startswith(f"{origin}/"):
        return value.removeprefix(origin)
    return value


def _since(item: Item, first: object) -> int | None:
    """Give the ms since the first row's time: below 0 for what came before it."""
    try:
        between = datetime.fromisoformat(str(item.get("ts"))) - datetime.fromisoformat(str(first))
    except ValueError:
        return None
    return round(between.total_seconds() * 1_000)
