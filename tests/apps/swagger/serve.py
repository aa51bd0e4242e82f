"""Starts FastAPI with Swagger UI's own files."""

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

from apps.install import python
from apps.process import server

PROJECT = Path(__file__).with_name("project")


@contextlib.asynccontextmanager
async def serve(home: Path, folder: Path, port: int) -> AsyncIterator[Path]:
    """Run the server of the notes, and give its log."""
    environ = {
        "NOTES_DATA": str(folder),
        "SWAGGER_UI": str(home / "node_modules" / "swagger-ui-dist"),
    }
    log = folder / "server.log"
    command: list[str | Path] = [python(home), "-m", "uvicorn", "server:app", "--port", str(port)]
    async with server(command, f"http://127.0.0.1:{port}/docs", log, folder=PROJECT, environ=environ):
        yield log
