"""Roles and accessible names as Chrome has them; tests/bench/names.py measures them on component libraries."""

import pytest

from browser.bridge_double import BridgeDouble
from browser.extension.test_interact import do
from browser.scene import Open

pytestmark = pytest.mark.usefixtures("acting")

WANTED = """[document, document.getElementById('host').shadowRoot]
    .flatMap((root) => [...root.querySelectorAll('[data-is]')].map((element) => element.dataset.is))"""


@pytest.mark.requirement("applications-015")
async def test_an_element_is_found_by_the_role_and_name_of_chrome_s_tree(visit: Open, bridge: BridgeDouble) -> None:
    tab = await visit("names.html")
    wanted = await tab.evaluate(WANTED)
    found = []
    for role, _, name in (one.partition(" ") for one in wanted if one):
        selector = f'role={role}[name="{name}"]'
        found.append((await do(bridge, "get_attribute", selector, attribute="data-is"))["value"])
    tree = (await tab.send("Accessibility.getFullAXTree"))["nodes"]
    chrome = {
        f"{node['role']['value']} {' '.join(node.get('name', {}).get('value', '').split())}"
        for node in tree
        if not node["ignored"]
    }

    assert [one for one in wanted if one] == found
    # Chrome names the one by its icon's code point, and counts the dots of a password for the other
    assert {"button Remove", "checkbox and more"} == {one for one in wanted if one} - chrome


@pytest.mark.requirement("applications-015")
async def test_a_page_that_clobbers_the_document_is_read_all_the_same(visit: Open, bridge: BridgeDouble) -> None:
    await visit("clobbered.html")
    link = await do(
        bridge, "get_attribute", 'role=link[name="A form that answers with its controls"]', attribute="role"
    )

    assert link["value"] == "link"
    assert (await do(bridge, "get_attribute", "label=Named", attribute="id"))["value"] == "labelled"
