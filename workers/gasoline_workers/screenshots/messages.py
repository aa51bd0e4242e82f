"""The messages of the screenshot store; the only file of this package that others may import.

What a page wrote (address, title, elements) has gone through redaction before it comes here.
"""

import hashlib
from typing import Any, Literal

import msgspec

Form = Literal["none", "original", "model", "thumbnail"]
"""How a picture comes with an answer: not, as it was stored, small enough for a model, or as a thumbnail."""

OF_BASELINES = "baseline"
"""The holder of the pictures of baselines."""

Kind = Literal["viewport", "full_page", "element", "annotated", "unannotated", "comparison"]
"""`annotated`: of a page with what was drawn on it; `unannotated`: without that; `comparison`: parts then and now."""


def id_of(name: bytes) -> str:
    """Give the id of a picture that has a name: of the ask that it came with, or of the session that it is of.

    It has a letter: one of digits alone may be a card's number, and be hidden as that.
    """
    digest = hashlib.blake2b(name, digest_size=8).hexdigest()
    return f"f{digest[1:]}" if digest.isdigit() else digest


class StoreScreenshot(msgspec.Struct, frozen=True, tag=True):
    """Ask: keep the picture that is the stop's blob, and what its body states of it (a Picture).

    The same ask again, or the same `name`, keeps it once: the first. Answered by ScreenshotStored, after the commit,
    with the picture as `form`.
    """

    form: Form = "model"
    name: str = ""


class Picture(msgspec.Struct, frozen=True):
    """What is known of a picture. `scale`: its pixels for each of the page's; `elements`: what is visible in it.

    `masked`: the fields that were hidden in the page; `reduced`: it was made smaller; `truncated`: the page goes on.
    """

    url: str
    title: str
    kind: Kind
    masked: int
    scale: float = 1.0
    tab: int = 0
    reduced: bool = False
    truncated: bool = False
    elements: dict[str, Any] = {}
    loading: bool = False
    loading_url: str = ""


class Screenshot(msgspec.Struct, frozen=True, kw_only=True):
    """A picture that is kept. `at`: seconds since the epoch.

    `pixels`: the hash of what it shows, however it is coded; "" for a moment after it was stored. `pinned`: something
    needs it, so neither age nor quota removes it.
    """

    id: str
    path: str
    url: str
    title: str
    kind: Kind
    at: float
    width: int
    height: int
    scale: float
    size_bytes: int
    sha256: str
    pixels: str
    tab: int = 0
    masked: int = 0
    reduced: bool = False
    truncated: bool = False
    pinned: bool = False


class ScreenshotStored(msgspec.Struct, frozen=True, tag=True):
    """Answer: it is on the disk. The first blob, if any, is the picture, of this MIME type."""

    screenshot: Screenshot
    mime_type: str = ""


class ReadScreenshot(msgspec.Struct, frozen=True, tag=True):
    """Ask: read a picture. `elements`: also what was visible in it. Answered by ScreenshotRead."""

    id: str
    form: Form = "original"
    elements: bool = False


class ScreenshotRead(msgspec.Struct, frozen=True, tag=True):
    """Answer: the picture's row; its bytes are the first blob, of this MIME type."""

    screenshot: Screenshot
    mime_type: str = ""
    elements: dict[str, Any] = {}


class ListScreenshots(msgspec.Struct, frozen=True, tag=True):
    """Ask: which pictures are kept, newest first. `before`: the position where the last answer ended; 0: the newest."""

    limit: int = 50
    before: int = 0
    url_filter: str = ""


class ScreenshotsListed(msgspec.Struct, frozen=True, tag=True):
    """Answer: some of them; how many there are; the bytes of all; `next`: where the rest begins, 0 for none."""

    screenshots: list[Screenshot]
    count: int
    size_bytes: int
    next: int = 0


class DeleteScreenshots(msgspec.Struct, frozen=True, tag=True):
    """Ask: forget these pictures, pinned or not. Answered by ScreenshotsDeleted."""

    ids: tuple[str, ...]


class PruneScreenshots(msgspec.Struct, frozen=True, tag=True):
    """Ask: forget the oldest pictures that nothing needs. `days`, `size_mb`: what may stay; 0: as the settings have it.

    Files that belong to no picture go too. Answered by ScreenshotsDeleted.
    """

    days: float = 0.0
    size_mb: int = 0


