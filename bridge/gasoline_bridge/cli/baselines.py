"""What `gasoline baseline` shows, approves, deletes, exports and imports: the baselines of pages."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec

from gasoline_bridge.check import exchange
from gasoline_bridge.cli.query import ask, linked_now
from gasoline_bridge.cli.tables import ms, plain, table
from gasoline_broker.actor.client import Link
from gasoline_broker.errors import Failed, SettingsRefused
from gasoline_broker.settings import Settings
from gasoline_workers.regression.messages import (
    Baseline,
    BaselineApproved,
    BaselineDeleted,
    BaselineRead,
    BaselinesListed,
    DeleteBaseline,
    ListBaselines,
    ReadBaseline,
)

ASK_S = 10.0
SERVICE = "regression"
PAGE_CHARACTERS = 60
HEAD = ("name", "page", "runs", "LCP ms", "a11y", "security", "made at")
UNKNOWN = "-"

T = TypeVar("T")


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
    with_link(settings, lambda link: exchange.release(link, gone.dropped))
    return f"The baseline {gone.name!r} is deleted."


class Approved(NamedTuple):
    """What was approved, and why others were not."""

    done: list[BaselineApproved]
    refused: list[str]


def approve(settings: Settings, names: Sequence[str], pattern: str) -> Approved:
    """Make what the last compares judged as changed the baselines: of these names, and of pages of this address.

    Raises:
        NotRunning: there is no system.
        SettingsRefused: no baseline is of such a page.

    """
    chosen = list(dict.fromkeys(names))
    if pattern:
        found = [one.name for one in read_all(settings) if fnmatchcase(one.url, pattern)]
        if not found:
            raise SettingsRefused(f"No baseline is of a page {pattern!r}: `gasoline baseline list` shows the pages.")
        chosen += [name for name in found if name not in chosen]
    if not chosen:
        raise SettingsRefused("Name a baseline, or give the pages with --url: `gasoline baseline list` shows both.")
    approved = Approved([], [])
    for name in chosen:
        try:
            approved.done.append(_approve(settings, name))
        except Failed as fault:  # the others are approved all the same
            approved.refused.append(f"{fault.failure.text} {fault.failure.recovery}".strip())
    return approved


def _approve(settings: Settings, name: str) -> BaselineApproved:
    return with_link(settings, lambda link: exchange.approve(link, name))


def export(settings: Settings, folder: Path, names: Sequence[str]) -> str:
    """Write baselines to a folder; return what was done, in words.

    Raises:
        NotRunning: there is no system.
        Failed: there is no baseline of a name, or it cannot be read.

    """
    done = with_link(settings, lambda link: exchange.export(link, folder, names))
    return _exchanged(done, "written to", folder)


def take_in(settings: Settings, folder: Path, names: Sequence[str]) -> str:
    """Keep the baselines of a folder; return what was done, in words.

    Raises:
        NotRunning: there is no system.
        SettingsRefused, Failed: one is damaged, missing or refused; nothing was imported.

    """
    done = with_link(settings, lambda link: exchange.take_in(link, folder, names))
    return _exchanged(done, "imported from", folder)


def with_link(settings: Settings, do: Callable[[Link], Awaitable[T]]) -> T:
    """Run several asks over one link.

    Raises:
        NotRunning: there is no system.

    """

    async def run() -> T:
        async with linked_now(settings) as link:
            return await do(link)

    return asyncio.run(run())


def _exchanged(done: exchange.Exchanged, how: str, folder: Path) -> str:
    same = f"; {len(done.same)} the same already" if done.same else ""
    count = len(done.changed)
    return f"{count} baseline{'' if count == 1 else 's'} {how} {folder}{same}."


def approved_as_json(done: list[BaselineApproved]) -> str:
    """Return what was approved as one JSON array."""
    return msgspec.json.encode(done).decode()


def approved_as_lines(done: list[BaselineApproved]) -> str:
    """Return what each baseline has taken from its last compare."""
    return "\n".join(plain(line) for one in done for line in _approved(one))


def _approved(one: BaselineApproved) -> Iterator[str]:
    if not one.parts:
        yield f"{one.name}: nothing had changed in the compare of {one.at}, so it stays as it was."
    elif one.is_repeated:
        yield f"{one.name}: the compare of {one.at} is approved already: {', '.join(one.parts)}."
    else:
        yield f"{one.name}: {', '.join(one.parts)} of the compare of {one.at} became the baseline."
    yield from (f"  {change}" for change in one.changes)
    yield from (f"  not judged, so left as it was: {left}" for left in one.left)


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
