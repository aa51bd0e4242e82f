"""Judges how large a document is and how it is written."""

from gasoline_workers.audit.findings import Slow
from gasoline_workers.audit.measured import Measured

ELEMENTS = 1400
"""Lighthouse, dom-size: above, a document is excessively large."""


def size(page: Measured) -> Slow | None:
    """Return a document with very many elements."""
    dom = page.dom
    if dom.elements <= ELEMENTS:
        return None
    return Slow(
        "dom-size",
        "low",
        f"The document has {dom.elements} elements, which makes styles and layout slow",
        "Draw long lists as they are scrolled to; use content-visibility: auto",
        "https://developer.chrome.com/docs/lighthouse/performance/dom-size",
        {"elements": dom.elements, "depth": dom.depth, "most_children": dom.children},
    )


def quirks(page: Measured) -> Slow | None:
    """Return a document without a doctype (https://quirks.spec.whatwg.org/)."""
    if not page.dom.is_quirks:
        return None
    return Slow(
        "doctype",
        "low",
        "The page is laid out in quirks mode",
        "Begin it with <!doctype html>",
        "https://developer.chrome.com/docs/lighthouse/best-practices/doctype",
        category="best_practices",
    )


def charset(page: Measured) -> Slow | None:
    """Return a document that does not state its encoding (HTML, 4.2.5.4)."""
    if page.dom.has_charset:
        return None
    return Slow(
        "charset",
        "low",
        "Neither the page nor its Content-Type states the encoding",
        'Begin its head with <meta charset="utf-8">',
        "https://developer.chrome.com/docs/lighthouse/best-practices/charset",
        category="best_practices",
    )


def viewport(page: Measured) -> Slow | None:
    """Return a document that phones show as small as a desktop's (CSS Device Adaptation)."""
    if page.dom.has_viewport:
        return None
    return Slow(
        "viewport",
        "low",
        "The page has no viewport: phones show it small and delay taps",
        'Add <meta name="viewport" content="width=device-width, initial-scale=1">',
        "https://developer.chrome.com/docs/lighthouse/pwa/viewport",
        category="best_practices",
    )
