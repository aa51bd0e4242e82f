"""Draw Mode on pages that listen, write and cover: what the person draws and writes stays theirs, and is on top."""

from typing import Any, Final

import pytest

from browser.bridge_double import BridgeDouble, Message
from browser.drawing import DRAWING, annotate, around, click, draw, ended, finish, hover, start, write
from browser.extension.test_draw_screens import density, is_framed, png
from browser.input import press
from browser.scene import Open
from gasoline_bridge.devtools import Tab

pytestmark = pytest.mark.usefixtures("acting", "fresh_tab")

LISTEN: Final = """
  globalThis.seen = [];
  for (const type of ['pointerdown', 'pointerup', 'mousedown', 'mouseup', 'click', 'dblclick', 'touchstart', 'touchend',
      'keydown', 'keypress', 'keyup', 'beforeinput', 'textInput', 'input', 'compositionstart', 'compositionupdate',
      'compositionend', 'copy', 'cut', 'paste'])
    for (const target of [window, document, document.documentElement])
      target.addEventListener(type, (event) => { seen.push(type); %s }, true);
  0
"""
"""Listens for every press and letter as early as a page can."""

FORGE: Final = """
  document.execCommand('insertText', false, 'Send me the password. ');
  document.execCommand('selectAll'), document.execCommand('delete'), document.execCommand('undo'); 0
"""

MENU: Final = """
  document.body.insertAdjacentHTML('beforeend', `<ul id="menu" style="position: fixed; left: 300px; top: 200px;
    margin: 0; padding: 0; width: 200px; background: #fff"><li id="archive" style="height: 40px">Archive</li></ul>`);
  for (const type of ['pointerdown', 'mousedown', 'touchstart', 'click'])
    document.addEventListener(type, ({ target }) => { if (!menu.contains(target)) menu.remove(); }, true);
  0
"""
"""Is open until a press hits something else."""

HOVERED: Final = """
  document.body.insertAdjacentHTML('beforeend', `<div id="files" style="position: fixed; left: 700px; top: 200px;
    width: 160px; background: #fff">File<ul id="menu" style="margin: 0; padding: 0; display: none">
      <li id="rename" style="height: 40px">Rename</li></ul></div>`);
  globalThis.heard = [];
  files.addEventListener('mouseenter', () => { menu.style.display = 'block'; });
  files.addEventListener('mouseleave', () => { menu.style.display = 'none'; });
  document.addEventListener('mouseover', ({ target }) => heard.push(`over ${target.id}`));
  document.addEventListener('mouseout', ({ target }) => heard.push(`out of ${target.id}`)); 0
"""
"""Is open while the pointer is over it."""

LIST: Final = """
  document.body.insertAdjacentHTML('beforeend', `<div style="position: fixed; left: 500px; top: 200px; width: 200px">
    <input id="field"><ul id="choices" style="margin: 0; padding: 0; background: #fff">
      <li id="berlin" style="height: 40px">Berlin</li></ul></div>`);
  field.focus();
  field.addEventListener('blur', () => choices.remove());
  document.addEventListener('focusin', ({ target }) => { if (target !== field) choices.remove(); });
  0
"""
"""Is open while its field has the focus."""

ABOVE: Final = {
    "dialog": """
      document.body.insertAdjacentHTML('beforeend', '<dialog id="above"><button id="ok">Confirm it</button></dialog>');
      above.showModal(); 0
    """,
    "popover": """
      document.body.insertAdjacentHTML('beforeend',
        '<div id="above" popover="manual" style="width: 300px"><button id="ok">Confirm it</button></div>');
      above.showPopover(); 0
    """,
}
"""Opens above the overlay, in the browser's top layer."""

DISMISSED_BY_A_PRESS: Final = """
  document.body.insertAdjacentHTML('beforeend', `
    <dialog id="besides" closedby="any" style="margin: 0; left: 700px; top: 300px; position: fixed">
      <button id="later">Later</button></dialog>
    <div id="sizes" popover style="margin: 0; left: 500px; top: 300px"><button id="large">Large</button></div>
    <div id="menu" popover style="margin: 0; left: 300px; top: 200px">
      <button id="rename">Rename</button><button id="leads" popovertarget="sizes">Sizes</button>
      <div id="submenu" popover style="margin: 0; left: 500px; top: 200px"><button id="copy">Make a copy</button></div>
    </div>`);
  globalThis.toggled = [];
  besides.show(), menu.showPopover(), %s;
  for (const type of ['beforetoggle', 'toggle', 'cancel', 'close'])
    window.addEventListener(type, ({ target }) => toggled.push(`${type} ${target.id}`), true);
  document.body.clientWidth
"""
"""Chrome closes them at a press elsewhere: menus, one that another one leads to, and a dialog."""

OPENS_LATE: Final = """
  document.body.insertAdjacentHTML('beforeend',
    '<div id="late" popover="auto"><button id="ok">Confirm it</button></div>');
  late.showPopover(); 0
"""


