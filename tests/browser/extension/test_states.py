"""What `save_state` and `load_state` keep of real pages, and what they put back."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import urlsplit

import pytest

from browser import scene
from browser.bridge_double import BridgeDouble
from browser.scene import Open
from gasoline_bridge.devtools import Browser, Tab
from gasoline_demo.site import free_port

pytestmark = pytest.mark.usefixtures("acting")

KEY = "gasoline_snapshots"


@pytest.fixture(autouse=True)
async def _nothing_kept(chromium: Browser) -> AsyncIterator[None]:
    """Forget every snapshot and cookie, before and after."""
    await in_worker(chromium, f"chrome.storage.local.remove('{KEY}')")
    await clear_cookies(chromium)
    yield
    await in_worker(chromium, f"chrome.storage.local.remove('{KEY}')")
    await clear_cookies(chromium)


async def in_worker(chromium: Browser, expression: str) -> Any:
    """Evaluate in the service worker."""
    worker = await chromium.service_worker()
    try:
        return await worker.evaluate(expression)
    finally:
        await worker.detach()


async def clear_cookies(chromium: Browser) -> None:
    """Remove every cookie there is."""
    await chromium.send("Storage.clearCookies")


async def cookies(chromium: Browser) -> dict[str, dict[str, Any]]:
    """Give every cookie there is, by name."""
    return {cookie["name"]: cookie for cookie in (await chromium.send("Storage.getCookies"))["cookies"]}


async def log_in(tab: Tab, user: str, cart: str, step: str) -> None:
    """Log in, and store something."""
    await tab.evaluate(f"fetch('/api/log-in?user={user}').then(() => 0)")
    await tab.evaluate(f"localStorage.clear(), localStorage.setItem('cart', '{cart}')")
    await tab.evaluate(f"sessionStorage.clear(), sessionStorage.setItem('step', '{step}')")


async def log_out(tab: Tab, chromium: Browser) -> None:
    """Lose everything."""
    await clear_cookies(chromium)
    await tab.evaluate("localStorage.clear(), sessionStorage.clear()")


async def tampered(chromium: Browser, name: str, change: str) -> None:
    """Change what a snapshot holds: `state` in a statement."""
    await in_worker(
        chromium,
        f"""chrome.storage.local.get('{KEY}').then(async ({{ {KEY}: all }}) => {{
          const state = JSON.parse(all['{name}'].data);
          {change};
          all['{name}'].data = JSON.stringify(state);
          await chrome.storage.local.set({{ {KEY}: all }});
        }})""",
    )


def other_host(pages: str) -> str:
    """Give the same pages as another origin."""
    return pages.replace("127.0.0.1", "localhost")


@pytest.mark.requirement("003-032", "003-033", "003-035", "pilot-012", "pilot-013")
async def test_a_user_that_was_logged_in_is_logged_in_again(
    visit: Open, bridge: BridgeDouble, chromium: Browser
) -> None:
    tab = await visit("account.html?shelf=2")
    await log_in(tab, "ada", "apples", "pay")

    saved = await bridge.result("save_state", snapshot_name="at the till")
    await log_out(tab, chromium)
    await tab.evaluate("localStorage.setItem('later', '1')")
    await tab.navigate(await tab.evaluate("location.origin") + "/account.html")
    out = await tab.evaluate("told")
    loaded = await bridge.result("load_state", snapshot_name="at the till")

    assert saved == {"success": True, "snapshot_name": "at the till", "size_bytes": saved["size_bytes"]}
    assert saved["size_bytes"] > 100
    assert out == {"cart": None, "step": None, "user": None}
    assert loaded == {
        "success": True,
        "snapshot_name": "at the till",
        "restored": {"localStorage": 1, "sessionStorage": 1, "cookies": 1},
        "url": await tab.evaluate("location.href"),
    }
    assert loaded["url"].endswith("/account.html?shelf=2")
    assert await tab.evaluate("told") == {"cart": "apples", "step": "pay", "user": "ada"}
    assert await tab.evaluate("localStorage.length") == 1
    assert (await cookies(chromium))["account"]["httpOnly"]


async def test_without_the_url_the_page_stays_as_it_is(visit: Open, bridge: BridgeDouble, chromium: Browser) -> None:
    tab = await visit("account.html")
    await log_in(tab, "ada", "apples", "pay")
    await bridge.result("save_state", snapshot_name="one")
    await log_out(tab, chromium)
    await tab.evaluate("globalThis.mark = 1")

    loaded = await bridge.result("load_state", snapshot_name="one", include_url=False)
    await tab.evaluate("localStorage.setItem('cart', 'pears')")
    kept = await tab.evaluate("[mark, sessionStorage.step]")
    await tab.navigate(await tab.evaluate("location.href"))

    assert "url" not in loaded
    assert loaded["restored"] == {"localStorage": 1, "sessionStorage": 1, "cookies": 1}
    assert kept == [1, "pay"]
    assert await tab.evaluate("told") == {"cart": "pears", "step": "pay", "user": "ada"}


@pytest.mark.parametrize("left_at", ["account.html?stubborn", "account.html?stubborn#other", "account.html?stubborn&2"])
async def test_what_a_page_stores_while_it_is_left_does_not_win(
    visit: Open, bridge: BridgeDouble, left_at: str
) -> None:
    tab = await visit("account.html?stubborn#saved")
    await log_in(tab, "ada", "apples", "pay")
    await bridge.result("save_state", snapshot_name="one")
    await tab.evaluate(f"location.href = '{left_at}'")
    arrived = "document.readyState === 'complete' && frames.length && told.then(() => 1)"
    await tab.until(f"location.href.endsWith('{left_at}') && {arrived}")
    await tab.evaluate("globalThis.old = 1")

    loaded = await bridge.result("load_state", snapshot_name="one")

    assert loaded["url"].endswith("account.html?stubborn#saved")
    assert await tab.evaluate("typeof old") == "undefined"
    assert await tab.evaluate("told") == {"cart": "apples", "step": "pay", "user": "ada"}


async def test_odd_keys_and_values_come_back_as_they_were(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("account.html")
    odd = {
        "__proto__": "p",
        "getItem": "g",
        "length": "9",
        "constructor": "c",
        "": "empty",
        "a.b": "",
        "half": "\ud800x",
    }
    fill = f"for (const [key, value] of {json.dumps(list(odd.items()))}) localStorage.setItem(key, value)"
    await tab.evaluate(f"localStorage.clear(); {fill}")

    await bridge.result("save_state", snapshot_name="constructor")
    await tab.evaluate("localStorage.clear()")
    loaded = await bridge.result("load_state", snapshot_name="constructor")

    units = "[...Array(value.length).keys()].map((at) => value.charCodeAt(at))"
    seen = await tab.evaluate(
        "Array.from({length: localStorage.length}, (_, at) => localStorage.key(at))"
        f".map((key) => [key, localStorage.getItem(key)]).map(([key, value]) => [key, {units}])"
    )
    assert loaded["restored"]["localStorage"] == len(odd)
    assert dict(seen) == {key: [ord(letter) for letter in value] for key, value in odd.items()}


@pytest.mark.requirement("pilot-012")
async def test_every_cookie_that_the_page_may_use_is_kept_and_no_other(
    visit: Open, bridge: BridgeDouble, chromium: Browser, pages: str
) -> None:
    tab = await visit("small.html")
    port = urlsplit(pages).port
    await tab.navigate(f"http://shop.example.localhost:{port}/account.html")
    ours = {
        "host_only": "host_only=1",
        "deep": "deep=2; Path=/api/deep",
        "lasting": "lasting=3; Max-Age=5000; SameSite=Strict",
        "of_domain": "of_domain=4; Domain=example.localhost",
        "safe": "safe=5; Secure",
        "parted": "parted=6; Secure; SameSite=None; Path=/; Partitioned",
        "__Host-x": "__Host-x=7; Secure; Path=/",
    }
    for cookie in ours.values():
        await tab.evaluate(f"void (document.cookie = '{cookie}')")
    await tab.evaluate("fetch('/api/log-in?user=ada&domain=example.localhost').then(() => 0)")
    await tab.navigate(f"http://other.example.localhost:{port}/account.html")
    await tab.evaluate("void (document.cookie = 'foreign=8')")
    await tab.navigate(f"http://example.localhost:{port}/account.html")
    await tab.evaluate("void (document.cookie = 'host_only=parent')")
    await tab.navigate(f"http://shop.example.localhost:{port}/account.html")

    def facts(found: list[dict[str, Any]]) -> list[str]:
        # what the extension's interface neither reads nor sets
        source = ("sourceScheme", "sourcePort")
        return sorted(json.dumps({key: value for key, value in one.items() if key not in source}) for one in found)

    before = (await chromium.send("Storage.getCookies"))["cookies"]
    await bridge.result("save_state", snapshot_name="jar")
    mine = [one for one in before if one["name"] != "foreign" and one["value"] != "parent"]
    for one in mine:
        await tab.send("Network.deleteCookies", name=one["name"], domain=one["domain"], path=one["path"],
                       **({"partitionKey": one["partitionKey"]} if "partitionKey" in one else {}))  # fmt: skip
    await tab.evaluate("void (document.cookie = 'since=9')")
    loaded = await bridge.result("load_state", snapshot_name="jar", include_url=False)

    after = (await chromium.send("Storage.getCookies"))["cookies"]
    assert {one["name"] for one in before} == {*ours, "account", "foreign"}
    assert [one["name"] for one in before if "partitionKey" in one] == ["parted"]
    assert (loaded["restored"]["cookies"], loaded.get("refused")) == (8, None)
    assert facts(after) == facts(before)


@pytest.mark.requirement("pilot-014")
async def test_cookies_that_chrome_refuses_are_named_and_the_others_are_set(
    visit: Open, bridge: BridgeDouble, chromium: Browser
) -> None:
    tab = await visit("account.html")
    await log_in(tab, "ada", "apples", "pay")
    await bridge.result("save_state", snapshot_name="one")
    await tampered(
        chromium,
        "one",
        "const [good] = state.cookies; state.cookies.push({...good, name: 'old', session: false, expirationDate: 1},"
        "{...good, name: '__Host-bare'}, {...good, name: 'wide', hostOnly: false, domain: 'example.test'},"
        "{...good, name: 'long', value: 'secret'.repeat(1000)})",
    )

    loaded = await bridge.result("load_state", snapshot_name="one")

    assert loaded["restored"]["cookies"] == 1
    assert loaded["refused"] == [
        {"kind": "cookie", "name": "old", "reason": "expired"},
        {"kind": "cookie", "name": "__Host-bare", "reason": "its name demands Secure"},
        {"kind": "cookie", "name": "wide", "reason": "refused by Chrome"},
        {"kind": "cookie", "name": "long", "reason": "refused by Chrome"},
    ]
    assert "secret" not in json.dumps(loaded)
    assert await tab.evaluate("told") == {"cart": "apples", "step": "pay", "user": "ada"}


@pytest.mark.requirement("pilot-014")
async def test_an_entry_that_finds_no_room_is_named_and_the_others_are_stored(
    visit: Open, bridge: BridgeDouble, chromium: Browser
) -> None:
    tab = await visit("account.html")
    await log_in(tab, "ada", "apples", "pay")
    await bridge.result("save_state", snapshot_name="one")
    await tampered(chromium, "one", "state.localStorage.unshift(['huge', 'x'.repeat(6_000_000)])")

    loaded = await bridge.result("load_state", snapshot_name="one")

    assert loaded["restored"]["localStorage"] == 1
    assert loaded["refused"] == [{"kind": "localStorage", "name": "huge", "reason": "quota exceeded"}]
    assert (await tab.evaluate("told"))["cart"] == "apples"


@pytest.mark.requirement("fields-001")
async def test_more_refused_entries_than_a_reply_lists_are_counted(
    visit: Open, bridge: BridgeDouble, chromium: Browser
) -> None:
    tab = await visit("account.html")
    await log_in(tab, "ada", "apples", "pay")
    await bridge.result("save_state", snapshot_name="one")
    expired = "({...good, name: `old-${n}`, session: false, expirationDate: 1})"
    await tampered(
        chromium,
        "one",
        f"const [good] = state.cookies; for (let n = 0; n < 51; n++) state.cookies.push({expired})",
    )

    loaded = await bridge.result("load_state", snapshot_name="one", include_url=False)

    assert (50, 51) == (len(loaded["refused"]), loaded["refused_count"])


@pytest.mark.requirement("pilot-032")
async def test_a_state_of_another_origin_is_loaded_where_it_belongs(
    visit: Open, bridge: BridgeDouble, chromium: Browser, pages: str
) -> None:
    tab = await visit("account.html")
    await tab.navigate(other_host(pages) + "account.html?x=1#y")
    await log_in(tab, "eve", "nuts", "start")
    await bridge.result("save_state", snapshot_name="theirs")
    await log_out(tab, chromium)
    await tab.navigate(pages + "account.html")
    await log_in(tab, "ada", "apples", "pay")

    refused = await bridge.error("load_state", snapshot_name="theirs", include_url=False)
    untouched = await tab.evaluate("[localStorage.cart, sessionStorage.step]")
    loaded = await bridge.result("load_state", snapshot_name="theirs")
    there = await tab.evaluate("told")
    await tab.navigate(pages + "account.html")

    origin = other_host(pages).rstrip("/")
    assert refused["code"] == "origin_mismatch"
    assert refused["details"] == {"snapshot_origin": origin, "page_origin": pages.rstrip("/")}
    assert "include_url" in refused["recovery"]
    assert untouched == ["apples", "pay"]
    assert loaded["url"] == origin + "/account.html?x=1#y"
    assert loaded["restored"] == {"localStorage": 1, "sessionStorage": 1, "cookies": 1}
    assert there == {"cart": "nuts", "step": "start", "user": "eve"}
    assert await tab.evaluate("told") == {"cart": "apples", "step": "pay", "user": "ada"}


@pytest.mark.parametrize("start", ["there", "elsewhere"])
async def test_a_server_that_is_down_is_reported_with_what_was_restored(
    visit: Open, bridge: BridgeDouble, pages: str, start: str
) -> None:
    tab = await visit("account.html")
    port = free_port()
    runner = await scene.serve_pages(port)
    await tab.navigate(f"http://127.0.0.1:{port}/account.html")
    await log_in(tab, "ada", "apples", "pay")
    await bridge.result("save_state", snapshot_name="one")
    if start == "elsewhere":
        await tab.navigate(pages + "account.html")
    await runner.cleanup()

    error = await bridge.error("load_state", snapshot_name="one")

    stored = int(start == "there")
    assert error["code"] == "navigation_failed"
    assert error["details"] == {
        "url": f"http://127.0.0.1:{port}/account.html",
        "restored": {"localStorage": stored, "sessionStorage": stored, "cookies": 1},
    }
    assert "server is up" in error["recovery"]
    assert "no dialog is open" in error["recovery"]  # what else keeps a page from being left


@pytest.mark.requirement("tries-015")
async def test_a_state_is_found_again_by_a_name_of_any_script(visit: Open, bridge: BridgeDouble) -> None:
    await visit("small.html")
    names = ["Grüße", "カートが満杯", "سلة التسوق", "हिन्दी"]

    for name in names:
        await bridge.result("save_state", snapshot_name=name)
    listed = await bridge.result("list_states")
    loaded = await bridge.result("load_state", snapshot_name=names[1], include_url=False)
    deleted = await bridge.result("delete_state", snapshot_name=names[0])

    assert sorted(names) == sorted(one["name"] for one in listed["snapshots"])
    assert (names[1], names[0]) == (loaded["snapshot_name"], deleted["snapshot_name"])
    assert names[0] not in [one["name"] for one in (await bridge.result("list_states"))["snapshots"]]


@pytest.mark.requirement("003-034")
async def test_states_are_listed_newest_first_replaced_and_deleted(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("account.html")
    address = await tab.evaluate("location.href")

    saved = [await bridge.result("save_state", snapshot_name=name) for name in ("a", "c", "b", "a")]
    listed = (await bridge.result("list_states"))["snapshots"]
    deleted = await bridge.result("delete_state", snapshot_name="c")
    left = (await bridge.result("list_states"))["snapshots"]

    assert [one.get("replaced") for one in saved] == [None, None, None, True]
    assert [one["name"] for one in listed] == ["a", "b", "c"]
    assert listed[0].keys() == {"name", "url", "timestamp", "size_bytes"}
    assert (listed[0]["url"], listed[0]["size_bytes"]) == (address, saved[-1]["size_bytes"])
    assert listed[0]["timestamp"] > listed[1]["timestamp"] > listed[2]["timestamp"]
    assert listed[0]["timestamp"].endswith("Z")
    assert deleted == {"success": True, "snapshot_name": "c"}
    assert [one["name"] for one in left] == ["a", "b"]


async def test_states_saved_at_once_are_all_kept(visit: Open, bridge: BridgeDouble) -> None:
    await visit("account.html")

    await asyncio.gather(*(bridge.result("save_state", snapshot_name=f"s{n}") for n in range(5)))

    assert len((await bridge.result("list_states"))["snapshots"]) == 5


@pytest.mark.requirement("pilot-031")
@pytest.mark.parametrize("command", ["load_state", "delete_state"])
async def test_an_unknown_name_is_answered_with_those_there_are(
    visit: Open, bridge: BridgeDouble, command: str
) -> None:
    await visit("account.html")
    await bridge.result("save_state", snapshot_name="cart full")

    error = await bridge.error(command, snapshot_name="constructor")

    assert (error["code"], error["details"]["known_names"]) == ("not_found", ["cart full"])
    assert "cart full" in error["recovery"]


@pytest.mark.requirement("pilot-014")
async def test_a_state_for_which_there_is_no_room_changes_nothing_and_names_what_to_delete(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("account.html")
    await tab.evaluate("localStorage.setItem('cart', 'x'.repeat(4_500_000))")
    for name in ("one", "two"):
        await bridge.result("save_state", snapshot_name=name)

    error = await bridge.error("save_state", snapshot_name="three")
    await tab.evaluate("localStorage.clear()")

    assert error["code"] == "storage_quota_exceeded"
    assert error["details"]["limit_bytes"] == 10 * 1024 * 1024
    assert error["details"]["used_bytes"] > 9_000_000
    assert {one["name"] for one in error["details"]["largest"]} == {"one", "two"}
    assert 'delete_state", snapshot_name:"' in error["recovery"]
    assert len((await bridge.result("list_states"))["snapshots"]) == 2


async def test_a_page_whose_storage_is_closed_to_it_is_reported(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("account.html")
    await bridge.result("save_state", snapshot_name="one")
    await tab.navigate(await tab.evaluate("location.origin") + "/sandboxed.html")

    saving = await bridge.error("save_state", snapshot_name="two")
    loading = await bridge.error("load_state", snapshot_name="one", include_url=False)

    assert (saving["code"], loading["code"]) == ("storage_unavailable", "storage_unavailable")
    assert saving["details"]["storage"] == "localStorage"


async def test_a_page_closed_to_extensions_is_reported(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("account.html")
    await bridge.result("save_state", snapshot_name="one")
    await tab.send("Page.navigate", url="chrome://version")
    await tab.until("location.protocol === 'chrome:'")

    errors = [await bridge.error(command, snapshot_name="one") for command in ("save_state", "load_state")]

    assert [error["code"] for error in errors] == ["tab_not_scriptable"] * 2


@pytest.mark.requirement("pilot-015")
async def test_no_value_leaves_the_browser(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("account.html")
    await log_in(tab, "hunter2", "hunter2", "hunter2")
    bridge.heard.clear()

    await bridge.result("save_state", snapshot_name="one")
    await bridge.result("list_states")
    await bridge.result("load_state", snapshot_name="one")
    results = [said for said in bridge.heard if said["type"] == "result"]

    assert len(results) == 3
    assert "hunter2" not in json.dumps(results)
