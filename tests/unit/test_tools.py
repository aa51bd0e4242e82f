"""The list of the tools, as a client gets it."""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gasoline_bridge.front import arguments, mcp_server, reference
from gasoline_bridge.front.actions import ACTIONS, limited, named
from gasoline_bridge.front.reading_tools import READING, READING_ACTIONS, may_be_repeated
from gasoline_bridge.front.schema import flat_schema
from gasoline_bridge.front.tools import TOOLS as TOOL_TABLE
from gasoline_bridge.front.tools import modes
from gasoline_broker.errors import Failed
from gasoline_demo import tour

TOOL_LIST_BYTES_MAX = 12 << 10  # SPEC.md, The MCP tools
STILL_TO_COME_BYTES = 20  # more modes of analyze and generate: each takes its bytes from here
NUMBERS = {"integer", "number"}
HARMLESS = {"highlight_element", "generate"}  # they write, and destroy nothing
TOOLS = {tool.name: tool for tool in mcp_server.TOOL_LIST}


def every_object(node: Any) -> list[dict[str, Any]]:
    if isinstance(node, list):
        return [found for item in node for found in every_object(item)]
    if isinstance(node, dict):
        return [node, *(found for item in node.values() for found in every_object(item))]
    return []


@pytest.mark.requirement("fields-010")
def test_the_whole_list_stays_within_its_budget() -> None:
    text = msgspec.json.encode([tool.model_dump(by_alias=True, exclude_none=True) for tool in mcp_server.TOOL_LIST])

    assert len(text) <= TOOL_LIST_BYTES_MAX - STILL_TO_COME_BYTES


@pytest.mark.parametrize("name", TOOLS)
def test_a_schema_is_one_object_without_references_nulls_or_unknown_fields(name: str) -> None:
    schema = TOOLS[name].input_schema

    assert "object" == schema["type"]
    for node in every_object(schema):
        assert not {"$ref", "$defs", "anyOf", "oneOf", "title"} & node.keys()
        assert not isinstance(node.get("type"), list)
        assert "null" != node.get("type")


@pytest.mark.requirement("doors-006")
@pytest.mark.parametrize("name", TOOLS)
def test_every_number_has_an_upper_bound(name: str) -> None:
    numbers = [node for node in every_object(flat_schema(TOOL_TABLE[name].arguments)) if node.get("type") in NUMBERS]

    assert numbers
    assert not [node for node in numbers if not {"maximum", "exclusiveMaximum"} & node.keys()]


@pytest.mark.requirement("001-126", "001-127")
def test_interact_describes_what_analyze_includes() -> None:
    analyze = TOOLS["interact"].input_schema["properties"]["analyze"]

    assert "boolean" == analyze["type"]
    assert "Time: network, tasks, shifts, DOM" == analyze["description"]


@pytest.mark.parametrize("name", TOOLS)
def test_every_tool_takes_tab_id_and_budget(name: str) -> None:
    assert {"tab_id", "budget"} <= {*TOOL_TABLE[name].arguments.__struct_fields__}
    if not TOOL_TABLE[name].listed:
        assert {"tab_id", "budget"} <= TOOLS[name].input_schema["properties"].keys()


@pytest.mark.requirement("fields-009")
@pytest.mark.parametrize("name", TOOLS)
def test_every_tool_is_annotated_with_what_differs_from_the_defaults_of_mcp(name: str) -> None:
    annotations = TOOLS[name].annotations
    acts = name in {"analyze", "configure", "interact", "manage_state", "execute_javascript", "highlight_element"}
    hints = {"destructiveHint": False} if name in HARMLESS else None if acts else {"readOnlyHint": True}

    assert hints == (annotations and annotations.model_dump(by_alias=True, exclude_none=True))


@pytest.mark.requirement("fields-008")
def test_every_tool_has_a_short_title_of_its_own_for_people() -> None:
    titles = {name: tool.title or "" for name, tool in TOOLS.items()}

    assert not [name for name, title in titles.items() if not re.fullmatch(r"[A-Z][A-Za-z ]{3,24}", title)]
    assert len(titles) == len(set(titles.values()))


@pytest.mark.parametrize("name", TOOLS)
def test_no_tool_has_an_output_schema_for_clients_then_drop_the_text(name: str) -> None:
    assert TOOLS[name].output_schema is None


