"""The redaction worker's process; the rules are in rules."""

import msgspec

from gasoline_broker.actor.actor import Actor
from gasoline_broker.actor.client import Answer, Step
from gasoline_broker.actor.wire import pack
from gasoline_broker.errors import fail
from gasoline_workers.redaction import policy_file
from gasoline_workers.redaction.messages import PassPicture, RedactAnswer, Request
from gasoline_workers.redaction.rules import redact


class Redaction(Actor[Request]):
    """Hides secrets before anything is stored or shown to a model."""

    service = "redaction"
    accepts = Request
    computes = True
    short_bytes = 8_192  # 50 ms at most, measured with every attack of its tests; 1 ms at the median

    async def started(self) -> None:
        """Read the user's own rules.

        Raises:
            CannotStart: they are wrong; the sentence names the rule and the field.

        """
        self._policy = policy_file.load(self.settings.config_dir)

    async def receive(self, message: Request, step: Step) -> Answer:
        """Return what the stop before answered, in the same shape, without its secrets."""
        match message:
            case RedactAnswer():
                clean, _count = redact(msgspec.msgpack.decode(step.body), self._policy)
                return Answer(pack(clean))
            case PassPicture():
                body = msgspec.msgpack.decode(step.body)
                if step.blobs and (len(step.blobs) != 1 or not _is_masked(body)):  # without any it is a failure
                    fail("redaction_unavailable", "The page did not mask its secret fields in this picture.")
                clean, _count = redact(body, self._policy)
                return Answer(pack(clean), step.blobs)


def _is_masked(body: object) -> bool:
    masked = body.get("masked") if isinstance(body, dict) else None
    return isinstance(masked, int) and not isinstance(masked, bool) and masked >= 0
