"""Pictures are decoded whole or refused, and made small enough for a model."""

import io
import tracemalloc

import pytest
from PIL import Image

from gasoline_broker.errors import Failed
from gasoline_workers.screenshots import pictures
from gasoline_workers.screenshots.png import FILE_BYTES_MAX, Size, check_whole
from unit.screenshots.png_bytes import noise, png, stating

BAD = {
    "30 MB": (bytes(30 << 20), "payload_too_large"),
    "one byte too much": (png() + bytes(FILE_BYTES_MAX), "payload_too_large"),
    "empty": (b"", "screenshot_failed"),
    "a JPEG": (b"\xff\xd8\xff\xe0" + bytes(100), "screenshot_failed"),
    "text": (b"<html>" * 20, "screenshot_failed"),
    "the signature alone": (png()[:8], "screenshot_failed"),
    "the header alone": (png()[:40], "screenshot_failed"),
    "half": (noise(64, 64)[:6_000], "screenshot_failed"),
    "no size": (stating(0, 5), "screenshot_failed"),
    "a size of 40 GB": (stating(100_000, 100_000, bytes(1_000)), "payload_too_large"),
    "more than a size states": (stating(65_535, 65_535, bytes(10)), "payload_too_large"),
    "less than a size states": (stating(4_000, 4_000, bytes(10)), "screenshot_failed"),
    "a changed byte": (noise(64, 64)[:3_000] + b"\xff" + noise(64, 64)[3_001:], "screenshot_failed"),
}


LACKING = "less than a size states"
"""What no encoder writes: each checksum holds, and pixels are missing."""


@pytest.mark.requirement("pictures-023")
@pytest.mark.parametrize("name", BAD)
def test_what_is_no_bearable_png_is_refused(name: str) -> None:
    data, code = BAD[name]

    with pytest.raises(Failed) as refused:
        pictures.decode(data)

    assert code == refused.value.failure.code
    assert len(refused.value.failure.text) < 300
    if name != LACKING:
        with pytest.raises(Failed) as unkept:
            check_whole(data)
        assert code == unkept.value.failure.code


@pytest.mark.requirement("pictures-023")
def test_a_bomb_costs_no_memory() -> None:
    bomb = stating(60_000, 60_000, bytes(5_000_000))
    tracemalloc.start()
    try:
        for take in (pictures.decode, check_whole):
            with pytest.raises(Failed):
                take(bomb)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert peak < 4 << 20


@pytest.mark.requirement("pictures-023")
def test_each_cut_and_each_changed_bit_of_a_picture_is_found_without_decoding_it() -> None:
    data = noise(40, 30)
    whole = check_whole(data)
    places = range(0, len(data), 7)
    changed = [data[:at] + bytes([data[at] ^ 1 << at % 8]) + data[at + 1 :] for at in places]
    kept = [bad for bad in [*changed, *[data[:at] for at in places]] if is_kept(bad)]

    assert Size(40, 30) == whole
    assert [] == kept


def is_kept(data: bytes) -> bool:
    try:
        return bool(check_whole(data))
    except Failed:
        return False


@pytest.mark.requirement("pictures-023")
@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
def test_a_whole_picture_of_any_colours_is_kept(mode: str) -> None:
    out = io.BytesIO()
    Image.new(mode, (33, 7)).save(out, "PNG")

    assert Size(33, 7) == check_whole(out.getvalue())


@pytest.mark.requirement("pictures-002")
@pytest.mark.parametrize(("width", "height"), [(1_600, 900), (300, 4_000), (1, 1_569), (700, 700)])
def test_a_picture_for_a_model_is_small_enough(width: int, height: int) -> None:
    data = noise(width, height)
    coded = pictures.for_model(data, pictures.decode(data))
    shown = Image.open(io.BytesIO(coded.data))

    assert len(coded.data) <= 200_000
    assert max(shown.size) <= 1_568
    assert abs(shown.width / shown.height - width / height) <= 0.01 * width / height + 1 / height


def test_a_small_picture_is_given_as_it_is() -> None:
    data = png()

    assert (data, "image/png") == pictures.for_model(data, pictures.decode(data))


def test_what_looks_the_same_has_one_hash_however_it_is_coded() -> None:
    data = noise(40, 30)
    out = io.BytesIO()
    Image.open(io.BytesIO(data)).convert("RGBA").save(out, "PNG", compress_level=0)

    assert out.getvalue() != data
    assert pictures.pixel_hash(pictures.decode(data)) == pictures.pixel_hash(pictures.decode(out.getvalue()))
    assert pictures.pixel_hash(pictures.decode(png("red"))) != pictures.pixel_hash(pictures.decode(png("blue")))


def test_a_thumbnail_is_a_small_picture() -> None:
    coded = pictures.thumbnail(pictures.decode(noise(900, 300)))

    assert (320, 107) == Image.open(io.BytesIO(coded.data)).size
