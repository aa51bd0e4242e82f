"""What a page answers to the selectors and scripts of other tools: the call that is meant, or what it gives."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from browser.bridge_double import BridgeDouble
from browser.scene import Open

pytestmark = pytest.mark.usefixtures("acting")

TRIES: list[dict[str, Any]] = json.loads((Path(__file__).parents[2] / "wire" / "foreign-selectors.json").read_text())


def offered(error: dict[str, Any]) -> dict[str, Any]:
    """Read the arguments that an error offers."""
    found = re.search(r'Use selector:("(?:[^"\\]|\\.)*")(?:, nth:(\d+))?', error["recovery"])
    assert found, error
    return {"selector": json.loads(found[1])} | ({"nth": int(found[2])} if found[2] else {})


@pytest.mark.requirement("tries-006")
async def test_a_selector_of_another_tool_is_refused_with_one_that_finds_the_element(
    look: Open, bridge: BridgeDouble
) -> None:
    await look("foreign.html")

    for one in TRIES:
        error = await bridge.error("interact", action="get_text", selector=one["selector"])
        use = offered(error)
        assert (one["selector"], use) == (one["selector"], {"selector": one["use"]} | _nth(one))
        answer = await bridge.result("query_dom", selector=use["selector"])
        assert (one["selector"], answer["matchCount"] > use.get("nth", 0)) == (one["selector"], True)


def _nth(one: dict[str, Any]) -> dict[str, Any]:
    return {"nth": one["nth"]} if "nth" in one else {}


@pytest.mark.requirement("tries-006")
async def test_a_selector_that_means_nothing_gets_the_ways_to_write_one(look: Open, bridge: BridgeDouble) -> None:
    await look("foreign.html")

    error = await bridge.error("query_dom", selector="button[")

    assert error["recovery"].startswith('A selector is CSS, or text=Save, role=button[name="Save"], label=, ')


@pytest.mark.requirement("tries-006")
async def test_a_role_of_the_page_in_the_place_of_a_tag_is_offered_as_one(look: Open, bridge: BridgeDouble) -> None:
    await look("foreign.html")

    offers = [
        (await bridge.error("interact", action="get_text", selector=role))["details"].get("candidates")
        for role in ("navigation", "textbox", "tooltip")
    ]

    assert [["role=navigation"], ["role=textbox"], None] == offers


@pytest.mark.requirement("tries-006")
async def test_a_bare_ref_is_offered_as_a_selector(look: Open, bridge: BridgeDouble) -> None:
    await look("foreign.html")

    error = await bridge.error("interact", action="click", selector="abcd-7")

    assert error["code"] == "element_not_found"
    assert error["recovery"] == 'Use selector:"ref=abcd-7".'


@pytest.mark.requirement("tries-008")
@pytest.mark.parametrize(
    ("selector", "tag"),
    [
        ("text=Saved orders", "h2"),
        ('role=button[name="Save"]', "button"),
        ("label=Email", "input"),
        ("placeholder=Your email", "input"),
        ("testid=save-button", "button"),
    ],
)
async def test_query_dom_takes_the_selectors_of_interact(
    look: Open, bridge: BridgeDouble, selector: str, tag: str
) -> None:
    await look("foreign.html")

    answer = await bridge.result("query_dom", selector=selector)

    assert (answer["matchCount"], [match["tag"] for match in answer["matches"]]) == (1, [tag])


@pytest.mark.requirement("tries-008")
async def test_query_dom_and_highlight_take_a_ref_of_the_list(look: Open, bridge: BridgeDouble) -> None:
    await look("foreign.html")

    listed = await bridge.result("interact", action="list_interactive")
    ref = next(one["ref"] for one in listed["elements"] if one["name"] == "Save")
    answer = await bridge.result("query_dom", selector=f"ref={ref}")
    shown = await bridge.result("highlight", selector=f"ref={ref}", duration_ms=100)

    assert answer["matches"][0]["selector"] == "#save"
    assert shown["success"] is True


@pytest.mark.requirement("tries-008")
async def test_nothing_by_its_text_is_an_answer_of_query_dom_and_no_error(look: Open, bridge: BridgeDouble) -> None:
    await look("foreign.html")

    answer = await bridge.result("query_dom", selector="text=nowhere to be found")

    assert (answer["matches"], answer["matchCount"], answer["returnedCount"]) == ([], 0, 0)


@pytest.mark.requirement("tries-001")
async def test_what_a_scroll_a_wait_and_a_look_at_the_page_are_translated_to_works(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("small.html")

    scrolled = await bridge.result("interact", action="wheel", selector="body", dy=600)
    rested = await bridge.result("interact", action="wait_for", state="quiet", timeout_ms=5_000)
    read = await bridge.result("interact", action="get_text", selector="body")
    queried = await bridge.result("query_dom", selector="body", include_children=True)

    assert (scrolled["success"], rested["success"]) == (True, True)
    assert await tab.evaluate("scrollY") > 0
    assert "Corner Shop" in read["text"]
    assert queried["matches"][0]["children"]


@pytest.mark.requirement("tries-007")
@pytest.mark.parametrize(
    ("script", "result"),
    [
        ("() => document.title", "First tries"),
        ("async () => { const two = await Promise.resolve(2); return two + 1 }", 3),
        ("function () { return document.querySelectorAll('form button').length }", 1),
        ("(() => document.title)", "First tries"),
        ("(() => document.title)()", "First tries"),
        ("() => fetch('/foreign.html').then((answer) => answer.status)", 200),
    ],
)
async def test_a_function_is_called(look: Open, bridge: BridgeDouble, script: str, result: object) -> None:
    await look("foreign.html")

    assert await bridge.result("execute", script=script) == {"success": True, "result": result}


@pytest.mark.requirement("tries-007")
async def test_an_error_in_a_function_has_its_place_in_the_script(look: Open, bridge: BridgeDouble) -> None:
    await look("foreign.html")

    answer = await bridge.result("execute", script="() => null.x")

    assert (answer["success"], answer["error"]) == (False, "TypeError: Cannot read properties of null (reading 'x')")
    assert "script:1:12" in answer["stack"]


async def found(bridge: BridgeDouble, rows: list[tuple[str, list[str]]]) -> list[tuple[str, list[str]]]:
    """Give each selector with the ids of what it finds."""
    answers = [await bridge.result("query_dom", selector=selector) for selector, _ in rows]
    ids = [[one["attributes"]["id"] for one in answer["matches"]] for answer in answers]
    return [(selector, found) for (selector, _), found in zip(rows, ids, strict=True)]


ROWS = """
document.body.innerHTML = `
  <table><tr><td>Ada</td><td><my-cell id="lovelace"></my-cell></td><td><input id="pick-1" type="checkbox"></td></tr>
    <tr><td>Ada 2</td><td><button id="edit-2">Edit</button></td></tr></table>
  <ul><li>Ada 3 <b>new</b><button id="edit-3">Edit</button></li><li><p>Ada 4</p></li></ul>
  <article><h2>Ada 5</h2><footer><button id="edit-5">Edit</button></footer></article>
  <div role="grid"><div><div role="row" aria-rowindex="7"><div role="gridcell">Ada 6</div></div></div>
    <div><div role="row" aria-rowindex="7"><div role="gridcell"><button id="edit-6">Edit</button></div></div></div>
  </div>
  <div><span>Ada 7</span></div><button id="other">Edit</button>`;
