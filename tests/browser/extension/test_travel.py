"""Where `interact` brings a tab, and what comes instead of a page."""

import asyncio
import ssl
import time
from collections.abc import AsyncIterator

import pytest
import trustme
from aiohttp import web

from browser.bridge_double import BridgeDouble, Message
from browser.extension.test_interact import do, refused
from browser.scene import Open, held
from gasoline_bridge.devtools import Browser, until
from gasoline_demo.site import free_port

pytestmark = pytest.mark.usefixtures("acting")


@pytest.fixture(scope="module")
async def untrusted() -> AsyncIterator[str]:
    """Serve pages with a certificate that no browser trusts, and give their address."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    trustme.CA().issue_cert("127.0.0.1").configure_cert(context)
    runner = web.AppRunner(web.Application(), access_log=None)
    await runner.setup()
    port = free_port()
    await web.TCPSite(runner, "127.0.0.1", port, ssl_context=context).start()
    yield f"https://127.0.0.1:{port}/"
    await runner.cleanup()


READ = web.AppKey("read", list[asyncio.Event])
"""Of each page that is broken off, the newest last: its beginning was read, for its picture was asked for."""


async def half(request: web.Request) -> web.StreamResponse:
    """Begin a page, and break off once that was read."""
    response = web.StreamResponse(headers={"Content-Type": "text/html", "Content-Length": "90000"})
    read = asyncio.Event()
    request.app[READ].append(read)
    await response.prepare(request)
    await response.write(b"<title>Half</title><img src=was_read><p>half" + b"." * 4000)
    async with asyncio.timeout(20):
        await read.wait()
    assert request.transport
    request.transport.abort()
    return response


async def was_read(request: web.Request) -> web.Response:
    """Note that the page that comes was read."""
    request.app[READ][-1].set()
    return web.Response(status=204)


async def elsewhere(_request: web.Request) -> web.Response:
    """Send to what only another program opens."""
    return web.Response(status=302, headers={"Location": "app:callback"})


async def mute(request: web.Request) -> web.Response:
    """Answer with a status and nothing, as a file to be saved if asked."""
    headers = {"Content-Disposition": "attachment"} if "file" in request.query else {}
    return web.Response(status=500, headers={"Content-Type": "text/html", **headers})


async def saves(_request: web.Request) -> web.Response:
    """Answer with a page that begins a download."""
    return web.Response(text="<title>Thanks</title><script>location = '/file'</script>", content_type="text/html")


async def file(_request: web.Request) -> web.Response:
    """Answer with a file, as its type alone says."""
    return web.Response(body=b"zip", content_type="application/zip", headers={"Content-Disposition": "attachment"})


@pytest.fixture(scope="module")
async def odd() -> AsyncIterator[str]:
    """Serve what is not quite a page, and give the address."""
    application = web.Application()
    application[READ] = []
    handlers = (half, was_read, elsewhere, mute, saves, file)
    application.add_routes([web.get(f"/{handler.__name__}", handler) for handler in handlers])
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.5)
    await runner.setup()
    port = free_port()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    yield f"http://127.0.0.1:{port}/"
    await runner.cleanup()


@pytest.mark.parametrize("action", ["navigate", "new_tab"])
async def test_a_page_that_is_cut_off_has_come_and_is_reported_as_cut_off(
    visit: Open, bridge: BridgeDouble, odd: str, action: str
) -> None:
    await visit("interact.html")
    answer = await do(bridge, action, url=f"{odd}half")

    assert ("Half", f"{odd}half") == (answer["title"], answer["url"])
    assert answer["load_error"].startswith("net::ERR_")


@pytest.mark.parametrize("action", ["navigate", "new_tab"])
@pytest.mark.parametrize("path", ["mute", "mute?file"])
async def test_an_answer_with_nothing_to_show_is_an_error_that_names_its_status(
    visit: Open, bridge: BridgeDouble, odd: str, action: str, path: str
) -> None:
    await visit("interact.html")
    error = await refused(bridge, action, url=f"{odd}{path}")

    assert ("navigation_failed", 500) == (error["code"], error["details"]["status"])


async def test_an_address_that_is_for_another_program_is_reported_soon(
    visit: Open, bridge: BridgeDouble, odd: str
) -> None:
    await visit("interact.html")
    error = await refused(bridge, "navigate", url=f"{odd}elsewhere")

    assert ("navigation_failed", "app:callback") == (error["code"], error["details"]["url"])


async def test_a_page_that_begins_a_download_has_come(visit: Open, bridge: BridgeDouble, odd: str) -> None:
    await visit("interact.html")
    answer = await do(bridge, "navigate", url=f"{odd}saves")

    assert ("Thanks", True) == (answer["title"], answer["download"])


async def test_a_page_that_writes_into_its_own_address_is_not_taken_for_the_one_that_comes(
    visit: Open, bridge: BridgeDouble, pages: str
) -> None:
    tab = await visit("interact.html")
    await tab.evaluate("setInterval(() => history.replaceState({}, ''), 25)")
    files = [f"{pages}api/echo?type=application/zip", f"{pages}api/attachment"]
    codes = [(await refused(bridge, "navigate", url=url))["code"] for url in files]
    answer = await do(bridge, "navigate", url=f"{pages}api/later?ms=500")

    assert ["download_started"] * 2 == codes
    assert f"{pages}api/later?ms=500" == answer["url"]


@pytest.mark.requirement("actions-006")
async def test_a_tab_is_opened_shown_and_closed(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("interact.html")
    before = {one["id"]: one for one in (await bridge.result("list_tabs"))["tabs"]}
    (first,) = [number for number, one in before.items() if one["focused"]]
    address = await tab.evaluate("location.href")

    opened = await do(bridge, "new_tab", url=address.replace("interact", "small"))
    front = await bridge.result("get_page_info")
    shown = await do(bridge, "switch_tab", tab_id=first)
    back = await bridge.result("get_page_info")
    closed = await do(bridge, "close_tab", tab_id=opened["tab_id"])

    assert (opened["success"], opened["title"], front["title"]) == (True, "Corner Shop", "Corner Shop")
    assert (shown["tab_id"], shown["url"], back["url"]) == (first, address, address)
    assert closed == {"success": True, "action": "close_tab", "tab_id": opened["tab_id"]}
    assert before.keys() == {one["id"] for one in (await bridge.result("list_tabs"))["tabs"]}


async def test_the_last_tab_stays(visit: Open, bridge: BridgeDouble) -> None:
    await visit("interact.html")
    tabs = [one["id"] for one in (await bridge.result("list_tabs"))["tabs"]]
    for number in tabs[1:]:
        await do(bridge, "close_tab", tab_id=number)

    error = await refused(bridge, "close_tab", tab_id=tabs[0])

    assert (error["code"], error["details"]["parameter"]) == ("invalid_params", "tab_id")
    assert [tabs[0]] == [one["id"] for one in (await bridge.result("list_tabs"))["tabs"]]


INSTEAD = [
    ("api/attachment", "download_started"),
    ("api/echo?type=application/zip", "download_started"),
    ("api/echo?status=204", "navigation_failed"),
    ("api/locked", "authentication_required"),
    ("api/circle", "navigation_failed"),
    ("reloading.html", "reload_loop"),
]


@pytest.mark.requirement("actions-027")
@pytest.mark.parametrize(("path", "code"), INSTEAD)
async def test_what_comes_instead_of_a_page_is_reported(
    visit: Open, bridge: BridgeDouble, pages: str, path: str, code: str
) -> None:
    await visit("interact.html")
    error = await refused(bridge, "navigate", url=f"{pages}{path}")
    after = await do(bridge, "navigate", url=f"{pages}small.html")

    assert error["code"] == code
    assert "Corner Shop" == after["title"]


@pytest.mark.requirement("actions-027")
async def test_an_untrusted_certificate_is_reported(visit: Open, bridge: BridgeDouble, untrusted: str) -> None:
    await visit("interact.html")
    error = await refused(bridge, "navigate", url=untrusted)

    assert (error["code"], error["details"]["error"]) == ("certificate_error", "net::ERR_CERT_AUTHORITY_INVALID")


@pytest.mark.requirement("actions-027")
async def test_a_host_that_is_not_there_is_reported(visit: Open, bridge: BridgeDouble) -> None:
    await visit("interact.html")
    error = await refused(bridge, "navigate", url="http://nowhere.invalid/")

    assert (error["code"], error["details"]["error"]) == ("navigation_failed", "net::ERR_NAME_NOT_RESOLVED")


@pytest.mark.requirement("actions-026")
async def test_a_page_that_loads_itself_again_after_it_has_come_is_no_fault(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("interact.html")
    address = await tab.evaluate("location.href")
    answer = await do(bridge, "navigate", url=address.replace("interact.html", "restless.html"))

    assert answer["success"]
    assert answer["measured"].get("unavailable") or answer["measured"]["load"]


@pytest.mark.requirement("001-078")
async def test_a_page_that_paints_nothing_is_not_waited_for_long(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("interact.html")
    address = await tab.evaluate("location.href")
    begun = time.monotonic()
    answer = await do(bridge, "navigate", url=address.replace("interact.html", "blank.html"))

    assert "unavailable" not in answer["measured"]
    assert answer["measured"]["load"]["timing"]["lcp"] is None
    assert time.monotonic() - begun < 9


@pytest.mark.requirement("001-146")
async def test_another_fragment_is_no_load(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("interact.html")
    address = await tab.evaluate("location.href")
    answer = await do(bridge, "navigate", url=f"{address}#far")

    routed = await do(bridge, "click", "#routes")

    assert answer["url"] == f"{address}#far"
    assert "measured" not in answer
    assert "load" not in routed["measured"]
    assert "navigated" not in routed


async def test_a_request_that_is_not_answered_yet_is_counted_in_a_load(
    visit: Open, bridge: BridgeDouble, pages: str
) -> None:
    await visit("blank.html")
    soon = await do(bridge, "navigate", url=f"{pages}fetches.html")
    late = await do(bridge, "refresh")

    assert not late["settled"]
    assert [2, 2] == [one["measured"]["load"]["requestCount"] for one in (soon, late)]


async def test_back_and_forward_go_one_page_though_no_human_has_touched_any(
    visit: Open, bridge: BridgeDouble, pages: str
) -> None:
    await visit("interact.html")
    await do(bridge, "navigate", url=f"{pages}small.html")
    await do(bridge, "navigate", url=f"{pages}blank.html")
    back = [(await do(bridge, "back"))["url"] for _ in range(2)]
    forward = [(await do(bridge, "forward"))["url"] for _ in range(2)]
    error = await refused(bridge, "forward")

    assert [f"{pages}small.html", f"{pages}interact.html"] == back
    assert [f"{pages}small.html", f"{pages}blank.html"] == forward
    assert ("not_found", "There is no page to go forward to in this tab.") == (error["code"], error["message"])


@pytest.mark.parametrize("after_s", [0.0, 1.0], ids=["at once", "while Chrome tries again by itself"])
async def test_back_from_an_error_goes_one_page_too(
    visit: Open, bridge: BridgeDouble, pages: str, after_s: float
) -> None:
    await visit("interact.html")
    await do(bridge, "navigate", url=f"{pages}small.html")
    await refused(bridge, "navigate", url=f"http://127.0.0.1:{free_port()}/")
    await asyncio.sleep(after_s)
    back = [(await do(bridge, "back"))["url"] for _ in range(2)]
    await do(bridge, "forward")
    failed = await refused(bridge, "forward")
    error = await refused(bridge, "forward")

    assert [f"{pages}small.html", f"{pages}interact.html"] == back
    assert ("navigation_failed", "net::ERR_CONNECTION_REFUSED") == (failed["code"], failed["details"]["error"])
    assert ("not_found", "There is no page to go forward to in this tab.") == (error["code"], error["message"])


async def test_back_takes_a_frame_back_first(visit: Open, bridge: BridgeDouble, pages: str) -> None:
    tab = await visit("blank.html")
    inner = "frames[0].location"
    await tab.evaluate("document.body.innerHTML = '<iframe src=small.html></iframe>'")
    await tab.until(f"{inner}.pathname === '/small.html' && frames[0].document.readyState === 'complete'")
    await tab.evaluate(f"{inner} = 'interact.html'")
    await tab.until(f"{inner}.pathname === '/interact.html' && frames[0].document.readyState === 'complete'")
    answer = await do(bridge, "back")

    assert f"{pages}blank.html" == answer["url"]
    assert await tab.until(f"{inner}.pathname === '/small.html'")


async def test_pages_that_are_made_ready_ahead_are_no_answer(visit: Open, bridge: BridgeDouble, pages: str) -> None:
    await visit("interact.html")
    answer = await do(bridge, "navigate", url=f"{pages}speculates.html")

    assert (f"{pages}speculates.html", True) == (answer["url"], answer["success"])


@pytest.mark.requirement("faults-024")
async def test_a_page_that_is_kept_waiting_by_the_one_before_is_no_download(
    visit: Open, bridge: BridgeDouble, pages: str
) -> None:
    await visit("lingers.html")
    answer = await do(bridge, "navigate", url=f"{pages}small.html")

    assert (True, "Corner Shop") == (answer["success"], answer["title"])


async def test_a_page_that_sends_on_at_once_is_reported_as_the_one_that_came(
    visit: Open, bridge: BridgeDouble, pages: str
) -> None:
    await visit("interact.html")
    answer = await do(bridge, "navigate", url=f"{pages}sends-on.html")

    load = answer["measured"].get("load")
    assert f"{pages}small.html" == answer["url"]
    assert load is None or load["url"] == answer["url"]


async def test_the_status_of_a_page_that_fails_is_reported(visit: Open, bridge: BridgeDouble, pages: str) -> None:
    await visit("interact.html")
    failing = await do(bridge, "navigate", url=f"{pages}api/echo?type=text/html&status=500")
    clicked = await do(bridge, "navigate", url=f"{pages}small.html")

    assert (True, 500) == (failing["success"], failing["status"])
    assert "status" not in clicked


async def test_what_is_remembered_of_loads_leaves_room_for_what_must_not_be_done_twice(
    visit: Open, bridge: BridgeDouble, chromium: Browser, pages: str
) -> None:
    await visit("interact.html")
    heavy = {"action": "navigate", "url": f"{pages}heavy.html"}
    await bridge.ask("interact", heavy, timeout_ms=28_000)  # 200 requests on a busy machine
    worker = await chromium.service_worker()
    stored = await worker.evaluate("chrome.storage.session.getBytesInUse('loads')")
    await worker.detach()

    assert 0 < stored < 500_000


@pytest.mark.requirement("applications-010")
async def test_routes_in_the_fragment_are_pages_of_their_own(visit: Open, bridge: BridgeDouble, pages: str) -> None:
    await visit("outcomes.html")
    for route in ("#/", "#/runs/3"):
        await do(bridge, "navigate", url=f"{pages}outcomes.html{route}")
        first = await do(bridge, "refresh")
    again = await do(bridge, "refresh")

    assert ("before" in first["measured"], "before" in again["measured"]) == (False, True)
    assert "recent" not in again["measured"]
    assert "recent" in (await do(bridge, "refresh"))["measured"]


async def test_an_action_reports_where_it_has_led(visit: Open, bridge: BridgeDouble, pages: str) -> None:
    await visit("leads.html")
    file = await do(bridge, "click", "#file")
    late = await do(bridge, "click", "#late")
    await do(bridge, "navigate", url=f"{pages}leads.html")
    failing = await do(bridge, "click", "#failing", analyze=True)
    await do(bridge, "navigate", url=f"{pages}leads.html")
    nowhere = await do(bridge, "click", "#nowhere", analyze=True)

    assert (True, "navigated" in file) == (file["download"], False)
    assert late["navigated"]
    assert (True, 500) == (failing["navigated"], failing["status"])
    assert "net::ERR_NAME_NOT_RESOLVED" == nowhere["load_error"]


async def test_an_action_names_the_tab_that_it_has_opened(visit: Open, bridge: BridgeDouble) -> None:
    await visit("leads.html")
    answer = await do(bridge, "click", "#beside")
    tabs = {one["id"]: one for one in (await bridge.result("list_tabs"))["tabs"]}
    await do(bridge, "close_tab", tab_id=answer["opened_tab"])

    assert tabs[answer["opened_tab"]]["active"]


async def test_an_action_that_closes_its_tab_is_done(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("interact.html")
    await tab.evaluate("open('leads.html'), 0", user_gesture=True)
    await do(bridge, "wait_for", "#closes")
    answer = await do(bridge, "click", "#closes")

    assert (True, True) == (answer["success"], answer["closed"])


@pytest.mark.requirement("actions-022")
async def test_a_page_that_an_action_has_left_is_compared_with_when_it_comes_again(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("interact.html?left")
    address = await tab.evaluate("location.href")
    await do(bridge, "click", "#leaves")
    await tab.until("location.pathname === '/small.html'")
    again = await do(bridge, "navigate", url=address)

    assert again["measured"]["before"]["url"] == address


async def test_pages_that_a_service_worker_answers_are_arrived_at(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("blank.html")
    await tab.evaluate(
        "navigator.serviceWorker.register('answers.js').then(() => navigator.serviceWorker.ready).then(() => 0)"
    )
    at = (await tab.evaluate("location.href")).removesuffix("blank.html")
    begun = time.monotonic()
    arrived = [await do(bridge, "navigate", url=f"{at}answered/{number}") for number in range(2)]
    arrived += [await do(bridge, action) for action in ("refresh", "back")]
    took = time.monotonic() - begun
    await do(bridge, "navigate", url=f"{at}blank.html")
    page = "navigator.serviceWorker.getRegistrations().then((all) => Promise.all(all.map((one) => one.unregister())))"
    await tab.evaluate(f"{page}.then(() => 0)")

    assert [f"{at}answered/{number}" for number in (0, 1, 1, 0)] == [one["url"] for one in arrived]
    assert ["Answered"] * 4 == [one["title"] for one in arrived]
    assert took < 19  # a page that is missed is waited for 20 s


@pytest.mark.parametrize("url", ["http://localhost:99999/", "http://", "javascript:alert(1)"])
async def test_an_address_that_is_none_is_named(look: Open, bridge: BridgeDouble, url: str) -> None:
    await look("interact.html")

    error = await refused(bridge, "navigate", url=url)

    assert ("invalid_params", {"parameter": "url", "value": url}) == (error["code"], error["details"])


PATIENT_MS = 29_000
HELD_MS = 60_000


async def at_a_page_that_hangs(visit: Open, bridge: BridgeDouble, pages: str) -> int:
    """Show a page that has another before it and never answers again, and give its tab."""
    tab = await visit("small.html?before")
    listed = await bridge.result("list_tabs")
    (number,) = [one["id"] for one in listed["tabs"] if "?before" in one["url"]]
    await tab.navigate(f"{pages}leads.html")
    await tab.evaluate(f"void setTimeout(() => {{ document.title = 'hangs'; {held(HELD_MS)}; }}, 50)")
    async with asyncio.timeout(PATIENT_MS / 1000):
        while "hangs" not in [one["title"] for one in (await bridge.result("list_tabs"))["tabs"]]:  # noqa: ASYNC110 - the title is the browser's
            await asyncio.sleep(0.05)
    return int(number)


@pytest.mark.requirement("faults-024")
@pytest.mark.parametrize("way", [{"action": "navigate", "url": "small.html"}, {"action": "back"}])
async def test_a_page_that_hangs_is_named_at_once_with_the_way_out(
    visit: Open, bridge: BridgeDouble, pages: str, way: Message
) -> None:
    number = await at_a_page_that_hangs(visit, bridge, pages)
    asked = way | ({"url": pages + way["url"]} if "url" in way else {})

    answer = await bridge.ask("interact", asked | {"tab_id": number}, timeout_ms=PATIENT_MS)
    closed = await bridge.ask("interact", {"action": "close_tab", "tab_id": number}, timeout_ms=PATIENT_MS)

    assert "page_hung" == answer["error"]["code"], answer
    assert closed["result"]["success"]


async def test_a_page_that_hangs_is_left_for_another_site(visit: Open, bridge: BridgeDouble, pages: str) -> None:
    number = await at_a_page_that_hangs(visit, bridge, pages)
    elsewhere = pages.replace("127.0.0.1", "localhost") + "small.html"

    asked = {"action": "navigate", "url": elsewhere, "tab_id": number}
    answer = await bridge.ask("interact", asked, timeout_ms=PATIENT_MS)

    assert elsewhere == answer["result"]["url"]


LARGEST_PAINT = """new Promise((done) => new PerformanceObserver((list) => done(list.getEntries().at(-1).startTime))
  .observe({ type: 'largest-contentful-paint', buffered: true }))"""


@pytest.mark.requirement("fast-025")
@pytest.mark.parametrize("page", ["paints-at-load.html", "small.html"])
async def test_the_largest_paint_of_a_load_is_what_the_page_measures_a_second_later(
    visit: Open, bridge: BridgeDouble, page: str
) -> None:
    tab = await visit(page)

    async def refreshed() -> Message | None:  # on a busy machine a page draws on, which its reply states, or draws late
        answer = await do(bridge, "refresh")
        is_drawn = answer["measured"]["load"]["timing"]["lcp"] is not None
        return answer if is_drawn and "settled" not in answer else None

    answer = await until(refreshed, "a load after which the page rests")
    timing = answer["measured"]["load"]["timing"]
    await tab.evaluate("new Promise((done) => setTimeout(done, 1_000)).then(() => 0)")

    assert timing["lcp"] == pytest.approx(await tab.evaluate(LARGEST_PAINT), abs=0.1)


BROKEN = {
    "console_errors": 6,
    "errors": ['first {"a":1}', "TypeError: thrown (/breaks.html:7:26)", "Error: rejected (/breaks.html:12:20)"],
    "failed_requests": 2,
}


@pytest.mark.requirement("applications-066")
async def test_a_load_reports_what_went_wrong_in_its_page(visit: Open, bridge: BridgeDouble, pages: str) -> None:
    await visit("breaks.html?sound")
    sound = await do(bridge, "refresh")
    broken = await do(bridge, "navigate", url=pages + "breaks.html")
    again = await do(bridge, "refresh")
    led = await do(bridge, "click", selector="#again")
    back = await do(bridge, "navigate", url=pages + "breaks.html?sound")

    found = [one["measured"]["effects"] for one in (broken, again, led)]
    assert [{}, {}] == [one["measured"]["effects"] for one in (sound, back)]
    assert [BROKEN] * 3 == [{name: value for name, value in one.items() if name != "failed"} for one in found]
    assert [{("GET", 500), ("GET", 404)}] * 3 == [
        {(one["method"], one["status"]) for one in effects["failed"]} for effects in found
    ]
    assert not [one for one in (again, back) if "faults" in str(one["measured"].get("before"))]


@pytest.mark.requirement("applications-066")
async def test_an_action_reports_its_errors_in_words(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("breaks.html")
    await tab.evaluate("document.querySelector('h1').onclick = breaks; 0")
    clicked = await do(bridge, "click", selector="h1")
    await tab.evaluate("document.querySelector('h1').onclick = null; 0")
    quiet = await do(bridge, "click", selector="h1")

    assert BROKEN["errors"] == clicked["measured"]["effects"]["errors"]
    assert "errors" not in quiet["measured"]["effects"]


@pytest.mark.requirement("applications-066", "applications-067")
async def test_a_load_of_a_page_that_has_broken_quotes_what_covers_it(
    visit: Open, bridge: BridgeDouble, pages: str
) -> None:
    await visit("breaks.html?sound")
    broken = await do(bridge, "navigate", url=pages + "breaks.html#covered")
    again = await do(bridge, "refresh")

    assert ["#webpack-dev-server-client-overlay: Failed to compile."] * 2 == [one["opened"] for one in (broken, again)]


@pytest.mark.requirement("applications-066", "applications-067")
async def test_a_dialog_that_is_part_of_a_page_has_not_opened_as_it_loads(visit: Open, bridge: BridgeDouble) -> None:
    await visit("search-dialog.html")
    plain = await do(bridge, "click", selector="text=Again")
    news = await do(bridge, "click", selector="text=News")

    assert "opened" not in plain
    assert "News of the mill" == news["opened"]


@pytest.mark.requirement("applications-066")
async def test_a_font_that_is_first_looked_for_in_the_cache_is_no_failed_request(
    visit: Open, bridge: BridgeDouble, pages: str
) -> None:
    await visit("blank.html")
    arrived = await do(bridge, "navigate", url=f"{pages}late-media.html?font=0")

    assert {} == arrived["measured"]["effects"]


@pytest.mark.requirement("applications-066")
async def test_the_errors_of_a_frame_belong_to_its_page(visit: Open, bridge: BridgeDouble, pages: str) -> None:
    tab = await visit("breaks.html?sound")
    frame = f"Object.assign(document.createElement('iframe'), {{ src: '{pages}breaks.html' }})"
    await tab.evaluate(f"document.querySelector('h1').onclick = () => document.body.append({frame}); 0")
    first = await do(bridge, "click", selector="h1", analyze=True)
    await tab.evaluate(
        "document.querySelector('h1').onclick = () => document.querySelector('iframe').contentWindow.eval('breaks()');"
    )
    again = await do(bridge, "click", selector="h1", nth=0, analyze=True)

    assert [BROKEN["errors"]] * 2 == [one["measured"]["effects"]["errors"] for one in (first, again)]
    lines = [one["measured"]["effects"]["console_errors"] for one in (first, again)]
    assert 6 == lines[1]
    assert 0 < lines[0] <= 6  # of a frame that a busy machine still loads
