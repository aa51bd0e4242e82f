"""Reads a file that lists addresses, one a line; pure."""

import re
from typing import NamedTuple
from urllib.parse import urlsplit

from gasoline_broker.errors import SettingsRefused

COMMENT = re.compile(r"(?:^|\s)#.*")  # a # within an address begins its fragment
NAMED = 5  # wrong lines in an error
SHOWN = 60  # characters of a wrong line


class Listed(NamedTuple):
    """The addresses, each once; `repeated`: the numbers of the lines that repeat another, and of that one."""

    urls: list[str]
    repeated: dict[int, int]


def read_list(text: str, name: str) -> Listed:
    """Read the text of a file of this name: addresses, blank lines, and comments from `#` on.

    Raises:
        SettingsRefused: a line is no address, or there is none at all; the lines by their numbers.

    """
    lines = dict[str, int]()
    repeated, wrong = dict[int, int](), list[str]()
    for number, whole in enumerate(text.splitlines(), 1):
        url = COMMENT.sub("", whole).strip()
        if not url:
            continue
        if not is_page(url):
            wrong.append(f"line {number} is no address of a page: {url[:SHOWN]!r}")
        elif (first := lines.setdefault(url, number)) != number:
            repeated[number] = first
    if wrong:
        more = f"; and {len(wrong) - NAMED} more" if len(wrong) > NAMED else ""
        raise SettingsRefused(f"{name}: {'; '.join(wrong[:NAMED])}{more}. Each must begin with http:// or https://.")
    if not lines:
        raise SettingsRefused(f"{name} lists no address.")
    return Listed(list(lines), repeated)


def is_page(url: str) -> bool:
    """Return whether this is the address of a page of the web."""
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and not re.search(r"\s", url)
    except ValueError:  # an IPv6 address without its end
        return False
