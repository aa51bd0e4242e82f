"""Makes the pattern of an address, which names the baseline of all pages of its kind; pure.

`http://localhost:3000/users/17?tab=2#top` is `localhost:3000/users/*`. Addresses are read as text: one that redaction
has marked is no URL to a parser.
"""

import re

from gasoline_workers.redaction.messages import MARKER, unnumbered

ADDRESS = re.compile(r"(?:[a-z][a-z0-9+.-]*:/*)?(?P<rest>[^?#]*)(?P<route>#[!/][^?]*)?", re.IGNORECASE)
ONE_OF_MANY = re.compile(
    r"\d+|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|(?=[a-z]*\d)(?=\d*[a-z])[0-9a-f]{8,}", re.IGNORECASE
)
"""A part of a path that is one of many: a number, a UUID, a hash."""

CHARACTERS = 100


def pattern(url: str) -> str:
    """Return the host and the path of an address, with `*` for each part that is one of many."""
    url = unnumbered(url)
    found = ADDRESS.match(url)
    whole = (found["rest"] + (found["route"] or "")) if found else url
    host, *parts = whole.split("/")
    path = ["*" if ONE_OF_MANY.fullmatch(part) or MARKER in part else part for part in parts]
    return "/".join([host, *path]).rstrip("/")[:CHARACTERS] or url[:CHARACTERS]
