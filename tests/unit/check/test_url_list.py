"""A file of addresses: comments, blank lines, repetitions, and wrong lines by their numbers."""

import pytest

from gasoline_bridge.check.url_list import Listed, read_list
from gasoline_broker.errors import SettingsRefused

CART, HOME = "http://shop.test/cart#!/list", "https://shop.test"


@pytest.mark.requirement("regression-028")
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_each_line_is_an_address_without_its_comment(end: str) -> None:
    text = end.join(["# the shop", "", f"  {CART}  ", f"{HOME} # the first page", "\t#", ""])

    assert Listed([CART, HOME], {}) == read_list(text, "urls.txt")


@pytest.mark.requirement("regression-028")
def test_what_is_repeated_is_there_once_and_named_with_both_lines() -> None:
    assert Listed([CART, HOME], {3: 1, 5: 1}) == read_list(f"{CART}\n{HOME}\n{CART}\n\n{CART}", "urls.txt")


@pytest.mark.requirement("regression-028")
@pytest.mark.parametrize(
    "wrong", ["shop.test/cart", "file:///etc/passwd", "http://", "http://a b", "http://[::1", "//x"]
)
def test_a_line_that_is_no_address_is_named_by_its_number(wrong: str) -> None:
    with pytest.raises(SettingsRefused) as refused:
        read_list(f"{CART}\n{wrong}\n{HOME}\nnone", "urls.txt")

    assert str(refused.value).startswith(f"urls.txt: line 2 is no address of a page: {wrong!r}; line 4 is")


def test_of_many_wrong_lines_the_first_are_named_and_a_file_without_an_address_is_refused() -> None:
    with pytest.raises(SettingsRefused, match="and 15 more"):
        read_list("wrong\n" * 20, "urls.txt")
    with pytest.raises(SettingsRefused, match=r"urls.txt lists no address"):
        read_list("# nothing\n", "urls.txt")
