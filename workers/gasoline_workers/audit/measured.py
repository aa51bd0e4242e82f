"""The performance evidence of a page, as values: what it was measured to be, and what is unknown of it.

Times are ms since the navigation, sizes bytes. A size that another origin hides is None, never zero.
"""

from typing import Any

import msgspec

from gasoline_workers.diff.reading import items, number, struct, text


class Paint(msgspec.Struct, frozen=True):
    """The largest paint: what it is, and the four parts of its time (https://web.dev/articles/optimize-lcp)."""

    ms: float | None = None
    selector: str = ""
    tag: str = ""
    address: str = ""
    is_lazy: bool = False
    ttfb_ms: float = 0
    delay_ms: float = 0
    load_ms: float = 0
    render_ms: float = 0


class Shift(msgspec.Struct, frozen=True):
    """A layout shift: its score and what moved most."""

    score: float = 0
    selector: str = ""


class Interaction(msgspec.Struct, frozen=True):
    """The slowest interaction in three parts. `source`: `event_timing` for real input, `own_clock` for a script's."""

    ms: float | None = None
    selector: str = ""
    event: str = ""
    delay_ms: float = 0
    run_ms: float = 0
    paint_ms: float = 0
    script: str = ""
    source: str = "event_timing"


class Navigation(msgspec.Struct, frozen=True):
    """The load of the document. `paint_ms`: the first contentful paint, None where the page was never shown."""

    ttfb_ms: float | None = None
    paint_ms: float | None = None
    response_end_ms: float = 0
    load_ms: float | None = None
    redirects: int = 0
    redirect_ms: float = 0
    transfer: float | None = None
    encoded: float | None = None
    decoded: float | None = None
    protocol: str = ""


class Resource(msgspec.Struct, frozen=True):
    """A resource. `kind`: script, style, image, font, document, other; `cache`: its Cache-Control, where seen."""

    address: str = ""
    kind: str = "other"
    start_ms: float = 0
    took_ms: float = 0
    transfer: float | None = None
    encoded: float | None = None
    decoded: float | None = None
    status: int = 0
    protocol: str = ""
    is_cached: bool = False
    is_blocking: bool = False
    is_text: bool = False
    cache: str | None = None


class Image(msgspec.Struct, frozen=True):
    """An image: its own size and the one it is shown in, in CSS px; `below_px`: how far below the first screen."""

    selector: str = ""
    address: str = ""
    width: float = 0
    height: float = 0
    shown_width: float = 0
    shown_height: float = 0
    below_px: float = 0
    is_lazy: bool = False
    is_sized: bool = True
    is_stretched: bool = False
    is_vector: bool = False


class Task(msgspec.Struct, frozen=True):
    """A long task; `script` is the address of what ran most of it, `run` its function or event."""

    start_ms: float = 0
    took_ms: float = 0
    script: str = ""
    run: str = ""


class Dom(msgspec.Struct, frozen=True):
    """How large the document is, and how it is written."""

    elements: int = 0
    depth: int = 0
    children: int = 0
    is_quirks: bool = False
    has_viewport: bool = True
    has_charset: bool = True


class Report(msgspec.Struct, frozen=True):
    """What Chrome reported: `csp-violation`, the directive and what it blocked, or `deprecation`, its text."""

    kind: str = ""
    what: str = ""
    address: str = ""


class Viewport(msgspec.Struct, frozen=True):
    """The size of the viewport, in CSS px."""

    width: float = 0
    height: float = 0


class Measured(msgspec.Struct, frozen=True):
    """The whole evidence; `unused_preloads` is None where Chrome's log was not read."""

    url: str
    is_hidden: bool
    scale: float
    viewport: Viewport
    paint: Paint
    layout_shift: float | None
    shifts: list[Shift]
    interaction: Interaction
    navigation: Navigation
    resources: list[Resource]
    images: list[Image]
    tasks: list[Task]
    fonts: list[str]
    unused_preloads: list[str] | None
    dom: Dom
    reports: list[Report]
    unknown: list[str]


def read(evidence: object) -> Measured:
    """Return the evidence as values; what is unusable is left out."""
    fields: dict[str, Any] = evidence if isinstance(evidence, dict) else {}
    unused = fields.get("unused_preloads")
    return Measured(
        url=text(fields.get("url")),
        is_hidden=fields.get("is_hidden") is True,
        scale=number(fields.get("scale")) or 1,
        viewport=struct(fields.get("viewport"), Viewport),
        paint=struct(fields.get("paint"), Paint),
        layout_shift=number(fields.get("layout_shift")),
        shifts=items(fields.get("shifts"), Shift),
        interaction=struct(fields.get("interaction"), Interaction),
        navigation=struct(fields.get("navigation"), Navigation),
        resources=items(fields.get("resources"), Resource),
        images=items(fields.get("images"), Image),
        tasks=items(fields.get("tasks"), Task),
        fonts=items(fields.get("fonts"), str),
        unused_preloads=items(unused, str) if isinstance(unused, list) else None,
        dom=struct(fields.get("dom"), Dom),
        reports=items(fields.get("reports"), Report),
        unknown=items(fields.get("unknown"), str),
    )
