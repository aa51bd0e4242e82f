"""The screenshot store's process; file keeps, pictures decodes."""

import asyncio
import contextlib
import hashlib
import time

import msgspec
import structlog
from PIL.Image import Image

from gasoline_broker.actor.actor import Actor
from gasoline_broker.actor.client import Answer, Step
from gasoline_broker.actor.wire import pack
from gasoline_broker.errors import Damaged, Failed, fail
from gasoline_workers.screenshots import comparison, pictures
from gasoline_workers.screenshots.file import Screenshots as Folder
from gasoline_workers.screenshots.messages import (
    ComparePage,
    CompareScreenshot,
    DeleteScreenshots,
    Form,
    ListScreenshots,
    PageCompared,
    Picture,
    Pinned,
    PinScreenshot,
    PruneScreenshots,
    ReadScreenshot,
    Released,
    ReleaseScreenshots,
    Request,
    Screenshot,
    ScreenshotCompared,
    ScreenshotRead,
    ScreenshotsDeleted,
    ScreenshotStored,
    StoreScreenshot,
    VerifyScreenshots,
    id_of,
)
from gasoline_workers.screenshots.png import check, check_whole

ANSWERED_S = 0.1  # then a picture's answer has left: Pillow decodes while it holds the interpreter

logger = structlog.get_logger()


