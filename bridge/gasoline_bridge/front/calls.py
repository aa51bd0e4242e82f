"""A tool call's way: from its checked arguments to an itinerary, and from the answer to a reply that fits.

Rules of this file:
- What a page said is asked for by way of redaction, always: `_page` is the only way to it.
- A new mode is a row in WAYS: what to ask the bridge, and which lists of the answer may be cut, the first one first;
  or one in PARTS: what to ask the journal, which holds only what went through redaction, and what its items are called;
  or one in DEEDS: what acts on the page, in whose name.
"""

import contextlib
import math
import re
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

import msgspec
import structlog

from gasoline_bridge.chrome import messages as bridge
from gasoline_bridge.front import accessibility, arguments, batches, paging, script_reply, tools
from gasoline_bridge.front.replies import Replies, Reply, error
from gasoline_broker.actor.client import Link
from gasoline_broker.actor.status import read_status
from gasoline_broker.actor.wire import Delivery, Stop, stop
from gasoline_broker.errors import Failed, Failure, fail
from gasoline_broker.messages import ProcessesRead, ReadProcesses, StatusRead
from gasoline_broker.product import VERSION
from gasoline_workers.diff import messages as diff
from gasoline_workers.journal import messages as journal
from gasoline_workers.redaction.messages import RedactAnswer

STATUS_TTL_S = 2.0
WAITS_S = 3.0  # for a turn and quiet hands, beyond what a query's time has room for
AUDITS_S = 10.0  # for an audit before an action and one after it, 5 s each at most
LOAD_S = 20.0  # for the page that a state is loaded into
CLIENT_CHARS = 100  # of a client's name
QUESTIONS = 32  # of a session that are kept for their cursors
PARENT = re.compile(r"(?!ff)[0-9a-f]{2}-(?!0{32})(?P<trace>[0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?")
SYSTEMS_OWN = {"deadline_exceeded", "internal_error", "outcome_unknown", "redaction_unavailable", "worker_unavailable"}
TRACE_SHOWN = 8  # digits: enough for `gasoline trace`, which knows the last thousand

logger = structlog.get_logger()

Asked = TypeVar("Asked", bound=journal.Window)


class ProcessSeen(msgspec.Struct, frozen=True, omit_defaults=True):
    """A process of the system: what it works on now, what it has answered, and for how long it is up (seconds)."""

    service: str
    pid: int
    up_s: float
    running: int = 0
    done: int = 0


class StatusSeen(msgspec.Struct, frozen=True, omit_defaults=True):
    """The shape of what `observe(what:"status")` answers.

    `waiting`: asks by service; `in_flight`: asks under way; `restarts`: by process; `counts`: what went wrong.
    """

    version: str
    extension: bridge.ExtensionRead
    processes: list[ProcessSeen]
    waiting: dict[str, int] = {}
    in_flight: int = 0
    restarts: dict[str, int] = {}
    counts: dict[str, int] = {}


class Way(NamedTuple):
    """What a tool, in a mode, asks of the bridge, and the lists of its answer."""

    ask: Callable[[Any], msgspec.Struct]
    lists: tuple[str, ...]


def _query_dom(told: tools.QueryDom) -> bridge.QueryDom:
    properties = None if told.properties is msgspec.UNSET else told.properties
    return bridge.QueryDom(
        selector=told.selector,
        include_styles=told.include_styles,
        include_children=told.include_children,
        max_depth=told.max_depth,
        properties=properties,
        offset=told.offset,
        tab_id=told.tab_id,
    )


_PAGE = Way(lambda told: bridge.GetPageInfo(told.tab_id), ("headings", "forms"))
WAYS: dict[tuple[str, str], Way] = {
    ("query_dom", ""): Way(_query_dom, ("matches",)),
    ("get_page_info", ""): _PAGE,
    ("observe", "page"): _PAGE,
    ("observe", "tabs"): Way(lambda _told: bridge.ListTabs(), ("tabs",)),
    ("configure", "clear"): Way(lambda _told: bridge.ClearEvents(), ()),
}


