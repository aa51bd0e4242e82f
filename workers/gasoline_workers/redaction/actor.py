"""The redaction worker's process; the rules are in rules."""

import asyncio
import threading
import time

import msgspec
import structlog

from gasoline_broker.actor.actor import Actor
from gasoline_broker.actor.client import Answer, Step
from gasoline_broker.actor.wire import pack
from gasoline_broker.errors import fail
from gasoline_broker.settings import Settings
from gasoline_workers.redaction import policy_file
from gasoline_workers.redaction.known import Known
from gasoline_workers.redaction.messages import PassPicture, RedactAnswer, Request
from gasoline_workers.redaction.rules import redact_listing

logger = structlog.get_logger()


class Redaction(Actor[Request]):
    """Hides secrets before anything is stored or shown to a model."""

    service = "redaction"
    accepts = Request
    computes = True
    short_bytes = 8_192  # 50 ms at most, measured with every attack of its tests; 1 ms at the median

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._known = Known()
        self._met = self._shared_at = b""

    async def started(self) -> None:
        """Read the user's own rules.

        Raises:
            CannotStart: they are wrong; the sentence names the rule and the field.

        """
        self._policy = policy_file.load(self.settings.config_dir)
        self._loop, self._thread = asyncio.get_running_loop(), threading.get_ident()

    async def receive(self, message: Request, step: Step) -> Answer:
        """Return what the stop before answered, in the same shape, without its secrets."""
        match message:
            case RedactAnswer():
                return Answer(pack(self._clean(msgspec.msgpack.decode(step.body))))
            case PassPicture():
                body = msgspec.msgpack.decode(step.body)
                if step.blobs and (len(step.blobs) != 1 or not _is_masked(body)):  # without any it is a failure
                    fail("redaction_unavailable", "The page did not mask its secret fields in this picture.")
                return Answer(pack(self._clean(body)), step.blobs)

    def noted(self, note: bytes) -> None:
        """Learn what another process of redaction has found; this one's own comes back too."""
        if self.link.life != self._met:
            self._met = self.link.life
            self._known.meet()
        try:
            self._known.receive(note, time.time())
        except msgspec.DecodeError:
            logger.warning("note_malformed", size_bytes=len(note))

    def _clean(self, body: object) -> object:
        """Hide the secrets, and share them before the answer leaves: what is asked later anywhere knows them."""
        clean, ledger = redact_listing(body, self._policy, self._known)
        self._known.learn(ledger.kept(), time.time())
        if threading.get_ident() == self._thread:
            self._share()
        else:
            self._loop.call_soon_threadsafe(self._share)
        return clean

    def _share(self) -> None:
        """Send what the others do not know yet: on the same socket as the answer, before it."""
        now = time.time()
        notes = [*self._known.pending(now)]
        if self.link.life != self._shared_at:  # another broker has nothing of what was noted
            self._shared_at = self.link.life
            notes = [*self._known.everything(), *notes]
        for note in notes:
            self.link.share(note)


def _is_masked(body: object) -> bool:
    masked = body.get("masked") if isinstance(body, dict) else None
    return isinstance(masked, int) and not isinstance(masked, bool) and masked >= 0
