"""The command that `gasoline install` writes is started as a client starts it, and answers with the tools."""

import json
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters

import forks
import system
from gasoline_broker.settings import Settings
from system import GASOLINE, gasoline


@pytest.fixture
def settings() -> Iterator[Settings]:
    with system.settings() as made:
        yield made
        gasoline(made, "down")


@pytest.mark.requirement("install-001", "install-007", "install-012")
@pytest.mark.parametrize(
    ("name", "file", "key"),
    [("cursor", ".cursor/mcp.json", "mcpServers"), ("codex", ".codex/config.toml", "mcp_servers")],
)
async def test_a_client_with_an_empty_environment_gets_the_tools(
    name: str, file: str, key: str, settings: Settings
) -> None:
    home = settings.data_dir.parent
    done = forks.run([GASOLINE, "install", name], settings.environ() | {"HOME": str(home)}, timeout_s=30)
    assert 0 == done.returncode, done.stderr
    text = (home / file).read_text()
    entry = (tomllib.loads(text) if file.endswith("toml") else json.loads(text))[key]["gasoline"]

    server = StdioServerParameters(command=entry["command"], args=entry["args"], env=entry["env"], cwd=Path("/"))
    async with Client(server) as client:
        tools = await client.list_tools()

    assert "observe" in [tool.name for tool in tools.tools]
    assert settings.mcp_socket.exists()
    assert str(Path(sys.executable).parent) == str(Path(entry["command"]).parent)
