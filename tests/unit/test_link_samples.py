"""The samples in tests/wire are what travels to and from the extension: `node --test` reads the same files."""

from pathlib import Path

import msgspec
import pytest

from gasoline_bridge.chrome import link

WIRE = Path(__file__).parents[1] / "wire"
DOWN = link.Welcome | link.Command | link.Cancel | link.Acknowledge | link.Stored | link.Alive


@pytest.mark.parametrize("path", sorted(WIRE.glob("link-up-*.json")), ids=lambda path: path.stem)
def test_what_the_extension_sends_is_understood(path: Path) -> None:
    message = link.read_up(path.read_bytes())

    assert msgspec.json.decode(path.read_bytes())["type"] == type(message).__struct_config__.tag


@pytest.mark.parametrize("path", sorted(WIRE.glob("link-down-*.json")), ids=lambda path: path.stem)
def test_what_the_bridge_sends_is_what_the_extension_expects(path: Path) -> None:
    message = msgspec.json.decode(path.read_bytes(), type=DOWN)

    assert msgspec.json.decode(path.read_bytes()) == msgspec.json.decode(link.write(message))


def test_there_are_samples() -> None:
    assert {"link-up-hello", "link-up-result", "link-down-command"} <= {path.stem for path in WIRE.glob("*.json")}
