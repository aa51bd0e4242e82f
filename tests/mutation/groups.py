"""The modules that decide, by group, and the tests that hold each of them; only the table."""

from typing import NamedTuple


class Group(NamedTuple):
    """What is mutated together: modules of the packages, and the test files that are run on their mutants."""

    modules: tuple[str, ...]
    tests: tuple[str, ...]


def _of(folder: str, names: str) -> tuple[str, ...]:
    return tuple(f"{folder}/{name}.py" for name in names.split())


def _tests(names: str) -> tuple[str, ...]:
    return tuple(f"tests/unit/{name}" for name in names.split())


PYTHON = {
    "diff": Group(_of("gasoline_workers/diff", "loads sentences summary"), _tests("diff")),
    "hub": Group(
        _of("gasoline_broker/hub", "fairness labels"), _tests("test_fairness.py test_labels.py test_admission.py")
    ),
    "delivery": Group(
        _of("gasoline_broker/hub", "admission delivery routing"),
        _tests("test_admission.py test_routing.py test_routing_bounds.py test_routing_labels.py test_routing_laws.py"),
    ),
    "redaction": Group(_of("gasoline_workers/redaction", "cookies names rules text values"), _tests("redaction")),
    "journal": Group(_of("gasoline_workers/journal", "pairs queries reading scopes unanswered"), _tests("journal")),
    "front": Group(
        (*_of("gasoline_bridge/chrome", "guard proof"), *_of("gasoline_bridge/front", "paging")),
        _tests("test_guard.py test_proof.py test_paging.py"),
    ),
}
