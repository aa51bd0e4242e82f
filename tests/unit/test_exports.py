"""Of the folder of exports a client is given what `generate` has saved under names of its own, and no other file."""

from pathlib import Path

import pytest

from gasoline_bridge.front import exports
from gasoline_broker.errors import Failed

OWN, LINK, OTHER = "20260101-000000-000001.har", "20260101-000000-000002.html", "session.html"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / exports.FOLDER
    folder.mkdir()
    (tmp_path / "secret").write_text("not to be read")
    (folder / OWN).write_text("{}")
    (folder / OTHER).write_text("of another name")
    (folder / LINK).symlink_to(tmp_path / "secret")
    return tmp_path


@pytest.mark.requirement("clients-020")
def test_files_of_its_own_names_are_listed_and_read(data: Path) -> None:
    assert [(OWN, "application/json", 2)] == exports.listed(data)
    assert "{}" == exports.read(data, OWN)
    assert [] == exports.listed(data / "nothing yet")


@pytest.mark.requirement("clients-020")
@pytest.mark.parametrize(
    ("name", "code"),
    [
        (OTHER, "not_found"),
        (LINK, "store_failed"),
        ("../secret", "not_found"),
        ("..%2Fsecret", "not_found"),
        ("20260101-000000-000009.har", "not_found"),
        (f"{OWN}\n", "not_found"),
        ("", "not_found"),
    ],
)
def test_no_other_file_is_read_by_a_path_or_a_link(data: Path, name: str, code: str) -> None:
    with pytest.raises(Failed) as refused:
        exports.read(data, name)

    assert code == refused.value.failure.code


@pytest.mark.requirement("clients-020")
def test_a_file_that_is_larger_than_a_client_takes_is_named_by_its_path(data: Path) -> None:
    with (data / exports.FOLDER / OWN).open("wb") as file:
        file.truncate(exports.FILE_BYTES_MAX + 1)

    with pytest.raises(Failed) as refused:
        exports.read(data, OWN)

    assert "payload_too_large" == refused.value.failure.code
    assert OWN in refused.value.failure.recovery
