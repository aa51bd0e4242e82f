"""Explains by the browser's list of tabs why nothing of a tab was captured; pure."""

import re
from typing import Any

OFFLINE = "Chrome with the extension is not connected now: nothing new is captured."
UNANSWERED = 'Chrome did not state in time which tabs are open; observe(what:"tabs") asks again.'
EXCLUDED = "The user keeps Gasoline out of this tab's site: nothing of it is captured."
CAPTURED = re.compile("(https?|file):", re.IGNORECASE)  # as the content scripts of extension/manifest.json
URL_CHARS = 100


def hint(tabs: list[dict[str, Any]], tab: int) -> str:
    """Return why a tab has nothing, empty if its page can be captured; `tab` 0: of all."""
    found = next((one for one in tabs if one.get("id") == tab), None)
    if not tab:
        return ""
    if found is None:
        return f'No open tab has the id {tab}; observe(what:"tabs") lists them.'
    url = str(found.get("url", ""))
    if found.get("excluded"):
        return EXCLUDED
    if CAPTURED.match(url):
        return ""
    return f"Chrome gives extensions no access to {url[:URL_CHARS] or 'a page without an address'}."
