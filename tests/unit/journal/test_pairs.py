"""What a script asked for and what the browser loaded are one request by their times, whichever is stored first."""

from typing import Any

import pytest

from gasoline_workers.journal.messages import ReadWaterfall
from unit.journal.diary import Diary, line, loaded, ms, request

UNKNOWN = "[REDACTED]"
CASES: list[tuple[Any, float, str, bool]] = [  # the call's duration in ms, when the load began, its initiator: one?
    (480, -0.06, "fetch", False),
    (480, -0.04, "img", True),
    (480, 0.3, "beacon", True),
    (480, 0.3, "script", False),
    (480, 0.52, "xmlhttprequest", True),
    (480, 0.54, "fetch", False),
    (50_000, 50.04, "fetch", True),
    (90_000, 59.9, "fetch", True),
    (90_000, 60.2, "fetch", False),
    (-5_000, 0.04, "fetch", True),
    (-5_000, 0.06, "fetch", False),
    (UNKNOWN, 0.04, "img", True),
    (UNKNOWN, 0.06, "fetch", False),
]


@pytest.mark.parametrize("call_first", [True, False])
@pytest.mark.parametrize("at_once", [True, False])
def test_a_load_is_of_the_call_that_it_began_beside_or_within(diary: Diary, *, call_first: bool, at_once: bool) -> None:
    for number, (duration, after_s, initiator, _) in enumerate(CASES):
        halves = [
            request(f"/{number}/", duration=duration),
            loaded(f"/{number}/", ts=ms(after_s), initiator=initiator),
        ]
        order = halves if call_first else halves[::-1]
        for chunk in (order,) if at_once else ([half] for half in order):
            diary.tell(line("beside"), *chunk)

    counts = [diary.read(ReadWaterfall(url_filter=f"/{number}/")).total for number in range(len(CASES))]
    assert [1 if one else 2 for *_, one in CASES] == counts
