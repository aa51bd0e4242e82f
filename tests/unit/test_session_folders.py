"""The shim finds the folders that the settings would give, or leaves it to them."""

from pathlib import Path

import pytest

from gasoline_bridge.front import session_folders
from gasoline_bridge.front.session_folders import UNTIL_CALL, UNTIL_UP, Folders
from gasoline_broker.settings import Settings

GIVEN = {"GASOLINE_DATA_DIR": "/a", "GASOLINE_RUNTIME_DIR": "/b"}


def test_it_knows_every_setting() -> None:
    assert {name.upper() for name in Settings.__struct_fields__} == session_folders.KNOWN


@pytest.mark.requirement("fast-010")
def test_the_folders_of_the_environment_and_their_files_are_those_of_the_settings() -> None:
    environ = GIVEN | {"GASOLINE_PORT": "7891", "HOME": "/home/ann"}
    found, settings = session_folders.find(environ), Settings.from_environ(environ)

    assert found == (str(settings.data_dir), str(settings.runtime_dir))
    assert found is not None
    assert (str(settings.mcp_socket), str(settings.log_file)) == (found.mcp_socket, found.log_file)


@pytest.mark.parametrize("data_home", ["", "/data/of/ann"])
def test_the_usual_folder_of_data_is_that_of_the_settings(monkeypatch: pytest.MonkeyPatch, data_home: str) -> None:
    environ = {"GASOLINE_RUNTIME_DIR": "/b", "HOME": "/home/ann", "XDG_DATA_HOME": data_home}
    for name, value in environ.items():
        monkeypatch.setenv(name, value)

    assert (str(Settings.from_environ(environ).data_dir), "/b") == session_folders.find(environ)


@pytest.mark.parametrize(
    "environ",
    [
        GIVEN | {"GASOLINE_PROT": "7891"},
        GIVEN | {"GASOLINE_DATA_DIR": ""},
        GIVEN | {"GASOLINE_DATA_DIR": "data"},
        GIVEN | {"GASOLINE_RUNTIME_DIR": "~/run"},
        {"GASOLINE_RUNTIME_DIR": "/b"},
        {"GASOLINE_DATA_DIR": "/a", "XDG_RUNTIME_DIR": "/of/another"},
        {"GASOLINE_RUNTIME_DIR": "/b", "HOME": "", "XDG_DATA_HOME": "relative"},
    ],
)
def test_all_else_is_left_to_the_settings(environ: dict[str, str]) -> None:
    assert session_folders.find(environ) is None


@pytest.mark.parametrize(
    ("written", "stopped"), [(None, ""), (UNTIL_UP, UNTIL_UP), (UNTIL_CALL, UNTIL_CALL), ("", UNTIL_CALL)]
)
def test_it_reads_how_long_a_system_stays_stopped(tmp_path: Path, written: str | None, stopped: str) -> None:
    if written is not None:
        (tmp_path / "stopped").write_text(written)

    assert stopped == Folders("/a", str(tmp_path)).stopped()
