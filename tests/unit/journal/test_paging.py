"""The law of the cursor: the pages are the one long list, with any events stored and evicted in between."""

import tempfile
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gasoline_workers.journal.limits import RINGS
from gasoline_workers.journal.messages import (
    Item,
    Read,
    ReadActions,
    ReadBodies,
    ReadErrors,
    ReadLogs,
    ReadVitals,
    ReadWaterfall,
    ReadWebSockets,
)
from unit.journal.diary import Diary, body, error, line, loaded, ms, request, socket, vital

KINDS: dict[str, Callable[[int], Item]] = {
    "console": lambda number: line(str(number)),
    "error": lambda number: error("abcdefghij"[number]),
    "network": lambda number: request(f"/{number}"),
    "resource": lambda number: loaded(f"/{number}"),
    "network_body": lambda number: body(f"/{number}"),
    "websocket": lambda number: socket("message", str(number)),
    "vital": lambda number: vital("LCP", number),
    "action": lambda number: {"ts": ms(), "type": "action", "action": "click", "selector": str(number)},
}
READS: list[type[Read]] = [ReadLogs, ReadErrors, ReadWaterfall, ReadBodies, ReadWebSockets, ReadVitals, ReadActions]
EVENT = st.tuples(st.sampled_from(sorted(KINDS)), st.integers(0, 5))
STORY = st.lists(st.one_of(EVENT, st.just(None)), min_size=1, max_size=60)


def tell(diary: Diary, kind: str, number: int) -> None:
    diary.tell(KINDS[kind](number), tab=1 + number % 2, load=f"{number:08x}")


def seqs(items: list[Item]) -> list[int]:
    return [item["seq"] for item in items]


@pytest.mark.requirement("capture-033")
@pytest.mark.parametrize("ask", READS, ids=lambda ask: ask.__name__)
@settings(max_examples=25)
@given(story=STORY, later=STORY, limit=st.integers(1, 7), room=st.integers(3, 20))
def test_pages_are_the_one_long_list(
    ask: type[Read],
    story: list[tuple[str, int] | None],
    later: list[tuple[str, int] | None],
    limit: int,
    room: int,
) -> None:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        for ring in KINDS:
            patch.setitem(RINGS, ring, RINGS[ring]._replace(size=room))
        diary = Diary(Path(folder))
        for event in filter(None, story):
            tell(diary, *event)
        whole = seqs(diary.items(ask(limit=1_000)))

        first = found = diary.read(ask(limit=limit))
        pages, coming = seqs(found.items), iter(later)
        while found.total > len(found.items):
            for event in iter(lambda: next(coming, None), None):  # up to the next None: a page is read there
                tell(diary, *event)
            next_page = msgspec.structs.replace(ask(limit=limit), before=pages[-1], upto=first.upto)
            found = diary.read(next_page)
            pages += seqs(found.items)
        remaining = seqs(diary.items(msgspec.structs.replace(ask(limit=1_000), upto=first.upto)))
        diary.file.close()

    assert sorted(set(pages), reverse=True) == pages, "none is repeated, and all are in order"
    assert set(whole) & set(remaining) <= set(pages), "none is missed that was there all the time"
    assert set(pages) <= set(whole), "none is new"
