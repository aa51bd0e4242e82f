"""Packed copies of the extension that the user has paired."""

from pathlib import Path

import pytest

from gasoline_bridge import installed, pairing
from gasoline_broker.errors import CannotStart, SettingsRefused
from gasoline_broker.settings import Settings

COPY, OTHER = "p" * 32, "abcdefghijklmnop" * 2


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path / "data")


@pytest.mark.requirement("install-017")
def test_a_paired_copy_is_let_in_until_it_is_unpaired_and_others_are_not(settings: Settings) -> None:
    code = pairing.pair(settings, COPY)
    again = pairing.pair(settings, COPY)
    origins = [f"chrome-extension://{COPY}", f"chrome-extension://{OTHER}", f"https://{COPY}", COPY, "null", ""]
    let_in = [pairing.is_paired(settings, origin) for origin in origins]
    was = [pairing.unpair(settings, COPY), pairing.unpair(settings, COPY)]

    assert f"gasoline-{settings.port}-{installed.token(settings)}" == code == again
    assert [True, False, False, False, False, False] == let_in
    assert [True, False] == was
    assert not pairing.is_paired(settings, origins[0])


@pytest.mark.requirement("install-017")
def test_the_file_of_ids_is_its_users_alone(settings: Settings) -> None:
    pairing.pair(settings, COPY)

    assert 0o600 == settings.paired_file.stat().st_mode & 0o777


@pytest.mark.requirement("install-018")
@pytest.mark.parametrize(
    "wrong", ["", "p" * 31, "p" * 33, "q" * 32, "P" * 32, f"chrome-extension://{COPY}", f"{COPY}\n", "é" * 32]
)
def test_what_is_no_id_is_refused_with_what_is_valid(settings: Settings, wrong: str) -> None:
    with pytest.raises(SettingsRefused, match="32 letters from a to p"):
        pairing.pair(settings, wrong)
    with pytest.raises(SettingsRefused, match="32 letters from a to p"):
        pairing.unpair(settings, wrong)

    assert not settings.paired_file.exists()


@pytest.mark.requirement("install-018")
def test_the_installed_folder_needs_no_pairing_and_the_number_of_copies_is_limited(settings: Settings) -> None:
    with pytest.raises(SettingsRefused, match="needs no pairing"):
        pairing.pair(settings, installed.own_id())
    for at in range(pairing.IDS_MAX):
        pairing.pair(settings, "abcdefghijklmnop"[at] * 32)
    with pytest.raises(SettingsRefused, match="gasoline extension unpair"):
        pairing.pair(settings, OTHER)

    assert pairing.IDS_MAX == len(pairing.paired(settings))


@pytest.mark.requirement("install-018")
def test_of_a_file_that_is_damaged_or_cannot_be_read_no_other_id_is_let_in(settings: Settings) -> None:
    pairing.pair(settings, COPY)
    settings.paired_file.write_bytes(b"\xff\xfe * chrome-extension://x\n" + COPY.encode() + b"\n" + b"a" * 40)
    read = pairing.paired(settings)
    settings.paired_file.unlink()
    settings.paired_file.mkdir()

    assert [COPY] == read
    assert not pairing.is_paired(settings, f"chrome-extension://{COPY}")
    with pytest.raises(CannotStart, match="cannot be read"):
        pairing.paired(settings)
    with pytest.raises(CannotStart, match="paired"):
        pairing.pair(settings, COPY)
