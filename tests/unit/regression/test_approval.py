"""What is approved: a part that a compare judged as changed becomes the baseline, any other stays."""

import msgspec
import pytest

from gasoline_workers.audit.messages import Failed
from gasoline_workers.regression import approval, verdict
from gasoline_workers.regression.kept import Kept, LastCompared, State, state
from gasoline_workers.regression.messages import BaselineApproved, PictureCompared, Pictures
from unit.regression.pages import HERE, QUIET, SAME_LOOK, URL, flaw, issue, judged, kept, loads

AT = "2026-02-03T08:00:00Z"
SLOW: list[float] = [value + 700 for value in QUIET]
CART = kept(loads([*QUIET]), issue("label", "#name"), flaw("missing_csp"))
SAME = (issue("label", "#name"), flaw("missing_csp"))
NEW_LOOK = PictureCompared(verdict="changed", changes=["added #ad"])


def approved(
    baseline: Kept, now: State, look: PictureCompared = SAME_LOOK, pictures: Pictures | None = None
) -> tuple[Kept, BaselineApproved]:
    answer = verdict.compare(baseline, now, look)
    last = LastCompared(answer, now.loads.metrics, now, pictures or Pictures(), at=AT)
    return approval.approve(baseline, last, now)


@pytest.mark.requirement("regression-024")
def test_what_changed_is_taken_and_what_did_not_stays() -> None:
    now = state(loads([value + 9.0 for value in QUIET]), judged(*SAME, issue("image-alt", "#photo")))

    after, answer = approved(CART, now)

    assert now.accessibility == after.state.accessibility
    assert CART.state.loads == after.state.loads
    assert (CART.state.security, CART.state.memory) == (after.state.security, after.state.memory)
    assert (["accessibility"], ["1 new accessibility issue (image-alt)"]) == (answer.parts, answer.changes)
    assert (AT, AT) == (after.captured_at, answer.at)


@pytest.mark.requirement("regression-024")
def test_loads_that_are_slower_are_taken_together_and_compare_as_no_change_after_that() -> None:
    now = state(loads(SLOW), judged(*SAME))

    after, answer = approved(CART, now)

    assert (["performance"], ["LCP regressed by 700 ms"]) == (answer.parts, answer.changes)
    assert now.loads.metrics == after.state.loads.metrics
    assert "no_change" == verdict.compare(after, now, SAME_LOOK).verdict


@pytest.mark.requirement("regression-024")
def test_a_new_look_comes_with_its_pictures() -> None:
    pictures = Pictures(("now", "again"))

    after, answer = approved(CART, state(loads([*QUIET]), judged(*SAME)), NEW_LOOK, pictures)

    assert (pictures, ["picture"], ["it looks different (1 change)"]) == (after.pictures, answer.parts, answer.changes)
    assert CART.state == after.state


@pytest.mark.requirement("regression-024")
def test_a_baseline_without_a_change_stays_as_it_is() -> None:
    after, answer = approved(CART, state(loads([*QUIET]), judged(*SAME)))

    assert CART == after
    assert ([], []) == (answer.parts, answer.changes)


@pytest.mark.requirement("regression-024")
def test_what_could_not_be_judged_is_left_with_the_reason_unless_the_baseline_has_none_of_it() -> None:
    failed = {"security": Failed("analysis_timeout", "it took too long")}
    lost = msgspec.structs.replace(CART, state=state(loads([*QUIET]), judged(*SAME, failures=failed)))
    unjudged = state(loads([*QUIET]), judged(*SAME, issue("image-alt", "#photo"), failures=failed))

    kept_part, left = approved(CART, unjudged)
    gained, _ = approved(lost, state(loads([*QUIET]), judged(*SAME)))

    assert CART.state.security == kept_part.state.security
    assert ["security: not analysed: it took too long"] == left.left
    assert CART.state.security == gained.state.security
    assert {} == gained.state.failures


@pytest.mark.requirement("regression-024")
def test_the_address_stays_unless_the_compare_was_of_another_page() -> None:
    twin, _ = approved(CART, state(loads(SLOW, url=f"{URL}?slow"), judged(*SAME)))
    elsewhere = state(loads([*QUIET], url="http://stage.test/cart"), judged(*SAME, issue("image-alt", "#photo")))
    moved, _ = approved(CART, elsewhere)
    unmoved, _ = approved(CART, state(elsewhere.loads, judged(*SAME)))

    assert [URL, "http://stage.test/cart", URL] == [one.state.loads.url for one in (twin, moved, unmoved)]
    assert CART.state.loads.metrics == moved.state.loads.metrics


@pytest.mark.requirement("regression-024")
def test_a_compare_with_another_browser_is_approved_as_a_whole() -> None:
    newer = msgspec.structs.replace(HERE, browser="Chrome/157.0")
    now = state(loads(SLOW, newer), judged(flaw("missing_csp")))

    after, answer = approved(CART, now)

    assert (now.loads, now.accessibility, now.security, now.memory) == (
        after.state.loads,
        after.state.accessibility,
        after.state.security,
        after.state.memory,
    )
    assert "another browser" in answer.changes[-1]
    assert [] == answer.left
    assert [] == verdict.compare(after, now, SAME_LOOK).warnings
