"""`gasoline install` and `uninstall` change our entry in a client's file, and nothing else on the disk."""

import json
import os
import sys
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest
from click.testing import CliRunner, Result

from gasoline_bridge.cli import clients, config_file, setup
from gasoline_bridge.cli.clients import CLIENTS
from gasoline_bridge.cli.commands import cli
from gasoline_broker.errors import SettingsRefused
from gasoline_broker.settings import Settings

COMMAND = str(Path(sys.executable).with_name("gasoline"))
STRING, STRINGS = {"type": "string"}, {"type": "array", "items": {"type": "string"}}
VARIABLES = {"type": "object", "additionalProperties": STRING}


def server(required: list[str], **properties: object) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


STDIO = server(["command"], command=STRING, args=STRINGS, env=VARIABLES)
TYPED = server(["type", "command"], type={"const": "stdio"}, command=STRING, args=STRINGS, env=VARIABLES)
SCHEMAS = {
    "claude-code": ("mcpServers", TYPED),
    "codex": ("mcp_servers", STDIO),
    "gemini": ("mcpServers", STDIO),
    "cursor": ("mcpServers", STDIO),
    "vscode": ("servers", TYPED),
    "windsurf": ("mcpServers", STDIO),
    "zed": (
        "context_servers",
        server(["source", "command"], source={"const": "custom"}, command=STRING, args=STRINGS, env=VARIABLES),
    ),
    "claude-desktop": ("mcpServers", STDIO),
    "jetbrains": ("mcpServers", STDIO),
    "opencode": (
        "mcp",
        server(
            ["type", "command"],
            type={"const": "local"},
            command=STRINGS,
            enabled={"type": "boolean"},
            environment=VARIABLES,
        ),
    ),
}
"""What each client's documentation (`Client.source`) allows for a server that is a command."""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty home folder, in which this is the current project."""
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "CODEX_HOME", "CLAUDE_CONFIG_DIR", "APPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name in [name for name in os.environ if name.startswith("GASOLINE_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path / "home"


def run(*arguments: str, **environ: str) -> Result:
    return CliRunner().invoke(cli, arguments, env=environ)


def file_of(name: str, home: Path) -> Path:
    return clients.user_file(CLIENTS[name], "linux", clients.bases(home, {}))


def read(path: Path) -> Any:
    return tomllib.loads(path.read_text()) if path.suffix == ".toml" else json.loads(path.read_text())


@pytest.mark.requirement("install-001", "install-007")
@pytest.mark.parametrize("name", CLIENTS)
def test_each_client_gets_an_entry_as_its_documentation_describes_it(name: str, home: Path) -> None:
    done = run("install", name, GASOLINE_PORT="7999")

    key, schema = SCHEMAS[name]
    found = read(file_of(name, home))
    assert 0 == done.exit_code, done.output
    assert [key] == list(found)
    jsonschema.validate(found[key]["gasoline"], schema)
    assert COMMAND in json.dumps(found)
    assert CLIENTS[name].after in done.output


@pytest.mark.requirement("install-001")
@pytest.mark.parametrize("name", CLIENTS)
def test_a_project_has_the_entry_in_its_own_file_or_the_client_has_none(name: str, home: Path) -> None:
    done = run("install", name, "--project")

    if CLIENTS[name].project:
        assert COMMAND in Path(CLIENTS[name].project[0]).read_text()
        assert not file_of(name, home).exists()
    else:
        assert 2 == done.exit_code
        assert "has no file for a single project: leave out --project." in done.output


@pytest.mark.requirement("install-001")
@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_every_client_has_a_place_of_its_own_on_every_platform(platform: str, tmp_path: Path) -> None:
    folders = clients.bases(tmp_path, {"CODEX_HOME": str(tmp_path / "c")})
    files = {clients.user_file(client, platform, folders) for client in CLIENTS.values()}

    assert len(CLIENTS) == len(files)
    assert tmp_path / "c" / "config.toml" in files
    assert all(file.is_relative_to(tmp_path) for file in files)


@pytest.mark.requirement("install-003", "install-004")
@pytest.mark.parametrize("name", CLIENTS)
def test_a_second_run_changes_nothing_and_uninstall_leaves_nothing_of_ours(name: str, home: Path) -> None:
    file = file_of(name, home)
    run("install", name)
    first, seen = file.read_bytes(), file.stat().st_mtime_ns
    again = run("install", name)
    second = file.read_bytes(), file.stat().st_mtime_ns
    gone = run("uninstall", name)

    assert "is set up already" in again.output
    assert (first, seen) == second
    assert (b"" if file.suffix == ".toml" else b"{}\n") == file.read_bytes()
    assert 0 == gone.exit_code
    assert "has no entry" in run("uninstall", name).output


@pytest.mark.requirement("install-004")
@pytest.mark.parametrize(
    "text", ['\ufeff{\r\n\t// mine\r\n\t"a": 1,\r\n}\r\n', "{}", '{"mcpServers": {}}', '{"mcpServers":{"x":{}}}']
)
def test_uninstall_gives_the_bytes_from_before(text: str, home: Path) -> None:
    file = file_of("gemini", home)
    file.parent.mkdir()
    file.write_bytes(text.encode())
    file.chmod(0o640)
    installed = run("install", "gemini")
    mode = file.stat().st_mode & 0o777
    run("uninstall", "gemini")

    assert 0 == installed.exit_code, installed.output
    assert text.encode() == file.read_bytes()
    assert 0o640 == mode
    assert [file] == list(file.parent.iterdir())


@pytest.mark.requirement("install-007")
def test_settings_that_differ_are_written_for_a_client_that_hands_no_environment_on(home: Path) -> None:
    environ = {"GASOLINE_PORT": "7999", "GASOLINE_DATA_DIR": str(home / "d"), "XDG_RUNTIME_DIR": str(home / "run")}
    run("install", "cursor", **environ)
    run("install", "opencode", **environ)
    run("install", "claude-code", **environ)

    expected = {
        "GASOLINE_PORT": "7999",
        "GASOLINE_DATA_DIR": str(home / "d"),
        "GASOLINE_RUNTIME_DIR": str(home / "run" / "gasoline"),
    }
    assert expected == read(file_of("cursor", home))["mcpServers"]["gasoline"]["env"]
    assert expected == read(file_of("opencode", home))["mcp"]["gasoline"]["environment"]
    assert "env" not in read(file_of("claude-code", home))["mcpServers"]["gasoline"]


@pytest.mark.requirement("install-007")
def test_usual_settings_need_no_environment(home: Path) -> None:
    run("install", "cursor")

    assert {"command": COMMAND, "args": ["mcp"]} == read(file_of("cursor", home))["mcpServers"]["gasoline"]


@pytest.mark.requirement("install-008")
def test_print_shows_the_change_and_writes_nothing(home: Path) -> None:
    shown = run("install", "cursor", "--print")
    assert not list(home.iterdir())
    run("install", "cursor")
    removal = run("uninstall", "cursor", "--print")

    assert f'+      "command": "{COMMAND}",' in shown.output
    assert '-    "gasoline": {' in removal.output
    assert COMMAND in file_of("cursor", home).read_text()


@pytest.mark.requirement("install-009")
def test_without_a_client_each_one_is_listed_with_its_file_and_state(home: Path) -> None:
    run("install", "cursor")
    run("install", "codex")
    file_of("codex", home).write_text(file_of("codex", home).read_text().replace(COMMAND, "/old/gasoline"))
    file_of("gemini", home).parent.mkdir()
    file_of("gemini", home).write_text("{")

    listed = run("install")
    states = {row["client"]: row["state"] for row in msgspec.json.decode(run("install", "--json").output)}
    projects = msgspec.json.decode(run("install", "--json", "--project").output)

    assert f"{file_of('cursor', home)}" in listed.output
    assert {"cursor": "yes", "codex": "changed", "gemini": "unreadable", "zed": "no"} == {
        name: states[name] for name in ("cursor", "codex", "gemini", "zed")
    }
    assert list(CLIENTS) == list(states)
    assert {"windsurf", "claude-desktop"} == set(CLIENTS) - {row["client"] for row in projects}


def test_a_client_that_is_not_known_is_refused_with_the_names(home: Path) -> None:
    refused = run("install", "emacs")

    assert 2 == refused.exit_code
    assert "'emacs' is not one of claude-code, codex," in refused.output
    assert not list(home.iterdir())


@pytest.mark.requirement("install-006")
@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("cursor", b'{\n  "a": 1\n  "b": 2\n}', "is left as it is: line 3: a , or } is missing. Correct it"),
        ("cursor", b'{"a": \n"\xff"}', "is left as it is: line 2 is not UTF-8."),
        ("codex", b"a = 1\nb =\n", "line 2"),
        ("codex", b"mcp_servers = { a = { command = 'x' } }\n", "is not written as a table [mcp_servers.gasoline]"),
    ],
)
def test_a_file_that_is_not_valid_is_left_untouched(name: str, content: bytes, message: str, home: Path) -> None:
    file = file_of(name, home)
    file.parent.mkdir()
    file.write_bytes(content)
    refused = run("install", name)

    assert 2 == refused.exit_code
    assert str(file) in refused.output
    assert message in refused.output
    assert content == file.read_bytes()
    assert [file] == list(file.parent.iterdir())


@pytest.mark.requirement("install-010")
def test_a_link_stays_and_its_target_is_changed(home: Path) -> None:
    dotfiles = home / "dotfiles"
    dotfiles.mkdir()
    (dotfiles / "cursor.json").write_text("{}")
    file_of("cursor", home).parent.mkdir()
    file_of("cursor", home).symlink_to(dotfiles / "cursor.json")
    run("install", "cursor")

    assert file_of("cursor", home).is_symlink()
    assert COMMAND in (dotfiles / "cursor.json").read_text()


@pytest.mark.requirement("install-006")
def test_a_read_only_file_and_a_folder_in_its_place_are_left_as_they_are(home: Path) -> None:
    file = file_of("cursor", home)
    file.parent.mkdir()
    file.write_text("{}")
    file.chmod(0o444)
    read_only = run("install", "cursor")
    file_of("zed", home).mkdir(parents=True)
    folder = run("install", "zed")

    assert (2, 2) == (read_only.exit_code, folder.exit_code)
    assert f"{file} is read-only: make it writable" in read_only.output
    assert "is no file" in folder.output
    assert "{}" == file.read_text()


@pytest.mark.requirement("install-006")
def test_a_folder_that_cannot_be_made_is_named(home: Path) -> None:
    (home / ".cursor").write_text("")
    refused = run("install", "cursor")

    assert 2 == refused.exit_code
    assert "cannot be read: Not a directory" in refused.output


@pytest.mark.requirement("install-006")
def test_without_a_home_folder_only_a_project_can_be_set_up(home: Path) -> None:
    refused = run("install", "cursor", HOME=str(home / "missing"))
    project = run("install", "cursor", "--project", HOME=str(home / "missing"))

    assert 2 == refused.exit_code
    assert f"The home folder {home / 'missing'} does not exist: set HOME, or use --project." in refused.output
    assert 0 == project.exit_code, project.output


@pytest.mark.requirement("install-011")
def test_what_another_program_writes_meanwhile_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("a")
    others = iter(["b", "c"])

    def change(text: str) -> str:
        if other := next(others, ""):
            file.write_text(other)
        return f"{text}+ours"

    assert config_file.replace(file, change)
    assert "c+ours" == file.read_text()
    assert [file] == list(tmp_path.iterdir())


@pytest.mark.requirement("install-011")
def test_a_file_that_never_rests_is_left_to_the_other_program(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("0")

    def change(text: str) -> str:
        file.write_text(str(int(text) + 1))
        return f"{text}+ours"

    with pytest.raises(SettingsRefused, match="is changed by another program at the same time"):
        config_file.replace(file, change)

    assert str(config_file.TRIES) == file.read_text()


@pytest.mark.requirement("install-011")
def test_a_backup_is_kept_only_if_asked_for(home: Path) -> None:
    file = file_of("cursor", home)
    file.parent.mkdir()
    file.write_text('{"a": 1}')
    run("install", "cursor", "--backup")

    assert '{"a": 1}' == file.with_name("mcp.json.bak").read_text()


def test_a_file_beyond_all_measure_is_left_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config_file, "BYTES_MAX", 10)
    (tmp_path / "file").write_text("x" * 11)

    with pytest.raises(SettingsRefused, match="it is left as it is"):
        config_file.read(tmp_path / "file")


@pytest.mark.requirement("install-012")
@pytest.mark.parametrize(
    ("python", "message"),
    [
        ("/cache/uv/archive-v0/x/bin/python", "is in a cache: run `uv tool install gasoline`"),
        ("/none/python", "is missing"),
    ],
)
def test_a_command_that_will_not_last_is_not_written(
    python: str, message: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", python)
    refused = run("install", "cursor")
    removed = run("uninstall", "cursor")

    assert (2, 0) == (refused.exit_code, removed.exit_code)
    assert message in refused.output
    assert not list(home.iterdir())


def test_the_command_is_the_one_beside_this_python() -> None:
    assert Path(COMMAND) == setup.command()
    assert {} == setup.variables(Settings(), {})
