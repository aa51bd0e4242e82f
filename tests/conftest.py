"""Marks each test by its folder, shares the test files out to the processes, and prints a failure as it happens."""

import gc
import os
import sys
from collections.abc import Generator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

import reply_fields
from scheduling import FilesByNeed

TESTS = Path(__file__).parent
MARKED = {"unit", "process", "browser", "attacks"}

SLOWEST_FIRST = ("browser", "process", "attacks", "sim", "unit")
"""The order in which files are shared out by folder: a long file that starts last keeps one process busy alone."""

EXAMPLES = int(os.environ.get("EXAMPLES", "50"))
"""How many examples each law is tried with; more are for a search by hand."""

sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # none of hundreds of processes is to compile our modules again

settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=EXAMPLES)
settings.load_profile("repeatable")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        folder = _folder(item)
        if folder in MARKED:
            item.add_marker(folder)
    items.sort(key=lambda item: SLOWEST_FIRST.index(_folder(item)) if _folder(item) in SLOWEST_FIRST else 0)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage among what is collected: all of it stays, and each look costs more than the one before."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Report a failure with Python's own traceback if pytest cannot draw its own.

    pytest parses the failing file; CPython 3.11 may refuse that with a `SystemError` when a garbage collection runs at
    that moment, which ended a whole run.
    """
    try:
        return (yield)
    except Exception:  # noqa: BLE001 - whatever fails in drawing a report must not end the run
        style, item.config.option.tbstyle = item.config.option.tbstyle, "native"
        try:
            return pytest.TestReport.from_item_and_call(item, call)
        finally:
            item.config.option.tbstyle = style


class FailurePrinter:
    """Prints the name of a test that fails, and why, at once: a long run may be cut off before its summary."""

    def __init__(self, terminal: pytest.TerminalReporter) -> None:
        self._terminal = terminal

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.failed:
            return
        crash = getattr(report.longrepr, "reprcrash", None)
        self._terminal.ensure_newline()
        self._terminal.write_line(f"FAILED {report.nodeid} ({report.when})", red=True)
        self._terminal.write_line(crash.message if crash else report.longreprtext)


def pytest_sessionstart(session: pytest.Session) -> None:
    plugins = session.config.pluginmanager
    terminal = plugins.get_plugin("terminalreporter")
    if isinstance(terminal, pytest.TerminalReporter):  # the processes that run the tests have none
        plugins.register(FailurePrinter(terminal))


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Share the files out by what they need."""
    return FilesByNeed(config, log) if config.getoption("dist") == "loadfile" else None


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Have only what a real browser answers noted as seen."""
    reply_fields.noting = _folder(item) == "browser"


def pytest_testnodedown(node: Any, error: object) -> None:  # noqa: ARG001 - the hook's own names
    """Take in what a process of the run has seen."""
    reply_fields.seen.update(getattr(node, "workeroutput", {}).get("reply_fields", []))


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Hand on what was seen; a whole run fails if no real page has filled a documented field."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["reply_fields"] = sorted(reply_fields.seen)
        return
    faults = reply_fields.faults(reply_fields.seen) if reply_fields.is_whole(session) else []
    terminal = session.config.pluginmanager.get_plugin("terminalreporter")
    for fault in faults:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        if terminal:
            terminal.write_line(f"\nFAILED {fault}", red=True)


def _folder(item: pytest.Item) -> str:
    return _folder_of(item.path)


@cache
def _folder_of(path: Path) -> str:
    """Give the folder of a file of tests, which has dozens of tests."""
    return path.relative_to(TESTS).parts[0] if path.is_relative_to(TESTS) else ""
