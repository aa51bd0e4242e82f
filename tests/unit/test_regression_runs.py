"""The loads of a page, as the front has them made: which count, what ends a run, and what a small budget leaves."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest

from gasoline_bridge.front import arguments, regression
from gasoline_bridge.front.replies import Reply, encode
from gasoline_broker.errors import Failed, fail
from gasoline_workers.audit.messages import LoadRead
from gasoline_workers.regression import verdict
from gasoline_workers.regression.kept import state
from gasoline_workers.regression.messages import (
    CheckFindings,
    CheckLoads,
    CompareBaseline,
    FindBaseline,
    MakeBaseline,
    PictureCompared,
    Pictures,
)
from unit.regression.pages import QUIET, SAME_LOOK, flaw, issue, judged, kept, loads

URL = "http://shop.test/cart"
Replied = dict[str, Any]


class Page:
    """A page that loads as its test wishes; `more`: how many loads the worker asks for."""

    def __init__(self, more: int = 0, **last: Any) -> None:
        self.url = URL
        self.more = more
        self.last = last  # of the reply to its last refresh
        self.loaded = self.worked = 0
        self.hidden = False
        self.width = 1440
        self.asked: list[msgspec.Struct] = []
        self.stages: list[str] = []
        self.broken = self.again = False
        self.comes_to_rest = False
        self.waited = 0
        self.judging: list[list[int]] = []  # by the load that was judged
        self.look = SAME_LOOK
        self.settling: list[bool] = []  # of the pictures that were taken
        self.later: list[PictureCompared] = []  # after that look
        self.alone = asyncio.Lock()
        self.before_load: Callable[[], object] = lambda: None
        self.holding: list[str] = []
        self.released: list[str] = []
        self.dropping: list[str] = []

    async def refresh(self) -> Reply:
        self.before_load()
        await asyncio.sleep(0)
        self.loaded += 1
        return {"success": True, "url": URL, **self.last}

    async def load(self) -> LoadRead:
        return LoadRead(URL, {"lcp_ms": self.loaded}, (self.width, 900), 1, self.hidden)

    async def work_ms(self) -> float:
        self.worked += 1
        return 4.0 if self.worked % 2 else 16.0

    async def rests(self) -> bool:
        self.waited += 1
        return self.comes_to_rest

    async def worker(self, message: msgspec.Struct, judged: Reply | None = None) -> Reply:
        self.asked.append(message)
        if judged is not None:
            return self._of(message, judged)
        made = {"name": "cart", "url": URL, "captured_at": "", "runs": 5, "version": "0.1.0"}
        made |= {"browser": "Chrome/156.0", "viewport": [1440, 900], "scale": 1}
        return {"more": self.more, "pictures": {"ids": ["one", "other"]}, "baseline": made}

    def _of(self, message: msgspec.Struct, judged: Reply) -> Reply:
        self.judging.append(judged["findings"])
        if isinstance(message, CheckFindings):
            return {"again": self.again}
        if self.broken:
            fail("store_failed", "No space is left.")
        return {"verdict": "no_change"} | ({"dropped": self.dropping} if self.dropping else {})

    async def judged(self) -> Reply:
        return {"findings": [self.loaded]}

    async def pictured(self, ignored: Sequence[str], *, settles: bool) -> Pictures:
        self.settling.append(settles)
        return Pictures(("one", "other"), ignored=tuple(ignored))

    async def held(self, pictures: Sequence[str]) -> None:
        self.holding += pictures

    async def dropped(self, pictures: Sequence[str]) -> None:
        self.released += pictures

    async def looked(self, pictures: Pictures, ignored: Sequence[str]) -> PictureCompared:
        assert (("one", "other"), ["#ad"]) == (pictures.ids, ignored)
        look, self.look = self.look, self.later.pop(0) if self.later else self.look
        return look

    def run(self) -> regression.Run:
        return regression.Run(self, regression.Maker("Chrome/156.0", "0.1.0"), self.stages.append, self.alone, ["#ad"])


def numbered(first: int, last: int) -> list[dict[str, int]]:
    """Give the metrics of these loads, with the mean of what the machine's work took before and after each."""
    return [{"lcp_ms": number, "machine_ms": 8} for number in range(first, last + 1)]


