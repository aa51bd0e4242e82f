"""Makes a file that a task uploads, and removes it afterwards."""

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def file(name: str, content: bytes) -> Iterator[str]:
    """Write a file, and give its path."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(content)
        yield str(path)
