"""The sessions of MCP over HTTP: which requests share one, and when it ends."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from gasoline_bridge.front import http_front
from gasoline_bridge.front.http_front import USED, Sessions

pytestmark = pytest.mark.requirement("transport-001")


class Double:
    """A session that knows whether it has ended."""

    def __init__(self) -> None:
        self.ended = False
        self.logged = 0
        self.calls = SimpleNamespace(session="s", log_ended=self.log)

    def log(self) -> None:
        self.logged += 1

    async def close(self) -> None:
        self.ended = True


def scope_of(session_id: str = "") -> dict[str, Any]:
    headers = [(b"mcp-session-id", session_id.encode())] if session_id else []
    return {"type": "http", "headers": headers}


def context(scope: dict[str, Any], session_id: str = "", client: str = "") -> Any:
    headers = {"mcp-session-id": session_id} if session_id else {}
    params = SimpleNamespace(client_info=SimpleNamespace(name=client)) if client else None
    return SimpleNamespace(
        request=SimpleNamespace(headers=headers, scope=scope), session=SimpleNamespace(client_params=params)
    )


def ask(sessions: Sessions, session_id: str = "", client: str = "") -> Double:
    """Have one request answered."""
    scope = scope_of(session_id)
    with sessions.counted(scope):
        found: Any = sessions.of(context(scope, session_id, client))
    assert isinstance(found, Double)
    return found


def made() -> Sessions:
    return Sessions(Double)  # type: ignore[arg-type]  # what it uses of a session


async def test_a_session_is_that_of_its_id_or_of_its_clients_name() -> None:
    sessions = made()
    ids = [ask(sessions, "one"), ask(sessions, "two"), ask(sessions, "one")]
    names = [ask(sessions, client="one"), ask(sessions, client="one"), ask(sessions, client="two")]

    assert (True, False) == (ids[0] is ids[2], ids[0] is ids[1])
    assert (True, False, False) == (names[0] is names[1], names[0] is names[2], names[0] is ids[0])
    assert 2 == ids[0].logged


async def test_it_ends_when_its_client_says_so_or_is_silent() -> None:
    sessions = made()
    ended, unused, used = ask(sessions, "ended"), ask(sessions, "unused"), ask(sessions, client="used")
    sessions.end("ended")
    sessions.end("unknown")
    await asyncio.sleep(0)
    assert (True, False) == (ended.ended, unused.ended)

    scope = scope_of()
    with sessions.counted(scope):
        sessions.of(context(scope, client="used"))
        sessions.end_unused(float("inf"))
        await asyncio.sleep(0)
        assert (True, False) == (unused.ended, used.ended)
    await sessions.close()
    assert used.ended


async def test_a_request_that_names_its_session_holds_it_before_a_part_of_it_is_asked() -> None:
    sessions = made()
    one = ask(sessions, "one")
    with sessions.counted(scope_of("one")):
        sessions.end_unused(float("inf"))
        await asyncio.sleep(0)
        assert not one.ended


async def test_the_oldest_unused_one_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_front, "SESSIONS_MAX", 2)
    sessions = made()
    oldest = ask(sessions, client="0")
    scope = scope_of()
    with sessions.counted(scope):
        held: Any = sessions.of(context(scope, client="0"))
        later = [ask(sessions, client=name) for name in "12"]
        await asyncio.sleep(0)
        assert (held is oldest, False) == (True, oldest.ended)
        assert [True, False] == [one.ended for one in later]
    assert isinstance(scope[USED], list)
