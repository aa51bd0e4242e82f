"""Counts the pixels of two pictures that differ to the eye, as pixelmatch 7.2 does; equal pixels cost next to nothing.

Two pixels differ to the eye by their distance in YIQ (Kotsarenko and Ramos, Measuring perceived color difference using
YIQ NTSC transmission color space in mobile applications, 2010), unless one of them only smooths an edge (Vysniauskas,
Anti-aliased Pixel and Intensity Slope Detector, 2009).
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
"""Rows of pixels of red, green, blue and alpha, C-contiguous."""

Places = NDArray[np.int32]
"""Pixels by their number, row after row: a picture has 64 million at most."""

NOWHERE: Final[Places] = np.empty(0, np.int32)

Floats = NDArray[np.float64]
Words = NDArray[np.uint32]

THRESHOLD: Final = 0.05
"""The usual 0.1 does not see slate on white; computed styles find what 0.05 does not see either."""

FARTHEST: Final = 35_215.0  # the greatest distance, squared, of two colors
Y: Final = (0.29889531, 0.58662247, 0.11448223)
I: Final = (0.59597799, -0.27417610, -0.32180189)  # noqa: E741 - the name of the component
Q: Final = (0.21147017, -0.52261711, 0.31114694)
WEIGHTS: Final = (0.5053, 0.299, 0.1957)
OPAQUE: Final = 255
CHUNK: Final = 65_536  # pixels at a time: what is held meanwhile is a few MB
BAND: Final = 1 << 20

SMOOTHED: Final = 2_000_000
"""Of so many pixels that are apart it is found out whether they only smooth an edge, which takes seconds: more are a
change. A page of 1,440 by 16,384 pixels in other colors took a minute without it."""

NEIGHBORS: Final = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]
"""Columns first: of equal extremes the first counts."""

EQUAL: Final = 2
"""More neighbors of the same color than these are a surface."""


class Differing(NamedTuple):
    """Pixels that differ at all; of those, the ones that differ to the eye, and the ones that only smooth an edge."""

    exact: int
    seen: Places
    smoothed: int


def differing(old: Picture, new: Picture, threshold: float = THRESHOLD) -> Differing:
    """Compare two pictures of the same size.

    Raises:
        ValueError: their sizes differ.

    """
    if old.shape != new.shape:
        raise ValueError(f"The sizes of the pictures differ: {old.shape[:2]} and {new.shape[:2]}.")
    places = _differing_at_all(_words(old).ravel(), _words(new).ravel())
    seen: list[Places] = []
    smoothed = looked = 0
    for begin in range(0, len(places), CHUNK):
        chunk = places[begin : begin + CHUNK]
        apart = chunk[_is_seen(old, new, chunk, threshold)]
        if looked >= SMOOTHED:
            seen.append(apart)
            continue
        looked += len(apart)
        smooth = _is_smoothing(old, new, apart)
        smooth[~smooth] = _is_smoothing(new, old, apart[~smooth])
        seen.append(apart[~smooth])
        smoothed += int(np.count_nonzero(smooth))
    return Differing(len(places), np.concatenate(seen) if seen else NOWHERE, smoothed)


def count_differing(old: Picture, new: Picture) -> int:
    """Count the pixels of two pictures of the same size that differ at all."""
    one, other = _words(old).ravel(), _words(new).ravel()
    bands = range(0, len(one), BAND)
    return sum(int(np.count_nonzero(one[at : at + BAND] != other[at : at + BAND])) for at in bands)


def _words(picture: Picture) -> Words:
    words: Words = np.ascontiguousarray(picture).view(np.uint32)[..., 0]
    return words


def _differing_at_all(old: Words, new: Words) -> Places:
    bands = range(0, len(old), BAND)
    found = [(np.flatnonzero(old[at : at + BAND] != new[at : at + BAND]) + at).astype(np.int32) for at in bands]
    return np.concatenate(found) if found else NOWHERE


def _is_seen(old: Picture, new: Picture, places: Places, threshold: float) -> NDArray[np.bool_]:
    channels = _difference(_pixels(old, places), _pixels(new, places), places)
    y, i, q = (_component(channels, factors) for factors in (Y, I, Q))
    distance = WEIGHTS[0] * y * y + WEIGHTS[1] * i * i + WEIGHTS[2] * q * q
    is_far: NDArray[np.bool_] = distance > FARTHEST * threshold * threshold
    return is_far


def _pixels(picture: Picture, places: Places) -> Floats:
    return picture.reshape(-1, 4)[places].astype(np.float64)


def _component(channels: Floats, factors: tuple[float, float, float]) -> Floats:
    """Sum in this order: another one rounds otherwise."""
    red, green, blue = (channels[..., n] * factors[n] for n in range(3))
    total: Floats = red + green + blue
    return total


def _difference(one: Floats, other: Floats, places: Places) -> Floats:
    """Subtract colors; translucent ones as they are seen on a checkerboard, which their place gives its shades."""
    channels: Floats = one[..., :3] - other[..., :3]
    is_mixed = (one[..., 3] < OPAQUE) | (other[..., 3] < OPAQUE)
    if is_mixed.any():
        ground = _checkerboard(places)
        alphas = one[..., 3:], other[..., 3:]
        if ground.ndim < one.ndim:
            ground = ground[:, None, :]
        mixed = (one[..., :3] * alphas[0] - other[..., :3] * alphas[1] - ground * (alphas[0] - alphas[1])) / OPAQUE
        channels = np.where(is_mixed[..., None], mixed, channels)
    return channels


def _checkerboard(places: Places) -> Floats:
    offset = places.astype(np.int64) * 4
    steps = offset, (offset / 1.618033988749895).astype(np.int64), (offset / 2.618033988749895).astype(np.int64)
    return np.stack([48.0 + 159.0 * (step % 2) for step in steps], axis=-1)


def _is_smoothing(picture: Picture, other: Picture, places: Places) -> NDArray[np.bool_]:
    """Return which pixels of a picture lie between a darker and a brighter surface that both pictures have."""
    is_smooth = np.zeros(len(places), np.bool_)
    width = picture.shape[1]
    words = _words(picture)
    equal, inside = _equal_neighbors(words, places)
    maybe = np.flatnonzero(equal <= EQUAL)  # equal words are equally bright: more of these are a surface
    if not len(maybe):
        return is_smooth
    at, inside = places[maybe], inside[maybe]
    around = at[:, None] + _offsets(width)
    center = _pixels(picture, at)[:, None, :]
    brightness = _component(_difference(center, _pixels(picture, np.where(inside, around, at[:, None])), at), Y)
    brightness[~inside] = 0.0
    zeros = np.count_nonzero((brightness == 0.0) & inside, axis=1) + ~inside.all(axis=1)
    darkest, brightest = brightness.argmin(axis=1), brightness.argmax(axis=1)
    rows = np.arange(len(at))
    fits = (zeros <= EQUAL) & (brightness[rows, darkest] < 0) & (brightness[rows, brightest] > 0)
    kept = np.flatnonzero(fits)
    surfaces = np.zeros(len(kept), np.bool_)
    for extreme in (darkest, brightest):
        neighbor = around[kept, extreme[kept]]
        both = _has_surface(words, neighbor) & _has_surface(_words(other), neighbor)
        surfaces |= both
    is_smooth[maybe[kept]] = surfaces
    return is_smooth


def _offsets(width: int) -> Places:
    return np.array([y * width + x for x, y in NEIGHBORS], np.int32)


def _equal_neighbors(words: Words, places: Places) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Count the neighbors of the same color, the border as one; return too which neighbors are inside the picture."""
    height, width = words.shape
    x, y = places % width, places // width
    columns, rows = (np.array([step[n] for step in NEIGHBORS]) for n in (0, 1))
    right, low = x[:, None] + columns, y[:, None] + rows
    inside = (right >= 0) & (right < width) & (low >= 0) & (low < height)
    flat = words.ravel()
    around = np.where(inside, places[:, None] + _offsets(width), places[:, None])
    count = np.count_nonzero((flat[around] == flat[places][:, None]) & inside, axis=1) + ~inside.all(axis=1)
    return count, inside


def _has_surface(words: Words, places: Places) -> NDArray[np.bool_]:
    return _equal_neighbors(words, places)[0] > EQUAL
