"""What `gasoline audit` shows: the calls that acted on a page, or were refused."""

import datetime as dt

import msgspec

from gasoline_bridge.cli.query import ask
from gasoline_bridge.cli.tables import ms, table
from gasoline_broker.settings import Settings
from gasoline_workers.journal.messages import Audited, AuditRead, ReadAudit

ASK_S = 5.0
OUTCOMES = {"failed": "script failed"}


def read(settings: Settings, limit: int) -> AuditRead:
    """Ask for the last calls.

    Raises:
        NotRunning: there is no system.
        Failed: the journal cannot be read.

    """
    read: AuditRead = ask(settings, "journal", ReadAudit(limit), AuditRead, ttl_s=ASK_S)
    return read


def as_json(read: AuditRead) -> str:
    """Give the calls as one JSON array."""
    return msgspec.json.encode(read.calls).decode()


def as_lines(read: AuditRead) -> str:
    """Give each call as one line, the newest first, in this machine's time."""
    if not read.calls:
        return "No assistant has acted yet."
    head = ("when", "who", "id", "what", "tab", "page of", "outcome", "took ms")
    lines = table(head, map(_row, read.calls), left=7)
    more = read.total - len(read.calls)
    return "\n".join([*lines, *([f"{more} more: gasoline audit --limit {read.total}"] if more else [])])


def _row(call: Audited) -> tuple[str, ...]:
    when = dt.datetime.fromisoformat(call.ts).astimezone().strftime("%Y-%m-%d %H:%M:%S")
    where = (str(call.tab or "-"), call.origin or "-")
    outcome = OUTCOMES.get(call.outcome, call.outcome)
    return when, call.client or "-", call.client_id, call.action, *where, outcome, ms(call.took_ms)
