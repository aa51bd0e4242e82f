"""What the front answers to every client alike, in a file: the shim answers with it while the system starts.

Rules of this file:
- It is used only if it is of this version, and of these very files: each has the size and the time that it had when the
  front wrote this, which is how Python decides whether a compiled module is still valid.
- Only what depends on nothing but the protocol's version is in it: `initialize`, `server/discover`, `tools/list`.
- The shim waits for it, so it imports almost nothing.
"""

import contextlib
import json
import os
from collections.abc import Iterable
from typing import Any

from gasoline_broker.product import VERSION

Message = dict[str, Any]
Source = list[Any]
"""A file that the answers were made of: its path, size and time (ns)."""

VERSION_KEY = "io.modelcontextprotocol/protocolVersion"  # in each request's `_meta` since 2026-07-28


class Answers:
    """The recorded results, as JSON: by the method, then by the protocol's version."""

    def __init__(self, results: dict[str, dict[str, str]]) -> None:
        self._results = results
        self._version = ""

    def answer(self, message: Message) -> bytes | None:
        """Return the front's answer to a request as a line, None where only the front knows it."""
        method, params = message.get("method"), message.get("params", {})
        if "id" not in message or not isinstance(method, str) or not isinstance(params, dict):
            return None
        if method == "tools/list" and params.get("cursor") is not None:
            return None
        version = params.get("protocolVersion") if method == "initialize" else self._of(params)
        result = self._results.get(method, {}).get(version) if isinstance(version, str) else None
        if result is None:
            return None
        if method == "initialize":
            self._version = str(version)
        return b'{"jsonrpc":"2.0","id":%b,"result":%b}\n' % (json.dumps(message["id"]).encode(), result.encode())

    def _of(self, params: Message) -> object:
        """Return the version of a request: its own, else that of the handshake."""
        meta = params.get("_meta")
        return meta.get(VERSION_KEY, self._version) if isinstance(meta, dict) else self._version


def load(path: str) -> Answers | None:
    """Return the recorded answers, None if there are none of this version and these files."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - pathlib is a sixth of the shim's start
            read = json.load(file)
        valid = read["version"] == VERSION and all(_is_unchanged(*source) for source in read["sources"])
        return Answers(read["results"]) if valid else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def store(path: str, results: dict[str, dict[str, str]], sources: Iterable[str]) -> None:
    """Write the file as a whole; a disk without room for it costs the next client its quick answer, nothing else."""
    kept = {"version": VERSION, "sources": [_source(one) for one in sources], "results": results}
    own = f"{path}.{os.getpid()}"
    with contextlib.suppress(OSError):
        fd = os.open(own, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        with os.fdopen(fd, "w") as file:
            json.dump(kept, file)
        os.replace(own, path)  # noqa: PTH105 - the same


def _source(path: str) -> Source:
    seen = os.stat(path)  # noqa: PTH116 - the same
    return [path, seen.st_size, seen.st_mtime_ns]


def _is_unchanged(path: str, size: int, time_ns: int) -> bool:
    seen = os.stat(path)  # noqa: PTH116 - the same
    return (seen.st_size, seen.st_mtime_ns) == (size, time_ns)
