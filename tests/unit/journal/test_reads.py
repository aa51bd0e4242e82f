# ruff: noqa: E501 - a sample is one line, as the seed has it
"""What each mode returns for what was stored; the shapes are the final JSON of a reply."""

import json
from typing import Any

import pytest

from gasoline_broker.errors import Failed
from gasoline_workers.journal.messages import (
    Item,
    ReadActions,
    ReadBodies,
    ReadErrors,
    ReadLogs,
    ReadPerformance,
    ReadVitals,
    ReadWaterfall,
    ReadWebSockets,
)
from gasoline_workers.journal.paths import finder
from unit.journal.diary import (
    PAGE,
    TAB,
    Diary,
    body,
    error,
    line,
    loaded,
    mark,
    ms,
    request,
    snapshot,
    socket,
    state,
    vital,
)

TS = "2025-11-21T16:20:00.000Z"


@pytest.fixture
def diary(diary: Diary) -> Diary:
    """Return a journal of which the tab in front is known."""
    diary.tell(state(front=TAB), tab=0, load="00000000", page="")
    return diary


# Logs


def test_identical_lines_are_one_at_the_place_of_the_last(diary: Diary) -> None:
    diary.tell(line("a", source="x.js:1:1"), line("b"), line("a", source="x.js:1:1", ts=ms(1)), line("a"))

    assert [
        {"seq": 4, "ts": TS, "level": "log", "text": "a"},
        {"seq": 3, "ts": "2025-11-21T16:20:01.000Z", "level": "log", "text": "a", "count": 2, "source": "x.js:1:1"},
        {"seq": 2, "ts": TS, "level": "log", "text": "b"},
    ] == diary.items(ReadLogs())


@pytest.mark.requirement("applications-037")
def test_the_page_of_the_lines_is_named_once_and_that_of_a_line_of_another_with_it(diary: Diary) -> None:
    diary.tell(line("older"), page="http://localhost:3000/login")
    diary.tell(line("newer"), line("newest"))
    diary.tell(line("pushed"), tab=0, page="")

    read = diary.read(ReadLogs())
    assert PAGE == read.more["page"]
    assert [None, None, None, "http://localhost:3000/login"] == [item.get("page") for item in read.items]


@pytest.mark.requirement("capture-032")
def test_lines_are_chosen_by_level_and_by_text_in_any_case(diary: Diary) -> None:
    diary.tell(line("Größe", "warn"), line("else", "warn"), line("größe", "error"), line("GRÖSSE"))

    assert [3, 1] == [item["seq"] for item in diary.items(ReadLogs(levels=("warn", "error"), text="GRÖßE"))]


def test_only_errors_and_traces_have_a_stack(diary: Diary) -> None:
    diary.tell(
        line("a", stack="s"), line("b", "error", stack="s"), line("c", stack="s", method="trace", truncated=True)
    )

    assert [
        {"stack": "s", "method": "trace", "truncated": True},
        {"stack": "s"},
        {},
    ] == [
        {name: item[name] for name in ("stack", "method", "truncated") if name in item}
        for item in diary.items(ReadLogs())
    ]


# Errors


def test_errors_of_one_cause_are_one(diary: Diary) -> None:
    stack = "TypeError: x\n    at render (http://localhost/app.js?v={}:42:13)\n    at {}"
    diary.tell(
        error("Item 17 of http://a/b?c=1 failed", stack=stack.format(1, "one")),
        error("Item 18 of http://a/b?c=2 failed", stack=stack.format(2, "other"), ts=ms(10)),
        error("Item 18 of http://a/b?c=2 failed", stack="TypeError: x\n    at elsewhere (http://localhost/app.js:1:1)"),
    )

    first, second = diary.items(ReadErrors())
    assert (3, None) == (first["seq"], first.get("count"))
    assert (2, 2, TS, "2025-11-21T16:20:10.000Z") == (second["seq"], second["count"], second["first_ts"], second["ts"])
    assert "Item 18 of http://a/b?c=2 failed" == second["message"]


def test_an_error_has_what_is_known_of_it(diary: Diary) -> None:
    about = {"kind": "csp", "message": "m", "target": "t", "tag": "img", "directive": "d", "report_only": True}
    diary.tell({"ts": ms(), "type": "error", **about})

    assert [{"seq": 1, "ts": TS, **about, "page": PAGE}] == diary.items(ReadErrors())


