"""Starts Node-RED on a folder of its own with one flow."""

import contextlib
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

from apps.process import server

PROJECT = Path(__file__).with_name("project")


@contextlib.asynccontextmanager
async def serve(home: Path, folder: Path, port: int) -> AsyncIterator[Path]:
    """Run the editor, and give its log."""
    shutil.copytree(PROJECT, folder, dirs_exist_ok=True)
    log = folder / "server.log"
    red = home / "node_modules" / "node-red" / "red.js"
    command: list[str | Path] = ["node", red, "--userDir", folder, "--port", str(port)]
    command += ["--settings", folder / "settings.js"]
    async with server(command, f"http://127.0.0.1:{port}/", log, folder=folder):
        yield log
