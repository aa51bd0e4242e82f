"""Baselines as plain data: what was exported is imported whole, in one order, and what is none is refused."""

from typing import Any

import msgspec
import pytest

from gasoline_broker.errors import Failed
from gasoline_workers.regression.messages import Pictures
from gasoline_workers.regression.portable import exported, imported
from unit.regression.pages import QUIET, flaw, issue, kept, loads

CART = kept(loads([*QUIET]), issue("a", "#b", "#a"), issue("b", "#c"), flaw("leak", "x", "y"), flaw("csp"))
OTHER = kept(loads([*QUIET]), issue("b", "#c"), issue("a", "#a", "#b"), flaw("csp"), flaw("leak", "y", "x"))


@pytest.mark.requirement("regression-026")
def test_a_baseline_is_exported_in_one_order_whatever_order_it_was_found_in() -> None:
    assert exported(CART) == exported(OTHER)


@pytest.mark.requirement("regression-026", "regression-027")
def test_what_was_exported_is_imported_whole() -> None:
    again = imported(msgspec.json.decode(msgspec.json.encode(exported(CART))), Pictures(("one",)))

    assert exported(CART) == exported(again)
    assert Pictures(("one",)) == again.pictures


@pytest.mark.requirement("regression-027")
@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"format": 2}, "newer version"),
        ({"unheard": 1}, "unheard"),
        ({"loads": [{"lcp_ms": "fast"}]}, "loads"),
        ({"loads": []}, "no load"),
        ({"accessibility": [{"id": "label"}]}, "accessibility"),
        ({"name": ""}, "no name"),
    ],
)
def test_what_is_no_baseline_is_refused_with_what_is_wrong(change: dict[str, Any], words: str) -> None:
    with pytest.raises(Failed, match=words) as refused:
        imported(exported(CART) | change, Pictures())

    assert "invalid_params" == refused.value.failure.code


@pytest.mark.parametrize("content", [None, [], "text", {}])
def test_what_is_no_object_of_ours_is_refused(content: object) -> None:
    with pytest.raises(Failed, match="cannot be read"):
        imported(content, Pictures())
