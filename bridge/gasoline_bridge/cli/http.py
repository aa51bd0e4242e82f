"""Serves MCP over HTTP from a terminal, and prints what a client needs."""

import functools

import click
import msgspec

from gasoline_bridge import installed
from gasoline_bridge.cli import processes
from gasoline_bridge.front import starting
from gasoline_broker.errors import CannotStart
from gasoline_broker.settings import Settings

PORT = 7892  # next to the bridge's, and to the one that other machines are shown


def serve(settings: Settings, port: int) -> None:
    """Serve until SIGINT or SIGTERM; first start the system, if it is not running.

    Raises:
        CannotStart: the system does not start, or the port is taken.

    """
    link = starting.connect(settings, ["--compact"])
    if link is None:
        raise CannotStart(f"The system did not start; {settings.log_file} and `gasoline doctor` say why.")
    link.close()
    token = installed.client_token(settings)
    with processes.uncollected():
        from gasoline_bridge.front.http_front import HttpFront, address
        from gasoline_broker.actor.actor import run

    def ready() -> None:
        entry = {"type": "http", "url": address(port), "headers": {"Authorization": f"Bearer {token}"}}
        click.echo(msgspec.json.encode({"mcpServers": {"gasoline": entry}}).decode())
        click.echo("Put this into the client's configuration; it holds a secret. Ctrl+C ends it.", err=True)

    run(functools.partial(HttpFront, port=port, token=token, ready=ready), settings)
