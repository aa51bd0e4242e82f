"""Installs the built wheel as a person does, by `uv tool` and by pipx, in an empty home, and starts that."""

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from clients.clients import PLACE, ROOT
from gasoline_broker.settings import Settings

INSTALLERS: Final = {"uv": ("uv==0.13.9", ("uv", "tool", "install")), "pipx": ("pipx==1.18.4", ("pipx", "install"))}
"""By its name: what it is installed from, and its command."""


@contextlib.contextmanager
def installed(name: str) -> Iterator[str]:
    """Give the path of a `gasoline` that was installed so; the sources are out of its reach."""
    _, command = INSTALLERS[name]
    with tempfile.TemporaryDirectory(prefix="gc-") as home:
        _run(home, sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", home, cwd=ROOT)
        (wheel,) = Path(home).glob("*.whl")
        _run(home, str(PLACE / name / "bin" / command[0]), *command[1:], str(wheel), cwd=home)
        yield f"{home}/.local/bin/gasoline"


@contextlib.contextmanager
def running(gasoline: str, settings: Settings) -> Iterator[None]:
    """Run the system that was installed."""
    home = str(Path(gasoline).parents[2])
    _run(home, gasoline, "up", "--detach", "--compact", cwd=home, **settings.environ())
    try:
        yield
    finally:
        _run(home, gasoline, "down", cwd=home, **settings.environ())


def _run(home: str, *command: str, cwd: str | Path, **environ: str) -> None:
    kept = {name: text for name, text in os.environ.items() if name not in {"PYTHONPATH", "VIRTUAL_ENV"}}
    subprocess.run(command, cwd=cwd, env=kept | {"HOME": home} | environ, check=True)
