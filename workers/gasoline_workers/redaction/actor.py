"""The redaction worker's process; the rules are in rules."""

import msgspec

from gasoline_broker.actor.actor import Actor
from gasoline_broker.actor.client import Answer, Step
from gasoline_broker.actor.wire import pack
from gasoline_workers.redaction.messages import RedactAnswer, Request
from gasoline_workers.redaction.rules import redact


class Redaction(Actor[Request]):
    """Hides secrets before anything is stored or shown to a model."""

    service = "redaction"
    accepts = Request
    computes = True

    async def receive(self, message: Request, step: Step) -> Answer:
        """Return what the stop before answered, in the same shape, without its secrets."""
        match message:
            case RedactAnswer():
                clean, _count = redact(msgspec.msgpack.decode(step.body))
                return Answer(pack(clean))
