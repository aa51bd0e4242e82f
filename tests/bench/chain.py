"""What the chain of a call costs in two checkouts: a bridge that answers at once, redaction and a front, by the broker.

`python tests/bench/chain.py OTHER_CHECKOUT [ROUNDS]`: both run at the same time, and are asked in turn, so that the
machine's other work falls on both alike. Trust the ratios.
"""

import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

from gasoline_bridge.cli import interpreter

HERE = Path(__file__).resolve()
ROOT = HERE.parents[2]
ROWS = [(200, 100, 0), (200, 25, 10), (4_096, 100, 0), (4_096, 25, 10)]
ROUNDS = 20


class Side:
    """A checkout that runs."""

    def __init__(self, root: Path) -> None:
        packages = os.pathsep.join(str(root / name) for name in ("broker", "workers", "bridge"))
        self._process = subprocess.Popen(
            [sys.executable, HERE.with_name("chain_side.py")],
            env=os.environ | {"PYTHONPATH": packages},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._read() == "ready\n"
        self.took: dict[tuple[int, int, int], list[float]] = {row: [] for row in ROWS}

    def measure(self, row: tuple[int, int, int]) -> None:
        assert self._process.stdin is not None
        print(*row, file=self._process.stdin, flush=True)
        self.took[row] += json.loads(self._read())

    def _read(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline()

    def close(self) -> None:
        self._process.communicate()


def main(other: Path, rounds: int) -> None:
    before, after = Side(other), Side(ROOT)
    for number in range(rounds):
        for row in ROWS:
            for side in (before, after)[:: 1 if number % 2 else -1]:
                side.measure(row)
    print(interpreter.shown())
    print("| bytes | after a pause of, ms | before, p50 ms | after | ratio |\n| --- | --- | --- | --- | --- |")
    for row in ROWS:
        old, new = statistics.median(before.took[row]), statistics.median(after.took[row])
        print(f"| {row[0]} | {row[2]} | {old:.2f} | {new:.2f} | {new / old:.2f} |")
    before.close()
    after.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else ROUNDS)
