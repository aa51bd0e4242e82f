"""Plays many runs: `python -m sim.run --seeds 2000`. A run that broke a promise is named by its seed, and repeats."""

import concurrent.futures
import os
import sys
import traceback
from collections import Counter

import click

from sim.scenario import Run

CHUNK = 50


def play(first: int, count: int) -> tuple[Counter[str], list[tuple[int, str]]]:
    """Play `count` runs from seed `first` on, and give how asks ended, and which seeds failed and how."""
    outcomes: Counter[str] = Counter()
    broken = []
    for seed in range(first, first + count):
        try:
            outcomes += Run(seed).play().ledger.outcomes
        except Exception:  # noqa: BLE001 - an error of any kind is what is looked for
            broken.append((seed, traceback.format_exc()))
    return outcomes, broken


@click.command()
@click.option("--seeds", default=2_000, help="How many runs.")
@click.option("--first", default=0, help="The first seed; with --seeds 1, the one to repeat.")
@click.option("--jobs", default=os.cpu_count() or 1)
def main(seeds: int, first: int, jobs: int) -> None:
    """Play runs, and print the first failure of each kind."""
    outcomes: Counter[str] = Counter()
    failures: list[tuple[int, str]] = []
    starts = range(first, first + seeds, CHUNK)
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        counts = [min(CHUNK, first + seeds - start) for start in starts]
        with click.progressbar(pool.map(play, starts, counts), length=len(starts), file=sys.stderr) as shown:
            for ended, broken in shown:
                outcomes += ended
                failures += broken
    for seed, trace in failures[:3]:
        click.echo(f"seed {seed}:\n{trace}")
    click.echo(
        f"{seeds} runs, {outcomes.total()} asks: " + ", ".join(f"{n} {word}" for word, n in outcomes.most_common())
    )
    if failures:
        click.echo(f"{len(failures)} runs broke a promise: {' '.join(str(seed) for seed, _ in failures[:40])}")
        sys.exit(1)


if __name__ == "__main__":
    main()
