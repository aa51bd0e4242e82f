"""The law of our own walk along a path: it finds what the library finds, in its order."""

from typing import Any

import msgspec
from hypothesis import example, given
from hypothesis import strategies as st
from jsonpath import JSONPath, JSONPathEnvironment

from gasoline_workers.journal.messages import Item
from gasoline_workers.journal.paths import finder

NAMES = ["a", "b", "..", ",", "?", "0"]
INDEX = st.integers(-4, 4)
BOUND = st.one_of(st.just(""), INDEX.map(str))
NAME = st.sampled_from(NAMES).map(lambda name: f"['{name}']")
STEP = st.one_of(st.sampled_from(["[*]", ".*", ".a", "['b']"]), NAME, INDEX.map(lambda at: f"[{at}]"))
SLICE = st.tuples(BOUND, BOUND, BOUND).map(lambda bounds: f"[{':'.join(bounds)}]")
LEAF = st.one_of(st.none(), st.booleans(), st.integers(-9, 9), st.floats(0, 1))
LIBRARY = JSONPathEnvironment(strict=True)
WITHOUT = "Nothing in the body matches the path."


def body(leaf: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.recursive(
        leaf,
        lambda within: st.one_of(st.lists(within, max_size=5), st.dictionaries(st.sampled_from(NAMES), within)),
        max_leaves=20,
    )


def path(step: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.lists(step, max_size=4).map(lambda steps: "$" + "".join(steps))


def find(of: str, said: Any) -> Item:
    return finder(of)(msgspec.json.encode(said).decode(), False)  # noqa: FBT003 - it was not cut off


def check(of: str, said: Any) -> None:
    compiled = LIBRARY.compile(of)
    found = compiled.findall(said)

    one = isinstance(compiled, JSONPath) and compiled.singular_query()
    expected = {"value": found[0] if one else found} if found else {"path_error": WITHOUT}
    assert expected == find(of, said)


@given(of=path(STEP), said=body(st.one_of(LEAF, st.text(max_size=3))))
@example(of="$[*][0]", said=["text", [1], [], {"0": 2}])
@example(of="$.*.*", said={"b": {"b": 1, "a": 2}, "a": [3], "c": "text"})
def test_names_indices_and_wildcards_find_what_the_library_finds(of: str, said: Any) -> None:
    check(of, said)


@given(of=path(st.one_of(STEP, SLICE)), said=body(LEAF))
@example(of="$[::-1][*]", said=[[1, 2], [3]])
@example(of="$[::0]", said=[1, 2])
@example(of="$[-2:9]['a']", said=[1, {"a": 2}, {"a": 3}])
def test_slices_find_what_the_library_finds_in_arrays(of: str, said: Any) -> None:
    check(of, said)


def test_a_slice_selects_nothing_of_a_text() -> None:
    assert {"path_error": WITHOUT} == find("$[0:1]", "text")
    assert {"value": [1]} == find("$[*][0:1]", ["text", [1, 2]])
