"""Why nothing of a tab was captured is found in the browser's list of tabs."""

import pytest

from gasoline_bridge.front.tab_hints import hint

TABS = [{"id": 3, "url": "http://localhost/"}, {"id": 4, "url": "chrome://settings/"}, {"id": 5, "url": ""}]
EXCLUDED = {"id": 6, "url": "https://bank.example/", "excluded": True}


@pytest.mark.requirement("applications-031")
@pytest.mark.parametrize(
    ("tab", "words"),
    [(9, "No open tab has the id 9"), (4, "no access to chrome://settings/"), (5, "a page without an address")],
)
def test_a_tab_that_is_missing_or_closed_to_extensions_is_named(tab: int, words: str) -> None:
    assert words in hint(TABS, tab)


@pytest.mark.requirement("sites-008")
def test_a_tab_of_an_excluded_site_is_named_as_one() -> None:
    assert "keeps Gasoline out" in hint([EXCLUDED], 6)


@pytest.mark.parametrize("tab", [0, 3])
def test_a_page_that_is_captured_needs_no_hint(tab: int) -> None:
    assert "" == hint(TABS, tab)
