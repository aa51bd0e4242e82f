"""Pairs the rows of two pictures of a page of which a part has slid up or down."""

import itertools
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gasoline_workers.visual.pixels import Picture
from gasoline_workers.visual.sequences import Pair, paired

BAND: Final = 256  # rows that are summed at a time


class Span(NamedTuple):
    """Rows one after another, from one up to another that is not among them."""

    begin: int
    end: int


class Aligned(NamedTuple):
    """Pairs of rows in rising order, and the rows that only one of the pictures has."""

    old: NDArray[np.int64]
    new: NDArray[np.int64]
    removed: list[Span]
    inserted: list[Span]

    @property
    def is_shifted(self) -> bool:
        """Whether some rows have another place."""
        return bool((self.old != self.new).any())


def aligned(old: Picture, new: Picture) -> Aligned:
    """Pair the rows of two pictures of the same width: equal ones first, then what lies between them in its order.

    Where two equal rows have slid by the same, what lies between them is the same part of the page, changed. Where they
    have not, rows were put in or taken out below what lies on both sides.
    """
    before, after = _sums(old), _sums(new)
    pairs = _with_replaced(paired(before, after), len(before), len(after))
    one, other = np.array(pairs, np.int64).reshape(-1, 2).T
    return Aligned(one, other, _missing(one, len(before)), _missing(other, len(after)))


def _with_replaced(pairs: list[Pair], height: int, other_height: int) -> list[Pair]:
    """Pair, from the top, what lies on both sides between two pairs: it is a part that changed and grew or shrank."""
    bounds = [(-1, -1), *pairs, (height, other_height)]
    between = [
        pair
        for (one, other), (end, far) in itertools.pairwise(bounds)
        for pair in zip(range(one + 1, end), range(other + 1, far), strict=False)
    ]
    return sorted(pairs + between)


def _sums(picture: Picture) -> list[int]:
    """Give each row a number that rows of other pixels hardly ever share: a sum with odd weights, modulo 2^64."""
    words = np.ascontiguousarray(picture).view(np.uint32)[..., 0]
    weights = np.random.default_rng(0).integers(1, 1 << 63, words.shape[1], np.uint64) | np.uint64(1)
    bands = [words[at : at + BAND].astype(np.uint64) @ weights for at in range(0, len(words), BAND)]
    sums: list[int] = np.concatenate(bands).tolist() if bands else []
    return sums


def _missing(rows: NDArray[np.int64], height: int) -> list[Span]:
    bounds = [-1, *rows.tolist(), height]
    return [Span(one + 1, other) for one, other in itertools.pairwise(bounds) if other > one + 1]
