"""The CURVE keys of machines: readable by their owner alone, and only a listed one is allowed."""

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import zmq
import zmq.utils.z85

from gasoline_broker.errors import CannotStart, SettingsRefused
from gasoline_broker.keys import Keys, Pair, family
from gasoline_broker.log import Throttle
from gasoline_broker.settings import Settings

ONE, OTHER = "0f" * 32, "a5" * 32


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path / "data", runtime_dir=tmp_path / "run")


@pytest.fixture
def keys(settings: Settings) -> Keys:
    return Keys(settings)


def comes(keys: Keys, key: str) -> bool:
    """Return whether this key is allowed, as ZAP asks."""
    return keys.callback("global", zmq.utils.z85.encode(bytes.fromhex(key)))


# Its own pair


def test_the_pair_is_made_once_and_stays(keys: Keys, settings: Settings) -> None:
    assert keys.own() == keys.own() == Keys(settings).own()


def test_the_pair_is_one_that_curve_knows(keys: Keys) -> None:
    own = keys.own()

    assert (32, 32) == (len(own.public), len(own.secret))
    assert zmq.utils.z85.encode(own.public) == zmq.curve_public(zmq.utils.z85.encode(own.secret))


def test_each_installation_has_its_own(keys: Keys, tmp_path: Path) -> None:
    other = Keys(Settings(data_dir=tmp_path / "other", runtime_dir=tmp_path))

    assert keys.own() != other.own()


def test_what_is_written_is_readable_by_its_owner_alone(keys: Keys, settings: Settings) -> None:
    keys.own()
    keys.allow("one", ONE)

    folder = settings.data_dir / "keys"
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (settings.data_dir, folder, *folder.iterdir())}
    assert {"data": 0o700, "keys": 0o700, "own.secret": 0o600, "allowed": 0o600, "lock": 0o600} == modes


@pytest.mark.parametrize(
    "text", ["", "nothing of the kind", "0f0f", "0f 0f 0f", "zz zz", "00\n11\n", f"{ONE}\n{OTHER}\n"]
)
def test_a_file_without_a_pair_is_refused_and_not_replaced(keys: Keys, settings: Settings, text: str) -> None:
    keys.own()
    path = settings.data_dir / "keys" / "own.secret"
    path.write_text(text)

    with pytest.raises(CannotStart, match="remove it, and a new one is made"):
        keys.own()
    assert text == path.read_text()


# Allowed keys


def test_at_first_no_key_is_allowed(keys: Keys) -> None:
    assert ({}, False) == (keys.allowed(), comes(keys, ONE))


def test_only_a_listed_key_is_allowed(keys: Keys) -> None:
    keys.allow("one", ONE)

    assert (True, False) == (comes(keys, ONE), comes(keys, OTHER))


def test_the_own_key_is_not_allowed_either(keys: Keys) -> None:
    assert not comes(keys, keys.own().public.hex())


def test_a_change_by_another_process_counts_at_once(keys: Keys, settings: Settings) -> None:
    another = Keys(settings)
    another.allow("one", ONE)
    allowed = comes(keys, ONE)

    another.revoke("one")

    assert (True, False) == (allowed, comes(keys, ONE))


def test_machines_are_listed_by_name(keys: Keys) -> None:
    keys.allow("two", OTHER)
    keys.allow("one", ONE)

    assert [("one", ONE), ("two", OTHER)] == list(keys.allowed().items())


def test_a_machine_that_is_allowed_again_has_its_new_key_alone(keys: Keys) -> None:
    keys.allow("one", ONE)

    keys.allow("one", OTHER)

    assert (False, True) == (comes(keys, ONE), comes(keys, OTHER))


def test_revoking_one_leaves_the_others(keys: Keys) -> None:
    keys.allow("one", ONE)
    keys.allow("two", OTHER)

    keys.revoke("one")

    assert {"two": OTHER} == keys.allowed()