@pytest.mark.requirement("regression-001", "regression-017", "regression-037")
async def test_the_first_two_loads_of_a_baseline_are_cold_and_not_counted() -> None:
    page = Page()
    await page.run().baseline("cart", 5)

    (made,) = page.asked
    assert isinstance(made, MakeBaseline)
    assert numbered(3, 7) == made.loads.metrics
    assert ("cart", URL, (1440, 900), "Chrome/156.0") == (
        made.name,
        made.loads.url,
        made.loads.conditions.viewport,
        made.loads.conditions.browser,
    )
    assert [f"load {number} of 7" for number in range(1, 8)] + ["taking pictures", "analysing the page"] == page.stages


@pytest.mark.requirement("regression-005")
async def test_a_compare_takes_as_many_more_loads_as_the_worker_asks_for_and_none_of_them_is_cold() -> None:
    page = Page(more=5)
    await page.run().compare("", 5)

    checked, found, _, compared = page.asked
    assert isinstance(found, FindBaseline)
    assert isinstance(checked, CheckLoads)
    assert isinstance(compared, CompareBaseline)
    assert numbered(3, 7) == checked.loads.metrics
    assert numbered(3, 12) == compared.loads.metrics
    assert SAME_LOOK == compared.picture
    assert ["load 5 of 5", "taking a picture"] == page.stages[-3:-1]


@pytest.mark.requirement("regression-035")
async def test_what_seems_to_have_changed_in_a_page_is_looked_at_in_one_more_load_which_is_not_counted() -> None:
    steady, changed = Page(), Page()
    changed.again = True
    for page in (steady, changed):
        await page.run().compare("", 5)

    (once,) = [one for one in steady.asked if isinstance(one, CompareBaseline)]
    (twice,) = [one for one in changed.asked if isinstance(one, CompareBaseline)]
    assert (7, {}, [[7], [7]]) == (steady.loaded, once.earlier, steady.judging)
    assert (8, {"findings": [7]}, [[7], [8]]) == (changed.loaded, twice.earlier, changed.judging)
    assert 5 == len(twice.loads.metrics)
    assert "analysing the page once more" == changed.stages[-1]


@pytest.mark.requirement("regression-035")
async def test_a_page_that_does_not_come_to_rest_is_looked_at_twice_for_its_baseline() -> None:
    restless = Page(settled=False)
    await restless.run().baseline("cart", 5)

    (made,) = restless.asked
    assert isinstance(made, MakeBaseline)
    assert (8, {"findings": [7]}, [[8]]) == (restless.loaded, made.earlier, restless.judging)
    assert [False] == restless.settling  # it was waited for already
    assert 1 == restless.waited  # and comes no more to rest in another load


@pytest.mark.requirement("regression-036")
async def test_a_page_that_rests_late_is_waited_for_before_it_is_pictured_and_analysed() -> None:
    late, steady = Page(settled=False, more=5), Page()
    late.comes_to_rest = True
    for page in (late, steady):
        page.again = True
        await page.run().baseline("cart", 5)
        await page.run().compare("", 5)

    made, compared = (one for one in late.asked if isinstance(one, MakeBaseline | CompareBaseline))
    assert ({}, []) == (made.earlier, made.loads.warnings)
    assert [] == compared.loads.warnings
    assert (3, 0) == (late.waited, steady.waited)  # before the pictures, and before the second analysis of the compare
    at = late.stages.index("waiting until the page rests")
    assert ["load 7 of 7", "taking pictures"] == [late.stages[at - 1], late.stages[at + 1]]


@pytest.mark.requirement("regression-028")
async def test_pages_are_loaded_one_after_another_however_many_runs_there_are() -> None:
    one, other = Page(), Page()
    other.alone = one.alone
    order: list[str] = []
    one.before_load, other.before_load = (lambda: order.append("one")), (lambda: order.append("other"))

    await asyncio.gather(one.run().baseline("one", 2), other.run().baseline("other", 2))

    assert ["one"] * 4 + ["other"] * 4 == order
    assert "waiting for the loads of another page" == other.stages[0]


