"""Resources, prompts, completions and subscriptions, as clients of both eras use them on a real page."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp.shared.subscriptions import ResourceUpdated
from mcp.types import (
    PromptReference,
    ResourceTemplateReference,
    ResourceUpdatedNotification,
    TextContent,
    TextResourceContents,
)

from browser.assisted import Scene, at
from browser.drawing import annotate, around
from browser.input import press
from forked_shim import shim
from gasoline_bridge.devtools import Browser, until
from gasoline_broker.settings import Settings
from system import GASOLINE

pytestmark = pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")  # of the older era

ERRORS, ANNOTATIONS = "gasoline://journal/errors", "gasoline://annotations"
SAVED = {"report": "text/html", "har": "application/json", "test": "text/plain"}
FAILS = "setTimeout(() => { throw new Error('it failed, run %s') }), 0"

Heard = Callable[[], Coroutine[Any, Any, str]]


@asynccontextmanager
async def subscribed(live: Settings, era: str) -> AsyncIterator[tuple[Client, Heard]]:
    """Connect a client that subscribes to what changes, and give what it hears."""
    updates: asyncio.Queue[str] = asyncio.Queue()

    async def handle(message: object) -> None:
        if isinstance(message, ResourceUpdatedNotification):
            updates.put_nowait(str(message.params.uri))

    async def heard() -> str:
        async with asyncio.timeout(20):
            return await updates.get()

    async with Client(shim(GASOLINE, os.environ | live.environ()), mode=era, message_handler=handle) as client:
        if era == "legacy":
            for uri in (ERRORS, ANNOTATIONS):
                await client.subscribe_resource(uri)
            yield client, heard
            return
        async with client.listen(resource_subscriptions=[ERRORS, ANNOTATIONS]) as stream:

            async def pump() -> None:
                async for event in stream:
                    if isinstance(event, ResourceUpdated):
                        updates.put_nowait(event.uri)

            pumping = asyncio.create_task(pump())
            yield client, heard
            pumping.cancel()


async def text_at(client: Client, uri: str) -> dict[str, Any]:
    (content,) = (await client.read_resource(uri)).contents
    assert isinstance(content, TextResourceContents)
    assert "application/json" == content.mime_type
    read: dict[str, Any] = msgspec.json.decode(content.text)
    return read


@pytest.mark.requirement("clients-002")
async def test_what_the_journal_has_is_read_by_its_address(live: Settings, chrome: Browser, pages: str) -> None:
    async with at(live, chrome, f"{pages}drawn.html?resources") as here:
        await here.tab.evaluate(FAILS % "one")
        client = here.client.client
        templates = {one.name: one.uri_template for one in (await client.list_resource_templates()).resource_templates}
        listed = {str(one.uri): one.title for one in (await client.list_resources()).resources}
        errors = await until(lambda: _with_errors(client, here), "the error in the journal")
        drawn, baselines = await text_at(client, ANNOTATIONS), await text_at(client, "gasoline://baselines")
        with pytest.raises(MCPError) as refused:
            await client.read_resource("gasoline://journal/tabs")

    assert {"screenshot", "journal", "annotations", "report"} == set(templates)
    assert {ERRORS, ANNOTATIONS, "gasoline://journal/logs", "gasoline://baselines"} <= set(listed)
    assert "it failed, run one" in str(errors["errors"][0])
    assert "annotations" in drawn or "status" in drawn
    assert "baselines" in baselines
    assert -32602 == refused.value.error.code


async def _with_errors(client: Client, here: Scene) -> dict[str, Any] | None:
    read = await text_at(client, f"{ERRORS}?tab_id={here.number}")
    return read if read["errors"] else None


@pytest.mark.requirement("clients-001", "clients-003")
@pytest.mark.parametrize("era", ["legacy", "2026-07-28"])
async def test_ids_and_names_are_completed(live: Settings, chrome: Browser, pages: str, era: str) -> None:
    async with at(live, chrome, f"{pages}drawn.html?completed") as here:
        picture = (await here.client.call("observe", what="screenshot", tab_id=here.number))["id"]
        async with Client(shim(GASOLINE, os.environ | live.environ()), mode=era) as client:

            async def completed(uri: str, name: str, value: str) -> list[str]:
                return (
                    await client.complete(ResourceTemplateReference(uri=uri), {"name": name, "value": value})
                ).completion.values

            pictures = await completed("gasoline://screenshots/{id}", "id", picture[:6])
            kinds = await completed("gasoline://journal/{what}{?tab_id}", "what", "e")
            tabs = await completed("gasoline://journal/{what}{?tab_id}", "tab_id", "")
            baselines = await client.complete(
                PromptReference(name="what-changed"), {"name": "baseline", "value": "no such"}
            )
            names = [one.name for one in (await client.list_prompts()).prompts]
            prompt = await client.get_prompt("what-changed", {"baseline": "before"})

    assert picture in pictures
    assert {"effects", "errors"} >= set(kinds) >= {"errors"}
    assert str(here.number) in tabs
    assert [] == baselines.completion.values
    assert "debug-this-page" in names
    assert isinstance(prompt.messages[0].content, TextContent)
    assert 'name:"before"' in prompt.messages[0].content.text


@pytest.mark.requirement("clients-020")
async def test_what_generate_saved_is_listed_completed_and_read(live: Settings, chrome: Browser, pages: str) -> None:
    async with at(live, chrome, f"{pages}drawn.html?reports") as here:
        await here.do("click", selector="h1")
        saved = [await here.client.call("generate", what=what, tab_id=here.number) for what in SAVED]
        paths = [Path(one["path"]) for one in saved]
        client = here.client.client
        listed = {str(one.uri): (one.mime_type, one.size) for one in (await client.list_resources()).resources}
        read = [await report_of(client, path.name) for path in paths]
        reference = ResourceTemplateReference(uri="gasoline://reports/{file}")
        completed = (await client.complete(reference, {"name": "file", "value": paths[0].name[:8]})).completion.values

    assert [(kind, path.read_text()) for kind, path in zip(SAVED.values(), paths, strict=True)] == read
    assert [(kind, path.stat().st_size) for kind, path in zip(SAVED.values(), paths, strict=True)] == [
        listed[f"gasoline://reports/{path.name}"] for path in paths
    ]
    assert {path.name for path in paths} <= set(completed)


async def report_of(client: Client, name: str) -> tuple[str | None, str]:
    (content,) = (await client.read_resource(f"gasoline://reports/{name}")).contents
    assert isinstance(content, TextResourceContents)
    return content.mime_type, content.text


@pytest.mark.requirement("clients-004")
@pytest.mark.parametrize("era", ["legacy", "2026-07-28"])
async def test_a_client_hears_of_a_new_error_and_of_what_was_drawn(
    live: Settings, chrome: Browser, pages: str, era: str
) -> None:
    async with at(live, chrome, f"{pages}drawn.html?heard") as here, subscribed(live, era) as (_client, heard):
        await here.tab.evaluate(FAILS % "two")
        first = await heard()
        await here.do("draw_mode_start")
        await annotate(here.tab, await around(here.tab, "buy"), "This button")
        await press(here.tab, "Escape")
        heard_then = [await heard()]
        while ANNOTATIONS not in heard_then:  # an error may be told of twice: with what came around it
            heard_then.append(await heard())

    assert ERRORS == first
    assert {ERRORS, ANNOTATIONS} >= {*heard_then}


@pytest.mark.requirement("clients-004")
async def test_a_subscription_outlives_the_front(live: Settings, chrome: Browser, pages: str) -> None:
    async with at(live, chrome, f"{pages}drawn.html?outlived") as here, subscribed(live, "legacy") as (client, heard):
        pid = (await here.client.pids())["front"]
        os.kill(pid, signal.SIGKILL)
        hearing = asyncio.create_task(heard())
        while not hearing.done():  # the next front is on its way, and what is there when it comes is no news
            await here.tab.evaluate(FAILS % "again")
            await asyncio.wait([hearing], timeout=0.5)

        await client.unsubscribe_resource(ERRORS)
        with pytest.raises(MCPError) as refused:
            await client.subscribe_resource("gasoline://screenshots/x")

    assert ERRORS == hearing.result()
    assert "does not change" in refused.value.error.message
