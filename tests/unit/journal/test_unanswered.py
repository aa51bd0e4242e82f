"""Requests without an answer are listed until they have one, also those that only the browser saw."""

from typing import Any

import pytest

from gasoline_workers.journal.messages import Item, ReadBodies, ReadWaterfall
from unit.journal.diary import NOW, PAGE, TAB, Diary, body, loaded, ms, request
from unit.journal.test_effects import asked, ended, note, told

URL = "http://localhost:3000/api/items"
OTHER = "http://localhost:3000/favicon.svg"


def begun(url: str = URL, **more: Any) -> Item:
    return {"ts": ms(), "type": "request", "api": "fetch", "method": "GET", "url": url} | more


def arrival(after_s: float, navigation: str = "navigate") -> Item:
    return {"ts": ms(after_s), "type": "navigation", "navigation": navigation, "url": PAGE}


def requests(diary: Diary, **asked: Any) -> list[Item]:
    return diary.items(ReadWaterfall(**asked))


@pytest.mark.requirement("applications-032")
def test_a_request_without_an_answer_is_open_until_its_end_is_there(diary: Diary) -> None:
    diary.tell(begun(method="POST"))
    diary.now = NOW + 4
    (open_one,) = requests(diary)
    diary.tell(request(URL, method="POST", status=201))
    (ended_one,) = requests(diary)

    assert (True, 4_000, "POST", URL, "fetch") == tuple(
        open_one[name] for name in ("open", "age_ms", "method", "url", "type")
    )
    assert "status" not in open_one
    assert (201, False, False) == (ended_one["status"], "open" in ended_one, "failed" in ended_one)


@pytest.mark.requirement("applications-032")
def test_of_two_open_requests_to_one_address_the_one_that_ended_goes(diary: Diary) -> None:
    diary.tell(begun(), begun(ts=ms(0.01)), begun(ts=ms(0.01)))
    diary.tell(request(URL, ts=ms(0.01)))

    assert [(URL, True), (URL, True), (URL, False)] == sorted(
        ((one["url"], "open" in one) for one in requests(diary)), key=lambda one: not one[1]
    )


@pytest.mark.requirement("applications-032")
def test_a_page_that_begins_ends_the_open_requests_of_the_one_before(diary: Diary) -> None:
    diary.tell(begun())
    diary.tell(begun(OTHER, ts=ms(0.5)), tab=TAB + 1)
    diary.tell(arrival(1), begun(ts=ms(1.1)), load="00000002")

    items = requests(diary, all_tabs=True)
    assert [(True, False), (True, False), (False, True)] == [("open" in one, "failed" in one) for one in items]
    assert "page was left" in items[-1]["error"]


def test_a_route_of_the_page_ends_no_request(diary: Diary) -> None:
    diary.tell(begun(), arrival(1, "push"))

    assert ["open"] == [name for one in requests(diary) for name in one if name in {"open", "failed"}]


@pytest.mark.requirement("applications-033")
def test_what_only_the_browser_saw_fail_in_an_action_is_listed(diary: Diary) -> None:
    failed = asked(20, url=OTHER, kind="image", status=404, duration_ms=8)
    refused = asked(30, url="http://localhost:9/", error="net::ERR_CONNECTION_REFUSED", duration_ms=1)
    aborted = asked(40, error="net::ERR_ABORTED", duration_ms=1)
    note(diary, told(requests=[failed, refused, aborted, asked(5, status=200, duration_ms=4)]))

    first, second = requests(diary)
    assert ("http://localhost:9/", "net::ERR_CONNECTION_REFUSED", True) == tuple(
        first[name] for name in ("url", "error", "failed")
    )
    assert (OTHER, 404, True, 8) == tuple(second[name] for name in ("url", "status", "failed", "duration"))


@pytest.mark.requirement("applications-033")
@pytest.mark.parametrize("page_first", [True, False])
def test_what_the_page_has_reported_too_is_one_item_with_the_browser_s_error(diary: Diary, *, page_first: bool) -> None:
    def page() -> None:
        diary.tell(request(URL, ts=ms(0.4), status=0, error="TypeError: Failed to fetch"))
        diary.tell(loaded(OTHER, ts=ms(0.4), initiator="img"))

    error = {"error": "net::ERR_CONNECTION_REFUSED", "duration_ms": 3}
    seen = told(requests=[asked(20, **error), asked(20, url=OTHER, kind="image", **error)])
    if page_first:
        page()
    note(diary, seen)
    if not page_first:
        page()

    assert [("net::ERR_CONNECTION_REFUSED", 0, True)] * 2 == [
        (one["error"], one["status"], one["failed"]) for one in requests(diary)
    ]
    assert 0 == diary.kept("request")


@pytest.mark.requirement("applications-033")
def test_the_end_of_an_effect_brings_its_requests_up_to_date(diary: Diary) -> None:
    note(diary, told(requests=[asked(20, url=OTHER, kind="image")]))
    (still,) = requests(diary)
    note(diary, ended(requests=[asked(20, url=OTHER, kind="image", status=503, duration_ms=900)]))
    (over,) = requests(diary)

    assert (True, 503, True) == (still["open"], over["status"], over["failed"])


def test_the_page_that_an_action_leads_to_is_no_open_request(diary: Diary) -> None:
    note(diary, told(requests=[asked(20, kind="main_frame")]))

    assert [] == requests(diary)


