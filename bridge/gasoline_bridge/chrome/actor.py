"""The bridge process: answers the broker's asks about Chrome; its answers are page data, not yet redacted."""

import asyncio
import contextlib
import errno
import signal
import time
from collections.abc import Sequence
from functools import partial
from typing import cast

import msgspec
import structlog
from aiohttp import web

from gasoline_bridge import holder, installed, pairing
from gasoline_bridge.chrome import audit, uploads
from gasoline_bridge.chrome.commands import Commands
from gasoline_bridge.chrome.drawn_pictures import DrawnPictures, with_picture
from gasoline_bridge.chrome.guard import Guard
from gasoline_bridge.chrome.intake import Intake
from gasoline_bridge.chrome.link import Client
from gasoline_bridge.chrome.link_socket import LinkSocket
from gasoline_bridge.chrome.messages import (
    ACTS,
    ANSWERS,
    QUERIES,
    Acted,
    Acts,
    AdmitAnalysis,
    AnalysisAdmitted,
    Analyze,
    AwaitDrawing,
    ClearEvents,
    DrawingPicture,
    DrawingsEnded,
    EventsCleared,
    ExtensionRead,
    GetOutline,
    Interact,
    Interacted,
    NoteRefused,
    OutlineGot,
    Queries,
    QueryDom,
    ReadExtension,
    RefusedNoted,
    Release,
    Request,
    RunAccessibilityAudit,
    ScreenshotTaken,
    ScriptExecuted,
)
from gasoline_bridge.chrome.narrow_ints import narrow
from gasoline_bridge.chrome.proof import Proofs
from gasoline_bridge.chrome.rare_log import RareLog, take_over
from gasoline_bridge.chrome.routes import Routes, Services
from gasoline_bridge.chrome.secrets_kept import SecretsKeeper
from gasoline_bridge.chrome.visitors import KEEP_ALIVE_S, LINGERING_S, Visitor, Visitors, strangers_max
from gasoline_bridge.folders import Folders
from gasoline_bridge.holder import HOST
from gasoline_broker.actor.actor import Actor
from gasoline_broker.actor.client import Answer, Step
from gasoline_broker.actor.status import read_status
from gasoline_broker.actor.wire import Delivery, Priority, Stop, pack, stop
from gasoline_broker.errors import CannotStart, Failed, Failure, fail
from gasoline_broker.product import NAME
from gasoline_workers.audit.messages import ReportAccessibility
from gasoline_workers.journal.messages import Clear, Cleared, EventsStored, StoreEvents
from gasoline_workers.redaction.messages import KeepSecrets, RedactAnswer

OPEN_EVERY_S = 0.5  # how often a port that another program has taken is tried
STOPPING_S = 1.0  # how long requests that are open may still take when this process ends
STORE_TTL_S = 30.0  # what is being stored is not waited for; this long after, it is sent again

UPDATE = "Run `gasoline extension install` and reload the extension at chrome://extensions."

logger = structlog.get_logger()


