"""Loads a page again and again, and has it kept as a baseline or compared with one; it judges nothing.

Rules of this file:
- The first loads are cold (compilation, connections, the HTTP cache), of a baseline and of what is compared with it:
  they are not counted.
- A page that fails to load, or leads elsewhere, ends the run: its numbers would be another page's.
- The whole run is in one tab, also if the user looks at another meanwhile.
- One page at a time is loaded: two at once would measure each other. Pictures and analyses go on beside that.
- What is pictured or analysed is a page at rest, if it comes to rest: applications draw for seconds after their load.
- Before and after each load that counts, the machine does a fixed piece of work: its time goes with the load.
- A time is claimed to have changed only after more loads, and what was found in the page only if it is found once more:
  the worker decides whether that is needed. A page that does not come to rest is analysed twice for its baseline, too.
"""

import asyncio
import math
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

import msgspec

from gasoline_bridge.front.analyses import LOAD_S
from gasoline_bridge.front.replies import Reply, encode
from gasoline_broker.errors import fail
from gasoline_workers.audit.messages import LoadRead
from gasoline_workers.diff.reading import rounded
from gasoline_workers.redaction.messages import unnumbered
from gasoline_workers.regression import messages as regression

ANALYSING = "analysing the page"
AGAIN = "analysing the page once more"
RESTING = "waiting until the page rests"
WAITING = "waiting for the loads of another page"
COLD = 2  # loads of a page whose caches and connections are not there yet
RUNS = 5
ERROR_STATUS = 400

AS_BEFORE = ("identical", "below_threshold")
"""How a page looks that needs no other pictures to be approved."""

NAMED = (10, 3, 1, 0)  # how many elements of an issue are tried, in this order
LOOKS = (100, 10, 3, 1, 0)  # changes of how a page looks
CHANGES = 5  # issues or findings that are left where even no element fits

Report = Callable[[str], None]
"""Takes the words of how far the run is."""


class Page(Protocol):
    """What is asked of one tab, which shows `url`, and of the worker that keeps the baselines."""

    url: str

    async def refresh(self) -> Reply:
        """Load the page again."""

    async def load(self) -> LoadRead:
        """Read the numbers of the last load."""

    async def work_ms(self) -> float:
        """Return how long a fixed piece of work takes at the moment, on the machine that loads the page."""

    async def rests(self) -> bool:
        """Wait until the page rests; return whether it does."""

    async def judged(self) -> Reply:
        """Analyse the page that has settled."""

    async def worker(self, message: msgspec.Struct, judged: Reply | None = None) -> Reply:
        """Ask the worker; `judged`: what was found in the page."""

    async def pictured(self, ignored: Sequence[str], *, settles: bool) -> regression.Pictures:
        """Take two pictures of the whole page; these parts of it are not to be compared.

        `settles`: where they differ, so that it may have been drawn meanwhile, take the second one again once it rests.
        """

    async def held(self, pictures: Sequence[str]) -> None:
        """Keep these pictures until they are dropped."""

    async def dropped(self, pictures: Sequence[str]) -> None:
        """State that nothing needs these pictures."""

    async def looked(self, pictures: regression.Pictures, ignored: Sequence[str]) -> regression.PictureCompared:
        """Compare how the page looks with these pictures, but for these parts and those that the pictures leave out."""


class Maker(NamedTuple):
    """What the loads are made with: the browser, and our version."""

    browser: str
    version: str


