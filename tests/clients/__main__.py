"""Runs real clients against a real system: `python -m clients [NAME…]`; exit code 1 if one lacks something."""

import asyncio
import subprocess
import sys
import venv

import click

import system
from clients import installed
from clients.clients import CLIENTS, PLACE, Client
from clients.driven import Said, drive
from clients.installed import INSTALLERS
from gasoline_broker.settings import Settings

SHOWN = 300


@click.command()
@click.argument("names", nargs=-1, type=click.Choice([*CLIENTS, *INSTALLERS]))
def main(names: tuple[str, ...]) -> None:
    """Drive each client, and print what it showed."""
    clients = {name: CLIENTS[name] for name in names or CLIENTS if name in CLIENTS}
    installers = [name for name in names or INSTALLERS if name in INSTALLERS]
    for name, client in clients.items():
        _install(name, client.requirements)
    for name in installers:
        _install(name, INSTALLERS[name][:1])
    lacking = []
    if clients:
        with system.settings() as made, system.running(made) as settings:
            lacking = [
                name for name, client in clients.items() if not _is_well(settings, name, client, system.GASOLINE)
            ]
    for name in installers:
        with installed.installed(name) as gasoline, system.settings() as made, installed.running(gasoline, made):
            lacking += [] if _is_well(made, name, CLIENTS["python-sdk-2"], gasoline) else [name]
    if lacking:
        click.echo(f"Something lacks: {', '.join(lacking)}.")
    sys.exit(bool(lacking))


def _install(name: str, requirements: tuple[str, ...]) -> None:
    home = PLACE / name
    mark = home / "installed"
    if requirements and not (mark.exists() and mark.read_text() == "\n".join(requirements)):
        click.echo(f"Installing {name} (once) …", err=True)
        venv.create(home, clear=True, with_pip=True)
        pip = [str(home / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, *requirements], check=True)
        mark.write_text("\n".join(requirements))


def _is_well(settings: Settings, name: str, client: Client, gasoline: str) -> bool:
    said, reached = asyncio.run(drive(settings, client.command(name, gasoline)))
    click.echo(f"\n{name}")
    for step, rows in said.items():
        for row in rows:
            facts = {key: value[:SHOWN] if isinstance(value, str) else value for key, value in row.items()}
            click.echo(f"  {step}: {facts}")
    click.echo(f"  reached the page: {reached}")
    return _is_whole(said)


def _is_whole(said: Said) -> bool:
    """Whether the tools were listed, the calls answered, and the error shown with what to do."""
    calls = [one["text"] for one in said["called"]]
    listed = [one["tools"] for one in said["listed"]]
    wrong = [one["text"] for one in said["error"]]
    return listed == [13] and len(calls) == 3 and "#p" in calls[1] and "Call observe(what:" in "".join(wrong)


main()
