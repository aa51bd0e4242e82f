"""Which tab is read, and which part of the order."""

from typing import Any

import pytest

from gasoline_workers.journal.messages import EventsRead, ReadLogs
from gasoline_workers.journal.scopes import NO_FRONT, Scope, known, scope
from unit.journal.diary import NOW, PAGE, Diary, believed, line, ms, state


@pytest.fixture
def diary(diary: Diary) -> Diary:
    """Return a journal with a line of two tabs, and one that belongs to none."""
    for tab in (1, 2):
        diary.tell(line(f"of {tab}"), tab=tab)
    return diary


def texts(diary: Diary, ask: ReadLogs | None = None) -> list[str]:
    return [item["text"] for item in diary.items(ask or ReadLogs())]


def test_without_a_word_of_the_extension_all_tabs_are_read(diary: Diary) -> None:
    assert ["of 2", "of 1"] == texts(diary)
    assert [2, 1] == [item["tab"] for item in diary.items(ReadLogs())]


def test_the_tab_in_front_is_read(diary: Diary) -> None:
    diary.tell(state(front=1))

    assert ["of 1"] == texts(diary)
    assert 1 == diary.read(ReadLogs()).tab
    assert "tab" not in diary.items(ReadLogs())[0]


def test_another_tab_is_read_when_it_is_named(diary: Diary) -> None:
    diary.tell(state(front=1))

    assert ["of 2"] == texts(diary, ReadLogs(tab_id=2))
    assert ["of 2", "of 1"] == texts(diary, ReadLogs(all_tabs=True))


def test_while_a_tab_is_tracked_nothing_of_another_is_returned(diary: Diary) -> None:
    diary.tell(state(front=1, tracked=2))

    read = diary.read(ReadLogs(tab_id=1))
    assert ([], 0) == (read.items, read.total)
    assert "Tab 2 is tracked" in read.more["hint"]
    for ask in (ReadLogs(), ReadLogs(tab_id=2), ReadLogs(all_tabs=True)):
        assert ["of 2"] == texts(diary, ask)


def test_what_belongs_to_no_tab_is_read_with_each(diary: Diary) -> None:
    diary.tell(line("pushed"), tab=0)

    assert ["pushed", "of 1"] == texts(diary, ReadLogs(tab_id=1))


def test_the_state_is_reported_and_is_no_event(diary: Diary) -> None:
    end = diary.file.end
    diary.tell(state(front=1), state(front=2))

    assert (end, believed(state(front=2))) == (diary.file.end, diary.read(ReadLogs()).state)


@pytest.mark.parametrize("hidden", ["[REDACTED]", True, -1, 1.5, {}, None])
def test_what_is_no_id_is_no_tab_and_is_left_out(diary: Diary, hidden: object) -> None:
    diary.tell(state() | {"front": hidden, "tracked": hidden, "websockets": "[REDACTED]"})

    read = diary.read(ReadLogs())
    assert {"front": None, "tracked": None, "bodies": False, "allTabs": True} == read.state


def test_with_no_tab_in_front_nothing_is_returned_unless_it_is_asked_for(diary: Diary) -> None:
    diary.tell(state())

    read = diary.read(ReadLogs())
    assert ([], 0, NO_FRONT) == (read.items, read.total, read.more["hint"])
    assert ["of 2", "of 1"] == texts(diary, ReadLogs(all_tabs=True))
    assert ["of 2"] == texts(diary, ReadLogs(tab_id=2))


def test_a_page_cannot_change_the_state(diary: Diary) -> None:
    diary.store(("f" * 32, 1, 0, "5f3a9c01", PAGE, [state(front=2)]))

    assert diary.file.state is None


def test_a_window_that_is_resumed_is_read_as_it_was_resolved(diary: Diary) -> None:
    diary.tell(state(front=1))
    first = diary.read(ReadLogs(tab_id=2))
    diary.restart("second")
    diary.tell(state(front=1))

    assert (0, 2) == (first.since, first.tab)
    assert ["of 2"] == texts(diary, ReadLogs(resumed=True, tab_id=2))
    assert ["of 2", "of 1"] == texts(diary, ReadLogs(resumed=True))
    assert 2 == diary.read(ReadLogs()).since


def test_nor_does_a_resumed_window_give_another_tab_than_the_tracked_one(diary: Diary) -> None:
    diary.tell(state(tracked=2))

    assert ["of 2"] == texts(diary, ReadLogs(resumed=True))
    assert [] == texts(diary, ReadLogs(resumed=True, tab_id=1))


@pytest.mark.parametrize("limit", [0, -1, 10**9])
def test_a_limit_out_of_range_is_brought_into_it(diary: Diary, limit: int) -> None:
    read = diary.read(ReadLogs(limit=limit))

    assert 2 == read.total
    assert (2 if limit > 0 else 0) == len(read.items)


def test_positions_beyond_the_end_give_nothing(diary: Diary) -> None:
    assert [] == texts(diary, ReadLogs(since_seq=10**12))
    assert ["of 2", "of 1"] == texts(diary, ReadLogs(upto=10**12))


@pytest.mark.parametrize(
    ("ask", "expected"),
    [
        ({}, Scope(3, 9, 10, 50, NOW)),
        ({"since_seq": 5, "before": 7, "upto": 8, "url_filter": "/a"}, Scope(5, 8, 7, 50, NOW, url="/a")),
        ({"since_seq": 1, "before": 1, "upto": 1, "limit": 1}, Scope(1, 1, 1, 1, NOW)),
        ({"upto": 10, "limit": -1}, Scope(3, 9, 10, 0, NOW)),
        ({"all_tabs": True, "tab_id": 4}, Scope(3, 9, 10, 50, NOW)),
        ({"resumed": True, "limit": 1_001, "tab_id": 4}, Scope(0, 9, 10, 1_000, NOW, tab=4)),
    ],
)
def test_a_window_is_a_part_of_the_order_within_the_view(ask: dict[str, Any], expected: Scope) -> None:
    assert expected == scope(ReadLogs(**ask), None, 3, 9, NOW)


def test_of_a_state_its_tabs_and_switches_are_known() -> None:
    state = {"front": 1, "tracked": True, "websockets": False, "bodies": "[REDACTED]", "ts": 7, "allTabs": True}

    assert {"front": 1, "tracked": None, "websockets": False, "allTabs": True} == known(state)
    assert [None, None] == [known("[REDACTED]"), known(None)]


def test_an_empty_answer_states_its_window_and_why_it_is_empty(diary: Diary) -> None:
    tracked = state(front=1, tracked=2)
    diary.tell(tracked)

    note = "Tab 2 is tracked: nothing of another tab is given until tracking is stopped."
    expected = EventsRead([], 2, 1, 0, more={"hint": note}, tab=1, state=believed(tracked), since=1)
    assert expected == diary.read(ReadLogs(tab_id=1, since_seq=1, upto=1))


def test_an_answer_states_its_window_its_tab_and_the_state(diary: Diary) -> None:
    front = state(front=2)
    diary.tell(front, line("last", ts=ms(1)), tab=2)

    item = {"seq": 2, "ts": "2025-11-21T16:20:00.000Z", "level": "log", "text": "of 2"}
    more = {"page": PAGE}
    assert EventsRead([item], 3, 2, 1, more=more, tab=2, state=believed(front), since=1) == diary.read(
        ReadLogs(since_seq=1, upto=2)
    )
