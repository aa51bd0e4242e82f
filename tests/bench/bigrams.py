"""Counts which characters follow each other in names and words, and writes the table that redaction judges by.

Of the sources of the Python packages that are installed here; the corpus and its files have no part in it.
"""

import math
import re
import sys
import sysconfig
from collections import Counter
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from gasoline_workers.redaction.randomness import CHARACTERS, CODES, LEAST, STEP, TABLE, folded
from gasoline_workers.redaction.values import HEX, is_random

RUN = re.compile(r"[A-Za-z0-9]{4,40}")
EVEN = 1 / 62


def main() -> None:
    """Write the table."""
    pairs = Counter(pair for run in _runs() for pair in pairwise(folded(run)))
    rows = [f"{first} {''.join(_code(pairs, first, second) for second in CHARACTERS)}" for first in CHARACTERS]
    TABLE.write_text("\n".join(rows) + "\n")


def _runs() -> set[str]:
    """Return the words and names of the sources, each once, without what is random itself."""
    places = (sysconfig.get_path("stdlib"), sysconfig.get_path("purelib"))
    files = sorted({file for place in places for file in Path(place).rglob("*.py")})
    found = {run for file in files for run in RUN.findall(file.read_text(errors="ignore")[:300_000])}
    return {run for run in found if not run.isdigit() and not HEX.fullmatch(run) and not is_random(run)}


def _code(pairs: Counter[tuple[str, str]], first: str, second: str) -> str:
    """Return how much likelier `second` is after `first` than by chance: bits in steps, one letter."""
    after = sum(pairs[first, other] for other in CHARACTERS)
    share = (pairs[first, second] + 0.5) / (after + 0.5 * len(CHARACTERS))
    bits = math.log2(share / (10 * EVEN if second == "0" else EVEN))
    return CODES[min(len(CODES) - 1, max(0, round((bits - LEAST) / STEP)))]


if __name__ == "__main__":
    main()
