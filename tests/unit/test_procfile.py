"""What a Procfile names, what may run more than once, and how other requests are refused."""

from pathlib import Path

import pytest

from gasoline_broker.errors import Failed
from gasoline_broker.supervisor import procfile
from gasoline_broker.supervisor.procfile import COUNT_MAX, Place

PROCFILE = Path(__file__).parents[2] / "Procfile"
COMMANDS = {"broker": "gasoline broker", "redaction": "gasoline worker redaction", "odd": "gasoline 'worker"}


@pytest.mark.parametrize(
    ("texts", "counts"),
    [
        (["redaction=3"], {"redaction": 3}),
        (["redaction=3,diff=0"], {"redaction": 3, "diff": 0}),
        ([" redaction = 3 , diff=2", "redaction=1"], {"redaction": 1, "diff": 2}),
    ],
)
def test_counts_are_read_as_honcho_writes_them(texts: list[str], counts: dict[str, int]) -> None:
    assert counts == procfile.read_counts(texts)


@pytest.mark.parametrize(
    "text",
    ["", "redaction", "redaction=", "=3", "redaction=-1", "redaction=x", "a=1,", "a=²", "a=1=2", "a=" + "9" * 30],
)
def test_another_form_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(Failed, match="has no count") as caught:
        procfile.read_counts([text])

    assert ("invalid_params", "Write NAME=COUNT, as in redaction=3.") == (
        caught.value.failure.code,
        caught.value.failure.recovery,
    )


@pytest.mark.parametrize("count", [0, 1, COUNT_MAX])
def test_a_worker_may_run_any_number_of_times(count: int) -> None:
    procfile.check(COMMANDS, {"redaction": count})


@pytest.mark.parametrize(
    ("counts", "text"),
    [
        ({"redaction": COUNT_MAX + 1}, "redaction is 65, which is out of range."),
        ({"redaction": -1}, "redaction is -1, which is out of range."),
        ({"broker": 1}, "broker holds a lock, a port or a socket of which there is one: it runs once."),
        ({"odd": 1}, "odd holds a lock, a port or a socket of which there is one: it runs once."),
        ({"redaction": 2, "nobody": 1}, "nobody is not a line of the Procfile."),
    ],
)
def test_what_cannot_be_is_refused_and_what_can_be_is_listed(counts: dict[str, int], text: str) -> None:
    with pytest.raises(Failed) as caught:
        procfile.check(COMMANDS, counts)

    failure = caught.value.failure
    assert ("invalid_params", text) == (failure.code, failure.text)
    assert "These can be scaled: redaction; from 0 to 64." == failure.recovery
    assert ["redaction"] == failure.details["valid"]


def test_of_our_own_procfile_the_workers_can_be_scaled_and_nothing_else() -> None:
    commands = procfile.read(PROCFILE)

    for name, command in commands.items():
        if "worker" in command:
            procfile.check(commands, {name: 2})
        else:
            with pytest.raises(Failed):
                procfile.check(commands, {name: 2})


def test_the_first_process_is_called_as_its_line_and_the_others_are_numbered() -> None:
    assert ["broker", "redaction", "redaction.2", "redaction.3"] == [
        place.name for place in procfile.places({"broker": 1, "redaction": 3, "diff": 0})
    ]


def test_a_place_is_its_line_and_its_number() -> None:
    assert [Place("redaction", 1), Place("redaction", 2)] == procfile.places({"redaction": 2})


COMPACT = procfile.compact(
    {"broker": "gasoline broker", "diff": "gasoline worker diff", "audit": "gasoline worker audit"}
)


@pytest.mark.requirement("fast-001")
def test_a_compact_system_has_one_process_with_an_actor_of_each_worker() -> None:
    counts = dict.fromkeys(COMPACT, 1)

    assert "gasoline worker diff audit" == COMPACT["workers"]
    assert ("diff", "audit") == procfile.actors(COMPACT)
    assert ["broker", "workers"] == [place.name for place in procfile.places(counts, procfile.actors(COMPACT))]


@pytest.mark.requirement("fast-002")
def test_of_a_compact_system_the_first_of_a_worker_is_its_actor() -> None:
    counts = dict.fromkeys(COMPACT, 1) | {"diff": 3}

    assert ["broker", "workers", "diff.2", "diff.3"] == [
        place.name for place in procfile.places(counts, procfile.actors(COMPACT))
    ]


@pytest.mark.parametrize(
    ("counts", "text"),
    [
        ({"diff": 0}, "diff is 0, which is out of range."),
        ({"workers": 2}, "workers has one actor of each worker."),
    ],
)
def test_the_actors_of_a_compact_system_stay(counts: dict[str, int], text: str) -> None:
    with pytest.raises(Failed) as caught:
        procfile.check(COMPACT, counts)

    assert text == caught.value.failure.text
    assert "These can be scaled: diff, audit; from 1 to 64." == caught.value.failure.recovery


def test_a_procfile_without_workers_is_compact_already() -> None:
    assert {"broker": "gasoline broker"} == procfile.compact({"broker": "gasoline broker"})
    assert () == procfile.actors({"broker": "gasoline broker"})
