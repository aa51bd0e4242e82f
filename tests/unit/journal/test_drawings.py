"""The sessions of Draw Mode, read from the events of the extension."""

from typing import Any

import pytest

from gasoline_workers.journal import drawings
from gasoline_workers.journal.messages import DrawingRead, Item, ReadDrawing
from unit.journal.diary import NOW, TAB, Diary, ms

URL = "http://localhost:3000/checkout"
ANNOTATION = {
    "id": "ann_1_a",
    "rect": {"x": 120, "y": 340, "width": 200, "height": 45},
    "text": "darker",
    "kind": "bug",
    "timestamp": 1_700_000_000_000,
    "page_url": URL,
    "element_summary": "button 'Submit'",
    "selector": "#submit",
    "correlation_id": "ann_detail_a",
}


def drawing(phase: str, name: str = "dm_1", **more: Any) -> Item:
    return {"ts": ms(), "type": "drawing", "phase": phase, "id": name, "tab": TAB, "page_url": URL} | more


def note(diary: Diary, *events: Item) -> None:
    """Store events of the extension itself."""
    diary.tell(*events, tab=0, load="00000000", page="")


def read(diary: Diary, annotation: str = "", client: str = "ann", now: float = NOW, tab: int = 0) -> DrawingRead:
    return drawings.read(diary.file.rows, ReadDrawing(client, annotation, tab), now)


def test_without_a_session_there_is_nothing(diary: Diary) -> None:
    assert DrawingRead() == read(diary)
    assert DrawingRead() == read(diary, "ann_detail_unknown")


def test_a_session_is_open_until_it_has_ended(diary: Diary) -> None:
    note(diary, drawing("begun"))
    begun = read(diary)
    note(diary, drawing("ended", annotations=[ANNOTATION], duration_ms=4_500, warning="page_navigated"))
    ended = read(diary, now=NOW + 60)

    assert (True, [], "dm_1") == (begun.open, begun.annotations, begun.id)
    assert (False, [ANNOTATION], 4_500, "page_navigated") == (
        ended.open,
        ended.annotations,
        ended.duration_ms,
        ended.warning,
    )
    assert (TAB, URL) == (ended.tab, ended.page_url)
    assert ended.age_s == pytest.approx(60, abs=1)


@pytest.mark.requirement("draw-027")
def test_a_session_is_drawn_in_until_it_has_ended_or_its_browser_has(diary: Diary) -> None:
    note(diary, drawing("begun"), drawing("drawn", annotations=[ANNOTATION]))
    going_on = read(diary, now=NOW + 300)
    left = read(diary, now=NOW + 340)

    assert (True, [ANNOTATION], "") == (going_on.open, going_on.annotations, going_on.warning)
    assert (False, [ANNOTATION], "draw_mode_timeout") == (left.open, left.annotations, left.warning)
    assert left.age_s == pytest.approx(340, abs=1)


def test_an_answer_is_beside_its_annotation_and_the_last_one_counts(diary: Diary) -> None:
    other = ANNOTATION | {"correlation_id": "ann_detail_b"}
    note(diary, drawing("begun"), drawing("ended", annotations=[ANNOTATION, other]))
    note(diary, drawing("answered", correlation_id="ann_detail_a", status="acknowledged", reply="Looking"))
    note(diary, drawing("answered", correlation_id="ann_detail_a", status="resolved"))

    assert [ANNOTATION | {"status": "resolved"}, other] == read(diary).annotations
    assert [ANNOTATION | {"status": "resolved"}, other] == read(diary, "ann_detail_b").annotations


def test_a_tab_narrows_what_is_read(diary: Diary) -> None:
    note(diary, drawing("begun", "dm_1"), drawing("ended", "dm_1", annotations=[ANNOTATION]))
    note(diary, drawing("begun", "dm_2", tab=TAB + 1))

    assert ("dm_1", "dm_2") == (read(diary, tab=TAB).id, read(diary).id)
    assert DrawingRead() == read(diary, tab=TAB + 2)


@pytest.mark.requirement("004-111", "004-112")
def test_the_last_session_is_read_or_the_one_of_an_annotation(diary: Diary) -> None:
    note(diary, drawing("begun", "dm_1"), drawing("begun", "dm_2"), drawing("ended", "dm_2", annotations=[]))
    note(diary, drawing("ended", "dm_1", annotations=[ANNOTATION]))

    assert ("dm_2", []) == (read(diary).id, read(diary).annotations)
    assert [ANNOTATION] == read(diary, "ann_detail_a").annotations


def test_what_is_no_annotation_is_left_out(diary: Diary) -> None:
    note(diary, drawing("begun"), drawing("ended", annotations=[3, {"text": "kept", "planted": "x"}, None]))

    assert [{"text": "kept"}] == read(diary).annotations


def test_what_another_assistant_asked_for_is_not_given(diary: Diary) -> None:
    note(diary, drawing("begun", "dm_1"), drawing("ended", "dm_1", annotations=[]))
    note(diary, drawing("begun", "dm_2", client_id="bob"))
    note(diary, drawing("ended", "dm_2", client_id="bob", annotations=[ANNOTATION]))

    assert ("dm_1", "dm_2") == (read(diary).id, read(diary, client="bob").id)
    assert DrawingRead() == read(diary, "ann_detail_a")


LINE = [[20 + at, 30] for at in range(64)]


@pytest.mark.parametrize(
    "figure",
    [
        {"shape": "arrow", "from": {"x": 60, "y": 120.5}, "to": {"x": -3, "y": 210}},
        {"shape": "freehand", "path": LINE},
    ],
)
@pytest.mark.requirement("draw-024")
def test_an_arrow_and_a_freehand_line_are_read_as_drawn(diary: Diary, figure: Item) -> None:
    note(diary, drawing("begun"), drawing("ended", annotations=[ANNOTATION | figure]))

    assert [ANNOTATION | figure] == read(diary).annotations


@pytest.mark.parametrize(
    "figure",
    [
        {"shape": "arrow"},
        {"shape": "arrow", "from": {"x": 1, "y": 2}, "to": {"x": "a", "y": 2}},
        {"shape": "arrow", "from": {"x": 1, "y": 2}, "to": {"x": 1 << 25, "y": 2}},
        {"shape": "freehand", "path": []},
        {"shape": "freehand", "path": [*LINE, [1, 2]]},
        {"shape": "freehand", "path": [[1, 2, 3]]},
        {"shape": "freehand", "path": "x" * 64},
        {"shape": "star", "path": LINE},
        {"path": LINE},
        {"to": {"x": 1, "y": 2}},
    ],
)
@pytest.mark.requirement("draw-024")
def test_of_what_is_no_figure_the_rectangle_is_left(diary: Diary, figure: Item) -> None:
    note(diary, drawing("begun"), drawing("ended", annotations=[ANNOTATION | figure]))

    assert [ANNOTATION] == read(diary).annotations
