"""What an action caused, read from the events of the extension and the page."""

import re
from typing import Any

import msgspec
import pytest

from gasoline_bridge.front.reply_schemas import EffectReply
from gasoline_broker.errors import Failed
from gasoline_workers.journal import effects
from gasoline_workers.journal.messages import Item
from unit.journal.diary import NOW, TAB, Diary, error, line, ms, request, state

URL = "http://localhost:3000/api/items"


def told(phase: str = "settled", **more: Any) -> Item:
    head = {"ts": ms(), "type": "effect", "phase": phase, "id": "k3f9a2", "action": "click", "tab": TAB}
    return head | {"settled_ms": 70, "requests": [], "storage": []} | more


def ended(**more: Any) -> Item:
    return told("ended", **({"window_ms": 1_500} | more))


def asked(after_ms: int, **more: Any) -> Item:
    return {"url": URL, "method": "GET", "kind": "xmlhttprequest", "after_ms": after_ms} | more


def note(diary: Diary, *events: Item) -> None:
    """Store events of the extension itself."""
    diary.tell(*events, tab=0, load="00000000", page="")


def effect(diary: Diary, wanted: str = "k3f9a2", now: float = NOW) -> Item:
    """Read an effect, and hold it to its documented shape."""
    found = effects.read(diary.file.rows, wanted, diary.file.state, now).effect
    msgspec.convert(found, EffectReply)
    return found


def test_what_happened_in_the_tab_until_the_window_closed_is_of_the_action(diary: Diary) -> None:
    diary.tell(line("before", ts=ms(-0.1)), line("early", ts=ms(0.02)))
    note(diary, told())
    route = {"ts": ms(0.4), "type": "navigation", "navigation": "push", "url": f"{URL}#a", "from": URL}
    diary.tell(line("late", ts=ms(1.2)), line("late", ts=ms(1.3)), error("broke", ts=ms(0.9)), route)
    diary.tell(line("elsewhere", ts=ms(0.3)), tab=TAB + 1)
    note(diary, ended())
    diary.tell(line("after", ts=ms(1.6)))

    found = effect(diary)
    assert [("late", 1_300, 2), ("early", 20, 1)] == [
        (one["text"], one["after_ms"], one.get("count", 1)) for one in found["console"]
    ]
    assert [("broke", 900)] == [(one["message"], one["after_ms"]) for one in found["errors"]]
    assert [{"after_ms": 400, "navigation": "push", "url": f"{URL}#a", "from": URL}] == found["routes"]
    assert (70, 1_500, TAB, "click") == (found["settled_ms"], found["window_ms"], found["tab"], found["action"])
    assert "open" not in found


def test_until_its_end_is_reported_an_effect_is_open_with_what_there_is(diary: Diary) -> None:
    note(diary, told(requests=[asked(5)]))
    diary.tell(line("late", ts=ms(3)))

    found = effect(diary, now=NOW + 3)
    assert found["open"]
    assert "window_ms" not in found
    assert [asked(5)] == found["requests"]
    assert ["late"] == [one["text"] for one in found["console"]]


def test_an_effect_whose_end_never_came_is_closed_all_the_same(diary: Diary) -> None:
    note(diary, told())
    diary.tell(line("within", ts=ms(9)), line("much later", ts=ms(12)))

    found = effect(diary, now=NOW + effects.LATEST_S + 0.1)
    assert "open" not in found
    assert ["within"] == [one["text"] for one in found["console"]]


def test_without_its_end_an_effect_ends_with_the_next_action_of_its_tab(diary: Diary) -> None:
    note(diary, told(), told(id="other1", tab=TAB + 1, ts=ms(0.5)), told(id="next12", ts=ms(1)))
    diary.tell(line("first", ts=ms(0.9)), line("second", ts=ms(1.1)))

    assert ["first"] == [one["text"] for one in effect(diary)["console"]]
    assert ["second"] == [one["text"] for one in effect(diary, "next12")["console"]]