def _window(kind: type[Asked], *names: str) -> Callable[[Any], Asked]:
    """Make the journal's question of a tool's arguments: those of a window, and the named ones."""

    def ask(told: Any) -> Asked:  # noqa: ANN401 - the Struct of any tool that reads the journal
        every = ("since_seq", "limit", "tab_id", "all_tabs", "url_filter", *names)
        given = {name: getattr(told, name, msgspec.UNSET) for name in every}
        set_ = {name: value for name, value in given.items() if value is not msgspec.UNSET}
        return msgspec.convert(set_, kind)

    return ask


class Part(NamedTuple):
    """What a tool, in a mode, asks of the journal, and the name of the items in its reply."""

    ask: Callable[[Any], journal.Read]
    name: str


_BODIES = Part(_window(journal.ReadBodies, "method", "status_min", "status_max", "body_path"), "bodies")
_SOCKETS = Part(_window(journal.ReadWebSockets, "connection_id", "direction"), "events")
PARTS: dict[tuple[str, str], Part] = {
    ("observe", "logs"): Part(_window(journal.ReadLogs, "levels", "text"), "logs"),
    ("observe", "errors"): Part(_window(journal.ReadErrors, "text"), "errors"),
    ("observe", "network_waterfall"): Part(
        _window(journal.ReadWaterfall, "method", "status_min", "status_max", "headers"), "requests"
    ),
    ("observe", "network_bodies"): _BODIES,
    ("observe", "websocket_events"): _SOCKETS,
    ("observe", "vitals"): Part(_window(journal.ReadVitals), "loads"),
    ("observe", "performance"): Part(_window(journal.ReadPerformance), "snapshots"),
    ("observe", "actions"): Part(_window(journal.ReadActions), "actions"),
    ("get_websocket_events", ""): _SOCKETS,
    ("get_network_bodies", ""): _BODIES,
}
EFFECT_LISTS = ("console", "requests", "routes", "storage", "errors")  # of an effect, the least telling first
NAMES = {type(part.ask(None)): part.name for part in PARTS.values()}


class Deed(NamedTuple):
    """What a tool, in a mode, has the bridge do; the lists of the answer, and more time than a query has (s).

    `explained`: who tells what the answer measured.
    """

    ask: Callable[[Any, bridge.Client], bridge.Acts]
    lists: tuple[str, ...] = ()
    more_s: Callable[[Any], float] = lambda _told: 0.0
    explained: Callable[[Any], diff.Request | None] = lambda _told: None


def _deed(kind: type[Any], *names: str) -> Callable[[Any, bridge.Client], bridge.Acts]:
    """Make the ask of a tool's arguments: the named ones, and the tab."""
    return lambda told, client: kind(client=client, tab_id=told.tab_id, **{name: getattr(told, name) for name in names})


def _interact(told: tools.Interact, client: bridge.Client) -> bridge.Interact:
    of_all = ("action", "tab_id", "budget", "cursor")
    given = {name: getattr(told, name) for name in told.__struct_fields__ if name not in of_all}
    own = {
        name: value
        for name, value in given.items()
        if value is not msgspec.UNSET and told.action in tools.INTERACT_ONLY.get(name, tools.MUTATING)
    }
    return bridge.Interact(client=client, tab_id=told.tab_id, action=told.action, arguments=own)


