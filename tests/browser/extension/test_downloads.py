"""A file that an action had Chrome save is in its reply, however it came; one that comes later is in the effect."""

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from browser.bridge_double import BridgeDouble, Message
from browser.scene import Open
from gasoline_bridge.devtools import Browser

pytestmark = pytest.mark.usefixtures("acting")


@pytest.fixture
async def folder(chromium: Browser, tmp_path: Path) -> AsyncIterator[Path]:
    """Have the browser save into a folder of the test's own."""
    await chromium.send("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    yield tmp_path
    await chromium.send("Browser.setDownloadBehavior", behavior="default")


async def click(bridge: BridgeDouble, selector: str, **arguments: Any) -> Message:
    done: Message = await bridge.result("interact", action="click", selector=selector, **arguments)
    return done


def size_of(file: Message) -> int:
    return Path(file["path"]).stat().st_size


@pytest.mark.requirement("applications-028")
@pytest.mark.parametrize(
    ("selector", "name", "size"),
    [
        ("#attachment", "report.txt", 5),
        ("#named", "page.html", None),
        ("#beside", "report.txt", 5),
        ("#blob", "blob.txt", 5),
        ("#data", "data.txt", 5),
        ("#fetched", "fetched.txt", None),
        ("#pushed", "report.txt", 5),
    ],
)
@pytest.mark.parametrize("real", [{}, {"trusted": True}], ids=["script", "real"])
async def test_a_file_that_was_saved_is_named_with_its_size_and_its_place(
    look: Open, bridge: BridgeDouble, folder: Path, selector: str, name: str, size: int | None, real: Message
) -> None:
    await look("downloads.html")
    (file,) = (await click(bridge, selector, **real))["downloads"]

    assert (name, str(folder / name)) == (file["name"], file["path"])
    assert file["bytes"] == size_of(file)
    assert size is None or size == file["bytes"]
    assert not {"state", "error"} & file.keys()


@pytest.mark.requirement("applications-028")
async def test_a_click_that_saves_nothing_names_no_file(look: Open, bridge: BridgeDouble) -> None:
    await look("downloads.html")

    assert "downloads" not in await click(bridge, "#none")


@pytest.mark.requirement("applications-028")
async def test_a_file_that_comes_after_the_reply_is_in_the_effect(
    visit: Open, bridge: BridgeDouble, folder: Path
) -> None:
    await visit("downloads.html")
    done = await click(bridge, "#late")
    (ended,) = await bridge.until_stored(type="effect", id=done["effect"], phase="ended")

    assert "downloads" not in done
    assert [{"name": "late.txt", "bytes": 4, "path": str(folder / "late.txt"), "late": True}] == ended["downloads"]


@pytest.mark.requirement("applications-028")
@pytest.mark.usefixtures("folder")
async def test_a_file_of_another_site_is_not_the_action_s(
    visit: Open, bridge: BridgeDouble, chromium: Browser, pages: str
) -> None:
    other = await chromium.new_tab(re.sub(r"127\.0\.0\.1", "localhost", pages) + "downloads.html")
    await visit("downloads.html")
    number = await bridge.command("interact", {"action": "click", "selector": "#blob", "hold_ms": 500})
    await other.evaluate("save('data:text/plain,other', 'other.txt')", user_gesture=True)
    answer = await bridge.until_heard(type="result", id=number)
    await other.close()

    assert ["blob.txt"] == [file["name"] for file in answer["result"]["downloads"]]