def test_around_an_error_stands_what_happened_in_its_tab_with_failed_requests_first(diary: Diary) -> None:
    diary.tell(line("elsewhere", ts=ms(9.5)), tab=99)
    diary.tell(
        *(request(f"/{number}", ts=ms(9.5)) for number in range(6)),
        request("/failed", status=500, ts=ms(7.5)),
        line("too early", ts=ms(6.9)),
        line("before", "warn", ts=ms(9)),
        error("broken", ts=ms(10)),
        line("after", ts=ms(10.9)),
        line("too late", ts=ms(11.1)),
        {"ts": ms(9.9), "type": "action", "action": "click", "selector": "#b"},
    )

    (item,) = diary.items(ReadErrors())
    told = [near["text"] for near in item["around"]]
    assert ["GET /failed 500", "warn: before"] == told[:2]
    assert ["click #b", "log: after"] == told[-2:]
    assert 2 + 5 == len(told)
    assert {"seq", "ts", "type", "text"} == set(item["around"][0])


def test_errors_are_chosen_by_text(diary: Diary) -> None:
    diary.tell(error("One"), error("Other"))

    assert ["Other"] == [item["message"] for item in diary.items(ReadErrors(text="OTHER"))]


# Requests


def test_what_a_script_asked_for_and_what_the_browser_loaded_are_one_item(diary: Diary) -> None:
    more = {"ttfb": 8.5, "transferSize": 5_300, "protocol": "h2", "renderBlocking": True, "cached": True}
    diary.tell(request("/a", status=201, method="POST"), loaded("/b", status=304), loaded("/a", ts=ms(0.04), **more))

    assert [
        {
            "seq": 3, "ts": TS, "method": "POST", "url": "/a", "status": 201, "type": "fetch", "start": 21.5, "duration": 30.0,
            "ttfb": 8.5, "kb": 5.2, "cached": True, "protocol": "h2", "render_blocking": True,
        },
        {"seq": 2, "ts": TS, "method": "GET", "url": "/b", "status": 304, "type": "script", "start": 21.5, "duration": 30.0},
    ] == diary.items(ReadWaterfall())  # fmt: skip


def test_requests_of_another_time_tab_or_address_stay_apart(diary: Diary) -> None:
    diary.tell(request("/a"), loaded("/a", ts=ms(0.06)), loaded("/b"))
    diary.tell(loaded("/a"), tab=99)

    assert 4 == diary.read(ReadWaterfall(all_tabs=True)).total


@pytest.mark.requirement("faults-030")
@pytest.mark.parametrize("call_first", [True, False])
def test_a_load_that_a_busy_page_begins_late_is_of_the_call_that_lasts(diary: Diary, *, call_first: bool) -> None:
    call = request("/a", status=503, duration=480.0)
    late = loaded("/a", ts=ms(0.255), initiator="fetch")
    diary.tell(*((call, late) if call_first else (late, call)))

    (item,) = diary.items(ReadWaterfall())
    assert (503, "fetch", 30.0) == (item["status"], item["type"], item["duration"])


@pytest.mark.parametrize("other", [{"ts": ms(0.6), "initiator": "fetch"}, {"ts": ms(0.3), "initiator": "img"}])
def test_a_load_after_the_call_or_of_an_element_is_another_request(diary: Diary, other: Item) -> None:
    diary.tell(request("/a", duration=480.0), loaded("/a", **other))

    assert 2 == diary.read(ReadWaterfall()).total


def test_of_several_the_nearest_are_one(diary: Diary) -> None:
    diary.tell(request("/a"), request("/a", ts=ms(0.03)), loaded("/a", ts=ms(0.031)), loaded("/a", ts=ms(0.01), ttfb=1))

    items = diary.items(ReadWaterfall())
    assert [(4, 1), (3, None)] == [(item["seq"], item.get("ttfb")) for item in items]


def test_a_load_that_has_its_call_is_not_given_to_the_next_one(diary: Diary) -> None:
    diary.tell(request("/a"), loaded("/a", ts=ms(0.01)), request("/a", ts=ms(0.02)))

    assert [(3, None), (2, 21.5)] == [(item["seq"], item.get("start")) for item in diary.items(ReadWaterfall())]


