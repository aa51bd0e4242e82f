"""A user's day in Node-RED: its dialogs, its drawing of a flow, keys, drags, and what was deployed."""

import json

from apps.nodered.state import READY, deployed, first_flow, labels
from apps.ours import Ours
from apps.tasks import Day
from apps.truths import logged, page, saved

DAY = Day(ready=READY)
DOUBLE = "#n2 .red-ui-flow-node"
DEPLOY = "#red-ui-header-button-deploy"
COMMENT = json.dumps([{"id": "c1", "type": "comment", "z": "", "name": "Imported", "info": "", "x": 200, "y": 200}])

comments = page("RED.nodes.filterNodes({ type: 'comment' }).map((node) => node.name)")
nodes = page("RED.nodes.filterNodes({ z: 'f1' }).map((node) => node.id).sort()")


@DAY.task("", comments, ["Imported"], prepare=first_flow)
async def import_typed_nodes(my: Ours) -> list[str]:
    """Open the import dialog by its key, type nodes, import them."""
    await my.press("Control+i")
    await my.type("#red-ui-clipboard-dialog-import-text", COMMENT)
    await my.click("#red-ui-clipboard-dialog-ok")
    return ["Imported"]


@DAY.task("", comments, ["Imported"], prepare=first_flow)
async def import_by_the_menu(my: Ours) -> list[str]:
    """Open the import dialog by the menu, type nodes, import them."""
    await my.click("#red-ui-header-button-sidemenu")
    await my.click("#menu-item-import")
    await my.type("#red-ui-clipboard-dialog-import-text", COMMENT)
    await my.click("#red-ui-clipboard-dialog-ok")
    return ["Imported"]


@DAY.task("", deployed("n2", "name"), "triple", prepare=first_flow)
async def rename_a_node_and_deploy(my: Ours) -> str:
    """Open a node by a double click, change its name, deploy."""
    await my.double_click(DOUBLE)
    await my.type("#node-input-name", "triple")
    await my.click("#node-dialog-ok")
    await my.click(DEPLOY)
    return "triple"


@DAY.task("", deployed("n2", "name"), "triple", prepare=first_flow)
async def rename_a_node_by_keys(my: Ours) -> str:
    """Choose a node, open it by Enter, change its name, deploy."""
    await my.click(DOUBLE)
    await my.press("Enter", "#red-ui-workspace-chart")
    await my.type("#node-input-name", "triple")
    await my.click("#node-dialog-ok")
    await my.click(DEPLOY)
    return "triple"


@DAY.task("", logged("doubled to 42", "ran", "did not run"), "ran", prepare=first_flow)
async def run_the_flow(my: Ours) -> str:
    """Click the button of the inject node."""
    await my.click("#n1 .red-ui-flow-node-button-button")
    return "ran"


DEBUGGED = "[...document.querySelectorAll('.red-ui-debug-msg-payload')].map((one) => one.innerText.trim())"


@DAY.task("", page(DEBUGGED), prepare=first_flow)
async def read_what_the_flow_puts_out(my: Ours) -> list[str]:
    """Run the flow, open the debug sidebar, and read its messages."""
    await my.click("#n1 .red-ui-flow-node-button-button")
    await my.press("Control+g")
    await my.press("d")
    matches = (await my.call("query_dom", selector=".red-ui-debug-msg-payload")).get("matches", [])
    return [match["text"].strip() for match in matches]


@DAY.task("", labels("tab"), ["Mill", "Bakery"], prepare=first_flow)
async def add_a_flow_and_name_it(my: Ours) -> list[str]:
    """Add a flow, open it by a double click on its tab, name it, deploy."""
    await my.click(".red-ui-tab-button.red-ui-tabs-add a")
    await my.double_click("text=Flow 1")
    await my.type(".red-ui-tray >> #node-input-name", "Bakery")
    await my.click(".red-ui-tray >> text=Done")
    await my.click(DEPLOY)
    return ["Mill", "Bakery"]


@DAY.task("", page("RED.nodes.node('n3').x > 560 ? 'moved' : 'where it was'"), "moved", prepare=first_flow)
async def drag_a_node(my: Ours) -> str:
    """Drag a node to the right."""
    await my.drag_by("#n3 .red-ui-flow-node", 100, 60)
    return "moved"


@DAY.task("", page("RED.nodes.filterNodes({ type: 'comment' }).length"), 1, prepare=first_flow)
async def drag_a_node_from_the_palette(my: Ours) -> int:
    """Drag a kind of node from the palette onto the flow."""
    await my.act("drag", '[data-palette-type="comment"]', to="#red-ui-workspace-chart")
    return 1


@DAY.task("", nodes, ["n1", "n2"], prepare=first_flow)
async def delete_a_node_by_a_key(my: Ours) -> list[str]:
    """Choose a node, press Delete."""
    await my.click("#n3 .red-ui-flow-node")
    await my.press("Delete", "#red-ui-workspace-chart")
    return ["n1", "n2"]


@DAY.task("", nodes, ["n2", "n3"], prepare=first_flow)
async def take_a_deletion_back(my: Ours) -> list[str]:
    """Delete two nodes one after the other, and take the last deletion back."""
    for node in ("n1", "n3"):
        await my.click(f"#{node} .red-ui-flow-node")
        await my.press("Delete", "#red-ui-workspace-chart")
    await my.press("Control+z", "#red-ui-workspace-chart")
    return ["n2", "n3"]


VISIBLE = "(one) => one.checkVisibility()"
KINDS = (
    f"[...document.querySelectorAll('.red-ui-palette-node')].filter({VISIBLE}).map((one) => one.dataset.paletteType)"
)


@DAY.task("", page(KINDS), ["comment"], prepare=first_flow)
async def filter_the_palette(my: Ours) -> list[str]:
    """Type into the filter of the palette."""
    await my.type("#red-ui-palette-search input", "comment")
    return ["comment"]


MENU = "document.querySelector('#red-ui-workspace-context-menu')?.checkVisibility() ?? false"


@DAY.task("", page(MENU), wanted=True, prepare=first_flow)
async def open_the_menu_of_the_flow(my: Ours) -> bool:
    """Right click on the flow."""
    await my.right_click("#red-ui-workspace-chart", x=300, y=300)
    return True


@DAY.task("", saved, ["flows.json"], prepare=first_flow)
async def save_the_flow_as_a_file(my: Ours) -> list[str]:
    """Open the export dialog by its key, and download."""
    await my.press("Control+e")
    return my.saved(await my.click("#red-ui-clipboard-dialog-download"))


FOUND = "[...document.querySelectorAll('.red-ui-search-result-node-label')].map((one) => one.innerText.trim())"


@DAY.task("", page(FOUND), ["double"], prepare=first_flow)
async def search_for_a_node(my: Ours) -> list[str]:
    """Open the search by its key, type a name, read what was found."""
    await my.press("Control+f")
    await my.type(".red-ui-search-container input", "double")
    matches = (await my.call("query_dom", selector=".red-ui-search-result-node-label")).get("matches", [])
    return [match["text"].strip() for match in matches]


@DAY.task("", deployed("n3", "name"), "gone", prepare=first_flow)
async def deploy_by_the_list(my: Ours) -> str:
    """Delete a node, and find the button that deploys by the list of what can be acted on."""
    await my.click("#n3 .red-ui-flow-node")
    await my.press("Delete", "#red-ui-workspace-chart")
    await my.click(await my.ref("link", "Deploy"))
    return "gone"
