"""Bends samples at random, by seed: what a program sends that is broken, hostile, or of another version; pure."""

import os
import random
import re
import struct
from collections.abc import Sequence

COUNT = int(os.environ.get("ATTACKS", "500"))  # inputs of each reader; 100000 by hand
SEED = 20_251_123


def deep(levels: int) -> bytes:
    """Make JSON of so many arrays around an integer that MessagePack does not have."""
    return b"[" * levels + b"1" + b"0" * 20 + b"]" * levels


def jupyter(content: bytes) -> bytes:
    """Write a message of Jupyter's protocol."""
    parts = [b"shell", b'{"msg_type":"a"}', b"{}", b"{}", content]
    offsets = [56 + sum(map(len, parts[:at])) for at in range(6)]
    return struct.pack("<7Q", 6, *offsets) + b"".join(parts)


ATOMS = [
    *(b"null", b"true", b"-1", b"-0", b"1e400", b"1E-999", b"NaN", b"9" * 400, b"99999999999999999999", b"\xff", b'"'),
    *(b'"\\ud800"', b'"\\u0000"', b'"\x1b[2J"', b'"../../etc/passwd"', b'"' + b"x" * 5_000 + b'"', b"[]", b"{}"),
    *(b'{"__proto__":{"a":1}}', b'{"a":1,"a":[2]}', b"[" * 2_000, *map(deep, (70, 450, 700, 950, 2_000))),
]
TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null')


def chance(name: str) -> random.Random:
    """Give the source of one reader's inputs."""
    return random.Random(f"{SEED} {name}")  # noqa: S311 - it is to be repeatable, not secret


def bent(by: random.Random, samples: Sequence[bytes]) -> bytes:
    """Give random bytes, or a sample that is torn, or has another value in one place."""
    data = by.choice(samples)
    at, to = sorted(by.randrange(len(data) + 1) for _ in range(2))
    match by.randrange(7):
        case 0:
            return by.randbytes(by.randrange(200))
        case 1:
            return data[:at]
        case 2:
            return data[:at] + by.randbytes(by.randrange(1, 9)) + data[to:]
        case 3:
            return data[:to] + data[at:]
        case 4:
            return data[:at] + by.choice(samples)[at:]
        case _:
            tokens = [*TOKEN.finditer(data)]
            token = by.choice(tokens).span() if tokens else (at, to)
            return data[: token[0]] + by.choice(ATOMS) + data[token[1] :]
