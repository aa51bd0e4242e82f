"""What `gasoline baseline` shows and deletes: the baselines of pages, asked of the regression worker."""

import msgspec

from gasoline_bridge.cli.query import ask
from gasoline_bridge.cli.tables import ms, table
from gasoline_broker.settings import Settings
from gasoline_workers.regression.messages import (
    Baseline,
    BaselineDeleted,
    BaselineRead,
    BaselinesListed,
    DeleteBaseline,
    ListBaselines,
    ReadBaseline,
)
from gasoline_workers.screenshots.messages import Pinned, PinScreenshot

ASK_S = 10.0
SERVICE = "regression"
HOLDER = "baseline"
PAGE_CHARACTERS = 60
HEAD = ("name", "page", "runs", "LCP ms", "a11y", "security", "made at")
UNKNOWN = "-"


def read_all(settings: Settings) -> list[Baseline]:
    """Ask for all baselines, the newest first.

    Raises:
        NotRunning: there is no system.
        Failed: their file cannot be read.

    """
    found: BaselinesListed = ask(settings, SERVICE, ListBaselines(), BaselinesListed, ttl_s=ASK_S)
    return found.baselines


def read(settings: Settings, name: str) -> BaselineRead:
    """Ask for one baseline, its loads, and what was last compared with it.

    Raises:
        NotRunning: there is no system.
        Failed: there is no such baseline.

    """
    found: BaselineRead = ask(settings, SERVICE, ReadBaseline(name), BaselineRead, ttl_s=ASK_S)
    return found


def delete(settings: Settings, name: str) -> str:
    """Delete a baseline, and let go of its pictures; return what was done, in words.

    Raises:
        NotRunning: there is no system.
        Failed: there is no such baseline.

    """
    gone: BaselineDeleted = ask(settings, SERVICE, DeleteBaseline(name), BaselineDeleted, ttl_s=ASK_S)
    for picture in gone.dropped:
        ask(settings, "screenshots", PinScreenshot(picture, HOLDER, keep=False), Pinned, ttl_s=ASK_S)
    return f"The baseline {gone.name!r} is deleted."


def all_as_json(found: list[Baseline]) -> str:
    """Return the baselines as one JSON array."""
    return msgspec.json.encode(found).decode()


def all_as_lines(found: list[Baseline]) -> str:
    """Return each baseline as one line of a table."""
    if not found:
        return 'There are no baselines yet: `gasoline check URL` or analyze(action:"regression") makes one.'
    return "\n".join(table(HEAD, map(_row, found), left=2))


def as_json(found: BaselineRead) -> str:
    """Return a baseline as one JSON object."""
    return msgspec.json.encode(found).decode()


def as_lines(found: BaselineRead) -> str:
    """Return what a baseline was made with, the loads as a table, and the last compare."""
    one = found.baseline
    width, height = one.viewport
    about = table(
        ("name", one.name),
        (
            ("page", one.url),
            ("made at", one.captured_at),
            ("made with", f"{one.browser}, Gasoline {one.version}, viewport {width}x{height} at scale {one.scale}"),
            ("accessibility issues", _count(one.accessibility_issues)),
            ("security findings", _count(one.security_findings)),
        ),
        left=2,
    )
    last = found.compared
    compared = f"{last.verdict}: {last.summary}" if last else "not compared yet"
    return "\n".join([*about, "", *_loads(found), "", *table(("last compare", compared), (), left=2)])


def _loads(found: BaselineRead) -> list[str]:
    names = list(found.baseline.performance)
    rows = (
        [f"load {number}", *(load.get(name, UNKNOWN) for name in names)] for number, load in enumerate(found.loads, 1)
    )
    return table(["", *names], [*rows, ["median", *found.baseline.performance.values()]])


def _row(one: Baseline) -> tuple[str, ...]:
    if one.damaged:
        return one.name, "damaged", *(UNKNOWN for _ in HEAD[2:])
    page = one.url if len(one.url) <= PAGE_CHARACTERS else f"{one.url[: PAGE_CHARACTERS - 1]}…"
    lcp = one.performance.get("lcp_ms")
    counts = (_count(one.accessibility_issues), _count(one.security_findings))
    return one.name, page, str(one.runs), UNKNOWN if lcp is None else ms(lcp), *counts, one.captured_at


def _count(number: int | None) -> str:
    return UNKNOWN if number is None else str(number)
