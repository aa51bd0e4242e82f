"""A baseline and what became of the page, by a real assistant: identical, slow, broken, heavy."""

import os
import signal
from typing import Any

import pytest
from PIL import Image

from browser.assisted import Scene, at
from browser.scene import page as opened
from browser.user import number_of
from gasoline_bridge.devtools import Browser
from gasoline_broker.actor.client import Link, register
from gasoline_broker.actor.wire import stop
from gasoline_broker.settings import Settings
from gasoline_workers.screenshots.messages import DeleteScreenshots, ListScreenshots, ScreenshotsListed
from process.processes import gone

Reply = dict[str, Any]
PARTS = ("accessibility", "security")
LONG = {"budget": 20_000, "wait_s": 50}


async def regression(here: Scene, scope: str, **more: Any) -> Reply:
    """Make a baseline or compare with one, and give the result."""
    runs = {} if scope == "visual" else {"runs": 4}
    asked = {"action": "regression", "scope": scope, "tab_id": here.number} | runs | LONG | more
    reply: Reply = await here.client.call("analyze", **asked)
    while reply.get("status") == "pending":
        job = reply["correlation_id"]
        reply = await here.client.call("observe", what="analyze_result", correlation_id=job, wait_s=50, budget=20_000)
    return reply


def is_unclaimed(reply: Reply) -> bool:
    """Return whether a compare of an unchanged page is right: on a machine whose load shifts times are inconclusive."""
    parts = reply["comparison"]
    times = [one["verdict"] for one in parts["performance"]["metrics"].values()]
    others = {parts[name]["verdict"] for name in PARTS}
    return {"no_change"} == others and reply["verdict"] == ("inconclusive" if "inconclusive" in times else "no_change")


async def refused(here: Scene, scope: str, **more: Any) -> Reply:
    """Ask for what must fail, and give the error."""
    asked = {"action": "regression", "scope": scope, "tab_id": here.number} | more
    error: Reply = await here.client.error("analyze", **asked)
    return error


@pytest.mark.requirement("regression-001", "regression-013", "regression-017", "regression-012", "000-100", "000-104")
async def test_an_identical_twin_has_no_change_and_a_slow_one_is_a_regression(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}regression.html") as here:
        asked = {"action": "regression", "scope": "baseline", "runs": 4, "wait_s": 1}
        pending = await here.client.call("analyze", **asked, tab_id=here.number)
        job = pending["correlation_id"]
        under_way = await here.client.call("observe", what="analyze_result", correlation_id=job, wait_s=0)
        made = await here.client.call("observe", what="analyze_result", correlation_id=job, wait_s=50)
        await here.tab.navigate(f"{pages}regression.html?twin")
        same = await regression(here, "compare")
        await here.tab.navigate(f"{pages}regression.html?slow=1000")  # by far more than a busy machine explains
        slow = await regression(here, "compare")
        short = await here.client.call(
            "analyze", action="regression", scope="compare", runs=1, budget=256, wait_s=50, tab_id=here.number
        )

    assert ("pending", "pending") == (pending["status"], under_way["status"])
    assert pending["stage"].startswith("load ")
    assert under_way["stage"].startswith("load ")
    name = f"{pages.removeprefix('http://')}regression.html"
    assert ("success", name, 4) == (made["status"], made["baseline"]["name"], made["baseline"]["runs"])
    assert made["baseline"]["browser"].startswith("Chrome/")
    assert made["baseline"]["viewport"][0] > 0
    assert made["baseline"]["performance"]["lcp_ms"] > 0
    assert ("success", "regression", "compare") == (same["status"], same["action"], same["scope"])
    assert is_unclaimed(same)
    assert (name, f"{pages}regression.html?twin") == (same["baseline"]["name"], same["url"])
    assert "regression_detected" == slow["verdict"]
    assert "LCP regressed by " in slow["summary"]
    performance = slow["comparison"]["performance"]
    assert performance["lcp_regression"]
    assert 200 < performance["lcp_delta_ms"] < 3_000
    lcp = performance["metrics"]["lcp_ms"]
    assert 9 == lcp["current"]["loads"]  # four, and five more before it is claimed
    assert lcp["interval"][0] <= lcp["delta"] <= lcp["interval"][1]
    assert lcp["p"] <= 0.05
    assert lcp["delta"] >= lcp["floor"]
    assert "no_change" == slow["comparison"]["accessibility"]["verdict"]
    assert (True, "inconclusive") == (short["truncated"], short["verdict"])


