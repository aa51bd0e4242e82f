"""Installs an application at pinned versions into a folder of its own on first use; pip and npm show their progress.

An application has a `requirements.txt`, which `pip freeze` wrote, or a `package.json` with its lock, or both. The
folder is made again when one of these files has changed. Of several processes that ask for one, the first installs it.
"""

import fcntl
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import click

TESTS: Final = Path(__file__).parents[1]
INSTALLED: Final = TESTS / ".apps"
PINNED: Final = ("requirements.txt", "package.json", "package-lock.json")


def install(name: str) -> Path:
    """Give the folder of an application; make it if it is not there."""
    source, home = TESTS / "apps" / name, INSTALLED / name
    pins = {file: (source / file).read_text() for file in PINNED if (source / file).exists()}
    if pins and not _is_installed(home, pins):
        INSTALLED.mkdir(exist_ok=True)
        with Path(INSTALLED, f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not _is_installed(home, pins):
                _install(home, pins)
    return home


def _is_installed(home: Path, pins: dict[str, str]) -> bool:
    mark = home / "installed"
    return mark.exists() and mark.read_text() == "".join(pins.values())


def _install(home: Path, pins: dict[str, str]) -> None:
    click.echo(f"Installing {home.name} into {home.relative_to(TESTS.parent)} (once) …", err=True)
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir(parents=True)
    for file, text in pins.items():
        (home / file).write_text(text)
    _fill(home, pins)
    (home / "installed").write_text("".join(pins.values()))


def _fill(home: Path, pins: dict[str, str]) -> None:
    if "requirements.txt" in pins:
        _run(home, sys.executable, "-m", "venv", "--without-pip", "venv")
        pip = sys.executable, "-m", "pip", "--python", python(home), "--disable-pip-version-check"
        _run(home, *pip, "install", "--no-compile", "-r", "requirements.txt")  # of most modules none is imported
    if "package.json" in pins:
        _run(home, "npm", "ci", "--no-audit", "--no-fund", "--loglevel=error")


def _run(home: Path, *command: str | Path) -> None:
    subprocess.run(command, cwd=home, stdout=sys.stderr, check=True)


def python(home: Path) -> Path:
    """Give the Python of an application's environment."""
    return home / "venv" / "bin" / "python"
