"""What the service worker does with what content scripts captured: in order, once, within limits, and never lost."""

import asyncio
import json
from typing import Any, Final

import pytest

from browser.extension.conftest import Stage, logs, say, switch_pilot, texts, told, until_told
from browser.scene import held
from gasoline_bridge.devtools import until

FLOOD: Final = 5_000
BURST: Final = 2_000


async def counts(stage: Stage) -> Any:
    """Read the counters that the popup shows."""
    return (await stage.in_worker("chrome.storage.session.get('counts')")).get("counts", {})


async def kept(stage: Stage) -> list[str]:
    """List the chunks that the worker has laid down."""
    items = await stage.in_worker("chrome.storage.session.get()")
    return [key for key in items if key.startswith("chunk:")]


@pytest.mark.requirement("capture-026")
@pytest.mark.requirement("002-014")
async def test_what_comes_together_travels_together_and_in_order(stage: Stage) -> None:
    tab, number = await stage.visit()
    await stage.bridge.until_stored(type="state", front=number)
    stage.bridge.heard.clear()

    await tab.evaluate(
        "for (let n = 0; n < 20; n++) document.dispatchEvent(new CustomEvent('capture', { detail: JSON.stringify(["
        "{ ts: 1, type: 'console', level: 'log', args: [n] }]) }))"
    )
    events = await stage.bridge.until_stored(20, tab=number)

    assert texts(events) == list(range(20))
    assert len([said for said in stage.bridge.heard if said["type"] == "events"]) <= 3


async def test_chrome_states_where_events_come_from_and_no_message_does(stage: Stage) -> None:
    tab, number = await stage.visit("frames.html")
    await say(tab, "capture", logs("top"))

    await stage.bridge.until_stored(tab=number, type="console")
    (chunk,) = [chunk for chunk in stage.bridge.stored.values() if chunk["tab"] == number]

    assert (chunk["frame"], chunk["page"], chunk["load"]) == (0, stage.pages + "frames.html", "5f3a9c01")


async def test_what_a_page_captured_before_a_result_is_stored_before_it(stage: Stage) -> None:
    tab, number = await stage.visit()
    await say(tab, "hold", logs("held back"))

    command = await stage.bridge.command("get_page_info", {"tab_id": number})
    await stage.bridge.until_heard(type="result", id=command)

    assert texts(stage.bridge.events(number)) == ["held back"]


async def test_a_command_that_concerns_no_page_sends_what_is_there_first(stage: Stage) -> None:
    tab, number = await stage.visit()
    worker = await stage.browser.service_worker()
    await worker.evaluate("chrome.storage.session.remove('counts')")
    stage.bridge.heard.clear()
    await say(tab, "capture", logs("just now"))
    await worker.until("chrome.storage.session.get('counts').then(({ counts }) => counts)")

    await stage.bridge.result("list_tabs")
    await worker.detach()

    kinds = [said["type"] for said in stage.bridge.heard]
    assert kinds.index("events") < kinds.index("result")
    assert texts(stage.bridge.events(number)) == ["just now"]


async def _counted(stage: Stage, count: int) -> bool:
    captured: int = (await counts(stage)).get("captured", {}).get("console", 0)
    return captured >= count


async def test_what_comes_by_message_and_by_the_look_into_the_queue_is_stored_once(stage: Stage) -> None:
    tab, number = await stage.visit()
    for text in range(10):
        await say(tab, "hold", logs(text))
        await stage.bridge.result("get_page_info", tab_id=number)

    assert texts(stage.bridge.events(number)) == list(range(10))


async def test_what_was_not_stored_is_sent_again_after_the_server_was_away(stage: Stage) -> None:
    tab, number = await stage.visit()
    stage.bridge.storing = False
    await say(tab, "capture", logs("before"))
    await stage.bridge.until_heard(type="events")
    await stage.bridge.stop()
    await say(tab, "capture", logs("meanwhile"))
    stage.bridge.storing = True

    await stage.bridge.start()
    events = await stage.bridge.until_stored(2, tab=number, type="console")

    assert texts(events) == ["before", "meanwhile"]


