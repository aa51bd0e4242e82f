"""The file of baselines: what comes again is done once, and what was damaged is named and harms nothing else."""

import sqlite3
import stat
import zlib
from pathlib import Path

import msgspec
import pytest

from gasoline_broker.actor.client import Step
from gasoline_broker.actor.store import Store
from gasoline_broker.actor.wire import Envelope, Kind
from gasoline_broker.errors import Failed
from gasoline_workers.regression import history, verdict
from gasoline_workers.regression.file import Baselines
from gasoline_workers.regression.kept import Kept, LastCompared, State, state
from gasoline_workers.regression.messages import (
    Baseline,
    BaselineApproved,
    BaselineCompared,
    BaselineDeleted,
    BaselineMade,
    Pictures,
)
from unit.regression.pages import QUIET, SAME_LOOK, URL, flaw, issue, judged, kept, loads


def given(number: int) -> Step:
    return Step(Envelope(Kind.ASK, bytes([number])), b"", (), 0.0)


def opened(folder: Path) -> Baselines:
    store = Baselines(folder)
    store.ready()
    return store


@pytest.fixture
def store(tmp_path: Path) -> Baselines:
    return opened(tmp_path)


def put(store: Baselines, number: int, baseline: Kept) -> BaselineMade:
    return msgspec.msgpack.decode(store.put(given(number), baseline, []).body, type=BaselineMade)


CART = kept(loads([*QUIET]), issue("label", "#name", "#mail"), flaw("missing_csp"))


@pytest.mark.requirement("regression-001")
def test_a_baseline_is_kept_whole_with_what_it_was_made_of(tmp_path: Path, store: Baselines) -> None:
    made = put(store, 1, CART)

    assert CART == store.find("cart") == opened(tmp_path).find("cart")
    assert (
        Baseline(
            name="cart",
            url=URL,
            captured_at="2026-01-29T09:00:00Z",
            runs=5,
            browser="Chrome/156.0",
            viewport=(1440, 900),
            scale=1,
            version="0.1.0",
            performance={"lcp_ms": 202},
            accessibility_issues=2,
            security_findings=1,
        )
        == made.baseline
    )
    assert ("success", False) == (made.status, made.replaced)
    assert 0o600 == stat.S_IMODE((tmp_path / "baselines.sqlite").stat().st_mode)


@pytest.mark.requirement("regression-002")
def test_a_message_that_comes_again_does_nothing_and_has_the_same_answer(store: Baselines) -> None:
    first = put(store, 1, CART)
    newer = put(store, 2, kept(loads([900] * 5)))
    again = put(store, 1, CART)
    deleted = [store.delete(given(3), "cart").body for _ in range(2)]

    assert first == again
    assert newer.replaced
    assert [BaselineDeleted(success=True, name="cart")] * 2 == [
        msgspec.msgpack.decode(one, type=BaselineDeleted) for one in deleted
    ]
    assert [] == store.list()


@pytest.mark.requirement("regression-014")
def test_an_unknown_baseline_is_answered_with_those_that_exist(store: Baselines) -> None:
    with pytest.raises(Failed) as none:
        store.find("cart")
    put(store, 1, CART)
    put(store, 2, kept(loads([*QUIET]), name="home"))
    with pytest.raises(Failed) as other:
        store.find("account")
    with pytest.raises(Failed) as undeleted:
        store.delete(given(3), "account")

    assert "There is none yet" in none.value.failure.text
    assert ["not_found"] * 3 == [one.value.failure.code for one in (none, other, undeleted)]
    assert "There are: 'home', 'cart'." in other.value.failure.text
    assert ["home", "cart"] == undeleted.value.failure.details["names"]
    assert ["home", "cart"] == [one.name for one in store.list()]


@pytest.mark.requirement("regression-016")
@pytest.mark.parametrize("damage", [b"", b"nothing", None])
def test_a_damaged_baseline_is_named_listed_and_can_be_replaced_or_deleted(
    tmp_path: Path, store: Baselines, damage: bytes | None
) -> None:
    put(store, 1, CART)
    put(store, 2, kept(loads([*QUIET]), name="home"))
    with sqlite3.connect(tmp_path / "baselines.sqlite") as rows:
        (whole,) = rows.execute("SELECT content FROM baselines WHERE name = 'cart'").fetchone()
        broken = damage if damage is not None else whole[:-3] + b"\0\0\0"
        rows.execute("UPDATE baselines SET content = ? WHERE name = 'cart'", (broken,))
    rows.close()
    with pytest.raises(Failed) as refused:
        store.find("cart")

    assert ("store_failed", "cart") == (refused.value.failure.code, refused.value.failure.details["name"])
    assert [("home", False), ("cart", True)] == [(one.name, one.damaged) for one in store.list()]
    assert put(store, 3, CART).replaced
    assert CART == store.find("cart")


