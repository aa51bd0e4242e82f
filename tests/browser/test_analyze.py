"""An analysis from a real assistant's call to findings: answered at once or waited for, and never lost."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from mcp_types import TextContent

import system
from browser.assisted import Scene, at, connected_browser
from browser.user import pilot
from gasoline_bridge.devtools import Browser
from gasoline_broker.settings import Settings
from gasoline_workers.audit.messages import AccessibilityReported, Judged
from process.processes import gone

AUDIT = {"action": "audit", "scope": "accessibility"}
SUMMARY_BYTES = 400  # issue 16, Measured: "the summary alone under 400 bytes"


@pytest.fixture(scope="module")
def live() -> Iterator[Settings]:
    """Run a system of this file's own: its processes die."""
    with system.settings() as made, system.running(made, compact=False) as up:
        yield up


@pytest.fixture(scope="module")
async def chrome(live: Settings) -> AsyncIterator[Browser]:
    async with connected_browser(live) as browser:
        yield browser


async def begin(here: Scene, **more: Any) -> str:
    """Begin an audit, and give its id."""
    pending = await here.client.call("analyze", **AUDIT, tab_id=here.number, **more)
    assert {"status": "pending"} == {name: value for name, value in pending.items() if name != "correlation_id"}
    job: str = pending["correlation_id"]
    return job


async def result(here: Scene, job: str, **more: Any) -> dict[str, Any]:
    return await here.client.call("observe", what="analyze_result", correlation_id=job, **more)


def exported(path: str, rule: str) -> tuple[int, int, bool]:
    """Give the size and the rights of a SARIF file, and whether it has results of a rule."""
    file = Path(path)
    (run,) = msgspec.json.decode(file.read_bytes())["runs"]
    return file.stat().st_size, file.stat().st_mode & 0o777, rule in [one["ruleId"] for one in run["results"]]


async def watched(here: Scene, job: str) -> tuple[dict[str, Any], list[float]]:
    """Wait a little for a result, and give the reply and the progress that was reported meanwhile."""
    steps: list[float] = []

    async def progressed(progress: float, total: float | None, message: str | None) -> None:
        assert total is None
        assert message
        steps.append(progress)

    asked = {"what": "analyze_result", "correlation_id": job, "wait_s": 2}
    answer = await here.client.client.call_tool("observe", asked, progress_callback=progressed)
    (content,) = answer.content
    assert isinstance(content, TextContent)
    return msgspec.json.decode(content.text), steps


@pytest.mark.requirement("analyze-014")
@pytest.mark.requirement("analyze-007", "analyze-006", "analyze-003", "analyze-004", "000-002", "000-004", "000-005")
@pytest.mark.requirement("000-006", "000-007", "000-008", "000-010", "000-023", "000-024", "000-028")
@pytest.mark.requirement("000-072", "000-080", "000-081", "000-084", "000-116", "000-118", "000-119")
@pytest.mark.requirement("000-123", "000-126", "000-127")
async def test_an_audit_answers_at_once_and_its_result_is_fetched(live: Settings, chrome: Browser, pages: str) -> None:
    async with at(live, chrome, f"{pages}audited.html") as here:
        job = await begin(here)
        found = await result(here, job, budget=20_000)
        again = await result(here, job, wait_s=0, budget=20_000)
        direct = await here.client.call("analyze", **AUDIT, tab_id=here.number, wait_s=20, budget=20_000)
        unknown = await here.client.error("observe", what="analyze_result", correlation_id="0123456789abcdef")
        text, _ = await here.client.text("analyze", **AUDIT, tab_id=here.number, wait_s=20, budget=1_024)
        last = await here.client.call("generate", what="sarif")
        named = await here.client.call("generate", what="sarif", correlation_id=job)

    assert found == again
    assert ("success", "audit", "accessibility", False, f"{pages}audited.html") == (
        found["status"],
        found["action"],
        found["scope"],
        found["cached"],
        found["url"],
    )
    msgspec.convert(direct, Judged)
    assert direct["cached"]
    assert ["critical", "high", "medium"] == list(dict.fromkeys(one["severity"] for one in direct["findings"]))[:3]
    (contrast,) = [one for one in direct["findings"] if one["id"] == "color-contrast" and one["severity"] == "high"]
    fixes = {place["selector"]: place["fix"] for place in contrast["affected"]}
    assert "#767676 (4.54:1)" in fixes["#faint"]
    assert {"wcag": "1.4.3", "level": "AA"}.items() <= contrast["reference"].items()
    (missing,) = [one for one in direct["findings"] if one["id"] == "aria-required-attr"]
    assert "Add aria-checked" == missing["affected"][0]["fix"]
    assert sum(direct["summary"][name] for name in ("critical", "high", "medium", "low")) >= 5
    assert len(msgspec.json.encode(direct["summary"])) < SUMMARY_BYTES
    assert "not_found" == unknown["code"]
    assert (last["rules"], last["results"]) == (named["rules"], named["results"])
    assert (last["bytes"], 0o600, True) == exported(last["path"], "image-alt")
    assert len(text) <= 1_024
    assert "summary" in msgspec.json.decode(text)


