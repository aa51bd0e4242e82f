"""Starts the server of a library's page as an application."""

import contextlib
import sys
from collections.abc import AsyncIterator
from pathlib import Path

from apps.process import server
from apps.run import Serve


def pages(project: Path) -> Serve:
    """Make the start of a server for the pages of a folder."""

    @contextlib.asynccontextmanager
    async def serve(home: Path, folder: Path, port: int) -> AsyncIterator[Path]:
        log = folder / "server.log"
        server_file = Path(__file__).with_name("pages_server.py")
        command: list[str | Path] = [sys.executable, "-P", server_file, str(port), project]
        command += [home / "node_modules", folder]
        address = f"http://127.0.0.1:{port}/index.html"
        async with server(command, address, log, folder=folder):
            yield log

    return serve
