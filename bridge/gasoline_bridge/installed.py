"""The extension as it is installed: a private copy of its folder with the token that lets it in; no network here."""

import base64
import contextlib
import hashlib
import os
import secrets
import shutil
from pathlib import Path

import msgspec

from gasoline_bridge import bundle
from gasoline_broker.errors import CannotStart
from gasoline_broker.settings import Settings, private_dir

TOKEN_BYTES = 32
_LETTERS = str.maketrans("0123456789abcdef", "abcdefghijklmnop")


class InstallFile(msgspec.Struct, frozen=True):
    """`install.json` in the installed copy: where the bridge is, and the token to show it.

    `welcome`: Chrome opens the first-run page when a person loads the folder.
    """

    token: str
    port: int
    welcome: bool = False


def extension_id(extension: Path) -> str:
    """Give the id that Chrome has for a folder: the first 32 hex digits of the SHA-256 of its `key`, as letters a to p.

    Without a key it is that of the folder's path.
    """
    manifest = msgspec.json.decode((extension / "manifest.json").read_bytes())
    named = base64.b64decode(manifest["key"]) if "key" in manifest else os.fsencode(extension.resolve())
    return hashlib.sha256(named).hexdigest()[:32].translate(_LETTERS)


def own_id() -> str:
    """Give the id of the folder that `gasoline extension install` makes."""
    return extension_id(bundle.find("extension"))


def origin() -> str:
    """Give the Origin that the requests of that folder's extension carry."""
    return f"chrome-extension://{own_id()}"


def token(settings: Settings) -> str:
    """Read the token that the extension shows the bridge; make it if there is none.

    Raises:
        CannotStart: it can be neither read nor made.

    """
    return _token(settings, settings.token_file, "then run `gasoline extension install`")


def client_token(settings: Settings) -> str:
    """Read the token that a client of MCP over HTTP shows; make it if there is none.

    Raises:
        CannotStart: it can be neither read nor made.

    """
    return _token(settings, settings.client_token_file, "then run `gasoline mcp --http` again")


def _token(settings: Settings, path: Path, then: str) -> str:
    """Read a token, or make it. A full disk must not leave a part of one."""
    private_dir(settings.data_dir)
    try:
        if not path.exists():
            _make_token(path)
        read = path.read_text().strip()
    except OSError as fault:
        raise CannotStart(f"{path} can be neither read nor made: {fault.strerror}.") from None
    if not read:
        raise CannotStart(f"{path} is empty: delete it, {then}.")
    return read


def _make_token(path: Path) -> None:
    new = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        write_private(new, secrets.token_hex(TOKEN_BYTES).encode())
        with contextlib.suppress(FileExistsError):  # another process was faster: its token holds
            os.link(new, path)
    finally:
        new.unlink(missing_ok=True)


def install(settings: Settings, *, welcome: bool = False) -> Path:
    """Copy the extension with its token to the data folder, for Chrome to load, and give the folder.

    `welcome`: a person is to be guided by its first-run page.

    Files of an older copy that the new one has not are removed; the folder itself stays, for Chrome has its path.
    """
    bundle.require_current_build()
    bundle.verify_extension()
    private_dir(settings.data_dir)
    source, target = bundle.find("extension"), private_dir(settings.extension_dir)
    wanted = {path.relative_to(source) for path in source.rglob("*") if path.is_file()}
    for path in [path for path in target.rglob("*") if path.is_file() and path.relative_to(target) not in wanted]:
        path.unlink()
    for path in sorted(wanted):
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / path, target / path)
    write_private(target / "install.json", msgspec.json.encode(InstallFile(token(settings), settings.port, welcome)))
    return target


def fault(settings: Settings) -> str | None:
    """Name what keeps the installed copy from being this version's, with this token and port; None if nothing does."""
    target = settings.extension_dir
    try:
        return _difference(bundle.find("extension"), target, settings)
    except OSError as wrong:
        return f"{wrong.filename or target} cannot be read ({wrong.strerror})"


def _difference(source: Path, target: Path, settings: Settings) -> str | None:
    if not target.is_dir():
        return f"{target} is missing"
    for path in sorted(path.relative_to(source) for path in source.rglob("*") if path.is_file()):
        if not (target / path).is_file():
            return f"{target / path} is missing"
        if (source / path).read_bytes() != (target / path).read_bytes():
            return f"{target / path} is damaged, or of another version"
    try:
        written = msgspec.json.decode((target / "install.json").read_bytes(), type=InstallFile)
    except msgspec.MsgspecError as wrong:
        return f"{target / 'install.json'} cannot be read ({wrong})"
    same = (written.token, written.port) == (token(settings), settings.port)
    return None if same else f"{target / 'install.json'} has another token or port"


def write_private(path: Path, content: bytes) -> None:
    """Write a file that its user alone may read, in the place of what was there."""
    new = path.with_suffix(".new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
    new.replace(path)
