"""The words in which the broker itself fails an ask. Each says what happened and what to do next."""

from collections.abc import Sequence

from gasoline_broker.errors import Failure
from gasoline_broker.hub import labels


def absent(service: str) -> Failure:
    """Say that no process of the service is there."""
    text = f"No {service} process is running, and nothing is answered without one."
    return Failure(_gone(service), text, "Run `gasoline status` to see what is missing and `gasoline up` to start it.")


def unredacted(where: str) -> Failure:
    """Say that page data would have gone somewhere without having been redacted."""
    text = f"Refused: page data that was not redacted would have gone to {where}."
    return Failure("redaction_unavailable", text, "This is a fault of Gasoline's: report it with `gasoline doctor`.")


def overloaded(why: str, wait_s: float = 0.0) -> Failure:
    """Say that it cannot be served now; `wait_s`: when it may be worth to ask again."""
    details = {"retry_after_ms": max(1, round(wait_s * 1000))} if wait_s else {}
    return Failure("overloaded", why, "Wait a moment, then call again.", details)


def malformed(stops: int) -> Failure:
    """Say that it is no ask."""
    text = f"An ask has an id of its own, 1 to {stops} stops, a day or less to live and short names; this one does not."
    return Failure("invalid_params", text)


def died(service: str, attempts: int) -> Failure:
    """Say that every process that worked on it died."""
    times = f"died {attempts} times" if attempts > 1 else "died"
    text = f"The {service} process {times} while working on this call."
    recovery = "`gasoline status` shows the processes, and `gasoline doctor` what is wrong."
    return Failure(_gone(service), text, recovery, {"died": attempts})


def unknown(service: str) -> Failure:
    """Say that a command may have been done, or not."""
    text = f"The {service} process was lost while working on this call."
    return Failure("outcome_unknown", text, "Look at the page before you do it again: it may have happened.")


def late(service: str, ttl_ms: int, *, given: bool) -> Failure:
    """Say that its time is up."""
    doing = "work on this call" if given else "take this call"
    text = f"The {service} process did not {doing} within its {ttl_ms} ms."
    return Failure("deadline_exceeded", text, "Call again; `gasoline status` shows what is busy.")


def places(service: str, held: int) -> Failure:
    """Say that the service has no place left for this session."""
    return overloaded(f"{held} asks wait for {service} already, too many of them this session's.")


def window(bound: int) -> Failure:
    """Say that the asker has too many open asks."""
    return overloaded(f"Too many asks of this session are open already ({bound} places are shared by all sessions).")


def heavy(bound_bytes: int) -> Failure:
    """Say that the asker's open asks are too large, together."""
    return overloaded(f"The open asks of this process have more than {bound_bytes >> 20} MB.")


def unread(bound_bytes: int) -> Failure:
    """Say that the asker does not read what it is answered."""
    return overloaded(f"{bound_bytes >> 20} MB of answers to this process are unread.")


def slow(services: Sequence[str], wait_s: float, ttl_ms: int) -> Failure:
    """Say that it would not be served in time."""
    names = " and ".join(services)
    text = f"{names} would take about {wait_s:.1f} s to come to this call, which has {ttl_ms / 1000:g} s."
    return overloaded(text, wait_s)


def _gone(service: str) -> str:
    return "redaction_unavailable" if labels.cleans(service) else "worker_unavailable"