@pytest.mark.requirement("analyze-005", "002-005", "002-027", "002-130", "002-175", "000-105", "000-109")
@pytest.mark.requirement("000-110", "000-111", "000-117", "000-154", "000-171")
async def test_the_seeds_own_tool_needs_no_switch_and_analyze_does(live: Settings, chrome: Browser, pages: str) -> None:
    async with at(live, chrome, f"{pages}audited.html?off") as here:
        await pilot(chrome, on=False)
        report = await here.client.call("run_accessibility_audit", tab_id=here.number, budget=20_000)
        cached = await here.client.call("run_accessibility_audit", tab_id=here.number, include_passes=False)
        passes = await here.client.call(
            "run_accessibility_audit", tab_id=here.number, scope="#part", tags=["wcag2a"], include_passes=True
        )
        refused = await here.client.error("analyze", **AUDIT, tab_id=here.number)
        nowhere = await here.client.error("run_accessibility_audit", tab_id=here.number, scope="#nothing")
        await pilot(chrome, on=True)

    msgspec.convert(report, AccessibilityReported)
    assert {"violations", "passes", "incomplete", "inapplicable"} == report["summary"].keys()
    assert report["summary"]["violations"] == len(report["violations"])
    (contrast,) = [one for one in report["violations"] if one["id"] == "color-contrast"]
    assert ("serious", ["wcag2aa", "1.4.3"]) == (contrast["impact"], contrast["wcag"])
    (faint,) = [node for node in contrast["nodes"] if node["selector"] == "#faint"]
    assert "#767676" in faint["fix"]
    assert "#999999" in faint["failureSummary"]
    assert faint["html"].startswith("<p class=")
    assert cached["cached"]
    assert cached["timestamp"] == report["timestamp"]
    assert ["label"] == [one["id"] for one in passes["violations"]]
    assert all(one["nodeCount"] > 0 for one in passes["passes"])
    assert "ai_web_pilot_disabled" == refused["code"]
    assert "invalid_selector" == nowhere["code"]


@pytest.mark.requirement("analyze-009", "analyze-007")
async def test_a_result_outlives_the_front_and_one_that_was_lost_with_it_is_made_again(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}audited.html?lost") as here:
        kept = await begin(here)
        before = await result(here, kept, budget=20_000)
        pids = await here.client.pids()
        os.kill(pids["audit"], signal.SIGSTOP)  # the next one cannot end
        lost = await begin(here, force_refresh=True)
        waiting, steps = await watched(here, lost)
        os.kill(pids["front"], signal.SIGKILL)
        os.kill(pids["audit"], signal.SIGKILL)
        await asyncio.gather(gone(pids["front"]), gone(pids["audit"]))
        after = await result(here, kept, budget=20_000)
        made = await result(here, lost)

    assert {"status": "pending", "correlation_id": lost} == waiting
    assert steps
    assert sorted(steps) == steps
    assert before == after
    assert ("success", before["summary"]) == (made["status"], made["summary"])


@pytest.mark.requirement("analyze-009")
async def test_an_audit_outlives_the_service_worker_the_bridge_and_the_audit_worker(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}audited.html?dies") as here:
        made = []
        for service in ("bridge", "redaction", "audit"):
            job = await begin(here, force_refresh=True)
            pid = (await here.client.pids())[service]
            os.kill(pid, signal.SIGKILL)
            await gone(pid)
            made.append(await result(here, job, wait_s=40))
        job = await begin(here, force_refresh=True)
        await chrome.stop_service_worker()
        made.append(await result(here, job, wait_s=40))

    assert [True] * 4 == [one["status"] == "success" and one["summary"]["critical"] > 0 for one in made]


@pytest.mark.requirement("analyze-012", "analyze-001")
async def test_what_cannot_be_audited_is_an_error_that_states_what_to_do(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}empty.pdf") as here:
        pdf, _ = await here.client.text("analyze", **AUDIT, tab_id=here.number, wait_s=20)
        await here.tab.send("Page.navigate", url="about:blank")
        await here.tab.until("location.href === 'about:blank'")
        blank = await here.client.error("analyze", **AUDIT, tab_id=here.number, wait_s=20)
        missing = await here.client.error("analyze", **AUDIT, tab_id=987_654, wait_s=20)
        wrong = await here.client.error("analyze", action="audit", scope="seo")

    assert "status" in msgspec.json.decode(pdf)
    assert ("tab_not_scriptable", "tab_not_found", "invalid_params") == (blank["code"], missing["code"], wrong["code"])
    assert "interact" in blank["recovery"]


