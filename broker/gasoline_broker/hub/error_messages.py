"""The failures that the broker itself answers: each text states what happened and what to do next."""

from collections.abc import Sequence

from gasoline_broker.errors import Failure
from gasoline_broker.hub import labels


def no_process(service: str) -> Failure:
    """Return the failure for a service without a process."""
    text = f"No {service} process is running; this call needs one."
    return Failure(_code(service), text, "Run `gasoline status` to see what is missing and `gasoline up` to start it.")


def unredacted(destination: str) -> Failure:
    """Return the failure for unredacted page data on its way to `destination`."""
    text = f"Refused: page data that was not redacted would have gone to {destination}."
    return Failure("redaction_unavailable", text, "This is a fault of Gasoline's: report it with `gasoline doctor`.")


def overloaded(text: str, wait_s: float = 0.0) -> Failure:
    """Return the failure for too many asks; `wait_s`: when a new try may succeed."""
    details = {"retry_after_ms": max(1, round(wait_s * 1000))} if wait_s else {}
    return Failure("overloaded", text, "Wait a moment, then call again.", details)


def malformed_ask(stops: int) -> Failure:
    """Return the failure for an envelope that is no valid ask."""
    text = f"An ask needs an id of its own, 1 to {stops} stops, at most a day to live and short names."
    return Failure("invalid_params", text)


def process_died(service: str, attempts: int) -> Failure:
    """Return the failure for an ask whose every worker died."""
    times = f"died {attempts} times" if attempts > 1 else "died"
    text = f"The {service} process {times} while working on this call."
    recovery = "`gasoline status` shows the processes, and `gasoline doctor` what is wrong."
    return Failure(_code(service), text, recovery, {"died": attempts})


def outcome_unknown(service: str) -> Failure:
    """Return the failure for a command that may have been executed, or not."""
    text = f"The {service} process was lost while working on this call."
    return Failure("outcome_unknown", text, "Look at the page before you do it again: it may have happened.")


def deadline_exceeded(service: str, ttl_ms: int, *, assigned: bool) -> Failure:
    """Return the failure for an ask whose time is up; `assigned`: a process worked on it."""
    verb = "finish" if assigned else "begin"
    text = f"The {service} process did not {verb} this call within its {ttl_ms} ms."
    return Failure("deadline_exceeded", text, "Call again; `gasoline status` shows what is busy.")


def after_act(failure: Failure, *, done: bool) -> Failure:
    """Return a failure of an ask whose act may have been done; `done`: it was, and its answer went no further.

    Its own advice would be to call again.
    """
    advice = "It was done: do not repeat it" if done else "It may have been done: look at the page before you repeat it"
    details = failure.details | {"done": True} if done else failure.details
    return Failure(failure.code, failure.text, f"{advice}. `gasoline status` shows what is wrong.", details)


def queue_full(service: str, waiting: int) -> Failure:
    """Return the failure for a service without a place for this session."""
    return overloaded(f"{waiting} asks wait for {service} already, too many of them this session's.")


def too_many_open_asks(limit: int) -> Failure:
    """Return the failure for an asker with too many open asks."""
    return overloaded(f"Too many asks of this session are open already ({limit} places are shared by all sessions).")


def open_asks_too_large(limit_bytes: int) -> Failure:
    """Return the failure for an asker whose open asks are too large together."""
    return overloaded(f"The open asks of this process have more than {limit_bytes >> 20} MB.")


def unread_answers(limit_bytes: int) -> Failure:
    """Return the failure for an asker that does not read its answers."""
    return overloaded(f"{limit_bytes >> 20} MB of answers to this process are unread.")


def too_slow(services: Sequence[str], wait_s: float, ttl_ms: int) -> Failure:
    """Return the failure for an ask that would not be served in time."""
    names = " and ".join(services)
    text = f"Estimated wait for {names} is {wait_s:.1f} s; the call has {ttl_ms / 1000:g} s."
    return overloaded(text, wait_s)


def _code(service: str) -> str:
    return "redaction_unavailable" if labels.cleans(service) else "worker_unavailable"
