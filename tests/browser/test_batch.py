"""Batches, forms and uploads from a real assistant to a real page, with everything in between."""

import asyncio
import os
import signal
from pathlib import Path

import msgspec
import pytest

from browser.assisted import Reply, at
from gasoline_bridge.devtools import Browser
from gasoline_broker.settings import Settings
from system import gasoline

STEPS: list[Reply] = [
    {"action": "click", "selector": "#more"},
    {"action": "type", "selector": "#name", "text": "Ada"},
    {"action": "get_value", "selector": "#name"},
]


@pytest.mark.requirement("actions-008")
async def test_a_batch_is_done_in_one_call_and_answered_in_one_reply(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}interact.html?batch") as here:
        reply = await here.do("batch", steps=STEPS)

    assert {"success", "action", "steps", "seq"} == reply.keys()
    clicked, typed, read = reply["steps"]
    assert ("click", "25 items added, 1 attr changed") == (clicked["action"], clicked["dom_summary"])
    assert "timing_ms" in typed
    assert {"action": "get_value", "value": "Ada"} == read


@pytest.mark.requirement("actions-008")
async def test_a_batch_stops_where_a_step_fails_and_reports_what_was_done(
    live: Settings, chrome: Browser, pages: str
) -> None:
    steps = [STEPS[1], {"action": "click", "selector": "#none"}, STEPS[0]]
    async with at(live, chrome, f"{pages}interact.html?stops") as here:
        reply = await here.do("batch", steps=steps)
        rows = await here.tab.evaluate("by('list').childElementCount")

    assert (False, 1, "element_not_found") == (reply["success"], reply["failed_at"], reply["error"]["code"])
    assert ["type"] == [step["action"] for step in reply["steps"]]
    assert 0 == rows


async def test_a_batch_with_a_wrong_step_does_nothing_and_is_noted(live: Settings, chrome: Browser, pages: str) -> None:
    async with at(live, chrome, f"{pages}interact.html?wrong") as here:
        error = await here.fail("batch", steps=[STEPS[1], {"action": "click"}])
        name = await here.tab.evaluate("by('name').value")
        (noted, *_) = msgspec.json.decode(gasoline(live, "audit", "--json").stdout)

    assert ("invalid_params", "steps[1].selector") == (error["code"], error["details"]["parameter"])
    assert "" == name
    assert ("interact batch", "invalid_params", "ann") == (noted["action"], noted["outcome"], noted["client"])


@pytest.mark.requirement("pilot-035")
@pytest.mark.parametrize("victim", ["bridge", "worker"])
async def test_a_batch_that_is_cut_off_reports_what_was_done_and_does_no_more(
    live: Settings, chrome: Browser, pages: str, victim: str
) -> None:
    waits = {"action": "wait_for", "selector": "#none", "timeout_ms": 3000}
    async with at(live, chrome, f"{pages}interact.html?cut-{victim}") as here:
        running = asyncio.create_task(here.do("batch", steps=[STEPS[1], waits, STEPS[0]]))
        await here.tab.until("by('name').value === 'Ada'")
        await asyncio.sleep(1)  # that step is answered, and the next one waits: no event tells
        if victim == "bridge":
            os.kill((await here.client.pids())["bridge"], signal.SIGKILL)
        else:
            await chrome.stop_service_worker()
            await here.tab.evaluate("console.log('a line that wakes the worker')")
        reply = await running
        await here.client.connected()
        rows = await here.tab.evaluate("by('list').childElementCount")

    assert (False, 1, "outcome_unknown") == (reply["success"], reply["failed_at"], reply["error"]["code"])
    assert ["type"] == [step["action"] for step in reply["steps"]]
    assert 0 == rows


async def test_a_passage_that_is_cut_off_is_unknown_at_once(live: Settings, chrome: Browser, pages: str) -> None:
    async with at(live, chrome, f"{pages}interact.html?cut") as here:
        running = asyncio.create_task(here.fail("navigate", url=f"{pages}api/later?ms=2000"))
        await asyncio.sleep(1)
        await chrome.stop_service_worker()
        await here.tab.evaluate("console.log('a line that wakes the worker')")
        error = await running
        await here.client.connected()
        after = await here.do("navigate", url=f"{pages}small.html")

    assert "outcome_unknown" == error["code"]
    assert f"{pages}small.html" == after["url"]


async def test_a_batch_goes_through_a_dialog_that_its_next_step_answers(
    live: Settings, chrome: Browser, pages: str
) -> None:
    asks, yes = {"action": "click", "selector": "#confirms"}, {"action": "dialog", "accept": True}
    read = {"action": "get_text", "selector": "#seen"}
    async with at(live, chrome, f"{pages}dialogs.html?batch") as here:
        reply = await here.do("batch", steps=[asks, yes, read])
        stopped = await here.do("batch", steps=[asks, read])
        await here.do("dialog", accept=False)

    assert [{"type": "confirm", "message": "Delete it?"}, "[true]"] == [
        reply["steps"][0]["opened"],
        reply["steps"][2]["text"],
    ]
    assert (False, 0, "dialog_open") == (stopped["success"], stopped["failed_at"], stopped["error"]["code"])


