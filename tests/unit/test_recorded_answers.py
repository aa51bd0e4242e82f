"""What the shim answers while the system starts: the front's own answers, of this version and these files alone."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from gasoline_bridge.front.recorded_answers import Answers, load, store

LATEST = "2026-07-28"
RESULTS = {
    "initialize": {"2025-06-18": '{"old":1}'},
    "tools/list": {"2025-06-18": '{"tools":[]}', LATEST: '{"tools":[1]}'},
    "server/discover": {LATEST: '{"new":1}'},
}
INITIALIZE = {"id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18"}}
META = {"_meta": {"io.modelcontextprotocol/protocolVersion": LATEST}}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    source = tmp_path / "source.py"
    source.write_text("a")
    store(str(tmp_path / "answers.json"), RESULTS, [str(source)])
    return tmp_path / "answers.json"


def result_of(answers: Answers | None, message: dict[str, Any]) -> object:
    assert answers is not None
    line = answers.answer(message)
    return line and json.loads(line)


@pytest.mark.requirement("fast-007")
def test_a_handshake_and_then_the_list_of_its_version(file: Path) -> None:
    answers = load(str(file))

    assert {"jsonrpc": "2.0", "id": 1, "result": {"old": 1}} == result_of(answers, INITIALIZE)
    assert {"jsonrpc": "2.0", "id": "a", "result": {"tools": []}} == result_of(
        answers, {"id": "a", "method": "tools/list"}
    )


@pytest.mark.requirement("fast-007")
@pytest.mark.parametrize(("method", "result"), [("server/discover", {"new": 1}), ("tools/list", {"tools": [1]})])
def test_a_request_of_the_modern_era_states_its_version_itself(file: Path, method: str, result: object) -> None:
    assert {"jsonrpc": "2.0", "id": 1, "result": result} == result_of(
        load(str(file)), {"id": 1, "method": method, "params": META}
    )


@pytest.mark.parametrize(
    "message",
    [
        {"id": 1, "method": "initialize", "params": {"protocolVersion": "1999-01-01"}},
        {"id": 1, "method": "initialize", "params": {"protocolVersion": 7}},
        {"id": 1, "method": "initialize", "params": []},
        {"id": 1, "method": "initialize"},
        {"id": 1, "method": "tools/list"},
        {"id": 1, "method": "tools/list", "params": {"_meta": 1}},
        {"id": 1, "method": "tools/list", "params": META | {"cursor": "a"}},
        {"id": 1, "method": "tools/call", "params": META},
        {"method": "tools/list", "params": META},
        {"id": 1, "result": {}},
    ],
)
def test_what_the_front_alone_knows_is_left_to_it(file: Path, message: dict[str, Any]) -> None:
    assert None is result_of(load(str(file)), message)


@pytest.mark.requirement("fast-009")
def test_another_version_or_a_changed_file_is_never_answered_with(file: Path, tmp_path: Path) -> None:
    whole, source = json.loads(file.read_text()), tmp_path / "source.py"
    seen = source.stat()

    file.write_text(json.dumps(whole | {"version": "0.0.9"}))
    assert load(str(file)) is None
    file.write_text(json.dumps(whole))
    assert load(str(file)) is not None
    os.utime(source, ns=(seen.st_atime_ns, seen.st_mtime_ns + 1))
    assert load(str(file)) is None
    source.write_text("ab")
    os.utime(source, ns=(seen.st_atime_ns, seen.st_mtime_ns))
    assert load(str(file)) is None
    source.unlink()
    assert load(str(file)) is None


@pytest.mark.requirement("fast-009")
@pytest.mark.parametrize("text", ["", "{", "[]", "1", "{}", '{"version": "0.1.0", "sources": [1], "results": {}}'])
def test_a_damaged_file_is_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "answers.json").write_text(text)

    assert load(str(tmp_path / "answers.json")) is None
    assert load(str(tmp_path / "none.json")) is None


def test_it_is_closed_to_others_and_written_as_a_whole(file: Path) -> None:
    assert 0o600 == file.stat().st_mode & 0o777
    assert {"answers.json", "source.py"} == {path.name for path in file.parent.iterdir()}


def test_a_folder_that_cannot_be_written_costs_nothing_else(tmp_path: Path) -> None:
    store(str(tmp_path / "none" / "answers.json"), RESULTS, [])

    assert not (tmp_path / "none").exists()