_MUTATE = Deed(
    _interact,
    ("network", "long_tasks"),
    more_s=lambda told: AUDITS_S if told.a11y else 0.0,
    explained=lambda told: diff.ExplainAction(told.analyze),
)
_TRAVEL = Deed(_interact, more_s=lambda _told: LOAD_S, explained=lambda _told: diff.CompareLoads())
_WAIT = Deed(_interact, more_s=lambda told: told.timeout_ms / 1_000)
_HIGHLIGHT = Deed(_deed(bridge.Highlight, "selector", "duration_ms"))
_SAVE = Deed(_deed(bridge.SaveState, "snapshot_name"))
_LOAD = Deed(_deed(bridge.LoadState, "snapshot_name", "include_url"), ("refused",), lambda _told: LOAD_S)
_LIST = Deed(_deed(bridge.ListStates), ("snapshots",))
_DELETE = Deed(_deed(bridge.DeleteState, "snapshot_name"))
_EXECUTE = Deed(
    _deed(bridge.Execute, "script", "timeout_ms"), ("dialogs", "result"), lambda told: WAITS_S + told.timeout_ms / 1_000
)
DEEDS: dict[tuple[str, str], Deed] = {
    ("configure", "highlight"): _HIGHLIGHT,
    ("configure", "save_state"): _SAVE,
    ("configure", "load_state"): _LOAD,
    ("configure", "list_states"): _LIST,
    ("configure", "delete_state"): _DELETE,
    ("configure", "execute"): _EXECUTE,
    ("configure", "lease"): Deed(_deed(bridge.Lease, "ttl_s")),
    ("configure", "release"): Deed(_deed(bridge.Release), ("released",)),
    **{("interact", action): _MUTATE for action in tools.MUTATING},
    **{("interact", action): _TRAVEL for action in tools.TRAVELLING},
    **{("interact", action): Deed(_interact, ("elements",)) for action in (*tools.READING, *tools.MOVING)},
    ("interact", "wait_for"): _WAIT,
    ("interact", "dialog"): Deed(_interact, more_s=lambda _told: LOAD_S),
    **{("interact", action): Deed(_interact, more_s=lambda _told: LOAD_S) for action in tools.TABS},
    ("highlight_element", ""): _HIGHLIGHT,
    ("manage_state", "save"): _SAVE,
    ("manage_state", "load"): _LOAD,
    ("manage_state", "list"): _LIST,
    ("manage_state", "delete"): _DELETE,
    ("execute_javascript", ""): _EXECUTE,
}

BATCH = ("interact", "batch")  # done by doing others


