"""Whether letters and digits are random: by how rarely they follow each other in words and in names of code.

The table holds for each pair how many bits likelier it is there than in a random text; `tests/bench/bigrams.py` makes
it from the sources of installed Python packages. Their sum is above 0 for what is spelled, below for what is drawn. Of
random runs of 16 characters 0.04 % pass as words, of 20 0.02 % (by counting humps and groups of digits 17 and 8 %). Of
65,000 different runs in JavaScript packages 98 look random, nearly all of them pieces of encoded tables.
"""

from functools import cache
from importlib.resources import files
from itertools import pairwise
from pathlib import Path

CHARACTERS = "0abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""What is told apart; 0 is any digit."""

CODES = "abcdefghijklmnopqrstuvwxyz"
LEAST, STEP = -7.0, 0.5
"""The bits of the first code, and between two."""

TABLE = Path(str(files("gasoline_workers.redaction"))) / "bigrams.txt"

SCORED_LENGTH = 12
"""The fewest characters that are judged so: of 10, one name in 200 looks random."""

SURE_LENGTH = 16
MARGIN = -4.0
"""Shorter runs must be rarer than by chance by so many bits: one name in 500 of 12 characters looks random."""

_DIGITS = str.maketrans("123456789", "0" * 9)


def is_improbable(run: str) -> bool:
    """Return whether a text is one run of ASCII letters and digits that is random; a short one never is."""
    if len(run) < SCORED_LENGTH or not (run.isascii() and run.isalnum()):
        return False
    bits = _bits()
    return sum(bits[pair] for pair in pairwise(folded(run))) < (0.0 if len(run) >= SURE_LENGTH else MARGIN)


def folded(run: str) -> str:
    """Return a run with each digit as 0."""
    return run.translate(_DIGITS)


@cache
def _bits() -> dict[tuple[str, str], float]:
    rows = (line.split(" ") for line in TABLE.read_text().splitlines())
    return {
        (first, second): LEAST + STEP * CODES.index(code)
        for first, codes in rows
        for second, code in zip(CHARACTERS, codes, strict=True)
    }
