"""Judges how fonts are loaded."""

from gasoline_workers.audit.findings import Slow
from gasoline_workers.audit.measured import Measured


def invisible_text(page: Measured) -> Slow | None:
    """Return fonts without which text is invisible for up to 3 s (CSS Fonts 4, 11.2: font-display auto)."""
    if not page.fonts:
        return None
    return Slow(
        "font-display",
        "low",
        f"Text is invisible until {len(page.fonts)} font(s) are loaded",
        "Set font-display: swap or optional",
        "https://developer.chrome.com/docs/lighthouse/performance/font-display",
        {},
        {},
        page.fonts,
    )