@pytest.mark.requirement("regression-016")
def test_a_file_that_is_none_is_set_aside_and_an_empty_one_begun(tmp_path: Path) -> None:
    (tmp_path / "baselines.sqlite").write_bytes(b"no database at all" * 400)

    store = opened(tmp_path)
    put(store, 1, CART)

    assert ["cart"] == [one.name for one in store.list()]
    assert 1 == len(list(tmp_path.glob("baselines.sqlite.broken-*")))


@pytest.mark.requirement("regression-023")
def test_the_last_compare_is_kept_with_its_baseline_until_that_is_replaced_or_deleted(
    tmp_path: Path, store: Baselines
) -> None:
    slow, quiet = loads([900] * 5), loads([*QUIET])
    put(store, 1, CART)
    first, last = (verdict.compare(CART, state(one, judged()), SAME_LOOK) for one in (slow, quiet))
    fresh = store.read("cart")

    store.put_compared(given(2), LastCompared(first, slow.metrics))
    store.put_compared(given(3), LastCompared(last, quiet.metrics))
    store.put_compared(given(2), LastCompared(first, slow.metrics))  # the same ask again
    compared = store.read("cart")
    put(store, 4, CART)
    replaced = store.read("cart")
    store.put_compared(given(5), LastCompared(last, quiet.metrics))
    store.delete(given(6), "cart")
    with sqlite3.connect(tmp_path / "baselines.sqlite") as file:
        (left,) = file.execute("SELECT count(*) FROM compared").fetchone()
    put(store, 7, CART)

    assert (quiet.metrics, None, []) == (fresh.loads, fresh.compared, fresh.compared_loads)
    assert (last, quiet.metrics) == (compared.compared, compared.compared_loads)
    assert 0 == left
    assert fresh == replaced == store.read("cart")
    with pytest.raises(Failed, match="There is no baseline 'other'"):
        store.read("other")


@pytest.mark.requirement("visual-010")
def test_the_pictures_of_a_baseline_that_is_asked_for_again_are_not_dropped(store: Baselines) -> None:
    mine = msgspec.structs.replace(CART, pictures=Pictures(("one", "other")))
    put(store, 1, mine)

    assert () == put(store, 2, mine).dropped
    assert ("one", "other") == put(store, 3, CART).dropped


NO_PICTURES = Pictures()


def compared(store: Baselines, number: int, now: State, pictures: Pictures = NO_PICTURES) -> BaselineCompared:
    answer = verdict.compare(store.find("cart"), now, SAME_LOOK)
    last = LastCompared(answer, now.loads.metrics, now, pictures, at=f"2026-02-0{number % 9 + 1}T08:00:00Z")
    return msgspec.msgpack.decode(store.put_compared(given(number), last).body, type=BaselineCompared)


def approve(store: Baselines, number: int) -> BaselineApproved:
    return msgspec.msgpack.decode(store.approve(given(number), "cart", "now").body, type=BaselineApproved)


BROKEN = state(loads([*QUIET]), judged(issue("label", "#name", "#mail"), issue("alt", "#a"), flaw("missing_csp")))


@pytest.mark.requirement("regression-024")
def test_a_compare_is_approved_once_and_asked_again_the_answer_is_the_same(store: Baselines) -> None:
    put(store, 1, msgspec.structs.replace(CART, pictures=Pictures(("a", "b"))))
    compared(store, 2, BROKEN, Pictures(("c", "d")))

    first, again = approve(store, 3), approve(store, 4)
    same = compared(store, 5, BROKEN)

    assert (["accessibility", "picture"], ("a", "b"), False) == (first.parts, first.dropped, first.is_repeated)
    assert (first.parts, (), True) == (again.parts, (), again.is_repeated)
    assert ("no_change", ()) == (same.verdict, same.dropped)
    assert [] == approve(store, 6).parts
    assert ("c", "d") == store.find("cart").pictures.ids


