"""What a log does that cannot be written."""

import contextlib
import os

from gasoline_broker.log import Calm


def test_a_full_disk_costs_lines_and_nothing_else() -> None:
    full = os.fdopen(os.open("/dev/full", os.O_WRONLY), "w")
    calm = Calm(full)

    assert 100_000 == calm.write("w" * 100_000)
    calm.flush()
    with contextlib.suppress(OSError):
        full.close()