async def test_what_was_not_stored_survives_the_worker(stage: Stage) -> None:
    tab, number = await stage.visit()
    stage.bridge.storing = False
    await say(tab, "capture", logs("unconfirmed"))
    await until(lambda: kept(stage), "the chunk to be laid down")

    await stage.browser.stop_service_worker()
    stage.bridge.storing = True
    await say(tab, "capture", logs("after"))
    events = await stage.bridge.until_stored(2, tab=number, type="console")

    assert texts(events) == ["unconfirmed", "after"]
    await until(lambda: _nothing_kept(stage), "the backlog to be emptied")


async def _nothing_kept(stage: Stage) -> bool:
    return not await kept(stage)


async def test_what_was_sent_to_a_dead_worker_wakes_it_and_arrives(stage: Stage) -> None:
    tab, number = await stage.visit()
    await stage.browser.stop_service_worker()

    await say(tab, "capture", logs("wake up"))

    assert texts(await stage.bridge.until_stored(tab=number, type="console")) == ["wake up"]


async def test_a_result_that_is_sent_again_comes_after_the_events_before_it(stage: Stage) -> None:
    tab, number = await stage.visit()
    await switch_pilot(stage.browser, on=True)  # the answer of what only reads is not kept
    stage.bridge.acknowledging = stage.bridge.storing = False
    await say(tab, "hold", logs("first"))
    command = await stage.bridge.command("execute", {"tab_id": number, "script": "1", "timeout_ms": 5_000})
    await stage.bridge.until_heard(type="result", id=command)
    stage.bridge.heard.clear()
    stage.bridge.acknowledging = stage.bridge.storing = True

    await stage.bridge.hang_up()
    await stage.bridge.until_heard(type="result", id=command)

    kinds = [said["type"] for said in stage.bridge.heard]
    assert kinds[:2] == ["hello", "events"]
    assert texts(stage.bridge.events(number)) == ["first"]


async def test_a_flood_is_cut_for_its_tab_alone_and_what_is_cut_is_counted(stage: Stage) -> None:
    calm, calm_number = await stage.visit("strict.html")
    wild, wild_number = await stage.visit()
    await stage.in_worker("chrome.storage.session.remove('counts')")

    await say(wild, "capture", logs(*range(FLOOD)))
    await say(calm, "capture", logs("calm"))
    (dropped,) = await stage.bridge.until_stored(tab=wild_number, type="dropped")
    passed = await stage.bridge.until_stored(tab=calm_number, type="console")

    through = len(stage.bridge.events(wild_number, type="console"))
    assert BURST <= through < FLOOD
    assert (dropped["of"], dropped["count"], dropped["why"]) == ("console", FLOOD - through, "rate")
    assert texts(passed) == ["calm"]


async def test_damaged_chunks_are_passed_over_and_the_next_good_one_is_stored(stage: Stage) -> None:
    tab, number = await stage.visit()
    for events in ([], [{"type": "nonsense", "ts": 1}], [{"type": "console"}], logs(*range(FLOOD + 1))):
        await say(tab, "capture", events)

    await say(tab, "capture", logs("good"))

    assert texts(await stage.bridge.until_stored(tab=number, type="console")) == ["good"]


async def test_a_page_of_the_extension_can_place_no_event(stage: Stage) -> None:
    popup = await stage.browser.popup()
    stage.bridge.stored.clear()

    answer = await popup.evaluate(
        "chrome.runtime.sendMessage({ name: 'events', chunks: [{ id: 'a'.repeat(32), load: '5f3a9c01', page: '',"
        " events: [{ ts: 1, type: 'console', level: 'log', args: [] }] }] }).catch(() => 'no one')"
    )
    await popup.close()
    await stage.bridge.result("list_tabs")

    assert answer in (None, "no one")
    assert stage.bridge.events(type="console") == []