class Bridge(Actor[Request]):
    """Asks Chrome, through the extension."""

    service = "bridge"
    accepts = Request
    capacity = 32  # it waits for Chrome, it does not compute

    async def started(self) -> None:
        """Open the port. In a system that ran already, one that was taken meanwhile is waited for.

        Raises:
            CannotStart: the port is taken, or may not be opened.

        """
        port, token = self.settings.port, installed.token(self.settings)
        self.commands = Commands(self.settings.hide_personal)
        guard = Guard(f"{HOST}:{port}", installed.origin(), token, partial(pairing.is_paired, self.settings))
        self.log = RareLog()
        self.secrets = SecretsKeeper()
        self.intake = Intake(self._store)
        self.drawn = DrawnPictures(self.link, self._drawn_picture)
        socket = LinkSocket(self.commands, self.intake, self.drawn, self._clear_events)
        visitors = Visitors(strangers_max())
        services = Services(
            self.commands, self.intake, socket, self._clean_query, lambda: read_status(self.link), visitors, self.drawn
        )
        self.routes = Routes(guard, Proofs(token, port), services)
        self._runner = await self._run()
        self._opened: asyncio.Server | None = None
        self._opening: asyncio.Task[None] | None = None
        try:
            await self._open(visitors)
        except OSError as fault:
            why = await asyncio.to_thread(_why_not, fault, port, token)
            if not self.settings.restarts:
                await self._runner.cleanup()
                raise CannotStart(why) from None
            self.commands.no_port = why
            self._opening = asyncio.create_task(self._open_later(visitors))
            logger.warning("port_taken", reason=why)
        self._storing = asyncio.create_task(self.intake.run())
        self._storing.add_done_callback(_restart)

    async def _run(self) -> web.AppRunner:
        """Make what answers requests; the log of the HTTP library holds what they held, so it is taken over."""
        take_over("aiohttp", self.log)
        runner = web.AppRunner(
            self.routes.application(),
            access_log=None,
            handle_signals=False,
            shutdown_timeout=STOPPING_S,
            keepalive_timeout=KEEP_ALIVE_S,
            lingering_time=LINGERING_S,
        )
        await runner.setup()
        return runner

    async def _open(self, visitors: Visitors) -> None:
        serve = cast("web.Server", self._runner.server)  # it is there after the setup
        loop = asyncio.get_running_loop()
        self._opened = await loop.create_server(lambda: Visitor(visitors, serve()), HOST, self.settings.port)
        self.commands.no_port = ""
        logger.info("bridge_listening", port=self.settings.port)

    async def _open_later(self, visitors: Visitors) -> None:
        while self.commands.no_port:
            await asyncio.sleep(OPEN_EVERY_S)
            with contextlib.suppress(OSError):
                await self._open(visitors)

    async def stopping(self) -> None:
        """Close the port and the link to the extension."""
        if self._opening is not None:
            self._opening.cancel()
        if self._opened is not None:
            self._opened.close()
        await self.routes.close()
        await self._runner.cleanup()
        self._storing.cancel()

    async def receive(self, message: Request, step: Step) -> msgspec.Struct | Answer:
        """Answer one ask about Chrome."""
        if isinstance(message, Queries):
            return await self._query(message, step.until)
        match message:
            case ReadExtension():
                return self._read_extension()
            case AwaitDrawing(count, wait_s):
                return DrawingsEnded(await self.drawn.ended(count, wait_s))
            case ClearEvents():
                return await self._clear(step.until)
            case AdmitAnalysis():
                return await self._admit(message, step.until)
            case _:
                return await self._act(message, step.until)

    async def _query(self, message: Queries, until: float) -> msgspec.Struct | Answer:
        if isinstance(message, DrawingPicture) and self.commands.only_polled:
            fail("screenshot_failed", "No picture was posted with this session.", "Post it as `screenshot_base64`.")
        arguments = _arguments(message)
        if isinstance(message, GetOutline):
            seq = self.intake.seq
            outline = cast("OutlineGot", await self._command("get_outline", arguments | {"seq": seq}, until))
            return msgspec.structs.replace(outline, seq=seq)
        answer = await self._command(QUERIES[type(message)], arguments, until)
        return with_picture(answer) if isinstance(answer, ScreenshotTaken) else answer

    async def _drawn_picture(self, wish: DrawingPicture) -> Answer:
        return cast("Answer", await self._query(wish, time.monotonic() + self.settings.call_timeout_s))

    async def _clear(self, until: float) -> EventsCleared:
        await self.intake.forget(max(0.0, until - time.monotonic()) / 2)
        cleared = await self._clear_events()
        return EventsCleared(success=True, cleared=cleared.count, seq=cleared.seq)

    async def _admit(self, message: AdmitAnalysis, until: float) -> AnalysisAdmitted:
        try:
            await self.commands.admit(until)
        except Failed as fault:
            client = Client(message.client.id, message.client.name)
            code = fault.failure.code
            self.intake.note(audit.refused(f"analyze {message.what}", client, message.tab_id, code, time.time()))
            raise
        return AnalysisAdmitted()

    async def _act(self, message: Acts | NoteRefused | KeepSecrets, until: float) -> msgspec.Struct:
        if isinstance(message, KeepSecrets):
            return self.secrets.keep_all(message.secrets, time.monotonic())
        if isinstance(message, NoteRefused):
            client = Client(message.client.id, message.client.name)
            self.intake.note(audit.refused(message.action, client, message.tab_id, message.code, time.time()))
            return RefusedNoted()
        name, client = ACTS[type(message)], Client(message.client.id, message.client.name)
        noted = _noted(name, message)
        try:
            if not isinstance(message, Release):  # giving a tab back acts on no page
                await self.commands.admit(until)
            arguments = await self._sent(message)
        except Failed as fault:
            self.intake.note(audit.refused(noted, client, message.tab_id, fault.failure.code, time.time()))
            raise
        try:
            repeatable = isinstance(message, Analyze) or (isinstance(message, Interact) and message.reads)
            answer = await self._command(name, arguments, until, client, repeatable=repeatable)
        except Failed as fault:
            if isinstance(message, Interact) and _is_unknown(fault.failure):
                text = f"This version of the extension has no action {message.action!r}."
                fail("not_found", text, UPDATE, action=message.action)
            if self.commands.hello is None and not isinstance(
                message, Release
            ):  # the browser ended, and the memory of the extension with it
                self.intake.note(audit.refused(noted, client, message.tab_id, fault.failure.code, time.time()))
            raise
        return answer

    async def _sent(self, message: Acts) -> dict[str, object]:
        """Give the arguments as the extension gets them: a file with its content."""
        arguments = _arguments(message)
        arguments.pop("client")
        if not isinstance(message, Interact):
            return arguments
        own = {name: value for name, value in arguments.items() if name not in {"arguments", "reads"}}
        sent = own | message.arguments
        if not message.reads:
            sent = self.secrets.resolve(message.action, sent, time.monotonic())
        if message.action == "upload":
            sent["files"] = await asyncio.to_thread(uploads.read, message.arguments["files"], self._rights())
        url = sent.get("url")
        if isinstance(url, str) and message.action != "wait_for" and uploads.is_address(url):
            sent["url"] = await asyncio.to_thread(uploads.address, url, self._rights())
        return sent

    def _rights(self) -> uploads.Rights:
        return uploads.Rights(Folders(self.settings).allowed(), self.settings.data_dir)

    async def _command(
        self,
        name: str,
        arguments: dict[str, object],
        until: float,
        client: Client | None = None,
        *,
        repeatable: bool = False,
    ) -> msgspec.Struct:
        finished = await self.commands.run(name, arguments, until, client, repeatable=repeatable)
        try:
            answer: msgspec.Struct = msgspec.json.decode(finished.result, type=ANSWERS[name])
        except (msgspec.MsgspecError, RecursionError):
            self.log.warning("result_refused", name=name, size_bytes=len(bytes(finished.result)))
            fail(
                "internal_error",
                f"The extension answered {name} in a shape that is not the agreed one.",
                UPDATE,
            )
        if isinstance(answer, ScriptExecuted):  # a script may give 1e20, which JSON writes as an integer
            answer = msgspec.structs.replace(answer, result=narrow(answer.result))
        if isinstance(answer, Acted):
            return self._placed(answer, finished.unstored)
        return answer

    def _placed(self, answer: Acted, unstored: str) -> Acted:
        """Give an answer with its position in the journal, or why it has none."""
        if unstored:
            return msgspec.structs.replace(answer, journal_unavailable=unstored)
        return msgspec.structs.replace(answer, seq=self.intake.seq) if isinstance(answer, Interacted) else answer

    def _read_extension(self) -> ExtensionRead:
        hello = self.commands.hello
        if hello is None:
            return ExtensionRead(self.commands.connected, problem=self.commands.no_port)
        return ExtensionRead(
            connected=True,
            version=hello.version,
            browser=hello.browser,
            up_s=round(time.monotonic() - self.commands.since, 1),
            ai_web_pilot=self.commands.pilot,
            user_scripts=self.commands.user_scripts,
            denied_sites=self.commands.denied_sites,
            allowed_sites=self.commands.allowed_sites,
            hides_personal_data=self.commands.hides_personal,
        )

    async def _clean_query(self, query: QueryDom | RunAccessibilityAudit) -> bytes:
        """Run a query for an HTTP endpoint; its answer goes through redaction, and so does its failure."""
        run_s, then = 0.0, list[Stop]()
        if isinstance(query, RunAccessibilityAudit):
            run_s = query.timeout_ms / 1_000
            then = [stop("audit", ReportAccessibility(query.arguments.get("include_passes") is True))]
        until = time.monotonic() + self.settings.call_timeout_s + run_s
        try:
            found: msgspec.Struct = await self._command(QUERIES[type(query)], _arguments(query), until)
        except Failed as fault:
            raise Failed(msgspec.convert(await self._clean(fault.failure, until), Failure)) from None
        return msgspec.json.encode(await self._clean(found, until, then))

    async def _clean(self, answer: msgspec.Struct, until: float, then: Sequence[Stop] = ()) -> dict[str, object]:
        left_s = max(0.1, until - time.monotonic())
        clean_first = stop("redaction", RedactAnswer())
        redacted: Answer = await self.link.ask(clean_first, *then, ttl_s=left_s, body=pack(answer))
        clean: dict[str, object] = redacted.read()
        clean.pop("type", None)
        return clean

    async def _store(self, message: StoreEvents, body: bytes) -> int:
        """Have events redacted and stored, and give the journal's end; nothing else reaches the journal's file."""
        answer: Answer = await self.link.ask(
            stop("redaction", RedactAnswer()),
            stop("journal", message, Delivery.STORE),
            ttl_s=STORE_TTL_S,
            body=body,
            priority=Priority.BACKGROUND,
        )
        stored: EventsStored = answer.read(EventsStored)
        return stored.seq

    async def _clear_events(self) -> Cleared:
        answer: Answer = await self.link.ask(
            stop("redaction", RedactAnswer()),  # every message of the bridge is raw, even an empty one
            stop("journal", Clear(), Delivery.STORE),
            ttl_s=self.settings.call_timeout_s,
            body=pack(None),
        )
        cleared: Cleared = answer.read(Cleared)
        return cleared


