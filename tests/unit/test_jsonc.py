"""JSON with comments is edited in place: what is not ours keeps its every byte."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gasoline_bridge.cli import jsonc

PATH = ["mcpServers", "gasoline"]
ENTRY = {"command": "/opt/gasoline", "args": ["mcp"], "env": {"GASOLINE_PORT": "7891"}}

SPACES = st.sampled_from(["", "", " ", "  ", "\t"])
GAPS = st.sampled_from(
    [
        "",
        "",
        " ",
        "\n",
        "\n  ",
        "\n\t",
        " \n\n    ",
        "\r\n  ",
        " // a } note\n",
        "/* a, { */",
        "\n  // one\n  ",
        "\n/* two\n lines */ ",
    ]
)
KEYS = st.one_of(st.sampled_from(["a", "mcp Servers", 'quoted "key"', "ü", "b"]), st.text(max_size=4))
ATOMS = st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=8)).map(json.dumps)


@st.composite
def objects(draw: st.DrawFn, inner: st.SearchStrategy[str], keys: st.SearchStrategy[str] = KEYS) -> str:
    """Write an object with any space, comments and a trailing comma."""
    members = draw(st.lists(st.tuples(keys, inner), max_size=4, unique_by=lambda pair: pair[0]))
    text = "{" + draw(GAPS)
    for at, (key, value) in enumerate(members):
        text += json.dumps(key) + draw(SPACES) + ":" + draw(GAPS) + value + draw(GAPS)
        if at < len(members) - 1 or draw(st.booleans()):
            text += "," + draw(GAPS)
    return text + "}"


@st.composite
def arrays(draw: st.DrawFn, inner: st.SearchStrategy[str]) -> str:
    items = draw(st.lists(inner, max_size=3))
    comma = draw(st.sampled_from(["", ","])) if items else ""
    return "[" + draw(GAPS) + ("," + draw(GAPS)).join(items) + draw(GAPS) + comma + "]"


VALUES = st.recursive(ATOMS, lambda inner: objects(inner) | arrays(inner), max_leaves=8)
SERVERS = objects(objects(VALUES), st.sampled_from(["other", "one more", "z"]))


@st.composite
def documents(draw: st.DrawFn) -> str:
    """Write a whole file, which may have servers already."""
    bom: str = draw(st.sampled_from(["", "\ufeff"]))
    before, after = draw(GAPS), draw(GAPS)
    root: str = draw(objects(VALUES))
    if draw(st.booleans()):
        comma = "," if jsonc.parse(root).members else ""
        root = "{" + draw(GAPS) + '"mcpServers":' + draw(SERVERS) + comma + root[1:]
    return bom + before + root + after


@pytest.mark.requirement("install-004")
@given(documents())
def test_removing_what_was_inserted_gives_the_same_text(text: str) -> None:
    merged = jsonc.merge(text, PATH, ENTRY)

    assert text == jsonc.remove(merged, PATH)


@pytest.mark.requirement("install-002", "install-003")
@given(documents())
def test_an_insertion_changes_nothing_else_and_a_second_one_nothing_at_all(text: str) -> None:
    before = jsonc.parse(text).value
    merged = jsonc.merge(text, PATH, ENTRY)

    servers = before.get("mcpServers", {})
    assert before | {"mcpServers": servers | {"gasoline": ENTRY}} == jsonc.parse(merged).value
    assert merged == jsonc.merge(merged, PATH, ENTRY)


@pytest.mark.requirement("install-002")
def test_comments_order_and_indentation_are_kept() -> None:
    text = """{
    // the theme
    "theme": "dark",
    "mcpServers": {
        "other": {"command": "x"}, // keep
    },
    "last": [1, 2,],
}
"""

    expected = """{
    // the theme
    "theme": "dark",
    "mcpServers": {
        "other": {"command": "x"}, // keep
        "gasoline": {
            "command": "/g"
        },
    },
    "last": [1, 2,],
}
"""
    assert expected == jsonc.merge(text, PATH, {"command": "/g"})


@pytest.mark.requirement("install-002")
@pytest.mark.parametrize("text", ['{\r\n  "a": 1\r\n}\r\n', "{}\r\n"])
def test_a_file_with_crlf_gets_crlf(text: str) -> None:
    merged = jsonc.merge(text, PATH, ENTRY)

    assert merged.count("\n") == merged.count("\r\n")


@pytest.mark.requirement("install-003")
def test_of_an_entry_that_is_there_only_what_differs_is_changed() -> None:
    ours = '{"args":  [ "mcp", ], /* mine */ "disabled": true, "command": "/old", "env": {"A": "b"}}'
    text = f'{{"mcpServers": {{"gasoline": {ours}}}}}'

    expected = text.replace('"/old"', '"/opt/gasoline"').replace('"A": "b"', '"A": "b", "GASOLINE_PORT": "7891"')
    assert expected == jsonc.merge(text, PATH, ENTRY)


@pytest.mark.requirement("install-006")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{\n  "a": 1\n  "b": 2\n}', "line 3: a , or } is missing"),
        ("{\n'a': 1}", 'line 2: a "key" or } is missing'),
        ('{"a"\n1}', "line 2: a : is missing"),
        ('{"a":\n}', "line 2: a value is missing"),
        ('{"a": nope}', "line 1: nope is no value"),
        ('{"a": 1}\n{', "line 2: something follows the end"),
        ('{"a": "\n"}', "line 1: a value is missing"),
        ("[1, 2]", "line 1: the outermost value is not an object"),
        ('{\n"mcpServers": []}', 'line 2: "mcpServers" is not an object'),
        ('{"a": ' + "[" * 500, "line 1: more than 200 levels"),
        ("// nothing", "line 1: a value is missing"),
    ],
)
def test_a_text_that_is_not_understood_is_refused_with_its_line(text: str, message: str) -> None:
    with pytest.raises(jsonc.Malformed) as refused:
        jsonc.merge(text, PATH, ENTRY)

    assert message == str(refused.value)


def test_of_a_key_that_occurs_twice_the_last_one_counts() -> None:
    text = '{"mcpServers": {}, "mcpServers": {"gasoline": 1}}'

    assert 1 == jsonc.get(text, PATH)
    assert '{"mcpServers": {}, "mcpServers": {}}' == jsonc.remove(text, PATH)
