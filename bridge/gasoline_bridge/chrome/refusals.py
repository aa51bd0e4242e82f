"""The words in which the HTTP doors refuse a caller that the guard has let in; pure. Each says what is valid."""

from collections.abc import Callable, Sequence
from http import HTTPStatus

from gasoline_broker.errors import Failure

DOORS = "docs/design.md, The link to Chrome, names the doors."


def kind(valid: Sequence[str]) -> Failure:
    """Say which types of body there are."""
    recovery = f"Send the body as {valid[0]}, and say so in Content-Type."
    return Failure("invalid_params", f"A body here is {' or '.join(valid)}.", recovery, {"valid": [*valid]})


def size(limit_bytes: int) -> Failure:
    """Say how large a body may be."""
    text = f"A body has at most {limit_bytes >> 20} MB."
    return Failure("payload_too_large", text, "Send it in several parts.", {"limit_bytes": limit_bytes})


def body(why: str) -> Failure:
    """Say what is wrong with a body."""
    return Failure("invalid_params", f"The body is not what this door takes: {why}.", "Send it again, corrected.")


def wait(longest_s: float) -> Failure:
    """Say how long may be waited for an answer."""
    text = f"`wait` is a number of seconds from 0 to {longest_s:g}."
    return Failure("invalid_params", text, "Wait less, and ask again.", {"parameter": "wait", "max": longest_s})


def unknown(what: str) -> Failure:
    """Say that nothing of this id is here."""
    text = f"No {what} of this id waits here: it never did, it was answered, or its time is up."
    return Failure("not_found", text, "Ask anew for another.")


def full(limit: int) -> Failure:
    """Say that no more queries are taken."""
    text = f"{limit} queries wait already to be fetched."
    return Failure("overloaded", text, "Fetch their results, or wait a minute; then post again.", {"limit": limit})


def unopened() -> Failure:
    """Say that this door takes WebSockets alone."""
    return Failure("invalid_params", "This door takes a WebSocket alone.", "Ask with `Upgrade: websocket`.")


def by_status(status: int, limit_bytes: int) -> Failure:
    """Give the words for what aiohttp refuses by itself."""
    return OF_AIOHTTP.get(status, _otherwise)(status, limit_bytes)


def _otherwise(status: int, _limit_bytes: int) -> Failure:
    return Failure("invalid_params", f"The request is refused: {HTTPStatus(status).phrase}.", DOORS)


OF_AIOHTTP: dict[int, Callable[[int, int], Failure]] = {
    404: lambda _status, _limit: Failure("not_found", "There is no such door.", DOORS),
    405: lambda _status, _limit: Failure("invalid_params", "This door does not take this method.", DOORS),
    413: lambda _status, limit_bytes: size(limit_bytes),
}
