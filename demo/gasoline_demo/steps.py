"""What the demonstration shows: each call, and what must be true of its answer; a capability adds its rows here."""

from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from gasoline_workers.redaction.messages import HANDLE

Reply = dict[str, Any]


class Step(NamedTuple):
    """One call. `good` judges the reply; `failed`: the reply is meant to be an error."""

    title: str
    tool: str
    arguments: dict[str, Any]
    good: Callable[[Reply], bool]
    failed: bool = False


STEPS = [
    Step("Is everything there?", "observe", {"what": "status"}, lambda reply: reply["extension"]["connected"]),
    Step(
        "Which tabs are open?",
        "observe",
        {"what": "tabs"},
        lambda reply: any("Corner Shop" in tab["title"] for tab in reply["tabs"]),
    ),
    Step("What page is this?", "observe", {"what": "page"}, lambda reply: "Products" in reply["headings"]),
    Step(
        "The same by its own tool",
        "get_page_info",
        {},
        lambda reply: reply["forms"][0]["fields"] == ["email", "password", "csrf_token"],
    ),
    Step(
        "Find the products, with two of their styles",
        "query_dom",
        {"selector": "li.product", "include_styles": True, "properties": ["display", "color"]},
        lambda reply: reply["matchCount"] == 3 and "display" in reply["matches"][0]["styles"],  # noqa: PLR2004 - the page has three
    ),
    Step(
        "See the form, but none of its secrets",
        "query_dom",
        {"selector": "#login input"},
        lambda reply: (
            [match["attributes"]["value"] for match in reply["matches"]]
            == ["ada@example.com", "[REDACTED]", "[REDACTED]"]
        ),
    ),
    Step(
        "Look into a shadow root",
        "query_dom",
        {"selector": "p.hours"},
        lambda reply: (
            reply["matches"][0]["selector"] == "body > main > shop-hours >>> p"
            or ">>>" in reply["matches"][0]["selector"]
        ),
    ),
    Step(
        "A reply within 700 bytes, and where to go on",
        "query_dom",
        {"selector": "li.product", "include_children": True, "budget": 700},
        lambda reply: reply["omitted"]["count"] > 0 and reply["omitted"]["cursor"] != "",
    ),
    Step(
        "A selector that does not parse is named",
        "query_dom",
        {"selector": "li..product"},
        lambda reply: reply["error"]["code"] == "invalid_params" and "li..product" in reply["error"]["message"],
        failed=True,
    ),
    Step(
        "A parameter that is none is named",
        "query_dom",
        {"selector": "li", "include_style": True},
        lambda reply: "include_styles" in reply["error"]["recovery"],
        failed=True,
    ),
    Step(
        "What the page has said on its console",
        "observe",
        {"what": "logs"},
        lambda reply: {'shop ready {"products":3}'} <= {line[reply["columns"].index("text")] for line in reply["logs"]},
    ),
    Step(
        "Which requests failed",
        "observe",
        {"what": "network_waterfall", "status_min": 400, "url_filter": "/api/"},
        lambda reply: [503] == [request[reply["columns"].index("status")] for request in reply["requests"]],
    ),
    Step(
        "The frames of its WebSocket, without its session",
        "get_websocket_events",
        {},
        lambda reply: (
            HANDLE.sub("…", reply["events"][1]["data"]) == '{"type":"subscribe","session_token":"…"}'
            and reply["events"][0]["direction"] == "incoming"
        ),
    ),
    Step(
        "How fast it was, and what it has marked itself",
        "observe",
        {"what": "performance"},
        lambda reply: reply["user_timing"]["marks"][0]["name"] == "products-shown",
    ),
    Step("Its Web Vitals", "observe", {"what": "vitals"}, lambda reply: "TTFB" in reply["loads"][0]),
    Step(
        "Bodies are read only if you have switched that on",
        "get_network_bodies",
        {},
        lambda reply: reply["bodies"] == [] and "Capture Network Bodies" in reply["hint"],
    ),
]
WHO = "document.querySelector('#who').textContent"
SIGNED_IN, SIGNED_OUT = "Ada signed in, 1 in the cart", "Nobody signed in, 0 in the cart"

BEFORE_THE_SWITCH = Step(
    "Nothing acts on the page before you switch it on",
    "highlight_element",
    {"selector": "#submit-btn"},
    lambda reply: reply["error"]["code"] == "ai_web_pilot_disabled",
    failed=True,
)
POINTING = [
    Step(
        "Point at the button",
        "highlight_element",
        {"selector": "#submit-btn", "duration_ms": 3_000},
        lambda reply: reply["success"] and reply["bounds"]["width"] > 0,
    ),
    Step(
        "Run JavaScript in the page",
        "execute_javascript",
        {"script": "({title: document.title, products: document.querySelectorAll('.product').length})"},
        lambda reply: reply["result"] == {"title": "Corner Shop: demo of Gasoline", "products": 3},
    ),
    Step(
        "A script that throws says where",
        "execute_javascript",
        {"script": "const cart = null;\nreturn cart.items;"},
        lambda reply: not reply["success"] and "script:2:13" in reply["stack"],
    ),
    Step(
        "A loop that never ends is stopped, and the page lives on",
        "execute_javascript",
        {"script": "while (true) {}", "timeout_ms": 500},
        lambda reply: reply["error"]["code"] == "execution_timeout",
        failed=True,
    ),
]


PRODUCTS = 25
"""As many as the shop's server answers with."""