class Run:
    """The loads of one page, one after another.

    `alone`: held while a page is loaded, by all runs. `ignored`: parts of it that are not compared. `follows`: the page
    is the one to which its address leads.
    """

    def __init__(
        self,
        page: Page,
        maker: Maker,
        report: Report,
        alone: asyncio.Lock,
        ignored: Sequence[str] = (),
        *,
        follows: bool = False,
    ) -> None:
        self.page = page
        self._alone = alone
        self._ignored = ignored
        self._follows = follows
        self._maker = maker
        self._report = report
        self._url = page.url.strip()
        self._hidden = self._loaded = 0
        self._is_at_rest = True
        self._is_restless = False
        self._read: list[LoadRead] = []

    async def baseline(self, name: str, runs: int) -> Reply:
        """Keep what the page is like.

        Raises:
            Failed: a load failed; `store_failed`.

        """
        await self._load(runs)
        pictures = await self.pictured()
        judged, earlier = await self.judged(), Reply()
        if not self._is_at_rest:
            judged, earlier = await self._judged_again(), judged
        reply = await self.page.worker(regression.MakeBaseline(name, self.loads(), pictures, earlier), judged)
        await self.page.held(pictures.ids)  # not before: what ends a run would leave them held for ever
        await self.page.dropped(reply.pop("dropped", ()))
        return reply

    async def compare(self, name: str, runs: int) -> Reply:
        """Compare what the page is like with a baseline.

        Raises:
            Failed: a load failed; `not_found`: the baseline was deleted meanwhile.

        """
        await self._load(runs)
        checked = await self.page.worker(regression.CheckLoads(name, self.loads()))
        if more := checked["more"]:
            await self._load(more)
        picture = await self._look(name)
        pictures = regression.Pictures()
        if picture.verdict not in AS_BEFORE:
            taken, picture = await self.pictured(), await self._look(name)  # once more: it may have been drawn late
            pictures = pictures if picture.verdict in AS_BEFORE else taken
        judged, earlier = await self.judged(), Reply()
        if (await self.page.worker(regression.CheckFindings(name, self.loads()), judged))["again"]:
            judged, earlier = await self._judged_again(), judged
        message = regression.CompareBaseline(name, self.loads(), picture, pictures, earlier)
        reply = await self.page.worker(message, judged)
        await self.page.held(pictures.ids)
        await self.page.dropped(reply.pop("dropped", ()))
        return reply

    async def visual(self, name: str, _runs: int) -> Reply:
        """Compare how the page looks, as it is, with a baseline.

        Raises:
            Failed: `not_found`: there is no such baseline.

        """
        found = await self.page.worker(regression.FindBaseline(name, self._url))
        made = msgspec.convert(found["baseline"], regression.Baseline)
        then = regression.Conditions(made.browser, made.version, made.viewport, made.scale)
        read = await self.page.load()
        now = regression.Conditions(*self._maker, read.viewport, read.scale)
        warnings = [text for _, text in regression.differences(then, now)]
        reply = looks(self._url, await self._look(name))
        return reply | ({"status": "partial", "warnings": warnings} if warnings else {})

    async def pictured(self, stage: str = "taking pictures") -> regression.Pictures:
        """Take two pictures of the page that was loaded last."""
        await self._rest()
        self._report(stage)
        return await self.page.pictured(self._ignored, settles=self._is_at_rest)

    async def looked(self, pictures: regression.Pictures) -> regression.PictureCompared:
        """Compare how the page that was loaded last looks with these pictures."""
        await self._rest()
        self._report("taking a picture")
        return await self.page.looked(pictures, self._ignored)

    async def judged(self, stage: str = ANALYSING) -> Reply:
        """Analyse the page that was loaded last."""
        await self._rest()
        self._report(stage)
        return await self.page.judged()

    async def once(self, *, counted: bool) -> None:
        """Load the page.

        Raises:
            Failed: the load failed.

        """
        if not counted:
            await self._once()
            return
        before = await self.page.work_ms()
        read = await self._once()
        machine_ms = rounded(math.sqrt(before * await self.page.work_ms()), 1)
        self._hidden += read.hidden
        self._read.append(msgspec.structs.replace(read, metrics=read.metrics | {regression.MACHINE: machine_ms}))

    def loads(self) -> regression.Loads:
        """Return the loads that count, of which there is one at least."""
        first = self._read[0]
        conditions = regression.Conditions(*self._maker, first.viewport, first.scale)
        return regression.Loads(self._url, conditions, [one.metrics for one in self._read], list(self._warnings()))

    async def _judged_again(self) -> Reply:
        """Load the page once more, and analyse that."""
        self._report(AGAIN)
        async with self._alone:
            await self.once(counted=False)
        return await self.judged(AGAIN)

    async def _rest(self) -> None:
        """Have the page come to rest that had not when it was loaded; wait in vain once, for it goes on."""
        if not self._is_at_rest and not self._is_restless:
            self._report(RESTING)
            self._is_at_rest = await self.page.rests()
            self._is_restless = not self._is_at_rest

    async def _look(self, name: str) -> regression.PictureCompared:
        found = await self.page.worker(regression.FindBaseline(name, self._url))
        return await self.looked(msgspec.convert(found["pictures"], regression.Pictures))

    async def _load(self, runs: int) -> None:
        if self._alone.locked():
            self._report(WAITING)
        async with self._alone:
            cold = 0 if self._read else COLD
            for number in range(1, cold + runs + 1):
                self._report(f"load {number} of {cold + runs}")
                await self.once(counted=number > cold)

    async def _once(self) -> LoadRead:
        reply = await self.page.refresh()
        url = str(reply.get("url", ""))
        status = reply.get("status", 0)
        if isinstance(status, int) and status >= ERROR_STATUS:
            fail("navigation_failed", f"The server answered {status}.", "See that the page loads, then call again.")
        if reply.get("perf_diff_unavailable") == STILL_LOADING:
            text = f"The page did not finish loading within {LOAD_S} s."
            fail("analysis_timeout", text, "observe(network_waterfall) lists what is still open.")
        if _page(url) != _page(self._url) and (self._loaded or not self._follows):
            recovery = "Log in or open the page that is meant, then call again."
            fail("page_navigated", f"{self._url} led to {url}.", recovery)
        self._url = url
        self._loaded += 1
        self._is_at_rest = reply.get("settled") is not False
        return await self.page.load()

    def _warnings(self) -> list[str]:
        found = []
        if _page(self.page.url).rstrip("/") != _page(self._url).rstrip("/"):
            found.append(f"{self.page.url} led to {self._url}, which was compared.")
        if self._hidden:
            found.append(f"The tab was hidden in {self._hidden} of {len(self._read)} loads: nothing was painted.")
        if not self._is_at_rest:
            found.append("The page did not come to rest: what was found in it, and its look, may be of a moment.")
        first = self._read[0].viewport
        if not all(regression.is_same_viewport(first, one.viewport) for one in self._read):
            found.append("The viewport was resized between the loads.")
        return found


