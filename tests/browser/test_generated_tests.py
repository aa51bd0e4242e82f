"""What was recorded becomes a test for Playwright that is run here: it passes, and fails when the bug is put back."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from browser import playwright_runs
from browser.assisted import Reply, Scene, at
from browser.input import click, click_at, press
from browser.recorded_site import Site, recorded_site
from gasoline_bridge.devtools import Browser, until
from gasoline_broker.settings import Settings

LANGUAGES = pytest.mark.parametrize("language", ["typescript", "python"])
SECRET = "correct horse"
BUGS = {"typescript": ("", "status", "text"), "python": ("", "throws", "console")}
"""Each language for half of them: a run takes seconds."""


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    """Serve the application."""
    async with recorded_site() as site:
        yield site


async def generated(here: Scene, what: str = "test", **arguments: object) -> tuple[Reply, str]:
    """Generate a file, and give the reply and the file's text."""
    reply = await here.client.call("generate", what=what, tab_id=here.number, **arguments)
    return reply, await asyncio.to_thread(Path(reply["path"]).read_text)


async def with_bugs(reply: Reply, folder: Path, *bugs: str) -> dict[str, playwright_runs.Ran]:
    """Run a generated test against an application for each bug, "" for none."""

    async def run(bug: str) -> playwright_runs.Ran:
        async with recorded_site(bug) as other:
            at = other.url.removesuffix("/")
            return await playwright_runs.run(
                Path(reply["path"]),
                folder / f"run-{bug}",
                SECRET_PASSWORD=SECRET,
                BASE_URL=at,
                FILE_PICTURE_TXT=__file__,
            )

    return dict(zip(bugs, await asyncio.gather(*map(run, bugs)), strict=True))


async def choose_file(here: Scene, selector: str, file: Path) -> None:
    """Choose a file as a user does in Chrome's own dialog."""
    root = (await here.tab.send("DOM.getDocument"))["root"]["nodeId"]
    node = (await here.tab.send("DOM.querySelector", nodeId=root, selector=selector))["nodeId"]
    await here.tab.send("DOM.setFileInputFiles", files=[str(file)], nodeId=node)


async def save_the_profile(here: Scene) -> None:
    await here.do("type", selector="label=Full name", text="Ann")
    await here.do("type", selector="label=Password", text=SECRET)
    await here.do("select", selector="label=Country", value="Peru")
    await here.do("check", selector="label=Send me news")
    await here.do("click", selector="text=Save")


async def type_into(here: Scene, selector: str, text: str) -> None:
    """Type as a user does, key by key, and stay in the field."""
    await click(here.tab, selector)
    for character in text:
        await press(here.tab, character, text=character)


async def the_second_page(here: Scene) -> None:
    """Wait until the page that a link has opened in a tab is captured: its heading comes after its address."""

    async def is_there() -> bool:
        return "The second page" in (await generated(here))[1]

    await until(is_there, "the second page")


@LANGUAGES
@pytest.mark.requirement("clients-006", "clients-007")
async def test_what_an_assistant_has_done_passes_and_fails_with_each_bug(
    live: Settings, chrome: Browser, site: Site, tmp_path: Path, language: str
) -> None:
    async with at(live, chrome, site.url) as here:
        await save_the_profile(here)
        reply, text = await generated(here, language=language)
    ran = await with_bugs(reply, tmp_path, *BUGS[language])

    assert ran[""].passed, ran[""].text
    assert [""] == [bug for bug, one in ran.items() if one.passed]
    assert (6, ["SECRET_PASSWORD"]) == (reply["steps"], reply["environment"])
    assert "left_out" not in reply
    assert SECRET not in text


@LANGUAGES
@pytest.mark.requirement("clients-006", "clients-007", "clients-010")
async def test_what_a_user_has_done_passes_and_fails_with_each_bug(
    live: Settings, chrome: Browser, site: Site, tmp_path: Path, language: str
) -> None:
    async with at(live, chrome, site.url) as here:
        tab = here.tab
        await type_into(here, "[name=name]", "Ann")
        await press(tab, "Tab")
        await type_into(here, "[name=password]", SECRET)
        await click(tab, "[name=news]")
        await click(tab, "#profile button")
        await tab.until("by('status').textContent.startsWith('Saved')")
        await type_into(here, "#todo", "Buy milk")
        await press(tab, "Enter", text="\r")
        await type_into(here, "#search", "tea")
        await tab.until("by('hits').textContent === 'Found what has tea'")
        await click_at(tab, "document.querySelector('my-open').shadowRoot.querySelector('button')")
        await click_at(tab, "document.querySelector('my-closed')")
        async with tab.expect("Page.javascriptDialogOpening"):
            clicking = asyncio.create_task(click(tab, "#remove"))
        await tab.send("Page.handleJavaScriptDialog", accept=True)
        await clicking
        await click(tab, "#route")
        await tab.until("location.pathname === '/orders/4711'")
        await click(tab, "a[target]")
        await the_second_page(here)
        await tab.activate()
        reply, text = await generated(here, language=language)
    ran = await with_bugs(reply, tmp_path, "", "silent")

    assert ran[""].passed, ran[""].text
    assert not ran["silent"].passed
    assert [{"what": "click in a closed shadow root: no locator reaches into it", "count": 1}] == reply["left_out"]
    assert "Left out: click in a closed shadow root" in text
    assert SECRET not in text
    for expected in (
        "Remove it for ever?",
        "The account is closed",
        "popup1",
        "The second page",
        "Buy milk",
        "Found what has tea",
        "The open root was pressed",
        "/orders/[^/]+",
        "Your orders",
    ):
        assert expected in text


