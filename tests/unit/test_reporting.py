"""What a run of the tests prints of a failure, and what must not end it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = Path(__file__).parents[1] / "conftest.py"

FAILING = """
def test_deep():
    def down(depth):
        if depth:
            down(depth - 1)
        assert depth
    down(200)

def test_after():
    pass
"""

BROKEN_PARSER = """
import ast, types
from _pytest._code import source

def refused(*_, **__):
    raise SystemError("AST constructor recursion depth mismatch (before=1, after=2)")

source.ast = types.SimpleNamespace(**{**vars(ast), "parse": refused})
"""


def run(folder: Path, test: str) -> str:
    (folder / "conftest.py").write_text(CONFTEST.read_text())
    (folder / "test_it.py").write_text(test)
    command = [sys.executable, "-m", "pytest", "-c", "/dev/null", "--rootdir", str(folder), "-p", "no:cacheprovider"]
    env = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    ended = subprocess.run([*command, str(folder)], env=env, capture_output=True, text=True, timeout=60, check=False)
    return ended.stdout


@pytest.mark.requirement("structure-023")
def test_a_failure_of_any_depth_is_printed_with_its_name_and_the_run_continues(tmp_path: Path) -> None:
    shown = run(tmp_path, FAILING)

    assert "test_it.py::test_deep (call)\nassert 0" in shown
    assert "1 failed, 1 passed" in shown


def test_a_failure_that_pytest_cannot_draw_is_printed_as_python_does(tmp_path: Path) -> None:
    shown = run(tmp_path, FAILING.replace("def down", BROKEN_PARSER.replace("\n", "\n    ") + "\n    def down", 1))

    assert "INTERNALERROR" not in shown
    assert "Traceback (most recent call last):" in shown
    assert "1 failed, 1 passed" in shown