const cell = document.querySelector('my-cell').attachShadow({ mode: 'open' });
cell.innerHTML = '<i>Byron</i><button id="edit-1">Edit</button>';
cell.firstChild !== null
"""
IN_ROWS = [
    ("text=Ada >> role=checkbox", ["pick-1"]),
    ("text=Ada >> button", ["edit-1"]),
    ("text=Byron >> [type=checkbox]", ["pick-1"]),
    ("text=Ada 2 >> text=Edit", ["edit-2"]),
    ("text=new >> button >> nth=0", ["edit-3"]),
    ("text=Ada 4 >> button", []),
    ("text=Ada 5 >> role=button", ["edit-5"]),
    ("text=Ada 6 >> button", ["edit-6"]),
    ("text=Ada 7 >> button", []),
    ("td >> button", ["edit-1", "edit-2"]),
    ("b >> button", []),
    ('role=row[name="Ada"] >> button', ["edit-1"]),
    ('role=row[name="Ada 2"] >> button', ["edit-2"]),
    ('role=row[name="Ada 8"] >> button', []),
    ('role=row[name="Ada 6"] >> button', ["edit-6"]),
    ('role=cell[name="Edit"] >> button', ["edit-2"]),
    ('role=listitem[name="new"] >> button', ["edit-3"]),
    ("role=article[name=Ada 5] >> button", ["edit-5"]),
]
"""Selectors of what is in the row of a text, and the ids of what they find."""


@pytest.mark.requirement("applications-070")
async def test_what_is_not_within_a_text_is_looked_for_in_its_row(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("blank.html")
    await tab.until(ROWS)

    assert IN_ROWS == await found(bridge, IN_ROWS)


BOXES = """
document.body.innerHTML = `<style>.line, .cards { display: flex } .cell { width: 200px }</style>
  <div class="list">
    <div class="line odd"><div class="cell">Ada</div><div class="cell"><a id="open-1">Open</a></div></div>
    <div class="line"><div class="cell">Bob</div><div class="cell">none</div></div>
    <div class="line odd"><div class="cell">Cleo</div><div class="cell"><a id="open-3">Open</a></div></div></div>
  <div class="list"><div class="line"><div class="cell">Dan</div><div class="cell">none</div></div></div>
  <div class="cards"><div class="card"><p>Free</p><p>0 a month</p><a id="buy-free">Buy</a></div>
    <div class="card"><p>Team</p><p>9 a month</p><a id="buy-team">Buy</a></div></div>
  <div class="one"><p>Alone</p></div><a id="last">Last</a><table><tr><td>Ada<td>36</table>`;
