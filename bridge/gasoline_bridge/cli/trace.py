"""What `gasoline trace` shows: the calls that the broker remembers, and one call's way."""

import itertools

import msgspec

from gasoline_bridge.cli.query import ask
from gasoline_bridge.cli.tables import duration, ms, table
from gasoline_broker.errors import fail
from gasoline_broker.messages import Call, CallsRead, ReadCalls
from gasoline_broker.settings import Settings

LIMIT = 20
BEGINNING = 12  # characters of a trace id: enough to be unique among those that are remembered


def read(settings: Settings, trace: str) -> list[Call]:
    """Ask for the calls with a trace that begins so; for the last calls without one.

    Raises:
        NotRunning: there is no system.
        Failed: no call is remembered that begins so, or several are.

    """
    read: CallsRead = ask(settings, "broker", ReadCalls(trace.lower(), LIMIT), CallsRead, ttl_s=2.0)
    traces = list(dict.fromkeys(call.trace for call in read.calls))
    if trace and not traces:
        text = f"No call is remembered whose trace begins with {trace}."
        fail("not_found", text, "`gasoline trace` shows the last calls.")
    if trace and len(traces) > 1:
        found = ", ".join(one[: len(trace) + BEGINNING] for one in traces)
        fail("ambiguous", f"Several traces begin with {trace}: {found}.", "Give more of it.")
    return read.calls


def as_json(calls: list[Call]) -> str:
    """Give the calls as one JSON array."""
    return msgspec.json.encode(calls).decode()


def as_lines(calls: list[Call]) -> str:
    """Give each call as one line, the newest first."""
    if not calls:
        return "No call has ended yet."
    rows = [
        (call.trace[:BEGINNING], call.asker, _way(call), call.outcome, ms(call.took_ms), duration(call.age_s))
        for call in calls
    ]
    return "\n".join(table(("trace", "asked by", "way", "outcome", "took ms", "ago"), rows, left=4))


def _way(call: Call) -> str:
    """Name the services that it came to, each once even if several processes had it."""
    return " > ".join(service for service, _ in itertools.groupby(hop.service for hop in call.hops)) or "-"


def as_ways(calls: list[Call]) -> str:
    """Give each call's way, hop by hop, with times in milliseconds."""
    return "\n\n".join("\n".join(_hops(call)) for call in calls)


def _hops(call: Call) -> list[str]:
    first = f"{call.trace}  {call.outcome} after {ms(call.took_ms)} ms, {duration(call.age_s)} ago"
    asker = f"asked by {call.asker}" + (f" in session {call.session}" if call.session else "")
    rows = [
        (hop.service, hop.outcome, hop.pid or "-", hop.attempt, ms(hop.at_ms), ms(hop.waited_ms), ms(hop.worked_ms))
        for hop in call.hops
    ]
    head = ("hop", "outcome", "pid", "attempt", "at ms", "waited ms", "worked ms")
    return [first, asker, *table(head, rows, left=2)]
