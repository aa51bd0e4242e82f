"""A front over HTTP with the suite's pack, for a running system; its argument is the port."""

import functools
import sys

from starlette.types import ASGIApp, Receive, Scope, Send

from conformance import pack
from gasoline_bridge import installed
from gasoline_bridge.front.calls import Calls
from gasoline_bridge.front.http_front import HttpFront, address
from gasoline_bridge.front.mcp_server import Session
from gasoline_broker.actor.actor import run
from gasoline_broker.settings import Settings


class PackFront(HttpFront):
    """The front over HTTP, with the pack, and with the token that the suite cannot send."""

    def session(self, calls: Calls) -> Session:
        return pack.PackSession(calls)

    def application(self) -> ASGIApp:
        own = super().application()
        token = f"Bearer {installed.client_token(self.settings)}".encode()

        async def with_token(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] == "http":
                scope = {**scope, "headers": [*scope["headers"], (b"authorization", token)]}
            await own(scope, receive, send)

        return with_token


def main() -> None:
    """Serve until SIGTERM; print the address as soon as it answers."""
    settings, port = Settings.from_environ(), int(sys.argv[1])
    pack.load()
    ready = functools.partial(print, address(port), flush=True)
    run(functools.partial(PackFront, port=port, token=installed.client_token(settings), ready=ready), settings)


if __name__ == "__main__":
    main()
