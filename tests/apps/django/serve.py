"""Starts Django's own server with our shop, on a database that is made for it."""

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator
from pathlib import Path

from apps.install import python
from apps.process import server

PROJECT = Path(__file__).with_name("project")


@contextlib.asynccontextmanager
async def serve(home: Path, folder: Path, port: int) -> AsyncIterator[Path]:
    """Run the administration, and give its log."""
    environ = {
        "SHOP_DATA": str(folder),
        "DJANGO_SETTINGS_MODULE": "settings",
        "PYTHONPATH": str(PROJECT),
        "PYTHONUNBUFFERED": "1",
    }
    seeding = await asyncio.create_subprocess_exec(
        python(home), PROJECT / "seed.py", cwd=PROJECT, env=os.environ | environ
    )
    assert await seeding.wait() == 0
    log = folder / "server.log"
    command: list[str | Path] = [python(home), "-m", "django", "runserver", "--noreload", f"127.0.0.1:{port}"]
    async with server(command, f"http://127.0.0.1:{port}/admin/login/", log, folder=PROJECT, environ=environ):
        yield log
