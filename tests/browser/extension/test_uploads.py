"""Files that are given to real pages: by their fields, and by a drop."""

import base64
from typing import Any

import pytest

from browser.bridge_double import BridgeDouble
from browser.scene import Open

pytestmark = pytest.mark.usefixtures("acting")

SECRET = "what the file holds"


def file(name: str, kind: str, data: bytes = SECRET.encode()) -> dict[str, Any]:
    return {"name": name, "type": kind, "modified_ms": 1_763_742_000_000, "data": base64.b64encode(data).decode()}


NOTE, PICTURE, PAPER = file("note.txt", "text/plain"), file("cat.png", "image/png"), file("a.PDF", "application/pdf")


PATIENT_MS = 25_000
"""The time of a command on a machine that runs other tests."""


async def upload(bridge: BridgeDouble, selector: str, *files: dict[str, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = await bridge.result("interact", action="upload", selector=selector, files=files)
    return answer


async def refused(bridge: BridgeDouble, selector: str, *files: dict[str, Any]) -> dict[str, Any]:
    return await bridge.error("interact", action="upload", selector=selector, files=files)


TAKEN = [
    ("#single", [NOTE], 1),
    ("#several", [NOTE, PICTURE], 2),
    ("#pictures", [PICTURE, PAPER], 2),
    ("#hidden", [NOTE], 1),
    ("#held", [NOTE], 1),
    ("#label", [NOTE], 1),
    ("#holds", [NOTE], 1),
]


@pytest.mark.requirement("actions-003", "actions-010")
@pytest.mark.parametrize(("selector", "files", "count"), TAKEN, ids=[selector for selector, *_ in TAKEN])
async def test_a_field_holds_the_files_and_the_page_can_read_them(
    visit: Open, bridge: BridgeDouble, selector: str, files: list[dict[str, Any]], count: int
) -> None:
    tab = await visit("uploads.html")
    answer = await upload(bridge, selector, *files)
    told = await tab.evaluate("told")

    assert [[one["name"], one["type"], len(SECRET), SECRET] for one in files] == told
    assert count == answer["files"]
    assert SECRET not in str(answer)


@pytest.mark.requirement("actions-003")
async def test_files_are_dropped_where_the_page_takes_them(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("uploads.html")
    answer = await upload(bridge, "#zone", NOTE, PICTURE)

    assert ["note.txt", "cat.png"] == await tab.evaluate("told.map(([name]) => name)")
    assert "files" not in answer


async def test_a_page_that_takes_the_files_out_at_once_is_reported_as_it_is(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("uploads.html")
    answer = await upload(bridge, "#takes", NOTE)

    assert 0 == answer["files"]
    assert "took 1" == await tab.evaluate("by('seen').textContent")


async def test_a_large_file_arrives_whole(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("uploads.html")
    large = file("large.bin", "", b"\0\xff" * (3 << 20))
    arguments = {"action": "upload", "selector": "#single", "files": [large]}
    answer = await bridge.ask("interact", arguments, timeout_ms=PATIENT_MS)

    assert answer["result"]["success"]
    assert 6 << 20 == await tab.evaluate("by('single').files[0].size")


REFUSED = [
    ("#single", [NOTE, PICTURE], "invalid_params", "one file"),
    ("#pictures", [PICTURE, NOTE], "invalid_params", "image/*,.pdf"),
    ("#plain", [NOTE], "invalid_params", "cannot be dropped"),
    ("#off", [NOTE], "element_disabled", "#off"),
    ("#none", [NOTE], "element_not_found", "#none"),
    (".zone", [NOTE], "ambiguous_selector", "3 visible"),
]


async def test_what_takes_no_such_files_is_named_and_gets_nothing(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("uploads.html")
    for selector, files, code, says in REFUSED:
        error = await refused(bridge, selector, *files)

        assert code == error["code"], selector
        assert says in error["message"], selector
        assert SECRET not in str(error), selector
    assert [] == await tab.evaluate("told")
