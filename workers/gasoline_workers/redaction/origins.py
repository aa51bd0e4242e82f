"""Where a body's secrets come from: the origin of the one page that it is about, or nothing; pure."""

import re

ORIGIN = re.compile(r"https?://[^/?#\s@]+(?=[/?#]|$)")

READ = ("DomQueried", "PageInfoGot", "OutlineGot")
"""Answers about the page at their `url`; that of an action may be where it led."""


def origin_of(body: object) -> str:
    """Return the origin of the page that a body was read from; of several pages none."""
    if isinstance(body, dict):
        return _origin(body.get("url")) if body.get("type") in READ else ""
    if not isinstance(body, list):
        return ""
    origins = {_origin(chunk.get("page")) for chunk in body if isinstance(chunk, dict)}
    return origins.pop() if len(origins) == 1 else ""


def _origin(url: object) -> str:
    match = ORIGIN.match(url.lower()) if isinstance(url, str) else None
    return match[0] if match else ""
