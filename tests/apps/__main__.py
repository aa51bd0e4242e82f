"""Runs the days: `python -m apps [--app django] [--task log_in] [--calls]`; exit code 1 if a task is silently wrong."""

import asyncio
import sys
import tempfile
from pathlib import Path
from typing import Final

import click

from apps import report
from apps.applications import APPLICATIONS
from apps.install import INSTALLED, install
from apps.ours import Ours
from apps.place import place, playwright_place
from apps.run import Application, run_day
from apps.tasks import Result, Task

PLACES: Final = {"gasoline": place, "playwright": playwright_place}


@click.command()
@click.option("--app", "names", default="", help="Applications, with commas between; else all.")
@click.option("--task", "tasks", default="", help="Tasks, with commas between; else all.")
@click.option("--tool", type=click.Choice(["gasoline", "playwright"]), default="gasoline", help="Whose tools.")
@click.option("--calls", is_flag=True, help="Print every call and its reply.")
def main(names: str, tasks: str, tool: str, *, calls: bool) -> None:
    """Do a user's tasks on real applications, and print the verdicts."""
    chosen = [_named(name) for name in names.split(",")] if names else list(APPLICATIONS.values())
    wanted = {application.name: _tasks(application, tasks) for application in chosen}
    if not any(wanted.values()):
        raise click.UsageError(f"No such task: {tasks}.")
    for application in chosen:
        install(application.name)
    results = asyncio.run(_run(chosen, wanted, tool, calls=calls))
    report.table(results)
    report.write(results, INSTALLED / f"results-{tool}.json")
    sys.exit(any(result.verdict == "wrong" for result in results))


def _named(name: str) -> Application:
    if name not in APPLICATIONS:
        raise click.UsageError(f"No application {name}: there are {', '.join(APPLICATIONS)}.")
    return APPLICATIONS[name]


def _tasks(application: Application, names: str) -> list[Task]:
    chosen = names.split(",") if names else list(application.day.tasks)
    return [task for name, task in application.day.tasks.items() if name in chosen]


async def _run(chosen: list[Application], wanted: dict[str, list[Task]], tool: str, *, calls: bool) -> list[Result]:
    def show(result: Result, tools: Ours) -> None:
        if calls:
            click.echo("\n".join(tools.log))
        report.line(result)

    results: list[Result] = []
    with tempfile.TemporaryDirectory(prefix="gs-saved-") as downloads:
        async with PLACES[tool](Path(downloads)) as at:
            for application in chosen:
                results += await run_day(application, at, wanted[application.name], show)
    return results


if __name__ == "__main__":
    main()
