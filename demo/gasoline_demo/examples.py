"""Records one real call and its answer for each tool and mode: `python -m gasoline_demo.examples docs/examples.json`.

Rules of this file:
- Nothing is invented: a real client calls a real system, which drives a real browser on the pages of the demonstration.
- What differs from run to run (ids, ports, times of day, paths) is replaced, so that two recordings compare.
- A call that fails ends the recording.
"""

import asyncio
import contextlib
import re
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from mcp import Client, StdioServerParameters
from mcp_types import TextContent

from gasoline_bridge import installed
from gasoline_bridge.devtools import Browser, Tab
from gasoline_bridge.folders import Folders
from gasoline_broker.settings import Settings
from gasoline_demo import person, site, stage

Reply = dict[str, Any]
Call = Callable[[str, dict[str, Any]], Awaitable[tuple[Reply, bool]]]
"""Calls a tool, and gives the reply and whether it is an error."""

READY_S = 30.0
TRIES = 10
SCRIPT = "({ title: document.title, cookies: navigator.cookieEnabled })"


class Example(NamedTuple):
    """A call. `first`: one that prepares it and may fail; `ready`: what the reply must have, asked again until then.

    `@name` in an argument stands for a value of an earlier reply or of the run.
    """

    tool: str
    arguments: dict[str, Any]
    first: "Example | None" = None
    ready: str = ""


def _interact(action: str, **arguments: Any) -> Example:  # noqa: ANN401 - JSON
    return Example("interact", {"action": action, **arguments})


def _observe(what: str, ready: str = "", **arguments: Any) -> Example:  # noqa: ANN401 - JSON
    return Example("observe", {"what": what, **arguments}, ready=ready)


EXAMPLES = [
    _observe("status", budget=700),
    _observe("tabs"),
    _observe("page"),
    _observe("outline", selector="#profile"),
    _observe("screenshot", selector="#profile"),
    _observe("screenshots"),
    Example("get_page_info", {}),
    Example("query_dom", {"selector": "#profile input", "budget": 1_000}),
    Example("analyze", {"action": "audit", "scope": "accessibility", "wait_s": 20, "budget": 1_500}),
    Example(
        "observe",
        {"what": "analyze_result", "correlation_id": "@job", "budget": 1_000},
        first=Example(
            "analyze", {"action": "audit", "scope": "accessibility", "selector": "#profile", "force_refresh": True}
        ),
    ),
    Example("analyze", {"action": "security", "scope": "full", "budget": 1_500}),
    Example(
        "analyze",
        {"action": "memory", "scope": "compare"},
        first=Example("analyze", {"action": "memory", "scope": "snapshot"}),
    ),
    Example(
        "analyze",
        {"action": "regression", "scope": "compare", "runs": 4, "wait_s": 50},
        first=Example("analyze", {"action": "regression", "scope": "baseline", "runs": 4, "wait_s": 50}),
    ),
    Example("generate", {"what": "har"}),
    Example("generate", {"what": "sarif"}),
    Example("run_accessibility_audit", {"tags": ["wcag2a", "wcag2aa"], "budget": 1_500}),
    _interact("list_interactive", selector="#profile"),
    _interact("type", selector="label=Name", text="Ada"),
    _interact("select", selector="#country", value="Japan"),
    _interact("check", selector="#news"),
    _interact("click", selector="text=Save", analyze=True),
    _interact("wait_for", selector="text=Saved."),
    Example("generate", {"what": "test"}),
    Example("generate", {"what": "report"}),
    _observe("effects", ready="window_ms", id="@effect"),
    _interact("get_text", selector="#status"),
    _interact("get_value", selector="#country"),
    _interact("get_attribute", selector="#name", attribute="placeholder"),
    _interact("focus", selector="#name"),
    _interact("key_press", key="Control+a"),
    _interact("hover", selector="#save"),
    _interact("scroll_to", selector="#bin"),
    _interact("set_attribute", selector="#bin", attribute="title", value="Bin"),
    _interact("upload", selector="#receipt", files=["@file"]),
    _interact("fill_form", fields=[{"selector": "#name", "value": "Grace"}, {"selector": "#news", "checked": False}]),
    Example(
        "interact",
        {"action": "dialog", "accept": False},
        first=_interact("click", selector="#empty"),
    ),
    _interact("drag", selector="#tea", to="#bin"),
    _interact("wheel", selector="#bin", dy=120),
    _interact(
        "batch",
        steps=[
            {"action": "type", "selector": "#name", "text": "Alan"},
            {"action": "click", "selector": "#empty"},
            {"action": "dialog", "accept": True},
            {"action": "get_text", "selector": "#bin"},
        ],
    ),
    _observe("logs", levels=["warn"], limit=1),
    _observe("errors", ready="errors", limit=1),
    Example("generate", {"what": "reproduction", "language": "python"}),
    _observe("network_waterfall", url_filter="/api/", limit=2),
    _observe("network_bodies", url_filter="/api/profile", limit=1),
    _observe("websocket_events", limit=2),
    _observe("vitals", ready="loads", limit=1),
    _observe("performance", ready="snapshots", limit=1, budget=1_200),
    _observe("actions", limit=2),
    _observe("redactions", limit=2),
    Example("get_websocket_events", {"direction": "outgoing", "limit": 1}),
    Example("get_network_bodies", {"url_filter": "/api/profile", "limit": 1}),
    Example("configure", {"action": "lease", "ttl_s": 30}),
    Example("configure", {"action": "release"}),
    Example("configure", {"action": "highlight", "selector": "#save", "duration_ms": 500}),
    Example("highlight_element", {"selector": "#save", "duration_ms": 500}),
    Example("configure", {"action": "execute", "script": SCRIPT}),
    Example("execute_javascript", {"script": SCRIPT}),
    Example("configure", {"action": "save_state", "snapshot_name": "cart"}),
    Example("configure", {"action": "list_states"}),
    Example("configure", {"action": "load_state", "snapshot_name": "cart", "include_url": False}),
    Example("configure", {"action": "delete_state", "snapshot_name": "cart"}),
    Example("manage_state", {"action": "save", "snapshot_name": "cart"}),
    Example("manage_state", {"action": "list"}),
    Example("manage_state", {"action": "load", "snapshot_name": "cart", "include_url": False}),
    Example("manage_state", {"action": "delete", "snapshot_name": "cart"}),
    _interact("draw_mode_start"),
    Example("analyze", {"action": "annotations", "wait": True}),
    Example("analyze", {"action": "annotation_detail", "correlation_id": "@annotation"}),
    _interact("annotation_reply", correlation_id="@annotation", value="resolved", text="It is darker now."),
    _interact("navigate", url="@address", budget=1_200),
    _interact("back", budget=600),
    _interact("forward", budget=600),
    _interact("refresh", budget=1_200),
    _interact("new_tab", url="@address"),
    _interact("switch_tab", tab_id="@tab"),
    _interact("close_tab", tab_id="@new_tab"),
    Example("configure", {"action": "clear"}),
]


