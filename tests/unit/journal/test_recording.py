"""What was done in a tab, as a test is made of it."""

import pytest

from gasoline_workers.journal import recording
from gasoline_workers.journal.messages import Item, ReadRecording, RecordingRead
from unit.journal.diary import NOW, TAB, Diary, error, line, ms, request

OTHER = TAB + 1


def step(at_s: float, action: str = "click") -> Item:
    return {"ts": ms(at_s), "type": "step", "by": "user", "act": action}


def read(diary: Diary, tab: int = TAB, since: int = 0) -> RecordingRead:
    ask = ReadRecording(tab_id=tab, since_seq=since)
    return recording.read(diary.file.rows, ask, diary.file.state, diary.file.begin, diary.file.end, NOW)


@pytest.mark.requirement("clients-006")
def test_events_are_in_the_order_of_the_pages_clock(diary: Diary) -> None:
    diary.tell(request("http://localhost:3000/api", ts=ms(0.2)), step(0.1), line("no error", ts=ms(0.3)))
    diary.tell(error("broke", ts=ms(0.15)))
    audit = {"ts": ms(0.05), "type": "audit", "action": "interact click", "tab": TAB, "outcome": "done", "took_ms": 90}
    diary.tell(audit, tab=0, load="00000000", page="")

    found = read(diary)

    assert ["audit", "step", "error", "network"] == [one["kind"] for one in found.events]
    assert ("interact click", TAB, "error") == (
        found.events[0]["action"],
        found.events[0]["tab"],
        found.events[2]["error"],
    )
    assert (TAB, 0) == (found.tab, found.evicted_seq)


@pytest.mark.requirement("clients-006")
def test_a_tab_that_was_opened_is_read_too_and_no_other(diary: Diary) -> None:
    diary.tell({"ts": ms(), "type": "opened", "tab": TAB, "opened": OTHER}, tab=0, load="00000000", page="")
    diary.tell(step(0.1), tab=OTHER)
    diary.tell(step(0.2), tab=OTHER + 1)

    assert [("opened", TAB), ("step", OTHER)] == [(one["kind"], one["tab"]) for one in read(diary).events]


def test_only_what_came_after_a_position_is_read(diary: Diary) -> None:
    end = diary.tell(step(0.1))
    diary.tell(step(0.2, "hover"))

    assert ["hover"] == [one["act"] for one in read(diary, since=end).events]


def test_steps_that_were_lost_are_known(diary: Diary) -> None:
    diary.tell(*(step(number / 1_000) for number in range(1_003)))

    assert 3 == read(diary).evicted_seq
