"""What is kept, as resources of MCP: pictures, reports, the journal, annotations and baselines, each by its address."""

from typing import Any, NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

import mcp_types as types
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from gasoline_bridge.front.calls import Calls, trace_of
from gasoline_bridge.front.dispatch import JOURNAL_QUERIES
from gasoline_bridge.front.exports import Saved, mime_type
from gasoline_bridge.front.pictures import URI, picture_of
from gasoline_broker.errors import Failed
from gasoline_workers.screenshots.messages import Screenshot

NOT_FOUND = -32002  # modelcontextprotocol.io, Resources, Error handling; since 2026-07-28 it is -32602 (SEP-2164)
JSON = "application/json"
SCHEME = "gasoline"
JOURNAL = "gasoline://journal/"
ANNOTATIONS = "gasoline://annotations"
BASELINES = "gasoline://baselines"
REPORTS = "gasoline://reports/"
KINDS = tuple(sorted(mode for tool, mode in JOURNAL_QUERIES if tool == "observe"))

LISTED = {
    f"{JOURNAL}errors": "Errors of the page",
    f"{JOURNAL}logs": "Console of the page",
    f"{JOURNAL}network_waterfall": "Requests of the page",
    f"{JOURNAL}actions": "What the user did",
    ANNOTATIONS: "What the user has drawn",
    BASELINES: "Baselines to compare pages with",
}

TEMPLATES = (
    types.ResourceTemplate(
        name="screenshot",
        uri_template=f"{URI}{{id}}",
        description="A picture of a page, by the id of observe(screenshot)",
        mime_type="image/png",
    ),
    types.ResourceTemplate(
        name="journal",
        uri_template=f"{JOURNAL}{{what}}{{?tab_id}}",
        description=f"What the browser captured: {', '.join(KINDS)}",
        mime_type=JSON,
    ),
    types.ResourceTemplate(
        name="annotations",
        uri_template=f"{ANNOTATIONS}/{{name}}",
        description="What the user has drawn in a named session",
        mime_type=JSON,
    ),
    types.ResourceTemplate(
        name="report",
        uri_template=f"{REPORTS}{{file}}",
        description="What generate has saved (report, HAR, SARIF, test), by the name of its file",
    ),
)


class Call(NamedTuple):
    """The tool call whose reply is the content of a resource."""

    tool: str
    arguments: dict[str, Any]


class Resources:
    """The resources of one session."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def list(self, _context: Any, params: Any) -> types.ListResourcesResult:  # noqa: ANN401 - the SDK's own types
        """List what there is always and the reports, then the pictures, newest first."""
        cursor = getattr(params, "cursor", None) or "0"
        if not cursor.isdecimal() or len(cursor) > len(str(1 << 62)):
            raise MCPError(types.INVALID_PARAMS, f"There is no cursor {cursor[:40]!r}.")
        try:
            found = await self._calls.list_resources(int(cursor), trace_of(None))
        except Failed as fault:
            raise MCPError(types.INTERNAL_ERROR, fault.failure.text) from None
        always = [] if cursor != "0" else [_always(uri, title) for uri, title in LISTED.items()]
        always += [] if cursor != "0" else map(_report, await self._calls.saved_reports())
        return types.ListResourcesResult(
            resources=[*always, *map(_picture, found.screenshots)], next_cursor=str(found.next) if found.next else None
        )

    async def templates(self, _context: Any, _params: Any) -> types.ListResourceTemplatesResult:  # noqa: ANN401 - the same
        """Name the addresses that have a variable."""
        return types.ListResourceTemplatesResult(resource_templates=[*TEMPLATES])

    async def read(self, context: Any, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:  # noqa: ANN401 - the same
        """Give a picture or a report as it was stored, or the reply of the call that an address stands for."""
        uri = str(params.uri)
        if call := call_of(uri):
            called = await self._calls.call(call.tool, call.arguments)
            if called.failed:
                raise MCPError(types.INTERNAL_ERROR, called.text.decode(), {"uri": uri[:200]})
            text = types.TextResourceContents(uri=uri, mime_type=JSON, text=called.text.decode())
            return types.ReadResourceResult(contents=[text])
        try:
            if uri.startswith(REPORTS):
                return await self._report_at(uri)
            shown = await self._calls.read_resource(picture_of(uri), trace_of(None))
        except Failed as fault:
            absent = types.INVALID_PARAMS if context.protocol_version in MODERN_PROTOCOL_VERSIONS else NOT_FOUND
            code = absent if fault.failure.code == "not_found" else types.INTERNAL_ERROR
            raise MCPError(code, fault.failure.text, {"uri": uri[:200]}) from None
        content = types.BlobResourceContents(uri=uri, mime_type=shown.mime_type, blob=shown.data)
        return types.ReadResourceResult(contents=[content])

    async def _report_at(self, uri: str) -> types.ReadResourceResult:
        name = uri.removeprefix(REPORTS)
        text = await self._calls.read_report(name)
        content = types.TextResourceContents(uri=uri, mime_type=mime_type(name), text=text)
        return types.ReadResourceResult(contents=[content])


def _report(one: Saved) -> types.Resource:
    return types.Resource(name=one.name, uri=f"{REPORTS}{one.name}", mime_type=one.mime_type, size=one.size_bytes)


def call_of(uri: str) -> Call | None:
    """Give the call that an address stands for, none if it is that of a picture or of nothing."""
    try:
        parts = urlsplit(uri)
        asked = dict(parse_qsl(parts.query, strict_parsing=bool(parts.query)))
    except ValueError:
        return None
    name, tab = unquote(parts.path.removeprefix("/")), asked.pop("tab_id", "0")
    if parts.scheme != SCHEME or asked or not tab.isdecimal():
        return None
    of_tab = {"tab_id": int(tab)} if int(tab) else {}
    match parts.netloc:
        case "journal" if name in KINDS:
            return Call("observe", {"what": name} | of_tab)
        case "annotations":
            return Call("analyze", {"action": "annotations"} | ({"name": name} if name else {}) | of_tab)
        case "baselines" if not name:
            return Call("analyze", {"action": "regression", "scope": "list"})
    return None


def _always(uri: str, title: str) -> types.Resource:
    return types.Resource(name=uri.removeprefix("gasoline://"), title=title, uri=uri, mime_type=JSON)


def _picture(one: Screenshot) -> types.Resource:
    return types.Resource(
        name=one.id, title=one.title or one.url, uri=f"{URI}{one.id}", mime_type="image/png", size=one.size_bytes
    )
