"""What a human may set, and what is refused in words."""

import os
import stat
from pathlib import Path

import msgspec
import pytest

from gasoline_broker.errors import CannotStart, SettingsRefused
from gasoline_broker.settings import Settings, private_dir

KEY = "0f" * 32


def test_without_variables_the_defaults_hold() -> None:
    settings = Settings.from_environ({"HOME": "/home/somebody", "PORT": "1"})

    assert (7890, "info", 10.0, -1) == (
        settings.port,
        settings.log_level,
        settings.call_timeout_s,
        settings.lifeline_fd,
    )


def test_each_field_is_set_by_its_variable() -> None:
    environ = {
        "GASOLINE_PORT": "7891",
        "GASOLINE_DATA_DIR": "/d",
        "GASOLINE_RUNTIME_DIR": "/r",
        "GASOLINE_LOG_LEVEL": "debug",
        "GASOLINE_CALL_TIMEOUT_S": "2.5",
        "GASOLINE_LIFELINE_FD": "7",
    }

    settings = Settings.from_environ(environ)

    assert (7891, Path("/d"), Path("/r"), "debug", 2.5, 7) == (
        settings.port,
        settings.data_dir,
        settings.runtime_dir,
        settings.log_level,
        settings.call_timeout_s,
        settings.lifeline_fd,
    )


def test_a_folder_may_be_relative_or_start_at_home() -> None:
    settings = Settings.from_environ({"GASOLINE_DATA_DIR": "~/d", "GASOLINE_RUNTIME_DIR": "r"})

    assert (Path.home() / "d", Path.cwd() / "r") == (settings.data_dir, settings.runtime_dir)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("GASOLINE_PROT", "7890", "GASOLINE_PORT"),  # it names those that there are
        ("GASOLINE_PORT", "high", "GASOLINE_PORT is 'high'"),
        ("GASOLINE_PORT", "", "GASOLINE_PORT is ''"),
        ("GASOLINE_PORT", "0", "1 to 65535"),
        ("GASOLINE_PORT", "65536", "1 to 65535"),
        ("GASOLINE_LOG_LEVEL", "loud", "debug, info, warning, error"),
        ("GASOLINE_CALL_TIMEOUT_S", "0", "more than 0"),
        ("GASOLINE_CALL_TIMEOUT_S", "-1", "more than 0"),
        ("GASOLINE_CALL_TIMEOUT_S", "nan", "more than 0"),
        ("GASOLINE_CALL_TIMEOUT_S", "inf", "more than 0"),
        ("GASOLINE_LISTEN", "10.0.0.5:7891", "must be like tcp://10.0.0.5:7891"),
        ("GASOLINE_LISTEN", "tcp://10.0.0.5", "must be like"),
        ("GASOLINE_LISTEN", "tcp://10.0.0.5:0", "must be like"),
        ("GASOLINE_LISTEN", "tcp://10.0.0.5:65536", "must be like"),
        ("GASOLINE_LISTEN", "tcp://fd00::5:7891", "must be like"),
        ("GASOLINE_BROKER", "tcp://-:7891", "must be like"),
        ("GASOLINE_BROKER", "tcp://[fd00::5]:7891", "GASOLINE_BROKER needs GASOLINE_BROKER_KEY"),
        ("GASOLINE_BROKER", "tcp://hub.example:7891", "GASOLINE_BROKER needs GASOLINE_BROKER_KEY"),
        ("GASOLINE_RUNTIME_DIR", "/" + "r" * 107, "GASOLINE_RUNTIME_DIR to a shorter folder"),
        ("GASOLINE_RUNTIME_DIR", "", "GASOLINE_RUNTIME_DIR is empty"),
        ("GASOLINE_DATA_DIR", "", "GASOLINE_DATA_DIR is empty"),
        ("GASOLINE_LISTEN", "7891", "GASOLINE_LISTEN is '7891'; it must be like tcp://10.0.0.5:7891"),
        ("GASOLINE_LISTEN", "10.0.0.5:7891", "must be like tcp"),
        ("GASOLINE_LISTEN", "tcp://10.0.0.5", "must be like tcp"),
        ("GASOLINE_LISTEN", "tcp://*:7891", "must be like tcp"),
        ("GASOLINE_LISTEN", "tcp://10.0.0.5:7891\n", "must be like tcp"),
        ("GASOLINE_LISTEN", "ipc:///tmp/x", "must be like tcp"),
        ("GASOLINE_BROKER", "machine.example", "GASOLINE_BROKER is 'machine.example'; it must be like tcp"),
    ],
)
def test_a_wrong_variable_is_refused_by_name(name: str, text: str, said: str) -> None:
    with pytest.raises(SettingsRefused, match=said):
        Settings.from_environ({name: text})