def test_an_open_request_that_page_and_browser_report_is_one_item(diary: Diary) -> None:
    note(diary, told(requests=[asked(20)]))
    diary.tell(begun(ts=ms(0.1)))
    note(diary, ended(requests=[asked(20)]))

    assert [True] == [one["open"] for one in requests(diary)]


def test_a_damaged_effect_lists_no_request(diary: Diary) -> None:
    note(diary, told(requests="[REDACTED]"), told(id="other", requests=[None, {}, {"url": 7, "error": 1}]))

    assert [] == requests(diary, all_tabs=True)


@pytest.mark.parametrize("seen_first", [True, False])
def test_page_and_browser_report_one_request_within_two_seconds(diary: Diary, *, seen_first: bool) -> None:
    kinds = (begun, request, loaded)
    cases = [(kind, after_s) for kind in kinds for after_s in (2.1, 2.9, 3.1, 6.9, 7.1, 7.9)]
    of_page = [kind(f"/{number}/", ts=ms(after_s)) for number, (kind, after_s) in enumerate(cases)]
    of_browser = told(requests=[asked(5_000, url=f"/{number}/", status=500) for number in range(len(cases))])
    if seen_first:
        note(diary, of_browser)
    diary.tell(*of_page)
    if not seen_first:
        note(diary, of_browser)

    counts = [len(requests(diary, url_filter=f"/{number}/")) for number in range(len(cases))]
    assert [2, 2, 1, 1, 2, 2] * len(kinds) == counts


@pytest.mark.parametrize("seen_first", [True, False])
def test_a_status_that_only_the_browser_knows_is_noted(diary: Diary, *, seen_first: bool) -> None:
    def page() -> None:
        diary.tell(loaded("/unknown"), loaded("/known", status=200))

    if not seen_first:
        page()
    missing = asked(20, url="/unknown", kind="image", status=404)
    note(diary, told(requests=[missing, asked(20, url="/known", kind="image", error="net::ERR_FAILED")]))
    if seen_first:
        page()

    known, unknown = sorted(requests(diary), key=lambda one: one["url"])
    assert (200, 404, True) == (known["status"], unknown["status"], unknown["failed"])
    assert not {"failed", "error"} & known.keys()
    assert "error" not in unknown


def test_a_request_that_only_the_browser_saw_is_an_item_of_the_tab_of_its_action(diary: Diary) -> None:
    note(diary, told(requests=[asked(250, url=OTHER, kind="image", status=404, duration_ms=8)]))

    (item,) = requests(diary, all_tabs=True)
    assert {
        "seq": 2,
        "ts": "2025-11-21T16:20:00.250Z",
        "tab": TAB,
        "method": "GET",
        "url": OTHER,
        "status": 404,
        "failed": True,
        "type": "image",
        "duration": 8,
    } == item


def test_a_request_of_an_effect_whose_tab_and_time_are_hidden_is_of_every_tab_and_of_the_effect_s_time(
    diary: Diary,
) -> None:
    note(diary, told(tab="[REDACTED]", requests=[asked(0, status=404) | {"after_ms": "[REDACTED]"}]))

    assert ["2025-11-21T16:20:00.000Z"] == [one["ts"] for one in requests(diary, tab_id=TAB + 1)]


@pytest.mark.parametrize(
    ("more", "listed"),
    [
        ({"status": 399, "duration_ms": 1}, False),
        ({"status": 400, "duration_ms": 1}, True),
        ({"kind": "main_frame", "status": 500, "duration_ms": 1}, True),
        ({"kind": "main_frame", "error": "net::ERR_FAILED"}, True),
        ({"status": "[REDACTED]", "duration_ms": 1}, False),
        ({"url": "/" + "a" * 498}, True),
        ({"url": "/" + "a" * 499}, False),
    ],
)
def test_of_an_effect_what_failed_or_is_open_is_listed(diary: Diary, more: Item, *, listed: bool) -> None:
    note(diary, told(requests=["[REDACTED]", asked(20) | more]))

    assert listed == bool(requests(diary))


def test_the_last_report_of_each_effect_counts_also_within_a_chunk(diary: Diary) -> None:
    other = told(id="other", requests=[asked(20, url="/other")])
    note(diary, told(requests=[asked(20)]), other, ended(requests=[asked(20, url=OTHER)]))

    assert [OTHER, "/other"] == [one["url"] for one in requests(diary)]


def test_a_page_in_a_frame_ends_no_request(diary: Diary) -> None:
    diary.tell(begun())
    diary.tell(arrival(1), frame=3, load="00000002")

    assert [True] == [one["open"] for one in requests(diary)]


@pytest.mark.requirement("applications-031")
def test_an_empty_list_of_bodies_counts_the_requests_that_have_none(diary: Diary) -> None:
    diary.tell(request("/api/a"), request("/api/b"), begun("/api/slow"))

    assert "2 ended without a captured body, 1 still open" in diary.read(ReadBodies()).more["hint"]
    assert "Such requests: 1 still open;" in diary.read(ReadBodies(url_filter="slow")).more["hint"]
    assert "" == diary.read(ReadBodies(method="PUT")).more.get("hint", "")
    diary.tell(body("/api/a"))
    assert "Such requests: 1 still open;" in diary.read(ReadBodies(url_filter="slow")).more["hint"]
