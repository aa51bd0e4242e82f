"""The kinds of events: the extension's list, the sample of the wire, and the journal's rings name the same."""

import re
from pathlib import Path

import msgspec
import pytest

from gasoline_workers.journal.limits import RINGS, ring_of

ROOT = Path(__file__).parents[2]
LIST = ROOT / "extension" / "src" / "shared" / "events.ts"
SAMPLE = ROOT / "tests" / "wire" / "link-up-events.json"
STATE = "state"  # which tab is tracked and what the user has set: a fact, in no ring
PARTS = {"mark"}  # a ring of its own for some events of the kind `timing`


def listed() -> set[str]:
    """Give the kinds in the extension's list of events."""
    return set(re.findall(r"\btype: '(\w+)'", LIST.read_text()))


@pytest.mark.requirement("structure-011")
def test_the_journal_has_a_ring_for_each_kind_that_the_extension_lists() -> None:
    assert [] == [kind for kind in sorted(listed() - {STATE}) if ring_of(kind, None) is None]


def test_the_extension_lists_each_kind_that_the_journal_has_a_ring_for() -> None:
    assert set(RINGS) - PARTS <= listed()


def test_the_sample_has_one_of_each_kind() -> None:
    chunks = msgspec.json.decode(SAMPLE.read_bytes())["chunks"]

    assert listed() == {event["type"] for chunk in chunks for event in chunk["events"]}