@pytest.mark.requirement("capture-032")
def test_requests_are_chosen_by_method_status_and_address(diary: Diary) -> None:
    diary.tell(
        request("/api/a", status=404, method="post"), request("/api/b"), request("/c", status=0, error="refused")
    )

    assert [1] == [item["seq"] for item in diary.items(ReadWaterfall(method="POST"))]
    assert [3, 1] == [item["seq"] for item in diary.items(ReadWaterfall(status_min=400))]  # without an answer too
    assert [1] == [item["seq"] for item in diary.items(ReadWaterfall(status_min=400, status_max=499))]
    assert [3, 2] == [item["seq"] for item in diary.items(ReadWaterfall(status_max=299))]
    assert [2, 1] == [item["seq"] for item in diary.items(ReadWaterfall(url_filter="/api"))]
    assert "refused" == diary.items(ReadWaterfall())[0]["error"]


def test_headers_are_in_the_answer_when_they_are_asked_for(diary: Diary) -> None:
    diary.tell(request("/a", requestHeaders={"a": "b"}, responseHeaders={"c": "d"}))

    (without,), (item,) = diary.items(ReadWaterfall()), diary.items(ReadWaterfall(headers=True))
    assert ({"a": "b"}, {"c": "d"}) == (item["request_headers"], item["response_headers"])
    assert "request_headers" not in without


# Bodies


@pytest.mark.requirement("002-071", "002-072", "002-079")
def test_bodies_are_in_the_seed_s_shape_newest_first(diary: Diary) -> None:
    one = '{"ts":"2024-01-15T10:30:00.000Z","type":"network_body","method":"POST","url":"/api/users","status":201,"requestBody":"{\\"name\\":\\"Alice\\"}","responseBody":"{\\"id\\":1,\\"name\\":\\"Alice\\"}","contentType":"application/json","duration":142}'
    two = '{"ts":"2024-01-15T10:30:01.000Z","type":"network_body","method":"GET","url":"/api/products?page=2","status":200,"requestBody":null,"responseBody":"{\\"items\\":[...],\\"total\\":50}","contentType":"application/json","duration":89}'
    diary.tell(json.loads(one), json.loads(two))

    second, first = diary.items(ReadBodies())
    assert (json.loads(one) | {"seq": 1}, json.loads(two) | {"seq": 2}) == (first, second)
    assert [*json.loads(one), "seq"] == list(first)


def test_a_body_that_was_cut_off_is_marked_so(diary: Diary) -> None:
    diary.tell(body("/a", truncated=True), body("/b"))

    assert [None, True] == [item.get("truncated") for item in diary.items(ReadBodies())]


@pytest.mark.requirement("002-074", "002-075", "002-076", "002-077")
def test_bodies_are_chosen_by_address_method_and_status(diary: Diary) -> None:
    diary.tell(body("/api/a", status=404), body("/api/b", method="POST"), body("/c", status=500))

    def seqs(**asked: Any) -> list[int]:
        return [item["seq"] for item in diary.items(ReadBodies(**asked))]

    assert [2, 1] == seqs(url_filter="/api")
    assert [2] == seqs(method="post")
    assert [3, 1] == seqs(status_min=400)
    assert [1] == seqs(status_min=400, status_max=499)


@pytest.mark.requirement("002-078")
def test_twenty_bodies_are_the_default(diary: Diary) -> None:
    diary.tell(*(body(f"/{number}") for number in range(30)))

    read = diary.read(ReadBodies())
    assert (20, 30) == (len(read.items), read.total)
    assert 5 == len(diary.items(ReadBodies(limit=5)))


