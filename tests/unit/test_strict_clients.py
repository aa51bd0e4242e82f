"""The list of tools against the rules of the strictest clients: a tool that they refuse, the model never sees.

Gemini's functions (ai.google.dev/api/caching#Schema): an enum has a type and no empty value
(sbroenne/mcp-server-excel#607, google-gemini/gemini-cli#4400), an object has properties
(MarkusPfundstein/mcp-obsidian#21), an array has items, and other keywords are refused
(nanbingxyz/5ire#42; `default` too: zendev-sh/goai#108). OpenAI's functions
(platform.openai.com/docs/guides/function-calling) and VS Code's: names, an object at the top without unions, a
description of at most 1,024 characters, 100 properties, 5 levels, 128 tools.
"""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from gasoline_bridge.front import mcp_server

KEYWORDS = {"type", "description", "enum", "items", "properties", "required"}
TYPES = {"string", "integer", "number", "boolean", "array", "object"}
NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
TOOLS = {tool.name: tool for tool in mcp_server.TOOL_LIST}


def schemas_in(schema: dict[str, Any], path: str, depth: int = 1) -> Iterator[tuple[str, dict[str, Any], int]]:
    """Go through a schema and those in it, each with its place and depth."""
    yield path, schema, depth
    for name, inner in schema.get("properties", {}).items():
        yield from schemas_in(inner, f"{path}.{name}", depth + 1)
    if "items" in schema:
        yield from schemas_in(schema["items"], f"{path}[]", depth + 1)


def faults(schema: dict[str, Any]) -> list[str]:
    """Name what strict clients refuse of one schema, without those in it."""
    kind = schema.get("type")
    values = schema.get("enum", ["x"])
    rules = {
        "keywords": schema.keys() <= KEYWORDS,
        "type": isinstance(kind, str) and kind in TYPES,
        "enum": "enum" not in schema or (kind == "string" and all(isinstance(one, str) and one for one in values)),
        "one value": bool(values) and len(set(map(str, values))) == len(values),
        "items": (kind == "array") == ("items" in schema),
        "properties": (kind == "object") == bool(schema.get("properties")),
        "required": set(schema.get("required", [])) <= schema.get("properties", {}).keys(),
        "no empty required": schema.get("required") != [],
        "description": schema.get("description", "x").strip() != "",
        "names": all(NAME.fullmatch(name) for name in schema.get("properties", {})),
    }
    return [name for name, is_kept in rules.items() if not is_kept]


@pytest.mark.requirement("tries-009")
@pytest.mark.parametrize("name", TOOLS)
def test_a_listed_schema_keeps_the_rules_of_the_strictest_clients(name: str) -> None:
    found = list(schemas_in(TOOLS[name].input_schema, name))

    assert not [f"{path}: {', '.join(wrong)}" for path, schema, _ in found if (wrong := faults(schema))]
    assert max(depth for _, _, depth in found) <= 5
    assert len(found) <= 100


@pytest.mark.requirement("tries-009")
def test_names_and_descriptions_of_tools_fit_the_strictest_clients() -> None:
    assert len(TOOLS) <= 128
    for name, tool in TOOLS.items():
        assert NAME.fullmatch(f"mcp__gasoline__{name}")
        assert 0 < len(tool.description or "") <= 1_024


@pytest.mark.parametrize(
    ("schema", "fault"),
    [
        ({"enum": ["a"]}, "type"),
        ({"type": "string", "enum": ["", "a"]}, "enum"),
        ({"type": "string", "enum": []}, "one value"),
        ({"type": "array"}, "items"),
        ({"type": "object"}, "properties"),
        ({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["b"]}, "required"),
        ({"type": "object", "properties": {"a.b": {"type": "string"}}}, "names"),
        ({"type": "string", "pattern": "x"}, "keywords"),
        ({"anyOf": [{"type": "string"}]}, "keywords"),
        ({"type": ["string", "null"]}, "type"),
        ({"type": "integer", "default": 5}, "keywords"),
        ({"type": "object", "properties": {"a": {"type": "string"}}, "required": []}, "no empty required"),
    ],
)
def test_a_schema_that_breaks_a_rule_is_found(schema: dict[str, Any], fault: str) -> None:
    assert fault in faults(schema)


def test_a_schema_that_breaks_no_rule_has_no_fault() -> None:
    assert [] == faults({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]})
