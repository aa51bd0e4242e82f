"""Measures the comparing of two pictures of a page: decoding, pixels, rows, explanation, and the memory that it takes.

Each row runs in a process of its own, so that its memory is its own; its time is the median of several runs.
"""

import io
import json
import resource
import statistics
import subprocess
import sys
import time
from typing import Final

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from gasoline_workers.visual.comparison import compared, read_both

RUNS: Final = 9
SIZES: Final = {"1440×900": (1440, 900), "1440×8000": (1440, 8000)}
GOALS_MS: Final = {
    ("1440×900", "small"): 30,
    ("1440×900", "identical"): 2,
    ("1440×8000", "small"): 400,
}
CHANGES: Final = ("identical", "small", "shifted", "everywhere")


def main() -> None:
    """Print the table, or run one row of it for it."""
    if len(sys.argv) > 1:
        print(json.dumps(_run(*sys.argv[1:3])))
        return
    print(f"{'median of ' + str(RUNS):<24}{'whole ms':>10}{'of it decoding':>16}{'goal':>8}{'peak MB':>10}")
    for size in SIZES:
        for change in CHANGES:
            command = [sys.executable, __file__, size, change]
            row = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
            goal = GOALS_MS.get((size, change), "")
            print(f"{size + ' ' + change:<24}{row['ms']:>10.1f}{row['decode_ms']:>16.1f}{goal:>8}{row['mb']:>10.0f}")


def _run(size: str, change: str) -> dict[str, float]:
    width, height = SIZES[size]
    before, after = _png(width, height), _png(width, height, change)
    whole, decoding = [], []
    for _ in range(RUNS):
        begun = time.perf_counter()
        if before == after:  # the store's own hash: it has it of each picture
            whole.append(time.perf_counter() - begun)
            decoding.append(0.0)
            continue
        old, new = read_both((before, 1.0, {}), (after, 1.0, {}))
        decoding.append(time.perf_counter() - begun)
        compared(old, new)
        whole.append(time.perf_counter() - begun)
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"ms": statistics.median(whole) * 1e3, "decode_ms": statistics.median(decoding) * 1e3, "mb": peak_mb}


def _png(width: int, height: int, change: str = "identical") -> bytes:
    """Draw a page of cards with text."""
    banner = 47 if change == "shifted" else 0
    image = Image.new("RGB", (width, height), "white")
    pen, font = ImageDraw.Draw(image), ImageFont.load_default(15)
    dice = np.random.default_rng(1)
    for top in range(banner, height, 120):
        for left in range(20, width - 200, 220):
            pen.rectangle((left, top + 10, left + 200, top + 100), fill=tuple(dice.integers(200, 255, 3).tolist()))
            pen.text(
                (left + 10, top + 20),
                f"Card {left}-{top - banner}\nsome words of it\n{dice.integers(1000)}",
                "#222",
                font,
            )
    if change == "small":
        pen.rectangle((250, 140, 320, 170), fill="#1d4ed8")
    if change == "everywhere":
        image = image.point(lambda shade: 255 - shade)
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


main()