@pytest.mark.requirement("analyze-013")
async def test_a_full_audit_has_every_part_also_when_one_of_them_failed(
    live: Settings, chrome: Browser, pages: str
) -> None:
    assert chrome.extension is not None
    axe = chrome.extension / "vendor" / "axe.min.js"
    kept = await asyncio.to_thread(axe.read_bytes)
    async with at(live, chrome, f"{pages}audited.html?full") as here:
        whole = await here.client.call("analyze", action="audit", tab_id=here.number, wait_s=45, budget=40_000)
        await here.tab.navigate(f"{pages}audited.html?without")
        await asyncio.to_thread(axe.unlink)
        part = await here.client.call("analyze", action="audit", tab_id=here.number, wait_s=45, budget=40_000)
        await asyncio.to_thread(axe.write_bytes, kept)

    msgspec.convert(whole, Judged)
    assert ("success", "full") == (whole["status"], whole["scope"])
    assert {"accessibility", "headers"} <= {one["category"] for one in whole["findings"]}
    assert {"critical", "high", "medium", "low", "info", "accessibility", "performance", "security"} == whole[
        "summary"
    ].keys()
    assert len(msgspec.json.encode(whole["summary"])) < SUMMARY_BYTES
    assert ("partial", "axe_injection_failed") == (part["status"], part["failures"]["accessibility"]["code"])
    assert "headers" in {one["category"] for one in part["findings"]}
    assert "accessibility" not in part["summary"]


HANGING_FRAME = """
new Promise((done) => {
  const frame = Object.assign(document.createElement('iframe'), { src: other });
  frame.onload = () => done(frame.src += '#busy');
  document.body.append(frame);
})
"""

NEVER_ENDS = """
var axe = {
  getRules: () => [], frameMessenger() {}, run: () => new Promise(() => {}), utils: { getFrameContexts: () => [] },
};
"""
"""In the place of axe: a run that never ends."""


@pytest.mark.requirement("analyze-008", "000-174", "000-177", "000-178")
async def test_the_seeds_errors_of_time_reach_the_assistant(live: Settings, chrome: Browser, pages: str) -> None:
    assert chrome.extension is not None
    axe = chrome.extension / "vendor" / "axe.min.js"
    kept = await asyncio.to_thread(axe.read_bytes)
    await asyncio.to_thread(axe.write_text, NEVER_ENDS)
    try:
        async with at(live, chrome, f"{pages}audited.html?late") as here:
            first = await begin(here)
            second = await begin(here, selector="main")
            late = await here.client.error("observe", what="analyze_result", correlation_id=first)
            busy = await here.client.error("observe", what="analyze_result", correlation_id=second)
            await here.tab.navigate(f"{pages}audited.html?left")
            third = await begin(here)
            pending = await result(here, third, wait_s=1)
            await here.tab.navigate(f"{pages}audited.html?again")
            left = await here.client.error("observe", what="analyze_result", correlation_id=third)
            whole = (await here.client.call("analyze", action="audit", tab_id=here.number))["correlation_id"]
            await result(here, whole, wait_s=2)
            await here.tab.navigate(f"{pages}audited.html?left-again")
            part = await result(here, whole)
    finally:
        await asyncio.to_thread(axe.write_bytes, kept)

    assert ("analysis_timeout", "concurrent_analysis") == (late["code"], busy["code"])
    assert "15 s" in late["message"]
    assert "pending" == pending["status"]
    assert "page_navigated" == left["code"]
    assert [late["recovery"], busy["recovery"], left["recovery"]]
    assert ("partial", ["page_navigated"]) == (part["status"], part["warnings"])
    assert "page_navigated" == part["failures"]["accessibility"]["code"]
    assert "security" in part["summary"]


@pytest.mark.requirement("analyze-008")
async def test_of_a_page_with_a_frame_that_hangs_its_own_faults_are_reported(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}audited.html?hangs") as here:
        await here.tab.evaluate(f"const other = '{pages.replace('127.0.0.1', 'localhost')}hangs.html'; {HANGING_FRAME}")
        report = await here.client.call("run_accessibility_audit", tab_id=here.number, budget=20_000)

    assert ["timeout"] == report["warnings"]
    assert "image-alt" in [rule["id"] for rule in report["violations"]]