def _is_filled(reply: Reply) -> bool:
    return "network (/api/items)" in reply["analysis"] and reply["dom_changes"]["added"][0]["count"] == PRODUCTS


def _is_open(reply: Reply) -> bool:
    """Return whether the answer is still to come, as on a busy machine."""
    return "1 request still open" in reply["analysis"]


ACTING = [
    Step(
        "Why is this button slow?",
        "interact",
        {"action": "click", "selector": "text=More products", "analyze": True},
        lambda reply: "JS long task" in reply["analysis"] and (_is_filled(reply) or _is_open(reply)),
    ),
    Step("A refresh, before you edit the code", "interact", {"action": "refresh"}, lambda reply: reply["success"]),
]
FAULTS = {"image-alt", "label", "color-contrast", "render-blocking", "failed-resources"}
AUDITED = Step(
    "Audit the page: accessibility, performance, security and best practice",
    "analyze",
    {"action": "audit", "scope": "full", "wait_s": 45, "budget": 20_000},
    lambda reply: {finding.get("id") for finding in reply["findings"]} >= FAULTS,
)
ASKED = Step(
    "Ask the person to draw on the page what they mean",
    "interact",
    {"action": "draw_mode_start"},
    lambda reply: reply["status"] == "pending",
)
MARKS = {
    "[data-sku=mug-07] .price": "I can hardly read the price",
    "#submit-btn": "This button should be on the right",
}
"""What the person of the demonstration draws around, and what they write."""
DRAWN = Step(
    "They have drawn around two things",
    "analyze",
    {"action": "annotations", "wait": True},
    lambda reply: (
        [(one["text"], one["element_summary"]) for one in reply["annotations"]]
        == [(MARKS["[data-sku=mug-07] .price"], "p.price '9.00'"), (MARKS["#submit-btn"], "button 'Sign in'")]
    ),
)
EDITED = Step(
    "You have taken a script out of the code: one refresh shows the gain",
    "interact",
    {"action": "refresh"},
    lambda reply: (
        "old-bundle.js" in reply["perf_diff"]["summary"]
        and reply["perf_diff"]["metrics"]["load"]["improved"]
        and reply["perf_diff"]["resources"]["removed"][0]["url"].endswith("/old-bundle.js")
    ),
)
COMPARE = {"action": "regression", "scope": "compare", "runs": 4, "wait_s": 50}
KEPT = Step(
    "Keep what the page is like now: its loads, its faults, its memory",
    "analyze",
    COMPARE | {"scope": "baseline"},
    lambda reply: reply["baseline"]["name"].startswith("127.0.0.1") and reply["baseline"]["accessibility_issues"] > 0,
)
UNCHANGED = Step(
    "Nothing was changed: noise is no regression",
    "analyze",
    COMPARE,
    lambda reply: (  # of times a busy machine's loads may allow no verdict
        reply["verdict"] in {"no_change", "inconclusive"}
        and {reply["comparison"][part]["verdict"] for part in ("accessibility", "security")} == {"no_change"}
    ),
)
REGRESSED = Step(
    "The script is back in the code: a verdict, and why",
    "analyze",
    COMPARE,
    lambda reply: (
        reply["verdict"] == "regression_detected"
        and "bytes regressed" in reply["summary"]
        and reply["comparison"]["performance"]["metrics"]["load_ms"]["verdict"] not in {"no_change", "improved"}
    ),
)
ORDERED = "performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/api/orders'))"
ISSUED = "fetch('/api/me').then((reply) => reply.json()).then((me) => me.access_token)"


def one_handle(token: str) -> list[Step]:
    """Return calls that read a token in three places: in each stands the same handle, and nowhere the token."""
    seen: list[set[str]] = []

    def good(reply: Reply) -> bool:
        text = msgspec.json.encode(reply).decode()
        seen.append(set(HANDLE.findall(text)))
        return token not in text and bool(set.intersection(*seen))

    return [
        Step(
            "The token of a login, in the reply that brought it", "get_network_bodies", {"url_filter": "/api/me"}, good
        ),
        Step("In the request that used it", "get_network_bodies", {"url_filter": "/api/orders"}, good),
        Step("And bare, where the page has logged it: one handle", "observe", {"what": "logs", "limit": 5}, good),
    ]


SAVING = [
    Step(
        "You have signed in and filled a cart",
        "execute_javascript",
        {"script": WHO},
        lambda reply: reply["result"] == SIGNED_IN,
    ),
    Step(
        "Keep that: its cookies, its storage, its address",
        "manage_state",
        {"action": "save", "snapshot_name": "signed_in"},
        lambda reply: reply["success"],
    ),
]
RESTORING = [
    Step(
        "You have signed out and emptied it",
        "execute_javascript",
        {"script": WHO},
        lambda reply: reply["result"] == SIGNED_OUT,
    ),
    Step(
        "Put it back",
        "manage_state",
        {"action": "load", "snapshot_name": "signed_in"},
        lambda reply: reply["restored"]["cookies"] == 1 and reply["restored"]["localStorage"] == 1,
    ),
    Step(
        "It is as it was",
        "execute_javascript",
        {"script": f"await new Promise((done) => setTimeout(done, 300)); return {WHO}"},
        lambda reply: reply["result"] == SIGNED_IN,
    ),
]
AFTER_A_KILL = STEPS[2]
KILLED = ("redaction", "journal", "bridge", "front", "broker")