"""
IN_BOXES = [
    ("text=Ada >> a", ["open-1"]),
    ("text=Cleo >> text=Open", ["open-3"]),
    ("text=Bob >> a", []),
    ("text=Dan >> a", []),
    ("text=Team >> a", ["buy-team"]),
    ("text=0 a month >> text=Buy", ["buy-free"]),
    ("text=Alone >> a", []),
    ("text=Ada >> button", []),
]
"""Selectors of what is in the box of a text where no box has a role, and the ids of what they find."""


@pytest.mark.requirement("applications-070")
async def test_a_box_among_several_alike_is_a_row(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("blank.html")
    await tab.evaluate(BOXES)

    assert IN_BOXES == await found(bridge, IN_BOXES)


PARTS = """
document.body.innerHTML = `
  <p id="many">Item 12</p><p id="one">item 1 (new)</p><p id="price">for 1,000</p><p id="version">Version 2.1</p>
  <p id="saved">Saved</p><button id="save">Save it</button><p id="word">Unlocked</p><p id="order">ORD-77</p>
  <label>Username <input id="user"></label><label>Last name <input id="last"></label><p id="sign">设置选项</p>`;
document.querySelector('#sign') !== null
"""
MEANT = [
    ("text=Item 1", ["one"]),
    ("text=Item", ["many", "one"]),
    ("text=1", ["one"]),
    ("text=2", []),
    ("text=Version 2", []),
    ("text=Save", ["save"]),
    ("text=Unlock", ["word"]),
    ("text=77", ["order"]),
    ("text=选项", ["sign"]),
    ("label=Name", ["last"]),
    ("label=user", ["user"]),
]
"""Selectors with a part of a text, and the ids of what they find."""


@pytest.mark.requirement("applications-019")
async def test_a_part_of_a_text_is_best_between_words_and_none_within_a_number(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("blank.html")
    await tab.until(PARTS)

    assert MEANT == await found(bridge, MEANT)


PARTED = """
document.body.innerHTML = `
  <section id="one"><h2>One</h2><button id="save-1">Save</button><label>Name <input id="name-1"></label></section>
  <section id="two"><h2>Two</h2><div><button id="save-2">Save</button></div><button id="all">Save all</button>
    <label>Name <input id="name-2"></label><span id="host"></span><iframe srcdoc="<button id='framed'>In it</button>">
  </iframe></section><section id="far" hidden><button id="save-3">Save</button></section>`;
document.querySelector('#host').attachShadow({ mode: 'open' }).innerHTML = '<button id="shaded">Shaded</button>';
new Promise((done) => setTimeout(() => done(frames[0]?.document.querySelector('#framed') !== null), 100))
"""
FOUND = [
    ("#two >> text=Save", ["save-2"]),
    ("#one >> role=button", ["save-1"]),
    ("section >> text=Save", ["save-1", "save-2", "save-3"]),
    ("section >> text=Save >> nth=1", ["save-2"]),
    ("section >> nth=-1 >> button", ["save-2", "all", "shaded", "framed"]),
    ("#two >> button >> nth=0", ["save-2"]),
    ("#two >> label=Name", ["name-2"]),
    ("#two >> text=Shaded", ["shaded"]),
    ("#two >> #shaded", ["shaded"]),
    ("#two >> text=In it", ["framed"]),
    ("#host >>> button >> text=Shaded", ["shaded"]),
    ("button >> text=Save all", ["all"]),
    ("section >> section", []),
    ("#none >> text=Save", []),
    ("#one >> text=Shaded", []),
    ("#one>>#save-1", ["save-1"]),
]
"""Selectors with parts, and the ids of what they find."""


@pytest.mark.requirement("applications-068")
async def test_a_part_of_a_selector_is_looked_for_within_the_one_before(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("blank.html")
    await tab.until(PARTED)

    assert FOUND == await found(bridge, FOUND)
    await tab.evaluate("document.querySelector('#all').textContent = 'Next >> page'; 0")
    waited = await bridge.result("interact", action="wait_for", text="Next >> page")
    quoted = await bridge.result("query_dom", selector='section >> text="Next >> page"')
    clicked = await bridge.result("interact", action="click", selector="#two >> text=Save")
    refused = await bridge.error("interact", action="click", selector="#two >> css=button")
    missed = await bridge.error("interact", action="click", selector="#one >> text=Shaded")

    assert [True, 1, True] == [waited["success"], quoted["matchCount"], clicked["success"]]
    assert "#two >> button" == offered(refused)["selector"]
    assert 'The selector "css=button" is not valid CSS.' == refused["message"]
    assert ("element_not_found", ['role=button[name="Shaded"]']) == (
        missed["code"],
        missed["details"]["candidates"][:1],
    )
