"""What has changed on a real page, by two pictures of it: each planted change is named, and nothing else is."""

import re
from collections.abc import Sequence
from typing import NamedTuple

import pytest

from browser.assisted import Scene, at
from gasoline_bridge.devtools import Browser
from gasoline_broker.actor.client import Link, register
from gasoline_broker.actor.wire import stop
from gasoline_broker.settings import Settings
from gasoline_workers.screenshots.messages import ReadScreenshot, ScreenshotRead
from gasoline_workers.visual.comparison import Compared, Shot, compared, moving, read

AT_MOST = 1_200
"""Characters of an explanation: 300 tokens."""


class Case(NamedTuple):
    """What a scene does, what the first sentences are to state, and how many there may be."""

    act: str
    expected: list[str]
    most: int
    verdict: str = "changed"
    ignored: Sequence[str] = ()


SCENES = {
    "nothing": Case("", [], 0, "identical"),
    "a banner is put in": Case(
        "document.body.insertAdjacentHTML('afterbegin', '<div id=banner style=\"height: 47px\"></div>')",
        [r"^added #banner \d+×47$", r"^moved 3 elements \(#top, #foot, main\) by \+0,\+47, with \d+ in them$"],
        2,
        "shifted",
    ),
    "a card is added": Case(
        "cards.insertAdjacentHTML('beforeend', '<div class=card><h3>Gyokuro</h3><p>Garden 7, 50 g</p></div>')",
        [r'^added #cards>div:nth-of-type\(7\) \d+×\d+ "Gyokuro"$', r"^moved .*#more"],
        3,
    ),
    "a card in the middle is removed": Case(
        "cards.children[2].remove()",
        [r'^removed #cards>div:nth-of-type\(3\) \d+×\d+ "Ceylon"$', r"^moved "],
        4,
    ),
    "a button is recoloured": Case(
        "styled('#buy { background: #1d4ed8 }')", [r"^#buy: background #3b82f6 -> #1d4ed8$"], 1
    ),
    "all headings are recoloured": Case(
        "styled('.card h3 { color: #b91c1c }')", [r"^h3 x6: color #1e293b -> #b91c1c$"], 1
    ),
    "the whole page has another color": Case(
        "styled('body { color: #334155 }')", [r"^body: color #1e293b -> #334155$"], 1
    ),
    "a shade that is hardly seen": Case("styled('aside { background: #fefcea }')", [r"^#side: background"], 1),
    "a text is other": Case(
        "total.textContent = 'Total: 19.80'", [r'^#total: text "Total: 9.80" -> "Total: 19.80"$'], 1
    ),
    "a text grows by a line": Case(
        "intro.textContent = 'Fresh leaves from six gardens, packed by hand. '.repeat(4)",
        [r'^#intro: text "Leaves from six gardens…" -> "Fresh', r"^moved .*#cards.*#more|^moved .*#more.*"],
        4,
    ),
    "a block is moved": Case("styled('#buy { transform: translate(40px, 10px) }')", [r"^moved #buy by \+40,\+10$"], 1),
    "two blocks are swapped": Case("cards.append(cards.firstElementChild)", [r"^moved "], 4),
    "a block is resized": Case("styled('#buy { width: 200px }')", [r"^#buy: size \d+×\d+ -> 200×\d+$"], 1),
    "a block grows and moves the rest": Case(
        "styled('#picture { height: 140px }')", [r"^#picture: size 240×90 -> 240×140$", r"^moved "], 4
    ),
    "a font is heavier": Case("styled('#total { font-weight: 700 }')", [r"^#total: font 400 16px -> 700 16px$"], 1),
    "a font is larger everywhere": Case(
        "styled('.card p { font-size: 15px }')", [r"^p x6: font 400 13px -> 400 15px$"], 8
    ),
    "a picture shows something else": Case("paint('#f97316')", [r"^#picture: looks different at \d+,\d+ \d+×\d+$"], 1),
    "a part of a picture": Case(
        "picture.getContext('2d').clearRect(100, 30, 40, 40)", [r"^#picture: looks different at \d+,\d+ 40×40$"], 1
    ),
    "what lies behind is in front": Case(
        "styled('#one { z-index: 2 }')", [r"^#(one|two): looks different at \d+,\d+ 60×40$"], 1
    ),
    "the page is scrolled": Case(
        "document.body.style.minHeight = '3000px'; scrollTo(0, 60)", [r"^moved .* by \+0,-60"], 3, "shifted"
    ),
    "the columns flow otherwise": Case(
        "styled('.cards { grid-template-columns: repeat(2, 1fr) }')",
        [r"^#cards: size", r"^div x6: size 257×72 -> 392×72$", r"^rearranged 5 elements in #cards$"],
        4,
    ),
    "a border appears": Case(
        "styled('#side { outline: 4px solid #dc2626; outline-offset: -4px }')", [r"looks different"], 3
    ),
    "an element is hidden": Case("styled('#more { visibility: hidden }')", [r'^removed #more \d+×\d+ "Show more"$'], 1),
    "the clock goes on, and is ignored": Case("clock.textContent = '12:01'", [], 0, "identical", ["#clock"]),
}
ANIMATED = "styled('@keyframes turn { to { background: #000 } } #two { animation: turn 3s infinite alternate }')"


