"""Workers are found by their folders: a new one is its folder, its Procfile line and its row of labels."""

from pathlib import Path
from types import ModuleType

import pytest
from click.testing import CliRunner

from gasoline_bridge.cli.commands import cli
from gasoline_broker.actor.actor import Actor
from gasoline_broker.errors import SettingsRefused
from gasoline_broker.supervisor import procfile
from gasoline_workers import discovery

ROOT = Path(__file__).parents[2]
WORKERS = ", ".join(discovery.names())


@pytest.mark.requirement("structure-012")
def test_every_folder_with_an_actor_is_a_worker() -> None:
    assert {"diff", "journal", "redaction"} <= set(discovery.names())


@pytest.mark.parametrize("name", discovery.names())
def test_a_workers_actor_has_its_folders_name_as_service(name: str) -> None:
    found = discovery.actor(name)

    assert issubclass(found, Actor)
    assert (name, f"gasoline_workers.{name}.actor") == (found.service, found.__module__)
    assert found.accepts is not None


def test_every_worker_has_its_line_in_the_procfile() -> None:
    commands = procfile.read(ROOT / "Procfile").items()

    workers = {line: command for line, command in commands if command.startswith("gasoline worker ")}
    assert {name: f"gasoline worker {name}" for name in discovery.names()} == workers


def test_a_folder_without_an_actor_is_no_worker(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "fresh").mkdir()
    (tmp_path / "fresh" / "actor.py").touch()

    assert ["fresh"] == discovery.names(tmp_path)


@pytest.mark.requirement("structure-012")
def test_an_unknown_worker_is_refused_with_the_valid_ones() -> None:
    with pytest.raises(SettingsRefused, match=f"no worker 'rendering'; the workers are {WORKERS}"):
        discovery.actor("rendering")


def test_the_command_refuses_an_unknown_worker_with_the_valid_ones() -> None:
    result = CliRunner().invoke(cli, ["worker", "rendering"])

    assert 2 == result.exit_code
    assert f"There is no worker 'rendering'; the workers are {WORKERS}." in result.output


def test_a_module_without_an_actor_of_that_name_is_refused() -> None:
    module = ModuleType("gasoline_workers.diff.actor")
    module.__dict__["Actor"] = Actor

    with pytest.raises(SettingsRefused, match=r"diff.actor must define one Actor with service = 'diff'"):
        discovery.defined_in(module, "diff")
