"""The jobs that run after their call was answered: what was asked for, and what came of it, for 10 minutes.

That a job has begun is known before its caller learns its id, and its outcome as soon as there is one. So both outlive
every process; a job that was begun and has no outcome may still run, or was lost with its front, which runs it again.
"""

import sqlite3

import msgspec

from gasoline_broker.actor.wire import pack
from gasoline_broker.errors import fail
from gasoline_workers.journal.messages import BeginJob, JobKept, JobRead

KEPT_S = 600.0  # SPEC, Settled contradictions 11: "A result stays fetchable for 10 minutes"
JOBS = 200  # more are no work of one user's; the oldest go
UNKNOWN = "A result is kept for 10 minutes: call analyze again."


def begin(rows: sqlite3.Connection, job: BeginJob, now: float) -> JobKept:
    """Note that a job has begun; a second time that changes nothing."""
    rows.execute("DELETE FROM jobs WHERE kept < ?", (now - KEPT_S,))
    insert = "INSERT OR IGNORE INTO jobs (id, kept, request, outcome) VALUES (?, ?, ?, NULL)"
    rows.execute(insert, (job.id, now, pack(job.request)))
    rows.execute("DELETE FROM jobs WHERE id NOT IN (SELECT id FROM jobs ORDER BY kept DESC LIMIT ?)", (JOBS,))
    return JobKept()


def end(rows: sqlite3.Connection, job: str, outcome: bytes, now: float) -> JobKept:
    """Keep the outcome of a job, from now on for its time; of one that was cleared meanwhile, nothing."""
    rows.execute("UPDATE jobs SET outcome = ?, kept = ? WHERE id = ?", (outcome, now, job))
    return JobKept()


def read(rows: sqlite3.Connection, job: str, now: float) -> JobRead:
    """Return what was asked for and, if it has ended, what came of it.

    Raises:
        Failed: `not_found`.

    """
    wanted = "SELECT request, outcome FROM jobs WHERE id = ? AND kept >= ?"
    found = rows.execute(wanted, (job, now - KEPT_S)).fetchone()
    if found is None:
        fail("not_found", f"No result {job[:40]!r} is known.", UNKNOWN, parameter="correlation_id")
    request, outcome = found
    return JobRead(msgspec.msgpack.decode(request), None if outcome is None else msgspec.msgpack.decode(outcome))


def forget(rows: sqlite3.Connection) -> None:
    """Forget every job: its outcome holds what pages said."""
    rows.execute("DELETE FROM jobs")
