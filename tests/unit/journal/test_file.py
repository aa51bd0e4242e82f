"""What the journal keeps: each chunk once, so many of each kind, in views, for a day, until it is cleared."""

import os
import sqlite3
from pathlib import Path

import pytest

from gasoline_broker.actor.store import Store
from gasoline_broker.errors import CannotStart, Damaged, Failed
from gasoline_workers.journal import audit, tables
from gasoline_workers.journal.limits import KEPT_S, RINGS, TIDY_EVERY_S
from gasoline_workers.journal.messages import Cleared, EventsStored, ReadErrors, ReadLogs, ReadWebSockets
from unit.journal.diary import NOW, PAGE, TAB, Diary, believed, dropped, error, line, ms, request, socket, state

ONE = ("1" * 32, TAB, 0, "5f3a9c01", PAGE, [line("a"), line("b")])
TWO = ("2" * 32, TAB, 0, "5f3a9c01", PAGE, [line("c")])


def texts(diary: Diary, since_seq: int = 0) -> list[str]:
    return [item["text"] for item in diary.all(ReadLogs(since_seq=since_seq))]


def test_a_chunk_that_comes_twice_is_stored_once(diary: Diary) -> None:
    first = diary.store(ONE)
    again = diary.store(ONE)

    assert (EventsStored(2, 2, 0), EventsStored(2, 0, 1)) == (first, again)
    assert ["b", "a"] == texts(diary)


def test_of_an_ask_that_comes_again_with_more_only_the_new_chunks_are_stored(diary: Diary) -> None:
    diary.store(ONE)

    assert EventsStored(3, 1, 2) == diary.store(ONE, TWO, TWO)
    assert ["c", "b", "a"] == texts(diary)


def test_the_next_life_knows_the_chunks_of_the_one_before(diary: Diary) -> None:
    diary.store(ONE)
    diary.restart()

    assert EventsStored(3, 1, 1) == diary.store(ONE, TWO)


def test_chunks_without_their_bodies_are_refused(diary: Diary) -> None:
    with pytest.raises(Failed, match="invalid_params"):
        diary.file.store([], [{}], NOW)


SIZES = {
    "network_body": 100, "console": 1_000, "error": 500, "network": 1_000, "resource": 1_000, "request": 200,
    "vital": 500, "timing": 500, "mark": 500, "performance": 100, "action": 1_000, "dropped": 1_000, "drawing": 500,
    "effect": 600, "audit": 10_000, "websocket": 200, "step": 1_000, "result": 2_000, "dialog": 200, "opened": 200,
}  # fmt: skip
"""How many events each ring keeps: in numbers, because a size that is compared with the table itself may be any."""


@pytest.mark.requirement("capture-030")
@pytest.mark.parametrize("ring", SIZES)
@pytest.mark.requirement("002-082", "mutate-001")
def test_each_ring_keeps_so_many_and_loses_the_oldest(diary: Diary, ring: str) -> None:
    kind = {"type": "timing", "entry": "mark"} if ring == "mark" else {"type": ring}
    own = {"event": "message", "id": "c"} if ring == "websocket" else {}
    tab = 0 if ring in {"audit", "drawing", "effect", "opened"} else TAB

    end = diary.tell(*({**kind, **own, "ts": ms()} for _ in range(SIZES[ring] + 3)), tab=tab)

    assert SIZES[ring] == diary.kept(ring)
    assert [(ring, 3)] == diary.file.rows.execute("SELECT ring, seq FROM evicted").fetchall()
    assert SIZES[ring] + 3 == end


def test_every_ring_has_its_size_in_the_test_above() -> None:
    assert RINGS.keys() == SIZES.keys()


@pytest.mark.requirement("002-059")
def test_two_hundred_events_of_websockets_are_kept_apart_from_the_rest(diary: Diary) -> None:
    diary.tell(*(line(str(number)) for number in range(300)))
    diary.tell(*(socket("message", data=str(number)) for number in range(205)))

    items = diary.items(ReadWebSockets(limit=1_000))
    assert ["204", "5"] == [items[0]["data"], items[-1]["data"]]
    assert 200 == len(items)
    assert 300 == diary.kept("console")


