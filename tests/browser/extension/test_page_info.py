"""What `get_page_info` answers about real pages."""

import re

import pytest

from browser.bridge_double import BridgeDouble
from browser.scene import Open


async def test_a_page_is_summed_up_as_seed_002_has_it(look: Open, bridge: BridgeDouble, pages: str) -> None:
    tab = await look("small.html")
    measured = "({ width: innerWidth, height: innerHeight, full: document.documentElement.scrollHeight })"
    for _ in range(3):  # the bar of a test that has debugged the tab may go meanwhile
        size = await tab.evaluate(measured)
        answer = await bridge.result("get_page_info")
        if size == await tab.evaluate(measured):
            break

    assert answer == {
        "url": pages + "small.html",
        "title": "Corner Shop",
        "viewport": {"width": size["width"], "height": size["height"]},
        "scroll": {"x": 0, "y": 0},
        "documentHeight": size["full"],
        "forms": [
            {"id": "sign-in", "action": "/session", "fields": ["email", "secret", "country", "csrf"]},
            {"id": "", "action": "", "fields": ["id", "attributes", "children"]},
        ],
        "headings": ["Corner Shop", "Today's offers", "Imprint"],
        "links": 3,
        "images": 1,
        "interactiveElements": 10,  # three links, six fields that are not hidden, the one button that is enabled
        "ref": answer["ref"],
        "controls": answer["controls"],
    }