async def record(call: Call, browser: Browser, folder: Path) -> list[dict[str, Any]]:
    """Call every example on a page of its own in `browser`, and give the calls with their answers, comparable."""
    receipt = folder / "receipt.txt"
    receipt.write_text("Green tea 4.50\n")
    await stage.switch_on(browser, stage.PILOT)
    await stage.switch_on(browser, stage.BODIES)
    async with site.serve() as shop:
        tab = await browser.new_tab(f"{shop.address}account")
        await tab.activate()
        tabs = (await call("observe", {"what": "tabs"}))[0]["tabs"]
        values: dict[str, Any] = {
            "tab": next(one["id"] for one in tabs if one["url"] == f"{shop.address}account"),
            "file": str(receipt),
            "address": shop.address,
        }
        records = [await _recorded(example, call, values, tab) for example in EXAMPLES]
        await tab.close()
    return [_comparable(one, values) for one in records]


async def _recorded(example: Example, call: Call, values: dict[str, Any], tab: Tab) -> dict[str, Any]:
    if example.first is not None:
        is_of_job = "@job" in example.arguments.values()
        for _ in range(TRIES):
            before, failed = await call(example.first.tool, _filled(example.first.arguments, values))
            if failed and is_of_job:
                raise RuntimeError(f"{example.first.tool} {example.first.arguments} failed: {before}")
            values["job"] = before.get("correlation_id")
            if values["job"] or not is_of_job:
                break  # else it was there at once: this process was given no time meanwhile
    arguments = _filled(example.arguments, values)
    async with asyncio.timeout(READY_S):
        reply, failed = await call(example.tool, arguments)
        while example.ready and not reply.get(example.ready):
            await asyncio.sleep(0.05)
            reply, failed = await call(example.tool, arguments)
    if failed:
        raise RuntimeError(f"{example.tool} {arguments} failed: {reply}")
    values["effect"] = reply.get("effect", values.get("effect"))
    match example.arguments.get("action"):
        case "new_tab":
            values["new_tab"] = reply["tab_id"]
        case "draw_mode_start":
            await person.draw(tab, "#save", "This button should be darker")
            await person.leave(tab)
        case "annotations":
            values["annotation"] = reply["annotations"][0]["correlation_id"]
        case _:
            pass
    return {"tool": example.tool, "arguments": arguments, "reply": reply}


def _filled(arguments: Any, values: dict[str, Any]) -> Any:  # noqa: ANN401 - JSON
    if isinstance(arguments, dict):
        return {name: _filled(value, values) for name, value in arguments.items()}
    if isinstance(arguments, list):
        return [_filled(value, values) for value in arguments]
    return values[arguments[1:]] if isinstance(arguments, str) and arguments.startswith("@") else arguments


