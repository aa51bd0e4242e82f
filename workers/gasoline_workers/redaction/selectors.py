"""CSS selectors: what they reveal about the element they find, and the values they repeat."""

import re
from collections.abc import Iterator

from gasoline_workers.redaction.messages import unnumbered
from gasoline_workers.redaction.names import Meaning, meaning
from gasoline_workers.redaction.spans import Span, is_marker

LONGEST = 256
"""Characters around a value, and at the end of a selector, that are read as its compound."""

COMBINATOR = re.compile(r"[\s>+~,]")
IDENTIFIER = re.compile(r"(?<=[\"'])[\w.-]+(?=[\"'])|[\w-]+")
PASSWORD_TYPE = re.compile(r"\[\s{0,4}type\s{0,4}[~|^$*]?=\s{0,4}[\"']?password", re.IGNORECASE)
VALUE = re.compile(
    r"\[\s{0,4}(?:data-)?(?:value|content)\s{0,4}[~|^$*]?=\s{0,4}"
    r"(?:\"(?P<double>[^\"]*+)|'(?P<single>[^']*+)|(?P<bare>[^\"'\]\s]++(?:(?<=\[REDACTED)\])?))",
    re.IGNORECASE,
)
REST = re.compile(r"[\"']?\]?(?:\[[^\]]{0,128}\]){0,8}[\w#.:-]{0,128}")


def selector_meaning(selector: str) -> Meaning:
    """Return what value the element has that `selector` finds, by the names in its last compound."""
    selector = unnumbered(selector)
    if PASSWORD_TYPE.search(selector, max(0, len(selector) - LONGEST)):
        return Meaning.MASKED
    last = COMBINATOR.split(selector[-LONGEST:])[-1]
    return max(map(meaning, IDENTIFIER.findall(last)), default=Meaning.HARMLESS)


def find(text: str) -> Iterator[Span]:
    """Find the attribute values that selectors in `text` repeat of sensitive elements."""
    for value in VALUE.finditer(text):
        span = value.span(value.lastgroup or 0)
        held = text[slice(*span)]
        if held and not is_marker(held) and selector_meaning(_compound(text, value)) >= Meaning.TOKEN:
            yield Span(*span, kind="field-value")


def _compound(text: str, value: re.Match[str]) -> str:
    """Return what stands around an attribute selector in its compound, without the value itself."""
    before = COMBINATOR.split(text[max(0, value.start() - LONGEST) : value.start()])[-1]
    rest = REST.match(text, value.end())
    return before + (rest[0] if rest else "")
