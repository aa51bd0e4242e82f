"""What list_interactive lists and how it tells elements apart, and what text= and label= mean by it."""

from typing import Any

import pytest

from browser.bridge_double import BridgeDouble
from browser.extension.test_interact import do, refused
from browser.scene import Open

pytestmark = pytest.mark.usefixtures("acting")

Elements = list[dict[str, Any]]


async def listed(bridge: BridgeDouble) -> Elements:
    elements: Elements = (await do(bridge, "list_interactive"))["elements"]
    return elements


def named(elements: Elements, name: str) -> Elements:
    return [{key: one[key] for key in one if key != "ref"} for one in elements if one.get("name") == name]


@pytest.mark.requirement("applications-016")
async def test_each_element_is_listed_once_without_what_only_holds_it(look: Open, bridge: BridgeDouble) -> None:
    await look("listed.html")
    elements = await listed(bridge)

    assert [{"role": "button", "name": "Only this"}] == named(elements, "Only this")
    assert [{"role": "button", "name": "Pair"}] == named(elements, "Pair")
    assert not named(elements, "Scrolls")
    assert [{"role": "checkbox", "name": "Boxed", "checked": False}] == named(elements, "Boxed")
    assert [{"role": "checkbox", "name": "Styled", "checked": False}] == named(elements, "Styled")
    assert elements[-1]["name"] == "Home"  # the navigation comes last


@pytest.mark.requirement("applications-016")
async def test_what_shares_a_name_or_has_none_has_what_tells_it_apart(look: Open, bridge: BridgeDouble) -> None:
    await look("listed.html")
    elements = await listed(bridge)

    assert ["Ada", "Bob"] == [one["where"] for one in named(elements, "Delete")]
    assert ["after Flour", "after Extras"] == [one["where"] for one in named(elements, "Open")]
    assert ["First part", "Second part"] == [one["where"] for one in named(elements, "More")]
    (nameless,) = [one for one in elements if "name" not in one]
    assert nameless["where"] == "nameless"


@pytest.mark.requirement("applications-016")
async def test_states_are_marked(look: Open, bridge: BridgeDouble) -> None:
    await look("listed.html")
    elements = await listed(bridge)

    mail = {"role": "textbox", "name": "Mail", "value": "ada", "required": True, "invalid": True}
    assert [mail] == named(elements, "Mail")
    assert [{"role": "button", "name": "Menu", "checked": True, "expanded": False}] == named(elements, "Menu")
    assert [{"role": "button", "name": "Details", "expanded": False}] == named(elements, "Details")


HIDDEN = ["One pixel", "In a closed part", "Invisible", "Far left"]


@pytest.mark.requirement("applications-017")
@pytest.mark.parametrize("name", HIDDEN)
async def test_what_can_be_seen_nowhere_is_neither_listed_nor_acted_on(
    look: Open, bridge: BridgeDouble, name: str
) -> None:
    await look("listed.html")
    error = await refused(bridge, "click", f"text={name}")

    assert not named(await listed(bridge), name)
    assert error["code"] == "element_not_visible"


