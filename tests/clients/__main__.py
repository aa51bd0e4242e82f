"""Runs real clients against a real system: `python -m clients [NAME…]`; exit code 1 if one lacks something."""

import asyncio
import subprocess
import sys
import venv

import click

import system
from clients.clients import CLIENTS, PLACE, Client
from clients.driven import Said, drive
from gasoline_broker.settings import Settings

SHOWN = 300


@click.command()
@click.argument("names", nargs=-1, type=click.Choice([*CLIENTS]))
def main(names: tuple[str, ...]) -> None:
    """Drive each client, and print what it showed."""
    chosen = {name: CLIENTS[name] for name in names or CLIENTS}
    _install(chosen)
    with system.settings() as made, system.running(made) as settings:
        lacking = [name for name, client in chosen.items() if not asyncio.run(_run(settings, name, client))]
    if lacking:
        click.echo(f"Something lacks: {', '.join(lacking)}.")
    sys.exit(bool(lacking))


def _install(chosen: dict[str, Client]) -> None:
    for name, client in chosen.items():
        home = PLACE / name
        mark = home / "installed"
        if client.requirements and not (mark.exists() and mark.read_text() == "\n".join(client.requirements)):
            click.echo(f"Installing {name} (once) …", err=True)
            venv.create(home, clear=True, with_pip=True)
            pip = [str(home / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check"]
            subprocess.run([*pip, *client.requirements], check=True)
            mark.write_text("\n".join(client.requirements))


async def _run(settings: Settings, name: str, client: Client) -> bool:
    said, reached = await drive(settings, client.command(name, system.GASOLINE))
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
