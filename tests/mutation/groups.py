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
    "front": Group(
        (*_of("gasoline_bridge/chrome", "guard proof"), *_of("gasoline_bridge/front", "paging")),
        _tests("test_guard.py test_proof.py test_paging.py"),
    ),
}
