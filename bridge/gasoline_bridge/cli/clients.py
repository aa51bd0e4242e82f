"""The table of MCP clients: where each keeps its configuration, in what format, and what an entry holds; pure."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from gasoline_broker.errors import SettingsRefused

Entry = dict[str, Any]


class Client(NamedTuple):
    """One client. A path may begin with a base of `bases`; of several files the first one that exists is meant."""

    title: str
    files: dict[str, tuple[str, ...]]  # by platform: linux, darwin, win32
    project: tuple[str, ...]  # below the project's folder; empty: the client has no such file
    key: str  # of the object that has one member for each server
    source: str  # where the client's own documentation describes the format
    after: str  # what the user does next
    format: str = "jsonc"  # or toml
    kind: str = ""  # the entry's `type`, where the client has one
    hands_on_environment: bool = False  # to the command it starts; one that is started from a dock has none to hand on


def _everywhere(*paths: str) -> dict[str, tuple[str, ...]]:
    return dict.fromkeys(("linux", "darwin", "win32"), paths)


def _by_platform(linux: str, darwin: str, win32: str) -> dict[str, tuple[str, ...]]:
    return {"linux": (linux,), "darwin": (darwin,), "win32": (win32,)}


CLIENTS = {
    "claude-code": Client(
        "Claude Code",
        _everywhere("{claude}/.claude.json"),
        (".mcp.json",),
        "mcpServers",
        "https://code.claude.com/docs/en/mcp",
        "Start a new session; /mcp shows the server, and has you approve that of a project.",
        kind="stdio",
        hands_on_environment=True,
    ),
    "codex": Client(
        "Codex",
        _everywhere("{codex}/config.toml"),
        (".codex/config.toml",),
        "mcp_servers",
        "https://developers.openai.com/codex/mcp",
        "Start a new session; /mcp shows the server. A project's file counts in a trusted project only.",
        format="toml",
    ),
    "gemini": Client(
        "Gemini CLI",
        _everywhere("{home}/.gemini/settings.json"),
        (".gemini/settings.json",),
        "mcpServers",
        "https://geminicli.com/docs/tools/mcp-server/",
        "Start a new session in a folder that it trusts; /mcp shows the server.",
    ),
    "cursor": Client(
        "Cursor",
        _everywhere("{home}/.cursor/mcp.json"),
        (".cursor/mcp.json",),
        "mcpServers",
        "https://cursor.com/docs/context/mcp",
        "Switch the server on in Cursor's settings, under MCP.",
    ),
    "vscode": Client(
        "VS Code",
        _by_platform("{config}/Code/User/mcp.json", "{library}/Code/User/mcp.json", "{appdata}/Code/User/mcp.json"),
        (".vscode/mcp.json",),
        "servers",
        "https://code.visualstudio.com/docs/copilot/reference/mcp-configuration",
        "Run `MCP: List Servers` from the command palette, and start the server.",
        kind="stdio",
    ),
    "windsurf": Client(
        "Windsurf",
        _everywhere("{home}/.codeium/windsurf/mcp_config.json"),
        (),
        "mcpServers",
        "https://docs.windsurf.com/windsurf/cascade/mcp",
        "Press the refresh button of Cascade's list of MCP servers.",
    ),
    "zed": Client(
        "Zed",
        _by_platform("{config}/zed/settings.json", "{home}/.config/zed/settings.json", "{appdata}/Zed/settings.json"),
        (".zed/settings.json",),
        "context_servers",
        "https://zed.dev/docs/ai/mcp",
        "The settings of the agent panel show the server at once.",
    ),
    "claude-desktop": Client(
        "Claude Desktop",
        _by_platform(
            "{config}/Claude/claude_desktop_config.json",
            "{library}/Claude/claude_desktop_config.json",
            "{appdata}/Claude/claude_desktop_config.json",
        ),
        (),
        "mcpServers",
        "https://modelcontextprotocol.io/docs/develop/connect-local-servers",
        "Quit Claude Desktop, and start it again.",
    ),
    "jetbrains": Client(
        "JetBrains (Junie)",
        _everywhere("{home}/.junie/mcp/mcp.json"),
        (".junie/mcp/mcp.json",),
        "mcpServers",
        "https://www.jetbrains.com/help/junie/model-context-protocol-mcp.html",
        "Settings, Tools, Junie, MCP Settings shows the server. AI Assistant has an MCP page of its own.",
    ),
    "opencode": Client(
        "opencode",
        _everywhere("{config}/opencode/opencode.json", "{config}/opencode/opencode.jsonc"),
        ("opencode.json", "opencode.jsonc"),
        "mcp",
        "https://opencode.ai/docs/mcp-servers/",
        "Start a new session; `opencode mcp list` shows the server.",
        kind="local",
    ),
}


def bases(home: Path, environ: Mapping[str, str]) -> dict[str, Path]:
    """Give the folders that a client's path may begin with; an environment variable may move some of them."""
    moved = {
        "config": ("XDG_CONFIG_HOME", home / ".config"),
        "appdata": ("APPDATA", home / "AppData" / "Roaming"),
        "codex": ("CODEX_HOME", home / ".codex"),
        "claude": ("CLAUDE_CONFIG_DIR", home),
    }
    fixed = {"home": home, "library": home / "Library" / "Application Support"}
    return fixed | {name: Path(environ.get(variable) or usual) for name, (variable, usual) in moved.items()}


def user_file(client: Client, platform: str, folders: Mapping[str, Path]) -> Path:
    """Give the client's file for all projects of a user."""
    paths = client.files.get(platform, client.files["linux"])
    return _first([Path(path.format_map(folders)) for path in paths])


def project_file(client: Client, folder: Path) -> Path:
    """Give the client's file for one project.

    Raises:
        SettingsRefused: it has none.

    """
    if not client.project:
        raise SettingsRefused(f"{client.title} has no file for a single project: leave out --project.")
    return _first([folder / path for path in client.project])


def _first(paths: list[Path]) -> Path:
    return next((path for path in paths if path.exists()), paths[0])


def entry(name: str, command: str, environ: Mapping[str, str]) -> Entry:
    """Give what the client of this name is to have for us; `environ` is left out where the client hands its own on."""
    client = CLIENTS[name]
    variables = {} if client.hands_on_environment else dict(environ)
    if name == "opencode":
        made: Entry = {"type": client.kind, "command": [command, "mcp"], "enabled": True}
        return made | ({"environment": variables} if variables else {})
    made = {"type": client.kind} if client.kind else {}
    if name == "zed":
        made = {"source": "custom"}  # versions of 2025 require it, later ones pass over it
    return made | {"command": command, "args": ["mcp"]} | ({"env": variables} if variables else {})