@pytest.mark.requirement("capture-031")
@pytest.mark.requirement("002-057")
def test_of_twenty_one_connections_the_one_silent_for_longest_goes_with_all_its_events(diary: Diary) -> None:
    diary.tell(*(socket("open", str(number)) for number in range(20)))
    diary.tell(socket("message", "0", data="late"))
    diary.tell(socket("open", "another"))

    read = diary.read(ReadWebSockets(limit=1_000))
    kept = ["another", "0", *(str(number) for number in reversed(range(2, 20))), "0"]
    assert kept == [one["id"] for one in read.items]
    assert 2 == read.evicted_seq


def test_a_closed_connection_goes_before_an_open_one(diary: Diary) -> None:
    diary.tell(*(socket("open", str(number)) for number in range(20)), socket("close", "7"))
    diary.tell(socket("open", "another"))

    ids = {one["id"] for one in diary.items(ReadWebSockets(limit=1_000))}
    assert ("7" not in ids, "0" in ids, "another" in ids) == (True, True, True)


def test_of_twenty_one_connections_that_speak_in_turn_twenty_keep_their_events(diary: Diary) -> None:
    for number in range(21):
        diary.tell(socket("open", str(number)))
    for number in range(420):
        diary.tell(socket("message", str(number % 21)))

    items = diary.items(ReadWebSockets(limit=1_000))
    assert len(items) > 190
    assert 20 == len({item["id"] for item in items})


def test_a_connection_that_went_comes_back_for_one_that_is_silent(diary: Diary) -> None:
    for number in range(21):
        diary.tell(socket("open", str(number)))
    for _ in range(2):
        diary.tell(socket("message", "0"))

    ids = {item["id"] for item in diary.items(ReadWebSockets(limit=1_000))}
    assert ("0" in ids, "1" in ids) == (True, False)


def test_marks_and_other_timing_have_rings_of_their_own(diary: Diary) -> None:
    entry = {"type": "timing", "name": "a", "start": 1, "duration": 1}

    diary.tell(*(entry | {"entry": "longtask"} for _ in range(600)), entry | {"entry": "mark"})

    assert (500, 1) == (diary.kept("timing"), diary.kept("mark"))


def test_what_a_ring_has_lost_is_reported_to_a_reader_from_before_it(diary: Diary) -> None:
    end = diary.tell(*(line(str(number)) for number in range(1_003)))

    assert 3 == diary.read(ReadLogs()).evicted_seq
    assert 3 == diary.read(ReadLogs(since_seq=2)).evicted_seq
    assert 0 == diary.read(ReadLogs(since_seq=3)).evicted_seq
    assert 0 == diary.read(ReadErrors()).evicted_seq
    assert 1_003 == end


def test_what_was_not_captured_is_summed_for_the_mode_the_window_and_the_tab(diary: Diary) -> None:
    before = diary.tell(dropped("console", 5))
    diary.tell(dropped("console", 7), dropped("console", 1, "space"), dropped("network", 2))
    diary.tell(dropped("console", 100), tab=99)

    assert {"console": 113} == diary.read(ReadLogs(all_tabs=True)).dropped
    assert {"console": 13} == diary.read(ReadLogs(tab_id=TAB)).dropped
    assert {"console": 8} == diary.read(ReadLogs(tab_id=TAB, since_seq=before)).dropped
    assert {} == diary.read(ReadErrors()).dropped


def test_a_journal_that_is_started_again_continues_with_the_view(diary: Diary) -> None:
    diary.tell(line("a"), state(front=TAB))
    diary.restart("first")

    assert ["a"] == texts(diary)
    assert believed(state(front=TAB)) == diary.file.state


@pytest.mark.requirement("capture-034")
@pytest.mark.parametrize("system_id", ["second", ""])
def test_a_new_system_begins_a_new_view_and_the_earlier_one_is_behind_it(diary: Diary, system_id: str) -> None:
    first = diary.tell(line("a"), line("b"), state(front=TAB))
    diary.restart(system_id)
    diary.tell(line("c"))

    assert ["c"] == texts(diary)
    assert ["c", "b"] == texts(diary, since_seq=first - 1)
    assert diary.file.state is None


def test_another_runner_of_the_processes_begins_a_view_at_each_start(diary: Diary) -> None:
    diary.restart("")
    diary.tell(line("a"))
    diary.restart("")

    assert [] == texts(diary)


