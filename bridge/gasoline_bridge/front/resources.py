"""The pictures that are kept, as resources of MCP: their list, and each by its address."""

from typing import Any

import mcp_types as types
from mcp.shared.exceptions import MCPError

from gasoline_bridge.front.calls import Calls, trace_of
from gasoline_bridge.front.pictures import URI, picture_of
from gasoline_broker.errors import Failed
from gasoline_workers.screenshots.messages import Screenshot

NOT_FOUND = -32002  # modelcontextprotocol.io, Resources, Error handling


class Resources:
    """The resources of one session."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def list(self, _context: Any, params: Any) -> types.ListResourcesResult:  # noqa: ANN401 - the SDK's own types
        """List the pictures, newest first."""
        cursor = getattr(params, "cursor", None) or "0"
        if not cursor.isdecimal() or len(cursor) > len(str(1 << 62)):
            raise MCPError(types.INVALID_PARAMS, f"There is no cursor {cursor[:40]!r}.")
        try:
            found = await self._calls.list_resources(int(cursor), trace_of(None))
        except Failed as fault:
            raise MCPError(types.INTERNAL_ERROR, fault.failure.text) from None
        return types.ListResourcesResult(
            resources=[_resource(one) for one in found.screenshots], next_cursor=str(found.next) if found.next else None
        )

    async def templates(self, _context: Any, _params: Any) -> types.ListResourceTemplatesResult:  # noqa: ANN401 - the same
        """Name the address of a picture."""
        template = types.ResourceTemplate(
            name="screenshot",
            uri_template=f"{URI}{{id}}",
            description="A picture of a page, by the id of observe(screenshot)",
            mime_type="image/png",
        )
        return types.ListResourceTemplatesResult(resource_templates=[template])

    async def read(self, _context: Any, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:  # noqa: ANN401 - the same
        """Give a picture as it was stored."""
        uri = str(params.uri)
        try:
            shown = await self._calls.read_resource(picture_of(uri), trace_of(None))
        except Failed as fault:
            code = NOT_FOUND if fault.failure.code == "not_found" else types.INTERNAL_ERROR
            raise MCPError(code, fault.failure.text, {"uri": uri[:200]}) from None
        content = types.BlobResourceContents(uri=uri, mime_type=shown.mime_type, blob=shown.data)
        return types.ReadResourceResult(contents=[content])


def _resource(one: Screenshot) -> types.Resource:
    return types.Resource(
        name=one.id, title=one.title or one.url, uri=f"{URI}{one.id}", mime_type="image/png", size=one.size_bytes
    )
