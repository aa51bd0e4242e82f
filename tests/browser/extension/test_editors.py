"""Code editors take text by what is seen of them: CodeMirror 5, and one that has an edit context, as Monaco has."""

from typing import Any

import pytest

from browser.bridge_double import BridgeDouble, Message
from browser.scene import Open

pytestmark = pytest.mark.usefixtures("acting")

TEXT = "first\n  second\nthird"
EDITORS = pytest.mark.parametrize(
    ("selector", "model"),
    [
        ("#context", "model.text"),
        ("#context .view-lines", "model.text"),
        (".CodeMirror", "mirror.getValue()"),
    ],
)
BOTH = pytest.mark.parametrize("real", [{}, {"trusted": True}], ids=["script", "real"])


async def enter(bridge: BridgeDouble, selector: str, text: str, **arguments: Any) -> Message:
    done: Message = await bridge.result("interact", action="type", selector=selector, text=text, **arguments)
    return done


@BOTH
@EDITORS
@pytest.mark.requirement("applications-027")
async def test_a_text_takes_the_place_of_all_that_an_editor_holds(
    visit: Open, bridge: BridgeDouble, selector: str, model: str, real: Message
) -> None:
    tab = await visit("editors.html")
    done = await enter(bridge, selector, TEXT, **real)

    assert TEXT.split() == (await tab.evaluate(model)).split()
    assert "first" in done["value"]


@EDITORS
@pytest.mark.requirement("applications-027")
async def test_a_text_is_added_at_the_end_of_an_editor(
    visit: Open, bridge: BridgeDouble, selector: str, model: str
) -> None:
    tab = await visit("editors.html")
    before = await tab.evaluate(model)
    await enter(bridge, selector, " and more", clear=False)

    assert f"{before} and more" == await tab.evaluate(model)


@EDITORS
@pytest.mark.requirement("applications-027")
async def test_an_editor_is_emptied(visit: Open, bridge: BridgeDouble, selector: str, model: str) -> None:
    tab = await visit("editors.html")
    await enter(bridge, selector, "")

    assert "" == await tab.evaluate(model)


@pytest.mark.requirement("applications-027")
async def test_an_editor_that_does_not_take_the_text_is_an_error(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("editors.html")
    await tab.evaluate("mirror.setOption('readOnly', true)")
    for selector, more in [("#deaf", {}), (".CodeMirror", {}), (".CodeMirror", {"keys": True})]:
        error = await bridge.error("interact", action="type", selector=selector, text=TEXT, **more)

        assert "needs_trusted" == error["code"], selector
        assert "trusted:true" in error["recovery"]
    assert "line 0" == await tab.evaluate("mirror.getLine(0)")


@pytest.mark.requirement("applications-027")
async def test_a_field_within_an_editor_is_a_field(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("editors.html")
    await enter(bridge, "label=Find", "text")

    assert ["text", "old\ntext"] == await tab.evaluate("[document.querySelector('.find').value, model.text]")


@pytest.mark.requirement("applications-027", "applications-054")
async def test_a_key_goes_to_what_takes_the_keys_of_an_editor(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("editors.html")
    for key in ("Control+a", "x", "Space", "y"):
        await bridge.result("interact", action="key_press", selector="#context", key=key)
    error = await bridge.error("interact", action="key_press", selector="#deaf", key="x")

    assert "x y" == await tab.evaluate("model.text")
    assert "needs_trusted" == error["code"]


@pytest.mark.requirement("applications-054")
async def test_an_editor_that_has_an_edit_context_is_typed_into_key_by_key(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("editors.html")
    done = await enter(bridge, "#context", "a (b)\nc", keys=True)

    assert ["a (b)\nc", ["a", " ", "(", "b", ")", "Enter", "c"]] == await tab.evaluate("[model.text, model.keys]")
    assert "a (b)\nc" == done["value"]


@pytest.mark.requirement("applications-027")
async def test_the_value_of_an_editor_is_what_it_draws_and_states_where_that_is_not_all(
    visit: Open, bridge: BridgeDouble
) -> None:
    tab = await visit("editors.html")
    for selector in (".CodeMirror", ".CodeMirror textarea"):
        begins = await bridge.result("interact", action="get_value", selector=selector)
        assert ("line 0\nline 1\nline 2", True) == (begins["value"][:20], begins["truncated"])
    await tab.evaluate("mirror.setValue('select 1;\\n\\nselect 2;')")
    whole = await bridge.result("interact", action="get_value", selector=".CodeMirror")
    listed = (await bridge.result("interact", action="list_interactive"))["elements"]

    assert {"success": True, "action": "get_value", "value": "select 1;\n\nselect 2;"} == whole
    assert 1 == len([row for row in listed if row.get("value", "").startswith("select 1;")])
    assert [None] == [row.get("value") for row in listed if row.get("name") == "Raw"]


@pytest.mark.requirement("applications-055")
async def test_an_editor_is_listed_as_the_text_box_that_it_is(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("editors.html")
    listed = (await bridge.result("interact", action="list_interactive"))["elements"]
    (ref,) = [row["ref"] for row in listed if row.get("name") == "Recipe"]
    await enter(bridge, f"ref={ref}", "new")

    assert "new" == await tab.evaluate("model.text")


@pytest.mark.requirement("applications-057")
@pytest.mark.parametrize("named", [{}, {"selector": "#cell"}, {"selector": "#notebook"}], ids=str)
async def test_a_key_for_what_holds_an_editor_is_not_typed_into_it(
    visit: Open, bridge: BridgeDouble, named: Message
) -> None:
    tab = await visit("editors.html")
    await bridge.result("interact", action="focus", selector="#cell")
    await bridge.result("interact", action="key_press", key="b", **named)

    assert ["2", "text"] == await tab.evaluate("[cell.dataset.cells, cell.textContent]")


@pytest.mark.requirement("applications-057")
async def test_a_key_for_the_page_is_not_typed_into_its_editor(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("editors.html")
    await bridge.result("interact", action="key_press", key="b")

    assert "text" == await tab.evaluate("cell.textContent")
