"""A job is known from before its caller learns of it until 10 minutes after its end."""

import pytest

from gasoline_broker.actor.wire import pack
from gasoline_broker.errors import Failed
from gasoline_workers.journal import jobs
from gasoline_workers.journal.messages import BeginJob, JobRead
from unit.journal.diary import NOW, Diary

REQUEST = {"action": "audit", "scope": "accessibility"}
OUTCOME = {"reply": {"status": "success"}}


def begin(diary: Diary, job: str = "a", now: float = NOW) -> None:
    with diary.file.writing() as rows:
        jobs.begin(rows, BeginJob(job, REQUEST), now)


def end(diary: Diary, job: str = "a", now: float = NOW) -> None:
    with diary.file.writing() as rows:
        jobs.end(rows, job, pack(OUTCOME), now)


def read(diary: Diary, job: str = "a", now: float = NOW) -> JobRead:
    return jobs.read(diary.file.rows, job, now)


@pytest.mark.requirement("analyze-009", "000-073", "000-125")
def test_a_job_is_read_as_begun_then_with_its_outcome_by_the_next_life_too(diary: Diary) -> None:
    begin(diary)
    begun = read(diary)
    end(diary)
    diary.restart()

    assert (JobRead(REQUEST, None), JobRead(REQUEST, OUTCOME)) == (begun, read(diary))


def test_what_comes_twice_changes_nothing(diary: Diary) -> None:
    begin(diary)
    end(diary)
    begin(diary)
    end(diary)

    assert JobRead(REQUEST, OUTCOME) == read(diary)


@pytest.mark.requirement("analyze-009")
def test_an_outcome_is_kept_for_10_minutes_after_its_end(diary: Diary) -> None:
    begin(diary)
    end(diary, now=NOW + 500)

    assert OUTCOME == read(diary, now=NOW + 500 + 600).outcome
    with pytest.raises(Failed) as late:
        read(diary, now=NOW + 500 + 601)
    with pytest.raises(Failed) as unknown:
        read(diary, "b")
    assert {"not_found"} == {late.value.failure.code, unknown.value.failure.code}


def test_old_jobs_and_too_many_are_forgotten(diary: Diary) -> None:
    begin(diary, "old", NOW - 601)
    for number in range(jobs.JOBS + 5):
        begin(diary, f"{number}", NOW + number / 1_000)

    (count,) = diary.file.rows.execute("SELECT count(*) FROM jobs").fetchone()
    assert jobs.JOBS == count
    assert JobRead(REQUEST, None) == read(diary, f"{jobs.JOBS + 4}")


def test_a_clear_forgets_what_pages_said_to_jobs_and_a_late_outcome_too(diary: Diary) -> None:
    begin(diary)
    diary.clear()
    end(diary)

    with pytest.raises(Failed):
        read(diary)