@pytest.mark.requirement("regression-008", "regression-009", "regression-010", "regression-013", "000-101", "000-103")
async def test_planted_faults_are_found_by_element_and_by_finding_and_their_repair_too(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}regression.html") as here:
        await regression(here, "baseline", name="whole")
        await here.tab.navigate(f"{pages}regression.html?broken")
        broken = await regression(here, "compare", name="whole", runs=1)
        kept = await regression(here, "baseline", name="broken", runs=1)
        again = await regression(here, "baseline", name="broken", runs=1)
        await here.tab.navigate(f"{pages}regression.html?heavy")
        heavy = await regression(here, "compare", name="whole")
        await here.tab.navigate(f"{pages}regression.html")
        repaired = await regression(here, "compare", name="broken", runs=1)

    accessibility, security = broken["comparison"]["accessibility"], broken["comparison"]["security"]
    assert "regression_detected" == broken["verdict"] == accessibility["verdict"] == security["verdict"]
    assert {("image-alt", "#unnamed"), ("color-contrast", "#faint"), ("button-name", "#silent")} == {
        (one["id"], element) for one in accessibility["new_issues"] for element in one["elements"]
    }
    assert (0, 3) == (accessibility["baseline_issues"], accessibility["current_issues"])
    (leaked,) = security["changes"]
    assert ("new", "sensitive_in_storage", ["auth_token"]) == (leaked["change"], leaked["issue"], leaked["affected"])
    assert "3 new accessibility issues" in broken["summary"]
    assert (3, 1) == (kept["baseline"]["accessibility_issues"], kept["baseline"]["security_findings"])
    assert (False, True) == ("replaced" in kept, again["replaced"])
    metrics, memory = heavy["comparison"]["performance"]["metrics"], heavy["comparison"]["memory"]
    assert "regression_detected" == heavy["verdict"] == memory["verdict"]
    assert ("regression_detected", 60_000) == (metrics["bytes"]["verdict"], round(metrics["bytes"]["delta"], -4))
    assert ("regression_detected", 3) == (metrics["requests"]["verdict"], metrics["requests"]["delta"])
    assert memory["delta"]["heap_used_mb"] > 10
    assert "improved" == repaired["comparison"]["accessibility"]["verdict"]
    assert 3 == len(repaired["comparison"]["accessibility"]["resolved_issues"])
    assert ["resolved"] == [one["change"] for one in repaired["comparison"]["security"]["changes"]]


@pytest.mark.requirement("regression-035")
async def test_a_fault_of_one_load_and_not_of_the_next_is_no_change(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}regression.html?moody") as here:
        made = await regression(here, "baseline", name="moody", runs=1)
        compared = await regression(here, "compare", name="moody", runs=1)

    accessibility = compared["comparison"]["accessibility"]
    assert 0 == made["baseline"]["accessibility_issues"]  # of the fourth load
    assert ("no_change", "not so in both of two looks: button-name") == (
        accessibility["verdict"],
        accessibility["reason"],
    )


