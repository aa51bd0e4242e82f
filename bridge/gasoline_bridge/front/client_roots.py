"""Asks a client for the folders that it works in (MCP roots), in either era of the protocol; it opens none of them."""

import asyncio
import contextlib
import warnings
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import mcp_types as types
from mcp.shared.exceptions import MCPError, NoBackChannelError

ANSWER_S = 5.0  # a client that does not answer has no roots
KEY = "roots"
ROOTS_MAX = 50


async def ask(
    context: Any,  # noqa: ANN401 - the SDK's own type
    params: types.CallToolRequestParams,
) -> list[Path] | types.InputRequiredResult:
    """Give the client's roots; to a client of 2026-07-28 first the question, with which it calls again."""
    capabilities = context.session.client_capabilities
    if capabilities is None or capabilities.roots is None:
        return []
    answered = (params.input_responses or {}).get(KEY)
    if isinstance(answered, types.ListRootsResult):
        return paths(answered)
    try:
        async with asyncio.timeout(ANSWER_S):
            with warnings.catch_warnings(action="ignore"):  # deprecated in one era, the only way in the other
                listing = context.session.list_roots()
            return paths(await listing)
    except NoBackChannelError:
        return types.InputRequiredResult(input_requests={KEY: types.ListRootsRequest()})
    except (TimeoutError, MCPError):
        return []


def paths(listed: types.ListRootsResult) -> list[Path]:
    """Give the folders of this machine among the roots."""
    found = []
    for root in listed.roots[:ROOTS_MAX]:
        with contextlib.suppress(ValueError, OSError):
            parts = urlsplit(str(root.uri))
            path = Path(unquote(parts.path))
            if parts.scheme == "file" and parts.netloc in {"", "localhost"} and path.is_dir():
                found.append(path.resolve())
    return list(dict.fromkeys(found))
