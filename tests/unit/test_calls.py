"""Which trace a call goes by."""

import pytest

from gasoline_bridge.front.calls import trace_of

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"


@pytest.mark.parametrize(
    "parent",
    [f"00-{TRACE}-00f067aa0ba902b7-01", f"00-{TRACE}-00f067aa0ba902b7-00", f"cc-{TRACE}-00f067aa0ba902b7-01-more"],
)
def test_a_clients_trace_is_continued(parent: str) -> None:
    assert TRACE == trace_of(parent)


@pytest.mark.parametrize(
    "parent",
    [
        "",
        None,
        7,
        TRACE,
        f"ff-{TRACE}-00f067aa0ba902b7-01",
        f"00-{'0' * 32}-00f067aa0ba902b7-01",
        f"00-{TRACE}-{'0' * 16}-01",
        f"00-{TRACE.upper()}-00f067aa0ba902b7-01",
        f"00-{TRACE}-00f067aa0ba902b7",
    ],
)
def test_without_one_or_with_nonsense_a_call_has_a_trace_of_its_own(parent: object) -> None:
    made = trace_of(parent)

    assert (32, True) == (len(made), made != TRACE)
    assert made != trace_of(parent)