@pytest.mark.parametrize(
    ("path", "said", "expected"),
    [
        ("$.id", '{"id":1}', {"value": 1}),
        ("$.items[*].id", '{"items":[{"id":1},{"id":2}]}', {"value": [1, 2]}),
        ("$.items[*].id", '{"items":[{"id":1}]}', {"value": [1]}),
        ("$.id", '{"id":null}', {"value": None}),
        ("$.id", "{}", {"path_error": "Nothing in the body matches the path."}),
        ("$.id", "<html>", {"path_error": "The body is not JSON."}),
        ("$.id", None, {"path_error": "Nothing in the body matches the path."}),
        ("$.id", "[" * 100_000 + "]" * 100_000, {"path_error": "The body is nested too deep."}),
        ("$..id", "[" * 500 + "]" * 500, {"path_error": "The body is nested too deep."}),
        ("$.id", "1e999", {"path_error": "The body is not JSON."}),
        ("$..*", "[" + "0," * 10_000 + "0]", {"path_error": "The path has more than 10,000 matches; narrow it."}),
    ],
)
def test_a_json_path_gives_its_match_or_the_reason_why_there_is_none(
    diary: Diary, path: str, said: str | None, expected: dict[str, Any]
) -> None:
    diary.tell(body("/a", responseBody=said))

    (item,) = diary.items(ReadBodies(body_path=path))
    assert expected == {name: item[name] for name in ("value", "path_error") if name in item}
    assert "responseBody" not in item


def test_a_json_path_into_a_body_that_was_cut_off_names_the_cut(diary: Diary) -> None:
    diary.tell(body("/a", responseBody='{"id":"' + "a b " * 4_090, truncated=True))
    diary.tell(body("/b", responseBody="<html>", requestBody="{", truncated=True))

    of_request, of_response = diary.items(ReadBodies(body_path="$.id"))
    assert "The body was cut off at 16 KB, so that it is no JSON any more." == of_response["path_error"]
    assert "The body is not JSON." == of_request["path_error"]


def test_a_json_path_that_looks_at_too_much_ends_with_a_note(diary: Diary) -> None:
    diary.tell(body("/a", responseBody="[" * 30 + "1," * 7_000 + "1" + "]" * 30))

    (item,) = diary.items(ReadBodies(body_path="$..*..*..x"))
    assert "The path looks at too much of the body; name the steps on the way." == item["path_error"]


@pytest.mark.parametrize(
    "path",
    [
        "$..a..b..c..d",
        "$" + ".a" * 250,
        "$[?count(@..*)>0]",
        "$..[?@.a==1]",
        "$[?@.a==1 || $.b]",
        f"$[?{' || '.join(['@.a==1'] * 20)}]",
        f"$[?{'!(' * 30}@.a{')' * 30}]",
    ],
)
def test_a_json_path_that_would_take_long_is_refused(diary: Diary, path: str) -> None:
    with pytest.raises(Failed, match=r"invalid_params: body_path (is too long|filters too much)") as told:
        diary.read(ReadBodies(body_path=path))

    assert "body_path" == told.value.failure.details["parameter"]


@pytest.mark.parametrize(
    "path",
    [
        "$[?@.a>1e999]",
        "$[1e999]",
        "id",
        "$.",
        "$[?@.a",
        "$.~keys",
        "$[?match(@.a, '(a+)+$')]",
    ],
)
def test_what_is_no_json_path_is_refused(diary: Diary, path: str) -> None:
    with pytest.raises(Failed, match="invalid_params: body_path is no JSON path") as told:
        diary.read(ReadBodies(body_path=path))

    assert "body_path" == told.value.failure.details["parameter"]


# WebSockets

SEEDS = [
    '{"ts":"2024-01-15T10:30:00.000Z","type":"websocket","event":"open","id":"uuid","url":"wss://api.example.com/ws","tabId":123}',
    '{"ts":"2024-01-15T10:30:01.000Z","type":"websocket","event":"message","id":"uuid","direction":"incoming","data":"{\\"type\\":\\"chat\\",\\"msg\\":\\"hello\\"}","size":32}',
    '{"ts":"2024-01-15T10:30:02.000Z","type":"websocket","event":"message","id":"uuid","direction":"outgoing","data":"{\\"type\\":\\"ping\\"}","size":16}',
    '{"ts":"2024-01-15T10:30:05.000Z","type":"websocket","event":"close","id":"uuid","code":1000,"reason":"normal closure"}',
    '{"ts":"2024-01-15T10:30:06.000Z","type":"websocket","event":"error","id":"uuid","url":"wss://api.example.com/ws"}',
]


