"""Exports the baselines of a system to a folder, and imports such a folder: all of it, or nothing.

Rules of this file:
- What leaves and what comes in passes redaction, also if it did before: by older rules, or written by others.
- The pictures are stored first, and kept only when the baselines are: what ends an import leaves none that is in use.
"""

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from gasoline_bridge.check.baseline_files import BaselineFile, PictureFile, files, read_all, write
from gasoline_broker.actor.client import Link
from gasoline_broker.actor.wire import Delivery, Stop, pack, stop
from gasoline_broker.errors import Failed, SettingsRefused, fail
from gasoline_workers.redaction.messages import PassPicture, RedactAnswer
from gasoline_workers.regression.messages import (
    ApproveBaseline,
    BaselineApproved,
    BaselineExported,
    BaselinesImported,
    BaselinesListed,
    ExportBaseline,
    ImportBaselines,
    ListBaselines,
    Pictures,
)
from gasoline_workers.screenshots.messages import (
    OF_BASELINES,
    Picture,
    PinScreenshot,
    ReadScreenshot,
    ScreenshotRead,
    ScreenshotStored,
    StoreScreenshot,
)

ASK_S = 20.0
MESSAGE_BYTES_MAX = 15 << 20  # below the 16 MB of a message between processes
REDACT = stop("redaction", RedactAnswer(numbered=False))


class Exchanged(NamedTuple):
    """The names of the baselines that were written, and of those that were so already."""

    changed: list[str]
    same: list[str]


async def export(link: Link, folder: Path, names: Sequence[str] = ()) -> Exchanged:
    """Write baselines to a folder, without names all of them; the files of other baselines stay.

    Raises:
        Failed: there is no baseline of a name, or it cannot be read.
        OSError: a file cannot be written.

    """
    if not names:
        names = [one.name for one in (await _listed(link)).baselines]
    found = [await _exported(link, name) for name in sorted(names)]
    return _sorted((one.name, write(folder, one)) for one in found)


async def take_in(link: Link, folder: Path, names: Sequence[str] = ()) -> Exchanged:
    """Keep the baselines of a folder, in the place of those of the same names; without names all of them.

    Raises:
        SettingsRefused: a file is damaged, missing, or of a newer version; nothing was imported.
        Failed: the system refused one; nothing was imported.

    """
    found = {one.name: one for one in read_all(folder)}
    if unknown := [name for name in names if name not in found]:
        raise SettingsRefused(f"{folder} has no baseline {unknown[0]!r}.")
    chosen = [found[name] for name in names or sorted(found)]
    there = {one.name for one in (await _listed(link)).baselines if not one.damaged}
    new = [one for one in chosen if one.name not in there or files(one) != files(await _exported(link, one.name))]
    if new:
        await _import(link, new)
    changed = {one.name for one in new}
    return _sorted((one.name, one.name in changed) for one in chosen)


async def _import(link: Link, new: Sequence[BaselineFile]) -> None:
    body = pack([one.content for one in new])
    if len(body) > MESSAGE_BYTES_MAX:
        raise SettingsRefused(f"{len(new)} baselines at a time are too much: import them by their names.")
    pictures = [Pictures(await _stored(link, one), one.reason) for one in new]
    ask = stop("regression", ImportBaselines(pictures), Delivery.STORE)
    done: BaselinesImported = (await link.ask(REDACT, ask, ttl_s=ASK_S, body=body)).read(BaselinesImported)
    for one in (picture for each in pictures for picture in each.ids):
        await _pin(link, one, keep=True)
    for one in done.dropped:
        await _pin(link, one, keep=False)


async def approve(link: Link, name: str) -> BaselineApproved:
    """Make what the last compare judged as changed the baseline, and let go of the pictures that it had.

    Raises:
        Failed: `not_found`: there is no such baseline, or no compare to approve; `store_failed`.

    """
    answer = await link.ask(stop("regression", ApproveBaseline(name)), ttl_s=ASK_S)
    done: BaselineApproved = answer.read(BaselineApproved)
    await release(link, done.dropped)
    return done


async def release(link: Link, pictures: Iterable[str]) -> None:
    """State that no baseline needs these pictures; one that was deleted by hand needs no statement."""
    for one in pictures:
        await _pin(link, one, keep=False)


async def _pin(link: Link, picture: str, *, keep: bool) -> None:
    try:
        await link.ask(stop("screenshots", PinScreenshot(picture, OF_BASELINES, keep), Delivery.STORE), ttl_s=ASK_S)
    except Failed as fault:
        if keep or fault.failure.code != "not_found":
            raise


async def _listed(link: Link) -> BaselinesListed:
    found: BaselinesListed = (await link.ask(stop("regression", ListBaselines()), ttl_s=ASK_S)).read(BaselinesListed)
    return found


async def _exported(link: Link, name: str) -> BaselineFile:
    answer = await link.ask(stop("regression", ExportBaseline(name)), REDACT, ttl_s=ASK_S)
    found: BaselineExported = answer.read(BaselineExported)
    pictures = [await _picture(link, name, one) for one in found.pictures.ids]
    return BaselineFile(found.content, tuple(pictures), found.pictures.reason)


async def _picture(link: Link, name: str, picture: str) -> PictureFile:
    try:
        png = await link.ask(stop("screenshots", ReadScreenshot(picture)), ttl_s=ASK_S)
        about = await link.ask(stop("screenshots", ReadScreenshot(picture, "none", elements=True)), REDACT, ttl_s=ASK_S)
    except Failed as fault:
        if fault.failure.code not in ("not_found", "store_failed"):
            raise
        text = f"A picture of the baseline {name!r} cannot be read: {fault.failure.text}"
        fail(fault.failure.code, text, "Make the baseline again.", name=name)
    read: ScreenshotRead = about.read(ScreenshotRead)
    return PictureFile(bytes(png.blobs[0]), _about(read))


def _about(read: ScreenshotRead) -> Picture:
    one = read.screenshot
    return Picture(
        one.url,
        one.title,
        one.kind,
        one.masked,
        one.scale,
        reduced=one.reduced,
        truncated=one.truncated,
        elements=read.elements,
    )


async def _stored(link: Link, one: BaselineFile) -> tuple[str, ...]:
    return tuple([await _store(link, one.name, number, picture) for number, picture in enumerate(one.pictures)])


async def _store(link: Link, name: str, number: int, picture: PictureFile) -> str:
    """Store a picture by what it is, so that importing it again gives the same id."""
    body = pack(picture.about)
    key = hashlib.sha256(b"\0".join((name.encode(), str(number).encode(), picture.png, body))).hexdigest()
    stops: tuple[Stop, ...] = (
        stop("redaction", PassPicture(numbered=False)),
        stop("screenshots", StoreScreenshot("none", f"baseline {key}"), Delivery.STORE),
    )
    try:
        answer = await link.ask(*stops, ttl_s=ASK_S, body=body, blobs=(picture.png,))
    except Failed as fault:
        text = f"A picture of the baseline {name!r} cannot be stored: {fault.failure.text} Nothing was imported."
        raise Failed(msgspec.structs.replace(fault.failure, text=text)) from None
    stored: ScreenshotStored = answer.read(ScreenshotStored)
    return stored.screenshot.id


def _sorted(found: Iterable[tuple[str, bool]]) -> Exchanged:
    all_of_them = list(found)
    return Exchanged([name for name, new in all_of_them if new], [name for name, new in all_of_them if not new])