def test_a_ring_counts_within_the_view(diary: Diary) -> None:
    diary.tell(*(line(str(number)) for number in range(1_000)))
    diary.restart("second")
    diary.tell(line("new"))

    assert 1_001 == diary.kept("console")
    assert 0 == diary.read(ReadLogs()).evicted_seq


@pytest.mark.requirement("capture-034")
def test_what_is_a_day_old_is_forgotten(diary: Diary) -> None:
    diary.tell(line("old"))
    diary.now += KEPT_S / 2
    diary.tell(line("young"))
    diary.now += KEPT_S / 2 + 1
    diary.tell(line("new"))
    diary.file.tidy(diary.now + TIDY_EVERY_S)

    assert ["new", "young"] == texts(diary)
    assert 1 == diary.read(ReadLogs()).evicted_seq


def test_what_is_a_day_old_is_forgotten_at_the_start(diary: Diary) -> None:
    diary.tell(line("old"))
    diary.now += 86_401
    diary.tell(line("new"))
    diary.restart()

    assert ["new"] == texts(diary)


def test_what_is_nearly_a_day_old_is_kept(diary: Diary) -> None:
    diary.tell(line("old"))
    diary.now += 86_399
    diary.tell(line("new"))
    diary.restart()

    assert ["new", "old"] == texts(diary)


def test_a_clock_that_jumps_ahead_costs_nothing_until_events_come_at_the_new_time(diary: Diary) -> None:
    diary.tell(line("a"))
    diary.now += 2 * KEPT_S
    diary.restart()
    before = texts(diary)
    diary.now -= 2 * KEPT_S
    diary.tell(line("b"))
    diary.file.tidy(diary.now + TIDY_EVERY_S)

    assert (["a"], ["b", "a"]) == (before, texts(diary))


def test_what_a_clear_has_lost_is_reported_to_a_reader_from_before_it(diary: Diary) -> None:
    diary.tell(line("a"), line("b"), error("c"))
    diary.clear()

    assert 2 == diary.read(ReadLogs(since_seq=1)).evicted_seq
    assert 3 == diary.read(ReadErrors(since_seq=1)).evicted_seq
    assert 0 == diary.read(ReadLogs(since_seq=2)).evicted_seq


def test_what_was_lost_since_the_first_page_is_reported_with_the_next(diary: Diary) -> None:
    diary.tell(*(line(str(number)) for number in range(1_000)))
    first = diary.read(ReadLogs(limit=10))
    diary.tell(*(line(str(number)) for number in range(5)))

    page = ReadLogs(limit=10, resumed=True, since_seq=first.since, before=first.items[-1]["seq"], upto=first.upto)
    assert (0, 5) == (first.evicted_seq, diary.read(page).evicted_seq)


