"""Each dependency has an upper bound, and the lock file has what is installed and no address."""

import re
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
BUILD = [Requirement(text) for text in PROJECT["build-system"]["requires"]]
DIRECT = [Requirement(text) for text in (*PROJECT["project"]["dependencies"], *PROJECT["dependency-groups"]["dev"])]
LOCK = (ROOT / "constraints.txt").read_text().splitlines()
LOCKED = {canonicalize_name(name): version for name, _, version in (line.partition("==") for line in LOCK)}

pytestmark = pytest.mark.requirement("attacks-002")


def installed(requirements: list[Requirement]) -> dict[str, str]:
    """Give the version of each package that these need here, with what those need in turn."""
    found: dict[tuple[str, frozenset[str]], str] = {}
    waiting = [*requirements]
    while waiting:
        requirement = waiting.pop()
        name, extras = canonicalize_name(requirement.name), frozenset(requirement.extras)
        if (name, extras) not in found:
            package = metadata.distribution(name)
            found[name, extras] = package.version
            waiting += [one for one in map(Requirement, package.requires or []) if is_needed(one, extras)]
    return {name: version for (name, _), version in found.items()}


def is_needed(requirement: Requirement, extras: frozenset[str]) -> bool:
    """Whether a package needs this here, with these of its extras."""
    marker = requirement.marker
    return marker is None or any(marker.evaluate({"extra": extra}) for extra in (*extras, ""))


@pytest.mark.parametrize("requirement", [*BUILD, *DIRECT], ids=str)
def test_a_dependency_has_an_upper_bound(requirement: Requirement) -> None:
    assert {"<", "<=", "==", "~="} & {one.operator for one in requirement.specifier}


def test_the_lock_file_has_what_is_installed_by_name_and_version() -> None:
    assert installed(DIRECT) == LOCKED


def test_a_line_of_the_lock_file_is_a_name_and_a_version_alone() -> None:
    assert not [line for line in LOCK if not re.fullmatch(r"[\w.-]+==[\w.!+]+", line)]


def test_what_the_project_asks_for_is_what_the_lock_file_has() -> None:
    assert not [one for one in [*BUILD, *DIRECT] if LOCKED[canonicalize_name(one.name)] not in one.specifier]