@pytest.mark.requirement("002-044", "002-045", "002-046", "002-047", "002-048", "002-054")
def test_events_of_websockets_are_in_the_seed_s_shape_newest_first(diary: Diary) -> None:
    told = [json.loads(text) for text in SEEDS]
    for event in told:
        diary.tell({"url": "wss://api.example.com/ws"} | event, tab=123)

    given = diary.items(ReadWebSockets(tab_id=123))
    assert [event | {"seq": seq} for seq, event in enumerate(told, 1)] == given[::-1]


def test_a_message_that_was_cut_off_is_marked_so(diary: Diary) -> None:
    diary.tell(socket("message", direction="incoming", data="a", size=5_000, truncated=True))

    assert True is diary.items(ReadWebSockets())[0]["truncated"]


@pytest.mark.requirement("002-050", "002-051", "002-052")
def test_events_of_websockets_are_chosen_by_connection_address_and_direction(diary: Diary) -> None:
    diary.tell(
        socket("open", "a"), socket("message", "a", direction="incoming"), socket("message", "b", direction="outgoing")
    )
    diary.tell(socket("open", "c", url="ws://localhost/other"), {"type": "websocket", "event": "close", "id": "c"})

    def seqs(**asked: Any) -> list[int]:
        return [item["seq"] for item in diary.items(ReadWebSockets(**asked))]

    assert [2, 1] == seqs(connection_id="a")
    assert [5, 4] == seqs(url_filter="other")
    assert [2] == seqs(direction="incoming")
    assert [3] == seqs(direction="outgoing")


@pytest.mark.requirement("002-053")
def test_fifty_events_of_websockets_are_the_default(diary: Diary) -> None:
    diary.tell(*(socket("message", data=str(number)) for number in range(60)))

    assert 50 == len(diary.items(ReadWebSockets()))
    assert 3 == len(diary.items(ReadWebSockets(limit=3)))


# Vitals, performance, actions


def test_of_each_load_the_last_value_of_each_vital_counts(diary: Diary) -> None:
    diary.tell(vital("LCP", 100), vital("CLS", 0.1), vital("LCP", 812.5, element="#hero"), load="00000001")
    diary.tell(vital("INP", 300, rating="poor", interaction="click"), load="00000002", page="http://b/")
    diary.tell(vital("LCP", 1), frame=3, load="00000003")

    first = {"LCP": {"value": 812.5, "rating": "good", "element": "#hero"}, "CLS": {"value": 0.1, "rating": "good"}}
    assert [
        {"seq": 4, "ts": TS, "url": "http://b/", "INP": {"value": 300, "rating": "poor", "interaction": "click"}},
        {"seq": 3, "ts": TS, "url": PAGE, **first},
    ] == diary.items(ReadVitals())


@pytest.mark.requirement("001-036")
def test_the_last_snapshot_of_each_load_comes_with_the_marks_and_measures_of_the_newest(diary: Diary) -> None:
    diary.tell(snapshot("http://a/"), snapshot("http://a/", cls=0.5), mark("old", 1), load="00000001")
    measure = mark("hero-render", 450.2) | {"entry": "measure", "duration": 62.6}
    diary.tell(mark("hero-render-start", 450.2), mark("hero-render-end", 512.8), measure, snapshot(), load="00000002")

    read = diary.read(ReadPerformance())
    assert [{"seq": 7, "ts": TS, "url": PAGE}, {"seq": 2, "ts": TS, "url": "http://a/"}] == [
        {name: item[name] for name in ("seq", "ts", "url")} for item in read.items
    ]
    assert 0.5 == read.items[1]["cls"]
    assert snapshot()["timing"] == read.items[0]["timing"]
    assert {
        "user_timing": {
            "marks": [{"name": "hero-render-start", "time": 450.2}, {"name": "hero-render-end", "time": 512.8}],
            "measures": [{"name": "hero-render", "duration": 62.6, "start": 450.2}],
        }
    } == read.more


def test_marks_and_measures_come_with_the_first_page_alone(diary: Diary) -> None:
    diary.tell(mark("a", 1), snapshot())

    assert {} == diary.read(ReadPerformance(before=2, upto=2)).more