@pytest.mark.requirement("regression-024")
async def test_a_page_that_looks_different_comes_with_the_pictures_that_would_be_approved() -> None:
    page = Page()
    await page.run().compare("", 5)
    (same,) = [one for one in page.asked if isinstance(one, CompareBaseline)]
    page.asked, page.look, page.dropping = [], PictureCompared(verdict="changed"), ["former"]
    reply = await page.run().compare("", 5)
    (other,) = [one for one in page.asked if isinstance(one, CompareBaseline)]

    assert ((), ("one", "other")) == (same.pictures.ids, other.pictures.ids)
    assert (["one", "other"], ["former"]) == (page.holding, page.released)
    assert {"verdict": "no_change"} == reply


@pytest.mark.requirement("visual-018")
async def test_a_page_that_looks_different_is_looked_at_once_more_and_that_look_counts() -> None:
    page = Page()
    page.look = PictureCompared(verdict="changed")
    page.later = [SAME_LOOK]
    await page.run().compare("", 5)
    (late,) = [one for one in page.asked if isinstance(one, CompareBaseline)]

    assert (SAME_LOOK, ()) == (late.picture, late.pictures.ids)
    assert [True] == page.settling


@pytest.mark.requirement("visual-010")
async def test_only_the_look_of_a_page_is_compared_without_a_load() -> None:
    page = Page()
    reply = await page.run().visual("cart", 5)

    assert (0, {"verdict": "identical"}) == (page.loaded, reply["picture"])
    assert "visual" == reply["scope"]


@pytest.mark.requirement("visual-015")
async def test_a_look_at_another_viewport_or_browser_than_the_baselines_is_warned_of() -> None:
    page = Page()
    page.width = 800
    narrow = await page.run().visual("cart", 5)
    same = await Page().run().visual("cart", 5)
    made = regression.Maker("Chrome/157.0", "")
    other = await regression.Run(Page(), made, print, page.alone, ["#ad"]).visual("cart", 5)

    assert "partial" == narrow["status"]
    assert ["The baseline was made in a viewport of 1440x900 at scale 1; this one has 800x900 at scale 1."] == narrow[
        "warnings"
    ]
    assert ["The baseline was made with Chrome/156.0; this is Chrome/157.0."] == other["warnings"]
    assert ("success", False) == (same["status"], "warnings" in same)


@pytest.mark.requirement("visual-010")
async def test_the_pictures_of_a_baseline_that_was_replaced_are_no_longer_kept() -> None:
    page = Page()
    page.dropping = ["old"]
    await page.run().baseline("cart", 5)

    assert ["old"] == page.released
    assert ["one", "other"] == page.holding


@pytest.mark.requirement("visual-010")
async def test_the_pictures_of_a_baseline_that_could_not_be_kept_are_not_held() -> None:
    page = Page()
    page.broken = True
    with pytest.raises(Failed, match="store_failed"):
        await page.run().baseline("cart", 5)

    assert [] == page.holding


@pytest.mark.requirement("regression-015")
@pytest.mark.parametrize(
    ("reply", "code", "word"),
    [
        ({"status": 503}, "navigation_failed", "503"),
        ({"perf_diff_unavailable": "the page is still loading", "settled": False}, "analysis_timeout", "20 s"),
    ],
)
async def test_a_page_that_does_not_load_ends_the_run(reply: Replied, code: str, word: str) -> None:
    page = Page(**reply)
    with pytest.raises(Failed) as caught:
        await page.run().baseline("", 5)

    assert code == caught.value.failure.code
    assert word in caught.value.failure.text
    assert (1, []) == (page.loaded, page.asked)


@pytest.mark.requirement("regression-015")
async def test_a_page_that_leads_elsewhere_ends_the_run_and_another_query_does_not() -> None:
    page = Page(url=f"{URL}?session=2#top")
    run = page.run()
    await run.baseline("", 1)
    page.last = {"url": "http://shop.test/login"}
    with pytest.raises(Failed) as caught:
        await run.baseline("", 1)

    assert "page_navigated" == caught.value.failure.code
    assert "led to http://shop.test/login" in caught.value.failure.text
    with pytest.raises(Failed):
        await Page(url="http://shop.test/login").run().baseline("", 1)  # at the first load, too


