"""Where a body's secrets come from: the origin of the one page that it is about, or nothing; pure."""

import re
from collections.abc import Mapping

ORIGIN = re.compile(r"https?://[^/?#\s@]+(?=[/?#]|$)")

OTHER_PAGE = "(its own "
"""In the line of a frame of another origin (frame_outlines.ts), whose own lines follow."""

READ = ("DomQueried", "PageInfoGot", "OutlineGot")
"""Answers about the page at their `url`; that of an action may be where it led."""


def origin_of(body: object) -> str:
    """Return the origin of the page that a body was read from; of several pages none."""
    if isinstance(body, dict):
        return _origin(body.get("url")) if body.get("type") in READ and not _has_other_pages(body) else ""
    if not isinstance(body, list):
        return ""
    origins = {_origin(chunk.get("page")) for chunk in body if isinstance(chunk, dict)}
    return origins.pop() if len(origins) == 1 else ""


def _has_other_pages(body: Mapping[object, object]) -> bool:
    """Return whether an outline has the lines of a frame of another origin; a page that writes so shows itself none."""
    lines = body.get("lines")
    return isinstance(lines, list) and any(isinstance(line, str) and OTHER_PAGE in line for line in lines)


def _origin(url: object) -> str:
    match = ORIGIN.match(url.lower()) if isinstance(url, str) else None
    return match[0] if match else ""
