"""New violations leave room for the rest of a reply, and count the rules that are missing."""

from typing import Any

from gasoline_bridge.front import accessibility
from gasoline_bridge.front.dispatch import EFFECT_LISTS
from gasoline_bridge.front.replies import Replies, encode


def rule(name: str) -> dict[str, Any]:
    return {"id": name, "impact": "serious", "help": "Help", "count": 9, "nodes": ["x" * 100] * 5}


def test_the_least_rules_are_left_out_until_the_others_fit() -> None:
    reply = {"success": True, "a11y": {"new": [rule(str(number)) for number in range(20)], "omitted": 2}}

    cut = accessibility.bounded(reply, 4_096)["a11y"]
    assert [str(number) for number in range(len(cut["new"]))] == [one["id"] for one in cut["new"]]
    assert 1_400 < len(encode(cut["new"])) <= 2_048
    assert 22 == len(cut["new"]) + cut["omitted"]


def test_what_fits_and_what_has_none_stays_as_it_is() -> None:
    small = {"success": True, "a11y": {"new": [rule("a")]}}

    assert small == accessibility.bounded(small, 4_096)
    assert {"success": True} == accessibility.bounded({"success": True}, 4_096)


def test_an_effect_that_is_too_long_continues_with_its_cursor() -> None:
    requests = [{"url": f"http://localhost/{number}", "after_ms": number} for number in range(100)]
    lines = [{"after_ms": number, "level": "log", "text": "x" * 50} for number in range(100)]
    replies = Replies()

    effect = {
        "effect": "k3f9a2",
        "requests": requests,
        "console": lines,
        "errors": [{"after_ms": 1, "message": "broke"}],
    }
    first = replies.fit(effect, 1_024, EFFECT_LISTS)
    assert len(first) <= 1_024
    assert b"broke" in first
    assert b'"cursor"' in first
