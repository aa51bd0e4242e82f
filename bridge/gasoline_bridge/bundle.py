"""Finds the files that ship with the package but are no Python: the extension's folder and the Procfile."""

from pathlib import Path

from gasoline_broker.errors import CannotStart

_HERE = Path(__file__).resolve().parent
_CHECKOUT = _HERE.parent.parent  # where they lie in a checkout; an installed wheel has them in `files`, beside this


def find(name: str) -> Path:
    """Give the path of a shipped file or folder.

    Raises:
        CannotStart: it is not there; the installation is broken.

    """
    top = _CHECKOUT if (_CHECKOUT / "pyproject.toml").is_file() else _HERE / "files"
    if not (top / name).exists():
        raise CannotStart(f"{top / name} is missing: install Gasoline again.")
    return top / name
