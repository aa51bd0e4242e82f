"""Runs the steps of a batch in order, and makes one reply of theirs; how a step is done it does not know.

Rules of this file:
- Every step is checked before the first one is done.
- It stops at the first step that fails. The reply then has `success` false, `failed_at` and the step's `error`, and is
  no MCP error: the steps before have acted, and what they caused is part of the answer.
- The error is no item of the steps: a reply that is cut to its budget loses steps, never the error.
- A step that opens a dialog has not failed if the next one answers it.
"""

import time
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from gasoline_bridge.front import arguments, tools
from gasoline_bridge.front.progress import Progress
from gasoline_bridge.front.replies import Reply
from gasoline_broker.error_codes import as_error
from gasoline_broker.errors import Failed, Failure, fail

BATCH_S = 50.0  # some clients give up a call at 60 s (SPEC, settled contradiction 10)
LEAST_S = 1.0  # what must be left for a step to be begun
PLACE = ("seq", "journal_unavailable")  # of the last step that has one of them: it is the batch's
OF_BATCH = ("steps", "budget", "cursor")  # what a step cannot have

Do = Callable[[tools.Interact, float], Awaitable[Reply]]
"""Does one step within so many seconds."""


def read(checked: tools.Interact | tools.Analyze) -> list[tools.Interact]:
    """Give the steps as they are done, each in the batch's tab if it names none.

    Raises:
        Failed: `invalid_params`, which names the step and its parameter: `steps[2].selector`.

    """
    steps = checked.steps if isinstance(checked.steps, list) else []
    return [_step(f"steps[{number}]", step, checked.tab_id) for number, step in enumerate(steps)]


async def run(
    steps: list[tools.Interact], do: Do, progress: Progress, now: Callable[[], float] = time.monotonic
) -> Reply:
    """Do the steps until one fails or the time is over, and give the batch's reply."""
    until, place = now() + BATCH_S, Reply()
    done: list[Reply] = []
    for number, step in enumerate(steps):
        progress.begin_step(number, len(steps), step.action)
        try:
            left_s = until - now()
            if left_s < LEAST_S:
                raise _late(number)
            reply = await do(step, left_s)
        except Failed as fault:
            if _is_answered(fault.failure, step, steps[number + 1 : number + 2]):
                done.append({"action": step.action, "opened": _dialog(fault.failure)})
                continue
            return _reply(done) | place | {"failed_at": number, "error": as_error(fault.failure)}
        place = {name: reply[name] for name in PLACE if name in reply} or place
        done.append({name: value for name, value in reply.items() if name not in {"success", *PLACE}})
    return _reply(done) | place | {"success": True}


def _is_answered(failure: Failure, step: tools.Interact, following: list[tools.Interact]) -> bool:
    opened = failure.code == "dialog_open" and failure.details.get("opened") and failure.details.get("answerable", True)
    return bool(opened) and any(next_.action == "dialog" and next_.tab_id == step.tab_id for next_ in following)


def _dialog(failure: Failure) -> Reply:
    return {name: failure.details[name] for name in ("type", "message", "default_prompt") if name in failure.details}


def _step(place: str, step: dict[str, Any], tab_id: int) -> tools.Interact:
    action = step.get("action", step.get("what"))
    if action == "batch":
        fail(
            "invalid_params",
            f"{place}.action: a batch holds no batch.",
            "Put its steps here.",
            parameter=f"{place}.action",
        )
    for name in OF_BATCH:
        if step.get(name) is not None:
            text = f"{place}.{name}: a step of a batch has no {name}."
            fail("invalid_params", text, f"Leave {name} out of the steps.", parameter=f"{place}.{name}")
    request = {name: value for name, value in step.items() if name not in OF_BATCH}
    request = request if step.get("tab_id") or not tab_id else request | {"tab_id": tab_id}
    try:
        checked: tools.Interact = arguments.read("interact", request)
    except Failed as fault:
        raise Failed(_placed(fault.failure, place)) from None
    return checked


def _placed(failure: Failure, place: str) -> Failure:
    parameter = failure.details.get("parameter")
    named = f"{place}.{parameter}" if parameter else place
    return msgspec.structs.replace(
        failure, text=f"{place}: {failure.text}", details=failure.details | {"parameter": named}
    )


def _reply(done: list[Reply]) -> Reply:
    return {"success": False, "action": "batch", "steps": done}


def _late(number: int) -> Failed:
    text = f"The batch has used up its {BATCH_S:.0f} s; this step was not begun."
    return Failed(Failure("deadline_exceeded", text, f"Call again with the steps from {number} on."))
