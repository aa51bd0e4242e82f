"""Reads what a client that only polls posts about a session of Draw Mode (seed 004, Network Communication); pure."""

import hashlib
import secrets
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from gasoline_bridge.chrome.link import Chunk
from gasoline_bridge.chrome.messages import ScreenshotTaken
from gasoline_bridge.chrome.posted_events import NO_LOAD, TabId
from gasoline_broker.errors import fail
from gasoline_workers.journal.messages import FARTHEST, Arrow, Freehand, Path, Pixels, Point

ANNOTATIONS_MAX = 200
UNMASKED = "`masked` states how many secret fields were hidden in the page while the picture was taken."

Name = Annotated[str, Meta(max_length=40)]
Address = Annotated[str, Meta(max_length=2_000)]
Length = Annotated[float, Meta(ge=0, le=FARTHEST)]


class PostedRectangle(msgspec.Struct, forbid_unknown_fields=True):
    """Where something was drawn, in the viewport."""

    x: Pixels
    y: Pixels
    width: Length
    height: Length


class PostedAnnotation(msgspec.Struct, forbid_unknown_fields=True):
    """An annotation (seed 004, Data Model); what names it is made here if it is left out."""

    rect: PostedRectangle
    text: Annotated[str, Meta(max_length=4_096)]
    id: Name = ""
    kind: Literal["bug", "suggestion", "question"] = "suggestion"
    timestamp: Annotated[int, Meta(ge=0, lt=1 << 53)] = 0
    page_url: Address = ""
    element_summary: Address = ""
    selector: Address = ""
    correlation_id: Name = ""
    shape: str | UnsetType = UNSET
    from_: Point | UnsetType = msgspec.field(name="from", default=UNSET)
    to: Point | UnsetType = UNSET
    path: Path | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Refuse what is no figure: msgspec reports where it is."""
        parts = {"shape": self.shape, "from": self.from_, "to": self.to, "path": self.path}
        stated = {name: value for name, value in parts.items() if value is not UNSET}
        try:
            if stated:
                msgspec.convert(stated, Arrow | Freehand)
        except msgspec.ValidationError as fault:
            raise ValueError(str(fault)) from None
        if self.shape is UNSET and not (self.rect.width and self.rect.height):
            raise ValueError("`rect` needs a width and a height above 0")


class PostedDrawing(msgspec.Struct, forbid_unknown_fields=True):
    """The body of POST /draw-mode-result: `correlation_id` of the session, `masked` for a picture."""

    annotations: Annotated[list[PostedAnnotation], Meta(max_length=ANNOTATIONS_MAX)]
    page_url: Address
    correlation_id: Annotated[str, Meta(pattern="^(dm_[0-9a-f]{8})?$")] = ""
    screenshot_base64: bytes = b""
    masked: Annotated[int, Meta(ge=0, lt=1 << 31)] | None = None
    duration_ms: Annotated[int, Meta(ge=0, lt=1 << 53)] = 0
    tab_id: TabId = 0
    warning: Literal["page_navigated", "draw_mode_timeout", ""] = ""


class Read(msgspec.Struct, frozen=True):
    """What was posted, as it is stored: the session, its events, and its picture if it has one."""

    session: str
    chunk: Chunk
    picture: ScreenshotTaken | None


def read(posted: PostedDrawing, now_ms: float, name: str) -> Read:
    """Give a session as the extension would have reported it. `name`: the same for what is posted again.

    Raises:
        Failed: `invalid_params`: a picture without what its secret fields need.

    """
    if posted.screenshot_base64 and posted.masked is None:
        fail("invalid_params", UNMASKED, "Hide password and card fields, then say how many.", parameter="masked")
    made = hashlib.sha256(name.encode()).hexdigest()
    session = posted.correlation_id or f"dm_{made[:8]}"
    names = {"type": "drawing", "ts": now_ms, "id": session, "tab": posted.tab_id, "page_url": posted.page_url}
    annotations = [_annotation(one, posted.page_url, now_ms) for one in posted.annotations]
    ended = {"phase": "ended", "annotations": annotations, "duration_ms": posted.duration_ms}
    warning = {"warning": posted.warning} if posted.warning else {}
    chunk = Chunk(made[:32], 0, 0, NO_LOAD, "", [names | {"phase": "begun"}, names | ended | warning])
    return Read(session, chunk, _picture(posted))


def _annotation(one: PostedAnnotation, page_url: str, now_ms: float) -> dict[str, Any]:
    key = secrets.token_hex(4)
    made = {
        "id": f"ann_{round(now_ms)}_{key}",
        "correlation_id": f"ann_detail_{key}",
        "timestamp": round(now_ms),
        "page_url": page_url,
    }
    given: dict[str, Any] = msgspec.to_builtins(one)
    return given | {name: value for name, value in made.items() if not given[name]}


def _picture(posted: PostedDrawing) -> ScreenshotTaken | None:
    if not posted.screenshot_base64 or posted.masked is None:
        return None
    return ScreenshotTaken(
        url=posted.page_url,
        title="",
        kind="annotated",
        masked=posted.masked,
        scale=1.0,
        tab=posted.tab_id,
        picture=posted.screenshot_base64,
    )
