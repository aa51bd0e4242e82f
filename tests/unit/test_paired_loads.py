"""Two pages in one tab: which is loaded when, what each load does in the tab, and where a failure leaves it."""

import asyncio
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from gasoline_bridge.front import arguments, regression
from gasoline_bridge.front.page_pictures import selectors
from gasoline_bridge.front.page_turns import PageTurns
from gasoline_bridge.front.paired_loads import Pair
from gasoline_bridge.front.replies import Reply
from gasoline_broker.errors import Failed, fail
from gasoline_workers.audit.messages import LoadRead
from gasoline_workers.regression.messages import CheckPages, ComparePages, PictureCompared, Pictures
from unit.regression.pages import SAME_LOOK

A, B = "http://a.test/", "http://b.test/"


class Tab:
    """A tab, and all that was asked of it. `more`: loads that the worker asks for; `fails`: the load that fails."""

    def __init__(self, more: int = 0, fails: int = 0) -> None:
        self.more = more
        self.fails = fails
        self.done: list[str] = []
        self.asked: list[msgspec.Struct] = []
        self.stages: list[str] = []
        self.loaded = 0
        self.found = "no_change"

    def pair(self, leads: str = "") -> Pair:
        maker = regression.Maker("Chrome/156.0", "0.1.0")
        note = self.stages.append
        alone = asyncio.Lock()
        before = regression.Run(Page(self, "A", A, leads), maker, note, alone, ["#ad"], follows=True)
        return Pair(before, regression.Run(Page(self, "B", B), maker, note, alone, ["#ad"]), note, alone)


class Page:
    """One of the two pages."""

    def __init__(self, tab: Tab, name: str, url: str, leads: str = "") -> None:
        self.url = url
        self._tab = tab
        self._name = name
        self._leads = leads or url

    async def refresh(self) -> Reply:
        self._tab.loaded += 1
        self._tab.done.append(self._name)
        if self._tab.loaded == self._tab.fails:
            fail("navigation_failed", "Lost.")
        return {"url": self._leads}

    async def load(self) -> LoadRead:
        return LoadRead(self._leads, {"lcp_ms": self._tab.loaded}, (1440, 900), 1, hidden=False)

    async def work_ms(self) -> float:
        return 8.0

    async def rests(self) -> bool:
        raise AssertionError(self._name)

    async def worker(self, message: msgspec.Struct, judged: Reply | None = None) -> Reply:
        self._tab.asked.append(message)
        if judged is None:
            return {"more": self._tab.more}
        comparison = {part: {"verdict": self._tab.found} for part in ("accessibility", "security")}
        return {"verdict": self._tab.found, "of": judged["of"], "comparison": comparison}

    async def judged(self) -> Reply:
        self._tab.done.append(f"analyses {self._name}")
        return {"of": f"{self._name} {self._tab.loaded}"}

    async def pictured(self, ignored: Sequence[str], *, settles: bool) -> Pictures:
        assert settles
        self._tab.done.append(f"pictures {self._name}")
        return Pictures(("one", "other"), ignored=tuple(ignored))

    async def held(self, pictures: Sequence[str]) -> None:
        raise AssertionError(pictures)

    async def dropped(self, pictures: Sequence[str]) -> None:
        raise AssertionError(pictures)

    async def looked(self, pictures: Pictures, ignored: Sequence[str]) -> PictureCompared:
        self._tab.done.append(f"looks at {self._name}")
        assert (("one", "other"), ("#ad",), ["#ad"]) == (pictures.ids, pictures.ignored, ignored)
        return SAME_LOOK


LAST = ["A", "pictures A", "analyses A", "B", "looks at B", "analyses B"]


@pytest.mark.requirement("regression-032")
async def test_two_pages_are_loaded_by_turns_and_the_first_two_loads_of_each_do_not_count() -> None:
    tab = Tab()
    reply = await tab.pair().compare(3)

    assert ("no_change", "B 12") == (reply["verdict"], reply["of"])
    assert ["A", "B"] * 5 + LAST == tab.done
    checked, compared = tab.asked
    assert isinstance(checked, CheckPages)
    assert isinstance(compared, ComparePages)
    assert [5, 7, 9] == [one["lcp_ms"] for one in compared.before.metrics]
    assert [6, 8, 10] == [one["lcp_ms"] for one in compared.loads.metrics]
    assert ({"of": "A 11"}, SAME_LOOK, A, B) == (
        compared.judged,
        compared.picture,
        compared.before.url,
        compared.loads.url,
    )
    assert "load 5 of 5 of both" in tab.stages


