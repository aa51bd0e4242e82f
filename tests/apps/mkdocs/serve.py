"""Builds the handbook with mkdocs-material and serves its files."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

from apps.install import python
from apps.process import server

PROJECT = Path(__file__).with_name("project")


@contextlib.asynccontextmanager
async def serve(home: Path, folder: Path, port: int) -> AsyncIterator[Path]:
    """Serve the built pages, and give the log of what was asked for."""
    log, site = folder / "server.log", folder / "site"
    with log.open("wb") as output:
        building = await asyncio.create_subprocess_exec(
            python(home), "-m", "mkdocs", "build", "--site-dir", site, cwd=PROJECT, stdout=output, stderr=output
        )
        assert await building.wait() == 0, log
    command: list[str | Path] = [python(home), "-u", "-m", "http.server", str(port), "--bind", "127.0.0.1"]
    async with server(command, f"http://127.0.0.1:{port}/", log, folder=site):
        yield log