NAMED: dict[str, object] = {
    "pid": 4711,
    "seq": 345,
    "windowId": 1,
    "up_s": 12.5,
    "cursor": "4f2a9c0e1b7d3586",
    "timestamp": 1_767_268_800_000,
}
EFFECT = "k3f9a2"
TEXTS = {
    r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b": "3b1f8c1e-6d3a-4f5b-9a41-0c9d2c7f1e11",
    r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z": "2026-01-01T12:00:00.000Z",
    r"\b\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT": "Thu, 01 Jan 2026 12:00:00 GMT",
    r'"id":"[0-9a-f]{16}"': '"id":"4f2a9c0e1b7d3586"',
    r'"path":"[^"]*/exports/[\d-]+\.': '"path":"/home/ada/.local/share/gasoline/exports/20260101-120000-123456.',
    r'"path":"[^"]*/screenshots/[^"]*"': '"path":"/home/ada/.local/share/gasoline/screenshots/3a/3a….png"',
    r'"ref":"\d+-': '"ref":"12-',
    r'"correlation_id":"[0-9a-f]{16}"': '"correlation_id":"4f2a9c0e1b7d3586"',
    r"\bann_\d+_[0-9a-f]{8}": "ann_1767268800000_9b1c03ef",
    r"\bann_detail_[0-9a-f]{8}": "ann_detail_9b1c03ef",
    r"\bdm_[0-9a-f]{8}": "dm_1f0c22ab",
}
"""What differs within texts, and what it is replaced by."""


def _comparable(record: dict[str, Any], values: dict[str, Any]) -> dict[str, Any]:
    """Replace what differs from run to run: positions, processes, tabs, ids, ports, paths and times of day."""
    named: dict[str, Any] = _named(record, {values["tab"]: 12, values.get("new_tab"): 13})
    text = msgspec.json.encode(named).decode()
    place = values["address"].removeprefix("http://").removesuffix("/")
    text = text.replace(values["file"], "/home/ada/receipt.txt").replace(place, "localhost:3000")
    for pattern, fixed in TEXTS.items():
        text = re.sub(pattern, fixed, text)
    decoded: dict[str, Any] = msgspec.json.decode(text)
    if (decoded["tool"], decoded["arguments"].get("what")) == ("observe", "effects"):
        decoded["arguments"]["id"] = EFFECT
    return decoded


def _named(value: Any, tabs: dict[Any, int], name: str = "") -> Any:  # noqa: ANN401 - JSON
    if isinstance(value, dict):
        return {key: _named(part, tabs, key) for key, part in value.items()}
    if isinstance(value, list):
        return [_named(part, tabs, name) for part in value]
    if name in {"tab_id", "tab", "opened_tab", "id", "released"} and isinstance(value, int):
        return tabs.get(value, 11)
    if name == "effect":
        return EFFECT
    return NAMED.get(name, value)


SOMETIMES = {
    ("observe", "analyze_result"),  # what its budget has room for
    ("analyze", "regression"),  # what its budget has room for
    ("observe", "status"),  # what went wrong since the start, and which process is busy
    ("observe", "vitals"),  # a vital is there once it was measured
    ("observe", "performance"),
    ("observe", "errors"),  # what else happened around one
    ("observe", "actions"),
    ("observe", "effects"),
    *(("interact", action) for action in ("navigate", "back", "forward", "refresh")),  # the resources of a load
}
"""The modes whose replies have parts that depend on the run: of these only the first level is compared."""


BY_CHANCE = {"settled", "in_flight", "omitted", "dropped", "cached", "long_tasks", "status"}
"""Fields that a busy machine adds or leaves out."""


def paths(reply: Any, key: tuple[str, str], at: str = "") -> set[str]:  # noqa: ANN401 - JSON
    """Give the names of every field of a reply with its place, as `matches[].attributes.id`."""
    if isinstance(reply, list):
        return {path for part in reply for path in paths(part, key, f"{at}[]")}
    if not isinstance(reply, dict) or (at and key in SOMETIMES):
        return {at}
    inner = (paths(part, key, f"{at}.{name}".strip(".")) | {f"{at}.{name}".strip(".")} for name, part in reply.items())
    return set().union(*inner)


async def _run(settings: Settings, home: Path) -> list[dict[str, Any]]:
    extension = installed.install(settings)
    async with contextlib.AsyncExitStack() as stack:
        await stack.enter_async_context(stage.system(settings))
        browser = await Browser.launch(extension, headless=True, executable=settings.chromium)
        stack.push_async_callback(browser.close)
        server = StdioServerParameters(command=stage.gasoline(), args=["mcp"], env=settings.environ())
        client = await stack.enter_async_context(Client(server))

        async def call(tool: str, arguments: dict[str, Any]) -> tuple[Reply, bool]:
            result = await client.call_tool(tool, arguments)
            content = result.content[0]  # an image may come behind
            text = content.text if isinstance(content, TextContent) else "{}"
            return msgspec.json.decode(text), bool(result.is_error)

        async with asyncio.timeout(READY_S):
            while not (await call("observe", {"what": "status"}))[0]["extension"]["connected"]:  # noqa: ASYNC110 - its state is another process's
                await asyncio.sleep(0.05)
        Folders(settings).allow([str(home)])
        return await record(call, browser, home)


def main(target: Path) -> None:
    """Record the examples into a file."""
    with tempfile.TemporaryDirectory(prefix="gs-") as folder:
        records = asyncio.run(_run(stage.apart(Settings.from_environ(), Path(folder)), Path(folder)))
    target.write_bytes(msgspec.json.format(msgspec.json.encode(records), indent=1) + b"\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
