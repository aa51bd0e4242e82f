"""What `gasoline baseline` shows."""

import msgspec
import pytest

from gasoline_bridge.cli.baselines import (
    all_as_json,
    all_as_lines,
    approved_as_json,
    approved_as_lines,
    as_json,
    as_lines,
)
from gasoline_workers.regression.messages import Baseline, BaselineApproved, BaselineRead
from unit.check.outcomes import compared, made


@pytest.mark.requirement("regression-023")
def test_the_list_is_a_table_and_a_damaged_baseline_is_in_it_by_its_name() -> None:
    read = made().read
    assert read is not None
    damaged = Baseline("old", "", "", 0, "", (0, 0), 0, "", damaged=True)

    lines = all_as_lines([read.baseline, damaged]).splitlines()

    assert ["name", "page", "runs", "LCP", "ms", "a11y", "security", "made", "at"] == lines[0].split()
    assert ["cart", "http://shop.test/cart", "5", "202", "0", "0", "2026-01-29T09:00:00Z"] == lines[1].split()
    assert ["old", "damaged", "-", "-", "-", "-", "-"] == lines[2].split()
    assert "gasoline check" in all_as_lines([])
    assert [read.baseline, damaged] == msgspec.json.decode(all_as_json([read.baseline, damaged]), type=list[Baseline])


@pytest.mark.requirement("regression-023")
def test_one_is_shown_with_its_loads_and_the_last_compare() -> None:
    read, bare = compared().read, made().read
    assert read is not None
    assert bare is not None

    text = as_lines(read)

    assert "viewport 1440x900 at scale 1" in text
    assert ["load", "5", "202"] in [one.split() for one in text.splitlines()]
    assert ["median", "202"] in [one.split() for one in text.splitlines()]
    assert "regression_detected: 2 new accessibility issues" in text
    assert "not compared yet" in as_lines(bare)
    assert read == msgspec.json.decode(as_json(read), type=BaselineRead)


@pytest.mark.requirement("regression-024")
def test_what_was_approved_is_stated_with_what_it_changed_and_what_was_left() -> None:
    done = BaselineApproved(
        name="cart",
        url="http://shop.test/cart",
        at="2026-02-03T08:00:00Z",
        parts=["accessibility"],
        changes=["1 new accessibility issue (label)"],
        left=["LCP: too few loads agree: it may be chance"],
    )
    again = msgspec.structs.replace(done, is_repeated=True)
    nothing = msgspec.structs.replace(done, parts=[], changes=[], left=[])

    assert [
        "cart: accessibility of the compare of 2026-02-03T08:00:00Z became the baseline.",
        "  1 new accessibility issue (label)",
        "  not judged, so left as it was: LCP: too few loads agree: it may be chance",
    ] == approved_as_lines([done]).splitlines()
    assert "is approved already: accessibility." in approved_as_lines([again])
    assert "\x1b" not in approved_as_lines([msgspec.structs.replace(done, name="\x1b[2Jcart")])
    assert "nothing had changed" in approved_as_lines([nothing])
    assert [done] == msgspec.json.decode(approved_as_json([done]), type=list[BaselineApproved])
