"""What `interact` does in real pages, and what it measures there."""

import pytest

from browser.bridge_double import BridgeDouble
from browser.scene import Open

pytestmark = pytest.mark.usefixtures("acting")


async def test_probe(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("actions.html")
    print(await tab.evaluate("document.body.innerHTML.slice(0, 1500)"))
    print(await bridge.ask("interact", {"action": "list_interactive"}))
    print(await bridge.ask("interact", {"action": "click", "selector": "role=button"}))
    print(await bridge.ask("interact", {"action": "type", "selector": "input", "text": "hello", "nth": 0, "analyze": True}))
    print(await bridge.ask("interact", {"action": "get_value", "selector": "input"}))
    print(await bridge.ask("interact", {"action": "refresh"}))
    print(await bridge.ask("interact", {"action": "refresh"}))
    print(await bridge.ask("interact", {"action": "back"}))
