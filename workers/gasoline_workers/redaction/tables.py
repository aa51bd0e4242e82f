"""Secrets in the columns of tables: CSV, tabs, Markdown, and the frames that `console.table` draws.

The first row names the columns; a cell is judged by its column's name as any value beside a name. One pass over lines.
"""

import re
from collections.abc import Iterator

from gasoline_workers.redaction import values
from gasoline_workers.redaction.names import Meaning, kind_of, meaning
from gasoline_workers.redaction.spans import Span

LONGEST_NAME = 48
MOST_COLUMNS = 64

FRAME = re.compile("[\u2500-\u257f|+: =-]*")
"""A line that only draws: of box drawings, or of `|---|`."""

DELIMITERS = ("\u2502", "|", "\t", ",", ";")
"""In this order: a drawn table and one of Markdown may have commas in their cells."""

DELIMITER = re.compile(f"[{''.join(DELIMITERS)}]")

CELLS = {
    delimiter: re.compile(
        rf"[ \u00a0]*+(?P<quote>[\"'`]?)"
        rf"(?P<cell>(?:(?<=\")[^\"\n]*|(?<=')[^'\n]*|(?<=`)[^`\n]*|[^{re.escape(delimiter)}\n]*?))"
        rf"(?P=quote)[ \u00a0]*(?={re.escape(delimiter)}|$)",
        re.MULTILINE,
    )
    for delimiter in DELIMITERS
}
NAME = re.compile(r"[^\W\d][\w .$-]*")


def find(text: str) -> Iterator[Span]:
    """Find the secret cells of the tables in `text`, in order."""
    columns: dict[int, Meaning] = {}
    delimiter, count, position = "", 0, 0
    for line in text.splitlines(keepends=True):
        start, position = position, position + len(line)
        row = line.rstrip("\r\n")
        if FRAME.fullmatch(row):
            if not row.strip():
                columns = {}
            continue
        if columns and row.count(delimiter) == count:
            yield from _row(row, start, delimiter, columns)
        elif DELIMITER.search(row):
            delimiter, count, columns = _head(row)
        else:
            columns = {}


def _head(row: str) -> tuple[str, int, dict[int, Meaning]]:
    """Return what separates the names of a row, how often, and what the telling ones of them mean."""
    for delimiter in DELIMITERS:
        if not 0 < (count := row.count(delimiter)) <= MOST_COLUMNS:
            continue
        names = [name.strip(" \"'`()*") for name in row.strip(delimiter + " ").split(delimiter)]
        if len(names) > 1 and all(len(name) <= LONGEST_NAME and NAME.fullmatch(name) for name in names if name):
            offset = int(row.lstrip(" ").startswith(delimiter))
            kinds = {number + offset: meaning(name) for number, name in enumerate(names)}
            telling = {number: kind for number, kind in kinds.items() if Meaning.KEY < kind <= Meaning.MASKED}
            return delimiter, count, telling
    return "", 0, {}


def _row(row: str, start: int, delimiter: str, columns: dict[int, Meaning]) -> Iterator[Span]:
    place = 0
    for number in range(row.count(delimiter) + 1):
        cell = CELLS[delimiter].match(row, place)
        if cell is None:
            return
        if number in columns and values.hides(cell["cell"].strip(), columns[number]):
            begin, end = cell.span("cell")
            yield Span(start + begin, start + begin + len(row[begin:end].rstrip()), kind=kind_of(columns[number]))
        place = cell.end() + 1
