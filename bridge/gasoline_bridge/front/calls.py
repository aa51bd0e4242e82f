"""Runs a tool call: from its checked arguments to an itinerary, and from the answer to a reply that fits.

Rules of this file:
- Page data always passes redaction: `_page` is the only way to the bridge, and the journal holds redacted data only.
- Every call ends in a reply or an error, and in one line of the log.
"""

import asyncio
import contextlib
import math
import re
import secrets
import time
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import structlog

from gasoline_bridge.chrome import messages as bridge
from gasoline_bridge.front import (
    accessibility,
    analyses,
    arguments,
    batches,
    drawings,
    findings,
    leak_hunt,
    paging,
    pictures,
    regression,
    script_reply,
    tab_hints,
    tools,
)
from gasoline_bridge.front.actions import ACTIONS
from gasoline_bridge.front.baseline_calls import Asks, BaselineCalls
from gasoline_bridge.front.dispatch import (
    ACTING,
    BATCH,
    EFFECT_LISTS,
    FINDING_LISTS,
    ITEM_NAMES,
    JOURNAL_QUERIES,
    PAGE_COMMANDS,
    PAGE_QUERIES,
    PageCommand,
    PageQuery,
)
from gasoline_bridge.front.drawing_calls import DrawingCalls
from gasoline_bridge.front.exports import Saved
from gasoline_bridge.front.generate_calls import GenerateCalls
from gasoline_bridge.front.jobs import Jobs, Run, once_back
from gasoline_bridge.front.progress import Progress
from gasoline_bridge.front.replies import Replies, Reply, encode, error
from gasoline_bridge.front.status import shown
from gasoline_broker.actor.client import Link
from gasoline_broker.actor.status import read_status
from gasoline_broker.actor.wire import Delivery, Stop, pack, stop
from gasoline_broker.errors import CannotStart, Failed, Failure, fail
from gasoline_broker.messages import ProcessesRead, ReadProcesses, StatusRead
from gasoline_broker.product import VERSION
from gasoline_broker.settings import Settings
from gasoline_workers.audit import messages as audit
from gasoline_workers.diff import messages as diff
from gasoline_workers.journal import messages as journal
from gasoline_workers.redaction.messages import RedactAnswer
from gasoline_workers.screenshots.messages import ListScreenshots, ScreenshotsListed

NUMBERED = RedactAnswer()
STATUS_TTL_S = 2.0
SETTLE_S = 5.0  # the extension waits 3 s for a page that hangs
TABS_TTL_S = 5.0  # a busy browser took more than 2
ERROR_POLL_S = 1.0  # between two looks for a client that has subscribed to errors
MEASURE_S = 5  # of the page's memory
PICTURED = {("observe", "screenshot"), ("observe", "screenshots"), ("analyze", "annotations")}
STORED = {("analyze", "annotation_detail"), ("analyze", "regression")}  # what is asked for by its name
GENERATED_LISTS = ("left_out", "environment")
RESOURCES = 100  # pictures in one page of the list of resources
CLIENT_CHARS = 100  # of a client's name
QUERIES = 32  # of a session that are kept for their cursors
PARENT = re.compile(r"(?!ff)[0-9a-f]{2}-(?!0{32})(?P<trace>[0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?")
TRACED = {"deadline_exceeded", "internal_error", "outcome_unknown", "redaction_unavailable", "worker_unavailable"}
TRACE_SHOWN = 8  # digits: enough for `gasoline trace`, which knows the last thousand

logger = structlog.get_logger()


class Called(NamedTuple):
    """The answer to a tool call: the JSON text, whether it is an error, and the pictures that come with it.

    `pending`: the job whose outcome is still to come. `code`: of an error.
    """

    text: bytes
    failed: bool = False
    images: tuple[pictures.Shown, ...] = ()
    pending: str = ""
    code: str = ""


