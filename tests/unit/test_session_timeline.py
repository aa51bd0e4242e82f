"""The timeline of a session: which action each event belongs to, and what a report shows of it."""

from typing import Any

import pytest

from gasoline_bridge.front.session_report import Session, report
from gasoline_bridge.front.session_timeline import ACTIONS_MAX, CAME_MAX, faults, timeline, with_effect

pytestmark = pytest.mark.requirement("clients-014")

Item = dict[str, Any]
PAGE = "http://localhost/"


def event(kind: str, at: float, tab: int = 1, **fields: Any) -> Item:
    return {"kind": kind, "at": at, "seq": round(at), "frame": 0, "page": PAGE, "tab": tab} | fields


def call(at: float, action: str = "interact click", outcome: str = "done", **fields: Any) -> Item:
    return event("audit", at, action=action, outcome=outcome, took_ms=100, client="ann") | fields


def error(at: float, **fields: Any) -> Item:
    return event("error", at, text="it broke", **fields)


def test_a_step_of_an_assistant_belongs_to_its_call_and_one_of_the_user_is_an_action() -> None:
    button = {"by": "role", "role": "button", "name": "Save"}
    acts = timeline(
        [
            call(1_000),
            event("step", 1_050, by="assistant", act="click", locator=button),
            event("step", 5_000, by="user", act="type", value="Ann", locator={"by": "label", "text": "Name"}),
            event("step", 6_000, by="user", act="type", secret=True, locator={"by": "label", "text": "Key"}),
        ]
    )

    assert [("assistant", "click"), ("user", "type"), ("user", "type")] == [(one.who, one.what) for one in acts]
    assert [["button “Save”"], ["“Ann” into “Name”"], ["a secret into “Key”"]] == [one.details for one in acts]


def test_what_came_belongs_to_the_last_action_of_its_tab_or_to_the_page() -> None:
    acts = timeline([error(500), call(1_000), call(1_500, tab=2), error(2_000), error(20_000)])

    assert [("page", 1), ("assistant", 1), ("assistant", 0), ("page", 1)] == [(one.who, len(one.came)) for one in acts]


def test_faults_are_what_failed_alone() -> None:
    acts = timeline(
        [
            call(1_000, outcome="element_not_found"),
            event("network", 1_010, url=f"{PAGE}a", method="GET", status=200),
            event("network", 1_020, url=f"{PAGE}b", method="GET", status=500),
            event("network", 1_030, url=f"{PAGE}c", method="GET", status=0),
            event("navigation", 1_040, url=PAGE, navigation="push"),
            event("dialog", 1_050, dialog="confirm", message="Sure?", accepted=True),
            event("console", 1_060, level="error", text="no"),
            call(2_000, outcome="dialog_open"),
        ]
    )

    said = [(one.what, one.text) for one in acts[0].came]
    assert 4 == faults(acts)
    assert ("request", "GET http://localhost/c failed") in said
    assert ("confirm, accepted", "Sure?") in said


def test_a_later_result_replaces_an_earlier_one_of_the_same_step() -> None:
    shown = [
        event("result", at, of=1_000, shown=[{"text": text}], gone=["Loading"])
        for at, text in ((1_100, "a"), (1_200, "b"))
    ]
    (act,) = timeline([event("step", 1_000, by="user", act="click"), *shown])

    assert [("came into sight", "b"), ("went out of sight", "Loading")] == [(one.what, one.text) for one in act.came]


def test_an_effect_adds_what_the_journal_has_nowhere_else() -> None:
    (act,) = timeline([call(1_000), event("effect", 1_010, phase="settled", action="click", id="e1")])
    with_effect(
        act,
        {
            "storage": [{"area": "cookie", "change": "set", "names": ["a", "b"]}],
            "downloads": [{"name": "a.csv", "bytes": 7}],
            "blocked": ["a popup"],
            "late_dom": {"summary": "2 added"},
        },
    )

    assert "e1" == act.effect
    assert ["cookie set: a, b", "a.csv, 7 bytes", "a popup", "2 added"] == [one.text for one in act.came]


def test_very_much_is_bounded_and_no_fault_is_left_out() -> None:
    requests = [event("network", 1_000 + at / 10, url=PAGE, method="GET", status=200) for at in range(CAME_MAX + 5)]
    (act,) = timeline([call(1_000), *requests, error(1_099)])
    many = timeline([call(1_000 * at) for at in range(1, ACTIONS_MAX + 9)])

    assert (CAME_MAX + 1, 5) == (len(act.came), act.omitted)
    assert act.came[-1].fault
    assert (ACTIONS_MAX, 1_000.0 * (ACTIONS_MAX + 8)) == (len(many), many[-1].at)


@pytest.mark.requirement("clients-015")
def test_every_text_is_escaped_wherever_it_stands() -> None:
    hostile = '"><script>x</script>\u202e\x00'
    events = [
        call(1_000, action=f"interact {hostile}", outcome=hostile, client=hostile),
        event("step", 1_010, by="assistant", act=hostile, value=hostile, locator={"by": "label", "text": hostile}),
        error(1_020, name=hostile, target=hostile),
        event("dialog", 1_030, dialog=hostile, message=hostile, accepted=False),
        event("network", 1_040, url=hostile, method=hostile, status=404),
        event("navigation", 1_050, url=hostile, navigation=hostile),
        event("step", 9_000, by="user", act=hostile, files=[hostile], page=hostile),
    ]
    finding = {
        "severity": "high",
        "id": hostile,
        "message": hostile,
        "fix": hostile,
        "affected": [hostile, {"selector": hostile, "fix": hostile}],
    }

    text = report(
        Session(timeline(events), [], [finding, {"severity": "low", "issue": hostile, "guidance": hostile}]), "now"
    )

    assert "<script" not in text
    assert not {"\u202e", "\x00"} & {*text}
    assert "default-src 'none'" in text
    assert "script-src" not in text
