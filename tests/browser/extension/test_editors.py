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
    for selector, more in [("#deaf", {}), (".CodeMirror", {}), ("#context", {"keys": True})]:
        error = await bridge.error("interact", action="type", selector=selector, text=TEXT, **more)

        assert "needs_trusted" == error["code"], selector
        assert "trusted:true" in error["recovery"]
    assert "line 0" == await tab.evaluate("mirror.getLine(0)")


@pytest.mark.requirement("applications-027")
async def test_a_field_within_an_editor_is_a_field(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("editors.html")
    await enter(bridge, "label=Find", "text")

    assert ["text", "old\ntext"] == await tab.evaluate("[document.querySelector('.find').value, model.text]")


@pytest.mark.requirement("applications-027")
async def test_a_key_goes_to_what_takes_the_keys_of_an_editor(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("editors.html")
    await bridge.result("interact", action="key_press", selector="#context", key="Control+a")
    error = await bridge.error("interact", action="key_press", selector="#context", key="x")

    assert [0, 8] == await tab.evaluate("[model.from, model.to]")
    assert "needs_trusted" == error["code"]
