"""Finds the files that ship with the package but are no Python: the built extension and the Procfile."""

import hashlib
from pathlib import Path

import msgspec

from gasoline_broker.errors import CannotStart

_HERE = Path(__file__).resolve().parent
_CHECKOUT = _HERE.parent.parent  # there the files lie in a checkout; an installed wheel has them in `files`
_BUILT = {"extension": Path("extension", "dist")}


def find(name: str) -> Path:
    """Give the path of a shipped file or folder; the extension is complete.

    Raises:
        CannotStart: a file is missing; the installation is broken, or the extension is not built.

    """
    path = _CHECKOUT / _BUILT.get(name, Path(name)) if _is_checkout() else _HERE / "files" / name
    if not path.exists():
        raise CannotStart(f"{path} is missing: {_remedy(name)}")
    if name == "extension":
        _require_complete(path)
    return path


def require_current_build() -> None:
    """See that no source of the extension is newer than its build, where there are sources.

    Raises:
        CannotStart: one is newer.

    """
    if not _is_checkout():
        return
    built = (find("extension") / "manifest.json").stat().st_mtime_ns
    folder = _CHECKOUT / "extension"
    sources = [folder / "manifest.json", folder / "build.mjs", *(folder / "src").rglob("*.*")]
    newer = next((path for path in sources if path.stat().st_mtime_ns > built), None)
    if newer:
        raise CannotStart(f"The built extension is older than {newer}: {_remedy('extension')}")


def verify_extension() -> None:
    """Check the built extension, as `verify` does."""
    verify(find("extension"))


def verify(extension: Path) -> None:
    """Compare each file of a built extension with the digest that the build has listed for it.

    Raises:
        CannotStart: a file is missing, or differs.

    """
    for name, digest in _listed(extension).items():
        if hashlib.sha256((extension / name).read_bytes()).hexdigest() != digest:
            raise CannotStart(f"{extension / name} is damaged: {_remedy('extension')}")


def _require_complete(extension: Path) -> None:
    missing = next((name for name in _listed(extension) if not (extension / name).is_file()), None)
    if missing:
        raise CannotStart(f"{extension / missing} is missing: {_remedy('extension')}")


def _listed(extension: Path) -> dict[str, str]:
    """Give the SHA-256 of each file of the built extension, by its path in there."""
    path = extension / "files.json"
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, str])
    except FileNotFoundError as fault:
        raise CannotStart(f"{path} is missing: {_remedy('extension')}") from fault
    except msgspec.MsgspecError as fault:
        raise CannotStart(f"{path} is damaged ({fault}): {_remedy('extension')}") from fault


def _is_checkout() -> bool:
    return (_CHECKOUT / "pyproject.toml").is_file()


def _remedy(name: str) -> str:
    if not _is_checkout():
        return "install Gasoline again (pip install --force-reinstall gasoline)."
    return "type `make setup`, or `npm run build` if that was done." if name in _BUILT else "restore it from git."
