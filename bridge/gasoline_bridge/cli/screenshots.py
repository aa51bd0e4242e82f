"""What `gasoline screenshots` shows and does: the pictures that are kept, asked of the store."""

from collections.abc import Callable

import msgspec

from gasoline_bridge.cli.query import ask
from gasoline_bridge.cli.tables import table
from gasoline_broker.errors import Failed
from gasoline_broker.settings import Settings
from gasoline_workers.regression.messages import ListHeld, PicturesHeld
from gasoline_workers.screenshots.messages import (
    OF_BASELINES,
    Damage,
    ListScreenshots,
    PruneScreenshots,
    ReadScreenshot,
    Released,
    ReleaseScreenshots,
    Screenshot,
    ScreenshotRead,
    ScreenshotsDeleted,
    ScreenshotsListed,
    Verified,
    VerifyScreenshots,
)

ASK_S = 10.0
PRUNE_S = 60.0  # of a store that is full
PIECE = 200  # pictures that are compared by one ask: some 10 ms
TITLE_CHARACTERS = 60
SERVICE = "screenshots"


def read(settings: Settings, limit: int) -> ScreenshotsListed:
    """Ask for the newest pictures.

    Raises:
        NotRunning: there is no system.
        Failed: the store cannot be read.

    """
    found: ScreenshotsListed = ask(settings, SERVICE, ListScreenshots(limit), ScreenshotsListed, ttl_s=ASK_S)
    return found


def as_json(found: ScreenshotsListed) -> str:
    """Give the pictures as one JSON array."""
    return msgspec.json.encode(found.screenshots).decode()


def as_lines(found: ScreenshotsListed, now: float) -> str:
    """Give each picture as one line, and the sum of all."""
    if not found.screenshots:
        return "There are no screenshots yet."
    head = ("id", "kind", "page", "size px", "kB", "age")
    lines = table(head, (_row(one, now) for one in found.screenshots), left=3)
    more = found.count - len(found.screenshots)
    total = f"{found.count} screenshots, {found.size_bytes / 1e6:.1f} MB"
    return "\n".join([*lines, "", total + (f"; all: gasoline screenshots list --limit {found.count}" if more else "")])


def path_of(settings: Settings, picture_id: str) -> str:
    """Give where a picture's file is; the store has read it.

    Raises:
        Failed: there is no such picture, or its file is gone or was changed.

    """
    found: ScreenshotRead = ask(settings, SERVICE, ReadScreenshot(picture_id), ScreenshotRead, ttl_s=ASK_S)
    return found.screenshot.path


def verify(settings: Settings, progress: Callable[[int], object]) -> list[Damage]:
    """Compare every file with its hash, some at a time, and give those that are wrong."""
    damaged: list[Damage] = []
    after = 0
    while True:
        part: Verified = ask(settings, SERVICE, VerifyScreenshots(after, PIECE), Verified, ttl_s=ASK_S)
        damaged += part.damaged
        progress(part.checked)
        after = part.next
        if not after:
            return damaged


def damage_as_lines(count: int, damaged: list[Damage]) -> str:
    """Give the result of comparing, each damaged picture with its file."""
    lines = [f"{one.id}  {one.what}  {one.path}" for one in damaged]
    return "\n".join([*lines, f"{count - len(damaged)} of {count} screenshots are whole."])


def damage_as_json(count: int, damaged: list[Damage]) -> str:
    """Give the result of comparing as one JSON object."""
    return msgspec.json.encode({"checked": count, "damaged": damaged}).decode()


def prune(settings: Settings, days: float, size_mb: int) -> str:
    """Delete what may go, and say how much that was."""
    unknown = _release(settings)
    message = PruneScreenshots(days, size_mb)
    gone: ScreenshotsDeleted = ask(settings, SERVICE, message, ScreenshotsDeleted, ttl_s=PRUNE_S)
    return f"{gone.count} screenshots deleted, {gone.size_bytes / 1e6:.1f} MB freed.{unknown}"


def _release(settings: Settings) -> str:
    """Let go of the pictures of baselines that are gone: a file that was damaged has taken its notes along."""
    try:
        held: PicturesHeld = ask(settings, "regression", ListHeld(), PicturesHeld, ttl_s=ASK_S)
    except Failed as fault:
        return f" What is kept for baselines stayed, for they cannot be read: {fault.failure.text}"
    ask(settings, SERVICE, ReleaseScreenshots(OF_BASELINES, held.ids), Released, ttl_s=ASK_S)
    return ""


def _row(one: Screenshot, now: float) -> tuple[str, ...]:
    page = one.url if len(one.url) <= TITLE_CHARACTERS else f"{one.url[: TITLE_CHARACTERS - 1]}…"
    return one.id, one.kind, page, f"{one.width}x{one.height}", f"{one.size_bytes / 1e3:.0f}", _age(now - one.at)


def _age(age_s: float) -> str:
    units = ((86_400.0, "d"), (3_600.0, "h"), (60.0, "min"))
    amount, unit = next(((age_s / size, name) for size, name in units if age_s >= size), (max(0.0, age_s), "s"))
    return f"{amount:.0f} {unit}"
