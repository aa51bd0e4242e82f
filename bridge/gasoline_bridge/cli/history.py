"""What `gasoline report` shows: what became of each metric of a baseline, as a table and as an HTML file."""

import datetime as dt
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from gasoline_bridge.check.history_plot import number
from gasoline_bridge.check.history_report import history_report
from gasoline_bridge.check.results import WORDS
from gasoline_bridge.check.trend import Series, bars, series
from gasoline_bridge.cli.baselines import read_all
from gasoline_bridge.cli.query import ask
from gasoline_bridge.cli.tables import table
from gasoline_bridge.report_page import count
from gasoline_broker.settings import Settings
from gasoline_workers.regression.messages import HistoryRead, ReadHistory

ASK_S = 20.0
HEAD = ("metric", "first", "least", "greatest", "last", "verdict", "last values")


def read(settings: Settings, names: Sequence[str]) -> list[HistoryRead]:
    """Ask for what became of baselines, without names of all, the newest first.

    Raises:
        NotRunning: there is no system.
        Failed: there is no baseline of a name, or it cannot be read.

    """
    chosen = names or [one.name for one in read_all(settings) if not one.damaged]
    return [ask(settings, "regression", ReadHistory(name), HistoryRead, ttl_s=ASK_S) for name in chosen]


def as_json(found: list[HistoryRead]) -> str:
    """Return the histories as one JSON array."""
    return msgspec.json.encode(found).decode()


def as_lines(found: list[HistoryRead]) -> str:
    """Return a table for each baseline."""
    if not found:
        return "There are no baselines yet: `gasoline check URL` makes one."
    return "\n".join(line for one in found for line in _lines(one)).rstrip("\n")


def write_html(found: list[HistoryRead], file: Path) -> None:
    """Write the report."""
    now = dt.datetime.now(dt.UTC).strftime("%Y-%m-%d %H:%M UTC")
    file.write_text(history_report(found, now), encoding="utf-8")


def _lines(one: HistoryRead) -> Iterator[str]:
    compared = sum(entry.kind == "compared" for entry in one.entries)
    first = one.entries[0].at[:10] if one.entries else "now"
    yield from table((one.name, one.url, f"compared {count(compared, 'time')} since {first}"), (), left=3)
    yield from table(HEAD, map(_row, series(one.entries)))
    yield ""


def _row(found: Series) -> tuple[str, ...]:
    medians = [point.median for point in found.points]
    last = found.verdict(found.points[-1])
    numbers = (medians[0], min(medians), max(medians), medians[-1])
    return (found.metric, *map(number, numbers), WORDS[last], bars(found.points))
