"""Baselines that leave a system as files and come into another: whole, without secrets, all or none."""

import json
from pathlib import Path
from typing import Any

import pytest

from gasoline_bridge.check.exchange import export, take_in
from gasoline_broker.actor.client import Link
from gasoline_broker.actor.wire import Delivery, pack, stop
from gasoline_broker.errors import Failed, SettingsRefused
from gasoline_workers.regression.messages import (
    BaselineDeleted,
    BaselineExported,
    BaselinesListed,
    CompareBaseline,
    DeleteBaseline,
    ExportBaseline,
    ListBaselines,
    MakeBaseline,
    Pictures,
)
from gasoline_workers.screenshots.messages import (
    DeleteScreenshots,
    ListScreenshots,
    ReadScreenshot,
    ScreenshotsListed,
    ScreenshotStored,
    StoreScreenshot,
)
from process.processes import HERE, Processes
from unit.regression.pages import QUIET, SAME_LOOK, flaw, issue, judged, loads
from unit.screenshots.png_bytes import png

WORKER = str(HERE.parents[1] / "bridge" / "gasoline_bridge" / "cli" / "entry.py")
SECRET = "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc"
ABOUT = {"url": "http://shop.test/cart", "title": "Cart", "kind": "full_page", "masked": 0, "elements": {}}
PLANTED = {"columns": ["text"], "rows": [[f"Authorization: Bearer {SECRET}"]]}


@pytest.fixture
async def link(processes: Processes) -> Link:
    for name in ("redaction", "screenshots", "regression"):
        started = await processes.start(WORKER, "worker", name)
        await processes.registered(started.pid)
    return processes.asking


async def stored(link: Link, **about: Any) -> str:
    """Store a picture as the store would have it, without redaction: as an earlier version's rules left it."""
    ask = stop("screenshots", StoreScreenshot("none"), Delivery.STORE)
    answer = await link.ask(ask, ttl_s=30, body=pack(ABOUT | about), blobs=(png(),))
    return str(answer.read(ScreenshotStored).screenshot.id)


async def make(link: Link, name: str, *findings: Any, pictures: Pictures) -> None:
    ask = stop("regression", MakeBaseline(name, loads([*QUIET]), pictures), Delivery.STORE)
    await link.ask(ask, ttl_s=30, body=pack(judged(*findings)))


async def deleted(link: Link, name: str) -> BaselineDeleted:
    ask = stop("regression", DeleteBaseline(name), Delivery.STORE)
    gone: BaselineDeleted = (await link.ask(ask, ttl_s=30)).read(BaselineDeleted)
    return gone


async def names(link: Link) -> list[str]:
    listed: BaselinesListed = (await link.ask(stop("regression", ListBaselines()), ttl_s=30)).read(BaselinesListed)
    return sorted(one.name for one in listed.baselines)


async def pinned(link: Link) -> int:
    listed: ScreenshotsListed = (await link.ask(stop("screenshots", ListScreenshots()), ttl_s=30)).read(
        ScreenshotsListed
    )
    return sum(one.pinned for one in listed.screenshots)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.requirement("regression-026", "regression-027")
async def test_baselines_come_whole_into_another_place_and_again_without_a_change(link: Link, tmp_path: Path) -> None:
    pictures = Pictures((await stored(link, elements={"columns": [], "rows": []}), await stored(link)))
    await make(link, "cart", issue("label", "#name"), flaw("missing_csp"), pictures=pictures)
    await make(link, "home", pictures=Pictures(reason="it was hidden"))
    out = await export(link, tmp_path / "a"), await export(link, tmp_path / "a")
    before = contents(tmp_path / "a")
    for name in ("cart", "home"):
        gone = (await link.ask(stop("regression", DeleteBaseline(name), Delivery.STORE), ttl_s=30)).read(
            BaselineDeleted
        )
        await link.ask(stop("screenshots", DeleteScreenshots(gone.dropped)), ttl_s=30)

    into = await take_in(link, tmp_path / "a", ["cart"]), await take_in(link, tmp_path / "a")
    held = await pinned(link)
    again = await take_in(link, tmp_path / "a")
    await export(link, tmp_path / "b")

    assert [(["cart", "home"], []), ([], ["cart", "home"])] == [tuple(one) for one in out]
    assert [(["cart"], []), (["home"], ["cart"])] == [tuple(one) for one in into]
    assert ([], ["cart", "home"]) == tuple(again)
    assert before == contents(tmp_path / "a") == contents(tmp_path / "b")
    assert 2 == held == await pinned(link)