@pytest.mark.parametrize("address", ["tcp://10.0.0.5:7891", "tcp://[fe80::1%eth0]:7891", "tcp://machine.example:1"])
def test_machines_meet_at_an_address_or_a_name(address: str) -> None:
    environ = {"GASOLINE_LISTEN": address, "GASOLINE_BROKER": address, "GASOLINE_BROKER_KEY": KEY}

    settings = Settings.from_environ(environ)

    assert (address, address, KEY) == (settings.listen, settings.broker_address, settings.broker_key)


def test_without_a_broker_elsewhere_it_meets_the_one_of_its_machine() -> None:
    settings = Settings.from_environ({"GASOLINE_RUNTIME_DIR": "/r"})

    assert ("ipc:///r/broker.sock", "") == (settings.broker_address, settings.listen)


@pytest.mark.parametrize("key", ["", KEY[:-1], KEY + "0", KEY.upper(), "g" * 64, KEY + "\n"])
def test_a_broker_elsewhere_is_met_only_by_its_key(key: str) -> None:
    with pytest.raises(SettingsRefused, match="GASOLINE_BROKER needs GASOLINE_BROKER_KEY: the 64 hex digits"):
        Settings.from_environ({"GASOLINE_BROKER": "tcp://10.0.0.5:7891", "GASOLINE_BROKER_KEY": key})


def test_the_length_of_a_sockets_path_counts_in_bytes() -> None:
    fits = "/" + "r" * (107 - len("//broker.sock"))

    assert 107 == len(bytes(Settings.from_environ({"GASOLINE_RUNTIME_DIR": fits}).broker_socket))
    with pytest.raises(SettingsRefused):
        Settings.from_environ({"GASOLINE_RUNTIME_DIR": fits[:-1] + "ü"})


def test_another_process_reads_the_very_same_settings_but_for_the_lifeline() -> None:
    settings = Settings(port=1, data_dir=Path("/d"), runtime_dir=Path("/r"), system_id="a1", lifeline_fd=7)

    assert msgspec.structs.replace(settings, lifeline_fd=-1) == Settings.from_environ(settings.environ())


def test_a_private_folder_is_made_with_its_parents_and_closed_to_others(tmp_path: Path) -> None:
    made = private_dir(tmp_path / "a" / "b")

    assert 0o700 == stat.S_IMODE(made.stat().st_mode)


def test_a_folder_that_is_open_to_others_is_closed(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)

    private_dir(tmp_path)

    assert 0o700 == stat.S_IMODE(tmp_path.stat().st_mode)


def test_a_file_in_the_place_of_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(CannotStart, match="cannot be used"):
        private_dir(tmp_path / "file")


def test_a_folder_of_another_user_is_refused(tmp_path: Path) -> None:
    theirs = Path("/")
    if os.geteuid() == 0:  # another user's, like everything else
        theirs = tmp_path
        os.chown(theirs, 1, 1)

    with pytest.raises(CannotStart, match="another user"):
        private_dir(theirs)


def test_a_platform_without_a_folder_for_sockets_is_no_reason_to_warn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)

    assert "gasoline" == Settings.from_environ({}).runtime_dir.name