async def test_each_greeting_is_followed_by_what_the_human_has_set(stage: Stage) -> None:
    _, number = await stage.visit()
    stage.bridge.stored.clear()

    await stage.bridge.hang_up()
    (state, *_) = await stage.bridge.until_stored(tab=0, type="state")

    assert {key: state[key] for key in state if key != "ts"} == {
        "type": "state",
        "front": number,
        "tracked": None,
        "websockets": True,
        "bodies": False,
        "allTabs": True,
    }


async def test_a_change_of_the_tab_in_front_is_reported(stage: Stage) -> None:
    first, one = await stage.visit()
    _, other = await stage.visit("strict.html")
    await stage.bridge.until_stored(type="state", front=other)
    stage.bridge.stored.clear()

    await first.activate()

    assert await stage.bridge.until_stored(type="state", front=one)


@pytest.mark.requirement("002-061", "002-090")
async def test_at_first_pages_capture_websockets_and_no_bodies(stage: Stage) -> None:
    tab, _ = await stage.visit()

    await say(tab, "capture", logs("hello"))

    await until_told(tab, on=True, websockets=True, bodies=False)
    assert (await told(tab))["presets"] == []


@pytest.mark.parametrize(
    ("setting", "capture"),
    [("captureNetworkBodies", {"bodies": True}), ("captureWebSockets", {"websockets": False})],
)
async def test_a_switch_reaches_open_pages_and_holds_in_new_ones_from_their_first_moment(
    stage: Stage, setting: str, capture: dict[str, bool]
) -> None:
    tab, _ = await stage.visit()

    (value,) = capture.values()
    await stage.set(**{setting: value})
    await until_told(tab, **capture)
    await until(lambda: stage.in_worker("chrome.scripting.getRegisteredContentScripts()"), "the preset")
    later, _ = await stage.visit("strict.html")
    await stage.bridge.until_stored(type="state", **capture)

    assert (await told(later))["presets"] == [capture]


async def test_a_switch_that_is_put_back_leaves_no_preset(stage: Stage) -> None:
    tab, _ = await stage.visit()
    await stage.set(captureNetworkBodies=True)
    await until(lambda: stage.in_worker("chrome.scripting.getRegisteredContentScripts()"), "the preset")

    await stage.set(captureNetworkBodies=False)
    await until_told(tab, bodies=False)

    async def none() -> bool:
        return not await stage.in_worker("chrome.scripting.getRegisteredContentScripts()")

    assert await until(none, "the preset to be gone")


async def test_with_every_tab_switched_off_nothing_is_captured(stage: Stage) -> None:
    tab, number = await stage.visit()
    await stage.set(captureAllTabs=False)
    await until_told(tab, on=False)

    await say(tab, "capture", logs("unwanted"))
    await stage.bridge.result("get_page_info", tab_id=number)

    assert stage.bridge.events(number) == []


async def test_the_counters_survive_the_worker(stage: Stage) -> None:
    tab, number = await stage.visit()
    await stage.in_worker("chrome.storage.session.remove('counts')")
    await stage.browser.stop_service_worker()
    await say(tab, "capture", logs(1, 2, 3))
    await until(lambda: _counted(stage, 3), "three to be counted")

    await stage.browser.stop_service_worker()
    await say(tab, "capture", logs(4))
    await stage.bridge.until_stored(4, tab=number, type="console")
    await until(lambda: _counted(stage, 4), "four to be counted")

    assert (await counts(stage))["captured"]["console"] == 4


async def test_the_settings_are_closed_to_content_scripts(stage: Stage) -> None:
    _, number = await stage.visit()

    seen = await stage.in_worker(
        f"chrome.scripting.executeScript({{ target: {{ tabId: {number} }},"
        " func: () => chrome.storage.local.get().then(() => 'open', () => 'closed') }).then(([{ result }]) => result)"
    )

    assert seen == "closed"