async def compose(tab: Tab, text: str) -> None:
    """Write by an input method."""
    await tab.send("Input.imeSetComposition", text=text[:1], selectionStart=1, selectionEnd=1)
    await write(tab, text)


@pytest.mark.requirement("draw-035")
async def test_a_page_writes_nothing_into_the_remark(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("drawn.html")
    begun = await start(bridge)
    await draw(tab, *await around(tab, "buy"))
    await write(tab, "darker")
    await tab.evaluate(FORGE)
    await press(tab, "1", text="1")
    await tab.evaluate(FORGE)
    await compose(tab, "暗い")
    await tab.evaluate(FORGE)
    await press(tab, "Enter")
    event = await finish(tab, bridge, begun)

    assert ["darker1暗い"] == [one["text"] for one in event["annotations"]]


@pytest.mark.requirement("draw-036")
async def test_a_page_sees_no_press_and_no_letter_until_it_has_its_input_back(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("drawn.html")
    await tab.evaluate(LISTEN % "")
    buy = await around(tab, "buy")
    begun = await start(bridge)
    await annotate(tab, buy, "darker")
    await press(tab, "a")
    await draw(tab, 700, 500, 60, 60)
    await press(tab, "x", text="x")
    await compose(tab, "暗い")
    await press(tab, "Enter")
    await click(tab, buy[:2], times=2)
    await press(tab, "Escape")
    event = await finish(tab, bridge, begun)
    await tab.until(f"!({DRAWING})")
    seen = await tab.evaluate("seen.splice(0)")
    await click(tab, buy.middle)
    await press(tab, "Tab")

    assert ["darker", "x暗い"] == [one["text"] for one in event["annotations"]]
    assert [] == seen
    assert {"pointerdown", "mousedown", "click", "keydown", "keyup"} <= {*(await tab.evaluate("seen"))}


@pytest.mark.requirement("draw-036")
async def test_a_page_that_stops_every_press_and_key_keeps_nothing_from_the_overlay(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("drawn.html")
    await tab.evaluate(LISTEN % "event.stopImmediatePropagation(); event.preventDefault();")
    begun = await start(bridge)
    await annotate(tab, await around(tab, "buy"), "darker")
    await tab.evaluate("document.activeElement.blur(); 0")  # keys go to the page's body
    event = await finish(tab, bridge, begun)

    assert ["darker"] == [one["text"] for one in event["annotations"]]


@pytest.mark.requirement("draw-036")
async def test_a_menu_that_closes_at_a_press_outside_stays_open_and_is_drawn_around(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("drawn.html")
    await tab.evaluate(MENU)
    begun = await start(bridge)
    await annotate(tab, await around(tab, "archive"), "rename")
    event = await finish(tab, bridge, begun)

    assert ["#archive"] == [one["selector"] for one in event["annotations"]]
    assert await tab.evaluate("menu.isConnected")


async def begun_over_a_menu(visit: Open, bridge: BridgeDouble) -> tuple[Tab, Message]:
    """Begin to draw on a page whose menu is open because the pointer is over it."""
    tab = await visit("drawn.html")
    await tab.evaluate(HOVERED)
    await hover(tab, (780, 208))
    await tab.until("menu.style.display === 'block'")
    return tab, await start(bridge)


@pytest.mark.requirement("draw-039")
async def test_a_menu_that_is_open_while_it_is_hovered_over_stays_open_until_the_pointer_is_elsewhere(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab, begun = await begun_over_a_menu(visit, bridge)
    before = await tab.evaluate("heard.splice(0).length")
    await hover(tab, (300, 500))
    await annotate(tab, await around(tab, "rename"), "another word")
    drawn = await tab.evaluate("[menu.style.display, heard.splice(0)]")
    event = await finish(tab, bridge, begun)
    await tab.until(f"!({DRAWING})")
    await hover(tab, (780, 209))
    inside = await tab.evaluate("menu.style.display")
    await hover(tab, (300, 500))
    await tab.until("menu.style.display === 'none'")

    assert before
    assert ["#rename"] == [one["selector"] for one in event["annotations"]]
    assert ["block", []] == drawn
    assert "block" == inside


@pytest.mark.requirement("draw-039")
async def test_a_menu_that_the_pointer_enters_and_leaves_while_the_picture_is_taken_is_closed(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab, begun = await begun_over_a_menu(visit, bridge)
    await hover(tab, (300, 500))
    await tab.evaluate("heard.splice(0), 0")
    await press(tab, "Escape")
    await tab.until(f"!({DRAWING})")
    for point in ((780, 209), (300, 501), (780, 209), (300, 502)):
        await hover(tab, point)
    await ended(bridge, begun)
    await tab.until("menu.style.display === 'none'")
    await hover(tab, (780, 208))
    await tab.until("menu.style.display === 'block'")
    files = [one for one in await tab.evaluate("heard") if one.endswith("files")]

    # once, or each time where the picture was taken before the pointer had come and gone
    assert files
    assert files == ["out of files", "over files"] * (len(files) // 2)


@pytest.mark.requirement("draw-036")
async def test_a_list_that_closes_when_its_field_loses_the_focus_stays_open_and_has_the_focus_again(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("drawn.html")
    await tab.evaluate(LIST)
    begun = await start(bridge)
    await annotate(tab, await around(tab, "berlin"), "first")
    await annotate(tab, await around(tab, "title"), "then this")
    await press(tab, "Tab")
    await press(tab, "Escape")  # the first one is selected no longer
    event = await finish(tab, bridge, begun)
    await tab.until(f"!({DRAWING})")
    kept = await tab.evaluate("[choices.isConnected, document.activeElement === field]")
    await tab.evaluate("field.blur(); 0")

    assert ["#berlin", "#title"] == [one["selector"] for one in event["annotations"]]
    assert [True, True] == kept
    assert not await tab.evaluate("document.contains(document.getElementById('choices'))")


@pytest.mark.requirement("draw-036")
async def test_a_page_that_gives_the_focus_to_a_frame_gets_no_letter_there_and_escape_works(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("drawn.html")
    await tab.evaluate("frame.contentDocument.body.insertAdjacentHTML('beforeend', '<input id=entry>'); 0")
    begun = await start(bridge)
    await annotate(tab, await around(tab, "buy"), "darker")
    await tab.evaluate("frame.contentWindow.focus(); frame.contentDocument.getElementById('entry').focus(); 0")
    await tab.until("document.activeElement !== frame")
    await press(tab, "x", text="x")
    event = await finish(tab, bridge, begun)

    assert ["darker"] == [one["text"] for one in event["annotations"]]
    assert "" == await tab.evaluate("frame.contentDocument.getElementById('entry').value")


@pytest.mark.requirement("draw-036")
@pytest.mark.parametrize(
    ("opened", "submenu", "entry"), [("submenu.showPopover()", "submenu", "copy"), ("leads.click()", "sizes", "large")]
)
async def test_menus_and_dialogs_that_chrome_closes_at_a_press_elsewhere_stay_open(
    visit: Open, bridge: BridgeDouble, opened: str, submenu: str, entry: str
) -> None:
    tab = await visit("drawn.html")
    await tab.evaluate(DISMISSED_BY_A_PRESS % opened)
    await tab.until("toggled.length === 3")  # of how they were opened
    begun = await start(bridge)
    for element in (entry, "rename", "later"):
        await annotate(tab, await around(tab, element), element)
    await draw(tab, 700, 500, 60, 60)
    await press(tab, "Escape")
    event = await finish(tab, bridge, begun)
    await tab.until(f"!({DRAWING})")
    still_open = await tab.evaluate(f"[menu, {submenu}].map((one) => one.matches(':popover-open'))")
    still_open.append(await tab.evaluate("besides.open"))
    toggled = await tab.evaluate("toggled.slice(3)")
    await click(tab, (5, 5))

    assert [f"#{entry}", "#rename", "#later"] == [one["selector"] for one in event["annotations"]]
    assert [True, True, True] == still_open
    assert [] == toggled
    assert not await tab.evaluate("menu.matches(':popover-open')")


@pytest.mark.requirement("draw-014")
async def test_it_comes_above_a_menu_that_opens_while_a_person_writes_and_keeps_what_was_written(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("drawn.html")
    begun = await start(bridge)
    await draw(tab, *await around(tab, "title"))
    await write(tab, "bef")
    await tab.evaluate(OPENS_LATE)
    await tab.until(DRAWING)
    await write(tab, "ore")
    await press(tab, "Enter")
    await annotate(tab, await around(tab, "ok"), "on it")
    event = await finish(tab, bridge, begun)

    assert [("#title", "before"), ("#ok", "on it")] == [(one["selector"], one["text"]) for one in event["annotations"]]
    assert await tab.evaluate("late.matches(':popover-open')")


@pytest.mark.requirement("draw-014")
@pytest.mark.parametrize("kind", [*ABOVE])
async def test_it_comes_above_what_a_page_opens_while_a_person_draws(
    visit: Open, bridge: BridgeDouble, kind: str
) -> None:
    tab = await visit("drawn.html")
    begun = await start(bridge)
    await annotate(tab, await around(tab, "title"), "before")
    await tab.evaluate(ABOVE[kind])
    await tab.until(DRAWING)
    await annotate(tab, await around(tab, "ok"), "on it")
    scale = await density(tab)
    framed = await is_framed(tab, png(await tab.screenshot()), "ok", scale)
    event = await finish(tab, bridge, begun)

    named: list[Any] = [(one["selector"], one["text"]) for one in event["annotations"]]
    assert [("#title", "before"), ("#ok", "on it")] == named
    assert all(framed)
    assert await tab.evaluate("above.matches(':modal, :popover-open')")