class Calls:
    """The calls of one session: its cursors are not another's."""

    def __init__(self, link: Link, timeout_s: float) -> None:
        self._link = link
        self._timeout_s = timeout_s
        self._acted = False
        self._replies = Replies()
        self._questions: OrderedDict[str, journal.Read] = OrderedDict()
        self.session = secrets.token_hex(8)

    async def call(
        self, name: str, given: dict[str, Any], traceparent: object = "", client: str = ""
    ) -> tuple[bytes, bool]:
        """Answer a tool call: the JSON text, and whether it is an error. Never raises but when it is cancelled.

        `traceparent` is the client's own (W3C Trace Context, in the request's `_meta`): its trace is gone on with.
        `client` is the name that it gives itself.
        """
        trace, begun = trace_of(traceparent), time.monotonic()
        with structlog.contextvars.bound_contextvars(trace=trace):
            outcome = "cancelled"
            try:
                text = await self._answer(name, given, trace, client)
            except Failed as fault:
                outcome = fault.failure.code
                return error(_traced(fault.failure, trace)), True
            except Exception as fault:  # noqa: BLE001 - the model would learn nothing from the SDK's words
                outcome = "internal_error"
                logger.error("call_broke", tool=name, fault=type(fault).__name__)  # noqa: TRY400 - its words may be a page's
                failure = Failure("internal_error", f"{name} failed.", "`gasoline doctor` helps to find out why.")
                return error(_traced(failure, trace)), True
            else:
                outcome = "answered"
                return text, False
            finally:
                took_ms = round((time.monotonic() - begun) * 1000, 1)
                logger.info("call_ended", tool=name, session=self.session, outcome=outcome, took_ms=took_ms)

    async def close(self) -> None:
        """Give back the tabs that this session has leased."""
        if self._acted:
            release = bridge.Release(client=bridge.Client(self.session), tab_id=bridge.EVERY_TAB)
            with contextlib.suppress(Failed):  # then they fall free by themselves
                await self._act(release, STATUS_TTL_S, secrets.token_hex(16))

    async def _answer(self, name: str, given: dict[str, Any], trace: str, client: str) -> bytes:
        try:
            told = arguments.read(name, given)
        except Failed as fault:
            await self._note(name, given, client, fault.failure.code, trace)
            raise
        key = tools.TOOLS[name].key
        mode = getattr(told, key) if key else ""
        cursor = getattr(told, "cursor", msgspec.UNSET)
        if cursor is not msgspec.UNSET:
            return await self._more(name, mode, told, trace)
        if part := PARTS.get((name, mode)):
            return await self._part(part.ask(told), told.budget, trace)
        if (name, mode) == BATCH:
            return await self._batch(told, trace, client)
        reply, lists = await self._reply(name, mode, told, trace, client)
        return self._replies.fit(reply, told.budget, lists)

    async def _reply(
        self,
        name: str,
        mode: str,
        told: Any,  # noqa: ANN401 - the Struct of any tool
        trace: str,
        client: str,
    ) -> tuple[Reply, tuple[str, ...]]:
        """Give the whole answer, and which of its lists may be cut."""
        if (name, mode) == ("observe", "status"):
            return await self._status(trace), ("processes",)
        if (name, mode) == ("observe", "effects"):
            return await self._effect(told.id, trace), EFFECT_LISTS
        if deed := DEEDS.get((name, mode)):
            reply = await self._do(deed, told, trace, client)
            return script_reply.bounded(accessibility.bounded(reply, told.budget), told.budget), script_reply.lists(
                reply, deed.lists
            )
        way = WAYS[name, mode]
        return await self._page(way.ask(told), self._timeout_s, trace), way.lists

    async def _do(
        self,
        deed: Deed,
        told: Any,  # noqa: ANN401 - the Struct of any tool
        trace: str,
        client: str,
        most_s: float = math.inf,
    ) -> Reply:
        """Have a deed done, within `most_s` in any case."""
        ask = deed.ask(told, bridge.Client(self.session, client[:CLIENT_CHARS]))
        self._acted = True
        ttl_s = min(most_s, self._timeout_s + deed.more_s(told))
        return await self._act(ask, ttl_s, trace, deed.explained(told))

    async def _batch(self, told: tools.Interact, trace: str, client: str) -> bytes:
        """Have the steps of a batch done, each as a call of its own would be."""
        try:
            steps = batches.read(told)
        except Failed as fault:
            await self._note(BATCH[0], {"action": BATCH[1], "tab_id": told.tab_id}, client, fault.failure.code, trace)
            raise

        async def do(step: tools.Interact, most_s: float) -> Reply:
            try:
                return await self._do(DEEDS["interact", step.action], step, trace, client, most_s)
            except Failed as fault:
                raise Failed(_traced(fault.failure, trace)) from None

        return self._replies.fit(await batches.run(steps, do), told.budget, ("steps",))

    async def _note(self, name: str, given: dict[str, Any], client: str, code: str, trace: str) -> None:
        """Have a call that would have acted written down, though it is refused for its arguments."""
        tool = tools.TOOLS.get(name)
        mode = str(given.get(tool.key) or "") if tool is not None and tool.key else ""
        if (name, mode) not in {*DEEDS, BATCH} or mode == "release":
            return
        tab, who = given.get("tab_id"), bridge.Client(self.session, client[:CLIENT_CHARS])
        number = tab if isinstance(tab, int) and 0 <= tab < 1 << 31 else 0
        refused = bridge.NoteRefused(client=who, tab_id=number, action=f"{name} {mode}".strip(), code=code)
        with contextlib.suppress(Failed):  # nobody is there to write it down
            await self._page(refused, STATUS_TTL_S, trace)

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
    ) -> Reply:
        """Ask the bridge, have what the page said redacted, and hand that on to those who come then."""
        answer = await self._link.ask(
            stop("bridge", message, delivery),
            stop("redaction", RedactAnswer()),
            *then,
            ttl_s=ttl_s,
            session=self.session,
            trace=trace,
        )
        reply: Reply = answer.read()
        reply.pop("type", None)  # the Struct's tag
        return reply

    async def _more(self, name: str, mode: str, told: Any, trace: str) -> bytes:  # noqa: ANN401 - the Struct of any tool
        """Go on where a reply was cut."""
        part = PARTS.get((name, mode))
        if part is None:
            return self._replies.more(told.cursor, told.budget)
        asked = self._questions.get(told.cursor) or paging.question(told.cursor)
        if type(asked) is not type(part.ask(None)):
            text = f"This cursor is of a reply of {NAMES[type(asked)]}, not of {part.name}."
            fail("invalid_params", text, "Give a cursor to the tool and mode it is from.", parameter="cursor")
        return await self._part(asked, told.budget, trace)

    def _keep(self, asked: journal.Read) -> str:
        """Keep a question that is too long for a cursor, and give a short one."""
        cursor = secrets.token_hex(8)
        self._questions[cursor] = asked
        while len(self._questions) > QUESTIONS:
            self._questions.popitem(last=False)
        return cursor

    async def _part(self, asked: journal.Read, budget: int, trace: str) -> bytes:
        """Read a part of the journal."""
        answer = await self._link.ask(stop("journal", asked), ttl_s=self._timeout_s, session=self.session, trace=trace)
        return paging.reply(asked, NAMES[type(asked)], answer.read(journal.EventsRead), budget, self._keep)

    async def _effect(self, wanted: str, trace: str) -> Reply:
        """Read what an action has caused."""
        ask = stop("journal", journal.ReadEffect(wanted))
        answer = await self._link.ask(ask, ttl_s=self._timeout_s, session=self.session, trace=trace)
        read: journal.EffectRead = answer.read(journal.EffectRead)
        return read.effect

    async def _status(self, trace: str) -> Reply:
        extension = await self._extension(trace)  # before the broker counts what is in flight: not our own
        status = await read_status(self._link)
        return {"version": VERSION, "extension": extension} | _shown(status, await self._restarts(status))

    async def _restarts(self, status: StatusRead) -> dict[str, int]:
        """Ask the supervisor what it had to start again; nothing when another runner has started the system."""
        if not any(peer.service == "supervisor" for peer in status.peers):
            return {}
        try:
            answer = await self._link.ask(stop("supervisor", ReadProcesses()), ttl_s=STATUS_TTL_S)
        except Failed:
            return {}  # why is seen among the processes: the supervisor is missing
        return {one.name: one.restarts for one in answer.read(ProcessesRead).processes if one.restarts}

    async def _extension(self, trace: str) -> Reply:
        try:
            return await self._page(bridge.ReadExtension(), STATUS_TTL_S, trace)
        except Failed:
            return {"connected": False}  # why is seen among the processes: the bridge or redaction is missing


def trace_of(traceparent: object) -> str:
    """Give the trace id of a client's `traceparent` (www.w3.org/TR/trace-context, 3.2), or a new one."""
    parent = PARENT.fullmatch(traceparent) if isinstance(traceparent, str) else None
    return parent["trace"] if parent else secrets.token_hex(16)


def _traced(failure: Failure, trace: str) -> Failure:
    """Name the trace where the call's way tells more than the words."""
    if failure.code not in SYSTEMS_OWN:
        return failure
    return msgspec.structs.replace(failure, details=failure.details | {"trace": trace[:TRACE_SHOWN]})


def _shown(status: StatusRead, restarts: dict[str, int]) -> Reply:
    broker = ProcessSeen("broker", status.pid, status.up_s)
    peers = [ProcessSeen(peer.service, peer.pid, peer.up_s, peer.running, peer.done) for peer in status.peers]
    shown: Reply = msgspec.to_builtins({"processes": [broker, *peers]})
    more = {
        "waiting": {one.service: one.waiting for one in status.services if one.waiting},
        "in_flight": status.in_flight,
        "restarts": restarts,
        "counts": status.counts,
    }
    return shown | {name: value for name, value in more.items() if value}