def looks(url: str, picture: regression.PictureCompared) -> Reply:
    """Return the reply about how a page looks."""
    found = msgspec.to_builtins(picture)
    return {"status": "success", "action": "regression", "scope": "visual", "url": url, "picture": found}


def _page(url: str) -> str:
    """Leave out what differs between loads of one page: the query and the fragment."""
    return re.split(r"[?#]", unnumbered(url), maxsplit=1)[0]


def meant(tabs: list[Reply], tab: int) -> Reply | None:
    """Return the tab of this id; of 0 the tracked one, else the active one of the window that was last in front."""
    if tab:
        return next((one for one in tabs if one["id"] == tab), None)
    return next((one for name in ("tracked", "focused") for one in tabs if one[name]), None)


STILL_LOADING = "the page is still loading"
"""As the extension states of a load that was not over in time (navigation_actions.ts)."""


def bounded(reply: Reply, budget: int) -> Reply:
    """Give the reply of a compare with as many details as fit: elements go first, then metrics without a change."""
    if "picture" in reply:
        picture = reply["picture"]
        return next(
            (short for most in LOOKS if len(encode(short := reply | {"picture": _looks(picture, most)})) <= budget),
            reply,
        )
    if "comparison" not in reply:
        return reply
    for most in NAMED:
        short = reply | {"comparison": _shortened(reply["comparison"], most)}
        if len(encode(short)) <= budget:
            return short
    least = _shortened(reply["comparison"], 0)
    for part, names in LISTS.items():
        least[part] = least[part] | {name: least[part][name][:CHANGES] for name in names if name in least[part]}
    least["performance"] = least["performance"] | {"metrics": _changed(least["performance"].get("metrics", {}))}
    short = reply | {"comparison": least}
    if len(encode(short)) <= budget:
        return short
    return {name: value for name, value in reply.items() if name not in ("comparison", "baseline")} | {
        "truncated": True
    }


LISTS = {"accessibility": ("new_issues", "resolved_issues"), "security": ("changes",)}
ELEMENTS = ("elements", "affected")


def _shortened(comparison: Reply, most: int) -> Reply:
    short = dict(comparison)
    for part, names in LISTS.items():
        short[part] = comparison[part] | {
            name: [_item(one, most) for one in comparison[part][name]] for name in names if name in comparison[part]
        }
    if most <= 1:
        short["picture"] = _looks(comparison["picture"], most)
        metrics = comparison["performance"].get("metrics", {})
        short["performance"] = comparison["performance"] | {"metrics": _changed(metrics)}
    return short


def _looks(picture: Reply, most: int) -> Reply:
    """Leave the greatest changes of how a page looks, and how many more there are."""
    changes = picture.get("changes", [])
    if len(changes) <= most:
        return picture
    return picture | {"changes": changes[:most], "more": picture.get("more", 0) + len(changes) - most}


def _item(item: Reply, most: int) -> Reply:
    return {
        name: value[:most] if name in ELEMENTS else value
        for name, value in item.items()
        if name not in ELEMENTS or most
    }


def _changed(metrics: dict[str, Any]) -> dict[str, Any]:
    return {name: one for name, one in metrics.items() if one["verdict"] != "no_change"}
