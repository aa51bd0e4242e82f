"""What a client's log has of two looks at the system."""

from typing import Any

import pytest

from gasoline_bridge.front.log_messages import ANSWERS_AGAIN, NO_ANSWER, at_first, changes, seen

pytestmark = pytest.mark.requirement("clients-012")

SERVICES = {"broker": 1, "bridge": 2, "journal": 3, "redaction": 3}


def status(connected: bool = True, front_s: float = 100.0, **pids: int) -> dict[str, Any]:  # noqa: FBT001, FBT002 - a row
    rows = [{"service": name, "pid": pid, "up_s": 100.0} for name, pid in (SERVICES | pids).items() if pid]
    front = {"service": "front", "pid": 9, "up_s": front_s}
    return {"extension": {"connected": connected}, "processes": [*rows, front]}


def told(before: dict[str, Any] | None, now: dict[str, Any] | None) -> list[tuple[str, str]]:
    return [(one.level, one.text) for one in changes(seen(before), seen(now))]


def test_nothing_is_said_of_a_system_that_stays() -> None:
    assert [] == told(status(), status(front_s=200.0))
    assert [] == told(None, None)
    assert [] == at_first(status())


def test_processes_that_are_restarted_are_one_message() -> None:
    assert [("warning", "Restarted: journal, redaction.")] == told(status(), status(journal=4, redaction=4))


def test_a_lost_process_says_what_is_lost_with_it() -> None:
    (lost,) = told(status(), status(redaction=0))

    assert "error" == lost[0]
    assert lost[1].startswith("redaction is away. Calls that read a page fail until it is back")
    assert [("info", "Running: redaction.")] == told(status(redaction=0), status())
    assert [lost] == [*map(tuple, at_first(status(redaction=0)))]


def test_chrome_comes_and_goes() -> None:
    assert [("warning", "Chrome is no longer connected.")] == told(status(), status(connected=False))
    assert [("info", "Chrome is connected.")] == told(status(connected=False), status())


def test_a_system_without_an_answer_is_said_once() -> None:
    assert [NO_ANSWER] == changes(seen(status()), None)
    assert [ANSWERS_AGAIN] == changes(None, seen(status()))
    assert [NO_ANSWER] == at_first(None)


def test_commands_and_other_fronts_pass_without_a_word() -> None:
    assert [] == told(status(cli=7), status())
    assert [] == told(status(), status(cli=8))


def test_a_front_that_has_just_been_restarted_is_named_at_first() -> None:
    assert [("warning", "Restarted: front.")] == [
        *map(tuple, at_first(status(front_s=1.0) | {"restarts": {"front": 1}}))
    ]
    assert [] == at_first(status(front_s=1.0))
    assert [] == at_first(status() | {"restarts": {"front": 1}})
