"""A whole run of the tests fails for a documented field that no real page has filled, and only a whole one."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

import reply_fields
from reply_fields import UNSEEN, documented, faults, is_whole

WHOLE = pytest.Config.ArgsSource.TESTPATHS
ENDED = pytest.ExitCode.OK


def session(
    source: pytest.Config.ArgsSource = WHOLE, exitstatus: int = ENDED, *, stopped: bool = False, **options: object
) -> pytest.Session:
    """Make what is asked of a session that has ended."""
    config = SimpleNamespace(args_source=source, getoption=options.get)
    made: Any = SimpleNamespace(config=config, exitstatus=exitstatus, shouldstop=stopped, shouldfail=False)
    return cast("pytest.Session", made)


@pytest.mark.requirement("fields-001")
def test_a_field_that_no_page_has_filled_is_named_and_one_with_a_reason_is_not() -> None:
    filled = documented() - UNSEEN.keys()

    assert [] == faults(filled)
    assert ["1 documented fields were filled on no real page: Log.text"] == faults(filled - {"Log.text"})


@pytest.mark.requirement("fields-001")
def test_a_reason_for_a_field_that_is_no_longer_documented_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [] == faults(documented())  # a page may fill one by chance

    monkeypatch.setitem(reply_fields.UNSEEN, "Log.gone", "it is no longer documented")
    assert ["tests/reply_fields.py: drop the reasons of Log.gone"] == faults(documented() - UNSEEN.keys())


@pytest.mark.requirement("fields-002")
def test_only_a_run_of_every_test_to_its_end_is_whole() -> None:
    parts = [
        session(pytest.Config.ArgsSource.ARGS),
        session(keyword="rare"),
        session(markexpr="browser"),
        session(lf=True),
        session(ignore=["tests/browser"]),
        session(exitstatus=pytest.ExitCode.INTERRUPTED),
        session(stopped=True),
    ]

    assert is_whole(session())
    assert is_whole(session(exitstatus=pytest.ExitCode.TESTS_FAILED))
    assert not [part for part in parts if is_whole(part)]


@pytest.mark.requirement("fields-007")
def test_what_is_never_sent_is_not_documented() -> None:
    assert not {"SocketEvent.tab", "Interacted.target"} & documented()
    assert "SocketEvent.tabId" in documented()