class ScreenshotsDeleted(msgspec.Struct, frozen=True, tag=True):
    """Answer: how many pictures are gone, and how many bytes are free by that."""

    count: int
    size_bytes: int


class PinScreenshot(msgspec.Struct, frozen=True, tag=True):
    """Ask: keep a picture as long as `holder` (a baseline, an annotation) needs it, or no longer.

    Answered by Pinned.
    """

    id: str
    holder: str
    keep: bool = True


class Pinned(msgspec.Struct, frozen=True, tag=True):
    """Answer: how many holders the picture has now."""

    holders: int


class ReleaseScreenshots(msgspec.Struct, frozen=True, tag=True):
    """Ask: what `holder` kept and does not need is no longer kept for it: pins of a holder that has lost its own notes.

    A picture of the last day stays, for it may be on its way to the holder. Answered by Released.
    """

    holder: str
    needed: frozenset[str]


class Released(msgspec.Struct, frozen=True, tag=True):
    """Answer: how many pictures the holder keeps no longer."""

    count: int


class Part(msgspec.Struct, frozen=True):
    """A part of two pictures of a page: its box then and now, as x, y, width and height in the page's pixels.

    `changed`: it is shown side by side whatever the pictures have.
    """

    number: int
    before: tuple[float, float, float, float]
    after: tuple[float, float, float, float]
    changed: bool = False


class CompareScreenshot(msgspec.Struct, frozen=True, tag=True):
    """Ask: compare the picture that is the stop's blob with the kept one of an id, part by part.

    What differs is put side by side and kept. Answered by ScreenshotCompared, with that picture for a model as blob.
    """

    before: str
    parts: tuple[Part, ...]


class ScreenshotCompared(msgspec.Struct, frozen=True, tag=True):
    """Answer: by number, which part of its pixels differ; a part that is not in both pictures is left out.

    `screenshot`: what differs, side by side, if anything does.
    """

    differing: dict[int, float]
    screenshot: Screenshot | None = None
    mime_type: str = ""


class ComparePage(msgspec.Struct, frozen=True, tag=True):
    """Ask: compare the picture that is the stop's blob with the kept one of an id, and name what has changed.

    `again`: the id of another picture of the same state: what differs between the two moves by itself and is left out.
    `boxes`: parts of the page, as x, y, width and height in its pixels, that are left out too; `selectors`: so are the
    elements that these mark in the pictures, in the order in which they were asked for. Before, now and what differs
    are put side by side and kept. Answered by PageCompared.
    """

    before: str
    again: str = ""
    boxes: tuple[tuple[float, float, float, float], ...] = ()
    selectors: tuple[str, ...] = ()


class PageCompared(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """Answer: whether a page looks as it did, and what has changed, the greatest first; `more` are left out.

    `seen_px`: pixels that differ to the eye; `rows_inserted`, `rows_removed`: of a page that has slid. `ignored`: parts
    that move by themselves. `unmatched`: selectors that mark nothing in either picture. `truncated`: a page was higher
    than a picture can be, and the rest was not compared. `screenshot`: both pictures side by side; `unkept`: why that
    could not be kept.
    """

    verdict: Literal["identical", "below_threshold", "changed", "shifted", "resized"]
    seen_px: int = 0
    rows_inserted: int = 0
    rows_removed: int = 0
    changes: list[str] = []
    more: int = 0
    ignored: int = 0
    unmatched: list[str] = []
    truncated: bool = False
    screenshot: Screenshot | None = None
    unkept: str = ""


class VerifyScreenshots(msgspec.Struct, frozen=True, tag=True):
    """Ask: compare files with their hashes, `limit` pictures from position `after` on. Answered by Verified."""

    after: int = 0
    limit: int = 200


class Damage(msgspec.Struct, frozen=True):
    """What is wrong with a picture: its file is `missing`, `changed` or `unreadable`."""

    id: str
    path: str
    what: Literal["missing", "changed", "unreadable"]


class Verified(msgspec.Struct, frozen=True, tag=True):
    """Answer: how many were compared, what is wrong, and where the rest begins (0: that was all)."""

    checked: int
    damaged: list[Damage]
    next: int = 0


Request = (
    StoreScreenshot
    | ReadScreenshot
    | ListScreenshots
    | DeleteScreenshots
    | PruneScreenshots
    | PinScreenshot
    | ReleaseScreenshots
    | ComparePage
    | CompareScreenshot
    | VerifyScreenshots
)
