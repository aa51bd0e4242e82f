"""What happened around an event in its tab: a few lines of the console, requests and actions; it writes nothing."""

import sqlite3

from gasoline_workers.journal.messages import Item
from gasoline_workers.journal.queries import COLUMNS, Record, iso, some

BEFORE_S, AFTER_S = 3.0, 1.0  # what led to an error is nearly always within 3 s; a request it broke fails within 1 s
EACH = 5  # lines, and requests or actions: an item must leave room for others within a reply of 4 KB
TEXT_CHARS = 200  # SPEC, Limits: "Summary strings: 200 characters"
FAILED = "coalesce(status = 0 OR status >= 400, 0)"  # seed 002: "400 for errors only"; 0: no answer came


def around(rows: sqlite3.Connection, record: Record, upto: int) -> list[Item]:
    """Give what happened, in order; failed requests are taken before others."""
    lines = _near(rows, ("console",), "abs(at - ?)", record, upto)
    others = _near(rows, ("network", "action"), f"{FAILED} DESC, abs(at - ?)", record, upto)
    return [_item(near) for near in sorted(lines + others, key=lambda near: (near.at, near.seq))]


def _near(rows: sqlite3.Connection, rings: tuple[str, ...], order: str, record: Record, upto: int) -> list[Record]:
    where = f"ring IN ({', '.join('?' * len(rings))}) AND tab = ? AND at BETWEEN ? AND ? AND seq <= ?"
    values = (*rings, record.tab, record.at - BEFORE_S, record.at + AFTER_S, upto, record.at, EACH)
    found = rows.execute(f"SELECT {COLUMNS} FROM events WHERE {where} ORDER BY {order} LIMIT ?", values)  # noqa: S608 - our own words
    return [Record(*row) for row in found]


def _item(record: Record) -> Item:
    return {"seq": record.seq, "ts": iso(record.at), "type": record.kind, "text": _text(record)[:TEXT_CHARS]}


def _text(record: Record) -> str:
    event = record.event
    match record.kind:
        case "console":
            return f"{record.level}: {record.text}"
        case "network":
            names: tuple[str, ...] = ("method", "url", "status", "error")
        case "navigation":
            names = ("navigation", "url")
        case _:
            names = ("action", "selector", "text")
    return " ".join(str(said) for said in some(event, *names).values())