@pytest.mark.requirement("regression-011", "regression-014", "regression-015")
async def test_another_viewport_a_restless_page_and_what_is_unknown_are_each_stated(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}regression.html?restless") as here:
        for _ in range(3):  # on a machine that stands still for a moment, so does the page
            restless = await regression(here, "baseline", name="wide", runs=1)
            if restless["status"] == "partial":
                break
        await here.tab.send(
            "Emulation.setDeviceMetricsOverride", width=600, height=900, deviceScaleFactor=1, mobile=False
        )
        narrow = await regression(here, "compare", name="wide", runs=1)
        await here.tab.send("Emulation.clearDeviceMetricsOverride")
        unknown = await refused(here, "compare", name="unknown")
        listed = await here.client.call("analyze", action="regression", scope="list")
        deleted = await here.client.call("analyze", action="regression", scope="delete", name="wide")
        gone = await refused(here, "delete", name="wide")
        none = await refused(here, "compare", runs=0)
        many = await refused(here, "baseline", runs=10_000)

    assert "partial" == restless["status"]
    assert "did not come to rest" in restless["warnings"][0]
    assert ("partial", "inconclusive") == (narrow["status"], narrow["verdict"])
    assert "this one has 600x900" in narrow["warnings"][0]
    parts = narrow["comparison"]
    assert ["inconclusive"] * 3 == [parts[name]["verdict"] for name in ("accessibility", "performance", "memory")]
    assert all(parts[name]["reason"] for name in ("accessibility", "performance", "memory"))
    assert "no_change" == parts["security"]["verdict"]
    assert "not_found" == unknown["code"] == gone["code"]
    assert "wide" in unknown["details"]["names"]
    assert "baseline" in unknown["recovery"]
    assert "wide" == listed["baselines"][0]["name"]
    assert (True, "wide") == (deleted["success"], deleted["name"])
    assert [("invalid_params", "runs")] * 2 == [(one["code"], one["details"]["parameter"]) for one in (none, many)]


@pytest.mark.requirement("regression-017", "analyze-009")
@pytest.mark.parametrize("service", ["regression", "bridge", "front", "worker of the extension"])
async def test_a_run_outlives_what_dies_in_it(live: Settings, chrome: Browser, pages: str, service: str) -> None:
    async with at(live, chrome, f"{pages}regression.html?dies") as here:
        asked = {"action": "regression", "scope": "baseline", "name": service, "runs": 4, "wait_s": 2}
        job = (await here.client.call("analyze", **asked, tab_id=here.number))["correlation_id"]
        if service == "worker of the extension":
            await chrome.stop_service_worker()
        else:
            pid = (await here.client.pids())[service]
            os.kill(pid, signal.SIGKILL)
            await gone(pid)
        made = await here.client.call("observe", what="analyze_result", correlation_id=job, wait_s=50)

    assert ("success", 4) == (made["status"], made["baseline"]["runs"])


@pytest.mark.requirement("regression-015")
async def test_a_page_that_does_not_load_has_no_baseline(live: Settings, chrome: Browser, pages: str) -> None:
    async with at(live, chrome, f"{pages}api/echo?status=503&type=text/html") as here:
        broken = await refused(here, "baseline", wait_s=50)
        await here.tab.navigate(f"{pages}regression.html?endless")
        endless = await refused(here, "baseline", wait_s=50)
        await here.client.call("interact", action="navigate", url=f"{pages}blank.html", tab_id=here.number)

    assert ("navigation_failed", "The server answered 503.") == (broken["code"], broken["message"])
    assert "analysis_timeout" == endless["code"]
    assert "did not finish loading within 20 s" in endless["message"]
    assert "network_waterfall" in endless["recovery"]


BANNER = "document.body.prepend(Object.assign(document.createElement('div'), { id: 'banner', style: 'height: 47px' }))"
RAINBOW = "[...document.body.querySelectorAll('*')].forEach((one, n) => { one.style.color = `rgb(${n}, 0, 0)`; })"


@pytest.mark.requirement("visual-010")
async def test_a_compare_names_what_looks_different_and_keeps_both_pictures_side_by_side(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}scenes.html") as here:
        made = await regression(here, "baseline", name="shop", runs=1)
        same = await regression(here, "compare", name="shop", runs=1)
        await here.tab.evaluate("scene(() => styled('#buy { background: #1d4ed8 }'))")
        other = await regression(here, "visual", name="shop")
        await here.tab.evaluate(f"scene(() => {{ {BANNER}; document.getElementById('foot').remove(); }})")
        slid = await regression(here, "visual", name="shop")
        await here.tab.evaluate(f"scene(() => {{ {RAINBOW} }})")
        many = await regression(here, "visual", name="shop")
        unknown = await refused(here, "visual", name="nothing")
        gone = await here.client.call("analyze", action="regression", scope="delete", name="shop")

    assert "warnings" not in made or not [one for one in made["warnings"] if one.startswith("picture")]
    assert {"verdict": "identical"} == same["comparison"]["picture"]
    assert ("visual", "changed") == (other["scope"], other["picture"]["verdict"])
    assert ["#buy: background #3b82f6 -> #1d4ed8"] == other["picture"]["changes"]
    assert other["picture"]["seen_px"] > 1_000
    with Image.open(other["picture"]["screenshot_path"]) as sides:
        assert sides.width > sides.height
    assert ("changed", 47) == (slid["picture"]["verdict"], slid["picture"]["rows_inserted"])
    assert slid["picture"]["rows_removed"] > 0
    assert many["picture"]["more"] > 0
    assert "not_found" == unknown["code"]
    assert {"success": True, "name": "shop"} == gone