@pytest.mark.requirement("applications-017")
async def test_a_copy_for_no_reader_is_not_meant(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("listed.html")
    await tab.evaluate("addEventListener('click', ({ target }) => (window.clicked = target.id), true)")
    await do(bridge, "click", "text=Only this")

    assert await tab.evaluate("clicked") == "alone"


@pytest.mark.requirement("applications-017")
@pytest.mark.parametrize("more", [{}, {"trusted": True}], ids=["by script", "by real input"])
@pytest.mark.parametrize("box", ["boxed", "styled"])
async def test_a_box_is_clicked_where_it_is_drawn(
    visit: Open, bridge: BridgeDouble, box: str, more: dict[str, Any]
) -> None:
    tab = await visit("listed.html")
    await do(bridge, "click", f"#{box}", **more)

    assert await tab.evaluate(f"document.getElementById('{box}').checked")


@pytest.mark.requirement("applications-056")
async def test_a_slider_is_its_drawn_thumb(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("listed.html")
    await do(bridge, "key_press", "label=Sacks", key="ArrowRight")

    assert [{"role": "slider", "name": "Sacks", "value": "11"}] == named(await listed(bridge), "Sacks")
    assert "11" == await tab.evaluate("sacks.value")


@pytest.mark.requirement("applications-018")
async def test_an_open_dialog_comes_first_and_what_it_covers_is_counted(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("listed.html")
    before = len(await listed(bridge))
    await tab.evaluate("document.getElementById('modal').showModal()")
    answer = await do(bridge, "list_interactive")
    error = await refused(bridge, "click", "#alone")

    assert ["Yes"] == [one["name"] for one in answer["elements"]]
    assert answer["covered_count"] >= before
    assert error["code"] == "element_covered"
    assert 'the dialog "Really?" (#modal)' in error["message"]
    assert error["details"]["covered_by"] == "#modal"


@pytest.mark.requirement("applications-018")
async def test_a_cover_is_named_as_the_popover_or_the_style_that_it_is(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("listed.html")
    style = await refused(bridge, "click", "#off")
    await tab.evaluate("document.getElementById('popover').showPopover()")
    popover = await refused(bridge, "click", "#alone")

    assert ("#unreachable", "element_covered") == (style["details"]["covered_by"], style["code"])
    assert "pointer-events: none" in style["message"]
    assert "#popover" == popover["details"]["covered_by"]


TEXTS = [
    ("text=Save", "save"),
    ("text='save'", "save"),
    ("text=Remove the record", "trash"),
    ("text=remove the", "trash"),
    ("role=button[name=Save]", "save"),
]


@pytest.mark.requirement("applications-019")
@pytest.mark.parametrize(("selector", "expected"), TEXTS, ids=[selector for selector, _ in TEXTS])
async def test_the_exact_match_is_preferred_and_names_are_found_too(
    look: Open, bridge: BridgeDouble, selector: str, expected: str
) -> None:
    await look("listed.html")

    assert (await do(bridge, "get_attribute", selector, attribute="id"))["value"] == expected


@pytest.mark.requirement("applications-019")
async def test_candidates_have_refs_and_what_is_like_it_is_offered(look: Open, bridge: BridgeDouble) -> None:
    await look("listed.html")
    several = (await refused(bridge, "click", "text=Delete"))["details"]["candidates"]
    again = await do(bridge, "get_attribute", f"ref={several[1]['ref']}", attribute="class")
    none = await refused(bridge, "click", "text=Remove record")

    assert (2, "delete") == (len(several), again["value"])
    assert [("Delete", "Ada Delete"), ("Delete", "Bob Delete")] == [(one["text"], one["row"]) for one in several]
    assert ['role=button[name="Remove the record"]'] == none["details"]["candidates"]
    assert 'role=button[name="Remove the record"]' in none["recovery"]


@pytest.mark.requirement("applications-019")
async def test_of_several_what_is_seen_is_read(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("blank.html")
    await tab.evaluate(
        "document.body.innerHTML = '<section hidden><p>Old</p></section><section><p>New</p></section>'"
        " + '<i hidden>Only</i><i hidden>No</i>'"
    )

    read = [(await do(bridge, "get_text", one))["text"] for one in ("section", "p", "i")]
    first = await do(bridge, "get_text", "section", nth=0)
    outline = await bridge.result("get_outline", budget=1_000, selector="section")

    assert ["New", "New", "Only"] == read
    assert "Old" == first["text"]
    assert ["New"] == outline["lines"]


BEHIND = """
document.body.innerHTML = '<button id=page>Delete</button><p style="height: 2000px"></p><button id=far>Delete</button>';
globalThis.layer = document.createElement('div');
layer.style = 'position: fixed; inset: 0; background: #0008';
layer.innerHTML = `<div role="dialog" style="position: absolute; inset: 30%; background: white" aria-modal="MODAL">
  <button id="dialog">Delete</button></div>`;
document.body.append(layer);
"""


@pytest.mark.requirement("applications-019")
async def test_of_what_is_called_alike_that_of_an_open_dialog_is_meant(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("blank.html")
    clicked = "document.onclick = ({ target }) => (document.title = target.id); document.title = ''"

    await tab.evaluate(BEHIND.replace("MODAL", "true") + clicked)
    await do(bridge, "click", "text=Delete")
    modal = await tab.evaluate("document.title")
    await tab.evaluate(BEHIND.replace("MODAL", "false") + clicked)
    several = await refused(bridge, "click", "text=Delete")
    await tab.evaluate("document.getElementById('far').remove()")
    await do(bridge, "click", "text=Delete")
    drawn = await tab.evaluate("document.title")
    await tab.evaluate("document.querySelector('[role=dialog]').remove()")
    behind = await refused(bridge, "click", "text=Delete")

    assert ("dialog", "dialog") == (modal, drawn)
    assert 2 == several["details"]["match_count"]
    assert "element_covered" == behind["code"]


@pytest.mark.requirement("applications-020")
async def test_the_text_is_what_a_person_reads_with_shadow_roots_and_slots(look: Open, bridge: BridgeDouble) -> None:
    await look("listed.html")

    assert (await do(bridge, "get_text", "#story"))["text"] == "Light A story told"


@pytest.mark.requirement("applications-009")
async def test_thousands_of_rows_are_listed_within_the_time_of_a_call(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("listed.html")
    await tab.evaluate("""document.body.innerHTML = '<h1>Many</h1><table>' + Array.from({ length: 1000 }, (_, at) =>
        `<tr><td>Row ${at}</td><td><label for="f${at}">Field ${at}</label><input id="f${at}"></td>
        <td><button>Delete</button><a href="#${at}">More</a><input type="checkbox" aria-label="Pick"></td></tr>`
        ).join('')""")
    answer = await do(bridge, "list_interactive")

    assert (500, 3500) == (len(answer["elements"]), answer["omitted_count"])
    assert "Row 0" == named(answer["elements"], "Delete")[0]["where"]


@pytest.mark.requirement("applications-016")
@pytest.mark.parametrize("name", ["Card without a role", "Sorted", "Remove", "Ada Remove", "Chosen"])
async def test_what_only_the_pointer_shows_to_be_clickable_is_listed_once(
    look: Open, bridge: BridgeDouble, name: str
) -> None:
    await look("held.html")

    assert 1 == len(named(await listed(bridge), name))


@pytest.mark.requirement("applications-016")
async def test_what_is_only_drawn_for_another_element_is_not_listed(look: Open, bridge: BridgeDouble) -> None:
    await look("held.html")
    elements = await listed(bridge)
    nameless = [one["role"] for one in elements if "name" not in one]

    assert not named(elements, "inside")
    assert ["checkbox", "textbox"] == nameless  # neither the backdrop nor the sign beside the field


@pytest.mark.requirement("applications-016")
async def test_a_link_in_a_cell_is_listed_and_the_cell_is_not(look: Open, bridge: BridgeDouble) -> None:
    await look("held.html")
    elements = await listed(bridge)

    assert [{"role": "link", "name": "Profile"}] == named(elements, "Profile")
    assert [{"role": "gridcell", "name": "Edited"}] == named(elements, "Edited")
    assert not [one for one in elements if one["role"] == "row" and "Profile" in one["name"]]


@pytest.mark.requirement("applications-016")
async def test_a_field_without_a_name_has_the_text_beside_it(look: Open, bridge: BridgeDouble) -> None:
    await look("held.html")

    assert {"role": "checkbox", "where": "Agreed", "checked": False} in [
        {key: one[key] for key in one if key != "ref"} for one in await listed(bridge)
    ]


VALUES = [
    ("Volume", "value", "30"),
    ("Speed", "value", "fast"),
    ("City", "value", "Rome"),
    ("Note", "value", "a note"),
    ("Half", "checked", "mixed"),
    ("Parted", "checked", "mixed"),
]


@pytest.mark.requirement("applications-016")
@pytest.mark.parametrize(("name", "key", "expected"), VALUES, ids=[name for name, _, _ in VALUES])
async def test_a_component_has_the_value_that_it_shows(
    look: Open, bridge: BridgeDouble, name: str, key: str, expected: str
) -> None:
    await look("held.html")
    (one,) = named(await listed(bridge), name)

    assert expected == one[key]


@pytest.mark.requirement("applications-017")
@pytest.mark.parametrize("name", ["In a drawer", "In a sheet"])
async def test_what_is_fixed_beside_the_window_is_not_listed(look: Open, bridge: BridgeDouble, name: str) -> None:
    await look("held.html")

    assert not named(await listed(bridge), name)


async def test_what_a_style_hides_after_a_label_is_no_part_of_the_name(look: Open, bridge: BridgeDouble) -> None:
    await look("held.html")

    assert [{"role": "textbox", "name": "Named"}] == named(await listed(bridge), "Named")


MARKED = """document.body.insertAdjacentHTML('afterbegin', '<label>User name <b>*</b> <input id="of-user"></label>' +
  '<label>Name<b>*</b><input id="of-name"></label><label>Village:<input id="of-village"></label>' +
  '<label>* Home town: <input id="of-home"></label>' +
  '<h1 id="of-title" contenteditable="true" aria-label="Add title">' +
  '<span contenteditable="false">Add title</span></h1>')"""


@pytest.mark.requirement("applications-064")
@pytest.mark.parametrize(
    ("label", "field"),
    [
        ("Name", "of-name"),
        ("name", "of-name"),
        ("Village", "of-village"),
        ('"Home town"', "of-home"),
        ("Name*", "of-name"),
    ],
)
async def test_the_mark_beside_a_label_is_no_part_of_it(
    look: Open, bridge: BridgeDouble, label: str, field: str
) -> None:
    tab = await look("held.html")
    await tab.evaluate(f"document.querySelector('#of-user') ?? {MARKED}; 0")

    assert field == (await do(bridge, "get_attribute", f"label={label}", attribute="id"))["value"]


FLOATING = """document.body.insertAdjacentHTML('afterbegin', `<style>.star::after { content: '*' }</style>` +
  ['', 'Norway'].map((chosen, at) => `<div role="combobox" tabindex="0" aria-labelledby="label${at}" id="land${at}">
    <span id="label${at}" class="star" style="display: block">Land</span><span>${chosen}</span></div>`).join(''))"""


async def test_a_list_that_shows_its_label_in_the_place_of_a_choice_has_no_value(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("held.html")
    await tab.evaluate(FLOATING)
    empty, chosen = named(await listed(bridge), "Land*")

    assert "value" not in empty
    assert "Norway" == chosen["value"]


LABELS = ["label=Volume", "label=Minute", "label=Large", "label=Note"]


@pytest.mark.requirement("applications-019")
@pytest.mark.parametrize("selector", LABELS)
async def test_label_finds_every_field_that_is_listed(look: Open, bridge: BridgeDouble, selector: str) -> None:
    await look("held.html")

    assert (await do(bridge, "get_text", selector))["success"]


@pytest.mark.requirement("applications-019")
@pytest.mark.parametrize("selector", ['text="{}"', 'role=button[name="{}"]'])
async def test_a_name_that_the_list_has_cut_finds_its_element(look: Open, bridge: BridgeDouble, selector: str) -> None:
    await look("held.html")
    (long,) = [one["name"] for one in await listed(bridge) if one.get("name", "").startswith("A very long")]
    answer = await do(bridge, "get_text", selector.format(long))

    assert answer["text"].endswith("with its end")


@pytest.mark.requirement("applications-020")
async def test_code_beside_a_field_keeps_its_indentation(look: Open, bridge: BridgeDouble) -> None:
    await look("held.html")

    assert "def f():\n    if x:\n        return 1" == (await do(bridge, "get_text", "#guide"))["text"]


HINTS = [("#empty", "no text"), ("#drawing", "picture"), ("#unshown", "not shown")]


@pytest.mark.requirement("applications-031")
@pytest.mark.parametrize(("selector", "reason"), HINTS, ids=[selector for selector, _ in HINTS])
async def test_a_text_that_nobody_reads_states_the_reason(
    look: Open, bridge: BridgeDouble, selector: str, reason: str
) -> None:
    await look("held.html")

    assert reason in (await do(bridge, "get_text", selector))["hint"]


@pytest.mark.requirement("applications-031")
async def test_an_empty_list_states_that_the_page_shows_nothing(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("held.html")
    await tab.evaluate("document.body.replaceChildren()")
    answer = await do(bridge, "list_interactive")

    assert ([], True) == (answer["elements"], "shows nothing" in answer["hint"])


@pytest.mark.requirement("applications-020")
async def test_the_text_of_a_page_has_that_of_its_frames_where_they_are_drawn(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("held.html")
    await tab.evaluate(
        "document.body.innerHTML = '<p>Before</p><iframe srcdoc=\"<p>In the frame</p><input value=held>\"></iframe>'"
        " + '<iframe hidden srcdoc=Unshown></iframe><p>After</p>'"
    )
    await tab.until("frames[0].document.querySelector('input') !== null")

    assert "Before\nIn the frame\nheld\nAfter" == (await do(bridge, "get_text", "body"))["text"]
    assert "In the frame\nheld" == (await do(bridge, "get_text", "iframe"))["text"]


@pytest.mark.requirement("applications-020")
async def test_frames_of_another_origin_in_what_is_read_are_counted(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("held.html")
    await tab.evaluate("document.body.innerHTML = '<p>Before</p>' + '<iframe sandbox srcdoc=Apart></iframe>'.repeat(2)")
    await tab.until("document.querySelector('iframe').contentDocument === null")
    answer = await do(bridge, "get_text", "body")

    assert ("Before", True) == (answer["text"], answer["hint"].startswith("2 frames are of another origin"))


@pytest.mark.requirement("applications-020")
async def test_a_transparent_text_is_left_out_and_counted(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("held.html")
    await tab.evaluate("document.body.innerHTML = '<p>Seen</p><div id=clear style=\"opacity: 0\"><p>Unseen</p></div>'")
    page = await do(bridge, "get_text", "body")
    itself = await do(bridge, "get_text", "#clear")

    assert ("Seen", True) == (page["text"], "6 characters" in page["hint"])
    assert ("Unseen", "The element is not shown.") == (itself["text"], itself["hint"])


TREE = """<div role="tree"><div role="treeitem" tabindex="0" aria-expanded="true">
  <span class="hand" role="img" aria-label="caret">v</span>
  <span id="title" class="hand" style="margin-left: 200px">Parent</span></div></div>"""
HEAD = """<table><thead><tr><th class="hand" aria-sort="none">Name<button aria-label="Sort by Name">v</button></th>
  <th class="hand">Age<button aria-label="Filter">v</button></th></tr></thead>
  <tr><td>Ada</td><td>36</td></tr></table>"""
SLIDES = """<div style="overflow: hidden; width: 300px; position: relative; height: 50px">
  <div style="position: absolute; transform: translateX(0)"><button>First slide</button></div>
  <div style="position: absolute; transform: translateX(300px)"><button>Second slide</button></div></div>"""


@pytest.mark.requirement("applications-016")
async def test_an_entry_of_a_tree_is_worked_with_where_it_is_named(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("held.html")
    await tab.evaluate(f"document.body.innerHTML = `{TREE}`")
    await tab.evaluate("title.addEventListener('click', () => (window.chosen = true)); 0")
    elements = await listed(bridge)
    (entry,) = [one for one in elements if one["role"] == "treeitem"]
    await do(bridge, "click", f"ref={entry['ref']}")

    assert ["caret Parent", "caret"] == [one["name"] for one in elements]
    assert entry["expanded"]
    assert await tab.evaluate("chosen")


@pytest.mark.requirement("applications-016")
async def test_the_head_of_a_column_is_not_listed_beside_the_button_that_names_it(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("held.html")
    await tab.evaluate(f"document.body.innerHTML = `{HEAD}`")

    assert ["Sort by Name", "Age Filter", "Filter"] == [one["name"] for one in await listed(bridge)]


@pytest.mark.requirement("applications-017")
async def test_a_slide_beside_the_window_of_its_carousel_is_not_listed(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("held.html")
    await tab.evaluate(f"document.body.innerHTML = `{SLIDES}`")

    assert ["First slide"] == [one["name"] for one in await listed(bridge)]