@pytest.mark.requirement("clients-006")
async def test_what_came_of_the_last_step_is_in_a_test_though_its_page_is_busy_when_that_is_asked_for(
    live: Settings, chrome: Browser, site: Site
) -> None:
    async with at(live, chrome, site.url) as here:
        await here.tab.evaluate("""addEventListener('submit', () => setTimeout(() => {
            const end = performance.now() + 1500;
            while (performance.now() < end);
        }, 220))""")
        await save_the_profile(here)
        _, text = await generated(here)

    assert "Saved Ann" in text


@pytest.mark.requirement("clients-006")
async def test_what_came_of_a_step_is_in_a_test_though_a_large_page_takes_long_to_lay_out(
    live: Settings, chrome: Browser, site: Site
) -> None:
    async with at(live, chrome, site.url) as here:
        await here.tab.evaluate("""{
            const row = '<i style="display: inline-block">&nbsp;</i> ';
            document.body.insertAdjacentHTML('beforeend', `<p id="hint" hidden></p><div>${row.repeat(20_000)}</div>`);
            by('route').addEventListener('click', () => {
                document.body.style.fontSize = '15px';
                by('hint').textContent = 'This is out of sight';
                by('within').textContent = 'The orders are open';
            });
        }""")
        await here.do("click", selector="#route")
        _, text = await generated(here)

    assert "The orders are open" in text
    assert "This is out of sight" not in text


@LANGUAGES
@pytest.mark.requirement("clients-006", "clients-010", "clients-011")
async def test_frames_dialogs_tabs_files_and_routes_are_done_again(
    live: Settings, chrome: Browser, site: Site, tmp_path: Path, language: str
) -> None:
    picture = tmp_path / "picture.txt"
    picture.write_text("a picture")
    async with at(live, chrome, site.url) as here:
        await here.do("click", selector="#inner >>> button")
        await here.do("click", selector="button", frame="iframe:nth-of-type(2)")
        await here.do("click", selector="my-open >>> button")
        await here.fail("click", selector="#remove")
        await here.do("dialog", accept=True)
        await here.do("key_press", selector="#search", key="ArrowDown")
        await here.do("wait_for", text="The account is closed")
        await here.do("wait_for", selector='body >> text="Loading >> it" >> nth=0', state="detached")
        await here.do("click", selector="text=Save the list")
        await here.do("hover", selector="h1")
        await here.do("drag", selector="h1", dx=5, dy=5)
        await here.do("set_attribute", selector="h1", attribute="lang", value="fr")
        await here.do("click", selector="#route")
        await here.do("click", selector="text=To the second page")
        await here.do("click", selector="text=Press me")
        await here.do("back")
        await here.tab.activate()
        await choose_file(here, "[name=picture]", picture)
        opened = await here.do("click", selector="text=In a new tab")
        await here.client.call("interact", action="click", selector="text=Press me", tab_id=opened["opened_tab"])
        await here.client.call("interact", action="close_tab", tab_id=opened["opened_tab"])
        name = f"mine{'.spec.ts' if language == 'typescript' else '.py'}"
        reply, _ = await generated(here, language=language, save_to=name)
        again = await here.client.error("generate", what="test", tab_id=here.number, language=language, save_to=name)
    ran = await with_bugs(reply, tmp_path, "")

    assert reply["path"].endswith(f"/exports/{name}")
    assert "is there already" in again["message"]
    assert ran[""].passed, ran[""].text


@pytest.mark.requirement("clients-008")
@pytest.mark.parametrize(("bug", "language"), [("throws", "typescript"), ("status", "python")])
async def test_a_reproduction_passes_as_long_as_its_error_occurs(
    live: Settings, chrome: Browser, tmp_path: Path, language: str, bug: str
) -> None:
    async with recorded_site(bug) as site, at(live, chrome, site.url) as here:
        await save_the_profile(here)
        reply, text = await generated(here, "reproduction", language=language)
    ran = await with_bugs(reply, tmp_path, bug, "")

    assert ran[bug].passed, ran[bug].text
    assert not ran[""].passed
    assert {"throws": "profile is not there", "status": "500 POST"}[bug] in reply["error"]
    assert SECRET not in text


@pytest.mark.requirement("clients-008")
async def test_without_an_error_there_is_no_reproduction_and_without_an_action_no_test(
    live: Settings, chrome: Browser, site: Site
) -> None:
    async with at(live, chrome, site.url) as here:
        unbroken = await here.client.error("generate", what="reproduction", tab_id=here.number)

    assert "not_found" == unbroken["code"]
    assert 'generate(what:"test")' in unbroken["recovery"]
