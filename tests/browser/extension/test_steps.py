"""The steps that are recorded of a user, each with the locator that finds its element again."""

import pytest

from browser.collector import Collector, Event
from browser.input import click, click_at, press
from gasoline_bridge.devtools import Tab

CONTROL = 2


async def show(collector: Collector, html: str) -> Tab:
    """Show a page that holds this alone."""
    tab = await collector.look("actions.html")
    await tab.evaluate(f"document.body.innerHTML = {html!r}; 0")
    return tab


async def steps(collector: Collector, tab: Tab) -> list[Event]:
    """Give every step, once one that comes after all of them has come."""
    await tab.evaluate("document.body.insertAdjacentHTML('afterbegin', '<button id=last>Last</button>'); 0")
    await click(tab, "#last")
    last = {"by": "role", "role": "button", "name": "Last"}
    await collector.heard(1, type="step", locator=last)
    return [one for one in await collector.events(type="step") if one.get("locator") != last]


async def type_keys(tab: Tab, selector: str, text: str) -> None:
    await click(tab, selector)
    for character in text:
        await press(tab, character, text=character)


@pytest.mark.requirement("clients-010")
@pytest.mark.parametrize(
    ("html", "locator"),
    [
        ("<button id=hit>Save</button>", {"by": "role", "role": "button", "name": "Save"}),
        ("<a id=hit href=#><i>Read</i> all</a>", {"by": "role", "role": "link", "name": "Read all"}),
        (
            "<button id=hit>Save</button><button hidden>Save</button>",
            {"by": "role", "role": "button", "name": "Save"},
        ),
        (
            "<button data-testid=one id=hit>Save</button><button>Save</button>",
            {"by": "testid", "text": "one"},
        ),
        ("<button id=hit>Save</button><button>Save</button>", {"by": "css", "css": "#hit"}),
        ("<button id=hit>Since 12:30</button>", {"by": "css", "css": "#hit"}),
        ("<button id=hit>\ue001 Save</button>", {"by": "css", "css": "#hit"}),
        ("<div id=hit>A plain text</div>", {"by": "text", "text": "A plain text"}),
        ("<div id=hit>Twice</div><p>Twice</p>", {"by": "css", "css": "#hit"}),
        (
            "<label for=hit>City</label><input id=hit><input aria-labelledby=l><b id=l>City</b>",
            {"by": "label", "text": "City"},
        ),
    ],
)
async def test_an_element_is_named_by_what_a_user_perceives_if_that_is_unique(
    collector: Collector, html: str, locator: dict[str, str]
) -> None:
    tab = await show(collector, html)
    await click(tab, "#hit")

    (step,) = await steps(collector, tab)

    assert ("click", "user", locator) == (step["act"], step["by"], step["locator"])


@pytest.mark.requirement("clients-006")
async def test_what_is_typed_is_one_step_before_the_key_that_sends_it(collector: Collector) -> None:
    tab = await show(collector, "<input id=todo aria-label=Todo>")
    await tab.evaluate("todo.onkeydown = ({key}) => { if (key === 'Enter') todo.value = ''; }; 0")
    await type_keys(tab, "#todo", "milk")
    await press(tab, "ArrowLeft")
    await press(tab, "Enter", text="\r")

    taken = [(one["act"], one.get("value"), one.get("pressed")) for one in await steps(collector, tab)]

    assert [("click", None, None), ("type", "milk", None), ("key_press", None, "Enter")] == taken


@pytest.mark.requirement("clients-007")
async def test_no_secret_is_in_a_step(collector: Collector) -> None:
    tab = await show(collector, "<input id=key type=password><button id=plain>Plain</button>")
    await type_keys(tab, "#key", "planted-secret")
    await click(tab, "#plain")

    typed = [one for one in await steps(collector, tab) if one["act"] == "type"]

    assert [True] == [one["secret"] for one in typed]
    assert "planted" not in str(await collector.chunks())


@pytest.mark.requirement("clients-006")
async def test_what_a_script_does_to_a_box_is_no_step_and_what_a_user_does_is(collector: Collector) -> None:
    html = (
        "<button id=ticks onclick='box.click()'>Tick it</button><label id=label>Box<input id=box type=checkbox></label>"
    )
    tab = await show(collector, html)
    await click(tab, "#ticks")
    await click_at(tab, "document.querySelector('#label')")

    taken = await steps(collector, tab)

    assert ["click", "check"] == [one["act"] for one in taken if one["act"] == "check" or "Tick" in str(one)]
    assert [False] == [one["checked"] for one in taken if one["act"] == "check"]


@pytest.mark.requirement("clients-006")
async def test_characters_outside_of_a_field_are_known_of_and_not_recorded(collector: Collector) -> None:
    tab = await show(collector, "<p>Nothing to type into</p>")
    for character in "jk":
        await press(tab, character, text=character)
    await press(tab, "k", modifiers=CONTROL)
    await click(tab, "p")

    taken = await steps(collector, tab)

    assert ["characters", "key_press", "click"] == [one["act"] for one in taken]
    assert "Control+k" == taken[1]["pressed"]


@pytest.mark.requirement("clients-006")
async def test_what_came_into_sight_and_what_went_is_captured(collector: Collector) -> None:
    html = "<button id=save>Save</button><p id=status>Unchanged</p><div id=more hidden>There is more</div>"
    tab = await show(collector, html)
    await tab.evaluate(
        "save.onclick = () => setTimeout(() => { status_.textContent = 'Saved at last'; more.hidden = false; }, 50);"
        " status_ = document.getElementById('status'); 0"
    )
    await click(tab, "#save")

    (step,) = await collector.heard(1, type="step")
    (result,) = await collector.heard(1, type="result", of=step["ts"])

    assert {"Saved at last", "There is more"} == {one["text"] for one in result["shown"]}
    assert ["Unchanged"] == result["gone"]
