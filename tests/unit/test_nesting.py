"""How deep JSON is nested, measured without recursion."""

from typing import Any

import pytest

from gasoline_bridge.chrome.nesting import is_deeper


@pytest.mark.parametrize(
    ("value", "levels"), [(None, 0), ("[[", 0), ([], 1), ({}, 1), ([1, [2]], 2), ({"a": [{"b": 1}], "c": 2}, 3)]
)
def test_a_value_has_so_many_levels_and_no_more(value: Any, levels: int) -> None:
    assert not is_deeper(value, levels)
    assert levels == 0 or is_deeper(value, levels - 1)


def test_a_value_of_any_depth_is_measured() -> None:
    value: Any = 1
    for _ in range(20_000):
        value = [value]

    assert is_deeper(value, 19_999)
    assert not is_deeper(value, 20_000)
    while isinstance(value, list):  # freed from the outside in, or the interpreter may break
        value = value.pop()
