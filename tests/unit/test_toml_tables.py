"""One table of a TOML file is edited in place: what is not ours keeps its every byte."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gasoline_bridge.cli import toml_tables

PATH = ["mcp_servers", "gasoline"]
ENTRY = {"command": "/opt/gasoline", "args": ["mcp"], "env": {"GASOLINE_PORT": "7891"}}

KEYS = st.sampled_from(
    [
        "a{} = 1",
        "  b{} = 'text' # why",
        'c{} = """\n[mcp_servers.gasoline]\n"""',
        "d{} = [\n  1, # one\n  2,\n]",
        "e{}.f = { g = 1 }",
        "# a note {}",
        "",
        "'quoted {}' = 1979-05-27",
    ]
)
HEADERS = st.sampled_from(
    ["[t{}]", "[mcp_servers.other{}]", "[mcp_servers.'x{}'.env] # note", "[[list{}]]", "  [ u{} . v ]"]
)


@st.composite
def documents(draw: st.DrawFn) -> str:
    """Write a whole file with any statements, line ends and end."""
    numbers = iter(range(100))
    lines = [draw(KEYS).replace("{}", str(next(numbers))) for _ in range(draw(st.integers(0, 3)))]
    for _ in range(draw(st.integers(0, 3))):
        lines.append(draw(HEADERS).replace("{}", str(next(numbers))))
        lines += [draw(KEYS).replace("{}", str(next(numbers))) for _ in range(draw(st.integers(0, 3)))]
    text = "\n".join(lines) + draw(st.sampled_from(["", "\n", "\n\n", "\n  \n"]))
    return draw(st.sampled_from(["", "\ufeff"])) + (text.replace("\n", "\r\n") if draw(st.booleans()) else text)


@pytest.mark.requirement("install-004")
@given(documents())
def test_removing_what_was_appended_gives_the_same_text(text: str) -> None:
    merged = toml_tables.merge(text, PATH, ENTRY)

    assert text == toml_tables.remove(merged, PATH)


@pytest.mark.requirement("install-002", "install-003")
@given(documents())
def test_an_insertion_changes_nothing_else_and_a_second_one_nothing_at_all(text: str) -> None:
    merged = toml_tables.merge(text, PATH, ENTRY)

    assert merged.startswith(text)
    assert ENTRY == toml_tables.get(merged, PATH)
    assert merged == toml_tables.merge(merged, PATH, ENTRY)


@pytest.mark.requirement("install-003")
def test_of_a_table_that_is_there_only_what_differs_is_changed() -> None:
    text = """[mcp_servers.gasoline]
args = ["mcp"] # mine
tool_timeout_sec = 60
command = [
  "old",
]

[mcp_servers.gasoline.env]
A = "b"
# the end
[other]
"""

    merged = toml_tables.merge(text, PATH, ENTRY)

    expected = text.replace('[\n  "old",\n]', '"/opt/gasoline"').replace(
        'A = "b"\n', 'A = "b"\nGASOLINE_PORT = "7891"\n'
    )
    assert expected == merged


@pytest.mark.requirement("install-003")
def test_variables_of_an_inline_table_are_kept() -> None:
    text = '[mcp_servers.gasoline]\ncommand = "/opt/gasoline"\nargs = ["mcp"]\nenv = { A = "b" }\n'

    assert {"A": "b", "GASOLINE_PORT": "7891"} == toml_tables.get(toml_tables.merge(text, PATH, ENTRY), [*PATH, "env"])


@pytest.mark.requirement("install-005")
def test_all_tables_of_the_entry_are_removed_and_what_follows_stays() -> None:
    ours = '[mcp_servers.gasoline]\ncommand = "x"\n\n[mcp_servers.gasoline.env]\nA = "b"\n\n'
    text = f"a = 1\n\n{ours}# of other\n[other]\nb = 2\n"

    assert "a = 1\n\n# of other\n[other]\nb = 2\n" == toml_tables.remove(text, PATH)


@pytest.mark.requirement("install-006")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = 1\nb = \n", "line 2"),
        ("mcp_servers = { gasoline = { command = 'x' } }", "mcp_servers.gasoline is not written as a table"),
        ("mcp_servers = { other = { command = 'x' } }", "mcp_servers.gasoline is not written as a table"),
        ("mcp_servers = 1", "mcp_servers is not a table"),
    ],
)
def test_a_text_that_cannot_be_edited_is_refused(text: str, message: str) -> None:
    with pytest.raises(toml_tables.Malformed, match=message):
        toml_tables.merge(text, PATH, ENTRY)


def test_a_text_without_the_table_is_left_as_it_is() -> None:
    assert "a = 1" == toml_tables.remove("a = 1", PATH)
    assert {} == tomllib.loads(toml_tables.remove(toml_tables.merge("", PATH, ENTRY), PATH))
