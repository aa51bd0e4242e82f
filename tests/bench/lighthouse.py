"""Compares an audit with Lighthouse, page by page: what each finds that the other does not, and why.

Lighthouse is no dependency: install it anywhere (`npm install lighthouse`), and name its command. It has a Chromium of
its own. The pages are those of the fixture site, and of applications of `tests/apps` that we did not write.
"""

import asyncio
import contextlib
import os
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from typing import Any, Final, NamedTuple

import click
import msgspec

sys.path.insert(0, str(Path(__file__).parents[1]))


import system
from apps.applications import APPLICATIONS
from apps.run import served
from bench.lighthouse_audits import OURS, REASONS
from browser import audit_site
from browser.user import number_of, pilot
from gasoline_bridge import installed
from gasoline_bridge.devtools import Browser, find_executable
from system import Assistant, assistant

CATEGORIES: Final = "accessibility,performance,best-practices"
PASSES: Final = 0.9
"""Lighthouse counts an audit with this score as passed (shared/util.js, RATINGS.PASS.minScore)."""

JUDGED: Final = frozenset(("binary", "numeric", "metricSavings"))
INFORMING: Final = frozenset(
    ("csp-xss", "has-hsts", "origin-isolation", "clickjacking-mitigation", "trusted-types-xss")
)
"""Audits of security, which have no score: each item is a fault."""

DESKTOP: Final = (1350, 1080)
"""The window; Lighthouse's desktop screen is 1350 x 940 px."""

RUN_S: Final = 180
FIXTURES: Final = (
    "/moved",
    "/inaccessible",
    "/bare",
    "/weak",
    f"/content?access_token={audit_site.SECRET}",
    "/clean/fast",
    "/clean/accessible",
)
REAL: Final = {"django": "admin/login/", "swagger": "docs", "leaflet": "index.html", "mkdocs": ""}


class Page(NamedTuple):
    """A page to compare, and the command of the browser that finds it."""

    name: str
    url: str
    executable: str


class Compared(NamedTuple):
    """What both found: Lighthouse's failed audits, each with what it is to us, and what it has no failed audit for."""

    page: str
    failed: dict[str, str]
    more: list[str]


@click.command()
@click.option("--lighthouse", "command", default="lighthouse", show_default=True, help="Its command.")
@click.option(
    "--reports", type=click.Path(path_type=Path), help="Keeps Lighthouse's reports; those there are used again."
)
@click.option("--page", "names", multiple=True, help="These alone.")
def main(command: str, reports: Path | None, names: tuple[str, ...]) -> None:
    """Print what Lighthouse finds on each page with what it is to us, and what we find besides."""
    found = shutil.which(command)
    if not found:
        raise click.UsageError(
            f"There is no command {command}: `npm install lighthouse` in another folder, and name it."
        )
    with contextlib.ExitStack() as stack:
        folder = reports or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(parents=True, exist_ok=True)
        compared = asyncio.run(_compare_all(found, folder, names))
    without = [f"{one.page} {audit}" for one in compared for audit, ours in one.failed.items() if not ours]
    click.echo(f"\n{sum(len(one.failed) for one in compared)} failed audits, without an answer: {without or 'none'}")
    sys.exit(bool(without))


async def _compare_all(command: str, folder: Path, names: tuple[str, ...]) -> list[Compared]:
    compared = []
    async with _fixtures() as fixtures:
        wanted = [page for page in fixtures if not names or page.name in names]
        compared += [await _compare(page, command, folder) for page in wanted]
    for name, path in REAL.items():
        if not names or name in names:
            async with served(APPLICATIONS[name]) as (address, _, _):
                compared.append(await _compare(Page(name, address + path, find_executable()), command, folder))
    return compared


@contextlib.asynccontextmanager
async def _fixtures() -> AsyncIterator[list[Page]]:
    with tempfile.TemporaryDirectory() as folder:
        async with audit_site.serve(Path(folder)) as executable:
            yield [Page(path.split("?")[0], audit_site.SITE + path, executable) for path in FIXTURES]