def test_a_read_writes_nothing(diary: Diary) -> None:
    diary.tell(line("a"))
    other = sqlite3.connect(diary.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    diary.now += 2 * KEPT_S

    assert ["a"] == texts(diary)
    other.close()


def test_a_file_that_is_locked_is_not_called_unwritten_by_a_read_nor_tidied(diary: Diary) -> None:
    diary.tell(line("a"))
    diary.file.rows.execute("PRAGMA busy_timeout = 1")
    other = sqlite3.connect(diary.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    later = NOW + 2 * TIDY_EVERY_S

    with pytest.raises(Failed, match=r"Nothing was stored: journal\.sqlite"):
        diary.file.tidy(later)
    with pytest.raises(Failed, match="cannot be used just now"), diary.file.reading() as rows:
        rows.execute("SELECT * FROM nothing")
    with pytest.raises(Failed, match="Nothing was stored"):
        diary.file.tidy(later)
    other.close()


def test_three_rings_of_each_kind_are_kept_of_all_views_together(diary: Diary) -> None:
    for view in range(5):
        diary.restart(f"view {view}")
        diary.tell(*(line(f"{view}.{number}") for number in range(1_000)))

    assert 3_000 == diary.kept("console")
    assert 1_000 == diary.read(ReadLogs()).total


def test_a_new_file_gives_room_back_to_the_disk(diary: Diary) -> None:
    assert (2,) == diary.file.rows.execute("PRAGMA auto_vacuum").fetchone()
    diary.tell(*(line(str(number), padding="x" * 5_000) for number in range(500)))
    (pages,) = diary.file.rows.execute("PRAGMA page_count").fetchone()

    diary.now += KEPT_S + 1
    diary.tell(line("new"))
    diary.file.tidy(diary.now + TIDY_EVERY_S)

    (fewer,) = diary.file.rows.execute("PRAGMA page_count").fetchone()
    assert fewer < pages / 2


@pytest.mark.parametrize("count", [True, 0, -5, 1e9, "7", None, 1_000_001])
def test_what_is_no_count_is_not_summed(diary: Diary, count: object) -> None:
    end = diary.tell(dropped("console", 1_000_000), dropped("console", 5))
    diary.tell(dropped("console", 1) | {"count": count})

    assert {"console": 1_000_005} == diary.read(ReadLogs()).dropped
    assert {} == diary.read(ReadLogs(since_seq=end)).dropped


@pytest.mark.requirement("capture-035")
def test_after_a_clear_nothing_is_on_the_disk_and_positions_go_on(diary: Diary, tmp_path: Path) -> None:
    diary.tell(*(line(f"planted {number}", padding="planted" * 1_000) for number in range(1_100)))
    end = diary.tell(error("planted"), request("http://planted/"), socket("message", data="planted"))
    assert any(b"planted" in path.read_bytes() for path in tmp_path.iterdir())

    answer = diary.clear()

    assert Cleared(1_003, end) == answer.read(Cleared)
    assert not [path for path in tmp_path.iterdir() if b"planted" in path.read_bytes()]
    assert [] == texts(diary, since_seq=1)
    assert end + 1 == diary.tell(line("new"))


def test_a_clear_that_comes_twice_is_done_once(diary: Diary) -> None:
    diary.tell(line("old"))
    first = diary.clear()
    diary.tell(line("new"))

    assert first == diary.clear()
    assert ["new"] == texts(diary)


def test_a_chunk_that_comes_again_after_a_clear_stays_forgotten(diary: Diary) -> None:
    diary.store(ONE)
    diary.clear()

    assert EventsStored(2, 0, 1) == diary.store(ONE)


def test_its_file_is_closed_to_others(diary: Diary) -> None:
    assert 0o600 == diary.path.stat().st_mode & 0o777


def test_a_file_of_a_newer_version_is_reported_at_the_start(tmp_path: Path) -> None:
    newer = Store(tmp_path / "journal.sqlite", "", version=tables.VERSION + 1)
    newer.open()
    newer.close()

    with pytest.raises(CannotStart, match="was written by a newer Gasoline"):
        Diary(tmp_path)


DAMAGES = [b"\xff" * 100_000, b"SQLite format 3\0" + b"\xa5" * 50_000, b"nonsense"]


@pytest.mark.parametrize("content", DAMAGES, ids=["noise", "header", "short"])
def test_a_file_that_is_none_is_set_aside_at_the_start(tmp_path: Path, content: bytes) -> None:
    for _ in range(2):
        (tmp_path / "journal.sqlite").write_bytes(content)
        (tmp_path / "journal.sqlite-wal").write_bytes(b"noise")
        diary = Diary(tmp_path)
        diary.tell(line("a"))

        assert ["a"] == texts(diary)
        diary.file.close()
        for path in tmp_path.glob("journal.sqlite-*"):
            path.unlink()

    assert [content] == [path.read_bytes() for path in tmp_path.glob("*.broken-*") if path.suffix[-1].isdigit()]


def damage(diary: Diary) -> int:
    """Fill the file with events, and then with noise, but for its first pages; give the last position it gave."""
    end = diary.tell(*(line(str(number), padding="x" * 500) for number in range(900)), state(tracked=TAB))
    diary.file.rows.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    size = diary.path.stat().st_size
    with diary.path.open("r+b") as file:
        file.seek(8_192)
        file.write(os.urandom(size - 8_192))
    diary.file.rows.execute("PRAGMA shrink_memory")
    return end


def test_after_a_damage_in_use_the_journal_continues_behind_every_position_it_gave(diary: Diary) -> None:
    end = damage(diary)

    with pytest.raises(Damaged):
        diary.tell(line("lost"))
    diary.file.renew("first", NOW)

    assert diary.tell(line("new")) > end
    assert ["new"] == texts(diary, since_seq=end)
    assert diary.read(ReadLogs(since_seq=end)).evicted_seq > end


@pytest.mark.parametrize("later_s", [1.0, 0.0, -3_600.0], ids=["later", "at once", "after the clock was set back"])
@pytest.mark.parametrize("restarted", [False, True])
def test_after_a_second_damage_it_does_so_too(diary: Diary, later_s: float, *, restarted: bool) -> None:
    damage(diary)
    diary.file.renew("first", diary.now)
    diary.tell(line("between"))
    if restarted:
        diary.restart()
    end = damage(diary)
    diary.now += later_s

    diary.file.renew("first", diary.now)

    assert diary.tell(line("new")) > end
    assert ["new"] == texts(diary, since_seq=end)
    assert diary.read(ReadLogs(since_seq=end)).evicted_seq > end


def test_a_second_damage_that_is_found_at_the_start_is_gone_behind_too(diary: Diary) -> None:
    ends = []
    for word in ("a", "b", "c"):
        ends.append(diary.tell(line(word)))
        diary.file.close()
        diary.path.write_bytes(DAMAGES[0])
        diary.now += 1
        diary.restart()

    assert diary.tell(line("new")) > ends[2] > ends[1] > ends[0]
    assert ["new"] == texts(diary, since_seq=ends[2])
    assert diary.read(ReadLogs(since_seq=ends[2])).evicted_seq > ends[2]


def test_a_log_that_was_cut_off_costs_its_end_alone(diary: Diary) -> None:
    diary.tell(line("a"))
    log = diary.path.with_name("journal.sqlite-wal")
    content = log.read_bytes()
    diary.file.close()
    log.write_bytes(content[: len(content) // 2])
    diary.restart()

    diary.tell(line("b"))
    assert "b" in texts(diary)


def audited(number: int, **more: object) -> dict[str, object]:
    told = {"client": "claude-code", "client_id": "00112233", "action": "execute", "tab": TAB}
    return {"type": "audit", "ts": ms(number)} | told | {"outcome": f"outcome {number}", "took_ms": 14} | more


def outcomes(diary: Diary) -> list[str]:
    return [call.outcome for call in audit.read(diary.file.rows, 50).calls]


def test_the_audit_trail_is_read_newest_first_with_client_action_place_and_outcome(diary: Diary) -> None:
    diary.tell(audited(1), audited(2, origin="http://localhost:3000"), tab=0)

    read = audit.read(diary.file.rows, 1)

    (call,) = read.calls
    assert (2, "outcome 2") == (read.total, call.outcome)
    assert ("claude-code", "00112233", "execute", TAB) == (call.client, call.client_id, call.action, call.tab)
    assert ("2025-11-21T16:20:02.000Z", "http://localhost:3000", 14) == (call.ts, call.origin, call.took_ms)


def test_a_call_that_arrives_late_stands_where_it_began(diary: Diary) -> None:
    diary.tell(audited(1), audited(3), tab=0)
    diary.tell(audited(2), tab=0)

    assert ["outcome 3", "outcome 2", "outcome 1"] == outcomes(diary)


def test_a_page_cannot_write_an_audit(diary: Diary) -> None:
    diary.tell(audited(1))

    assert [] == outcomes(diary)


def test_the_audit_trail_outlives_a_clear_a_day_and_the_system(diary: Diary) -> None:
    diary.tell(audited(1), tab=0)
    diary.tell(line("a"))
    cleared = diary.clear().read(Cleared)
    diary.now += KEPT_S + 2 * TIDY_EVERY_S
    diary.tell(line("b"))
    diary.now += TIDY_EVERY_S + 1
    diary.restart("second")

    assert (1, ["outcome 1"]) == (cleared.count, outcomes(diary))


def test_the_audit_trail_keeps_its_last_calls(diary: Diary) -> None:
    diary.tell(*(audited(number) for number in range(RINGS["audit"].size + 5)), tab=0)

    assert RINGS["audit"].size == diary.kept("audit")
    assert f"outcome {RINGS['audit'].size + 4}" == outcomes(diary)[0]