@pytest.mark.requirement("regression-024")
def test_without_a_compare_there_is_nothing_to_approve(store: Baselines) -> None:
    with pytest.raises(Failed, match="There is no baseline 'cart'"):
        approve(store, 1)
    put(store, 2, CART)
    with pytest.raises(Failed, match="There is no compare with the baseline 'cart'") as none:
        approve(store, 3)
    older = LastCompared(verdict.compare(CART, BROKEN, SAME_LOOK), [])
    store.put_compared(given(4), older)  # as an earlier version kept it: without what the page was like
    with pytest.raises(Failed, match="There is no compare"):
        approve(store, 5)

    assert "gasoline check" in none.value.failure.recovery


@pytest.mark.requirement("visual-010", "regression-016")
def test_the_pictures_of_a_damaged_baseline_and_of_the_last_compare_are_dropped_with_it(
    tmp_path: Path, store: Baselines
) -> None:
    put(store, 1, msgspec.structs.replace(CART, pictures=Pictures(("a", "b"))))
    assert () == compared(store, 2, BROKEN, Pictures(("c", "d"))).dropped
    assert ("c", "d") == compared(store, 3, BROKEN, Pictures(("e", "f"))).dropped
    assert {"a", "b", "e", "f"} == store.held()
    with sqlite3.connect(tmp_path / "baselines.sqlite") as rows:
        rows.execute("UPDATE baselines SET content = x'00'")
    rows.close()

    gone = msgspec.msgpack.decode(store.delete(given(4), "cart").body, type=BaselineDeleted)

    assert {"a", "b", "e", "f"} == set(gone.dropped)


@pytest.mark.requirement("regression-025")
def test_the_history_goes_on_when_a_baseline_is_replaced_and_ends_when_it_is_deleted(store: Baselines) -> None:
    put(store, 1, CART)
    compared(store, 2, BROKEN)
    approve(store, 3)
    put(store, 4, CART)
    kinds = [one.kind for one in store.history("cart").entries]
    entry = store.history("cart").entries[1]
    store.delete(given(5), "cart")
    put(store, 6, CART)

    assert ["made", "compared", "approved", "made"] == kinds
    assert ("regression_detected", 3, 1, 20.0, 0) == (
        entry.verdict,
        entry.accessibility_issues,
        entry.security_findings,
        entry.heap_used_mb,
        entry.seen_px,
    )
    assert {"accessibility_issues": "regression_detected"} == entry.verdicts
    assert 202 == entry.metrics["lcp_ms"].median
    assert ["made"] == [one.kind for one in store.history("cart").entries]
    with pytest.raises(Failed, match="There is no baseline 'other'"):
        store.history("other")


@pytest.mark.requirement("regression-025")
def test_the_history_has_bounds_by_number_and_by_age(
    tmp_path: Path, store: Baselines, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "PER_BASELINE", 3)
    monkeypatch.setattr(history, "ALL", 5)
    put(store, 1, kept(loads([*QUIET]), name="home"))
    for number in range(2, 8):
        put(store, number, CART)
    three = store.history("cart").entries
    for number in range(8, 12):
        put(store, number, kept(loads([*QUIET]), name=f"page {number}"))
    with sqlite3.connect(tmp_path / "baselines.sqlite") as rows:
        (all_of_them,) = rows.execute("SELECT count(*) FROM history").fetchone()
        rows.execute("UPDATE history SET at = at - ?", (history.AGE_S,))
    rows.close()
    put(store, 12, CART)

    assert 3 == len(three)
    assert 5 == all_of_them
    assert ([], 1) == (store.history("page 11").entries, len(store.history("cart").entries))


@pytest.mark.requirement("regression-016")
def test_a_file_of_an_earlier_version_keeps_its_baselines(tmp_path: Path) -> None:
    earlier = Store(tmp_path / "baselines.sqlite", EARLIER_SCHEMA)
    earlier.open()
    with earlier.transaction() as rows:
        content = zlib.compress(msgspec.msgpack.encode(msgspec.structs.replace(CART, pictures=Pictures(("a",)))))
        rows.execute("INSERT INTO baselines (name, content) VALUES ('cart', ?)", (content,))
    earlier.close()

    store = opened(tmp_path)

    assert ["cart"] == [one.name for one in store.list()]
    assert [] == store.history("cart").entries
    assert ("a",) == put(store, 1, CART).dropped


EARLIER_SCHEMA = """
    CREATE TABLE IF NOT EXISTS baselines (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, content BLOB NOT NULL
    ) STRICT;
    CREATE TABLE IF NOT EXISTS compared (name TEXT NOT NULL PRIMARY KEY, content BLOB NOT NULL) STRICT
"""