async def test_each_step_is_in_the_audit_trail_by_its_name_and_tab(live: Settings, chrome: Browser, pages: str) -> None:
    async with at(live, chrome, f"{pages}interact.html?trail") as here:
        opened = await here.client.call("interact", action="new_tab", url=f"{pages}blank.html")
        await here.client.call("interact", action="close_tab", tab_id=opened["tab_id"])
        await here.do("batch", steps=STEPS[:2])
        await here.fail("upload", selector="#name", files=["/none"])
        trail = msgspec.json.decode(gasoline(live, "audit", "--json").stdout)[:5]

    of_tab, of_other = here.number, opened["tab_id"]
    expected = [("upload", of_tab), ("type", of_tab), ("click", of_tab), ("close_tab", of_other), ("new_tab", of_other)]
    assert [(f"interact {action}", tab) for action, tab in expected] == [(one["action"], one["tab"]) for one in trail]


async def test_a_batch_keeps_its_budget_and_the_rest_is_fetched(live: Settings, chrome: Browser, pages: str) -> None:
    steps = [*STEPS, {"action": "list_interactive"}, {"action": "click", "selector": "#none"}]
    async with at(live, chrome, f"{pages}interact.html?budget") as here:
        text, failed = await here.client.text("interact", action="batch", tab_id=here.number, steps=steps, budget=900)
        reply = msgspec.json.decode(text)

    assert not failed
    assert len(text.encode()) <= 900
    assert "element_not_found" == reply["error"]["code"]
    assert reply["omitted"]["count"] >= 1


async def test_a_form_a_frame_and_a_drag_come_back_as_every_action_does(
    live: Settings, chrome: Browser, pages: str
) -> None:
    fields = [{"selector": "#name", "value": "Ada"}, {"selector": "#agree", "checked": True}]
    async with at(live, chrome, f"{pages}forms.html?live") as here:
        filled = await here.do("fill_form", fields=fields)
        wrong = await here.fail("fill_form", fields=[*fields, {"selector": "#none", "value": "hunter2"}])
    async with at(live, chrome, f"{pages}framed.html?live") as here:
        framed = await here.do("click", selector="#go", frame="#second")
        unknown = await here.fail("click", selector="#go", frame="#none")
    async with at(live, chrome, f"{pages}drag.html?live") as here:
        dragged = await here.do("drag", selector="#one", to="#takes")
        refused = await here.fail("drag", selector="#two", to="#refuses")

    for reply in (filled, framed, dragged):
        assert {"success", "action", "effect", "seq", "timing_ms", "dom_summary"} == reply.keys() - {"messages"}
        assert len(msgspec.json.encode(reply)) <= 200
    assert ({"index": 2, "selector": "#none"}, [0, 1]) == (wrong["details"]["field"], wrong["details"]["filled"])
    assert "hunter2" not in str(wrong)
    assert "frame" == unknown["details"]["parameter"]
    assert "drop_refused" == refused["code"]


@pytest.mark.requirement("doors-005")
async def test_a_page_of_an_allowed_folder_is_opened_without_links(
    live: Settings, chrome: Browser, pages: str, tmp_path: Path
) -> None:
    (tmp_path / "page.html").write_text("<title>Mine</title>")
    (tmp_path / "link.html").symlink_to(tmp_path / "page.html")
    gasoline(live, "allow", str(tmp_path))
    async with at(live, chrome, f"{pages}blank.html?file") as here:
        reply = await here.do("navigate", url=(tmp_path / "link.html").as_uri())
        shown = await here.tab.evaluate("[document.title, location.href]")

    assert reply["success"]
    assert ["Mine", (tmp_path / "page.html").as_uri()] == shown


@pytest.mark.requirement("doors-001", "doors-004")
async def test_a_file_of_the_user_reaches_the_page_alone(
    live: Settings, chrome: Browser, pages: str, tmp_path: Path
) -> None:
    note = tmp_path / "note.txt"
    note.write_text("what the file holds")
    async with at(live, chrome, f"{pages}uploads.html?live") as here:
        closed = await here.fail("upload", selector="#single", files=[str(note)])
        not_opened = await here.fail("navigate", url=note.as_uri())
        in_a_tab = (await here.do("batch", steps=[{"action": "new_tab", "url": note.as_uri()}]))["error"]
        gasoline(live, "allow", str(tmp_path))
        reply = await here.do("upload", selector="#single", files=[str(note)])
        told = await here.tab.evaluate("told")
        missing = await here.fail("upload", selector="#single", files=[str(tmp_path / "none")])
        ours = await here.fail("upload", selector="#single", files=[str(live.token_file)])
        events = await here.client.call("observe", what="actions", tab_id=here.number)

    assert [["note.txt", "text/plain", 19, "what the file holds"]] == told
    for error in (closed, not_opened, in_a_tab):
        assert ("file_not_allowed", str(tmp_path)) == (error["code"], error["details"]["folder"])
        assert f"`gasoline allow {tmp_path}`" in error["recovery"]
    assert 1 == reply["files"]
    assert "what the file holds" not in f"{reply}{events}{live.log_file.read_text()}"
    assert ("invalid_params", "files") == (missing["code"], missing["details"]["parameter"])
    assert "belongs to Gasoline itself" in ours["message"]
