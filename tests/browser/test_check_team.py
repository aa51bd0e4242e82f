"""`gasoline check` of many pages, with baselines of a folder, and what a person approves; in any folder, sandboxed."""

import asyncio
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import forks
import system
from browser.axe import violations
from gasoline_bridge.devtools import Browser
from gasoline_broker.settings import Settings
from system import gasoline

if TYPE_CHECKING:
    import subprocess

LIMIT_S = 120
LONG = "a-folder-with-a-long-name-" * 5
ORDINARY = "unshare --user --map-user=1000 --map-group=1000"
"""Runs a command as a user who is not root, in whose place Chromium has a sandbox."""


@pytest.fixture
def settings() -> Iterator[Settings]:
    with system.settings() as made:
        yield made


async def check(
    settings: Settings, *arguments: str, sandbox: bool = False, **environ: str
) -> "subprocess.CompletedProcess[str]":
    """Check pages, while they are served."""
    options = () if sandbox else ("--no-sandbox",)
    command = [system.GASOLINE, "check", *options, *arguments]
    return await asyncio.to_thread(forks.run, command, os.environ | settings.environ() | environ, LIMIT_S)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.requirement("regression-028", "regression-029", "regression-034")
async def test_many_pages_are_compared_with_the_baselines_of_a_folder_and_nothing_else(
    settings: Settings, pages: str, tmp_path: Path
) -> None:
    url, team, temporary = f"{pages}regression.html", tmp_path / "team", tmp_path / LONG
    temporary.mkdir()
    listed = tmp_path / "urls.txt"
    listed.write_text(f"# the site\n{url}\n\n{pages}small.html # small\n{url}?other\n{url}\n{pages}missing.html\n")
    many = ("--urls", str(listed), "--jobs", "2", "--baselines", str(team), "--runs", "1")

    made = await check(settings, *many, TMPDIR=str(temporary))
    worse = await check(settings, f"{url}?broken", "--baselines", str(team), "--runs", "1")
    approved = await check(settings, f"{url}?broken", "--baselines", str(team), "--runs", "1", "--approve")
    wanted = await check(settings, f"{url}?broken", "--baselines", str(team), "--runs", "1")
    names = [json.loads(path.read_text())["name"] for path in team.glob("*.json")]
    next(team.glob("*.png")).unlink()
    damaged = await check(settings, url, "--baselines", str(team))
    listed.write_text("shop.test")
    wrong = await check(settings, "--urls", str(listed))
    neither = await check(settings)

    lines = made.stdout.splitlines()
    assert (2, [url, f"{pages}small.html", f"{url}?other", f"{pages}missing.html"]) == (
        made.returncode,
        [line.partition(": ")[0] for line in lines],
    )
    assert ["baseline made", "baseline made", "error"] == [lines[at].split(": ")[1] for at in (0, 1, 3)]
    assert "baseline made" not in lines[2]
    assert "line 6 repeats line 2" in made.stderr
    assert [] == list(temporary.iterdir())
    assert 2 == len(names)
    assert (1, True) == (worse.returncode, "3 new accessibility issues" in worse.stdout), worse.stdout
    assert 0 == approved.returncode, approved.stdout
    assert ": approved: accessibility, security, " in approved.stdout, approved.stdout
    assert "new accessibility" not in wanted.stdout
    assert 1 != wanted.returncode, wanted.stdout  # of one load, times may be inconclusive
    assert not (settings.data_dir / "baselines.sqlite").exists()
    assert (2, True) == (damaged.returncode, "which is missing" in damaged.stderr), damaged.stderr
    assert (2, True) == (wrong.returncode, "line 1 is no address" in wrong.stderr), wrong.stderr
    assert (2, True) == (neither.returncode, "Name a page to check" in neither.stderr)


@pytest.mark.requirement("regression-024", "regression-025", "regression-026")
async def test_what_a_person_approves_is_no_change_after_that(
    settings: Settings, pages: str, chromium: Browser, tmp_path: Path
) -> None:
    url, report, team = f"{pages}regression.html", tmp_path / "history.html", tmp_path / "team"
    await check(settings, url, "--baseline", "shop", "--runs", "4")
    with system.running(settings):
        early = gasoline(settings, "baseline", "approve", "shop")
        nameless = gasoline(settings, "baseline", "approve")
    worse = await check(settings, f"{url}?broken", "--baseline", "shop", "--runs", "4")
    with system.running(settings):
        none = gasoline(settings, "baseline", "approve", "--url", f"{pages}other*")
        approved = gasoline(settings, "baseline", "approve", "--url", f"{pages}*")
        again = gasoline(settings, "baseline", "approve", "shop", "--json")
        history = gasoline(settings, "report", "shop", "--html", str(report))
        unknown = gasoline(settings, "report", "other")
        exported = gasoline(settings, "baseline", "export", str(team))
        first = contents(team)
        gasoline(settings, "baseline", "export", str(team))
        imported = gasoline(settings, "baseline", "import", str(team))
    same = await check(settings, f"{url}?broken", "--baseline", "shop", "--runs", "4")
    tab = await chromium.new_tab(report.as_uri())
    try:
        faults = await violations(tab)
        marks = await tab.evaluate("document.querySelectorAll('figure .dot.regression_detected').length")
    finally:
        await tab.close()

    assert (1, True) == (early.returncode, "There is no compare" in early.stderr), early.stderr
    assert (2, True) == (nameless.returncode, "--url" in nameless.stderr)
    assert 1 == worse.returncode, worse.stdout
    assert (2, True) == (none.returncode, "No baseline is of a page" in none.stderr), none.stderr
    assert approved.stdout.startswith("shop: accessibility, security, ")
    assert "  3 new accessibility issues" in approved.stdout
    assert [True] == [one["is_repeated"] for one in json.loads(again.stdout)]
    assert "compared 1 time since" in history.stdout
    assert (1, True) == (unknown.returncode, "There is no baseline 'other'" in unknown.stderr)
    assert f"1 baseline written to {team}.\n" == exported.stdout
    assert first == contents(team)
    assert f"0 baselines imported from {team}; 1 the same already.\n" == imported.stdout
    assert not [word for word in ("accessibility", "security", "looks") if word in same.stdout], (
        same.stdout
    )  # times may vary
    assert [] == faults
    assert marks >= 2


@pytest.mark.requirement("regression-030")
async def test_the_browser_of_a_check_has_its_sandbox_unless_it_is_told_otherwise(
    settings: Settings, pages: str, tmp_path: Path
) -> None:
    noted, browser = tmp_path / "noted", tmp_path / "chromium"
    browser.write_text(f'#!/bin/sh\necho "$@" >> {noted}\nexec {ORDINARY} chromium "$@"\n')
    bare = tmp_path / "bare"
    bare.write_text('#!/bin/sh\ncase " $* " in *" --no-sandbox "*) exec chromium "$@" ;; *) exit 1 ;; esac\n')
    for file in (browser, bare):
        file.chmod(0o755)
    url = f"{pages}small.html"

    sandboxed = await check(settings, url, "--runs", "1", sandbox=True, GASOLINE_CHROMIUM=str(browser))
    refused = await check(settings, url, sandbox=True, GASOLINE_CHROMIUM=str(bare))
    accepted = await check(settings, url, "--runs", "1", GASOLINE_CHROMIUM=str(bare))

    assert (0, False) == (sandboxed.returncode, "--no-sandbox" in noted.read_text()), sandboxed.stderr
    assert 78 == refused.returncode
    assert "run the check as another user, or with --no-sandbox if you trust the pages" in refused.stderr
    assert accepted.returncode != 78, accepted.stderr
