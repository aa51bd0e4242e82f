"""Findings keep fewer places before one of them is cut."""

from typing import Any

import pytest

from gasoline_bridge.front.findings import bounded
from gasoline_bridge.front.replies import Replies, encode


def finding(name: str, places: int) -> dict[str, Any]:
    place = {"selector": "#a > b", "html": "x" * 200, "fix": "Add an alt attribute"}
    return {"id": name, "severity": "high", "count": places, "affected": [place] * places}


def reply(findings: int, places: int) -> dict[str, Any]:
    return {
        "status": "success",
        "summary": {"high": findings},
        "findings": [finding(f"f{n}", places) for n in range(findings)],
    }


@pytest.mark.requirement("analyze-006")
def test_every_finding_keeps_some_places_before_any_is_left_out() -> None:
    small = bounded(reply(6, 10), 4_096)

    assert len(encode(small)) <= 4_096
    assert {2} == {len(one["affected"]) for one in small["findings"]}
    assert {10} == {one["count"] for one in small["findings"]}


@pytest.mark.requirement("analyze-006")
def test_what_fits_stays_and_what_never_fits_is_cut_at_its_findings() -> None:
    whole = reply(1, 2)
    cut = Replies().fit(bounded(reply(40, 10), 4_096), 4_096, ("findings",))

    assert whole == bounded(whole, 4_096)
    assert len(cut) <= 4_096
    assert b'"cursor"' in cut
    assert cut.startswith(b'{"status":"success","summary":{"high":40},"findings":[{"id":"f0"')


def test_the_report_of_seed_002_counts_what_it_leaves_out() -> None:
    rule = {"id": "a", "nodes": [{"selector": "#a", "html": "x" * 200}] * 9}
    small = bounded({"violations": [rule] * 5, "incomplete": []}, 2_000)

    assert {9} == {one["nodeCount"] for one in small["violations"]}
    assert len(encode(small)) <= 2_000
