"""A real assistant asks about a real page: through every process, the real extension and a real Chromium."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

import system
from browser.assisted import connected_browser
from browser.scene import page
from gasoline_bridge.devtools import Browser
from gasoline_broker.settings import Settings
from process.processes import gone
from system import Assistant, assistant

CALL_S = 10.0  # the time that a query has (seed 002)
PACE_S = 0.05  # between two calls under faults: several meet every phase of each
BUSY_S = 6.0  # how late an answer may be on a busy machine


@pytest.fixture(scope="module")
def live() -> Iterator[Settings]:
    """Run a system of this file's own: its processes die."""
    with system.settings() as made, system.running(made, compact=False) as up:
        yield up


@pytest.fixture(scope="module")
async def chrome(live: Settings) -> AsyncIterator[Browser]:
    async with connected_browser(live) as browser:
        yield browser


@pytest.fixture(scope="module", params=["legacy", "2026-07-28"])
def era(request: pytest.FixtureRequest) -> str:
    """Go through both eras of the protocol."""
    era: str = request.param
    return era


async def tab_id(client: Assistant, url: str) -> int:
    """Give the id of the tab with this address."""
    tabs = (await client.call("observe", what="tabs", budget=40_000))["tabs"]
    number: int = next(tab["id"] for tab in tabs if tab["url"] == url)
    return number


@pytest.mark.requirement(
    "002-004", "002-008", "002-012", "002-015", "002-029", "002-032", "002-034", "002-091", "002-093", "002-094"
)
@pytest.mark.requirement("002-101", "002-102", "002-103", "002-106", "002-107", "002-110", "002-112", "003-081")
async def test_query_dom_finds_the_elements_of_the_active_tab(
    live: Settings, chrome: Browser, pages: str, era: str
) -> None:
    async with assistant(live, era, by_command=True) as client, page(chrome, f"{pages}small.html"):
        reply = await client.call("query_dom", selector="li.product")

    assert (f"{pages}small.html", "Corner Shop", 3, 3) == (
        reply["url"],
        reply["title"],
        reply["matchCount"],
        reply["returnedCount"],
    )
    first = reply["matches"][0]
    assert {"class": "product active", "data-id": "41", "data-price": "3.20"} == first["attributes"]
    assert ("li", "Apples 3.20", True) == (first["tag"], first["text"], first["visible"])
    assert (400, 48) == (first["boundingBox"]["width"], first["boundingBox"]["height"])
    assert {"selector", "tag", "attributes", "text", "boundingBox", "visible"} == first.keys()


@pytest.mark.requirement("002-104", "002-105")
async def test_styles_and_children_come_when_asked_for(live: Settings, chrome: Browser, pages: str) -> None:
    async with assistant(live) as client, page(chrome, f"{pages}small.html"):
        reply = await client.call(
            "query_dom",
            selector="[data-id='42']",
            include_styles=True,
            include_children=True,
            properties=["display", "color"],
        )

    (match,) = reply["matches"]
    assert {"display": "flex", "color": "rgb(0, 0, 0)"} == match["styles"]
    assert [("span", {"class": "name"}, "Bread"), ("span", {"class": "price"}, "1.10")] == [
        (child["tag"], child["attributes"], child["text"]) for child in match["children"]
    ]


@pytest.mark.requirement("002-113", "002-115", "002-116", "002-117", "002-118", "002-119")
async def test_get_page_info_describes_the_page_and_observe_page_is_the_same(
    live: Settings, chrome: Browser, pages: str, era: str
) -> None:
    async with assistant(live, era) as client, page(chrome, f"{pages}small.html"):
        info = await client.call("get_page_info")
        same = await client.call("observe", what="page")

    assert info == same
    assert (f"{pages}small.html", "Corner Shop") == (info["url"], info["title"])
    assert ["Corner Shop", "Today's offers", "Imprint"] == info["headings"]
    form = info["forms"][0]
    assert ("sign-in", "/session") == (form["id"], form["action"])
    assert {"email", "country", "csrf"} <= set(form["fields"])
    assert info["viewport"]["width"] > 0
    assert {"x": 0, "y": 0} == info["scroll"]
    assert info["documentHeight"] > 2_000
    assert info["images"] == 1
    assert info["links"] == 3
    assert info["interactiveElements"] > 3