@pytest.mark.requirement("fast-029")
async def test_the_controls_of_an_open_dialog_come_first(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("small.html")
    behind, dialog = "<button>Behind</button>" * 25, "<div role=dialog aria-modal=true><button>Yes</button></div>"
    await tab.evaluate(f"document.querySelector('body').innerHTML = '{behind}{dialog}'")

    first, second, *_ = (await bridge.result("get_page_info"))["controls"]

    assert ("button: Yes", "button: Behind") == (first.split(" ", 1)[1][:-1], second.split(" ", 1)[1][:-1])


@pytest.mark.requirement("fast-029")
async def test_the_first_twenty_controls_are_named(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("small.html")
    whole = await bridge.result("get_page_info")
    await tab.evaluate("document.querySelector('body').innerHTML = '<button>Save</button>'.repeat(30)")

    answer = await bridge.result("get_page_info")

    assert 10 == len(whole["controls"])
    assert re.fullmatch(r"ref=[0-9a-f]{4}-N", whole["ref"])
    assert re.fullmatch(r"\[\d+ textbox: Email = ada@example\.test\]", whole["controls"][0])
    assert re.fullmatch(r"\[\d+ textbox: Password\]", whole["controls"][1])
    assert (20, 30) == (len(answer["controls"]), answer["interactiveElements"])


async def test_the_navigation_of_a_site_comes_after_its_page_and_an_option_once(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("small.html")
    links = "".join(f"<a href=#{at}>Part {at}</a>" for at in range(25))
    items = "<a role=option href=#logs><div role=option tabindex=0>Logs</div></a>"
    main = f"<main><div role=listbox>{items}</div><button>Save</button></main>"
    await tab.evaluate(f"document.querySelector('body').innerHTML = '<nav>{links}</nav>{main}'")

    named = [one.split(" ", 1)[1][:-1] for one in (await bridge.result("get_page_info"))["controls"]]

    assert ["option: Logs", "button: Save", "link: Part 0"] == [one for one in named if "listbox" not in one][:3]
    assert 20 == len(named)


async def test_the_scroll_position_is_reported(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("small.html")
    await tab.evaluate("scrollTo(0, 320)")

    assert (await bridge.result("get_page_info"))["scroll"] == {"x": 0, "y": 320}


async def test_shadow_roots_count(look: Open, bridge: BridgeDouble) -> None:
    await look("shadow.html")

    answer = await bridge.result("get_page_info")

    assert answer["headings"] == ["Cards", "First"]
    assert answer["forms"] == [{"id": "poll", "action": "", "fields": ["vote"]}]
    assert answer["interactiveElements"] == 7


async def test_frames_of_the_same_origin_count(look: Open, bridge: BridgeDouble) -> None:
    await look("frames.html")

    answer = await bridge.result("get_page_info")

    assert answer["forms"] == [{"id": "inner-form", "action": "go", "fields": ["wish"]}]
    assert answer["interactiveElements"] == 2


async def test_fifty_headings_are_returned_and_more_are_counted(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("small.html")
    await tab.evaluate("document.querySelector('body').innerHTML = `<h2>${'word '.repeat(80)}</h2>`.repeat(51)")

    answer = await bridge.result("get_page_info")

    assert (len(answer["headings"]), answer["headingCount"]) == (50, 51)
    assert answer["headings"][0] == ("word " * 80)[:200]


async def test_a_page_that_has_lost_its_body_is_no_error(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("small.html")
    await tab.evaluate("document.documentElement.remove()")

    answer = await bridge.result("get_page_info")

    assert (answer["documentHeight"], answer["headings"], answer["title"]) == (0, [], "")


async def test_a_strict_page_is_summed_up_too(look: Open, bridge: BridgeDouble) -> None:
    await look("strict.html")

    assert (await bridge.result("get_page_info"))["headings"] == ["Strict"]


@pytest.mark.requirement("applications-021")
async def test_what_is_not_shown_is_counted_and_left_out(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("small.html")
    await tab.evaluate("document.querySelector('h1').style.display = document.forms[0].style.display = 'none'")

    answer = await bridge.result("get_page_info")

    assert ["Today's offers", "Imprint"] == answer["headings"]
    assert (1, 1, 1) == (len(answer["forms"]), answer["hiddenForms"], answer["hiddenHeadings"])
    assert "drawn" not in answer


@pytest.mark.requirement("applications-021")
async def test_a_page_that_shows_nothing_yet_says_so(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("small.html")
    await tab.evaluate("document.querySelector('body').innerHTML = '<div id=root></div><h1 hidden>Later</h1>'")

    assert (await bridge.result("get_page_info"))["drawn"] is False


async def test_links_and_controls_are_counted_as_far_as_they_are_shown(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("small.html")
    await tab.evaluate("document.querySelector('nav').hidden = document.forms[1].hidden = true")

    answer = await bridge.result("get_page_info")

    assert (1, 5) == (answer["links"], answer["interactiveElements"])


async def test_a_field_without_a_name_of_its_own_is_named_as_a_person_does(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("small.html")
    fields = "<label>Nickname <input></label><input type=date><textarea></textarea>"
    await tab.evaluate(f"document.querySelector('body').innerHTML = '<form>{fields}</form>'")

    assert ["Nickname", "date", "textarea"] == (await bridge.result("get_page_info"))["forms"][0]["fields"]


IN_FRONT = {
    "error": "vite-error-overlay: Unexpected token (19:15) at App.tsx",
    "alone": "vite-error-overlay: Unexpected token (19:15) at App.tsx",
    "mask": "#mask: Loading…",
    "dialog": 'dialog "Delete": Delete 3 orders? They do not come back. Delete',
    "shell": None,
    "note": None,
    "plain": None,
}


@pytest.mark.requirement("applications-067")
@pytest.mark.parametrize("layer", IN_FRONT)
async def test_what_covers_the_whole_page_is_named_with_its_text(visit: Open, bridge: BridgeDouble, layer: str) -> None:
    await visit(f"layered.html?{layer}")

    assert IN_FRONT[layer] == (await bridge.result("get_page_info")).get("inFront")


@pytest.mark.requirement("applications-067")
@pytest.mark.usefixtures("acting")
async def test_what_covers_the_whole_page_is_quoted_to_whom_it_keeps_from_an_element(
    visit: Open, bridge: BridgeDouble
) -> None:
    await visit("layered.html?error")
    error = await bridge.error("interact", action="click", selector="text=Three")

    assert "element_covered" == error["code"]
    assert error["message"] == ('"text=Three" is covered by vite-error-overlay: "Unexpected token (19:15) at App.tsx".')