def _noted(name: str, message: Acts) -> str:
    """Name a call in the audit trail."""
    match message:
        case Interact(action=detail) | Analyze(what=detail):
            return f"{name} {detail}"
        case _:
            return name


def _is_unknown(failure: Failure) -> bool:
    """Whether the extension refuses the action's name, which the front has checked: another version's."""
    return failure.code == "invalid_params" and failure.details.get("parameter") == "action"


def _restart(storing: "asyncio.Task[None]") -> None:
    """End this process, so that it is started again, when the intake has broken."""
    if not storing.cancelled():
        logger.error("intake_broke", fault=type(storing.exception()).__name__)
        signal.raise_signal(signal.SIGTERM)


def _arguments(message: Queries | Acts) -> dict[str, object]:
    """Give a message's fields as the extension's arguments; what is not set is left out."""
    return {name: value for name, value in msgspec.structs.asdict(message).items() if value is not None}


def _why_not(fault: OSError, port: int, token: str) -> str:
    if fault.errno != errno.EADDRINUSE:
        return f"Port {port} on {HOST} cannot be opened: {fault.strerror}. Set GASOLINE_PORT to another."
    if pid := holder.pid_of(port, token):
        return f"Port {port} is taken by another {NAME} (process {pid}). Run `gasoline down`, or set GASOLINE_PORT."
    return f"Port {port} is taken by another program. End it, or set GASOLINE_PORT and install the extension again."
