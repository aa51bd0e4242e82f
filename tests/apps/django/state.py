"""Reads the shop's database, and logs its user in and out without the page."""

import sqlite3
from collections.abc import Callable
from typing import Any

from apps.tasks import Ground, Truth

LOGGED_IN = "document.readyState === 'complete' && document.querySelector('#logout-form') !== null"
"""True in a page of someone who is logged in."""

USER, PASSWORD = "ann", "right password"


def rows(ground: Ground, query: str, *values: Any) -> list[tuple[Any, ...]]:
    """Ask the database."""
    with sqlite3.connect(f"file:{ground.folder / 'shop.sqlite3'}?mode=ro", uri=True) as database:
        return database.execute(query, values).fetchall()


def table(query: str, change: Callable[[list[tuple[Any, ...]]], Any] = lambda found: found) -> Truth:
    """Make a truth of what the database answers."""

    async def truth(ground: Ground) -> Any:
        return change(rows(ground, query))

    return truth


async def log_out(ground: Ground) -> None:
    """Have the user logged out, never having logged in."""
    await ground.tab.send("Network.clearBrowserCookies")
    with sqlite3.connect(ground.folder / "shop.sqlite3") as database:
        database.execute("UPDATE auth_user SET last_login = NULL")
        database.execute("DELETE FROM django_session")


async def log_in(ground: Ground) -> None:
    """Log the user in without the page: the session that was made with the database, and its cookie."""
    with sqlite3.connect(ground.folder / "shop.sqlite3") as database:
        database.execute("INSERT OR REPLACE INTO django_session SELECT * FROM kept_session")
    ((key,),) = rows(ground, "SELECT session_key FROM kept_session")
    await ground.tab.send("Network.setCookie", name="sessionid", value=key, url=ground.address)
