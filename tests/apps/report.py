"""Writes the results: a line for each task as it ends, a table of the applications, and a file for the benchmarks.

`python -m apps.report tests/.apps/results-gasoline.json` writes the table of docs/benchmarks.md.
"""

import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

import click
import msgspec

from apps.tasks import VERDICTS, Result

COLOURS: Final = {
    "right": "green",
    "led": "cyan",
    "missed": "yellow",
    "refused": "yellow",
    "wrong": "red",
    "untried": "white",
}


def line(result: Result) -> None:
    """Print how a task went."""
    verdict = click.style(f"{result.verdict:8}", fg=COLOURS[result.verdict])
    size = f"{result.calls:3} calls {result.sent + result.received:6} B {result.seconds:5.1f} s"
    click.echo(f"{result.application:11} {result.task:32} {verdict} {size}  {result.what[:200]}")


def table(results: Sequence[Result]) -> None:
    """Print a row for each application, and one for all."""
    click.echo(
        f"\n{'application':12} tasks  " + "  ".join(f"{name:>7}" for name in VERDICTS) + "  calls/task  bytes/task"
    )
    names = list(dict.fromkeys(result.application for result in results))
    for name in names:
        _row(name, [result for result in results if result.application == name])
    if len(names) > 1:
        _row("all", results)
    click.echo("\n" + "\n".join(f"{name}: {meaning}" for name, meaning in VERDICTS.items()))


def _row(name: str, results: Sequence[Result]) -> None:
    counts = "  ".join(f"{sum(result.verdict == verdict for result in results):7}" for verdict in VERDICTS)
    calls = sum(result.calls for result in results) / len(results)
    size = sum(result.sent + result.received for result in results) / len(results)
    click.echo(f"{name:12} {len(results):5}  {counts}  {calls:10.1f}  {size:10.0f}")


def write(results: Sequence[Result], file: Path) -> None:
    """Write them for the benchmarks."""
    file.parent.mkdir(parents=True, exist_ok=True)
    rows = msgspec.json.encode([asdict(result) for result in results])
    file.write_bytes(msgspec.json.format(rows, indent=1) + b"\n")


def markdown(results: Sequence[Result]) -> str:
    """Write the table of docs/benchmarks.md."""
    names = list(dict.fromkeys(result.application for result in results))
    groups = [(name, [result for result in results if result.application == name]) for name in names]
    lines = [
        f"| | tasks | {' | '.join(VERDICTS)} | calls a task | bytes a task |",
        "| --- " * (len(VERDICTS) + 4) + "|",
    ]
    for name, rows in [*groups, ("all", results)]:
        counts = " | ".join(str(sum(row.verdict == verdict for row in rows)) for verdict in VERDICTS)
        calls = sum(row.calls for row in rows) / len(rows)
        size = sum(row.sent + row.received for row in rows) / len(rows)
        lines.append(f"| {name} | {len(rows)} | {counts} | {calls:.1f} | {size:,.0f} |")
    return "\n".join(lines)


if __name__ == "__main__":
    for file in sys.argv[1:]:
        click.echo(markdown(msgspec.json.decode(Path(file).read_bytes(), type=list[Result])) + "\n")