async def test_a_command_on_a_page_that_hangs_costs_half_a_second_at_most(stage: Stage) -> None:
    tab, number = await stage.visit()
    await tab.send("Debugger.enable")
    async with tab.expect("Debugger.paused"):
        await tab.evaluate("void setTimeout(() => { debugger; })")
    begun = asyncio.get_running_loop().time()

    answer = await stage.bridge.ask("query_dom", {"selector": "h1", "tab_id": number}, timeout_ms=300)
    took_s = asyncio.get_running_loop().time() - begun
    await tab.send("Debugger.resume")

    assert answer["error"]["code"] == "deadline_exceeded"
    assert took_s < 6  # a page that answers is given 10 s


async def test_a_page_that_was_open_before_is_captured_in_every_frame_and_its_own_world_left_alone(
    stage: Stage,
) -> None:
    tab, number = await stage.visit("frames.html")
    settings = await stage.browser.new_tab("chrome://extensions/")
    await settings.evaluate("chrome.developerPrivate.updateProfileConfiguration({ inDeveloperMode: true })")
    stage.bridge.heard.clear()
    await settings.evaluate(f"chrome.developerPrivate.reload({stage.browser.extension_id!r}, {{ failQuietly: true }})")
    await stage.bridge.until_heard(type="hello")
    await settings.close()

    async def frames() -> Any:
        return await stage.in_worker(
            f"chrome.scripting.executeScript({{ target: {{ tabId: {number}, allFrames: true }},"
            " func: () => `${typeof globalThis.gasoline?.relay?.flush} ${typeof runs}` })"
            ".then((all) => all.map(({ result }) => result))"
        )

    async def everywhere() -> bool:
        seen = await frames()
        return len(seen) > 1 and set(seen) == {"function undefined"}

    await until(everywhere, "the relay in every frame")
    await say(tab, "hold", logs("late"))
    await stage.bridge.result("get_page_info", tab_id=number)

    assert texts(stage.bridge.events(number)) == ["late"]
    assert await tab.evaluate("globalThis.runs") == 1


async def hold_in_frames(stage: Stage, number: int, text: str) -> None:
    """Have the relay of every frame of a tab hold a line of the console."""
    detail = json.dumps(json.dumps(logs(text)))
    await stage.in_worker(
        f"chrome.scripting.executeScript({{ target: {{ tabId: {number}, allFrames: true }}, args: [{detail}],"
        " func: (detail) => void document.dispatchEvent(new CustomEvent('hold', { detail })) }).then(() => 0)"
    )


async def test_what_the_frames_of_a_page_captured_is_stored_before_a_result_too(stage: Stage) -> None:
    _, number = await stage.visit("frames.html")
    await hold_in_frames(stage, number, "held")

    await stage.bridge.result("get_page_info", tab_id=number)

    frames = {chunk["frame"] for chunk in stage.bridge.stored.values() if chunk["tab"] == number}
    assert 0 in frames
    assert len(frames) > 1
    assert len(stage.bridge.events(number)) == len(frames)


async def test_a_frame_that_hangs_delays_a_result_by_half_a_second_and_no_more(stage: Stage, pages: str) -> None:
    tab, number = await stage.visit()
    foreign = pages.replace("127.0.0.1", "localhost") + "small.html"  # another site: another process
    await tab.evaluate(
        "new Promise((done) => { const frame = document.createElement('iframe'); frame.onload = () => done();"
        f" frame.src = '{foreign}'; document.body.append(frame); }})"
    )
    await stage.in_worker(
        f"chrome.scripting.executeScript({{ target: {{ tabId: {number}, allFrames: true }},"
        f" func: () => {{ if (window !== top) setTimeout(() => {held(60_000)}); }} }}).then(() => 0)"
    )
    begun = asyncio.get_running_loop().time()

    info = await stage.bridge.result("get_page_info", tab_id=number)

    assert info["url"] == f"{stage.pages}small.html"
    assert asyncio.get_running_loop().time() - begun < 6