class Calls:
    """The calls of one session, with its own cursors. `jobs`: of every session of this process."""

    def __init__(self, link: Link, settings: Settings, jobs: Jobs) -> None:
        self._link = link
        self.jobs = jobs
        self._analyzed: Reply | None = None
        self._timeout_s = settings.call_timeout_s
        self._acted = False
        self._ended: list[dict[str, Any]] = []
        self._hunts: set[str] = set()
        self._replies = Replies()
        self._queries: OrderedDict[str, journal.Read] = OrderedDict()
        self.session = secrets.token_hex(8)
        self._generate = GenerateCalls(link, self._timeout_s, settings.data_dir)
        self._drawing = DrawingCalls(link, self._timeout_s, self.session, self._replies, self._page)
        self._baselines = BaselineCalls(
            Asks(link, self._timeout_s, self.session, self._lasting_page, self._interact, self._extension, jobs.alone)
        )

    async def call(
        self,
        name: str,
        request: dict[str, Any],
        traceparent: object = "",
        client: str = "",
        progress: Progress | None = None,
    ) -> Called:
        """Answer a tool call. Only a cancellation is raised.

        `traceparent` is the client's own (W3C Trace Context, in the request's `_meta`): the call continues its trace.
        `client` is the client's name for itself. `progress` is kept current while the call runs.
        """
        trace, begun = trace_of(traceparent), time.monotonic()
        with structlog.contextvars.bound_contextvars(trace=trace):
            outcome = "cancelled"
            try:
                answer = await self._answer(name, request, trace, client, progress or Progress(name))
            except Failed as fault:
                outcome = fault.failure.code
                return Called(error(_traced(fault.failure, trace)), failed=True, code=outcome)
            except Exception as fault:  # noqa: BLE001 - the SDK's own error would give the model nothing to act on
                outcome = "internal_error"
                logger.error("call_broke", tool=name, fault=type(fault).__name__)  # noqa: TRY400 - its text may be a page's
                return Called(error(_traced(Failure("internal_error", f"{name} failed."), trace)), failed=True)
            else:
                outcome = "answered"
                return answer if isinstance(answer, Called) else Called(answer)
            finally:
                took_ms = round((time.monotonic() - begun) * 1000, 1)
                self._ended.append({"trace": trace, "tool": name, "outcome": outcome, "took_ms": took_ms})
                if outcome == "cancelled":  # no answer is written
                    self.log_ended()

    def note_roots(self, roots: list[Path]) -> None:
        """Take in the folders that this session's client works in, as of now."""
        self._generate.roots = roots

    def log_ended(self) -> None:
        """Log the calls that have ended: once their answers are written, for which a client waits."""
        for call in self._ended:
            logger.info("call_ended", session=self.session, **call)
        self._ended.clear()

    async def close(self) -> None:
        """Stop what acts, and give back the tabs that this session has leased."""
        self.log_ended()
        for job in self._hunts:
            self.jobs.stop(job)
        if self._acted:
            release = bridge.Release(client=bridge.Client(self.session), tab_id=bridge.EVERY_TAB)
            with contextlib.suppress(Failed):  # the leases then end by themselves
                await self._act(release, STATUS_TTL_S, secrets.token_hex(16))

    async def read_resource(self, picture_id: str, trace: str) -> pictures.Shown:
        """Give a picture by its id, as it was stored."""
        return await pictures.read(self._link, picture_id, self._timeout_s, trace)

    async def list_resources(self, before: int, trace: str) -> ScreenshotsListed:
        """Give the pictures that are kept, newest first."""
        return await pictures.listed(self._link, ListScreenshots(RESOURCES, before), self._timeout_s, trace)

    async def saved_reports(self) -> list[Saved]:
        """Give the files that `generate` has saved, newest first."""
        return await self._generate.saved()

    async def read_report(self, name: str) -> str:
        """Give the text of such a file.

        Raises:
            Failed: there is none, or it cannot be given.

        """
        return await self._generate.text_of(name)

    async def newest_error(self, known: int) -> int:
        """Give the number of the newest error of any page, 0 if there is none; a moment later, if one is known.

        drawings.UNKNOWN where the journal is away.
        """
        if known != drawings.UNKNOWN:
            await asyncio.sleep(ERROR_POLL_S)
        asked = tools.Observe(what="errors", all_tabs=True, limit=1)
        query = JOURNAL_QUERIES["observe", "errors"].message(asked)
        try:
            read = msgspec.json.decode(await self._journal(query, asked.budget, trace_of(None)))
        except Failed:
            await asyncio.sleep(ERROR_POLL_S)
            return drawings.UNKNOWN
        return max((one["seq"] for one in read["errors"]), default=0)

    async def ended_drawings(self, known: int) -> int:
        """Give how many sessions of Draw Mode have ended, as soon as that is not `known`, or after some seconds."""
        return await self._drawing.ended(known, trace_of(None))

    async def system(self) -> Reply | None:
        """Give the status of the system, None if it does not answer."""
        try:
            return await self._status(trace_of(None))
        except (Failed, CannotStart):
            return None

    async def _answer(
        self, name: str, request: dict[str, Any], trace: str, client: str, progress: Progress
    ) -> bytes | Called:
        try:
            checked = arguments.read(name, request)
        except Failed as fault:
            await self._note(name, request, client, fault.failure.code, trace)
            raise
        key = tools.TOOLS[name].key
        mode = getattr(checked, key) if key else ""
        cursor = getattr(checked, "cursor", msgspec.UNSET)
        if cursor is not msgspec.UNSET:
            return await self._more(name, mode, checked, trace)
        if query := JOURNAL_QUERIES.get((name, mode)):
            return await self._journal(query.message(checked), checked.budget, trace, verbose=_is_verbose(checked))
        if (name, mode) == BATCH:
            return await self._batch(checked, trace, client, progress)
        if job := await self._job_of(name, mode, checked, request, trace, client):
            progress.watch(lambda: self.jobs.stage(job))
            return await self._job(job, checked.wait_s, checked.budget, trace, client)
        if (name, mode) in PICTURED:
            return await self._pictured(mode, checked, trace)
        reply, lists = await self._reply(name, mode, checked, trace, client)
        limit = checked.limit if mode == "effects" and checked.limit is not msgspec.UNSET else 0
        return self._replies.fit(reply, checked.budget, lists, limit)

    async def _reply(
        self,
        name: str,
        mode: str,
        checked: Any,  # noqa: ANN401 - the Struct of any tool
        trace: str,
        client: str,
    ) -> tuple[Reply, tuple[str, ...]]:
        """Give the whole answer, and which of its lists may be cut."""
        if (name, mode) == ("observe", "status"):
            return await self._status(trace), ("processes",)
        if (name, mode) == ("observe", "effects"):
            return await self._effect(checked.id, trace), EFFECT_LISTS
        if name == "generate":
            return await self._generated(checked, trace, client), GENERATED_LISTS
        if (name, mode) in STORED:
            return await self._stored(mode, checked, trace), ("baselines",)
        if command := PAGE_COMMANDS.get((name, mode)):
            reply = await self._do(command, checked, trace, client)
            return self._bounded(name, reply, checked.budget), script_reply.lists(reply, command.lists)
        return await self._read(PAGE_QUERIES[name, mode], checked, trace)

    def _bounded(self, name: str, reply: Reply, budget: int) -> Reply:
        if name == "analyze":
            self._analyzed = reply
            return findings.bounded(reply, budget)
        return script_reply.bounded(accessibility.bounded(reply, budget), budget)

    async def _read(
        self,
        query: PageQuery,
        checked: Any,  # noqa: ANN401 - the Struct of any tool
        trace: str,
    ) -> tuple[Reply, tuple[str, ...]]:
        judged = query.judged(checked)
        then = [stop("audit", judged)] if judged is not None else []
        reply = await self._page(query.message(checked), self._timeout_s + query.extra_s, trace, then=then)
        return findings.bounded(reply, checked.budget) if judged is not None else reply, query.lists

    async def _pictured(self, mode: str, checked: Any, trace: str) -> Called:  # noqa: ANN401 - the Struct of either tool
        """Take a picture, list those that are kept, or give what was drawn on one."""
        if mode == "annotations":
            read = self._drawing.verified if checked.verify else self._drawing.annotations
            text, images = await read(checked, trace)
            return Called(text, images=images)
        if mode == "screenshot":
            taken = await pictures.take(self._link, checked, self._timeout_s, self.session, trace)
            return Called(encode(taken.reply), images=taken.shown)
        limit = pictures.LISTED if checked.limit is msgspec.UNSET else checked.limit
        query = ListScreenshots(limit, url_filter=checked.url_filter)
        reply = pictures.shown_list(await pictures.listed(self._link, query, self._timeout_s, trace))
        return Called(self._replies.fit(reply, checked.budget, ("screenshots",)))

    async def _do(
        self,
        command: PageCommand,
        checked: Any,  # noqa: ANN401 - the Struct of any tool
        trace: str,
        client: str,
        most_s: float = math.inf,
    ) -> Reply:
        """Run a command, within `most_s` in any case."""
        message = command.message(checked, self._client(client))
        if isinstance(message, bridge.Interact) and ACTIONS[message.action].group == "drawing":
            try:
                message = await self._drawing.completed(message, trace)
            except Failed as fault:
                request = {"action": message.action, "tab_id": message.tab_id}
                await self._note("interact", request, client, fault.failure.code, trace)
                raise
        ttl_s = min(most_s, self._timeout_s + command.extra_s(checked))
        if judged := command.judged(checked):
            return await self._page(message, ttl_s, trace, then=[stop("audit", judged)])
        if isinstance(message, bridge.Interact) and message.reads:
            return await self._page(message, ttl_s, trace)
        self._acted = True
        return await self._act(message, ttl_s, trace, command.explained(checked))

    async def _job_of(
        self,
        name: str,
        mode: str,
        checked: Any,  # noqa: ANN401 - the Struct of any tool
        request: dict[str, Any],
        trace: str,
        client: str,
    ) -> str:
        """Name the analysis that runs on and that this call begins or asks for, "" for any other call."""
        if name == "analyze" and mode in analyses.ANALYZED and analyses.is_asynchronous(checked.action, checked.scope):
            return await self._begin_job(checked, request, trace, client)
        return str(checked.correlation_id) if (name, mode) == ("observe", "analyze_result") else ""

    async def _begin_job(self, checked: tools.Analyze, request: dict[str, Any], trace: str, client: str) -> str:
        """Begin an analysis that runs on, if it may."""
        what = f"{checked.action} {analyses.chosen(checked.action, checked.scope)}"
        admit = bridge.AdmitAnalysis(client=self._client(client), tab_id=checked.tab_id, what=what)
        batches.read(checked)  # what is wrong with a step is known before anything has begun
        await self._page(admit, self._timeout_s, trace)
        if checked.action == "regression":
            await self._baselines.check(checked, trace)
        acts = analyses.acts(checked.action, checked.scope)
        job = await self.jobs.begin(request, self._analysis(trace, client)._replace(acts=acts))
        if acts:
            self._hunts.add(job)
        return job

    def _analysis(self, trace: str, client: str) -> Run:
        async def first(request: dict[str, Any]) -> Reply:
            checked = arguments.read("analyze", request)
            if analyses.acts(checked.action, checked.scope):
                return await self._hunt(checked, trace, client)
            if checked.action == "regression":
                return await self._baselines.run(checked, trace, self._client(client), self.jobs.note)
            command = PAGE_COMMANDS["analyze", checked.action]
            return await once_back(lambda: self._do(command, checked, trace, client))

        async def again(request: dict[str, Any]) -> Reply:
            checked = arguments.read("analyze", request)
            if analyses.acts(checked.action, checked.scope):
                fail("outcome_unknown", "The steps were done some times; then the process or the session ended.")
            if checked.against is not msgspec.UNSET:
                recovery = "Open the page that is meant, then call again."
                fail("outcome_unknown", "The process ended while the tab showed one page or the other.", recovery)
            return await first(request)

        return Run(first, again)

    async def _hunt(self, checked: tools.Analyze, trace: str, client: str) -> Reply:
        """Repeat the steps, and have judged what the page kept after each time."""
        begun = time.monotonic()
        measure = bridge.Analyze(
            client=self._client(client),
            tab_id=checked.tab_id,
            what="memory leak",
            parts=("memory",),
            arguments={"scope": "leak"},
            timeout_ms=MEASURE_S * 1_000,
            cached_ms=0,
        )

        async def measured() -> Reply:
            return await self._page(measure, self._timeout_s + MEASURE_S, trace)

        iterations = 10 if checked.iterations is msgspec.UNSET else checked.iterations
        hunt = await leak_hunt.run(batches.read(checked), iterations, self._step(trace, client), measured)
        took_ms = round((time.monotonic() - begun) * 1_000)
        judge = stop("audit", audit.Judge(checked.action, "leak"))
        body = pack(hunt.evidence() | {"duration_ms": took_ms})
        answer = await self._link.ask(judge, ttl_s=self._timeout_s, session=self.session, trace=trace, body=body)
        reply: Reply = answer.read()
        reply.pop("type", None)
        return reply

    async def _stored(self, mode: str, checked: tools.Analyze, trace: str) -> Reply:
        if mode == "regression":
            return await self._baselines.stored(checked, trace)
        return await self._drawing.detail(str(checked.correlation_id), trace)

    async def _interact(self, request: dict[str, Any], trace: str, client: str) -> Reply:
        checked = arguments.read("interact", request)
        return await self._do(PAGE_COMMANDS["interact", checked.action], checked, trace, client)

    async def _job(self, job: str, wait_s: float, budget: int, trace: str, client: str) -> bytes | Called:
        """Give the reply of an analysis that runs on, or that it is still to come."""
        reply = await self.jobs.outcome(job, wait_s, self._analysis(trace, client))
        if reply is None:
            stage = self.jobs.stage(job)
            pending = {"status": "pending", "correlation_id": job} | ({"stage": stage} if stage else {})
            return Called(encode(pending), pending=job)
        if "findings" not in reply:
            return self._replies.fit(regression.bounded(reply, budget), budget, ("warnings",))
        self._analyzed = reply
        return self._replies.fit(findings.bounded(reply, budget), budget, FINDING_LISTS)

    async def _generated(self, checked: tools.Generate, trace: str, client: str) -> Reply:
        """Save requests, actions, or the findings of an analysis (of the named one, or of this session's last)."""
        if checked.what == "har":
            return await self._generate.har(checked, trace)
        if checked.what in {"report", "reproduction", "test"}:
            with contextlib.suppress(Failed):  # a tab that is closed, or hangs, captures nothing more
                await self._page(bridge.SettleSteps(checked.tab_id), min(SETTLE_S, self._timeout_s), trace)
        if checked.what in {"reproduction", "test"}:
            return await self._generate.test(checked, trace)
        reply = self._analyzed
        if checked.correlation_id is not msgspec.UNSET:
            reply = await self.jobs.outcome(checked.correlation_id, self._timeout_s, self._analysis(trace, client))
        if checked.what == "report":
            return await self._generate.report(checked, (reply or {}).get("findings", []), trace)
        if reply is None or "findings" not in reply:
            fail("not_found", "There are no findings of an analysis yet.", "Call analyze(audit) first, with wait_s.")
        return await self._generate.sarif(checked, reply, trace)

    async def _batch(self, checked: tools.Interact, trace: str, client: str, progress: Progress) -> bytes:
        """Run the steps of a batch, each as a call of its own would be."""
        try:
            steps = batches.read(checked)
        except Failed as fault:
            request = {"action": checked.action, "tab_id": checked.tab_id}
            await self._note("interact", request, client, fault.failure.code, trace)
            raise

        reply = await batches.run(steps, self._step(trace, client), progress)
        return self._replies.fit(reply, checked.budget, ("steps",))

    def _step(self, trace: str, client: str) -> batches.Do:
        async def do(step: tools.Interact, most_s: float) -> Reply:
            try:
                return await self._do(PAGE_COMMANDS["interact", step.action], step, trace, client, most_s)
            except Failed as fault:
                raise Failed(_traced(fault.failure, trace)) from None

        return do

    async def _note(self, name: str, request: dict[str, Any], client: str, code: str, trace: str) -> None:
        """Write down a call that would have acted, though it is refused for its arguments."""
        tool = tools.TOOLS.get(name)
        mode = str(request.get(tool.key) or "") if tool is not None and tool.key else ""
        if (name, mode) not in ACTING:
            return
        tab = request.get("tab_id")
        tab_id = tab if isinstance(tab, int) and 0 <= tab < 1 << 31 else 0
        refused = bridge.NoteRefused(
            client=self._client(client), tab_id=tab_id, action=f"{name} {mode}".strip(), code=code
        )
        with contextlib.suppress(Failed):  # without a bridge it is lost
            await self._page(refused, STATUS_TTL_S, trace)

    def _client(self, name: str) -> bridge.Client:
        return bridge.Client(self.session, name[:CLIENT_CHARS])

    async def _act(
        self, message: bridge.Acts, ttl_s: float, trace: str, explained: diff.Request | None = None
    ) -> Reply:
        """Have the bridge act, once or not at all; `explained`: what the diff worker is asked of the answer."""
        then = [stop("diff", explained)] if explained is not None else []
        return await self._page(message, ttl_s, trace, Delivery.COMMAND, then)

    async def _page(
        self,
        message: msgspec.Struct,
        ttl_s: float,
        trace: str,
        delivery: Delivery = Delivery.QUERY,
        then: Sequence[Stop] = (),
        redact: RedactAnswer = NUMBERED,
    ) -> Reply:
        """Ask the bridge, have its answer redacted, and pass that through the stops that follow."""
        answer = await self._link.ask(
            stop("bridge", message, delivery),
            stop("redaction", redact),
            *then,
            ttl_s=ttl_s,
            session=self.session,
            trace=trace,
        )
        reply: Reply = answer.read()
        reply.pop("type", None)  # the Struct's tag
        return reply

    async def _lasting_page(
        self, message: msgspec.Struct, ttl_s: float, trace: str, *, then: Sequence[Stop] = ()
    ) -> Reply:
        """Ask the bridge for what a baseline keeps: the numbers of handles are of this session alone."""
        return await self._page(message, ttl_s, trace, then=then, redact=RedactAnswer(numbered=False))

    async def _more(self, name: str, mode: str, checked: Any, trace: str) -> bytes:  # noqa: ANN401 - the Struct of any tool
        """Continue where a reply was cut."""
        query = JOURNAL_QUERIES.get((name, mode))
        if query is None:
            return self._replies.more(checked.cursor, checked.budget)
        kept = self._queries.get(checked.cursor) or paging.query_of(checked.cursor)
        if type(kept) is not type(query.message(None)):
            text = f"This cursor is of a reply of {ITEM_NAMES[type(kept)]}, not of {query.name}."
            fail("invalid_params", text, "Give a cursor to the tool and mode it is from.", parameter="cursor")
        return await self._journal(kept, checked.budget, trace, verbose=_is_verbose(checked))

    def _keep(self, query: journal.Read) -> str:
        """Keep a query that is too long for a cursor, and give a short one."""
        cursor = secrets.token_hex(8)
        self._queries[cursor] = query
        while len(self._queries) > QUERIES:
            self._queries.popitem(last=False)
        return cursor

    async def _journal(self, query: journal.Read, budget: int, trace: str, *, verbose: bool = True) -> bytes:
        answer = await self._link.ask(stop("journal", query), ttl_s=self._timeout_s, session=self.session, trace=trace)
        read = answer.read(journal.EventsRead)
        absent = "" if read.items or read.state is None else await self._absent(read.tab, trace)
        return paging.reply(query, ITEM_NAMES[type(query)], read, budget, self._keep, absent, verbose=verbose)

    async def _absent(self, tab: int, trace: str) -> str:
        """Explain by what the browser has now why nothing of a tab is there."""
        try:
            listed = await self._page(bridge.ListTabs(), TABS_TTL_S, trace)
        except Failed as fault:
            unanswered = tab_hints.UNANSWERED if tab else ""
            return tab_hints.OFFLINE if fault.failure.code == "extension_disconnected" else unanswered
        return tab_hints.hint(listed["tabs"], tab)

    async def _effect(self, effect: str, trace: str) -> Reply:
        """Read what an action has caused."""
        query = stop("journal", journal.ReadEffect(effect))
        answer = await self._link.ask(query, ttl_s=self._timeout_s, session=self.session, trace=trace)
        read: journal.EffectRead = answer.read(journal.EffectRead)
        return read.effect

    async def _status(self, trace: str) -> Reply:
        extension = await self._extension(trace)  # before the broker counts what is in flight: without this ask
        status = await read_status(self._link)
        return {"version": VERSION, "extension": extension} | shown(status, await self._restarts(status))

    async def _restarts(self, status: StatusRead) -> dict[str, int]:
        """Ask the supervisor how often it restarted each process; nothing when another runner started the system."""
        if not any(peer.service == "supervisor" for peer in status.peers):
            return {}
        try:
            answer = await self._link.ask(stop("supervisor", ReadProcesses()), ttl_s=STATUS_TTL_S)
        except Failed:
            return {}  # the list of processes shows why: the supervisor is missing
        return {one.name: one.restarts for one in answer.read(ProcessesRead).processes if one.restarts}

    async def _extension(self, trace: str) -> Reply:
        try:
            return await self._page(bridge.ReadExtension(), STATUS_TTL_S, trace)
        except Failed:
            return {"connected": False}  # the list of processes shows why: the bridge or redaction is missing


def _is_verbose(checked: Any) -> bool:  # noqa: ANN401 - the Struct of any tool
    """Whether a list is one of objects: the seeds' own tools have the seeds' shapes."""
    verbose: bool = getattr(checked, "verbose", True)
    return verbose


def trace_of(traceparent: object) -> str:
    """Give the trace id of a client's `traceparent` (www.w3.org/TR/trace-context, 3.2), or a new one."""
    parent = PARENT.fullmatch(traceparent) if isinstance(traceparent, str) else None
    return parent["trace"] if parent else secrets.token_hex(16)


def _traced(failure: Failure, trace: str) -> Failure:
    """Name the trace where the call's hops explain more than the error."""
    if failure.code not in TRACED:
        return failure
    return msgspec.structs.replace(failure, details=failure.details | {"trace": trace[:TRACE_SHOWN]})
