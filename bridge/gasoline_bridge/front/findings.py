"""Fits the findings of an analysis to the budget of their reply: each keeps fewer of its places; pure."""

from collections.abc import Sequence
from typing import Any

from gasoline_bridge.front.replies import Reply, encode

PLACES = (10, 5, 3, 2, 1)  # how many places of each finding are tried, in this order
LISTS = {"findings": "affected", "violations": "nodes", "incomplete": "nodes"}
"""From a list of a reply to the list in each of its items that is shortened."""
COUNTS = {"affected": "count", "nodes": "nodeCount"}


def bounded(reply: Reply, budget: int) -> Reply:
    """Give the reply with as many places of each finding as fit; each states how many there are.

    With one place each it may still be too large: then it is cut at its findings.
    """
    for most in PLACES:
        short = reply | {name: _shortened(reply[name], part, most) for name, part in LISTS.items() if name in reply}
        if len(encode(short)) <= budget:
            return short
    return short


def _shortened(items: Sequence[Any], part: str, most: int) -> list[Any]:
    return [_item(one, part, most) for one in items]


def _item(item: Any, part: str, most: int) -> Any:  # noqa: ANN401 - JSON
    if not isinstance(item, dict) or len(item.get(part, ())) <= most:
        return item
    count = COUNTS[part]
    return item | {part: item[part][:most], count: item.get(count) or len(item[part])}