async def _compare(page: Page, command: str, folder: Path) -> Compared:
    report = folder / f"{page.name.strip('/').replace('/', '-')}.json"
    if not await asyncio.to_thread(report.exists):
        await _run_lighthouse(page, command, report)
    failed = failed_audits(msgspec.json.decode(await asyncio.to_thread(report.read_bytes)))
    findings = await _audited(page)
    compared = compare(page.name, failed, findings)
    _print(compared)
    return compared


async def _run_lighthouse(page: Page, command: str, report: Path) -> None:
    flags = "--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage"
    process = await asyncio.create_subprocess_exec(
        *(command, page.url, "--quiet", "--preset=desktop", "--throttling-method=provided"),
        *(f"--only-categories={CATEGORIES}", "--output=json", f"--output-path={report}", f"--chrome-flags={flags}"),
        env=os.environ | {"CHROME_PATH": page.executable},
    )
    async with asyncio.timeout(RUN_S):
        assert await process.wait() == 0


async def _audited(page: Page) -> dict[str, str]:
    """Give the severities of our findings, by their ids."""
    with system.settings() as settings, system.running(settings) as up:
        async with (
            await Browser.launch(installed.install(up), executable=page.executable, size=DESKTOP) as browser,
            assistant(up) as client,
        ):
            await client.connected()
            await pilot(browser, on=True)
            tab = await browser.new_tab(page.url.split("?")[0])
            await tab.activate()
            number = await number_of(client, tab)  # by its address, which has no secret yet
            await tab.navigate(page.url)
            await client.call(
                "analyze", action="audit", scope="performance", tab_id=number, wait_s=50
            )  # from here on the tab's responses are watched
            await client.call("interact", action="navigate", url=page.url, tab_id=number)
            found = await _findings(client, number)
    return {one.get("issue") or one["id"]: one["severity"] for one in found}


async def _findings(client: Assistant, number: int) -> list[dict[str, Any]]:
    reply = await client.call("analyze", action="audit", scope="full", tab_id=number, wait_s=50, budget=40_000)
    assert "success" == reply["status"], reply
    findings: list[dict[str, Any]] = reply["findings"]
    return findings


def failed_audits(report: dict[str, Any]) -> dict[str, str]:
    """Give the titles of the audits that failed, by their ids; hidden ones are parts of others."""
    references = [one for category in report["categories"].values() for one in category["auditRefs"]]
    shown = {one["id"] for one in references if one.get("group") != "hidden"}
    audits = report["audits"]
    return {name: audits[name]["title"] for name in sorted(shown) if _is_failed(audits[name])}


def _is_failed(audit: dict[str, Any]) -> bool:
    if audit["id"] in INFORMING:
        return bool(audit.get("details", {}).get("items"))
    return audit["scoreDisplayMode"] in JUDGED and (audit["score"] or 0) < PASSES


def compare(page: str, failed: dict[str, str], findings: dict[str, str]) -> Compared:
    """Match the audits that failed with our findings."""
    matched = {name: [one for one in _ids(name) if one in findings] for name in failed}
    known = {one for names in matched.values() for one in names}
    answers = {name: _shown(matched[name], findings) or REASONS.get(name, "") for name in failed}
    return Compared(page, answers, _shown((one for one in findings if one not in known), findings).split(", "))


def _ids(audit: str) -> tuple[str, ...]:
    """Give the ids that a finding of the same fault has with us: axe's rules have their own in both."""
    return OURS.get(audit, (audit,))


def _shown(names: Iterable[str], findings: dict[str, str]) -> str:
    return ", ".join(f"{name} (info)" if findings[name] == "info" else name for name in names)


def _print(compared: Compared) -> None:
    click.echo(f"\n{compared.page}\n  Lighthouse's failed audits")
    for name, ours in compared.failed.items():
        click.echo(f"    {name:32} {ours or '-- NOTHING --'}")
    click.echo(f"  ours besides: {', '.join(compared.more)}")


if __name__ == "__main__":
    main()
