"""Judges the images of a page: their own size beside the one that they are shown in, and when they are loaded.

An image whose bytes another origin hides is judged by its pixels, and its gain is unknown.
"""

from gasoline_workers.audit.findings import Slow
from gasoline_workers.audit.measured import Image, Measured
from gasoline_workers.audit.messages import Affected

WASTED_BYTES = 4096
"""Lighthouse, uses-responsive-images: below, an image is not reported."""

WASTED_PIXELS = 500_000
WASTED_FACTOR = 4
"""The same for an image of unknown size: at least so many pixels too many, and so many times those that are shown."""

LATER_PX = 1250
"""Chrome loads a lazy image so far below the screen (https://web.dev/articles/browser-level-image-lazy-loading)."""

LATER_BYTES = 20 * 1024


def oversized(page: Measured) -> Slow | None:
    """Return images with more pixels than their place on the screen has (https://web.dev/articles/serve-responsive-images)."""
    found = [(image, _wasted(image, page)) for image in page.images if _is_oversized(image, page)]
    if not found:
        return None
    found.sort(key=lambda one: -(one[1] or 0))
    saved = sum(wasted or 0 for _, wasted in found)
    return Slow(
        "image-size",
        "medium" if saved >= 100 * 1024 else "low",
        f"{len(found)} image(s) have more pixels than they are shown with",
        "Serve them in the size that is shown, by srcset and sizes",
        "https://web.dev/articles/serve-responsive-images",
        {"scale": page.scale, "unknown": sum(wasted is None for _, wasted in found) or None},
        {"bytes": saved},
        [Affected(selector=image.selector, fix=_fix(image, page)) for image, _ in found],
    )


def unsized(page: Measured) -> Slow | None:
    """Return images that have no room before they are there (https://web.dev/articles/optimize-cls)."""
    images = [image for image in page.images if not image.is_sized and image.width]
    if not images:
        return None
    return Slow(
        "image-dimensions",
        "low",
        f"{len(images)} image(s) have no width and height, so that the page moves when they come",
        "Set width and height, or aspect-ratio",
        "https://web.dev/articles/optimize-cls",
        {},
        {},
        [
            Affected(selector=image.selector, fix=f'width="{round(image.width)}" height="{round(image.height)}"')
            for image in images
        ],
    )


def stretched(page: Measured) -> Slow | None:
    """Return images that are shown out of proportion (Lighthouse, image-aspect-ratio)."""
    images = [image for image in page.images if image.is_stretched and not image.is_vector]
    if not images:
        return None
    return Slow(
        "image-aspect-ratio",
        "low",
        f"{len(images)} image(s) are shown out of proportion",
        "Use object-fit: cover, or leave one side out",
        "https://developer.chrome.com/docs/lighthouse/best-practices/image-aspect-ratio",
        {},
        {},
        [Affected(selector=image.selector) for image in images],
        category="best_practices",
    )


def offscreen(page: Measured) -> Slow | None:
    """Return images far below the first screen that are loaded with it (Lighthouse, offscreen-images)."""
    sizes = _sizes(page)
    images = [image for image in page.images if image.below_px > LATER_PX and not image.is_lazy]
    saved = sum(sizes.get(image.address) or 0 for image in images)
    if saved < LATER_BYTES:
        return None
    return Slow(
        "offscreen-images",
        "low",
        f"{len(images)} image(s) far below the first screen are loaded at once",
        'Add loading="lazy"',
        "https://web.dev/articles/browser-level-image-lazy-loading",
        {},
        {"bytes": saved},
        [Affected(selector=image.selector) for image in images],
    )


def _sizes(page: Measured) -> dict[str, float | None]:
    return {one.address: one.encoded for one in page.resources}


def _needed(image: Image, page: Measured) -> float:
    return image.shown_width * image.shown_height * page.scale**2


def _is_oversized(image: Image, page: Measured) -> bool:
    pixels, needed = image.width * image.height, _needed(image, page)
    if image.is_vector or not needed or pixels <= needed:
        return False
    wasted = _wasted(image, page)
    if wasted is not None:
        return wasted >= WASTED_BYTES
    return pixels - needed >= WASTED_PIXELS and pixels >= WASTED_FACTOR * needed


def _wasted(image: Image, page: Measured) -> float | None:
    """Estimate the bytes that are too many, in proportion to the pixels; None where its size is unknown."""
    size = _sizes(page).get(image.address)
    return None if size is None else size * (1 - _needed(image, page) / (image.width * image.height))


def _fix(image: Image, page: Measured) -> str:
    width, height = round(image.shown_width * page.scale), round(image.shown_height * page.scale)
    return f"{width}x{height} in the place of {round(image.width)}x{round(image.height)}"
