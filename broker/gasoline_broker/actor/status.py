"""Asks the broker for its status."""

import msgspec

from gasoline_broker.actor.client import Link
from gasoline_broker.actor.wire import stop
from gasoline_broker.errors import CannotStart
from gasoline_broker.messages import ReadStatus, StatusRead

TIMEOUT_S = 2.0


async def read_status(link: Link) -> StatusRead:
    """Ask the broker what is connected, waiting and running.

    Raises:
        Failed: the broker did not answer.
        CannotStart: the broker is of another version.

    """
    answer = await link.ask(stop("broker", ReadStatus()), ttl_s=TIMEOUT_S)
    try:
        status: StatusRead = answer.read(StatusRead)
    except msgspec.ValidationError as fault:
        raise CannotStart(f"The running broker is of another version ({fault}): run `gasoline down` first.") from None
    return status
