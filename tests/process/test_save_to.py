"""A client's roots decide where `generate` may save: by a real client, in both eras of the protocol."""

import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
from mcp import Client
from mcp_types import ListRootsResult, Root, TextContent
from pydantic import FileUrl

import system
from forked_shim import shim
from gasoline_broker.settings import Settings
from system import GASOLINE

pytestmark = pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")
ERAS = pytest.mark.parametrize("era", ["legacy", "2026-07-28"])


@pytest.fixture(scope="module")
def up() -> Iterator[Settings]:
    """Run the system, without a browser."""
    with system.settings() as made, system.running(made) as live:
        yield live


@asynccontextmanager
async def client(settings: Settings, era: str, *roots: Path) -> AsyncIterator[Client]:
    async def listed(_: Any) -> ListRootsResult:
        return ListRootsResult(roots=[Root(uri=FileUrl(root.as_uri())) for root in roots])

    server = shim(GASOLINE, os.environ | settings.environ())
    async with Client(server, mode=era, list_roots_callback=cast("Any", listed) if roots else None) as made:
        yield made


async def save(client: Client, to: Path) -> dict[str, Any]:
    """Ask for a file, and give what is wrong with that: nothing was recorded, which is found out after the place."""
    result = await client.call_tool("generate", {"what": "test", "save_to": str(to)})
    content = result.content[0]
    assert isinstance(content, TextContent)
    error: dict[str, Any] = msgspec.json.decode(content.text)["error"]
    return error


@ERAS
@pytest.mark.requirement("clients-011")
async def test_a_file_below_a_root_is_admitted_and_another_is_not(up: Settings, tmp_path: Path, era: str) -> None:
    project = tmp_path / "project"
    project.mkdir()
    async with client(up, era, project) as with_root, client(up, era) as without:
        inside = await save(with_root, project / "a.spec.ts")
        outside = await save(with_root, tmp_path / "a.spec.ts")
        rootless = await save(without, project / "a.spec.ts")

    assert ["not_found", "invalid_params", "invalid_params"] == [one["code"] for one in (inside, outside, rootless)]
    assert f"Save below {project}." == outside["recovery"]
    assert "has none" in rootless["message"]