@pytest.mark.requirement("visual-007", "visual-010")
async def test_what_moves_by_itself_is_no_change_and_without_its_pictures_a_look_has_no_verdict(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}scenes.html?restless") as here:
        await regression(here, "baseline", name="restless", runs=1)
        moving = await regression(here, "visual", name="restless")
        async with Link(live, register("cli")) as link:
            await link.registered()
            listed: ScreenshotsListed = (await link.ask(stop("screenshots", ListScreenshots()), ttl_s=10)).read(
                ScreenshotsListed
            )
            pinned = tuple(one.id for one in listed.screenshots if one.pinned and one.url.endswith("?restless"))
            await link.ask(stop("screenshots", DeleteScreenshots(pinned)), ttl_s=10)
        lost = await regression(here, "visual", name="restless")
        deleted = await here.client.call("analyze", action="regression", scope="delete", name="restless")

    assert 2 == len(pinned)
    assert ("identical", 1) == (moving["picture"]["verdict"], moving["picture"]["ignored"])
    assert "inconclusive" == lost["picture"]["verdict"]
    assert lost["picture"]["reason"]
    assert deleted["success"]


@pytest.mark.requirement("visual-010")
async def test_a_page_that_scrolls_and_has_the_viewports_height_looks_the_same_and_its_cut_is_stated(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}regression.html?long") as here:
        await regression(here, "baseline", name="long", runs=1)
        same = await regression(here, "visual", name="long")
        await here.tab.evaluate("document.body.style.height = '20000px'")
        cut = await regression(here, "visual", name="long")

    assert {"verdict": "identical"} == same["picture"]
    assert cut["picture"]["truncated"]


@pytest.mark.requirement("regression-036", "visual-017")
async def test_fonts_and_images_that_come_after_the_load_are_waited_for(
    live: Settings, chrome: Browser, pages: str
) -> None:
    page = f"{pages}late-media.html"
    async with at(live, chrome, page) as here:
        await regression(here, "baseline", name="late", runs=1)
        await here.tab.navigate(f"{page}?image=1200")
        by_image = await regression(here, "compare", name="late", runs=1)
        await here.tab.navigate(f"{page}?font=1200")
        by_font = await regression(here, "visual", name="late")  # of the page as it is: only its picture waits
        await here.tab.evaluate("document.body.append('.')")
        other = await regression(here, "visual", name="late")

    assert {"verdict": "identical"} == by_image["comparison"]["picture"] == by_font["picture"]
    assert [] == by_image.get("warnings", [])
    assert "changed" == other["picture"]["verdict"]


@pytest.mark.requirement("regression-032", "regression-033")
async def test_two_pages_are_loaded_by_turns_and_compared_as_a_page_and_its_baseline(
    live: Settings, chrome: Browser, pages: str
) -> None:
    page = f"{pages}regression.html"
    async with at(live, chrome, f"{page}?twin") as here, opened(chrome, f"{page}#first") as other:
        number = await number_of(here.client, other)
        await here.tab.activate()
        same = await regression(here, "compare", against=str(number))
        await here.tab.navigate(f"{page}?slow=1000&broken")
        worse = await regression(here, "compare", against=page)
        shown = await here.client.call("observe", what="page", tab_id=here.number)

    assert is_unclaimed(same)
    assert ("success", f"{page}#first", f"{page}?twin", "") == (
        same["status"],
        same["baseline"]["url"],
        same["url"],
        same["baseline"]["name"],
    )
    assert {"verdict": "identical"} == same["comparison"]["picture"]
    parts = worse["comparison"]
    assert ["regression_detected"] * 3 == [worse["verdict"], *(parts[name]["verdict"] for name in PARTS)]
    assert "LCP regressed by " in worse["summary"]
    assert (9, 9) == tuple(parts["performance"]["metrics"]["lcp_ms"][side]["loads"] for side in ("baseline", "current"))
    assert {"#unnamed", "#faint", "#silent"} == {
        element for one in parts["accessibility"]["new_issues"] for element in one["elements"]
    }
    assert "inconclusive" == parts["memory"]["verdict"]
    assert "changed" == parts["picture"]["verdict"]
    assert f"{page}?slow=1000&broken" == shown["url"]