class Screenshots(Actor[Request]):
    """Keeps pictures of pages."""

    service = "screenshots"
    accepts = Request
    computes = True

    async def started(self) -> None:
        """Make the store; it is opened with the first ask, and again after a fault."""
        quota_bytes, age_s = self.settings.screenshots_mb << 20, self.settings.screenshots_days * 86_400.0
        self.folder = Folder(self.settings.pictures_dir / "screenshots", quota_bytes, age_s)
        self._hashing: set[asyncio.Task[None]] = set()

    async def stopping(self) -> None:
        """Hash what is still to be hashed, and close the index."""
        await self.beside(self._hashed())
        self.folder.close()

    async def receive(self, message: Request, step: Step) -> msgspec.Struct | Answer:
        """Keep, read or remove pictures."""
        self.folder.ready()
        try:
            return self._answer(message, step)
        except Damaged as fault:
            logger.warning("index_damaged", fault=str(fault))
            self.folder.renew()
            fail("store_failed", "The index of the screenshots was damaged: an empty one is begun.", "Call again.")

    def _answer(self, message: Request, step: Step) -> msgspec.Struct | Answer:
        match message:
            case StoreScreenshot() | CompareScreenshot() | ComparePage():
                return self._take_in(step, message)
            case ReadScreenshot():
                return self._picture(message)
            case ListScreenshots(limit, before, url_filter):
                return self.folder.list(limit, before, url_filter)
            case VerifyScreenshots(after, limit):
                return self.folder.verify(after, limit)
            case _:
                return self._keep(message)

    def _take_in(
        self, step: Step, message: StoreScreenshot | CompareScreenshot | ComparePage
    ) -> msgspec.Struct | Answer:
        match message:
            case StoreScreenshot():
                return self._store(step, message)
            case CompareScreenshot():
                return self._compare(step, message)
            case ComparePage():
                return self._compare_page(step, message)

    def _keep(
        self, message: DeleteScreenshots | PruneScreenshots | PinScreenshot | ReleaseScreenshots
    ) -> msgspec.Struct:
        match message:
            case DeleteScreenshots(ids):
                return ScreenshotsDeleted(*self.folder.delete(ids))
            case PruneScreenshots():
                return self._prune(message)
            case PinScreenshot(picture_id, holder, keep):
                return Pinned(self.folder.pin(picture_id, holder, keep=keep))
            case ReleaseScreenshots(holder, needed):
                return Released(self.folder.release(holder, needed, time.time()))

    def _store(self, step: Step, message: StoreScreenshot) -> Answer:
        data = _blob(step)
        about = msgspec.msgpack.decode(step.body, type=Picture)
        check_whole(data)
        picture_id = id_of(message.name.encode() or step.envelope.id)
        stored = self.folder.put(picture_id, data, about, "", time.time())
        is_new = not message.name or stored.sha256 == hashlib.sha256(data).hexdigest()
        kept = data if is_new else self.folder.read(stored)
        coded = _coded(kept, message.form, None)
        if not stored.pixels:
            self._hash_later(picture_id, kept)
        return _with(ScreenshotStored(stored, coded.mime_type), coded)

    def _hash_later(self, picture_id: str, data: bytes) -> None:
        """Hash the pixels of a picture that is kept once its answer is on the way: they are most of the work."""
        task = asyncio.get_running_loop().create_task(self._hash(picture_id, data))
        self._hashing.add(task)
        task.add_done_callback(self._hashing.discard)

    async def _hash(self, picture_id: str, data: bytes) -> None:
        """Hash a picture, or remove it if it has fewer pixels than it states, as no encoder writes one."""
        await asyncio.sleep(ANSWERED_S)
        try:
            pixels = pictures.pixel_hash(pictures.decode(data))
        except Failed as fault:
            pixels, reason = "", fault.failure.text
        try:
            if pixels:
                self.folder.note_pixels(picture_id, pixels)
            else:
                logger.warning("picture_removed", id=picture_id, fault=reason)
                self.folder.delete([picture_id])
        except (Failed, Damaged) as fault:
            logger.warning("pixels_not_hashed", id=picture_id, fault=str(fault))

    async def _hashed(self) -> None:
        await asyncio.gather(*self._hashing)

    def _compare(self, step: Step, message: CompareScreenshot) -> Answer:
        about = msgspec.msgpack.decode(step.body, type=Picture)
        row = self.folder.row(message.before)
        before = comparison.Shot(pictures.decode(self.folder.read(row)).convert("RGB"), row.scale)
        after = comparison.Shot(pictures.decode(_blob(step)).convert("RGB"), about.scale)
        found = {part.number: comparison.differing(part, before, after) for part in message.parts}
        differing = {number: share for number, share in found.items() if share is not None}
        shown = [part for part in message.parts if part.changed or differing.get(part.number)]
        if not shown:
            return Answer(pack(ScreenshotCompared(differing)))
        sheet = comparison.sheet(shown, before, after)
        data = pictures.as_png(sheet)
        stored = self._keep_sheet(step, about, sheet, data)
        coded = pictures.for_model(data, sheet)
        return _with(ScreenshotCompared(differing, stored, coded.mime_type), coded)

    def _compare_page(self, step: Step, message: ComparePage) -> PageCompared:
        from gasoline_workers.screenshots import page_comparison  # noqa: PLC0415 - NumPy: docs/decisions/0020
        from gasoline_workers.visual.elements import Box  # noqa: PLC0415 - with it

        about = msgspec.msgpack.decode(step.body, type=Picture)
        data = _blob(step)
        check(data)

        def kept(picture_id: str) -> page_comparison.Taken:
            row = self.folder.row(picture_id)
            return page_comparison.Taken(self.folder.read(row), row.scale, self.folder.elements(picture_id))

        now = page_comparison.Taken(data, about.scale, about.elements)
        again = kept(message.again) if message.again else None
        answer, shown = page_comparison.compare(
            kept(message.before), again, now, [Box(*box) for box in message.boxes], message.selectors
        )
        is_cut = about.truncated or self.folder.row(message.before).truncated
        answer = msgspec.structs.replace(answer, truncated=is_cut)
        if shown is None:
            return answer
        try:
            sheet = self._keep_sheet(step, about, shown, pictures.as_png(shown))
        except Failed as fault:  # a full store: what was found is an answer without the picture of it, too
            return msgspec.structs.replace(answer, unkept=f"{fault.failure.text} {fault.failure.recovery}")
        return msgspec.structs.replace(answer, screenshot=sheet)

    def _keep_sheet(self, step: Step, about: Picture, sheet: Image, data: bytes) -> Screenshot:
        """Keep a picture that shows pictures beside each other."""
        about = msgspec.structs.replace(about, kind="comparison", scale=1.0, elements={})
        return self.folder.put(id_of(step.envelope.id), data, about, pictures.pixel_hash(sheet), time.time())

    def _picture(self, message: ReadScreenshot) -> Answer:
        found = self._hashed_row(message.id)
        elements = self.folder.elements(message.id) if message.elements else {}
        if message.form == "none":
            return Answer(pack(ScreenshotRead(found, elements=elements)))
        coded = _coded(self.folder.read(found), message.form, None)
        return _with(ScreenshotRead(found, coded.mime_type, elements), coded)

    def _hashed_row(self, picture_id: str) -> Screenshot:
        """Give what is known of a picture; of one whose process ended before it was hashed that is done now."""
        row = self.folder.row(picture_id)
        if row.pixels:
            return row
        try:
            pixels = pictures.pixel_hash(pictures.decode(self.folder.read(row)))
        except Failed:
            return row  # what is known of a picture whose file is gone stays known
        with contextlib.suppress(Failed):  # a full disk: it is hashed again for the next one who asks
            self.folder.note_pixels(picture_id, pixels)
        return msgspec.structs.replace(row, pixels=pixels)

    def _prune(self, message: PruneScreenshots) -> ScreenshotsDeleted:
        count, freed = self.folder.prune(time.time(), message.size_mb << 20, message.days * 86_400.0)
        _orphans, orphan_bytes = self.folder.sweep_orphans()
        return ScreenshotsDeleted(count, freed + orphan_bytes)


def _blob(step: Step) -> bytes:
    if len(step.blobs) != 1:
        fail("screenshot_failed", "No picture came with this. Nothing was stored.")
    return bytes(step.blobs[0])


def _coded(data: bytes, form: Form, image: Image | None) -> pictures.Coded:
    match form:
        case "none":
            return pictures.Coded(b"", "")
        case "original":
            return pictures.Coded(data, pictures.PNG)
        case "model":
            return pictures.for_model(data, image)
        case "thumbnail":
            return pictures.thumbnail(image or pictures.decode(data))


def _with(answer: ScreenshotStored | ScreenshotRead | ScreenshotCompared, coded: pictures.Coded) -> Answer:
    return Answer(pack(answer), (coded.data,) if coded.data else ())
