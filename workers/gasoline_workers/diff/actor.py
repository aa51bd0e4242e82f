"""The diff worker's process; loads and causes do the comparing."""

from typing import Any

import msgspec

from gasoline_broker.actor.actor import Actor
from gasoline_broker.actor.client import Answer, Step
from gasoline_broker.actor.wire import pack
from gasoline_workers.diff.causes import explain
from gasoline_workers.diff.loads import compare
from gasoline_workers.diff.messages import ActionExplained, CompareLoads, ExplainAction, LoadsCompared, Request

MEASURED = "measured"
VALUE = 60  # characters of what a field holds
HANDLE, HANDLE_END = "⟦⟧"


class Diff(Actor[Request]):
    """Finds what is different: between two page loads, and after an action."""

    service = "diff"
    accepts = Request
    computes = True
    short_bytes = 8_192  # half a millisecond

    async def receive(self, message: Request, step: Step) -> Answer:
        """Return the reply that the stop before answered, with what was found in the place of what was measured."""
        return Answer(pack(answer(message, msgspec.msgpack.decode(step.body))))


def answer(message: Request, body: Any) -> Any:  # noqa: ANN401 - the reply of any action
    """Return the reply with what was found in the place of what was measured; without that, as it is."""
    if not isinstance(body, dict) or MEASURED not in body:
        return body
    reply = {name: value for name, value in body.items() if name != MEASURED}
    if isinstance(value := reply.get("value"), str):
        reply["value"] = _shown(value)
    return reply | msgspec.to_builtins(_found(message, body[MEASURED]))


def _shown(value: str) -> str:
    """Cut what a field holds, not within a handle: only here, for redaction knows no secret by half of it."""
    if len(value) <= VALUE:
        return value
    kept = value[:VALUE]
    before, opened, rest = kept.rpartition(HANDLE)
    return before if opened and HANDLE_END not in rest else kept


def _found(message: Request, measured: object) -> LoadsCompared | ActionExplained:
    match message:
        case CompareLoads():
            return compare(measured)
        case ExplainAction(analyze):
            return explain(measured, analyze=analyze)
