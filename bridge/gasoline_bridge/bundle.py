"""Finds the files that ship with the package but are no Python: the built extension and the Procfile."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

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


def _require_complete(extension: Path) -> None:
    manifest = extension / "manifest.json"
    if not manifest.is_file():
        raise CannotStart(f"{manifest} is missing: {_remedy('extension')}")
    missing = next((path for path in _named(extension) if not path.is_file()), None)
    if missing:
        raise CannotStart(f"{missing} is missing, which the extension's manifest names: {_remedy('extension')}")


def _named(extension: Path) -> Iterator[Path]:
    try:
        manifest: dict[str, Any] = msgspec.json.decode((extension / "manifest.json").read_bytes())
    except msgspec.DecodeError as fault:
        raise CannotStart(f"{extension / 'manifest.json'} is damaged ({fault}): {_remedy('extension')}") from fault
    for script in manifest.get("content_scripts", []):
        yield from (extension / name for name in script["js"])
    yield extension / manifest["background"]["service_worker"]
    yield extension / manifest["action"]["default_popup"]
    yield extension / manifest["options_ui"]["page"]
    yield from (extension / name for name in manifest["icons"].values())


def _is_checkout() -> bool:
    return (_CHECKOUT / "pyproject.toml").is_file()


def _remedy(name: str) -> str:
    if not _is_checkout():
        return "install Gasoline again (pip install --force-reinstall gasoline)."
    return "type `make setup`, or `npm run build` if that was done." if name in _BUILT else "restore it from git."
