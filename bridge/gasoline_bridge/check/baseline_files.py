"""Writes baselines as JSON and PNG files that can live in a repository, and reads such files; it asks nothing.

Rules of this file:
- Keys are sorted, one value is one line, and a row of a picture's elements too: what changes is what a diff shows.
- A file is replaced as a whole, the pictures before what names them; a picture that is the same is not written.
- What is read is checked before any of it is used: names stay in the folder, sizes have a bound, hashes match.
"""

import hashlib
import json
import re
import secrets
from pathlib import Path
from typing import Any

import msgspec

from gasoline_broker.errors import SettingsRefused
from gasoline_workers.regression.messages import EXPORT_FORMAT
from gasoline_workers.screenshots.messages import Picture

JSON_BYTES_MAX = 10 << 20
PNG_BYTES_MAX = 10 << 20  # the store takes no more (workers, screenshots/png.py)
FILE = re.compile(r"[a-z0-9][a-z0-9.-]*\.png")
SLUG_CHARACTERS = 60
END = ".json"
OF_THE_MOMENT = {"tab", "loading", "loading_url"}
SCALE_MAX = 16.0
RESTORE = "Restore it from version control."
INDENT = "  "


class PictureFile(msgspec.Struct, frozen=True):
    """A picture of a baseline: its bytes, and what is known of it."""

    png: bytes
    about: Picture


class BaselineFile(msgspec.Struct, frozen=True):
    """A baseline in a folder: what the regression worker exports, and its pictures; `reason`: why there are none."""

    content: dict[str, Any]
    pictures: tuple[PictureFile, ...]
    reason: str = ""

    @property
    def name(self) -> str:
        """The name of the baseline."""
        return str(self.content["name"])


class PictureEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A picture as the JSON names it."""

    file: str
    sha256: str
    about: Picture


def stem(name: str) -> str:
    """Return how the names of a baseline's files begin: readable, and another for each baseline."""
    readable = re.sub("[^a-z0-9]+", "-", name.lower()).strip("-")[:SLUG_CHARACTERS].strip("-") or "baseline"
    return f"{readable}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"


def files(one: BaselineFile) -> dict[str, bytes]:
    """Return the files of a baseline by their names, the JSON last. Pictures that are the same are one file."""
    begins, found = stem(one.name), dict[str, bytes]()
    entries = []
    for number, picture in enumerate(one.pictures, 1):
        file = next((known for known, png in found.items() if png == picture.png), f"{begins}-{number}.png")
        found[file] = picture.png
        entries.append(
            {"file": file, "sha256": hashlib.sha256(picture.png).hexdigest(), "about": _plain(picture.about)}
        )
    whole = one.content | {"pictures": entries, "pictures_reason": one.reason}
    found[begins + END] = (_json(whole, "") + "\n").encode()
    return found


def _plain(about: Picture) -> dict[str, Any]:
    """Return what is known of a picture, without what is of the moment."""
    plain: dict[str, Any] = msgspec.to_builtins(about)
    return {name: value for name, value in plain.items() if name not in OF_THE_MOMENT}


def write(folder: Path, one: BaselineFile) -> bool:
    """Write the files of a baseline, and remove a second picture that it no longer has. Return whether one changed.

    Raises:
        OSError: a file cannot be written.

    """
    folder.mkdir(parents=True, exist_ok=True)
    wanted = files(one)
    changed = [name for name, data in wanted.items() if not _is(folder / name, data)]
    for name in changed:
        _replace(folder / name, wanted[name])
    gone = [path for path in folder.glob(f"{stem(one.name)}-[12].png") if path.name not in wanted]
    for path in gone:
        path.unlink()
    return bool(changed or gone)


def read_all(folder: Path) -> list[BaselineFile]:
    """Read every baseline of a folder, by the names of the files.

    Raises:
        SettingsRefused: the folder is none, or a file is damaged, missing, or of a newer version: which.

    """
    if not folder.is_dir():
        raise SettingsRefused(f"{folder} is no folder.")
    found = [_read(folder, path) for path in sorted(folder.glob(f"*{END}"))]
    for one in found:
        same = [path for path in found if path.name == one.name]
        if len(same) > 1:
            raise SettingsRefused(f"{folder} has two baselines of the name {one.name!r}: remove one.")
    return found


def _read(folder: Path, path: Path) -> BaselineFile:
    try:
        content = json.loads(_bounded(path, JSON_BYTES_MAX), parse_constant=_no_number)
    except (ValueError, RecursionError) as fault:
        raise SettingsRefused(f"{path} is damaged: {fault}. {RESTORE}") from None
    if not isinstance(content, dict) or not isinstance(content.get("name"), str):
        raise SettingsRefused(f"{path} is no baseline: `gasoline baseline export` writes them.")
    number = content.get("format")
    if not isinstance(number, int) or number > EXPORT_FORMAT:
        text = f"was written by a newer version (format {number}; this one reads {EXPORT_FORMAT}): install that version"
        raise SettingsRefused(f"{path} {text}.")
    try:
        entries = msgspec.convert(content.pop("pictures", []), list[PictureEntry])
        reason = msgspec.convert(content.pop("pictures_reason", ""), str)
    except msgspec.ValidationError as fault:
        raise SettingsRefused(f"{path} is damaged: {fault}. {RESTORE}") from None
    if len(entries) > len(("one", "again")):
        raise SettingsRefused(f"{path} is damaged: a baseline has two pictures at most.")
    return BaselineFile(content, tuple(_picture(path, folder, entry) for entry in entries), reason)


def _picture(path: Path, folder: Path, entry: PictureEntry) -> PictureFile:
    if not FILE.fullmatch(entry.file):
        raise SettingsRefused(f"{path} is damaged: {entry.file!r} is no name of a picture.")
    try:
        png = _bounded(folder / entry.file, PNG_BYTES_MAX)
    except FileNotFoundError:
        raise SettingsRefused(f"{path} needs the picture {entry.file}, which is missing: restore it.") from None
    if hashlib.sha256(png).hexdigest() != entry.sha256:
        raise SettingsRefused(f"{folder / entry.file} is damaged: it is not the picture that {path.name} names.")
    if not 0 < entry.about.scale <= SCALE_MAX:
        raise SettingsRefused(f"{path} is damaged: {entry.about.scale} is no scale of a picture. {RESTORE}")
    return PictureFile(png, entry.about)


def _no_number(text: str) -> None:
    """Refuse what Python reads, and no standard allows in JSON."""
    raise ValueError(f"{text} is no JSON")


def _bounded(path: Path, most: int) -> bytes:
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise SettingsRefused(f"{path} has more than {most} bytes.")
    return data


def _is(path: Path, data: bytes) -> bool:
    try:
        return path.stat().st_size == len(data) and path.read_bytes() == data
    except FileNotFoundError:
        return False


def _replace(path: Path, data: bytes) -> None:
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        temporary.write_bytes(data)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _json(value: object, margin: str, *, within: bool = False) -> str:
    """Write a value: each item on a line of its own, but for a list within a list, which is one line."""
    inner = margin + INDENT
    if isinstance(value, dict) and value:
        items = [f"{inner}{json.dumps(key)}: {_json(value[key], inner)}" for key in sorted(value)]
        return "{\n" + ",\n".join(items) + f"\n{margin}}}"
    if isinstance(value, list | tuple) and value and not within:
        return "[\n" + ",\n".join(f"{inner}{_json(one, inner, within=True)}" for one in value) + f"\n{margin}]"
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
