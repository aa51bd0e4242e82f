"""Findings become SARIF 2.1.0: a rule each, and a result for each place."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gasoline_workers.audit.sarif import sarif

REPLY: dict[str, Any] = {
    "url": "http://localhost:3000/",
    "findings": [
        {
            "id": "image-alt",
            "severity": "critical",
            "category": "accessibility",
            "message": "Images must have alternative text",
            "affected": [{"selector": "#a", "html": "<img>", "fix": "Add alt"}, {"selector": "#b", "html": "<img>"}],
            "reference": {"wcag": "1.1.1", "level": "A", "url": "https://www.w3.org/a"},
        },
        {
            "issue": "insecure_cookie",
            "severity": "medium",
            "category": "cookies",
            "message": "Cookie without Secure.",
            "affected": ["session_id"],
            "guidance": "Set Secure",
        },
        {"id": "ttfb", "severity": "info", "category": "performance", "message": "Slow server"},
    ],
}


@pytest.mark.requirement("analyze-014")
def test_every_place_is_a_result_of_its_rule() -> None:
    document = sarif(REPLY)
    (run,) = document["runs"]
    rules, results = run["tool"]["driver"]["rules"], run["results"]

    assert ("2.1.0", ["image-alt", "insecure_cookie", "ttfb"]) == (document["version"], [one["id"] for one in rules])
    assert ("https://www.w3.org/a", ["accessibility", "WCAG 1.1.1"]) == (
        rules[0]["helpUri"],
        rules[0]["properties"]["tags"],
    )
    assert [
        ("image-alt", 0, "error"),
        ("image-alt", 0, "error"),
        ("insecure_cookie", 1, "warning"),
        ("ttfb", 2, "note"),
    ] == [(one["ruleId"], one["ruleIndex"], one["level"]) for one in results]
    assert "Images must have alternative text. Add alt" == results[0]["message"]["text"]
    assert {"uri": "http://localhost:3000/"} == results[0]["locations"][0]["physicalLocation"]["artifactLocation"]
    places = [one["locations"][0].get("logicalLocations", [{}])[0].get("fullyQualifiedName") for one in results]
    assert ["#a", "#b", "session_id", None] == places
    assert "Cookie without Secure. Set Secure" == results[2]["message"]["text"]


garbage = st.recursive(
    st.none() | st.booleans() | st.text(max_size=9) | st.integers(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=8,
)
fields = st.sampled_from(["id", "issue", "severity", "category", "message", "affected", "reference", "fix"])


@given(
    garbage | st.fixed_dictionaries({"findings": st.lists(st.dictionaries(fields, garbage, max_size=5), max_size=3)})
)
def test_whatever_is_exported_every_result_has_a_rule_and_a_text(reply: Any) -> None:
    document = sarif(reply)

    assert msgspec.json.encode(document)
    (run,) = document["runs"]
    for result in run["results"]:
        assert result["ruleId"] == run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"]
        assert result["message"]["text"]
