"""The errors of the HTTP endpoints, for a caller that the guard has let in; pure. Each names what is valid."""

from collections.abc import Callable, Sequence
from http import HTTPStatus

from gasoline_broker.errors import Failure

ENDPOINTS = "docs/extension.md, The link, lists the endpoints."


def wrong_type(valid: Sequence[str]) -> Failure:
    """Make the failure of a body of another type."""
    recovery = f"Send the body as {valid[0]}, and name that in Content-Type."
    return Failure("invalid_params", f"A body here is {' or '.join(valid)}.", recovery, {"valid": [*valid]})


def too_large(limit_bytes: int) -> Failure:
    """Make the failure of a body that is too large."""
    text = f"A body has at most {limit_bytes >> 20} MB."
    return Failure("payload_too_large", text, "Send it in several parts.", {"limit_bytes": limit_bytes})


def malformed(why: str) -> Failure:
    """Make the failure of a body that does not decode."""
    return Failure("invalid_params", f"The body is not what this endpoint takes: {why}.", "Send it again, corrected.")


def wrong_wait(longest_s: float) -> Failure:
    """Make the failure of a long poll with a `wait` out of range."""
    text = f"`wait` is a number of seconds from 0 to {longest_s:g}."
    return Failure("invalid_params", text, "Wait less, and ask again.", {"parameter": "wait", "max": longest_s})


def unknown(what: str) -> Failure:
    """Make the failure of an id that no query or result has."""
    text = f"No {what} of this id waits here: it never did, it was answered, or its time is up."
    return Failure("not_found", text, "Ask for another.")


def full(limit: int) -> Failure:
    """Make the failure of a query while too many results are unread."""
    text = f"{limit} queries wait already to be fetched."
    return Failure("overloaded", text, "Fetch their results, or wait a minute; then post again.", {"limit": limit})


def not_a_websocket() -> Failure:
    """Make the failure of a link that is opened without an upgrade."""
    return Failure("invalid_params", "This endpoint takes a WebSocket alone.", "Ask with `Upgrade: websocket`.")


def by_status(status: int, limit_bytes: int) -> Failure:
    """Give the error for what aiohttp refuses by itself."""
    return OF_AIOHTTP.get(status, _otherwise)(status, limit_bytes)


def _otherwise(status: int, _limit_bytes: int) -> Failure:
    return Failure("invalid_params", f"The request is refused: {HTTPStatus(status).phrase}.", ENDPOINTS)


OF_AIOHTTP: dict[int, Callable[[int, int], Failure]] = {
    404: lambda _status, _limit: Failure("not_found", "There is no such endpoint.", ENDPOINTS),
    405: lambda _status, _limit: Failure("invalid_params", "This endpoint does not take this method.", ENDPOINTS),
    413: lambda _status, limit_bytes: too_large(limit_bytes),
}