async def shot(live: Settings, here: Scene) -> Shot:
    reply = await here.client.call("observe", what="screenshot", tab_id=here.number)
    async with Link(live, register("cli")) as link:
        await link.registered()
        ask = stop("screenshots", ReadScreenshot(reply["id"], elements=True))
        answer = await link.ask(ask, ttl_s=10)
    found: ScreenshotRead = answer.read(ScreenshotRead)
    return read(answer.blobs[0], found.screenshot.scale, found.elements)


async def show(here: Scene, act: str) -> None:
    assert await here.tab.evaluate(f"scene(async () => {{ {act} }})")


def wrong(case: Case, found: Compared) -> list[str]:
    """Return what is not as it is to be."""
    missing = [
        f"no {pattern}"
        for number, pattern in enumerate(case.expected)
        if not any(re.search(pattern, text) for text in found.changes[number:])
    ]
    other = [] if found.verdict == case.verdict else [f"{found.verdict}, not {case.verdict}"]
    many = [f"{len(found.changes)} changes"] if len(found.changes) + found.more > case.most else []
    long = ["too long"] if len("\n".join(found.changes)) > AT_MOST else []
    return missing + other + many + long


@pytest.mark.requirement("visual-005", "visual-006")
async def test_what_has_changed_on_a_page_is_named_and_nothing_else(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}scenes.html") as here:
        await show(here, "")
        before = await shot(live, here)
        found = {}
        for name, case in SCENES.items():
            await show(here, case.act)
            now = await shot(live, here)
            boxes = [element.box for element in before.tree.elements if element.selector in case.ignored]
            found[name] = compared(before, now, boxes)

    faults = {name: (wrong(case, found[name]), found[name].changes) for name, case in SCENES.items()}
    assert [] == [(name, *fault) for name, fault in faults.items() if fault[0]]


@pytest.mark.requirement("visual-007")
async def test_what_moves_by_itself_is_found_by_two_pictures_and_left_out(
    live: Settings, chrome: Browser, pages: str
) -> None:
    async with at(live, chrome, f"{pages}scenes.html") as here:
        await show(here, ANIMATED)
        before, again = await shot(live, here), await shot(live, here)
        restless = moving(before, again)
        await show(here, f"{ANIMATED}; total.textContent = 'Total: 0'")
        found = compared(before, await shot(live, here), restless=restless)

    assert 1 == len(restless.boxes)
    assert ['#total: text "Total: 9.80" -> "Total: 0"'] == found.changes