@pytest.mark.parametrize("name", ["", "-rf", "two words", "two\nlines 1", "ü", "n" * 64, "../own", "line\n"])
def test_what_is_no_name_is_refused(keys: Keys, name: str) -> None:
    with pytest.raises(SettingsRefused, match=r"Invalid machine name .*: letters, digits"):
        keys.allow(name, ONE)
    assert {} == keys.allowed()


@pytest.mark.parametrize("name", ["a", "7", "machine.example", "A_b-c", "n" * 63])
def test_what_is_a_name_is_not(keys: Keys, name: str) -> None:
    keys.allow(name, ONE)

    assert {name: ONE} == keys.allowed()


@pytest.mark.parametrize("key", ["", ONE[:-1], ONE + "0", ONE.upper(), "g" * 64, ONE + "\n", f"{ONE[:-1]} "])
def test_what_is_no_key_is_refused(keys: Keys, key: str) -> None:
    with pytest.raises(SettingsRefused, match="64 hex digits: `gasoline keys`"):
        keys.allow("one", key)
    assert {} == keys.allowed()


@pytest.mark.parametrize(("there", "text"), [((), "there are: none"), (("a", "b"), "there are: a, b")])
def test_an_unknown_machine_cannot_be_revoked_and_the_known_are_listed(
    keys: Keys, there: tuple[str, ...], text: str
) -> None:
    for at, name in enumerate(there):
        keys.allow(name, f"{at:064}")

    with pytest.raises(SettingsRefused, match=f"No machine 'one' is allowed; {text}"):
        keys.revoke("one")


def test_a_damaged_line_allows_no_key(keys: Keys, settings: Settings) -> None:
    keys.allow("one", ONE)
    path = settings.data_dir / "keys" / "allowed"
    path.write_text(path.read_text() + f"two {OTHER[:-2]}\n{OTHER}\nthree\n\n")

    assert {"one": ONE} == keys.allowed()
    assert not comes(keys, OTHER)


# Several at a time, and strangers


def test_processes_that_make_the_pair_at_the_same_time_have_the_same(settings: Settings) -> None:
    with ThreadPoolExecutor(8) as pool:
        made: list[Pair] = list(pool.map(lambda _: Keys(settings).own(), range(8)))

    assert 1 == len(set(made))
    assert ["own.secret"] == [path.name for path in (settings.data_dir / "keys").iterdir()]


def test_a_key_has_one_name_so_that_revoking_it_counts(keys: Keys) -> None:
    keys.allow("box", ONE)

    with pytest.raises(SettingsRefused, match="allowed already, as 'box'"):
        keys.allow("other", ONE)


def test_changes_at_the_same_time_are_all_kept(settings: Settings) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda at: Keys(settings).allow(f"box{at}", f"{at:064}"), range(8)))

    assert {f"box{at}": f"{at:064}" for at in range(8)} == Keys(settings).allowed()


def test_an_unreadable_list_allows_no_key_and_ends_no_thread(keys: Keys, settings: Settings) -> None:
    keys.allow("box", ONE)
    allowed = settings.data_dir / "keys" / "allowed"
    kept = allowed.read_bytes()
    allowed.write_bytes(b"\xff")

    assert not comes(keys, ONE)
    allowed.write_bytes(kept)
    assert comes(keys, ONE)


@pytest.mark.parametrize(
    ("address", "six"), [("tcp://10.0.0.5:7891", 0), ("tcp://[fd00::1]:7891", 1), ("tcp://a:1", 0)]
)
def test_an_address_in_brackets_needs_ipv6(address: str, six: int) -> None:
    assert {zmq.IPV6: six} == family(address)


def test_a_repeated_event_is_logged_at_once_and_then_together() -> None:
    refusals = Throttle(10.0)

    assert [1, 0, 0, 3, 0] == [refusals.count(now) for now in (0.5, 1.0, 10.4, 10.5, 11.0)]
