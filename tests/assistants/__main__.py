"""Runs real assistants with a scripted model: `python -m assistants [NAME…]`; exit code 1 if one lacks something."""

import asyncio
import sys

import click

from assistants.first_minute import ASSISTANTS, first_minute


@click.command()
@click.argument("names", nargs=-1, type=click.Choice([*ASSISTANTS]))
def main(names: tuple[str, ...]) -> None:
    """Print the first minute of each."""
    lacking = []
    for name in names or ASSISTANTS:
        minute = asyncio.run(first_minute(name))
        click.echo(f"\n{name}\n" + "\n".join(minute.transcript))
        if minute.lacks:
            lacking.append(f"{name}: {', '.join(minute.lacks)}")
    if lacking:
        click.echo("Something lacks. " + "; ".join(lacking))
    sys.exit(bool(lacking))


main()
