"""The folder of pictures: what is kept, in which order it goes, and what damage of one picture does to the others."""

import os
import sqlite3
import stat
from pathlib import Path

import pytest

from gasoline_broker.errors import Failed
from gasoline_workers.screenshots import retention
from gasoline_workers.screenshots.file import Screenshots
from gasoline_workers.screenshots.messages import Damage, Picture, Screenshot, id_of
from unit.screenshots.png_bytes import png

MB = 1 << 20
DAY_S = 86_400.0
NOW = 1_800_000_000.0
ABOUT = Picture(url="http://localhost/a", title="A", kind="viewport", masked=0)


def opened(folder: Path, quota_bytes: int = 100 * MB, days: float = 30) -> Screenshots:
    store = Screenshots(folder, quota_bytes, days * DAY_S)
    store.ready()
    return store


@pytest.fixture
def store(tmp_path: Path) -> Screenshots:
    return opened(tmp_path / "screenshots")


def put(store: Screenshots, number: int, data: bytes = b"", now: float = NOW) -> Screenshot:
    return store.put(f"{number:016x}", data or png(), ABOUT, "pixels", now)


def ids(store: Screenshots) -> list[int]:
    return [int(one.id, 16) for one in store.list(100, 0, "").screenshots]


def files(store: Screenshots) -> list[Path]:
    return sorted(store._folder.glob("??/*"))


@pytest.mark.requirement("pictures-019")
def test_an_ask_that_comes_again_is_stored_once_and_equal_pictures_share_a_private_file(store: Screenshots) -> None:
    first = put(store, 1)
    again = put(store, 1, png("blue"), NOW + 5)
    other = put(store, 2)

    assert first == again
    assert [2, 1] == ids(store)
    assert [Path(first.path)] == files(store) == [Path(other.path)]
    assert first.sha256 == Path(first.path).stem
    assert 0o600 == stat.S_IMODE(Path(first.path).stat().st_mode)
    assert png() == store.read(first)


@pytest.mark.requirement("pictures-022")
@pytest.mark.parametrize("wanted", ["../../etc/passwd", "", "0" * 16, "%", "x" * 9_000, "\0", "0000000000000001\n"])
def test_an_id_resolves_inside_the_store_alone(store: Screenshots, wanted: str) -> None:
    put(store, 1)

    with pytest.raises(Failed) as refused:
        store.row(wanted)

    assert "not_found" == refused.value.failure.code
    assert len(refused.value.failure.text) < 200


@pytest.mark.requirement("pictures-022")
def test_a_link_in_the_place_of_a_file_is_not_followed(store: Screenshots, tmp_path: Path) -> None:
    kept = put(store, 1)
    (tmp_path / "secret").write_bytes(png())
    Path(kept.path).unlink()
    Path(kept.path).symlink_to(tmp_path / "secret")

    with pytest.raises(Failed) as refused:
        store.read(kept)

    assert "store_failed" == refused.value.failure.code


@pytest.mark.requirement("pictures-025", "pictures-026")
def test_a_file_that_is_gone_or_changed_is_named_and_harms_no_other(store: Screenshots) -> None:
    gone, changed, whole = (put(store, number, png(colour)) for number, colour in enumerate(("red", "blue", "lime")))
    Path(gone.path).unlink()
    Path(changed.path).write_bytes(png("black"))

    codes = []
    for one in (gone, changed):
        with pytest.raises(Failed) as refused:
            store.read(one)
        codes.append(refused.value.failure.code)
    verified = store.verify(0, 100)
    put(store, 9, png("red"))  # the same picture again mends it

    assert ["not_found", "store_failed"] == codes
    assert (3, 0) == (verified.checked, verified.next)
    assert [Damage(gone.id, gone.path, "missing"), Damage(changed.id, changed.path, "changed")] == verified.damaged
    assert png("lime") == store.read(whole)
    assert png("red") == store.read(gone)


