"""The redaction worker's process; the rules are in rules."""

import asyncio
import contextlib
import functools
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future

import msgspec
import structlog

from gasoline_broker.actor.actor import Actor
from gasoline_broker.actor.client import Answer, Step
from gasoline_broker.actor.wire import pack, stop
from gasoline_broker.errors import Failed, fail
from gasoline_broker.settings import Settings
from gasoline_workers.redaction.handles import Handles
from gasoline_workers.redaction.known import Known
from gasoline_workers.redaction.messages import KeepSecrets, PassPicture, RedactAnswer, Request, ShownSecret
from gasoline_workers.redaction.origins import origin_of
from gasoline_workers.redaction.own_rules import OwnRules
from gasoline_workers.redaction.rules import redact_listing

SHOWN, SHOWN_AGAIN_S, SHOW_TTL_S = 4_000, 5.0, 5.0
TRIES = 3
"""Bodies whose secrets another process has numbered meanwhile are read again."""

AGREED_S = 5.0
"""A note comes back within a millisecond; not from a broker that has just died."""

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
        self._shared_at = b""
        self._shown: dict[tuple[str, str], float] = {}
        self._sending: set[asyncio.Task[None]] = set()
        self._waiting: dict[Future[None], Handles] = {}

    async def started(self) -> None:
        """Read the user's own rules.

        Raises:
            CannotStart: they are wrong; the sentence names the rule and the field.

        """
        self._own = OwnRules(self.settings)
        self._loop, self._thread = asyncio.get_running_loop(), threading.get_ident()

    async def receive(self, message: Request, step: Step) -> Answer:
        """Return what the stop before answered, in the same shape, without its secrets."""
        match message:
            case RedactAnswer(numbered):
                return Answer(pack(await self._clean(msgspec.msgpack.decode(step.body), numbered=numbered)))
            case PassPicture(numbered):
                body = msgspec.msgpack.decode(step.body)
                if step.blobs and (len(step.blobs) != 1 or not _is_masked(body)):  # without any it is a failure
                    fail("redaction_unavailable", "The page did not mask its secret fields in this picture.")
                return Answer(pack(await self._clean(body, numbered=numbered)), step.blobs)

    def registered(self) -> None:
        """Give a broker that has just started what is known: a process that starts with it must not show it."""
        self._share()

    def noted(self, note: bytes) -> None:
        """Learn what another process of redaction has found; this one's own comes back too."""
        try:
            if self._known.receive(note, time.time()):
                self._share()
        except msgspec.DecodeError:
            logger.warning("note_malformed", size_bytes=len(note))
        for agreed, handles in list(self._waiting.items()):
            if handles.are_agreed():
                self._waiting.pop(agreed, None)
                agreed.set_result(None)

    async def _clean(self, body: object, *, numbered: bool) -> object:
        """Hide the secrets, and share them before the answer leaves: what is asked later anywhere knows them.

        Numbers of secrets that are new hold once the note with them has come back; without that, none is shown.
        """
        for _ in range(TRIES if numbered else 0):
            handles = Handles(self._known, time.time())
            clean, ledger = redact_listing(body, self._own.now(), self._known, handles)
            self._known.learn(ledger.kept(), time.time())
            await self._agree(handles)
            if not handles.are_agreed():
                break
            if handles.are_right():
                self._in_loop(functools.partial(self._show, handles.values, origin_of(body)))
                return clean
        clean, ledger = redact_listing(body, self._own.now(), self._known)
        self._known.learn(ledger.kept(), time.time())
        self._in_loop(self._share)
        return clean

    def _show(self, values: Mapping[str, str], origin: str) -> None:
        """Give the bridge what handles stand for, again after a while: it may have been started again."""
        now = time.monotonic()
        new = [one for one in values if origin and self._shown.get((one, origin), 0.0) < now - SHOWN_AGAIN_S]
        if not new:
            return
        if len(self._shown) > SHOWN:
            self._shown.clear()
        self._shown |= {(one, origin): now for one in new}
        task = self._loop.create_task(self._send([ShownSecret(one, values[one], origin) for one in new]))
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    async def _send(self, shown: list[ShownSecret]) -> None:
        with contextlib.suppress(Failed):  # without a bridge nothing is typed
            clean_last = stop("redaction", RedactAnswer(numbered=False))  # every answer of the bridge is raw
            await self.link.ask(stop("bridge", KeepSecrets(shown)), clean_last, ttl_s=SHOW_TTL_S)

    async def _agree(self, handles: Handles) -> None:
        """Share what is new, and wait until all processes have it, in AGREED_S."""
        if handles.are_agreed():
            self._in_loop(self._share)  # what has no handle, such as a password within credentials
            return
        agreed = Future[None]()
        self._waiting[agreed] = handles
        try:
            self._in_loop(self._share)
            await asyncio.wait([asyncio.wrap_future(agreed)], timeout=AGREED_S)
        finally:
            self._waiting.pop(agreed, None)

    def _in_loop(self, work: Callable[[], None]) -> None:
        if threading.get_ident() == self._thread:
            work()
        else:
            self._loop.call_soon_threadsafe(work)

    def _share(self) -> None:
        """Send what the others do not know yet: on the same socket as the answer, before it."""
        notes = [*self._known.pending()]
        if self.link.life != self._shared_at:  # another broker has nothing of what was noted
            self._shared_at = self.link.life
            notes = [*self._known.everything(), *notes]
        for note in notes:
            self.link.share(note)


def _is_masked(body: object) -> bool:
    masked = body.get("masked") if isinstance(body, dict) else None
    return isinstance(masked, int) and not isinstance(masked, bool) and masked >= 0
