"""The recorded calls of docs/tools.md, called again: their answers have the fields that were recorded."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

import system
from browser.assisted import connected_browser
from gasoline_bridge.folders import Folders
from gasoline_demo.examples import BY_CHANCE, paths, record
from system import assistant

RECORDED = msgspec.json.decode((Path(__file__).parents[2] / "docs" / "examples.json").read_bytes())
BOUND_S = 90.0


@pytest.fixture(scope="module")
async def answers(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """Record the calls again, with a system of which no process was ever restarted."""
    folder = tmp_path_factory.mktemp("examples")
    with system.settings() as made, system.running(made) as up:
        Folders(up).allow([str(folder)])
        async with connected_browser(up) as chrome, assistant(up) as client, asyncio.timeout(BOUND_S):

            async def call(tool: str, arguments: dict[str, Any]) -> tuple[dict[str, Any], bool]:
                text, failed = await client.text(tool, **arguments)
                return msgspec.json.decode(text), failed

            return await record(call, chrome, folder)


def fields(example: dict[str, Any]) -> set[str]:
    """Give the fields of a reply, without those that are there by chance."""
    key = example["tool"], example["arguments"].get("what") or example["arguments"].get("action", "")
    return {path for path in paths(example["reply"], key) if not set(path.replace("[]", "").split(".")) & BY_CHANCE}


@pytest.mark.parametrize(
    "number", range(len(RECORDED)), ids=lambda number: "{tool} {arguments}".format(**RECORDED[number])
)
def test_a_call_is_answered_with_the_recorded_fields(answers: list[dict[str, Any]], number: int) -> None:
    recorded, answered = RECORDED[number], answers[number]

    assert recorded["arguments"] == answered["arguments"], "run `make examples`"
    assert fields(recorded) == fields(answered), f"run `make examples`, if this is right: {answered['reply']}"