def test_a_request_that_both_saw_is_reported_once(diary: Diary) -> None:
    beacon = request(f"{URL}/beacon", api="beacon", method="POST", ts=ms(0.3))
    diary.tell(request(URL, ts=ms(0.006), duration=1_000.4), beacon)
    seen = [asked(5, status=200, duration_ms=1_000), asked(40, url=f"{URL}/logo.png", kind="image")]
    note(diary, ended(requests=seen))

    rows = [(one["url"], one["kind"], one["after_ms"]) for one in effect(diary)["requests"]]
    assert [(f"{URL}/beacon", "beacon", 300), (f"{URL}/logo.png", "image", 40), (URL, "xmlhttprequest", 5)] == rows


def test_the_same_address_twice_is_two_requests(diary: Diary) -> None:
    diary.tell(request(URL, ts=ms(0.01)), request(URL, ts=ms(0.5)))
    note(diary, ended(requests=[asked(9), asked(499)]))

    assert [499, 9] == [one["after_ms"] for one in effect(diary)["requests"]]


def test_what_the_page_asks_for_anyway_is_marked_so(diary: Diary) -> None:
    diary.tell(*[request(f"{URL}?at={at}", ts=ms(-at)) for at in (1, 2, 3, 60)])
    note(diary, ended(requests=[asked(5, url=f"{URL}?at=0"), asked(6, url=f"{URL}/own")]))

    own, poll = effect(diary)["requests"]
    assert (3, None) == (poll["seen_before"], own.get("seen_before"))


def test_late_changes_of_the_page_are_put_into_words(diary: Diary) -> None:
    dom = {"added": 25, "removed": 0, "attributes": 1, "texts": 0, "first_ms": 80, "last_ms": 410, "places": ["#list"]}
    note(diary, ended(dom=dom))

    expected = {"summary": "25 added, 1 attr changed", "first_ms": 80, "last_ms": 410, "places": ["#list"]}
    assert expected == effect(diary)["late_dom"]


def test_names_that_were_stored_are_reported(diary: Diary) -> None:
    change = {"area": "localStorage", "change": "set", "names": ["basket"], "late": True}
    note(diary, ended(storage=[change]))

    assert [change] == effect(diary)["storage"]


@pytest.mark.requirement("applications-028")
def test_the_files_that_were_saved_are_of_the_action(diary: Diary) -> None:
    file = {"name": "list.csv", "bytes": 120, "path": "/home/ann/Downloads/list.csv", "late": True}
    note(diary, told(), ended(downloads=[file]))

    assert [file] == effect(diary)["downloads"]


@pytest.mark.requirement("applications-051")
def test_windows_that_came_or_were_blocked_are_of_the_action(diary: Diary) -> None:
    note(diary, told(), ended(opened_tabs=[7, "[REDACTED]"], blocked=["popup http://page.test/child"]))

    found = effect(diary)

    assert ([7], ["popup http://page.test/child"]) == (found["opened_tabs"], found["blocked"])


def test_an_unknown_id_is_not_found(diary: Diary) -> None:
    with pytest.raises(Failed, match=re.escape("No effect 'x' is known")) as caught:
        effect(diary, "x")

    assert "not_found" == caught.value.failure.code
    assert "effect" in caught.value.failure.recovery


def test_nothing_of_another_tab_is_reported_while_one_is_tracked(diary: Diary) -> None:
    note(diary, ended())
    diary.tell(state(front=TAB, tracked=TAB + 1))

    with pytest.raises(Failed, match="tracked"):
        effect(diary)


def test_of_a_tab_that_is_not_captured_only_times_are_reported(diary: Diary) -> None:
    note(diary, {**ended(), "uncaptured": True})

    found = effect(diary)
    assert "not captured" in found["hint"]
    assert not found.keys() & set(effects.LISTS)


def test_a_page_cannot_report_an_effect(diary: Diary) -> None:
    diary.tell(ended())

    assert 0 == diary.kept("effect")


@pytest.mark.parametrize("nonsense", ["[REDACTED]", None, 7, [], {}, [None, 7, {}]])
def test_values_of_any_kind_lose_no_effect(diary: Diary, nonsense: Any) -> None:
    names = ("requests", "storage", "dom", "settled_ms", "window_ms", "action", "omitted")
    note(diary, ended(**dict.fromkeys(names, nonsense)))

    assert "k3f9a2" == effects.read(diary.file.rows, "k3f9a2", diary.file.state, NOW).effect["effect"]
