"""HTTP archives: they meet the published schema of HAR 1.2, and say of nothing more than was captured."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import referencing

from gasoline_bridge.front.http_archive import archive

SCHEMAS = Path(__file__).parents[2] / "node_modules" / "har-schema" / "lib"
URL = "http://127.0.0.1:8000/api/orders?page=2&empty="
SHOP = "http://127.0.0.1:8000/"
DOCUMENT = {
    "seq": 1,
    "ts": "2026-01-01T12:00:00.000Z",
    "url": SHOP,
    "type": "navigation",
    "status": 200,
    "duration": 9.5,
}
LOAD = {"seq": 2, "ts": "2026-01-01T12:00:00.700Z", "url": SHOP, "timing": {"load": 120.5}}
GET = {
    "seq": 5,
    "ts": "2026-01-01T12:00:01.000Z",
    "method": "GET",
    "url": URL,
    "status": 200,
    "type": "fetch",
    "start": 900.1,
    "duration": 40.5,
    "ttfb": 30.2,
    "kb": 2.5,
    "protocol": "h2",
    "request_headers": {"Accept": "application/json"},
    "response_headers": {"Content-Type": "application/json"},
}
POST = GET | {"seq": 6, "ts": "2026-01-01T12:00:02.000Z", "method": "POST", "status": 302}
POST |= {"response_headers": {"Location": "/orders/7"}, "request_headers": {"content-type": "application/json"}}
FAILED = {
    "seq": 7,
    "ts": "2026-01-01T12:00:03.000Z",
    "url": "http://127.0.0.1:1/",
    "status": 0,
    "error": "net::ERR_FAILED",
}
OPEN = {"seq": 8, "ts": "2026-01-01T12:00:04.000Z", "method": "GET", "url": URL, "open": True, "age_ms": 900}
BODY = {
    "seq": 9,
    "ts": "2026-01-01T12:00:02.030Z",
    "method": "POST",
    "url": URL,
    "requestBody": '{"item":7}',
    "responseBody": '{"ok":true}',
    "contentType": "application/json",
}


def faults(document: object) -> list[str]:
    schemas = {path.name: json.loads(path.read_text()) for path in SCHEMAS.glob("*.json")}
    stored = [(f"{name}#", referencing.Resource.from_contents(schema)) for name, schema in schemas.items()]
    registry: Any = referencing.Registry().with_resources([*stored, *((name.rstrip("#"), one) for name, one in stored)])
    validator = jsonschema.Draft6Validator(schemas["har.json"], registry=registry)
    return [f"{one.json_path}: {one.message}" for one in validator.iter_errors(document)]


def entries(*newest_first: dict[str, Any], bodies: tuple[dict[str, Any], ...] = ()) -> list[dict[str, Any]]:
    document = json.loads(json.dumps(archive([*newest_first, DOCUMENT], list(bodies), [LOAD])))
    assert [] == faults(document)
    found: list[dict[str, Any]] = document["log"]["entries"]
    return found[1:]


@pytest.mark.requirement("clients-005")
def test_every_kind_of_request_meets_the_schema_in_the_order_of_time() -> None:
    found = entries(OPEN, FAILED, POST, GET, bodies=(BODY,))

    assert [one["ts"] for one in (GET, POST, FAILED, OPEN)] == [one["startedDateTime"] for one in found]
    assert {"page_1"} == {one["pageref"] for one in found}


def test_a_schema_that_is_not_met_is_seen() -> None:
    document = archive([GET], [], [])
    del document["log"]["entries"][0]["timings"]["wait"]

    assert ["$.log.entries[0].timings: 'wait' is a required property"] == faults(document)


@pytest.mark.requirement("clients-005")
def test_a_request_has_its_times_headers_query_and_sizes() -> None:
    (one,) = entries(GET)

    assert (40.5, {"send": 0, "wait": 30.2, "receive": 10.3}) == (one["time"], one["timings"])
    assert [{"name": "page", "value": "2"}, {"name": "empty", "value": ""}] == one["request"]["queryString"]
    assert [{"name": "Accept", "value": "application/json"}] == one["request"]["headers"]
    assert ("HTTP/2", 200, "OK", 2560) == (
        one["request"]["httpVersion"],
        one["response"]["status"],
        one["response"]["statusText"],
        one["response"]["_transferSize"],
    )


@pytest.mark.requirement("clients-005")
def test_a_body_is_of_the_request_of_its_method_address_and_time() -> None:
    early = BODY | {"ts": "2026-01-01T11:59:00.000Z", "responseBody": "of another"}

    got, posted = entries(POST, GET, bodies=(BODY, early))

    assert {"mimeType": "application/json", "text": '{"item":7}'} == posted["request"]["postData"]
    assert '{"ok":true}' == posted["response"]["content"]["text"]
    assert "/orders/7" == posted["response"]["redirectURL"]
    assert "postData" not in got["request"]
    assert "Not captured" in got["response"]["content"]["comment"]


@pytest.mark.requirement("clients-005")
def test_two_equal_requests_have_a_body_each() -> None:
    first = BODY | {"ts": "2026-01-01T12:00:02.010Z", "responseBody": "first"}
    second = BODY | {"ts": "2026-01-01T12:00:02.020Z", "responseBody": "second"}

    found = entries(POST | {"ts": "2026-01-01T12:00:02.005Z"}, POST, bodies=(second, first))

    assert ["first", "second"] == [one["response"]["content"]["text"] for one in found]


@pytest.mark.requirement("clients-005")
def test_what_is_unknown_is_stated_and_never_zero_of_its_own() -> None:
    failed, waiting = entries(OPEN, FAILED)

    assert ("net::ERR_FAILED", 0, "") == (
        failed["response"]["_error"],
        failed["response"]["status"],
        failed["response"]["statusText"],
    )
    assert "Still open when it was written." == waiting["comment"]
    assert "How long it took is unknown." == failed["comment"]
    assert -1 == waiting["response"]["bodySize"] == waiting["response"]["content"]["size"]


@pytest.mark.requirement("clients-005")
@pytest.mark.parametrize("url", ["http://[::1/x?a=1", "data:text/plain,x", "", "http://h/?%zz=%ff&=&a=%E2%82%AC"])
def test_no_address_breaks_it(url: str) -> None:
    (one,) = entries(GET | {"url": url, "status": 799, "protocol": "quic", "cached": True})

    assert (url, "", "quic", 0) == (
        one["request"]["url"],
        one["response"]["statusText"],
        one["response"]["httpVersion"],
        one["response"]["bodySize"],
    )


@pytest.mark.requirement("clients-005")
def test_a_page_begins_with_its_document_and_has_its_own_report_alone() -> None:
    again = DOCUMENT | {"seq": 12, "ts": "2026-01-01T12:00:05.000Z"}
    late = GET | {"ts": "2026-01-01T12:00:06.000Z", "duration": -21.7}

    log = archive([again, late, GET, DOCUMENT], [], [LOAD])["log"]

    assert [(DOCUMENT["ts"], 120.5), (again["ts"], -1)] == [
        (one["startedDateTime"], one["pageTimings"]["onLoad"]) for one in log["pages"]
    ]
    assert ["page_1", "page_1", "page_2", "page_2"] == [one["pageref"] for one in log["entries"]]
    assert sorted(one["startedDateTime"] for one in log["entries"]) == [
        one["startedDateTime"] for one in log["entries"]
    ]
    assert (0, "How long it took is unknown.") == (log["entries"][-1]["time"], log["entries"][-1]["comment"])
