"""The pixels that differ: as many as pixelmatch publishes for its fixtures, and the same ones that it marks."""

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from gasoline_workers.visual import pixels
from gasoline_workers.visual.pixels import Picture, differing

HERE = Path(__file__).parent
FIXTURES = HERE / "pixelmatch"
PUBLISHED = [  # tests of pixelmatch 7.2
    ("1a", "1b", 0.05, 143),
    ("1a", "1b", 0.1, 106),
    ("1a", "1a", 0.0, 0),
    ("2a", "2b", 0.05, 12_437),
    ("3a", "3b", 0.05, 212),
    ("4a", "4b", 0.05, 36_049),
    ("5a", "5b", 0.05, 6),
    ("6a", "6b", 0.05, 51),
    ("6a", "6a", 0.0, 0),
    ("7a", "7b", 0.1, 2_448),
    ("8a", "5b", 0.05, 32_896),
]


def read(name: str) -> Picture:
    return np.asarray(Image.open(FIXTURES / f"{name}.png").convert("RGBA"))


def reference(tmp_path: Path, pairs: list[tuple[Picture, Picture, float]]) -> list[list[int]]:
    """Give the places that pixelmatch marks in each pair."""
    asked = []
    for number, (old, new, threshold) in enumerate(pairs):
        paths = [tmp_path / f"{number}{side}" for side in "ab"]
        for path, picture in zip(paths, (old, new), strict=True):
            path.write_bytes(picture.tobytes())
        height, width = old.shape[:2]
        names = dict(zip(("old", "now"), map(str, paths), strict=True))
        asked.append(names | {"width": width, "height": height, "threshold": threshold})
    script = ["node", str(HERE / "reference.mjs")]
    done = subprocess.run(script, input=json.dumps(asked), capture_output=True, text=True, check=True)
    marked: list[list[int]] = json.loads(done.stdout)
    return marked


@pytest.mark.requirement("visual-001")
@pytest.mark.parametrize(("old", "new", "threshold", "count"), PUBLISHED)
def test_as_many_pixels_differ_as_pixelmatch_publishes(old: str, new: str, threshold: float, count: int) -> None:
    assert count == len(differing(read(old), read(new), threshold).seen)


def smooth(seed: int, *, opaque: bool) -> Picture:
    """Give lines and letters as a browser smooths them, in few colors."""
    dice = np.random.default_rng(seed)
    small = dice.integers(0, 3, (9, 11, 4)).astype(np.uint8) * 120
    if opaque:
        small[..., 3] = 255
    picture = np.asarray(Image.fromarray(small).resize((57, 41), Image.Resampling.BILINEAR)).copy()
    picture[dice.random(picture.shape[:2]) < 0.3] = small[0, 0]
    return picture


@pytest.mark.requirement("visual-001")
def test_the_same_pixels_differ_as_pixelmatch_marks(tmp_path: Path) -> None:
    pairs = [(read(old), read(new), threshold) for old, new, threshold, _ in PUBLISHED]
    pairs += [
        (smooth(seed, opaque=opaque), smooth(seed + (seed % 3 > 0), opaque=opaque), threshold)
        for seed in range(12)
        for opaque in (True, False)
        for threshold in (0.05, 0.1)
    ]
    edges = [np.zeros((height, width, 4), np.uint8) for height, width in ((1, 1), (1, 9), (9, 1), (2, 2))]
    pairs += [(edge, np.full_like(edge, 200), 0.05) for edge in edges]
    for (old, new, threshold), marked in zip(pairs, reference(tmp_path, pairs), strict=True):
        assert marked == differing(old, new, threshold).seen.tolist()


def test_what_differs_at_all_is_counted_beside_what_is_seen() -> None:
    old = np.full((40, 40, 4), 255, np.uint8)
    new = old.copy()
    new[:, :10, 0] = 254
    new[10:20, 20:30, :3] = 0

    found = differing(old, new)

    assert (500, 100, 0) == (found.exact, len(found.seen), found.smoothed)
    assert 0 == differing(old, old).exact


def test_pictures_of_other_sizes_are_refused() -> None:
    with pytest.raises(ValueError, match="differ"):
        differing(np.zeros((2, 3, 4), np.uint8), np.zeros((3, 2, 4), np.uint8))


@pytest.mark.requirement("visual-004")
def test_of_two_pictures_that_have_nothing_in_common_only_the_first_part_is_looked_at_for_edges(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked: list[int] = []
    smoothing = pixels._is_smoothing

    def counted(picture: Picture, other: Picture, places: pixels.Places) -> NDArray[np.bool_]:
        looked.append(len(places))
        return smoothing(picture, other, places)

    monkeypatch.setattr(pixels, "_is_smoothing", counted)
    old, new = np.full((3_000, 1_000, 4), 255, np.uint8), np.zeros((3_000, 1_000, 4), np.uint8)

    assert 3_000_000 == len(differing(old, new).seen)
    assert sum(looked) <= 2 * (pixels.SMOOTHED + pixels.CHUNK)