@pytest.mark.requirement("regression-015")
async def test_a_hidden_tab_a_restless_page_and_a_resized_window_are_warned_of() -> None:
    page = Page(settled=False)
    page.hidden = True
    run = page.run()
    await run.baseline("", 4)
    page.width = 800
    await run.baseline("", 1)

    first, second = (made.loads.warnings for made in page.asked if isinstance(made, MakeBaseline))
    assert "hidden in 4 of 4 loads" in first[0]
    assert "did not come to rest" in first[1]
    assert "resized" in second[-1]


@pytest.mark.requirement("regression-014")
@pytest.mark.parametrize(
    ("given", "parameter"),
    [
        ({"scope": "baseline", "runs": 0}, "runs"),
        ({"scope": "compare", "runs": 10_000}, "runs"),
        ({"scope": "compare", "runs": 21}, "runs"),
        ({"scope": "compare", "runs": 2.5}, "runs"),
        ({"scope": "baseline", "name": "x" * 101}, "name"),
        ({"scope": "baseline", "selector": "p"}, "selector"),
        ({"scope": "delete"}, "name"),
        ({"scope": "delete", "name": "a", "runs": 5}, "runs"),
        ({"scope": "list", "name": "a"}, "name"),
        ({"scope": "visual", "runs": 3}, "runs"),
        ({"scope": "sideways"}, "scope"),
        ({}, "scope"),
    ],
)
def test_what_a_regression_does_not_take_is_named(given: Replied, parameter: str) -> None:
    with pytest.raises(Failed) as caught:
        arguments.read("analyze", {"action": "regression"} | given)

    assert ("invalid_params", parameter) == (caught.value.failure.code, caught.value.failure.details["parameter"])


LOOK = PictureCompared(verdict="changed", changes=[f"#item-{n}: color #111111 -> #222222" for n in range(20)])


@pytest.mark.requirement("visual-010")
@pytest.mark.parametrize("budget", [4_096, 900, 400, 256])
def test_a_small_budget_leaves_the_greatest_changes_of_a_look(budget: int) -> None:
    whole: Reply = {"scope": "visual", "url": URL, "picture": msgspec.to_builtins(LOOK)}
    picture = regression.bounded(whole, budget)["picture"]

    assert len(encode(regression.bounded(whole, budget))) <= budget
    assert 20 == len(picture["changes"]) + picture.get("more", 0)
    assert LOOK.changes[: len(picture["changes"])] == picture["changes"]


def compared(elements: int) -> Reply:
    """Give the reply of a compare with that many broken elements of ten rules."""
    names = [f"main > section:nth-child({number}) > button" for number in range(elements)]
    broken = [issue(f"rule-{number}", *names) for number in range(10)]
    now = state(loads([value + 400 for value in QUIET]), judged(*broken, flaw("missing_csp", *names)))
    reply: Reply = msgspec.to_builtins(verdict.compare(kept(loads([*QUIET])), now, LOOK))
    return reply


@pytest.mark.requirement("regression-012")
@pytest.mark.parametrize("budget", [40_000, 4_096, 2_000, 1_000, 350])
def test_a_small_budget_leaves_out_details_and_never_the_verdict(budget: int) -> None:
    whole = compared(9)
    short = regression.bounded(whole, budget)

    assert len(encode(short)) <= budget
    assert ("regression_detected", whole["summary"]) == (short["verdict"], short["summary"])
    assert whole == compared(9)  # as it was
    assert (budget < 2_000) == ("truncated" in short)
    assert (budget == 40_000) == (short == whole)


@pytest.mark.requirement("regression-012")
def test_a_reply_that_compares_nothing_is_left_as_it_is() -> None:
    assert {"baselines": []} == regression.bounded({"baselines": []}, 256)


@pytest.mark.requirement("regression-001")
def test_the_tab_that_is_meant_is_the_named_the_tracked_or_the_one_in_front() -> None:
    tabs = [{"id": number, "tracked": number == 2, "focused": number == 3} for number in (1, 2, 3)]
    untracked = [one | {"tracked": False} for one in tabs]

    assert [1, 2, 3] == [
        one and one["id"]
        for one in (regression.meant(tabs, 1), regression.meant(tabs, 0), regression.meant(untracked, 0))
    ]
    assert regression.meant(tabs, 9) is None
    assert regression.meant([], 0) is None
