"""Reads Node-RED's own file of flows, and its editor by Chrome's DevTools protocol; puts the first flow back."""

import json
from typing import Any, Final

import aiohttp

from apps.nodered.serve import PROJECT
from apps.tasks import Ground, Truth

READY: Final = (
    "globalThis.RED?.nodes?.node('n1') && !document.querySelector('#red-ui-loading-progress')?.checkVisibility()"
    " && document.querySelector('.red-ui-flow-node') !== null"
)


def deployed(node: str, name: str) -> Truth:
    """Make a truth of a property of a node in the file of flows."""

    async def truth(ground: Ground) -> Any:
        nodes = json.loads((ground.folder / "flows.json").read_text())
        return next((one.get(name) for one in nodes if one["id"] == node), "gone")

    return truth


def labels(kind: str) -> Truth:
    """Make a truth of the labels or names of all deployed nodes of a kind."""

    async def truth(ground: Ground) -> Any:
        nodes = json.loads((ground.folder / "flows.json").read_text())
        return [one.get("label") or one.get("name") for one in nodes if one["type"] == kind]

    return truth


async def first_flow(ground: Ground) -> None:
    """Put the first flow back, through the server's own interface."""
    flows = json.loads((PROJECT / "flows.json").read_text())
    async with aiohttp.ClientSession() as session, session.post(f"{ground.address}flows", json=flows) as response:
        assert response.status == 204, await response.text()
