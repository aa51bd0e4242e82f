"""Starts the server of a library's page as an application."""

import contextlib
import os
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
        command: list[str | Path] = [sys.executable, "-m", "apps.pages_server", str(port), project]
        environ = {"PYTHONPATH": os.environ["PYTHONPATH"]}
        command += [home / "node_modules", folder]
        address = f"http://127.0.0.1:{port}/index.html"
        async with server(command, address, log, folder=Path.cwd(), environ=environ):
            yield log

    return serve
