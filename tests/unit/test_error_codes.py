import ast
import functools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from gasoline_broker.error_codes import CODES, ErrorCode, as_error, recovery_of
from gasoline_broker.errors import Failure

ROOT = Path(__file__).parents[2]
PYTHON = [file for folder in ("broker", "workers", "bridge", "demo") for file in sorted((ROOT / folder).rglob("*.py"))]
SCRIPTS = [
    file
    for file in sorted([*ROOT.glob("extension/**/*.js"), *ROOT.glob("extension/**/*.ts")])
    if not {"vendor", "dist", "node_modules"} & set(file.relative_to(ROOT).parts)
]
MAKERS = {"fail", "Failure", "Fault", "_failed", "_failure"}
COMMENT = re.compile(r"/\*.*?\*/|(?<![:'\"`\\])//[^\n]*", re.DOTALL)
THROWN = re.compile(
    r"\b(?:fail|Failure)(?:<[^>]*>)?\(\s*((?:'\w+'|\"\w+\")|[^,(]{1,100}\?\s*(?:'\w+'|\"\w+\")\s*:\s*(?:'\w+'|\"\w+\"))\s*,"
)
WRITTEN = re.compile(r"\bcode:\s*('\w+'|\"\w+\")\s*,\s*message\b")
TEXT = re.compile(r"'([a-z_]+)'|\"([a-z_]+)\"")


def in_python(file: Path) -> Iterator[str]:
    """Give the codes that a module fails with, those that a function of its own chooses included."""
    tree = ast.parse(file.read_text())
    functions = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and name_of(node.func) in MAKERS and node.args:
            yield from texts(node.args[0], functions)


def name_of(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def texts(node: ast.expr, functions: dict[str, ast.FunctionDef]) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp():
            yield from texts(node.body, functions)
            yield from texts(node.orelse, functions)
        case ast.Call(func=ast.Name(id=name)) if name in functions:
            for part in ast.walk(functions[name]):
                if isinstance(part, ast.Return) and part.value is not None:
                    yield from texts(part.value, functions)


def in_script(file: Path) -> Iterator[str]:
    text = COMMENT.sub(" ", file.read_text())
    for found in (*THROWN.finditer(text), *WRITTEN.finditer(text)):
        chosen = found[1].rpartition("?")[2]
        yield from (one or other for one, other in TEXT.findall(chosen))


@functools.cache
def uses() -> dict[str, set[str]]:
    """Give each code that a source uses, with the files that do."""
    found: dict[str, set[str]] = {}
    for files, read in ((PYTHON, in_python), (SCRIPTS, in_script)):
        for file in files:
            for code in read(file):
                found.setdefault(code, set()).add(str(file.relative_to(ROOT)))
    return found


@pytest.mark.requirement("structure-009")
def test_every_code_that_a_source_uses_is_in_the_table() -> None:
    unlisted = {code: files for code, files in uses().items() if code not in CODES}

    assert {} == unlisted


@pytest.mark.requirement("structure-009")
def test_every_code_of_the_table_is_used_by_a_source() -> None:
    assert [] == [code for code in CODES if code not in uses()]


def test_both_languages_were_searched() -> None:
    found = uses()

    assert any(file.startswith("extension/") for file in found["element_covered"])
    assert any(file.startswith("broker/") for file in found["redaction_unavailable"])


def test_the_table_is_sorted_and_complete() -> None:
    assert sorted(CODES) == list(CODES)
    for code, row in CODES.items():
        assert row.meaning.endswith("."), code
        assert row.recovery.endswith("."), code
    retries = {field.name: field.type for field in msgspec.structs.fields(ErrorCode)}["retry"]
    assert {*get_args(retries)} == {row.retry for row in CODES.values()}


def test_a_failures_own_recovery_wins_over_the_tables() -> None:
    assert CODES["overloaded"].recovery == recovery_of(Failure("overloaded", "Full."))
    assert "Wait 3 s." == recovery_of(Failure("overloaded", "Full.", "Wait 3 s."))


def test_a_code_of_a_newer_extension_is_passed_on() -> None:
    assert {"code": "too_new", "message": "No."} == as_error(Failure("too_new", "No."))


@pytest.mark.parametrize("code", CODES)
def test_an_error_of_every_code_states_what_to_do_next(code: str) -> None:
    assert as_error(Failure(code, "No."))["recovery"]
