"""Finds the files that ship with the package but are no Python: the extension's folder and the Procfile."""

from pathlib import Path

from gasoline_broker.errors import CannotStart

_HERE = Path(__file__).resolve().parent
_CHECKOUT = (
    _HERE.parent.parent
)  # in a checkout they lie at its top; in an installed wheel, in `bundle` beside this file


def find(name: str) -> Path:
    """Give the path of a shipped file or folder.

    Raises:
        CannotStart: it is not there; the installation is broken.

    """
    top = _CHECKOUT if (_CHECKOUT / "pyproject.toml").is_file() else _HERE / "bundle"
    if not (top / name).exists():
        raise CannotStart(f"{top / name} is missing: install Gasoline again.")
    return top / name
