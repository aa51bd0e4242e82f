"""What is named of real pages: rows of a table, pictures that are alike, ids that are another with each load."""

import pytest

from gasoline_workers.redaction.rules import redact
from gasoline_workers.visual.comparison import compared
from gasoline_workers.visual.elements import LISTED
from unit.visual.test_exclusion import GREEN, RED, Part, Row, page, png, row, shots

FIRST, SECOND = "rgb(255, 255, 255)", "rgb(248, 248, 248)"
COLORS = ((200, 0, 0), (0, 160, 0), (0, 0, 200), (90, 90, 0), (0, 90, 90), (90, 0, 90))


def table(*names: str, wide: int = 60) -> tuple[bytes, list[Row]]:
    """Give a striped table with a row for each name, and its picture."""
    rows = [row("#list", 0, 0, 190, 100), row("#list>tbody", 0, 0, 190, 100, 1)]
    parts: list[Part] = []
    for at, name in enumerate(names):
        stripe = SECOND if at % 2 else FIRST
        rows.append(row(f"#list>tbody>tr:nth-of-type({at + 1})", 0, 15 * at, 190, 15, 2, background=stripe))
        number = len(rows)
        rows.append(row(f"#list>tbody>tr:nth-of-type({at + 1})>th", 0, 15 * at, wide, 15, number, text=name))
        rows.append(row(f"#list>tbody>tr:nth-of-type({at + 1})>td", wide, 15 * at, 190 - wide, 15, number, text="Food"))
        parts.append(((5, 15 * at + 2, 20, 8), COLORS[ord(name[0]) % len(COLORS)]))
        parts.append(((wide + 5, 15 * at + 2, 20, 8), GREEN))
    return png(*parts), rows


@pytest.mark.requirement("visual-014")
def test_a_row_that_is_removed_from_a_striped_table_is_the_row_that_is_named() -> None:
    (then, old_rows), (now, new_rows) = table("a", "b", "c", "d", "e"), table("a", "b", "d", "e")
    found = compared(*shots((then, page(*old_rows)), (now, page(*new_rows))))

    assert [text for text in found.changes if text.startswith(("added", "removed")) or "text" in text] == [
        'removed #list>tbody>tr:nth-of-type(3) 190×15 "c"'
    ]


@pytest.mark.requirement("visual-014")
def test_the_columns_of_a_table_that_follow_a_longer_text_are_not_named_one_by_one() -> None:
    (then, old_rows), (now, new_rows) = table("a", "b", "c"), table("a", "bbbb", "c", wide=80)
    found = compared(*shots((then, page(*old_rows)), (now, page(*new_rows))))

    assert ['#list>tbody>tr:nth-of-type(2)>th: text "b" -> "bbbb"'] == [
        text for text in found.changes if not text.startswith("moved")
    ]


@pytest.mark.requirement("visual-014")
def test_of_pictures_that_are_alike_the_one_that_has_gone_is_named() -> None:
    places = [(10, 10), (80, 40), (150, 70)]
    pins = [row(f"html>img:nth-of-type({at + 1})", x, y, 20, 20) for at, (x, y) in enumerate(places)]
    left = [row(f"html>img:nth-of-type({at + 1})", x, y, 20, 20) for at, (x, y) in enumerate(places[1:])]
    then = png(*(((x, y, 20, 20), RED) for x, y in places))
    now = png(*(((x, y, 20, 20), RED) for x, y in places[1:]))

    found = compared(*shots((then, page(*pins)), (now, page(*left))))

    assert ["removed img:nth-of-type(1) 20×20"] == list(found.changes)


@pytest.mark.requirement("visual-014")
def test_an_element_whose_id_is_another_with_each_load_is_the_same_element() -> None:
    def panel(number: int, text: str) -> list[Row]:
        return [
            row(f"#id-{number}", 10, 10, 100, 60),
            row(f"#id-{number}>p", 10, 10, 100, 20, 1, text=text),
            row(f"#icon-{number}", 20, 40, 20, 20, 1),
        ]

    then, now = png(((10, 10, 30, 10), RED)), png(((10, 10, 40, 10), RED))
    same = compared(*shots((then, page(*panel(7, "Files"))), (now, page(*panel(82, "Files"))))).changes
    other = compared(*shots((then, page(*panel(7, "Files"))), (now, page(*panel(82, "Folders"))))).changes
    named = [row("#files", 10, 10, 100, 60, text="Files")], [row("#folders", 10, 10, 100, 60, text="Folders")]
    another = compared(*shots((then, page(*named[0])), (now, page(*named[1])))).changes

    assert ["#id-82>p: looks different at 40,10 10×10"] == list(same)
    assert ['#id-82>p: text "Files" -> "Folders"'] == list(other)
    assert {"added #folders", "removed #files"} == {" ".join(text.split()[:2]) for text in another}


@pytest.mark.requirement("visual-014")
def test_what_has_come_where_nothing_looks_different_is_not_named() -> None:
    """A list of results that is clipped to nothing."""
    panel = row("#panel", 10, 60, 50, 20, text="Results")
    old, new = shots((png(), page()), (png(((100, 10, 20, 20), RED)), page(panel)))

    assert ["html: looks different at 100,10 20×20"] == list(compared(old, new).changes)
    assert ["html: looks different at 100,10 20×20"] == list(compared(new, old).changes)


@pytest.mark.requirement("visual-014")
def test_the_place_of_a_label_that_announces_a_secret_is_no_secret() -> None:
    whole = page(row("html>label", 10, 10, 50, 20, text="Password:"), row("#pass", 10, 40, 90, 20))

    assert whole == redact(whole)[0]


@pytest.mark.requirement("visual-014")
def test_a_baseline_whose_numbers_were_redacted_is_still_compared() -> None:
    whole = page(row("html>label", 10, 10, 50, 20, text="Password:"))
    broken = page(row("html>label", 10, 10, 50, 20, text="Password:"))
    broken["rows"][1][1] = "[REDACTED]"

    assert "changed" == compared(*shots((png(), broken), (png(((100, 10, 20, 20), RED)), whole))).verdict


@pytest.mark.requirement("visual-005")
def test_what_differs_below_the_last_element_that_is_listed_is_one_sentence() -> None:
    rows = [row(f"html>p:nth-of-type({at})", 0, at % 40, 100, 1) for at in range(LISTED - 2)]
    rows.append(row("html>p:nth-of-type(9999)", 0, 40, 100, 5))
    old, new = shots((png(), page(*rows)), (png(((10, 60, 10, 5), RED), ((80, 90, 10, 5), GREEN)), page(*rows)))

    assert ["looks different below 45, where no elements are listed"] == list(compared(old, new).changes)
