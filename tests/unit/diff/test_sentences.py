"""Texts that are cut at words, and sentences that share one line."""

import pytest

from gasoline_workers.diff.sentences import cut, line


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("aaaa bbbb cccc dddd.", "aaaa bbbb cccc dddd."),
        ("aaaa bbbb cccc dddd!!", "aaaa bbbb cccc..."),
        ("aaaa bbbb cccc dd eeee", "aaaa bbbb cccc dd..."),
        ("x" * 30, "x" * 17 + "..."),
        ("a" * 11 + " " + "b" * 20, "a" * 11 + "..."),
        ("a" * 10 + " " + "b" * 20, "a" * 10 + " bbbbbb..."),
        ("a" * 7 + " " + "b" * 20, "a" * 7 + " bbbbbbbbb..."),
        (" one\n two\t three ", "one two three"),
    ],
)
def test_a_text_is_cut_at_a_word_that_leaves_more_than_half(text: str, expected: str) -> None:
    assert expected == cut(text, 20)


def test_a_sentence_that_just_fits_is_added_and_one_that_does_not_is_counted() -> None:
    first = "a" * 100

    assert f"{first} {'b' * 89}" == line([first, "b" * 89])
    assert f"{first} 1 more." == line([first, "b" * 90])
    assert f"{first} c. 2 more." == line([first, "b" * 90, "c.", "d" * 90])


def test_a_first_sentence_leaves_room_for_the_count_of_the_others() -> None:
    assert f"{'a' * 187}... 1 more." == line(["a" * 300, "b"])