def test_the_last_two_hundred_marks_come_oldest_first(diary: Diary) -> None:
    diary.tell(*(mark(str(number), number) for number in range(300)))

    marks = diary.read(ReadPerformance()).more["user_timing"]["marks"]
    assert ["100", "299", 200] == [marks[0]["name"], marks[-1]["name"], len(marks)]


def test_actions_and_navigations_are_one_list(diary: Diary) -> None:
    click = {"action": "click", "selector": "#more", "tag": "button", "text": "More", "x": 0, "y": 340}
    push = {"navigation": "push", "url": "http://localhost:3000/settings", "from": PAGE}
    diary.tell({"ts": ms(), "type": "action", **click}, {"ts": ms(), "type": "navigation", **push})

    assert [{"seq": 2, "ts": TS, **push}, {"seq": 1, "ts": TS, **click}] == diary.items(ReadActions())


@pytest.mark.parametrize("event", [line("a"), error("a"), {"ts": ms(), "type": "action", "action": "click"}])
def test_what_has_no_address_is_chosen_by_its_page(diary: Diary, event: dict[str, Any]) -> None:
    diary.tell(event, page="http://a/one")
    diary.tell(event, page="http://a/two")

    kinds = {"console": ReadLogs, "error": ReadErrors, "action": ReadActions}
    assert [2] == [item["seq"] for item in diary.items(kinds[event["type"]](url_filter="/two"))]


def test_a_request_whose_other_half_is_evicted_stays_an_item_and_takes_no_other(diary: Diary) -> None:
    diary.tell(request("/a"), loaded("/a", ts=ms(0.02)))
    diary.tell(*(loaded(f"/{number}") for number in range(1_000)))
    diary.tell(loaded("/a", ts=ms(0.03)))

    items = diary.items(ReadWaterfall(url_filter="/a"))
    assert [("script", 1_003), ("fetch", 2)] == [(item["type"], item["seq"]) for item in items]


def test_a_message_without_an_address_has_that_of_its_connection_also_when_the_open_is_gone(diary: Diary) -> None:
    message = {"ts": ms(), "type": "websocket", "event": "message", "id": "c", "direction": "incoming"}
    diary.tell(socket("open", "c", url="ws://localhost/one"), message)
    diary.tell(*[message] * 200)
    diary.tell(message | {"id": "unknown"})
    diary.tell(message, tab=99)

    assert 198 == diary.read(ReadWebSockets(url_filter="/one")).total
    assert 0 == diary.read(ReadWebSockets(url_filter="/one", tab_id=99)).total


def test_a_reader_between_the_halves_of_a_request_gets_it_again_whole(diary: Diary) -> None:
    since = diary.tell(request("/a", method="POST", status=201))
    assert [(1, "POST")] == [(item["seq"], item["method"]) for item in diary.items(ReadWaterfall())]
    diary.tell(loaded("/a", ts=ms(0.02), transferSize=1_024))

    (item,) = diary.items(ReadWaterfall(since_seq=since))
    assert (2, "POST", 201, 1.0) == (item["seq"], item["method"], item["status"], item["kb"])
    assert [1] == [item["seq"] for item in diary.items(ReadWaterfall(upto=1))]


def test_half_of_a_request_of_a_script_is_no_get(diary: Diary) -> None:
    diary.tell(request("/a", method="POST"), loaded("/a", ts=ms(0.02)))
    diary.tell(*(request(f"/{number}") for number in range(1_000)))

    (item,) = diary.items(ReadWaterfall(url_filter="/a"))
    assert (2, None) == (item["seq"], item.get("method"))


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("$.items[0].id", {"value": 1}),
        ("$.items[-1].id", {"value": False}),
        ("$['0']['1']", {"value": 2}),
        ("$.items[0]['x y'][2].a", {"value": None}),
        ("$.items[2]", {"path_error": "Nothing in the body matches the path."}),
        ("$.items[-3]", {"path_error": "Nothing in the body matches the path."}),
        ("$.items.id", {"path_error": "Nothing in the body matches the path."}),
        ("$.n.m", {"path_error": "Nothing in the body matches the path."}),
    ],
)
def test_a_path_of_names_and_places_is_followed_to_its_one_value(path: str, found: Item) -> None:
    body = '{"items":[{"id":1,"x y":[1,2,{"a":null}]},{"id":false}],"0":{"1":2},"n":null}'

    assert found == finder(path)(body, False)  # noqa: FBT003 - not cut off


