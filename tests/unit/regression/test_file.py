"""The file of baselines: what comes again is done once, and what was damaged is named and harms nothing else."""

import sqlite3
import stat
from pathlib import Path

import msgspec
import pytest

from gasoline_broker.actor.client import Step
from gasoline_broker.actor.wire import Envelope, Kind
from gasoline_broker.errors import Failed
from gasoline_workers.regression.file import Baselines
from gasoline_workers.regression.kept import Kept
from gasoline_workers.regression.messages import Baseline, BaselineDeleted, BaselineMade, Pictures
from unit.regression.pages import QUIET, URL, flaw, issue, kept, loads


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


@pytest.mark.requirement("visual-010")
def test_the_pictures_of_a_baseline_that_is_asked_for_again_are_not_dropped(store: Baselines) -> None:
    mine = msgspec.structs.replace(CART, pictures=Pictures(("one", "other")))
    put(store, 1, mine)

    assert () == put(store, 2, mine).dropped
    assert ("one", "other") == put(store, 3, CART).dropped
