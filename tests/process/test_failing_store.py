"""A journal that fails is in the way of nothing that does not need it, and what was done is reported as done."""

import asyncio
import contextlib
import itertools
import secrets
import sqlite3
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any

import aiohttp
import pytest

import system
from chrome_double import link, next_command
from gasoline_broker.settings import Settings
from process.processes import until, within
from process.small_disk import small_disk
from system import Assistant, assistant

Event = dict[str, Any]
Chrome = aiohttp.ClientWebSocketResponse

SOON_S = 5.0  # far below a call's 10 s, far above the 0.3 s that are promised: others use the processors too
STATE = {"type": "state", "front": 12, "tracked": None, "websockets": True, "bodies": False, "allTabs": True}
NOTICED_S = 15.0  # 5 s are promised, of a machine that is not busy
OLD = "CREATE TABLE events (seq INTEGER PRIMARY KEY AUTOINCREMENT, said TEXT NOT NULL)"
_numbers = itertools.count(1)


def chunk(*events: Event, tab: int = 12) -> Event:
    now_ms = time.time() * 1000
    return {
        "id": secrets.token_hex(16),
        "tab": tab,
        "frame": 0,
        "load": "5f3a9c01" if tab else "00000000",
        "page": "http://localhost:3000/",
        "events": [{"ts": now_ms + next(_numbers)} | event for event in events],
    }


async def sent(chrome: Chrome, *events: Event, tab: int = 12) -> str:
    one = chunk(*events, tab=tab)
    await chrome.send_json({"type": "events", "chunks": [one]})
    return str(one["id"])


def line(text: str) -> Event:
    return {"type": "console", "level": "log", "args": [text]}


async def command(chrome: Chrome, name: str) -> Event:
    """Wait for a command of this name: a session that has ended gives its tabs back by one of its own."""
    while (found := await next_command(chrome))["name"] != name:
        pass
    return found


async def acted(client: Assistant, chrome: Chrome, text: str) -> Event:
    """Have a script run that writes a line, and give the reply, which must come soon."""
    async with asyncio.timeout(SOON_S):
        calling = asyncio.create_task(client.call("execute_javascript", script="1 + 1"))
        asked = await command(chrome, "execute")
        await sent(chrome, line(text))
        await chrome.send_json({"type": "result", "id": asked["id"], "result": {"success": True, "result": 2}})
        return await calling


async def clicked(client: Assistant, chrome: Chrome, text: str) -> Event:
    """Have a click done that writes a line, and give the reply, which must come soon."""
    async with asyncio.timeout(SOON_S):
        calling = asyncio.create_task(client.call("interact", action="click", selector="#a"))
        asked = await command(chrome, "interact")
        await sent(chrome, line(text))
        result = {"success": True, "action": "click"}
        await chrome.send_json({"type": "result", "id": asked["id"], "result": result})
        return await calling


async def texts(client: Assistant) -> list[str]:
    return [one["text"] for one in (await client.call("observe", what="logs"))["logs"]]


async def read_again(client: Assistant, text: str) -> list[str]:
    """Read the lines as soon as this one can be read."""
    async with within():
        while True:
            answer, failed = await client.text("observe", what="logs")
            if not failed and text in answer:
                return await texts(client)
            await asyncio.sleep(0.02)


@contextlib.asynccontextmanager
async def stage(settings: Settings) -> AsyncIterator[tuple[Assistant, Chrome]]:
    """Be an assistant, and the extension with tab 12 in front."""
    async with assistant(settings) as client, link(settings) as chrome:
        await sent(chrome, STATE, tab=0)
        yield client, chrome


@pytest.fixture(scope="module")
def settings() -> Iterator[Settings]:
    """Return a system that was started on a journal of another build, whose table has other columns."""
    with system.settings() as made:
        made.data_dir.mkdir(mode=0o700)
        journal = sqlite3.connect(made.data_dir / "journal.sqlite")
        journal.execute(OLD)
        journal.commit()
        journal.close()
        with system.running(made) as up:
            yield up


@pytest.mark.requirement("faults-012")
async def test_a_journal_with_unknown_columns_is_set_aside_and_the_system_serves(settings: Settings) -> None:
    async with stage(settings) as (client, chrome):
        await acted(client, chrome, "after")

        assert "after" == (await texts(client))[0]
    assert [*settings.data_dir.glob("journal.sqlite.broken-*")]


