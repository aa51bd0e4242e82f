"""How long a call may take at most, by its arguments."""

from typing import Any

import pytest

from gasoline_bridge.front import arguments
from gasoline_bridge.front.dispatch import PAGE_COMMANDS
from gasoline_bridge.front.tools import HOLD_MAX_MS, TIMEOUT_MAX_MS
from gasoline_broker.settings import Settings

CLIENTS_S = 60.0  # some give a call up then (SPEC, settled contradiction 10)
LONGEST: list[tuple[str, dict[str, Any]]] = [
    ("execute_javascript", {"script": "1", "timeout_ms": TIMEOUT_MAX_MS}),
    ("configure", {"action": "execute", "script": "1", "timeout_ms": TIMEOUT_MAX_MS}),
    ("configure", {"action": "load_state", "snapshot_name": "a"}),
    ("interact", {"action": "wait_for", "text": "x", "timeout_ms": TIMEOUT_MAX_MS}),
    ("interact", {"action": "click", "selector": "a", "hold_ms": HOLD_MAX_MS, "a11y": True}),
    ("interact", {"action": "navigate", "url": "http://localhost/"}),
]


@pytest.mark.requirement("tries-016")
@pytest.mark.parametrize(("name", "request_"), LONGEST, ids=lambda one: one if isinstance(one, str) else str(one)[:40])
def test_the_longest_call_ends_before_a_client_gives_it_up(name: str, request_: dict[str, Any]) -> None:
    checked = arguments.read(name, request_)
    command = PAGE_COMMANDS[name, request_.get("action", "")]

    assert Settings().call_timeout_s + command.extra_s(checked) < CLIENTS_S
