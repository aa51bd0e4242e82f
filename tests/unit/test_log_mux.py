"""How the supervisor forwards the logs of its processes: as JSON lines, or in colour for a person."""

import msgspec
import pytest

from gasoline_broker.supervisor.log_mux import actor_of, coloured, plain

EVENT = {"event": "service_ready", "service": "diff", "timestamp": "2026-01-02T03:04:05.678Z", "level": "info"}


def test_an_event_is_passed_on_with_the_name_of_its_process() -> None:
    line = msgspec.json.encode(EVENT | {"process": "diff"}) + b"\n"

    shown = plain("diff.2", line)

    assert EVENT | {"process": "diff.2"} == msgspec.json.decode(shown)
    assert shown.endswith("\n")


@pytest.mark.requirement("fast-002")
def test_a_line_of_a_group_has_the_name_of_its_actor() -> None:
    assert "diff" == actor_of("workers", msgspec.json.encode(EVENT | {"process": "diff"}) + b"\n")
    assert ["workers"] * 3 == [actor_of("workers", line) for line in (msgspec.json.encode(EVENT), b"[1]\n", b"words")]


def test_what_is_no_event_becomes_one() -> None:
    assert {"process": "diff", "event": "output", "text": "Traceback \ufffd"} == msgspec.json.decode(
        plain("diff", b"Traceback \xff\n")
    )


@pytest.mark.parametrize("line", [b"{", b"[1]\n", b'"a"\n', b"\n", b"[" * 5_000])
@pytest.mark.requirement("hub-050")
def test_a_program_reads_one_event_of_each_line_of_any_kind(line: bytes) -> None:
    assert {"process": "diff", "event": "output", "text": line.decode().rstrip()} == msgspec.json.decode(
        plain("diff", line)
    )


@pytest.mark.requirement("hub-050")
def test_for_a_person_an_event_is_a_time_a_word_and_its_values() -> None:
    assert (
        "        diff\x1b[0m 03:04:05 service_ready service=diff\n" == coloured("diff", msgspec.json.encode(EVENT))[5:]
    )


@pytest.mark.parametrize(
    "line",
    [b"words\n", b"[1]\n", b'"a"\n', b"{}\n", b'{"event":1}\n', b'{"event":"\xff"}\n', b"[" * 5_000 + b"\n", b"\n"],
)
def test_for_a_person_anything_else_is_shown_as_it_is(line: bytes) -> None:
    assert coloured("diff", line) == "        diff " + line.decode(errors="replace")