@pytest.mark.requirement("faults-011", "faults-013")
async def test_while_the_journal_is_locked_what_was_done_is_reported_as_done(settings: Settings) -> None:
    async with stage(settings) as (client, chrome):
        before = await clicked(client, chrome, "before")
        other = sqlite3.connect(settings.data_dir / "journal.sqlite", isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        script = await acted(client, chrome, "script")
        click = await clicked(client, chrome, "click")
        refused = await client.error("observe", what="logs")
        other.close()
        healed = await read_again(client, "click")
        after = await clicked(client, chrome, "after")

    assert {"success": True, "result": 2, "journal_unavailable": script["journal_unavailable"]} == script
    assert "locked" in script["journal_unavailable"]
    assert "journal_unavailable" in click
    assert "seq" not in click
    assert ("store_failed", str(settings.data_dir / "journal.sqlite")) == (refused["code"], refused["details"]["file"])
    assert refused["details"]["free_bytes"] > 0
    assert refused["details"]["disk"]
    assert ["click", "script", "before"] == healed[:3], "nothing is lost: it is stored as soon as that is possible"
    assert before["seq"] < after["seq"]
    assert "journal_unavailable" not in after


@pytest.mark.requirement("faults-019")
async def test_a_journal_that_is_deleted_is_noticed_and_the_loss_is_reported(settings: Settings) -> None:
    path = settings.data_dir / "journal.sqlite"
    async with stage(settings) as (client, chrome):
        before = await clicked(client, chrome, "before")
        for part in settings.data_dir.glob("journal.sqlite*"):
            part.unlink()
        begun = time.monotonic()
        await until(path.exists)
        took_s = time.monotonic() - begun
        after = await clicked(client, chrome, "after")
        read = await client.call("observe", what="logs", since_seq=before["seq"])
    rows = sqlite3.connect(path)
    evicted = dict(rows.execute("SELECT ring, seq FROM evicted").fetchall())
    rows.close()

    assert took_s < NOTICED_S
    assert before["seq"] < evicted["console"] == read["evicted_through"] < after["seq"]
    assert ["after"] == [one["text"] for one in read["logs"]]


@pytest.mark.requirement("faults-011", "faults-012", "faults-013")
async def test_a_system_starts_on_a_full_disk_and_serves_what_needs_no_journal() -> None:
    with system.settings() as settings:
        system.token(settings)
        async with small_disk(settings.data_dir) as disk:
            disk.fill()
            up = await disk.gasoline(settings, "up", "--detach")
            try:
                assert 0 == up.returncode, up.stderr
                async with stage(settings) as (client, chrome):
                    begun = await acted(client, chrome, "first")
                    refused = await client.error("observe", what="logs")
                    disk.free()
                    healed = await read_again(client, "first")
                    disk.fill()
                    full = await filled(client, chrome)
                    disk.free()
                    last = await read_again(client, "filling")
            finally:
                await disk.gasoline(settings, "down")

    assert (True, True) == (begun["success"], "journal_unavailable" in begun)
    assert ("store_failed", str(settings.data_dir), 0) == (
        refused["code"],
        refused["details"]["disk"],
        refused["details"]["free_bytes"],
    )
    assert ["first"] == healed
    assert "full" in full["journal_unavailable"]
    assert last[0].startswith("filling")


@pytest.mark.requirement("faults-017")
async def test_a_data_folder_that_is_read_only_is_named_in_a_sentence_by_each_command() -> None:
    with system.settings() as settings:
        system.token(settings)
        async with small_disk(settings.data_dir) as disk:
            disk.make_read_only()
            said = {
                command: await disk.gasoline(settings, *command.split())
                for command in ("up", "up --detach", "mcp", "extension install", "doctor")
            }

    for command, done in said.items():
        text = done.stdout + done.stderr
        assert done.returncode, command
        assert str(settings.data_dir) in text, command
        assert "ead-only" in text, command
        assert "Traceback" not in text, command
    assert f"FAIL {settings.data_dir} is read-only" in said["doctor"].stdout


async def filled(client: Assistant, chrome: Chrome) -> Event:
    """Act until the disk is full for the journal, too: its log has some room left that it reuses."""
    async with within():
        while True:
            reply = await acted(client, chrome, f"filling {'x' * 50_000}")
            if "journal_unavailable" in reply:
                return reply