@pytest.mark.requirement("applications-034")
def test_requests_are_chosen_by_kind(diary: Diary) -> None:
    diary.tell(
        loaded("/", initiator="navigation"),
        loaded("/app.js", initiator="script"),
        request("/api/a"),
        loaded("/api/b", initiator="xmlhttprequest"),
        loaded("/frame", initiator="iframe"),
        loaded("/x", initiator="other"),
    )

    def urls(*kinds: Any) -> list[str]:
        return [item["url"] for item in diary.items(ReadWaterfall(kinds=kinds))]

    assert ["/frame", "/"] == urls("document")
    assert ["/api/b", "/api/a"] == urls("api")
    assert ["/x", "/app.js"] == urls("static")
    assert ["/frame", "/api/b", "/api/a", "/"] == urls("document", "api")
    assert 6 == len(urls("document", "api", "static"))


@pytest.mark.requirement("applications-034")
def test_requests_are_chosen_by_the_page_that_is_there(diary: Diary) -> None:
    def arrived(at_s: float, kind: str = "navigate") -> Item:
        return {"ts": ms(at_s), "type": "navigation", "navigation": kind, "url": PAGE}

    def urls() -> list[str]:
        return [item["url"] for item in diary.items(ReadWaterfall(load="current", tab_id=TAB))]

    diary.tell(request("/unknown"))
    before = urls()
    diary.tell(arrived(1), request("/first", ts=ms(1.1)), load="00000001")
    diary.tell(loaded("/", ts=ms(1.9)), arrived(2), arrived(3, "push"), load="00000002")
    diary.tell(request("/late", ts=ms(1.2)), load="00000001")
    diary.tell(request("/framed", ts=ms(2.5)), frame=4, load="0000000f")
    second = urls()
    diary.tell(arrived(4, "back_forward"), request("/again", ts=ms(4.1)), load="00000001")

    assert ["/unknown"] == before
    assert ["/framed", "/"] == second
    assert ["/again", "/late", "/first"] == urls()


def test_a_page_that_is_there_is_one_tab_s(diary: Diary) -> None:
    with pytest.raises(Failed, match="one tab"):
        diary.read(ReadWaterfall(load="current", all_tabs=True))


@pytest.mark.requirement("applications-031")
def test_while_a_page_is_loading_there_is_no_snapshot_and_the_reason_is_stated(diary: Diary) -> None:
    empty = diary.read(ReadPerformance()).more
    seq = diary.tell({"ts": ms(), "type": "navigation", "navigation": "navigate", "url": PAGE})
    loading = diary.read(ReadPerformance()).more
    diary.tell(snapshot())

    assert "load is not over" in loading["hint"]
    assert ["user_timing"] == [*empty] == [*diary.read(ReadPerformance()).more]
    end = diary.tell({"ts": ms(1), "type": "navigation", "navigation": "push", "url": PAGE})
    assert "hint" not in diary.read(ReadPerformance(since_seq=seq + 1)).more
    assert "hint" not in diary.read(ReadPerformance(since_seq=end - 1)).more


@pytest.mark.requirement("applications-031")
def test_a_filter_that_nothing_matches_states_how_many_there_are_without_it(diary: Diary) -> None:
    end = diary.tell(request("/api/a"), request("/api/b"), line("one"))
    none: dict[str, Any] = {"url_filter": "x", "kinds": ("api",)}

    assert "None of the 2 that are here match `kinds`, `url_filter`." == diary.read(ReadWaterfall(**none)).more["hint"]
    assert "The only one here does not match `levels`." == diary.read(ReadLogs(levels=("error",))).more["hint"]
    assert "hint" not in diary.read(ReadWaterfall(**none, since_seq=end)).more
    assert "hint" not in diary.read(ReadErrors(text="x")).more
    assert "The only one here does not match `text`." == diary.read(ReadLogs(text="two")).more["hint"]
    shaped = diary.read(ReadWaterfall(method="PUT", headers=True)).more["hint"]
    assert "None of the 2 that are here match `method`." == shaped
    assert "hint" not in diary.read(ReadLogs(levels=("log",))).more