@pytest.mark.requirement("regression-026")
async def test_planted_secrets_neither_leave_nor_come_in(link: Link, tmp_path: Path) -> None:
    pictures = Pictures((await stored(link, elements=PLANTED, title=f"token={SECRET}"),))
    leaky = flaw("leak", f"https://shop.test/?access_token={SECRET}")
    await make(link, "cart", issue("label", f"input[value='{SECRET}']"), leaky, pictures=pictures)
    await export(link, tmp_path / "out")
    written = b"".join(contents(tmp_path / "out").values())
    for path in (tmp_path / "out").glob("*.json"):
        whole = json.loads(path.read_text()) | {"name": "planted", "url": f"http://shop.test/?token={SECRET}"}
        path.write_text(json.dumps(whole))
    await take_in(link, tmp_path / "out")
    kept = (await link.ask(stop("regression", ExportBaseline("planted")), ttl_s=30)).read(BaselineExported)
    about = [
        (await link.ask(stop("screenshots", ReadScreenshot(one, "none", elements=True)), ttl_s=30)).body
        for one in kept.pictures.ids
    ]

    assert b"leak" in written
    assert SECRET.encode() not in written
    assert ("planted", 1) == (kept.content["name"], len(about))
    assert SECRET not in f"{kept} {about}"


def spoil(folder: Path, change: dict[str, Any] | None) -> None:
    """Change the last baseline, or remove its picture."""
    if change is None:
        next(folder.glob("c-*.png")).unlink()
        return
    (file,) = folder.glob("c-*.json")
    file.write_text(json.dumps(json.loads(file.read_text()) | change))


@pytest.mark.requirement("regression-027")
@pytest.mark.parametrize("change", [{"unheard": 1}, {"format": 9}, {"loads": []}, None])
async def test_of_several_baselines_one_that_is_wrong_keeps_all_from_being_imported(
    link: Link, tmp_path: Path, change: dict[str, Any] | None
) -> None:
    for name in ("a", "b", "c"):
        await make(link, name, pictures=Pictures((await stored(link),)))
    await export(link, tmp_path)
    for name in ("a", "b", "c"):
        await deleted(link, name)
    spoil(tmp_path, change)

    with pytest.raises((Failed, SettingsRefused)):
        await take_in(link, tmp_path)

    assert ([], 0) == (await names(link), await pinned(link))


@pytest.mark.requirement("regression-027")
async def test_an_import_replaces_what_is_of_the_same_name_and_its_history_goes_on(link: Link, tmp_path: Path) -> None:
    await make(link, "cart", pictures=Pictures((await stored(link),)))
    await export(link, tmp_path)
    await make(link, "cart", issue("label", "#name"), pictures=Pictures())

    done = await take_in(link, tmp_path)
    ask = stop("regression", CompareBaseline("cart", loads([*QUIET]), SAME_LOOK), Delivery.STORE)
    compared = (await link.ask(ask, ttl_s=30, body=pack(judged(issue("label", "#name"))))).read()

    assert ["cart"] == done.changed
    assert "regression_detected" == compared["verdict"]
    with pytest.raises(SettingsRefused, match="has no baseline 'shop'"):
        await take_in(link, tmp_path, ["shop"])
    with pytest.raises(Failed, match="There is no baseline 'shop'"):
        await export(link, tmp_path, ["shop"])
