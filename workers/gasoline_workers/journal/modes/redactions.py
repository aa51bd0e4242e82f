"""What redaction hid in what was captured: counts by kind and channel, from the markers that stand in the events."""

import sqlite3
from collections import Counter

from gasoline_workers.journal import queries
from gasoline_workers.journal.messages import Item, ReadRedactions
from gasoline_workers.journal.queries import Found, Where
from gasoline_workers.journal.scopes import Scope
from gasoline_workers.redaction.messages import MARKED, MARKER

RINGS = (
    *("console", "error", "network", "network_body", "websocket", "resource", "performance", "action", "step"),
    *("drawing", "dialog", "opened"),
)
OTHER = "other"
"""The kind of what has no handle: its marker states none."""

WRITTEN = "iif(kind = 'console', coalesce(text, ''), '') || CAST(data AS TEXT)"
"""A console line is kept as its text, and not once more in its data."""

Place = tuple[int, str, str]


def read(rows: sqlite3.Connection, scope: Scope, _ask: ReadRedactions) -> Found:
    """Return for each tab, channel and kind how often something was hidden, the latest first."""
    counts, secrets, last = Counter[Place](), dict[Place, set[str]](), dict[Place, tuple[int, float]]()
    hidden = f"(instr({WRITTEN}, ?) > 0 OR instr({WRITTEN}, ?) > 0)"
    where = Where(RINGS, scope).url(scope.url).add(hidden, "[RED", "⟦")
    for seq, at, tab, channel, written in queries.select(rows, f"seq, at, tab, kind, {WRITTEN}", where, "ORDER BY seq"):
        for marker in MARKED.findall(written):
            place = tab, channel, OTHER if marker == MARKER else marker[1:].partition("#")[0]
            counts[place] += 1
            secrets.setdefault(place, set()).add(marker)
            last[place] = seq, at
    found = sorted(last, key=lambda one: (last[one], one), reverse=True)
    here = [place for place in found if last[place][0] < scope.before]
    items = [_item(one, counts[one], secrets[one], last[one], scope) for one in here[: scope.limit]]
    return Found(items, len(here), {})


def _item(place: Place, count: int, secrets: set[str], last: tuple[int, float], scope: Scope) -> Item:
    tab, channel, kind = place
    item: Item = {"seq": last[0], "ts": queries.iso(last[1])} | ({} if scope.tab else {"tab": tab})
    handles = len(secrets - {MARKER})
    return item | {"channel": channel, "kind": kind, "count": count} | ({"secrets": handles} if handles else {})
