"""docs/security.md and the tests name each other: each attack its test, and each test of this folder its attack."""

import functools
import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
DOCUMENT = (ROOT / "docs" / "security.md").read_text()
STOPPED, NOT_STOPPED = DOCUMENT.split("\n## What is not stopped\n")
ROW = re.compile(r"^\| (?P<tries>.+) \| (?P<by>.+) \| \[(?P<words>[^]]+)]\(\.\./tests/(?P<file>[^)]+)\) \|$")
LINES = [line for line in STOPPED.splitlines() if line.startswith("|") and not line.startswith(("| tries |", "| --- "))]
ROWS = [match for line in LINES if (match := ROW.match(line))]
TITLE = re.compile(r"^test\('([^']+)'", re.MULTILINE)
TEST = re.compile(r"^(?:async )?def test_(\w+)\(", re.MULTILINE)
OF_ATTACKERS = [*sorted((TESTS / "attacks").glob("test_*.py")), TESTS / "browser" / "test_attacks.py"]

pytestmark = pytest.mark.requirement("attacks-011")


@functools.cache
def names_in(path: Path) -> set[str]:
    """Give the names of a file's tests, as words; of JavaScript their titles, without the requirements."""
    text = path.read_text()
    if path.suffix == ".js":
        return {title.partition(" [")[0] for title in TITLE.findall(text)}
    return {name.replace("_", " ") for name in TEST.findall(text)}


def test_each_attack_is_a_row_with_a_test_that_there_is() -> None:
    named = [(row["words"], TESTS / row["file"]) for row in ROWS]
    missing = [words for words, path in named if words not in names_in(path)]

    assert len(LINES) == len(ROWS)
    assert len(ROWS) >= 57
    assert [] == missing
    assert len({row["tries"] for row in ROWS}) == len(ROWS)


def test_each_test_of_an_attacker_is_in_the_table() -> None:
    named = {(row["words"], TESTS / row["file"]) for row in ROWS}
    here = Path(__file__)

    assert [] == [
        (path.name, words)
        for path in OF_ATTACKERS
        for words in sorted(names_in(path))
        if path != here and (words, path) not in named
    ]


def test_what_is_not_stopped_is_listed() -> None:
    for words in ("same user", "has the token", "until the page is left", "`GET /proof`", "Another extension"):
        assert words in NOT_STOPPED


def test_the_extension_listens_to_no_other_one() -> None:
    dist = ROOT / "extension" / "dist"
    code = "".join(path.read_text() for path in dist.rglob("*.js"))

    assert (
        not {"externally_connectable", "web_accessible_resources"}
        & json.loads((dist / "manifest.json").read_text()).keys()
    )
    assert "onMessage.addListener" in code
    assert not re.search(r"onMessageExternal|onConnectExternal|onConnectNative", code)
