"""Lines up what a command shows; pure."""

import math
from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[object]], left: int = 1) -> list[str]:
    """Give the lines of a table: the first `left` columns begin, all others end, where their head does."""
    cells = [[plain(str(cell)) for cell in row] for row in (head, *rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if at < left else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    ]


def plain(text: str) -> str:
    """Give a text that leaves the terminal and the lines as they are: a client's name for itself is not trusted."""
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)


def duration(seconds: float) -> str:
    """Give a time for a person: `59s`, `59m`, `47h`, `9d`."""
    for unit, size_s, below in (("s", 1, 60), ("m", 60, 60), ("h", 3600, 48)):
        if (count := int(seconds / size_s)) < below:
            return f"{count}{unit}"
    return f"{int(seconds / 86400)}d"


def ms(number: float) -> str:
    """Give milliseconds, the small ones with a fraction: `0.42`, `4.2`, `42`."""
    digits = next(digits for below, digits in ((1, 2), (10, 1), (math.inf, 0)) if number < below)
    return f"{number:.{digits}f}"
