"""`gasoline check` from its start to its exit code: a system, a browser, a page, a baseline, a report."""

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import msgspec
import pytest

import system
from browser.axe import violations
from gasoline_bridge.check.history_report import history_report
from gasoline_bridge.devtools import Browser, until
from gasoline_broker.settings import Settings
from gasoline_workers.screenshots.messages import Screenshot
from system import gasoline
from unit.check.histories import history

if TYPE_CHECKING:
    import subprocess


@pytest.fixture
def settings() -> Iterator[Settings]:
    with system.settings() as made:
        yield made


CHECK = ("check", "--no-sandbox")  # as root, too
ONLY_TIMES = ": loads differ too much from each other"
"""What a check of an unchanged page says beside other work: then times are inconclusive, and nothing else."""
START_S = 90  # on a busy machine
FOLDERS = ("gasoline-check-", "chromium-")
"""How the names begin of the folders that a check makes: of its system (with its sockets), and of its browser."""


def folders(folder: Path) -> list[str]:
    """List the folders that a check has made, each kind once."""
    return [name for name in FOLDERS if any(folder.glob(f"{name}*"))]


async def command(settings: Settings, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run a command to its end, while the pages are served."""
    return await asyncio.to_thread(gasoline, settings, *arguments)


async def pinned(settings: Settings) -> int:
    """Count the pictures that something needs."""
    listed = await command(settings, "screenshots", "list", "--json")
    return sum(one.pinned for one in msgspec.json.decode(listed.stdout, type=list[Screenshot]))


@pytest.mark.requirement("regression-019", "regression-020", "regression-021", "regression-022", "regression-023")
async def test_a_check_makes_a_baseline_then_finds_no_change_and_in_a_broken_twin_a_regression(
    settings: Settings, pages: str, chromium: Browser, tmp_path: Path
) -> None:
    url, report = f"{pages}regression.html", tmp_path / "report.html"
    files = [f"--junit={tmp_path / 'junit.xml'}", f"--sarif={tmp_path / 'found.sarif'}", f"--html={report}"]

    made = await command(settings, *CHECK, url, "--baseline", "shop")
    same = await command(settings, *CHECK, url, "--baseline", "shop")
    worse = await command(settings, *CHECK, f"{url}?broken", "--baseline", "shop", "--runs", "4", *files)
    nowhere = await command(settings, *CHECK, url, "--html", str(tmp_path / "none" / "report.html"))
    lost = await command(settings, *CHECK, f"{pages}missing.html", "--runs", "1")
    with system.running(settings):
        listed = await command(settings, "baseline", "list")
        shown = await command(settings, "baseline", "show", "shop")
        pictures = await pinned(settings)
        deleted = await command(settings, "baseline", "delete", "shop")
        again = await command(settings, "baseline", "delete", "shop")
        released = await pinned(settings)
        empty = await command(settings, "baseline", "list", "--json")
    assert "<h3>Look: changed</h3>" in report.read_text().replace("\n", "")
    tab = await chromium.new_tab(report.as_uri())
    try:
        faults = await violations(tab)
        halves = "getComputedStyle(document.querySelector('.over .now')).clipPath"
        before = await tab.evaluate(halves)
        slid = await tab.evaluate(
            "(() => { const slider = document.querySelector('input'); slider.value = 20;"
            f" slider.dispatchEvent(new Event('input')); return {halves}; }})()"
        )
        plots = await tab.evaluate("document.querySelectorAll('svg circle.later').length")
        decoded = await tab.evaluate(
            "new Promise((done) => { const image = new Image(); image.onload = () => done(image.naturalWidth);"
            " image.onerror = () => done(0); image.src = getComputedStyle(document.querySelector('.column'))"
            ".backgroundImage.slice(5, -2); })"
        )
    finally:
        await tab.close()

    assert (0, f"{url}: baseline made: 'shop' of 5 loads\n") == (made.returncode, made.stdout), made.stderr
    verdict = (2, "inconclusive") if ONLY_TIMES in same.stdout else (0, "no change")
    assert (verdict[0], True) == (same.returncode, same.stdout.startswith(f"{url}: {verdict[1]}: ")), same.stdout
    assert 1 == worse.returncode, worse.stderr
    assert worse.stdout.startswith(f"{url}?broken: regression: 3 new accessibility issues")
    assert (2, f"gasoline: {tmp_path / 'none'} is no folder.\n") == (nowhere.returncode, nowhere.stderr)
    assert (2, True) == (lost.returncode, "error: The server answered 404" in lost.stdout), lost.stdout
    suites = ET.parse(tmp_path / "junit.xml")  # noqa: S314 - we wrote it
    assert ["failure"] == [one.tag for one in suites.findall("./testsuite/testcase/*")]
    document = msgspec.json.decode((tmp_path / "found.sarif").read_bytes())
    places = [one["locations"][0]["logicalLocations"][0] for one in document["runs"][0]["results"]]
    assert {"#unnamed", "#faint", "#silent", "auth_token"} <= {one["fullyQualifiedName"] for one in places}
    assert [] == faults
    assert ("inset(0px 0px 0px 50%)", "inset(0px 0px 0px 20%)") == (before, slid)
    assert plots >= 4
    assert decoded > 900
    assert ["shop", url] == listed.stdout.splitlines()[1].split()[:2]
    assert "regression_detected: 3 new accessibility issues" in shown.stdout
    assert 4 == pictures  # two of the baseline, two that would be approved
    assert (0, "The baseline 'shop' is deleted.\n") == (deleted.returncode, deleted.stdout)
    assert (1, True) == (again.returncode, "There is no baseline 'shop'" in again.stderr)
    assert 0 == released
    assert "[]\n" == empty.stdout


@pytest.mark.requirement("regression-020")
async def test_an_interrupted_check_exits_with_neither_verdict_and_leaves_no_folder(
    settings: Settings, pages: str, tmp_path: Path
) -> None:
    environ = os.environ | settings.environ() | {"TMPDIR": str(tmp_path)}
    checking = await asyncio.create_subprocess_exec(
        system.GASOLINE, *CHECK, f"{pages}regression.html", env=environ, stderr=asyncio.subprocess.PIPE
    )
    try:
        await until(lambda: _both(tmp_path, checking), "the check to start its system and its browser", START_S)
    finally:
        if checking.returncode is None:
            checking.terminate()
        _, errors = await checking.communicate()

    assert (130, b"gasoline: The check was interrupted.\n") == (checking.returncode, errors)
    assert [] == folders(tmp_path)


async def _both(folder: Path, checking: asyncio.subprocess.Process) -> bool:
    """Tell whether a check has made both its folders; it must not have ended before."""
    assert checking.returncode is None, await checking.communicate()
    return len(folders(folder)) == len(FOLDERS)


@pytest.mark.requirement("regression-025")
async def test_axe_finds_nothing_in_the_report_of_what_became_of_baselines(chromium: Browser, tmp_path: Path) -> None:
    report = tmp_path / "history.html"
    report.write_text(history_report([history(), history("home")], "2026-02-01 09:00 UTC"))
    tab = await chromium.new_tab(report.as_uri())
    try:
        faults = await violations(tab)
        await tab.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        opened = await violations(tab)
        widths = await tab.evaluate(
            "[...document.querySelectorAll('figure svg')].map((one) => one.getBoundingClientRect().width)"
        )
    finally:
        await tab.close()

    assert [] == faults == opened
    assert 10 == len(widths)
    assert all(width > 300 for width in widths)
