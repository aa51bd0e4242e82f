"""The SQL of every list: conditions, groups, a page of them."""

import datetime as dt
import functools
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec

from gasoline_broker.errors import Damaged
from gasoline_workers.journal.messages import Item
from gasoline_workers.journal.scopes import Scope

COLUMNS = "seq, kind, tab, load, page, url, at, level, status, name, key, text, data, partner"


class Record(NamedTuple):
    """A row, as far as items need it."""

    seq: int
    kind: str
    tab: int
    load: str
    page: str
    url: str
    at: float
    level: str | None
    status: int | None
    name: str | None
    key: bytes | None
    text: str | None
    data: bytes
    partner: int | None

    @property
    def event(self) -> Item:
        """The event as it came.

        Raises:
            Damaged: this code never stored it so.

        """
        try:
            event: Item = msgspec.json.decode(self.data)
        except msgspec.DecodeError as fault:
            raise Damaged(f"{self.seq}: {fault}") from None
        return event


class Group(NamedTuple):
    """Events that are one item: its position is that of the last of them; `at`: when the first began."""

    seq: int
    size: int
    at: float


class Found(NamedTuple):
    """A page of items, newest first, and how many there are from here on."""

    items: list[Item]
    total: int
    more: Item


class Where:
    """Conditions, of which each must hold. `place`: the column with the position at which an item stands."""

    def __init__(self, rings: Sequence[str], scope: Scope, place: str = "seq") -> None:
        self.place = place
        self.values: list[Any] = []
        self._clauses: list[str] = []
        self.among("ring", rings)
        self.add(f"{place} > ?", scope.since).add("seq <= ?", scope.upto)
        if scope.tab:
            self.add("tab IN (?, 0)", scope.tab)  # 0: of no tab, such as a line that a program has pushed

    def add(self, clause: str, *values: object) -> "Where":
        """Add a condition, with a value for each question mark."""
        self._clauses.append(clause)
        self.values += values
        return self

    def among(self, column: str, values: Sequence[object]) -> "Where":
        """Add that a column has one of these values."""
        return self.add(f"{column} IN ({', '.join('?' * len(values))})", *values)

    def url(self, part: str) -> "Where":
        """Add that the address holds this part, if there is one."""
        return self.add("instr(url, ?) > 0", part) if part else self

    def __str__(self) -> str:
        """Write the conditions."""
        return " AND ".join(self._clauses)


def select(rows: sqlite3.Connection, columns: str, where: Where, rest: str = "", *values: object) -> list[Any]:
    """Run a query over the events."""
    return rows.execute(f"SELECT {columns} FROM events WHERE {where} {rest}", (*where.values, *values)).fetchall()  # noqa: S608 - our own words


def records(rows: sqlite3.Connection, where: Where, rest: str = "", *values: object) -> list[Record]:
    """Read rows."""
    return [*map(Record._make, select(rows, COLUMNS, where, rest, *values))]


def page(rows: sqlite3.Connection, where: Where, scope: Scope) -> tuple[list[Record], int]:
    """Read a page of rows, and count those from here on."""
    where.add(f"{where.place} < ?", scope.before)
    ((total,),) = select(rows, "count(*)", where)
    return records(rows, where, f"ORDER BY {where.place} DESC LIMIT ?", scope.limit), total


def groups(rows: sqlite3.Connection, where: Where, scope: Scope) -> tuple[list[Group], int]:
    """Read a page of groups, and count those from here on."""
    rest = "GROUP BY key HAVING max(seq) < ? ORDER BY max(seq) DESC"
    found = select(rows, "max(seq), count(*), min(at)", where, rest, scope.before)
    return [Group(*row) for row in found[: scope.limit]], len(found)


def by_seq(rows: sqlite3.Connection, seqs: Iterable[int]) -> dict[int, Record]:
    """Read the rows at these positions."""
    wanted = list(seqs)
    marks = ", ".join("?" * len(wanted))
    found = rows.execute(f"SELECT {COLUMNS} FROM events WHERE seq IN ({marks})", wanted)  # noqa: S608 - our own words
    return {row[0]: Record._make(row) for row in found}


def holds(text: str | None, part: str) -> bool:
    """Return whether a text has this part, in upper or lower case."""
    return part.casefold() in (text or "").casefold()


def iso(at: float) -> str:
    """Write a time as the seeds do: ISO 8601, UTC, with milliseconds."""
    second, ms = divmod(int(at * 1_000 + 0.001), 1_000)  # 0.001: a float of 13 digits may be that little too small
    return f"{_second(second)}.{ms:03}Z"


@functools.lru_cache(1_024)
def _second(second: int) -> str:
    return dt.datetime.fromtimestamp(second, dt.UTC).strftime("%Y-%m-%dT%H:%M:%S")


def head(record: Record, scope: Scope) -> Item:
    """Begin an item: its position and time; its tab where several are read."""
    begun: Item = {"seq": record.seq, "ts": iso(record.at)}
    return begun if scope.tab else begun | {"tab": record.tab}


def some(event: Item, *names: str) -> Item:
    """Return those of the fields that are present and not empty; a zero is not."""
    fields = {name: event.get(name) for name in names}
    return {name: value for name, value in fields.items() if value is not None and value is not False and value != ""}