@pytest.mark.requirement("002-120", "002-121", "002-169")
async def test_a_page_of_5000_elements_gives_fifty_and_the_count(live: Settings, chrome: Browser, pages: str) -> None:
    async with assistant(live) as client, page(chrome, f"{pages}large.html"):
        reply = await client.call("query_dom", selector="body *", budget=40_000)

    assert reply["matchCount"] >= 4_999
    assert 50 == reply["returnedCount"] + reply.get("omitted", {}).get("count", 0)


async def test_a_reply_stays_within_its_budget_and_its_cursor_continues_it(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with assistant(live) as client, page(chrome, f"{pages}large.html"):
        text, _ = await client.text("query_dom", selector="body *", budget=2_000)
        assert len(text.encode()) <= 2_000
        reply = await client.call("query_dom", selector="body *", budget=2_000)
        seen = [match["selector"] for match in reply["matches"]]
        while cursor := reply.get("omitted", {}).get("cursor"):
            reply = await client.call("query_dom", selector="body *", cursor=cursor, budget=8_000)
            seen += [match["selector"] for match in reply["matches"]]

    assert 50 == len(seen) == len(set(seen))


async def test_a_strict_policy_of_the_page_changes_nothing(live: Settings, chrome: Browser, pages: str) -> None:
    async with assistant(live) as client, page(chrome, f"{pages}strict.html"):
        info = await client.call("get_page_info")
        reply = await client.call("query_dom", selector="h1")

    assert f"{pages}strict.html" == info["url"]
    assert 1 == reply["matchCount"]


@pytest.mark.parametrize("name", ["shadow.html", "frames.html", "small.html"])
async def test_every_selector_of_an_answer_finds_its_element_alone(
    live: Settings, chrome: Browser, pages: str, name: str
) -> None:
    async with assistant(live) as client, page(chrome, f"{pages}{name}"):
        found = await client.call("query_dom", selector="*", budget=40_000)
        for match in found["matches"]:
            again = await client.call("query_dom", selector=match["selector"])
            assert 1 == again["matchCount"], match["selector"]
            assert match["boundingBox"] == again["matches"][0]["boundingBox"]


async def test_open_shadow_roots_and_same_origin_frames_are_searched(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with assistant(live) as client:
        async with page(chrome, f"{pages}shadow.html"):
            shadow = await client.call("query_dom", selector="button.save", budget=40_000)
        async with page(chrome, f"{pages}frames.html"):
            frames = await client.call("query_dom", selector="p.line", budget=40_000)

    assert ["page", "first", "nested", "slotted", "second", "last"] == [match["text"] for match in shadow["matches"]]
    assert ["page", "outer", "inner", "after"] == [match["text"] for match in frames["matches"]]
    assert 2 == frames["matches"][2]["selector"].count(" >>> ")


@pytest.mark.requirement("000-115")
async def test_no_secret_of_the_page_reaches_the_assistant(live: Settings, chrome: Browser, pages: str) -> None:
    async with assistant(live) as client, page(chrome, f"{pages}secrets.html"):
        reply, _ = await client.text("query_dom", selector="body *", include_children=True, budget=40_000)
        info, _ = await client.text("get_page_info")
        outline, _ = await client.text("observe", what="outline")

    for secret in ("hunter2", "sk_live_51", "eyJhbGci", "AKIAFAKE", "4111", "fake-token-1234567890", "9f86d081"):
        assert secret not in reply + info + outline
    assert "[REDACTED]" in reply
    assert "Your key is [REDACTED] and it never expires." in outline
    assert "Ada" in reply


async def test_a_tab_in_the_background_is_asked_by_its_id(live: Settings, chrome: Browser, pages: str) -> None:
    async with assistant(live) as client, page(chrome, f"{pages}shadow.html"), page(chrome, f"{pages}small.html"):
        number = await tab_id(client, f"{pages}shadow.html")

        info = await client.call("get_page_info", tab_id=number)

    assert f"{pages}shadow.html" == info["url"]


async def test_a_selector_that_does_not_parse_is_named(live: Settings, chrome: Browser, pages: str) -> None:
    async with assistant(live) as client, page(chrome, f"{pages}small.html"):
        error = await client.error("query_dom", selector="li[[")

    assert ("invalid_params", "selector") == (error["code"], error["details"]["parameter"])
    assert "li[[" in error["message"]


@pytest.mark.parametrize(
    ("arguments", "parameter"),
    [
        ({"selector": "a", "colour": 1}, "colour"),
        ({"selector": 5}, "selector"),
        ({"selector": "a", "tab_id": "x"}, "tab_id"),
    ],
)
async def test_bad_arguments_are_named(live: Settings, era: str, arguments: dict[str, Any], parameter: str) -> None:
    async with assistant(live, era) as client:
        error = await client.error("query_dom", **arguments)

    assert ("invalid_params", parameter) == (error["code"], error["details"]["parameter"])


@pytest.mark.usefixtures("chrome")
async def test_a_tab_that_is_not_there_is_not_found(live: Settings) -> None:
    async with assistant(live) as client:
        error = await client.error("query_dom", selector="a", tab_id=999_999_999)

    assert "tab_not_found" == error["code"]
    assert "observe" in error["recovery"]


async def test_a_page_of_the_browser_is_not_scriptable(live: Settings, chrome: Browser) -> None:
    async with assistant(live) as client, page(chrome, "chrome://version/"):
        error = await client.error("query_dom", selector="a")

    assert "tab_not_scriptable" == error["code"]


@pytest.mark.requirement("002-125", "002-126")
async def test_a_page_that_is_closed_in_the_middle_of_a_call_fails_it_clearly(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with assistant(live) as client:
        tab = await chrome.new_tab(f"{pages}small.html")
        await tab.activate()
        number = await tab_id(client, f"{pages}small.html")
        await tab.send("Runtime.evaluate", expression="setTimeout(() => { for (;;); }, 0)")
        calling = asyncio.create_task(client.error("query_dom", selector="a", tab_id=number))
        await asyncio.sleep(0.2)  # the call must be under way in a page that cannot answer

        await tab.close()

        async with asyncio.timeout(CALL_S):
            error = await calling
    assert "tab_not_found" == error["code"]
    assert "closed" in error["message"]


@pytest.mark.requirement("002-036", "002-125", "002-126")
async def test_a_page_that_never_answers_is_a_deadline_and_the_next_call_works(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with assistant(live) as client:
        tab = await chrome.new_tab(f"{pages}small.html")
        await tab.activate()
        number = await tab_id(client, f"{pages}small.html")
        await tab.send("Debugger.enable")
        async with tab.expect("Debugger.paused"):  # as a page that is busy, at no cost
            await tab.evaluate("setTimeout(() => { debugger; }), 0")

        begun = asyncio.get_running_loop().time()
        error = await client.error("query_dom", selector="a", tab_id=number)
        took_s = asyncio.get_running_loop().time() - begun

        await tab.close()
        async with page(chrome, f"{pages}shadow.html"):
            await client.call("get_page_info")
    assert "deadline_exceeded" == error["code"]
    assert CALL_S - 1 < took_s < CALL_S + BUSY_S


async def restarted(client: Assistant, service: str) -> bool:
    """Kill a process, and return whether the next call works and the process alone was replaced."""
    before = await client.pids()
    os.kill(before[service], signal.SIGKILL)
    assert "Corner Shop" == (await client.call("get_page_info"))["title"]
    after = await client.all_pids(before)
    return {service} == {name for name in before | after if before.get(name) != after.get(name)}


@pytest.mark.parametrize("service", ["redaction", "bridge", "broker"])
async def test_any_process_can_be_killed_and_the_next_call_works(
    live: Settings, chrome: Browser, pages: str, service: str
) -> None:
    async with assistant(live) as client, page(chrome, f"{pages}small.html"):
        assert await restarted(client, service)


async def test_the_front_can_be_killed_in_a_session_of_either_era(
    live: Settings, chrome: Browser, pages: str, era: str
) -> None:
    async with assistant(live, era, by_command=True) as client, page(chrome, f"{pages}small.html"):
        assert await restarted(client, "front")


async def test_many_calls_at_once_are_all_answered(live: Settings, chrome: Browser, pages: str) -> None:
    async with assistant(live) as client, page(chrome, f"{pages}small.html"):
        replies = await asyncio.gather(*(client.call("query_dom", selector="li.product") for _ in range(100)))

    assert [3] * 100 == [reply["matchCount"] for reply in replies]


async def test_two_assistants_do_not_see_each_others_cursors(live: Settings, chrome: Browser, pages: str) -> None:
    async with assistant(live) as one, assistant(live) as other, page(chrome, f"{pages}large.html"):
        cut = await one.call("query_dom", selector="body *", budget=1_000)

        error = await other.error("query_dom", selector="body *", cursor=cut["omitted"]["cursor"])

    assert "not_found" == error["code"]


async def test_without_redaction_nothing_is_answered(chrome: Browser, live: Settings, pages: str) -> None:
    async with assistant(live) as client, page(chrome, f"{pages}small.html"):
        assert 0 == system.gasoline(live, "scale", "redaction=0").returncode
        text, failed = await client.text("get_page_info")
        assert 0 == system.gasoline(live, "scale", "redaction=1").returncode
        async with asyncio.timeout(system.READY_S):  # a busy machine starts it late
            while (again := await client.text("get_page_info"))[1]:
                assert "redaction_unavailable" in again[0]

        assert failed
        assert "redaction_unavailable" in text
        assert "Corner Shop" not in text
        assert "Corner Shop" in again[0]


async def test_a_redaction_that_hangs_is_replaced_within_the_call(chrome: Browser, live: Settings, pages: str) -> None:
    async with assistant(live) as client, page(chrome, f"{pages}small.html"):
        hung = (await client.pids())["redaction"]
        os.kill(hung, signal.SIGSTOP)

        assert "Corner Shop" == (await client.call("get_page_info"))["title"]
        assert hung != (await client.pids())["redaction"]


async def test_an_assistant_starts_the_system_and_without_a_browser_the_error_names_what_to_do() -> None:
    with system.settings() as settings:
        try:
            async with assistant(settings) as client:
                pids = await client.pids()
                await asyncio.sleep(3)  # longer than a link that was cut is waited for
                error = await client.error("get_page_info")
        finally:
            stopped = system.gasoline(settings, "down")

    workers = {"redaction", "diff", "audit", "regression", "screenshots", "journal"}
    assert workers | {"workers", "broker", "bridge", "front", "supervisor"} == set(pids)
    assert 1 == len({pids[name] for name in workers}), "a client starts the compact system"
    assert "extension_disconnected" == error["code"]
    assert "gasoline extension install" in error["recovery"]
    assert stopped.stdout.startswith("gasoline is stopped;")
    for pid in pids.values():
        await gone(pid)


async def test_every_kind_of_process_may_stop_pause_and_die_in_turn_under_calls(
    chrome: Browser, live: Settings, pages: str
) -> None:
    ended, wrong, right = asyncio.Event(), list[str](), 0

    async def keep_calling(client: system.Assistant) -> None:
        nonlocal right
        while not ended.is_set():
            text, failed = await client.text("get_page_info")
            right += not failed
            wrong.extend([text] if failed else [])
            await asyncio.sleep(PACE_S)

    async with (
        assistant(live) as client,
        assistant(live) as looking,
        page(chrome, f"{pages}small.html"),
        asyncio.TaskGroup() as group,
    ):
        group.create_task(keep_calling(client))
        for service in ("redaction", "bridge", "front", "broker"):
            for number in (signal.SIGSTOP, signal.SIGTERM, signal.SIGKILL):
                pid = (await looking.pids())[service]
                os.kill(pid, number)
                if number is signal.SIGSTOP:
                    await asyncio.sleep(1.5)  # the dose
                    os.kill(pid, signal.SIGCONT)
                else:
                    await gone(pid)
                    await looking.connected()
        ended.set()

    assert [] == wrong
    assert right > 5
