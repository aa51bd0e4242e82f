"""Truths of any application: what its page is by Chrome's DevTools protocol, and which files Chrome has saved."""

from collections.abc import Callable
from typing import Any, Final

from apps.tasks import Ground, Truth

NOT_SAVED: Final = (".crdownload", ".yml", ".log")
"""Files that are on their way, and those that Playwright writes of itself."""


def page(expression: str) -> Truth:
    """Make a truth of what the page is."""

    async def truth(ground: Ground) -> Any:
        return await ground.tab.evaluate(expression)

    return truth


async def saved(ground: Ground) -> list[str]:
    """Name the files that Chrome has saved, once they are whole."""
    return sorted(file.name for file in ground.downloads.iterdir() if file.suffix not in NOT_SAVED)


def logged(text: str, there: Any, else_: Any) -> Truth:
    """Make a truth of whether the server's log has a text."""

    async def truth(ground: Ground) -> Any:
        return there if text in ground.log.read_text() else else_

    return truth


def both(*truths: Truth) -> Truth:
    """Put truths side by side."""

    async def truth(ground: Ground) -> list[Any]:
        return [await one(ground) for one in truths]

    return truth


def as_(truth: Truth, change: Callable[[Any], Any]) -> Truth:
    """Change what a truth reads into what a script concludes."""

    async def changed(ground: Ground) -> Any:
        return change(await truth(ground))

    return changed
