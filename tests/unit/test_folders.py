"""The user's list of folders whose files pages may be given."""

from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from gasoline_bridge.cli.commands import cli
from gasoline_bridge.folders import Folders
from gasoline_broker.settings import Settings


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path / "data", runtime_dir=tmp_path / "run")


def allow(settings: Settings, *arguments: object) -> Result:
    return CliRunner().invoke(cli, ["allow", *map(str, arguments)], env=settings.environ())


@pytest.mark.requirement("doors-001")
def test_nothing_is_allowed_before_the_user_has_allowed_it(settings: Settings) -> None:
    shown = allow(settings)

    assert 0 == shown.exit_code
    assert "No folder is allowed" in shown.output
    assert "`gasoline allow DIR`" in shown.output
    assert [] == Folders(settings).allowed()


@pytest.mark.requirement("doors-001")
def test_folders_are_allowed_listed_and_removed_by_one_command(tmp_path: Path, settings: Settings) -> None:
    one, other = tmp_path / "b one", tmp_path / "a"
    one.mkdir()
    other.mkdir()
    (tmp_path / "link").symlink_to(one)
    allow(settings, tmp_path / "link", other)
    allow(settings, other)
    listed = msgspec.json.decode(allow(settings, "--json").output)["folders"]
    left = allow(settings, "--remove", other)

    assert [str(other), str(one)] == listed
    assert [one] == Folders(settings).allowed()
    assert f"  {one}\n" in left.output
    assert 0o600 == (settings.data_dir / "allowed-folders").stat().st_mode & 0o777


def test_a_folder_that_was_removed_from_the_disk_can_be_taken_off_the_list(tmp_path: Path, settings: Settings) -> None:
    (tmp_path / "a").mkdir()
    allow(settings, tmp_path / "a")
    (tmp_path / "a").rmdir()
    allow(settings, "--remove", tmp_path / "a")

    assert [] == Folders(settings).allowed()


@pytest.mark.requirement("doors-003")
@pytest.mark.parametrize(
    ("name", "why"),
    [("none", "is no folder"), ("file", "is no folder"), (".ssh", "holds keys"), (".AWS/sso", "holds keys")],
)
def test_what_cannot_be_allowed_is_refused_with_the_reason(
    tmp_path: Path, settings: Settings, name: str, why: str
) -> None:
    for folder in (".ssh", ".AWS/sso"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "file").write_text("x")
    (tmp_path / "link").symlink_to(tmp_path / name)

    for path in (tmp_path / name, tmp_path / "link"):
        refused = allow(settings, path)

        assert 2 == refused.exit_code
        assert why in refused.output
    assert [] == Folders(settings).allowed()


def test_only_what_is_allowed_can_be_removed(tmp_path: Path, settings: Settings) -> None:
    refused, without = allow(settings, "--remove", tmp_path), allow(settings, "--remove")

    assert (2, 2) == (refused.exit_code, without.exit_code)
    assert f"{tmp_path} is not allowed" in refused.output
    assert "--remove needs a folder" in without.output


def test_a_list_that_cannot_be_read_allows_nothing(tmp_path: Path, settings: Settings) -> None:
    allow(settings, tmp_path)
    list_ = settings.data_dir / "allowed-folders"
    list_.unlink()
    list_.mkdir()

    assert [] == Folders(settings).allowed()
