"""Holds manifest and tests together: every row has a test or a reason, never both; no test is imported for it."""

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

from requirements import REQUIREMENTS
from requirements_seeds import reasons

TESTS = Path(__file__).parents[1]

SENTENCES = {
    "000": 178,
    "001": 161,
    "002": 175,
    "003": 109,
    "004": 201,
    "actions": 31,
    "capture": 52,
    "hub": 59,
    "pilot": 35,
    "structure": 25,
    "applications": 61,
    "faults": 32,
    "tries": 16,
    "doors": 13,
    "attacks": 11,
    "fields": 10,
    "mutate": 8,
    "analyze": 14,
    "findings": 18,
    "leaks": 6,
    "pictures": 28,
    "draw": 38,
    "regression": 35,
    "visual": 16,
    "first-run": 3,
    "install": 15,
    "clients": 20,
    "fast": 39,
    "redact": 12,
    "transport": 3,
    "sites": 10,
}
"""How many rows each seed has at least: its text does not change, so a row may be split, but none may vanish."""

KINDS = ("not built yet: ", "settled otherwise: ", "measured wrong: ", "not a requirement: ")

TITLE = re.compile(r"""\b(?:test|it)\(\s*(["'`])(?P<title>(?:\\.|(?!\1).)*)\1""", re.DOTALL)
IDS = re.compile(r"\[\w+-\d{3}(?:, *\w+-\d{3})*\]")


def marked_in_python(source: str) -> set[str]:
    """Return the ids that `pytest.mark.requirement` names; `ValueError` for one that is not written as a literal."""
    calls = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    markers = (call for call in calls if ast.unparse(call.func).endswith("mark.requirement"))
    return {ast.literal_eval(argument) for marker in markers for argument in marker.args}


def titled_in_javascript(source: str) -> set[str]:
    """Return the ids in brackets that the titles of running tests carry: `test.skip` and `test.todo` cover nothing."""
    titles = (match["title"] for match in TITLE.finditer(source))
    return {
        name for title in titles for ids in IDS.findall(title) for name in ids.strip("[]").replace(" ", "").split(",")
    }


@pytest.fixture(scope="module")
def covered() -> set[str]:
    folders = [path for path in TESTS.iterdir() if path.is_dir() and not path.name.startswith(".")]  # .apps is not ours
    python = (marked_in_python(path.read_text()) for folder in folders for path in folder.rglob("test_*.py"))
    javascript = (titled_in_javascript(path.read_text()) for path in (TESTS / "extension").rglob("*.*js"))
    return set().union(*python, *javascript)


def test_the_ids_of_a_seed_run_from_001_without_a_gap_or_a_double() -> None:
    rows_by_seed = Counter(row.seed for row in REQUIREMENTS)

    expected = [f"{seed}-{number:03d}" for seed, rows in rows_by_seed.items() for number in range(1, rows + 1)]
    assert expected == sorted(row.id for row in REQUIREMENTS)


def test_no_sentence_of_a_seed_has_vanished() -> None:
    rows_by_seed = Counter(row.seed for row in REQUIREMENTS)

    assert SENTENCES.keys() == rows_by_seed.keys()
    assert not {seed: rows for seed, rows in rows_by_seed.items() if rows < SENTENCES[seed]}


def test_every_row_names_its_place_and_its_demand() -> None:
    assert not [row.id for row in REQUIREMENTS if not (row.section.strip() and row.sentence.strip())]


def test_every_reason_is_a_written_one_of_the_four_kinds() -> None:
    written = {value for name, value in vars(reasons).items() if name.isupper()}
    used = {row.reason for row in REQUIREMENTS if row.reason}

    assert used == written
    assert not [reason for reason in written if not reason.startswith(KINDS)]


def test_every_row_has_a_test_or_a_reason(covered: set[str]) -> None:
    bare = [f"{row.id} {row.sentence}" for row in REQUIREMENTS if not row.reason and row.id not in covered]

    assert not bare, "\n".join(["neither a test nor a reason:", *bare])


def test_a_row_that_a_test_covers_has_dropped_its_reason(covered: set[str]) -> None:
    both = [f"{row.id} {row.reason}" for row in REQUIREMENTS if row.reason and row.id in covered]

    assert not both, "\n".join(["tested, drop the reason:", *both])


def test_every_id_that_a_test_carries_exists(covered: set[str]) -> None:
    assert not covered - {row.id for row in REQUIREMENTS}


def test_a_row_has_a_test_or_a_reason() -> None:
    row = REQUIREMENTS[0]

    assert row._replace(reason="").status == "tested"
    assert row._replace(reason=reasons.EFFORT).status == reasons.EFFORT


def test_a_marker_is_found_on_a_function_a_parameter_and_a_module() -> None:
    source = """
        pytestmark = [pytest.mark.requirement("002-001")]
        @pytest.mark.requirement("002-002", "002-003")
        @pytest.mark.parametrize("a", [pytest.param(1, marks=mark.requirement("002-004"))])
        async def test_something(a): "pytest.mark.requirement('002-005')"
    """

    assert {"002-001", "002-002", "002-003", "002-004"} == marked_in_python("if True:" + source)


def test_an_id_that_is_not_written_out_is_refused() -> None:
    with pytest.raises(ValueError, match="malformed"):
        marked_in_python("@pytest.mark.requirement(NUMBER)\ndef test_something(): ...")


def test_an_id_in_the_title_of_a_javascript_test_is_found() -> None:
    source = r"""
        test('cuts text [002-001]', () => {});
        t.test(
          `it\`s "deep" [002-002, 002-003] [002-004]`, () => {});
        it("says nothing", () => assert.equal(a, '[002-005]'));
        test.skip('is not run [002-006]', () => {});
        test.todo('is not there [002-007]');
    """

    assert {"002-001", "002-002", "002-003", "002-004"} == titled_in_javascript(source)
