"""Makes objects of the rows of a reply, by what docs/tools.md states of them; for tests."""

from typing import Any

from gasoline_bridge.front.rows import ADDRESSES, LAYOUTS

Item = dict[str, Any]


def expanded(kind: type[Any], rows: list[list[Any]], head: dict[str, Any]) -> list[Item]:
    """Give an object for each row."""
    found = []
    for row in rows:
        one = dict(LAYOUTS[kind].usual) | head.get("same", {})
        one |= {name: value for name, value in zip(head["columns"], row, strict=False) if value is not None}
        for name in ADDRESSES:
            if str(one.get(name, "")).startswith("/") and head.get("origin"):
                one[name] = head["origin"] + one[name]
        found.append(one)
    return found
