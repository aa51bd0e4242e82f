"""The finder of places by RE2: the same ones as Python's `re` finds, counted in characters."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gasoline_workers.redaction.automaton import Finder

PATTERNS = ("key", "[0-9]{2,}", "пароль", "密码")
FINDER = Finder(PATTERNS)
PIECES = ("key", "12", "3", "пароль", "密码", "é", "😀", "\ud800", " ", "ke", "\x00")


@given(st.lists(st.sampled_from(PIECES)).map("".join))
def test_places_are_those_of_re_in_any_script(text: str) -> None:
    expected = [match.span() for match in re.finditer("|".join(PATTERNS), text)]

    assert expected == list(FINDER.places(text))


@pytest.mark.parametrize("text", ["", "none", "ключ", "\udfff"])
def test_a_text_without_any_has_no_place(text: str) -> None:
    assert [] == list(FINDER.places(text))
