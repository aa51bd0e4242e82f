"""Starts Streamlit with the page of orders."""

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

from apps.install import python
from apps.process import server

PROJECT = Path(__file__).with_name("project")


@contextlib.asynccontextmanager
async def serve(home: Path, folder: Path, port: int) -> AsyncIterator[Path]:
    """Run the page of orders, and give its log."""
    log = folder / "server.log"
    command: list[str | Path] = [python(home), "-m", "streamlit", "run", PROJECT / "app.py"]
    command += ["--server.address", "127.0.0.1", "--server.port", str(port), "--server.headless", "true"]
    command += ["--browser.gatherUsageStats", "false", "--server.fileWatcherType", "none"]
    environ = {"ORDER_DATA": str(folder), "HOME": str(folder)}
    async with server(command, f"http://127.0.0.1:{port}/", log, folder=folder, environ=environ):
        yield log
