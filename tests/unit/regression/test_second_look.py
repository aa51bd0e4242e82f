"""Two looks at one page: what only one of them has is no change of the page."""

import pytest

from gasoline_workers.audit.messages import Finding
from gasoline_workers.regression import memory, verdict
from gasoline_workers.regression.kept import State, state, united
from unit.regression.pages import QUIET, SAME_LOOK, flaw, issue, judged, kept, loads

SMALL = {"heap_used_mb": 10.0, "detached_nodes": 0, "dom_node_count": 100, "source": "debugger"}
LARGE = SMALL | {"heap_used_mb": 30.0}
BASE = kept(loads([*QUIET]), issue("label", "#name"), flaw("missing_csp"), snapshot=SMALL)


def look(*findings: Finding, heap: dict[str, object] = SMALL) -> State:
    return state(loads([*QUIET]), judged(*findings, snapshot=heap))


SAME = look(issue("label", "#name"), flaw("missing_csp"))


@pytest.mark.requirement("regression-035")
@pytest.mark.parametrize(
    "moment",
    [
        look(issue("label", "#name"), issue("image-alt", "#logo"), flaw("missing_csp")),
        look(issue("label", "#name"), flaw("missing_csp"), flaw("key_in_storage")),
        look(issue("label", "#name"), flaw("missing_csp"), heap=LARGE),
        look(flaw("missing_csp")),
        look(issue("label", "#name")),
    ],
)
def test_a_change_of_one_moment_is_none_and_is_named(moment: State) -> None:
    assert verdict.needs_second_look(BASE, moment)
    assert not verdict.needs_second_look(BASE, SAME)
    for earlier, later in ((moment, SAME), (SAME, moment)):
        found = verdict.compare(BASE, later, SAME_LOOK, earlier)

        assert "no_change" == found.verdict
    reasons = [getattr(found.comparison, part).reason for part in ("accessibility", "security", "memory")]
    assert 1 == sum(one.startswith("not so in both of two looks: ") for one in reasons)


@pytest.mark.requirement("regression-035")
def test_what_both_looks_have_is_a_change_less_what_only_one_has() -> None:
    earlier = look(issue("label", "#name", "#mail", "#tip"), issue("list", "ul"), flaw("missing_csp"), flaw("new_one"))
    later = look(issue("label", "#name", "#mail"), flaw("missing_csp"), flaw("new_one"), heap=LARGE)

    found = verdict.compare(BASE, later, SAME_LOOK, earlier).comparison

    assert [("label", 1, ["#mail"])] == [(one.id, one.count, one.elements) for one in found.accessibility.new_issues]
    assert "not so in both of two looks: list" == found.accessibility.reason
    assert ["new_one"] == [one.issue for one in found.security.changes]
    assert ("no_change", "not so in both of two looks: memory") == (found.memory.verdict, found.memory.reason)


@pytest.mark.requirement("regression-035")
@pytest.mark.parametrize(
    ("earlier", "later", "expected"),
    [
        (("#mail", "#tip"), ("#list", "#mail", "#sum"), (2, ["#mail"])),  # what both looks have is named
        (("#a",), ("#b", "#c"), (1, ["#b"])),  # an element may have another name with each load
    ],
)
def test_a_rule_that_both_looks_find_broken_has_the_elements_of_both(
    earlier: tuple[str, ...], later: tuple[str, ...], expected: tuple[int, list[str]]
) -> None:
    looks = [look(issue("label", "#name"), issue("list", *names), flaw("missing_csp")) for names in (later, earlier)]
    (found,) = verdict.compare(BASE, looks[0], SAME_LOOK, looks[1]).comparison.accessibility.new_issues

    assert expected == (found.count, found.elements)


@pytest.mark.requirement("regression-035")
@pytest.mark.parametrize(
    ("both", "part", "expected"),
    [
        (look(issue("label", "#name")), "security", "improved"),
        (look(issue("label", "#name"), flaw("missing_csp"), flaw("new_one")), "security", "regression_detected"),
        (look(issue("label", "#name"), flaw("new_one")), "security", "regression_detected"),
        (look(flaw("missing_csp")), "accessibility", "improved"),
        (
            look(issue("label", "#name"), issue("list", "ul"), flaw("missing_csp")),
            "accessibility",
            "regression_detected",
        ),
        (look(issue("label", "#name"), flaw("missing_csp"), heap=LARGE), "memory", "regression_detected"),
        (SAME, "security", "no_change"),
    ],
)
def test_what_both_looks_find_has_the_verdict_of_one(both: State, part: str, expected: str) -> None:
    once = verdict.compare(BASE, both, SAME_LOOK)
    twice = verdict.compare(BASE, both, SAME_LOOK, both)

    assert once.comparison == twice.comparison
    assert (expected, "") == (getattr(twice.comparison, part).verdict, getattr(twice.comparison, part).reason)


@pytest.mark.requirement("regression-035")
def test_what_could_not_be_analysed_at_one_look_is_inconclusive() -> None:
    failed = {"accessibility": {"code": "axe_failed", "message": "axe failed"}}
    unknown = state(loads([*QUIET]), judged(flaw("missing_csp"), failures=failed))
    worse = look(issue("image-alt", "#logo"), flaw("missing_csp"))

    for earlier, later in ((unknown, worse), (worse, unknown)):
        assert "inconclusive" == verdict.compare(BASE, later, SAME_LOOK, earlier).comparison.accessibility.verdict


@pytest.mark.requirement("regression-035")
def test_a_baseline_of_two_looks_has_what_either_found() -> None:
    other = look(issue("image-alt", "#logo"), flaw("missing_csp"), heap=LARGE)

    both = united(other, SAME)

    assert ["label", "image-alt"] == [one.id for one in both.accessibility or ()]
    assert ["missing_csp"] == [one.issue for one in both.security or ()]
    assert LARGE | {"least": SMALL} == both.memory
    assert ["no_change"] * 2 == [memory.compare(both.memory, one).verdict for one in (SMALL, LARGE)]
    assert "improved" == memory.compare(both.memory, SMALL | {"heap_used_mb": 4.0}).verdict
