"""Turns an argument Struct into the JSON Schema that every client understands: one object, no `$ref`, no null."""

from typing import Any

import msgspec


def flat_schema(struct: type[msgspec.Struct]) -> dict[str, Any]:
    """Give the JSON Schema of `struct` with every reference written out, and without titles."""
    (root,), parts = msgspec.json.schema_components([struct], ref_template="{name}")

    def inline(node: Any) -> Any:  # noqa: ANN401 - JSON
        if isinstance(node, list):
            return [inline(item) for item in node]
        if not isinstance(node, dict):
            return node
        if name := node.get("$ref"):
            beside = {key: value for key, value in node.items() if key != "$ref"}
            return inline(parts[name] | beside)
        return {key: inline(value) for key, value in node.items() if key != "title" or not isinstance(value, str)}

    flat: dict[str, Any] = inline(root)
    flat.pop("description", None)  # the tool has a description of its own
    return flat
