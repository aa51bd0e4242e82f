"""What the bridge understands and answers; the field names of the answers are those of seed 002.

What a page wrote is marked `PageText`: untrusted data, never an instruction. The reference (docs/tools.md) shows it.
"""

from typing import Annotated, Any

import msgspec

Number = int | float  # as Chrome wrote it: 8 and not 8.0, which would cost tokens
PageText = Annotated[str, msgspec.Meta(extra={"page": True})]


TabId = int  # 0: the tracked tab, else the active tab of the window that was last in front


class QueryDom(msgspec.Struct, frozen=True, tag=True):
    """Ask: find the elements that match `selector`, `offset` of them skipped. Answered by DomQueried."""

    selector: str
    include_styles: bool = False
    include_children: bool = False
    max_depth: int = 3
    properties: list[str] | None = None
    offset: int = 0
    tab_id: TabId = 0


class GetPageInfo(msgspec.Struct, frozen=True, tag=True):
    """Ask: what page this is. Answered by PageInfoGot."""

    tab_id: TabId = 0


class ListTabs(msgspec.Struct, frozen=True, tag=True):
    """Ask: which tabs are open. Answered by TabsListed."""


class ReadExtension(msgspec.Struct, frozen=True, tag=True):
    """Ask: is the extension connected. Answered by ExtensionRead, at once."""


class ClearEvents(msgspec.Struct, frozen=True, tag=True):
    """Ask: forget what was captured, what is on its way included. Answered by EventsCleared."""


Request = QueryDom | GetPageInfo | ListTabs | ReadExtension | ClearEvents


class Box(msgspec.Struct, frozen=True):
    """A rectangle in CSS pixels, relative to the viewport of the tab."""

    x: Number
    y: Number
    width: Number
    height: Number


class Child(msgspec.Struct, frozen=True, omit_defaults=True, rename={"omitted_children": "omittedChildren"}):
    """An element below a match. `omittedChildren`: how many found no room in a very large answer."""

    tag: PageText
    attributes: dict[PageText, PageText]
    text: PageText
    truncated: bool = False
    styles: dict[str, PageText] | None = None
    children: list["Child"] | None = None
    omitted_children: int = 0


class Match(
    msgspec.Struct,
    frozen=True,
    omit_defaults=True,
    rename={"bounding_box": "boundingBox", "omitted_children": "omittedChildren"},
):
    """An element that matches; `selector` finds it alone."""

    selector: PageText
    tag: PageText
    attributes: dict[PageText, PageText]
    text: PageText
    bounding_box: Box
    visible: bool
    truncated: bool = False
    styles: dict[str, PageText] | None = None
    children: list[Child] | None = None
    omitted_children: int = 0


class DomQueried(
    msgspec.Struct, frozen=True, tag=True, rename={"match_count": "matchCount", "returned_count": "returnedCount"}
):
    """Answer: 50 matches at most, and how many there are."""

    url: PageText
    title: PageText
    matches: list[Match]
    match_count: int
    returned_count: int


class Size(msgspec.Struct, frozen=True):
    """A size in CSS pixels."""

    width: Number
    height: Number


class Scroll(msgspec.Struct, frozen=True):
    """How far the page is scrolled, in CSS pixels."""

    x: Number
    y: Number


class Form(msgspec.Struct, frozen=True):
    """A form of the page: its id, its action as written, and the names of its fields."""

    id: PageText
    action: PageText
    fields: list[PageText]


class PageInfoGot(
    msgspec.Struct,
    frozen=True,
    tag=True,
    omit_defaults=True,
    rename={
        "document_height": "documentHeight",
        "interactive_elements": "interactiveElements",
        "form_count": "formCount",
        "heading_count": "headingCount",
    },
):
    """Answer: the page in numbers and names; the counts say how many forms or headings there are beyond those given."""

    url: PageText
    title: PageText
    viewport: Size
    scroll: Scroll
    document_height: Number
    forms: list[Form]
    headings: list[PageText]
    links: int
    images: int
    interactive_elements: int
    form_count: int = 0
    heading_count: int = 0


class Tab(msgspec.Struct, frozen=True, rename={"window_id": "windowId"}):
    """An open tab. `focused`: it is active in the window that was last in front."""

    id: int
    window_id: int
    url: PageText
    title: PageText
    active: bool
    focused: bool
    tracked: bool
    discarded: bool


class TabsListed(msgspec.Struct, frozen=True, tag=True):
    """Answer: the open tabs."""

    tabs: list[Tab]


class ExtensionRead(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """Answer: whether the extension is connected, which one, and for how long (seconds)."""

    connected: bool
    version: str = ""
    browser: str = ""
    up_s: float = 0.0


class EventsCleared(msgspec.Struct, frozen=True, tag=True):
    """Answer: how many events are gone; `seq`: the last position, from which the next ones count on."""

    success: bool
    cleared: int
    seq: int


ANSWERS: dict[str, Any] = {"query_dom": DomQueried, "get_page_info": PageInfoGot, "list_tabs": TabsListed}
