"""What was hidden is counted by kind, channel and tab, as the markers in the events state it."""

import pytest

from gasoline_workers.journal.messages import ReadRedactions
from unit.journal.diary import Diary, line, socket


@pytest.mark.requirement("redact-015")
def test_what_was_hidden_is_counted_by_kind_and_channel(diary: Diary) -> None:
    diary.tell(line("a ⟦token#1⟧, ⟦token#2⟧ and [REDACTED]"), line("nothing"), line("⟦token#1⟧"))
    diary.tell(socket("message", "c", data="⟦card#1⟧"))

    found = diary.read(ReadRedactions())

    rows = [(one["channel"], one["kind"], one["count"], one.get("secrets", 0)) for one in found.items]
    assert sorted([("websocket", "card", 1, 1), ("console", "token", 3, 2), ("console", "other", 1, 0)]) == sorted(rows)
    assert "card" == found.items[0]["kind"]
    assert 3 == found.total


@pytest.mark.requirement("redact-015")
def test_what_comes_after_a_place_and_before_a_page_is_counted_alone(diary: Diary) -> None:
    diary.tell(line("⟦token#1⟧"), line("⟦card#1⟧"))
    first = diary.read(ReadRedactions(limit=1))

    assert ["card"] == [one["kind"] for one in first.items]
    assert ["token"] == [one["kind"] for one in diary.read(ReadRedactions(before=first.items[0]["seq"])).items]
    assert [] == diary.read(ReadRedactions(since_seq=first.items[0]["seq"])).items
