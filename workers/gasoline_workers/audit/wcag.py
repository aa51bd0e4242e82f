"""The success criteria of WCAG 2.2 that axe checks, and how its tags name them (www.w3.org/TR/WCAG22/)."""

import re
from collections.abc import Sequence
from typing import Literal

from gasoline_workers.audit.messages import Reference

UNDERSTANDING = "https://www.w3.org/WAI/WCAG22/Understanding/"
PAGES = {
    "1.1.1": "non-text-content",
    "1.2.1": "audio-only-and-video-only-prerecorded",
    "1.2.2": "captions-prerecorded",
    "1.3.1": "info-and-relationships",
    "1.3.4": "orientation",
    "1.3.5": "identify-input-purpose",
    "1.4.1": "use-of-color",
    "1.4.2": "audio-control",
    "1.4.3": "contrast-minimum",
    "1.4.4": "resize-text",
    "1.4.6": "contrast-enhanced",
    "1.4.12": "text-spacing",
    "2.1.1": "keyboard",
    "2.1.3": "keyboard-no-exception",
    "2.2.1": "timing-adjustable",
    "2.2.2": "pause-stop-hide",
    "2.2.4": "interruptions",
    "2.4.1": "bypass-blocks",
    "2.4.2": "page-titled",
    "2.4.4": "link-purpose-in-context",
    "2.4.9": "link-purpose-link-only",
    "2.5.3": "label-in-name",
    "2.5.8": "target-size-minimum",
    "3.1.1": "language-of-page",
    "3.1.2": "language-of-parts",
    "3.2.5": "change-on-request",
    "3.3.2": "labels-or-instructions",
    "4.1.1": "parsing",
    "4.1.2": "name-role-value",
}
CRITERION = re.compile(r"wcag(\d)(\d)(\d{1,2})")
LEVEL = re.compile(r"wcag2[12]?(a{1,3})(?:-obsolete)?")
Level = Literal["A", "AA", "AAA", ""]
LEVELS: dict[str, Level] = {"a": "A", "aa": "AA", "aaa": "AAA"}


def reference(tags: Sequence[str], help_url: str) -> Reference:
    """Return what demands a rule: the first criterion that its tags name, else axe's own page about it."""
    number = next(iter(criteria(tags)), "")
    page = PAGES.get(number)
    return Reference(url=UNDERSTANDING + page if page else help_url, wcag=number, level=_level(tags))


def criteria(tags: Sequence[str]) -> list[str]:
    """Return the criteria among axe's tags as WCAG numbers them: `wcag143` is 1.4.3."""
    return [".".join(found.groups()) for tag in tags if (found := CRITERION.fullmatch(tag))]


def named(tags: Sequence[str]) -> list[str]:
    """Return the levels among axe's tags as they are, then the criteria (seed 002: ["wcag2aa", "1.4.3"])."""
    return [tag for tag in tags if LEVEL.fullmatch(tag) or tag == "best-practice"] + criteria(tags)


def _level(tags: Sequence[str]) -> Level:
    return next((LEVELS[found[1]] for tag in tags if (found := LEVEL.fullmatch(tag))), "")
