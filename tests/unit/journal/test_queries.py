"""The small parts of every list: its pages, its times, its texts."""

import pytest

from gasoline_broker.errors import Damaged
from gasoline_workers.journal.messages import Item, Read, ReadActions, ReadErrors, ReadLogs
from gasoline_workers.journal.queries import holds, iso, some
from unit.journal.diary import NOW, Diary, error, line, ms


def test_a_time_is_written_to_the_millisecond_that_it_was_given_in() -> None:
    wrong = [
        number for number in range(1_000) if iso(ms(number / 1_000) / 1_000) != f"2025-11-21T16:20:00.{number:03}Z"
    ]

    assert [] == wrong
    assert "2025-11-21T16:20:00.999Z" == iso(NOW + 0.9999)


def test_a_field_without_a_value_is_left_out_and_a_zero_is_not() -> None:
    event: Item = {"none": None, "off": False, "empty": "", "zero": 0, "list": [], "on": True, "other": 1}

    assert {"zero": 0, "list": [], "on": True} == some(event, "none", "off", "empty", "zero", "list", "on", "absent")


def test_a_text_is_found_in_any_case_and_no_text_holds_nothing() -> None:
    assert [True, True, True, False, False] == [
        holds(*one) for one in (("Größe", "GRÖSSE"), ("abc", "B"), (None, ""), (None, "x"), ("abc", "d"))
    ]


@pytest.mark.parametrize("ask", [ReadLogs, ReadActions])
def test_a_page_has_its_items_and_how_many_there_are_from_there_on(diary: Diary, ask: type[Read]) -> None:
    for number in range(5):
        diary.tell(line(str(number)), {"ts": ms(), "type": "action", "action": "click", "selector": str(number)})
    last = 9 if ask is ReadLogs else 10

    first = diary.read(ask(limit=2))
    diary.tell(line("later"), {"ts": ms(), "type": "action", "action": "click", "selector": "later"})
    pages = [diary.read(ask(limit=2, before=before, upto=first.upto)) for before in (last - 2, last - 6, last - 8)]

    assert [([last, last - 2], 5), ([last - 4, last - 6], 3), ([last - 8], 1), ([], 0)] == [
        ([item["seq"] for item in page.items], page.total) for page in (first, *pages)
    ]


def test_an_event_that_is_no_json_any_more_is_reported_as_damage_with_its_position(diary: Diary) -> None:
    diary.tell(line("a"), error("b"))
    diary.file.rows.execute("UPDATE events SET data = X'7B'")

    with pytest.raises(Damaged, match=r"^2: "):
        diary.read(ReadErrors())
