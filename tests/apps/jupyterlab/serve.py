"""Starts JupyterLab on a folder of its own with a notebook and a text file."""

import contextlib
import os
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

from apps.install import python
from apps.process import server

PROJECT = Path(__file__).with_name("project")


@contextlib.asynccontextmanager
async def serve(home: Path, folder: Path, port: int) -> AsyncIterator[Path]:
    """Run the laboratory, and give its log."""
    shutil.copytree(PROJECT, folder / "work")
    log = folder / "server.log"
    command: list[str | Path] = [python(home), "-m", "jupyterlab", "--no-browser", "--allow-root"]
    command += ["--ip=127.0.0.1", f"--port={port}", "--IdentityProvider.token=", "--LabApp.news_url="]
    command += [
        f"--ServerApp.root_dir={folder / 'work'}",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    ]
    environ = {
        "JUPYTER_CONFIG_DIR": str(folder / "config"),
        "JUPYTER_DATA_DIR": str(folder / "data"),
        "JUPYTER_RUNTIME_DIR": str(folder / "run"),
        "JUPYTERLAB_SETTINGS_DIR": str(folder / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(folder / "workspaces"),
        "PATH": f"{python(home).parent}:{os.environ['PATH']}",
    }
    async with server(command, f"http://127.0.0.1:{port}/api", log, folder=folder, environ=environ):
        yield log
