"""What a human reads in the popup."""

from browser.bridge_double import BridgeDouble
from browser.scene import Install, pair
from gasoline_bridge.demo.chromium import Browser
from gasoline_bridge.demo.site import free_port

TITLE = "document.querySelector('[role=status] h2')?.textContent"


async def test_it_says_that_it_is_connected_and_to_what(bridge: BridgeDouble, chromium: Browser) -> None:
    popup = await chromium.popup()

    await popup.until(f"{TITLE} === 'Connected'")
    text = await popup.evaluate("document.body.innerText")
    await popup.close()

    assert "gasoline 0.1.0" in text
    assert f"127.0.0.1:{bridge.port}" in text
    assert "gasoline up" not in text


async def test_it_follows_the_link_while_it_is_open(bridge: BridgeDouble, chromium: Browser) -> None:
    popup = await chromium.popup()

    await bridge.stop()
    await popup.until(f"{TITLE} === 'Server not running'")
    away = await popup.evaluate("document.body.innerText")
    await bridge.start()
    await popup.until(f"{TITLE} === 'Connected'")
    await popup.close()

    assert "gasoline up" in away


async def test_it_says_that_something_else_answers(bridge: BridgeDouble, chromium: Browser) -> None:
    popup = await chromium.popup()

    bridge.status = 404
    await bridge.hang_up()
    await popup.until(f"{TITLE} === 'Another program answers'")
    bridge.status = 200
    await bridge.until_connected()
    await popup.close()

    assert bridge.connected


async def test_it_keeps_following_after_the_worker_was_stopped(bridge: BridgeDouble, chromium: Browser) -> None:
    popup = await chromium.popup()
    await popup.until(f"{TITLE} === 'Connected'")

    await chromium.stop_service_worker()
    await bridge.stop()
    await popup.until(f"{TITLE} === 'Server not running'")
    await bridge.start()
    await popup.until(f"{TITLE} === 'Connected'")
    await popup.close()

    assert bridge.connected


async def test_a_folder_that_was_not_installed_says_how_to_install_and_mends_itself(install: Install) -> None:
    folder = install(None, 0)
    async with await Browser.launch(folder) as browser:
        bridge = BridgeDouble("right", browser.extension_url.rstrip("/"), free_port())
        await bridge.start()
        popup = await browser.popup()
        await popup.until(f"{TITLE} === 'Not installed yet'")
        not_installed = await popup.evaluate("document.body.innerText")

        pair(folder, "wrong", bridge.port)
        await popup.send("Page.reload")  # opening the popup is one of the events that make the link try again
        await popup.until(f"{TITLE} === 'Refused by the server'")
        refused = await popup.evaluate("document.body.innerText")
        pair(folder, "right", bridge.port)
        await popup.until(f"{TITLE} === 'Connected'")
        await bridge.stop()

    assert "gasoline extension install" in not_installed
    assert "gasoline extension install" in refused


async def test_it_can_be_used_by_keyboard(bridge: BridgeDouble, chromium: Browser) -> None:
    popup = await chromium.popup()
    await bridge.stop()
    await popup.until(f"{TITLE} === 'Server not running'")

    for kind in ("keyDown", "keyUp"):
        await popup.send("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9)
    focused = await popup.evaluate("document.activeElement.textContent")
    await bridge.start()
    await bridge.until_connected()
    await popup.close()

    assert focused == "Copy"
