"""An analysis that runs on as a task of the protocol's tasks extension (SEP-2663), for clients that declare it.

Rules of this file:
- A task is a job of analyze: its id is the job's, and `observe(analyze_result)` gives the same outcome.
- The journal has a job before its caller learns the id, so a task that was created is found, also by the next front.
- An analysis that fails is a tool's error: the task is completed, with that error as its result.
- No task asks the client for anything, so an update has nothing to answer.
"""

from collections import OrderedDict
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, NamedTuple

import mcp_types as types
import msgspec
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from gasoline_bridge.front.calls import Called, Calls
from gasoline_bridge.front.jobs import KEPT_S
from gasoline_broker.errors import Failed

EXTENSION = "io.modelcontextprotocol/tasks"
MISSING_CAPABILITY = -32021  # MissingRequiredClientCapability (2026-07-28)
POLL_MS = 1_000  # an analysis takes seconds
KNOWN = 64  # tasks whose beginning and budget a session remembers

Answer = dict[str, Any]


class TaskParams(types.RequestParams):
    """Names a task."""

    task_id: str


class Begun(NamedTuple):
    """When a task was created (ISO 8601), and how many bytes its result may have."""

    at: str
    budget: int


AsResult = Callable[[Called], types.CallToolResult]
"""Makes a result of the protocol from an answer."""


class Tasks:
    """The tasks of one session."""

    def __init__(self, calls: Calls, as_result: AsResult) -> None:
        self._calls = calls
        self._as_result = as_result
        self._begun: OrderedDict[str, Begun] = OrderedDict()

    def created(self, job: str, request: dict[str, Any]) -> Answer:
        """Remember a job that has begun, and give the result that names it as a task."""
        budget = request.get("budget")
        begun = self._begun.setdefault(job, Begun(_now(), budget if isinstance(budget, int) else 0))
        while len(self._begun) > KNOWN:
            self._begun.popitem(last=False)
        return {"resultType": "task"} | self._task(job, "working", begun.at)

    async def get(self, context: Any, params: TaskParams) -> Answer:  # noqa: ANN401 - the SDK's own type
        """Give how far a task is, with its result once it has ended."""
        require_declared(context)
        job = params.task_id
        begun = self._begun.get(job) or Begun(_now(), 0)
        request = {"what": "analyze_result", "correlation_id": job, "wait_s": 0} | (
            {"budget": begun.budget} if begun.budget else {}
        )
        called = await self._calls.call("observe", request)
        if called.failed and _parameter(called) == "correlation_id":
            raise _unknown(job)
        if called.pending:
            stage = msgspec.json.decode(called.text).get("stage")
            return self._task(job, "working", begun.at) | ({"statusMessage": stage} if stage else {})
        if called.code == "cancelled":
            return self._task(job, "cancelled", begun.at)
        if called.code == "internal_error":  # none that a tool reports
            fault = {"code": types.INTERNAL_ERROR, "message": called.text.decode()}
            return self._task(job, "failed", begun.at) | {"error": fault}
        result = self._as_result(called).model_dump(mode="json", by_alias=True, exclude_none=True)
        return self._task(job, "completed", begun.at) | {"result": result}

    async def cancel(self, context: Any, params: TaskParams) -> Answer:  # noqa: ANN401 - the SDK's own type
        """Have a task end as cancelled; one that has ended stays as it is."""
        require_declared(context)
        try:
            await self._calls.jobs.cancel(params.task_id)
        except Failed as fault:
            if fault.failure.code == "not_found":
                raise _unknown(params.task_id) from None
            raise MCPError(types.INTERNAL_ERROR, fault.failure.text) from None
        return {"resultType": "complete"}

    async def update(self, context: Any, params: TaskParams) -> Answer:  # noqa: ANN401 - the SDK's own type
        """Take answers to what a task has asked the client for: none has."""
        await self.get(context, params)
        return {"resultType": "complete"}

    def _task(self, job: str, status: str, created: str) -> Answer:
        return {
            "taskId": job,
            "status": status,
            "createdAt": created,
            "lastUpdatedAt": _now(),
            "ttlMs": round(KEPT_S * 1_000),
            "pollIntervalMs": POLL_MS,
        }


def is_declared(context: Any) -> bool:  # noqa: ANN401 - the SDK's own type
    """Whether the client of a request understands tasks: earlier revisions have no result that is one."""
    capabilities = context.session.client_capabilities
    modern = context.session.protocol_version in MODERN_PROTOCOL_VERSIONS
    return modern and capabilities is not None and EXTENSION in (capabilities.extensions or {})


def require_declared(context: Any) -> None:  # noqa: ANN401 - the SDK's own type
    """Refuse the request of a client that does not understand tasks.

    Raises:
        MCPError: -32021.

    """
    if not is_declared(context):
        required: Answer = {"requiredCapabilities": {"extensions": {EXTENSION: {}}}}
        raise MCPError(MISSING_CAPABILITY, f"The client has not declared the extension {EXTENSION}.", required)


def _parameter(called: Called) -> object:
    """Name the parameter that an error is about."""
    return msgspec.json.decode(called.text)["error"].get("details", {}).get("parameter")


def _unknown(job: str) -> MCPError:
    return MCPError(types.INVALID_PARAMS, f"There is no task {job[:40]!r}: it is kept for {KEPT_S / 60:.0f} minutes.")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