@pytest.mark.requirement("pictures-021")
def test_past_the_quota_the_oldest_go_first_and_a_pinned_one_stays(tmp_path: Path) -> None:
    size = len(png())
    store = opened(tmp_path / "few", quota_bytes=3 * size + size // 2)
    for number, colour in enumerate(("red", "blue", "lime")):
        put(store, number, png(colour))
    store.pin(f"{0:016x}", "baseline a", keep=True)
    put(store, 3, png("navy"))

    assert [3, 2, 0] == ids(store)
    assert 3 == len(files(store))
    for number in (2, 3):
        store.pin(f"{number:016x}", "annotation", keep=True)
    with pytest.raises(Failed) as refused:
        put(store, 4, png("pink"))
    assert ("store_failed", [3, 2, 0]) == (refused.value.failure.code, ids(store))
    assert 0 == store.pin(f"{2:016x}", "annotation", keep=False)
    put(store, 4, png("pink"))
    assert [4, 3, 0] == ids(store)


@pytest.mark.requirement("pictures-021")
def test_what_a_holder_no_longer_needs_is_released_and_neither_what_is_new_nor_of_another(store: Screenshots) -> None:
    for number, days in enumerate((2, 2, 0.5, 2)):
        put(store, number, png(), NOW - days * DAY_S)
        store.pin(f"{number:016x}", "annotation" if number == 3 else "baseline", keep=True)

    released = store.release("baseline", {f"{1:016x}"}, NOW)

    assert 1 == released
    assert [False, True, True, True] == [store.row(f"{number:016x}").pinned for number in range(4)]


@pytest.mark.requirement("pictures-021")
def test_what_is_past_the_age_limit_goes_also_with_room_left(store: Screenshots) -> None:
    for number, days in enumerate((38, 31, 29)):
        put(store, number, png(("red", "blue", "lime")[number]), NOW - days * DAY_S)
    store.pin(f"{1:016x}", "baseline", keep=True)

    removed, freed = store.prune(NOW)

    assert (1, len(png("red"))) == (removed, freed)
    assert [2, 1] == ids(store)


def test_pictures_of_one_file_free_its_bytes_only_together() -> None:
    kept = [retention.Kept(1, "a", 10, 1.0, pinned=False), retention.Kept(2, "a", 10, 2.0, pinned=True)]
    more = [*kept, retention.Kept(3, "b", 10, 3.0, pinned=False)]

    assert [] == retention.to_remove(more, 20, 0.0)
    assert [1, 3] == retention.to_remove(more, 10, 0.0)
    assert [1] == retention.to_remove(more, 20, 1.5)


def test_what_was_drawn_on_goes_after_all_that_was_not_and_before_a_store_is_closed() -> None:
    kept = [retention.Kept(seq, str(seq), 10, float(seq), pinned=False, drawn=seq < 3) for seq in range(1, 5)]

    assert [3] == retention.to_remove(kept, 30, 0.0)
    assert [3, 4, 1] == retention.to_remove(kept, 10, 0.0)


def test_what_a_killed_process_left_is_swept_and_what_another_writes_is_not(store: Screenshots) -> None:
    folder = Path(put(store, 1).path).parent
    old, new = folder / ".tmp-old", folder / ".tmp-new"
    for path in (old, new):
        path.write_bytes(b"half")

    os.utime(old, (1, 1))
    orphan = store._folder / "ab" / f"{'ab' * 32}.png"
    orphan.parent.mkdir(exist_ok=True)
    orphan.write_bytes(b"1234")

    store.close()
    store.ready()

    assert [False, True] == [old.exists(), new.exists()]
    assert (1, 4) == store.sweep_orphans()
    assert [1] == ids(store)


@pytest.mark.requirement("pictures-024")
def test_a_folder_that_cannot_be_written_is_named_and_works_again_when_it_can(store: Screenshots) -> None:
    kept = put(store, 1)
    for path in files(store):
        path.unlink()
        path.parent.rmdir()
        path.parent.write_bytes(b"in the way")

    with pytest.raises(Failed) as refused:
        put(store, 2)
    Path(kept.path).parent.unlink()

    assert "store_failed" == refused.value.failure.code
    assert {"file", "disk", "free_bytes"} == refused.value.failure.details.keys()
    assert [1] == ids(store)
    put(store, 2)
    assert [2, 1] == ids(store)


def test_a_list_goes_on_where_it_ended_and_by_a_part_of_the_address(store: Screenshots) -> None:
    for number in range(5):
        put(store, number)
    first = store.list(2, 0, "")
    second = store.list(2, first.next, "")

    assert [4, 3, 2, 1] == [int(one.id, 16) for one in (*first.screenshots, *second.screenshots)]
    assert (5, len(png())) == (first.count, first.size_bytes)
    assert 0 == store.list(2, second.next, "").next
    assert [] == store.list(9, 0, "elsewhere").screenshots


def test_a_damaged_index_is_replaced_and_the_files_stay(store: Screenshots) -> None:
    kept = put(store, 1)
    store.close()
    (store._folder / "index.sqlite").write_bytes(b"no database" * 1_000)

    store.ready()

    assert [] == ids(store)
    assert Path(kept.path).exists()


def test_what_is_visible_in_a_picture_is_kept_beside_it(store: Screenshots) -> None:
    rows = {"columns": ["selector"], "rows": [["#a"], ["#b"]]}
    store.put(f"{7:016x}", png(), Picture("u", "t", "viewport", 0, elements=rows), "pixels", NOW)

    assert rows == store.elements(f"{7:016x}")
    with sqlite3.connect(store._folder / "index.sqlite") as rows_:
        (packed,) = rows_.execute("SELECT length(elements) FROM screenshots").fetchone()
    rows_.close()
    assert 0 < packed < 200


def test_the_id_of_a_picture_is_no_number() -> None:
    ids = [id_of(str(number).encode()) for number in range(20_000)]

    assert not [one for one in ids if one.isdigit()]
    assert len(ids) == len(set(ids))
