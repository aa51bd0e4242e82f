"""How a task of a user on a real application is judged, and how an error that names another call is followed."""

from typing import Any

import msgspec
import pytest

from apps.ours import TRUSTED, Ours
from apps.tasks import Day, Refused, Untried, Verdict, judge

DAY = Day()


async def truth(_: object) -> str:
    return "done"


@DAY.task("page", truth, "done")
async def do_it(_: object) -> str:
    """Do it."""
    return "done"


Case = tuple[Any, str, str, bool, Verdict]
"""Concluded, before, after, whether an error was followed, and the verdict."""

CASES: list[Case] = [
    ("done", "as it was", "done", False, "right"),
    ("done", "as it was", "done", True, "led"),
    ("as it was", "as it was", "as it was", False, "missed"),
    ("done", "as it was", "as it was", False, "wrong"),
    (Refused("no_such", "No."), "as it was", "as it was", False, "refused"),
    (Refused("no_such", "No."), "as it was", "half done", False, "missed"),
    (Untried("wheel"), "as it was", "as it was", False, "untried"),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[4]}, {case[2]}")
def test_a_verdict_compares_what_was_concluded_with_what_is(case: Case) -> None:
    concluded, before, after, led, verdict = case

    assert verdict == judge(DAY.tasks["do_it"], before, concluded, after, led=led)[0]


class Client:
    """Refuses a key by script, and names the call to make instead."""

    def __init__(self, *, recovery: str) -> None:
        self.recovery = recovery

    async def text(self, _: str, **arguments: Any) -> tuple[str, bool]:
        failed = "trusted" not in arguments
        error = {"error": {"code": "needs_trusted", "message": "No.", "recovery": self.recovery}}
        return msgspec.json.encode(error if failed else {"success": True}).decode(), failed


@pytest.mark.requirement("applications-060")
async def test_the_call_that_an_error_names_is_made_once_and_counted() -> None:
    led, ended = (Ours(Client(recovery=text)) for text in (f"{TRUSTED}.", "Look again."))  # type: ignore[arg-type] # a double of the session
    reply = await led.press("d")
    with pytest.raises(Refused):
        await ended.press("d")

    assert (True, 2, 1) == (reply["success"], led.calls, led.led)
    assert (1, 0) == (ended.calls, ended.led)
