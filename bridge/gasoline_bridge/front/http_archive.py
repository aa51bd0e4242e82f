"""Makes an HTTP archive (HAR 1.2, http://www.softwareishard.com/blog/har-12-spec/) of requests from the journal; pure.

Rules of this file:
- What was not captured is unknown: -1 where HAR has a number for it, a comment where it has none.
- Values are as the journal has them: redacted, and bodies only where the user lets them be captured.
"""

from collections.abc import Iterable
from datetime import datetime
from http import HTTPStatus
from itertools import count
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from gasoline_broker.product import NAME, VERSION
from gasoline_workers.redaction.messages import unnumbered

Item = dict[str, Any]

UNKNOWN = -1  # of sizes, and of times that HAR lets be absent
VERSIONS = {"h2": "HTTP/2", "h3": "HTTP/3", "http/1.1": "HTTP/1.1", "http/1.0": "HTTP/1.0"}  # by ALPN's names
UNSEEN = "unknown"
SAME_MS = 50.0  # a request and its body are noted within a few ms
LAST = "~"  # after every time
NO_BODY = "Not captured: bodies are while the user has Capture Network Bodies on."


def archive(requests: list[Item], bodies: list[Item], loads: list[Item]) -> Item:
    """Make the document. `requests`, `bodies`, `loads`: items of the journal's modes, newest first."""
    in_time = sorted(requests, key=lambda one: one["ts"])
    documents = [one for one in in_time if one.get("type") == "navigation"]
    ends = [one["ts"] for one in documents[1:]] + [LAST]
    pages = [_page(*numbered, _load(loads, *numbered[1:])) for numbered in zip(count(1), documents, ends, strict=False)]
    left = list(reversed(bodies))
    entries = [_entry(request, _taken(left, request), pages) for request in in_time]
    return {
        "log": {
            "version": "1.2",
            "creator": {"name": NAME, "version": VERSION},
            "pages": pages,
            "entries": entries,
        }
    }


def _load(loads: list[Item], document: Item, end: str) -> Item:
    """Give the report of the load of a document, which comes some time after it; empty if there is none yet."""
    own = (one for one in loads if one.get("tab") == document.get("tab") and document["ts"] <= one["ts"] < end)
    return next((one for one in own if one.get("url") == document["url"]), {})


def _page(number: int, document: Item, _end: str, load: Item) -> Item:
    timing = load.get("timing") or {}
    return {
        "startedDateTime": document["ts"],
        "id": f"page_{number}",
        "title": document["url"],
        "pageTimings": {
            "onContentLoad": timing.get("domContentLoaded", UNKNOWN),
            "onLoad": timing.get("load", UNKNOWN),
        },
    }


def _taken(bodies: list[Item], request: Item) -> Item:
    """Take the captured body of a request out of the list: of one method and address, the first near its time."""
    begun = _ms(request["ts"])
    for body in bodies:
        is_same = (body["method"], body["url"]) == (request.get("method"), request["url"])
        if is_same and body.get("tab") == request.get("tab") and abs(_ms(body["ts"]) - begun) <= _span(request):
            bodies.remove(body)
            return body
    return {}


def _span(request: Item) -> float:
    return SAME_MS + float(request.get("duration") or 0)


def _entry(request: Item, body: Item, pages: list[Item]) -> Item:
    duration, ttfb = request.get("duration"), request.get("ttfb")
    if duration is not None and duration < 0:  # Chrome's own, of scripts of workers
        duration = None
    wait = max(0.0, min(ttfb, duration)) if duration is not None and ttfb is not None else duration
    entry: Item = {
        "startedDateTime": request["ts"],
        "time": duration or 0,
        "request": _request(request, body),
        "response": _response(request, body),
        "cache": {},
        "timings": {"send": 0, "wait": wait or 0, "receive": round((duration or 0) - (wait or 0), 1)},
    }
    page = next((one["id"] for one in reversed(pages) if one["startedDateTime"] <= request["ts"]), "")
    if page:
        entry["pageref"] = page
    if duration is None:
        entry["comment"] = "Still open when it was written." if request.get("open") else "How long it took is unknown."
    if kind := request.get("type"):
        entry["_resourceType"] = kind
    return entry


def _request(request: Item, body: Item) -> Item:
    headers = body.get("requestHeaders") or request.get("request_headers") or {}
    sent: Item = {
        "method": request.get("method") or "GET",
        "url": unnumbered(request["url"]),  # a handle's sign would begin a fragment
        "httpVersion": _version(request),
        "cookies": [],
        "headers": _named(headers.items()),
        "queryString": _named(parse_qsl(_query(request["url"]), keep_blank_values=True)),
        "headersSize": UNKNOWN,
        "bodySize": UNKNOWN,
    }
    if (text := body.get("requestBody")) is not None:
        kind = next((value for name, value in headers.items() if name.lower() == "content-type"), "")
        sent["postData"] = {"mimeType": str(kind), "text": str(text)}
        if body.get("truncated"):
            sent["postData"]["comment"] = "Cut."
    return sent


def _response(request: Item, body: Item) -> Item:
    headers = body.get("responseHeaders") or request.get("response_headers") or {}
    status = int(request.get("status") or 0)
    text, kb = body.get("responseBody"), request.get("kb")
    content: Item = {"size": UNKNOWN, "mimeType": str(body.get("contentType") or "")}
    content |= {"comment": NO_BODY} if text is None else {"text": str(text)}
    if body.get("truncated"):
        content["comment"] = "Cut."
    response = {
        "status": status,
        "statusText": _phrase(status),
        "httpVersion": _version(request),
        "cookies": [],
        "headers": _named(headers.items()),
        "content": content,
        "redirectURL": str(next((value for name, value in headers.items() if name.lower() == "location"), "")),
        "headersSize": UNKNOWN,
        "bodySize": 0 if request.get("cached") else UNKNOWN,
    }
    if kb is not None:
        response["_transferSize"] = round(kb * 1_024)
    if error := request.get("error"):
        response["_error"] = error
    return response


def _named(pairs: Iterable[tuple[str, Any]]) -> list[Item]:
    return [{"name": str(name), "value": str(value)} for name, value in pairs]


def _version(request: Item) -> str:
    protocol = str(request.get("protocol") or "")
    return VERSIONS.get(protocol, protocol or UNSEEN)


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""


def _query(url: str) -> str:
    try:
        return urlsplit(unnumbered(url)).query
    except ValueError:
        return ""


def _ms(iso: str) -> float:
    return datetime.fromisoformat(iso).timestamp() * 1_000