@pytest.mark.requirement("regression-035")
async def test_what_seems_to_differ_is_looked_at_in_one_more_load_of_each() -> None:
    tab = Tab()
    tab.found = "regression_detected"
    reply = await tab.pair().compare(1)

    assert ["A", "B"] * 3 + LAST + ["A", "analyses A", "B", "analyses B"] == tab.done
    compared = tab.asked[-1]
    assert isinstance(compared, ComparePages)
    assert ({"of": "A 9"}, ({"of": "A 7"}, {"of": "B 8"}), "B 10") == (compared.judged, compared.earlier, reply["of"])


@pytest.mark.requirement("regression-032")
async def test_both_pages_are_loaded_as_often_again_as_the_worker_asks_for() -> None:
    tab = Tab(more=5)
    await tab.pair().compare(4)

    assert ["A", "B"] * (2 + 4 + 5) + LAST == tab.done
    assert [9, 9] == [len(loads.metrics) for loads in (tab.asked[-1].before, tab.asked[-1].loads)]  # type: ignore[attr-defined]


@pytest.mark.requirement("regression-032")
async def test_the_looks_of_two_pages_need_one_load_of_each() -> None:
    tab = Tab()
    reply = await tab.pair().visual(5)

    assert ["A", "pictures A", "B", "looks at B"] == tab.done
    assert ("visual", B, {"verdict": "identical"}) == (reply["scope"], reply["url"], reply["picture"])


@pytest.mark.requirement("regression-032")
@pytest.mark.parametrize(("fails", "done"), [(1, ["A", "B"]), (3, ["A", "B", "A", "B"]), (4, ["A", "B", "A", "B"])])
async def test_a_load_that_fails_leaves_the_tab_at_the_page_that_it_showed(fails: int, done: list[str]) -> None:
    tab = Tab(fails=fails)
    with pytest.raises(Failed, match="navigation_failed"):
        await tab.pair().compare(3)

    assert done == tab.done


@pytest.mark.requirement("regression-032")
async def test_where_the_other_address_leads_is_compared_and_stated() -> None:
    tab = Tab()
    await tab.pair(leads="http://a.test/login").compare(3)
    straight = Tab()
    await straight.pair().compare(3)

    (compared,) = (one for one in tab.asked if isinstance(one, ComparePages))
    assert ["http://a.test/ led to http://a.test/login, which was compared."] == compared.before.warnings
    assert [] == straight.asked[-1].before.warnings  # type: ignore[attr-defined]


@pytest.mark.requirement("regression-032")
async def test_the_same_document_is_loaded_again_where_the_browser_would_only_scroll_in_it() -> None:
    done: list[tuple[str, str]] = []

    async def act(action: str, **more: str) -> Reply:
        done.append((action, more.get("url", "")))
        return {"url": more.get("url") or next(url for _, url in reversed(done) if url)}

    turns = PageTurns(B, act)
    for url in (A, f"{A}#two", f"{A}#two", B, B):
        await turns.loader(url)()

    assert [
        ("navigate", A),
        ("navigate", f"{A}#two"),
        ("refresh", ""),
        ("refresh", ""),
        ("navigate", B),
        ("refresh", ""),
    ] == done


@pytest.mark.requirement("regression-032", "visual-011")
@pytest.mark.parametrize(
    ("given", "parameter"),
    [
        ({"scope": "baseline", "against": A}, "against"),
        ({"scope": "list", "against": A}, "against"),
        ({"scope": "compare", "against": A, "name": "cart"}, "against"),
        ({"scope": "delete", "name": "cart", "ignore": ["#ad"]}, "ignore"),
        ({"scope": "compare", "ignore": ["#ad"] * 51}, "ignore"),
        ({"scope": "compare", "ignore": [" "]}, "ignore[0]"),
    ],
)
def test_what_a_comparison_of_two_pages_does_not_take_is_named(given: dict[str, Any], parameter: str) -> None:
    with pytest.raises(Failed) as caught:
        arguments.read("analyze", {"action": "regression"} | given)

    assert ("invalid_params", parameter) == (caught.value.failure.code, caught.value.failure.details["parameter"])


@pytest.mark.requirement("visual-011")
def test_four_numbers_are_a_rectangle_and_all_else_is_a_selector() -> None:
    given = ["#ad", "0, 10,300 ,40.5", "1,2,3", ".a, .b, .c, .d"]

    assert ("#ad", "1,2,3", ".a, .b, .c, .d") == selectors(given)
