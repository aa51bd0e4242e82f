"""A page that clears every timer, frame and idle time is captured and acted on as any other."""

import pytest

from browser.bridge_double import BridgeDouble
from browser.collector import Collector
from browser.extension.test_highlight import highlighters
from browser.scene import Open
from gasoline_bridge.devtools import until

LINES = 200


@pytest.mark.requirement("doors-012")
async def test_what_a_page_logs_arrives_though_it_clears_all_timers_after_each_line(collector: Collector) -> None:
    tab = await collector.visit("clears.html")
    await tab.evaluate(f"for (let n = 0; n < {LINES}; n++) {{ console.log(n); clearAll(); }} 0")
    lines = await collector.heard(LINES, type="console")

    assert [[number] for number in range(LINES)] == [line["args"] for line in lines]


@pytest.mark.requirement("doors-012")
async def test_the_load_of_such_a_page_is_measured(collector: Collector) -> None:
    await collector.visit("clears.html")
    (load,) = await collector.heard(type="performance")
    vitals = await collector.heard(3, type="vital")

    assert load["timing"]["load"] > 0
    assert {"FCP", "LCP", "TTFB"} <= {vital["name"] for vital in vitals}


@pytest.mark.requirement("doors-012")
@pytest.mark.usefixtures("acting")
async def test_such_a_page_is_acted_on(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("clears.html")
    clicked = await bridge.result("interact", action="click", selector="#add", analyze=True)
    typed = await bridge.result("interact", action="type", selector="label=Name", text="Ada")
    waited = await bridge.result("interact", action="wait_for", state="quiet")

    assert ["Added"] == clicked["messages"]
    assert clicked.get("settled", True)
    assert "Ada" == typed["value"]
    assert waited["success"]
    assert "Added" == await tab.evaluate("document.querySelector('#list li').textContent")


@pytest.mark.requirement("doors-012")
@pytest.mark.usefixtures("acting")
async def test_a_highlight_follows_its_element_and_ends_in_such_a_page(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("clears.html")
    await bridge.result("highlight", selector="#add", duration_ms=600)
    shown = await highlighters(tab)

    async def gone() -> bool:
        return not await highlighters(tab)

    assert shown
    assert await until(gone, "the highlight to end")
