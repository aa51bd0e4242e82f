"""Which lines of a client are messages, and what the others are answered."""

import json
from typing import Any

import pytest

from gasoline_bridge.front import lines
from gasoline_bridge.front.lines import INVALID_PARAMS, INVALID_REQUEST, PARSE_ERROR, Refusal

CALL = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "observe", "arguments": {}}}


def call(**changed: Any) -> bytes:
    return json.dumps(CALL | changed).encode() + b"\n"


def nested(depth: int) -> bytes:
    whole = json.dumps(CALL | {"params": {"x": "HERE"}}).encode()
    return whole.replace(b'"HERE"', b"[" * depth + b"]" * depth)


@pytest.mark.parametrize(
    ("line", "code", "number"),
    [
        (b"no json\n", PARSE_ERROR, None),
        (b"{\n", PARSE_ERROR, None),
        (b"[" * 100_000, PARSE_ERROR, None),
        (nested(100_000), PARSE_ERROR, None),
        (nested(lines.DEPTH_MAX - 1), PARSE_ERROR, 7),
        (call(params={"x": "\ud83d"}), PARSE_ERROR, 7),
        (call(id="a").replace(b'"observe"', b'"\xff"'), PARSE_ERROR, "a"),
        (b"[]\n", INVALID_REQUEST, None),
        (b"3\n", INVALID_REQUEST, None),
        (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', INVALID_REQUEST, None),
        (call(jsonrpc="1.0"), INVALID_REQUEST, 7),
        (call(method=7), INVALID_REQUEST, 7),
        (call(id=None), INVALID_REQUEST, None),
        (call(id=1.5), INVALID_REQUEST, None),
        (call(id=True), INVALID_REQUEST, None),
        (call(id={}), INVALID_REQUEST, None),
        (b'{"jsonrpc":"2.0","id":7}', INVALID_REQUEST, 7),
        (call(params=[1]), INVALID_PARAMS, 7),
        (call(params="x"), INVALID_PARAMS, 7),
        (call(params=None), INVALID_PARAMS, 7),
        (call(params={"x": "y" * lines.BYTES_MAX}), INVALID_REQUEST, 7),
    ],
)
@pytest.mark.requirement("faults-006")
def test_what_is_no_message_is_answered_with_its_id_where_it_has_one(
    line: bytes, code: int, number: str | int | None
) -> None:
    refused = lines.read(line)

    assert isinstance(refused, Refusal)
    assert (code, number) == (refused.code, refused.id)
    answer = json.loads(refused.line())
    assert answer == {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": refused.text}}
    assert refused.line().count(b"\n") == 1


@pytest.mark.parametrize(
    "line",
    [
        call(),
        call(id="a-1"),
        call(id=10**30),
        call(params={"x": "\U0001f600", "y": "\\ud83d"}),
        nested(lines.DEPTH_MAX - 2),
        b'{"jsonrpc":"2.0","method":"notifications/initialized"}',
        b'{"jsonrpc":"2.0","id":3,"result":{}}',
        b'{"jsonrpc":"2.0","id":3,"error":{"code":1,"message":""}}',
        call(params={"x": "[" * 500}),
    ],
)
def test_a_message_is_read(line: bytes) -> None:
    assert lines.read(line) == json.loads(line)


@pytest.mark.parametrize("line", [b"\n", b" \r\n"])
def test_an_empty_line_is_not_answered(line: bytes) -> None:
    assert lines.read(line) is None