@pytest.mark.requirement("regression-032")
async def test_the_looks_of_two_pages_are_compared_and_a_failure_leaves_the_tab_as_it_was(
    live: Settings, chrome: Browser, pages: str
) -> None:
    scenes = f"{pages}scenes.html"
    async with at(live, chrome, scenes) as here:
        seen = await regression(here, "visual", against=f"{scenes}?restless")
        broken = await refused(here, "visual", against=f"{pages}api/echo?status=503&type=text/html", wait_s=50)
        shown = await here.client.call("observe", what="page", tab_id=here.number)
        nowhere = await refused(here, "compare", against="999999")
        nothing = await refused(here, "compare", against="scenes")

    assert ("visual", "identical", scenes) == (seen["scope"], seen["picture"]["verdict"], seen["url"])
    assert ("navigation_failed", scenes) == (broken["code"], shown["url"])
    assert ("tab_not_found", "invalid_params") == (nowhere["code"], nothing["code"])


@pytest.mark.requirement("visual-011")
async def test_what_is_to_be_ignored_is_in_neither_picture_and_what_is_not_there_is_named(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}scenes.html") as here:
        await regression(here, "baseline", name="ignoring", runs=1, ignore=["#buy"])
        await here.tab.evaluate(
            "scene(() => { styled('#buy { background: #1d4ed8 } h3 { color: #b91c1c }'); clock.textContent = '1'; })"
        )
        named = await regression(here, "visual", name="ignoring", ignore=[".card h3", "#nothing"])
        await here.tab.evaluate(f"scene(() => {{ {BANNER}; styled('#buy {{ background: #1d4ed8 }}'); }})")
        slid = await regression(here, "visual", name="ignoring")
        everything = await regression(here, "visual", name="ignoring", ignore=["0, 0, 5000, 5000"])
        invalid = await refused(here, "visual", name="ignoring", ignore=["#buy", "p["])
        await here.client.call("analyze", action="regression", scope="delete", name="ignoring")

    assert ["#nothing"] == named["picture"]["unmatched"]
    assert 1 == len(named["picture"]["changes"]), named
    assert named["picture"]["changes"][0].startswith("#clock: text ")
    assert ("shifted", 47) == (slid["picture"]["verdict"], slid["picture"]["rows_inserted"])
    assert not [one for one in slid["picture"]["changes"] if "background" in one or "different" in one]
    assert [] == everything["picture"].get("changes", [])
    assert "invalid_params" == invalid["code"]
    assert "p[" in invalid["message"]


@pytest.mark.requirement("regression-032")
async def test_a_comparison_of_two_pages_whose_process_died_is_not_begun_again(
    live: Settings, chrome: Browser, pages: str
) -> None:
    """The tab may show the other page by then, which would be compared with itself."""
    async with at(live, chrome, f"{pages}regression.html") as here:
        asked = {"action": "regression", "scope": "compare", "against": f"{pages}blank.html", "wait_s": 2}
        job = (await here.client.call("analyze", **asked, tab_id=here.number))["correlation_id"]
        pid = (await here.client.pids())["front"]
        os.kill(pid, signal.SIGKILL)
        await gone(pid)
        error = await here.client.error("observe", what="analyze_result", correlation_id=job, wait_s=50)

    assert "outcome_unknown" == error["code"]
    assert "one page or the other" in error["message"]
