"""Writes the results: a line for each task as it ends, a table of the applications, and a file for the benchmarks."""

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
