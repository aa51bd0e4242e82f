"""Which machines know each other: the pair that is made once, the list that lets in, and what a stranger costs."""

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import zmq
from zmq.utils import z85

from gasoline_broker.errors import CannotStart, SettingsRefused
from gasoline_broker.keys import Keys, Pair, family
from gasoline_broker.log import Seldom
from gasoline_broker.settings import Settings

ONE, OTHER = "1" * 64, "2" * 64


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path / "data", runtime_dir=tmp_path)


@pytest.fixture
def keys(settings: Settings) -> Keys:
    """Give the keys of a machine that has none yet."""
    return Keys(settings)


def comes(keys: Keys, key: str) -> bool:
    """Tell whether who comes with this key is let in."""
    return keys.callback("*", z85.encode(bytes.fromhex(key)))


def test_a_pair_is_made_once_and_belongs_together(keys: Keys, settings: Settings) -> None:
    own = keys.own()

    assert z85.encode(own.public) == zmq.curve_public(z85.encode(own.secret))
    assert own == Keys(settings).own()


def test_processes_that_make_the_pair_at_the_same_time_have_the_same(settings: Settings) -> None:
    with ThreadPoolExecutor(8) as pool:
        made: list[Pair] = list(pool.map(lambda _: Keys(settings).own(), range(8)))

    assert 1 == len(set(made))
    assert ["own.secret"] == [path.name for path in (settings.data_dir / "keys").iterdir()]


def test_nobody_else_may_read_the_keys(keys: Keys, settings: Settings) -> None:
    keys.own()
    keys.allow("box", ONE)
    folder = settings.data_dir / "keys"

    assert 0o700 == stat.S_IMODE(folder.stat().st_mode)
    assert {0o600} == {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}


@pytest.mark.parametrize("text", ["", "00\n", "00\n11\n", "x y", f"{ONE}\n{OTHER}\n", "1\n2\n3\n"])
def test_a_file_that_is_no_pair_is_told_without_its_words(keys: Keys, settings: Settings, text: str) -> None:
    keys.own()
    (settings.data_dir / "keys" / "own.secret").write_text(text)

    with pytest.raises(CannotStart, match="does not hold a pair of keys: remove it") as told:
        keys.own()
    assert OTHER not in str(told.value)


def test_only_who_is_allowed_is_let_in_and_at_once(keys: Keys) -> None:
    keys.allow("box", ONE)

    assert (True, False) == (comes(keys, ONE), comes(keys, OTHER))
    keys.revoke("box")
    assert (False, ONE) == (comes(keys, ONE), keys.refused)


def test_a_machine_may_have_a_new_key(keys: Keys) -> None:
    keys.allow("box", ONE)
    keys.allow("box", OTHER)

    assert {"box": OTHER} == keys.allowed()


def test_a_key_has_one_name_so_that_revoking_it_counts(keys: Keys) -> None:
    keys.allow("box", ONE)

    with pytest.raises(SettingsRefused, match="let in already, as 'box'"):
        keys.allow("other", ONE)


def test_changes_at_the_same_time_are_all_kept(settings: Settings) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda at: Keys(settings).allow(f"box{at}", f"{at:064}"), range(8)))

    assert {f"box{at}": f"{at:064}" for at in range(8)} == Keys(settings).allowed()


@pytest.mark.parametrize(("name", "key"), [("", ONE), ("a b", ONE), ("-a", ONE), ("a" * 64, ONE), ("box", ONE[1:])])
def test_what_is_no_name_or_no_key_is_refused(keys: Keys, name: str, key: str) -> None:
    with pytest.raises(SettingsRefused):
        keys.allow(name, key)


def test_a_name_that_is_unknown_cannot_be_revoked(keys: Keys) -> None:
    keys.allow("box", ONE)

    with pytest.raises(SettingsRefused, match="No machine 'bax' is let in; there are: box"):
        keys.revoke("bax")


def test_a_list_that_cannot_be_read_lets_nobody_in_and_is_no_end(keys: Keys, settings: Settings) -> None:
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


def test_what_happens_again_and_again_is_said_at_once_and_then_together() -> None:
    refusals = Seldom(10.0)

    assert [1, 0, 0, 3, 0] == [refusals.to_say(now) for now in (0.5, 1.0, 10.4, 10.5, 11.0)]
