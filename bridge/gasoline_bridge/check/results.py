"""What came of checking a page, the line that states it, and the exit code of all; pure."""

import re
from collections.abc import Sequence
from typing import Final, Literal
from urllib.parse import urlsplit

import msgspec

from gasoline_bridge.check.url_list import is_page
from gasoline_broker.errors import SettingsRefused
from gasoline_workers.regression.messages import BaselineCompared, BaselineRead

Outcome = Literal["made", "no_change", "improved", "regression_detected", "inconclusive", "approved", "error"]

REGRESSION: Final = 1
UNKNOWN: Final = 2
"""Exit codes: something has become worse; it is unknown whether something has."""

CODES: Final[dict[Outcome, int]] = {
    "made": 0,
    "no_change": 0,
    "improved": 0,
    "regression_detected": REGRESSION,
    "inconclusive": UNKNOWN,
    "approved": 0,
    "error": UNKNOWN,
}
WORDS: Final[dict[Outcome | Literal["changed"], str]] = {
    "made": "baseline made",
    "no_change": "no change",
    "changed": "changed",
    "improved": "improved",
    "regression_detected": "regression",
    "inconclusive": "inconclusive",
    "approved": "approved",
    "error": "error",
}
NAME_CHARS: Final = 100  # of a baseline's name

FULL: Final = 100
LOADED: Final = 80  # of FULL
LOAD: Final = re.compile(r"load (\d+) of (\d+)")
STAGES: Final = {"taking pictures": 85, "taking a picture": 85, "analysing the page": 90}


class Checked(msgspec.Struct, frozen=True):
    """A page that was checked. `text`: one sentence; `read`: its baseline and the compare; `picture`: a PNG of both."""

    url: str
    name: str
    outcome: Outcome
    text: str
    took_s: float
    read: BaselineRead | None = None
    picture: bytes = b""

    @property
    def compared(self) -> BaselineCompared | None:
        """The compare that was just made, if one was."""
        return self.read.compared if self.read else None


def exit_code(checked: Sequence[Checked]) -> int:
    """Return the exit code: a regression counts before what is unknown."""
    codes = {CODES[one.outcome] for one in checked}
    return REGRESSION if REGRESSION in codes else max(codes, default=0)


def is_disturbed(one: Checked) -> bool:
    """Return whether pages that were checked at the same time may have caused the verdict: times and memory alone."""
    if one.compared is None:
        return False
    performance, memory = one.compared.comparison.performance, one.compared.comparison.memory
    return performance.verdict != "no_change" or memory.verdict in ("regression_detected", "improved")


def line(one: Checked) -> str:
    """Return what came of a page, in one line."""
    return f"{one.url}: {WORDS[one.outcome]}: {one.text}"


def named(urls: Sequence[str], name: str) -> list[tuple[str, str]]:
    """Return each address with the name of its baseline, empty where the address is to name it.

    Of several pages each name is `name` and the path.

    Raises:
        SettingsRefused: an address is none of the web, or two pages would have one baseline.

    """
    for url in urls:
        if not is_page(url):
            raise SettingsRefused(f"{url} is no address of a page: it must begin with http:// or https://.")
    if not name:
        return [(url, "") for url in urls]
    if len(urls) == 1:
        return [(urls[0], name[:NAME_CHARS])]
    names = [f"{name} {urlsplit(url).path or '/'}"[:NAME_CHARS] for url in urls]
    if len(set(names)) < len(names):
        raise SettingsRefused("Two of the pages have the same path, so they would have one baseline: check one alone.")
    return list(zip(urls, names, strict=True))


def progress(stage: str) -> int:
    """Return how far a page is, of FULL."""
    if found := LOAD.fullmatch(stage):
        return LOADED * (int(found[1]) - 1) // int(found[2])
    return STAGES.get(stage, 0)
