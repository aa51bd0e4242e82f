"""A tab is asked again where a load was lost, and with the parts and the time of what is asked."""

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from gasoline_bridge.chrome.messages import Analyze, Client
from gasoline_bridge.front.page_loads import Asks, PageLoads
from gasoline_bridge.front.page_pictures import Taken
from gasoline_bridge.front.replies import Reply
from gasoline_broker.actor.wire import Stop
from gasoline_broker.errors import Failed, Failure
from gasoline_workers.audit.messages import LoadRead
from gasoline_workers.regression.messages import ListBaselines, PictureCompared, Pictures

LOAD: dict[str, Any] = {"url": "u", "metrics": {"lcp_ms": 9}, "viewport": [800, 600], "scale": 1, "hidden": False}


class Tab:
    """A tab that fails so often before it loads."""

    def __init__(self, *codes: str) -> None:
        self.codes = [*codes]
        self.loaded = self.kept = 0
        self.drawn = 1  # so many pictures differ from each other
        self.held: list[str] = []
        self.released: list[str] = []
        self.ignored: Sequence[str] = ()
        self.asked: list[tuple[Analyze, int, list[str]]] = []

    async def page(self, message: Analyze, limit_s: int, then: Sequence[Stop]) -> Reply:
        self.asked.append((message, limit_s, [one.service for one in then]))
        return LOAD

    async def refresh(self) -> Reply:
        self.loaded += 1
        if self.codes:
            raise Failed(Failure(self.codes.pop(0), "Lost."))
        return {"url": "u"}

    async def worker(self, message: msgspec.Struct, judged: Reply | None) -> Reply:
        return {"asked": type(message).__name__, "judged": judged}

    async def quiet(self) -> Reply:
        if self.codes:
            raise Failed(Failure(self.codes.pop(0), "Lost."))
        return {"waited_ms": 500}

    async def take(self, tab: int, ignored: Sequence[str]) -> Taken:
        self.kept += 1
        self.ignored = ignored
        if self.codes:
            raise Failed(Failure(self.codes.pop(0), "Lost."))
        return Taken(f"{tab} {self.kept}", f"{min(self.kept, self.drawn)}")

    async def hold(self, picture_id: str) -> None:
        self.held.append(picture_id)

    async def release(self, picture_id: str) -> None:
        self.released.append(picture_id)

    async def compare(self, tab: int, ids: tuple[str, ...], ignored: Sequence[str]) -> PictureCompared:
        if self.codes:
            raise Failed(Failure(self.codes.pop(0), "Lost."))
        return PictureCompared(verdict="changed", changes=[f"{tab}", *ids, *ignored])

    def loads(self) -> PageLoads:
        asks = Asks(self.page, self.refresh, self.quiet, self.worker, self)
        return PageLoads({"id": 7, "url": "http://shop.test/"}, Client("0123456789abcdef", "ann"), asks)


@pytest.mark.requirement("regression-017")
@pytest.mark.parametrize(("codes", "loaded"), [((), 1), (("outcome_unknown",), 2), (("extension_disconnected",), 2)])
async def test_a_load_whose_outcome_is_unknown_is_made_again(codes: tuple[str, ...], loaded: int) -> None:
    tab = Tab(*codes)

    assert {"url": "u"} == await tab.loads().refresh()
    assert loaded == tab.loaded


@pytest.mark.requirement("regression-015")
@pytest.mark.parametrize("codes", [("dialog_open",), ("outcome_unknown", "outcome_unknown")])
async def test_any_other_failure_and_a_second_one_end_it(codes: tuple[str, ...]) -> None:
    with pytest.raises(Failed, match=codes[-1]):
        await Tab(*codes).loads().refresh()


@pytest.mark.requirement("regression-001")
async def test_each_load_has_the_seeds_time_and_the_settled_page_that_of_a_full_audit() -> None:
    tab = Tab()
    loads = tab.loads()
    read = await loads.load()
    found = await loads.judged()
    worker = await loads.worker(ListBaselines(), found)

    (load, load_s, judged), (whole, whole_s, kept) = tab.asked
    assert LoadRead("u", {"lcp_ms": 9}, (800, 600), 1, hidden=False) == read
    assert (("performance",), 20_000, 20, ["audit"]) == (load.parts, load.timeout_ms, load_s, judged)
    assert ({"accessibility", "security", "memory"}, 45_000, 45) == ({*whole.parts}, whole.timeout_ms, whole_s)
    assert ["audit"] == kept
    assert (7, 7, 0) == (load.tab_id, whole.tab_id, load.cached_ms)
    assert {"asked": "ListBaselines", "judged": LOAD} == worker


@pytest.mark.requirement("visual-010")
async def test_a_baseline_has_two_pictures_or_the_reason_why_it_has_none() -> None:
    tab = Tab()

    assert Pictures(("7 1", "7 2"), ignored=("#ad",)) == await tab.loads().pictured(["#ad"], settles=True)
    assert ([], ["#ad"]) == (tab.held, tab.ignored)
    await tab.loads().held(["7 1", "7 2"])
    assert ["7 1", "7 2"] == tab.held
    assert Pictures(reason="Lost.") == await Tab("screenshot_failed").loads().pictured([], settles=True)


@pytest.mark.requirement("visual-018")
@pytest.mark.parametrize(
    ("drawn", "ids"),
    [(3, ("7 3", "7 4")), (99, ("7 4", "7 5"))],  # the fourth shows what the third does
)
async def test_two_pictures_that_differ_are_followed_by_others_at_rest_until_two_are_the_same(
    drawn: int, ids: tuple[str, str]
) -> None:
    tab, other = Tab(), Tab()
    tab.drawn = other.drawn = drawn

    assert ids == (await tab.loads().pictured([], settles=True)).ids
    assert ("7 1", "7 2") == (await other.loads().pictured([], settles=False)).ids


@pytest.mark.requirement("visual-010")
async def test_a_page_that_cannot_be_looked_at_has_no_verdict_and_the_reason() -> None:
    found = await Tab().loads().looked(Pictures(("a", "b"), ignored=("#ad", "p")), ["p", "q"])
    lost = await Tab("not_found").loads().looked(Pictures(("a", "b")), [])
    never = await Tab().loads().looked(Pictures(reason="it was hidden"), [])

    assert ("changed", ["7", "a", "b", "#ad", "p", "q"]) == (found.verdict, found.changes)
    assert ("inconclusive", "Lost.") == (lost.verdict, lost.reason)
    assert ("inconclusive", "the baseline has none: it was hidden") == (never.verdict, never.reason)


@pytest.mark.requirement("regression-036")
@pytest.mark.parametrize(
    ("codes", "rests"),
    [((), True), (("wait_timeout",), False), (("human_active",), False), (("extension_disconnected",), True)],
)
async def test_a_page_rests_or_does_not_and_is_waited_for_once_more_where_the_browser_was_lost(
    codes: tuple[str, ...], *, rests: bool
) -> None:
    assert rests == await Tab(*codes).loads().rests()


@pytest.mark.requirement("regression-036")
async def test_a_wait_for_rest_that_fails_otherwise_ends_the_run() -> None:
    with pytest.raises(Failed, match="dialog_open"):
        await Tab("dialog_open").loads().rests()