def test_what_only_reads_is_a_tool_and_destroys_nothing() -> None:
    assert set(READING) <= TOOL_TABLE.keys()
    assert not any(TOOL_TABLE[name].destroys for name in READING)


@pytest.mark.requirement("002-026", "002-173", "002-174")
def test_the_seeds_on_demand_tools_are_listed_with_what_they_do() -> None:
    assert "live DOM" in (TOOLS["query_dom"].description or "")
    assert "CSS selector" in (TOOLS["query_dom"].description or "")
    assert "page structure summary: URL, title, viewport" in (TOOLS["get_page_info"].description or "")
    assert ["selector"] == TOOLS["query_dom"].input_schema["required"]


@pytest.mark.requirement("002-049", "002-073")
def test_the_seeds_passive_tools_are_listed_with_what_they_do() -> None:
    assert (TOOLS["get_websocket_events"].description or "").startswith("Recent WebSocket events: ")
    assert (TOOLS["get_network_bodies"].description or "").startswith("Bodies, for API debugging: ")


DOCS = Path(__file__).parents[2] / "docs"
EXAMPLES = msgspec.json.decode((DOCS / "examples.json").read_bytes())


def key_of(example: dict[str, Any]) -> tuple[str, str]:
    key = TOOL_TABLE[example["tool"]].key
    return example["tool"], example["arguments"][key] if key else ""


@pytest.mark.requirement("structure-025")
def test_the_reference_is_as_new_as_the_tools_and_the_examples() -> None:
    assert reference.write(EXAMPLES) == (DOCS / "tools.md").read_text(), "run `make docs`"


@pytest.mark.requirement("install-015")
def test_the_tour_has_ten_questions_with_the_recorded_answers() -> None:
    text = (DOCS / "tour.md").read_text()

    assert tour.write(EXAMPLES) == text, "run `make docs`"
    assert 10 == text.count("\n## ")


def test_a_question_whose_call_is_not_recorded_is_named() -> None:
    with pytest.raises(LookupError, match="What is on this page"):
        tour.write([])


def test_each_tool_and_mode_has_one_recorded_example() -> None:
    expected = [(name, mode) for name, tool in TOOL_TABLE.items() for mode in modes(tool) or [""]]

    assert sorted(expected) == sorted(map(key_of, EXAMPLES)), (
        "add one in demo/gasoline_demo/examples.py, then run `make examples`"
    )


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: " ".join(key_of(example)))
def test_an_example_is_a_valid_call_and_its_reply_has_documented_fields(example: dict[str, Any]) -> None:
    name, mode = key_of(example)
    like = next((group[0] for group in reference.LIKE.values() if mode in group), mode) if name == "interact" else mode
    assert (name, like) in reference.ANSWERS, "add the shape of its reply in bridge/gasoline_bridge/front/reference.py"
    shape = reference.ANSWERS[name, like]
    structs = shape if isinstance(shape, tuple) else (shape,)
    fields = {field.encode_name for struct in structs for field in msgspec.structs.fields(struct)}

    arguments.read(name, example["arguments"])

    assert set(example["reply"]) <= fields | {"omitted", "cursor"}


@pytest.mark.requirement("doors-006")
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: " ".join(key_of(example)))
def test_a_number_beyond_every_bound_is_named(example: dict[str, Any]) -> None:
    name, mode = key_of(example)
    tool = TOOL_TABLE[name]
    only = limited(tool.modes)
    schema = flat_schema(tool.arguments)["properties"]
    taken = [parameter for parameter in schema if mode in only.get(parameter, [mode])]
    numbers = [parameter for parameter in taken if schema[parameter].get("type") in NUMBERS]

    assert {"tab_id", "budget"} <= {*numbers}
    for parameter in numbers:
        with pytest.raises(Failed) as caught:
            arguments.read(name, example["arguments"] | {parameter: 1 << 64})
        assert ("invalid_params", parameter) == (caught.value.failure.code, caught.value.failure.details["parameter"])


@pytest.mark.requirement("fast-038")
def test_the_shim_repeats_the_actions_that_only_read_and_no_other() -> None:
    assert named("reading") == READING_ACTIONS
    assert {*READING_ACTIONS} == {name for name in ACTIONS if may_be_repeated("interact", {"action": name})}
    assert not may_be_repeated("interact", {"action": "get_text", "what": "click"})
    assert not may_be_repeated("interact", None)
