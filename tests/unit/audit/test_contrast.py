"""The colour that passes is the nearest one that does, by the ratio of WCAG."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gasoline_workers.audit.contrast import Colour, colour, nearest, ratio

channels = st.integers(0, 255)
colours = st.builds(Colour, channels, channels, channels)
WHITE, BLACK = Colour(255, 255, 255), Colour(0, 0, 0)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("#000000", "#ffffff", 21.0),
        ("#ffffff", "#ffffff", 1.0),
        ("#777777", "#ffffff", 4.48),
        ("#767676", "#ffffff", 4.54),
    ],
)
def test_the_ratio_is_that_of_wcag(one: str, other: str, expected: float) -> None:
    first, second = colour(one), colour(other)

    assert first is not None
    assert second is not None
    assert expected == round(ratio(first, second), 2)
    assert ratio(first, second) == ratio(second, first)


@pytest.mark.requirement("analyze-004")
def test_the_seeds_grey_on_white_becomes_the_seeds_grey() -> None:
    assert "#767676" == str(nearest(Colour(0x99, 0x99, 0x99), WHITE, 4.5))


@given(colours, colours, st.sampled_from([3.0, 4.5, 7.0]))
def test_what_is_proposed_passes_and_what_passes_already_stays(changed: Colour, kept: Colour, needed: float) -> None:
    found = nearest(changed, kept, needed)

    assert found is None or ratio(found, kept) >= needed
    if ratio(changed, kept) >= needed:
        assert changed == found
    if max(ratio(WHITE, kept), ratio(BLACK, kept)) >= needed:
        assert found is not None


def test_a_contrast_that_no_colour_has_is_none() -> None:
    assert None is nearest(WHITE, Colour(0x77, 0x77, 0x77), 7.0)


@pytest.mark.parametrize("value", ["", "red", "#fff", "#12345", "#12345680", "[REDACTED]", None, 7, ["#ffffff"]])
def test_what_is_no_opaque_colour_is_none(value: object) -> None:
    assert None is colour(value)


def test_an_opaque_colour_may_state_that_it_is() -> None:
    assert Colour(1, 2, 3) == colour("#010203ff")
