"""A password that a page has shown is typed there by its handle, and nowhere else."""

import secrets
from pathlib import Path
from typing import Any

import msgspec
import pytest

from browser.assisted import Scene, at
from gasoline_bridge.devtools import Browser, until
from gasoline_broker.settings import Settings
from gasoline_workers.redaction.messages import HANDLE

FORM = """
document.body.innerHTML = `<p>Your password: <code>PASSWORD</code></p><form id=login><label>Password <input
  type=password id=secret></label><label>Name <input id=name></label><input type=password id=again></form>`;
document.getElementById('login').addEventListener('submit', (event) => event.preventDefault()); 0"""


PUBLIC = """
document.body.innerHTML = `<p>Your password: <code>PASSWORD</code></p><input id=key name=api_key>
  <textarea id=public placeholder="Ask us about seeds"></textarea>
  <div id=rich contenteditable aria-label="Your secret recipe">Mix</div>`; 0"""
FRAMED = """
document.body.innerHTML = `<input type=password id=secret><iframe name=bank></iframe>
  <form id=ask method=post enctype="text/plain" target=bank action="BANKapi/echo?type=text/html"><input type=hidden
  name="<p>Your password: <code>PASSWORD</code></p><i title" value="x"></form>`;
new Promise((done) => {
  document.querySelector('iframe').onload = () => done(0);
  document.getElementById('ask').submit();
})"""


async def value_of(here: Scene, field: str) -> Any:
    return await here.tab.evaluate(f"document.getElementById('{field}').value")


def files_with(folder: Path, text: str) -> list[Path]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files
    return [path for path in files if text.encode() in path.read_bytes()]


@pytest.mark.requirement("redact-013", "redact-014")
async def test_a_password_is_typed_by_its_handle_where_it_was_shown_and_refused_elsewhere(
    live: Settings, chrome: Browser, pages: str
) -> None:
    password = f"Corr3ct-{secrets.token_hex(4)}"
    form = FORM.replace("PASSWORD", password)
    said: list[object] = []
    async with at(live, chrome, f"{pages}capture.html?handles") as here:
        await here.tab.evaluate(form)
        lines = (await here.client.call("observe", what="outline", tab_id=here.number))["lines"]
        found = HANDLE.search("\n".join(lines))
        assert found, "\n".join(lines)
        handle = found[0]
        said += [lines, await here.do("type", selector="#secret", text=handle)]
        said.append(await here.do("fill_form", fields=[{"selector": "#again", "value": handle}]))
        typed = [await value_of(here, field) for field in ("secret", "again")]
        shown = await here.client.error("interact", action="type", selector="#name", text=handle, tab_id=here.number)
        unknown = await here.client.error(
            "interact", action="type", selector="#secret", text="⟦password#999999⟧", tab_id=here.number
        )
        said += [shown, unknown]
        said += [await here.client.call("observe", what=what, tab_id=here.number) for what in ("actions", "logs")]
        after = [await value_of(here, field) for field in ("secret", "name")]
    async with at(live, chrome, f"{pages.replace('127.0.0.1', 'localhost')}capture.html?handles") as here:
        await here.tab.evaluate(FORM)
        elsewhere = await here.client.error(
            "interact", action="type", selector="#secret", text=handle, tab_id=here.number
        )
        left = await value_of(here, "secret")
    said.append(elsewhere)

    assert [password] * 2 == typed
    assert ["secret_refused", "not_found", "secret_refused"] == [one["code"] for one in (shown, unknown, elsewhere)]
    assert [password, ""] == after
    assert "" == left
    assert password not in str(said)
    assert password[:8] + password[8:12] not in str(said)
    assert [] == files_with(live.data_dir, password)


async def handle_in(here: Scene) -> str:
    """Give the handle of the password that the page shows."""
    lines = (await here.client.call("observe", what="outline", tab_id=here.number))["lines"]
    found = HANDLE.search("\n".join(lines))
    assert found, "\n".join(lines)
    return found[0]


async def refusal(here: Scene, field: str, handle: str) -> str:
    """Give the code with which a handle is refused in a field, or "" if it was typed."""
    text, failed = await here.client.text("interact", action="type", selector=field, text=handle, tab_id=here.number)
    return str(msgspec.json.decode(text)["error"]["code"]) if failed else ""


@pytest.mark.requirement("redact-019")
async def test_a_handle_reaches_no_public_text_no_page_without_an_origin_and_no_page_around_the_one_that_showed_it(
    live: Settings, chrome: Browser, pages: str
) -> None:
    password, framed = (f"Corr3ct-{secrets.token_hex(4)}" for _ in range(2))
    elsewhere = pages.replace("127.0.0.1", "localhost")
    async with at(live, chrome, f"{pages}capture.html?public") as here:
        await here.tab.evaluate(PUBLIC.replace("PASSWORD", password))
        handle = await handle_in(here)
        public = [await refusal(here, field, handle) for field in ("#public", "#rich")]
        await here.do("type", selector="#key", text=handle)
        typed = await value_of(here, "key")
    async with at(live, chrome, f"{pages}sandboxed.html") as here:
        await here.tab.evaluate(FORM)
        sandboxed = await refusal(here, "#secret", handle)
    async with at(live, chrome, f"{elsewhere}capture.html?around") as here:
        await here.tab.evaluate(FRAMED.replace("PASSWORD", framed).replace("BANK", pages))
        around = await refusal(here, "#secret", await handle_in(here))
        left = await value_of(here, "secret")

    assert (["secret_refused"] * 2, "secret_refused", "not_found", "") == (public, sandboxed, around, left)
    assert password == typed


@pytest.mark.requirement("install-019")
async def test_the_settings_page_hides_personal_data_from_the_next_answer_on(
    live: Settings, chrome: Browser, pages: str
) -> None:
    mail = f"ada-{secrets.token_hex(4)}@example.com"
    async with at(live, chrome, f"{pages}capture.html?personal") as here:
        await here.tab.evaluate(f"document.body.innerHTML = '<p>Write to {mail}</p>'; 0")

        async def read() -> str:
            found = await here.client.call("interact", action="get_text", selector="p", tab_id=here.number)
            return str(found["text"])

        async def hides() -> bool:
            status = await here.client.call("observe", what="status")
            return bool(status["extension"].get("hides_personal_data"))

        assert mail in await read()
        page = await chrome.popup("options/options.html")
        try:
            await page.until("document.querySelector('#personal')?.checked === false")
            await page.evaluate("document.querySelector('#personal').click()")
            await until(hides, "the switch to reach the system")
            hidden = await read()
        finally:
            await page.evaluate("chrome.storage.local.remove('hidePersonalData')")
            await page.close()
        assert "example.com" not in hidden
        assert "Write to" in hidden

        async def shows() -> bool:
            return not await hides()

        await until(shows, "the switch to reach the system")
        assert "example.com" not in await read(), "what was hidden once stays known"
        await here.tab.evaluate("document.querySelector('p').textContent = 'Write to bob@mill.test'; 0")
        assert "bob@mill.test" in await read()
