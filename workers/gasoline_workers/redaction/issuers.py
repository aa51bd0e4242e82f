"""The formats of issuers.toml: what each matches, and what must occur in a text for it to match."""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import NamedTuple

CLASSES = {
    "alnum": "[A-Za-z0-9]", "word": "[A-Za-z0-9_]", "id": "[A-Za-z0-9_-]", "dotted": "[A-Za-z0-9_.-]",
    "loose": "[A-Za-z0-9_.=-]", "loose64": "[A-Za-z0-9+/=_,-]", "base64": "[A-Za-z0-9+/]", "hex": "[0-9a-f]",
    "lower": "[a-z0-9]", "upper": "[A-Z0-9]", "digit": "[0-9]", "base32": "[A-Z2-7]", "uuid": "[0-9a-f-]",
    "base58": "[1-9A-HJ-NP-Za-km-z]", "bech32": "[02-9ac-hj-np-z]", "crypt": "[./A-Za-z0-9]",
    "parameters": "[A-Za-z0-9./$=,+-]",
}  # fmt: skip
"""The alphabets of forms, in the syntax that `re` and RE2 share."""

RUN = re.compile(r"\{(?P<class>[a-z0-9]+):(?P<low>\d+)(?:-(?P<high>\d+)|(?P<exact>!))?\}")

KEPT = 0.6
"""The part of a documented length that is enough, for a page may cut a secret off."""

TELLING = 4
"""The fewest characters of a literal that is looked for by itself: without runs the automaton stays small."""

CONTEXT = 2
"""Characters of an alphabet that must stand beside a shorter literal."""

BEFORE_WORD = r"(?<![A-Za-z0-9_])(?<![^\n]\+)(?<![A-Za-z0-9+]{12}/)"
"""What does not stand before a word; a slash may, but for Base64's, and the plus of a line that was added."""


class Part(NamedTuple):
    """A literal, or a run of an alphabet: at least `low` characters, and at most `high` unless that is 0."""

    literal: str
    alphabet: str = ""
    low: int = 0
    high: int = 0
    documented: int = 0

    @property
    def pattern(self) -> str:
        """What it matches."""
        if self.literal:
            return re.escape(self.literal)
        limit = str(self.high) if self.high else ""
        return f"{self.alphabet}{{{self.low},{limit}}}" + ("" if self.high else "+")

    @property
    def context(self) -> str:
        """What of it must stand beside a literal."""
        return f"{self.alphabet}{{{min(CONTEXT, self.low)}}}"


class Kind(NamedTuple):
    """One format: its name, issuer and source, and how it is recognized."""

    name: str
    issuer: str
    source: str
    form: str
    parts: tuple[Part, ...]
    word: bool
    random: bool

    @property
    def pattern(self) -> str:
        """What the whole secret matches, in the syntax of `re`."""
        first, last = self.parts[0], self.parts[-1]
        before = BEFORE_WORD if self.word else f"(?<!{first.alphabet})" if first.alphabet else ""
        after = f"(?!{last.alphabet})" if last.high else ""
        padding = "={0,2}" if last.alphabet == CLASSES["base64"] else ""
        return before + "".join(part.pattern for part in self.parts) + padding + after

    @property
    def needle(self) -> str:
        """What occurs in every text that has the secret: its longest literal, a short one with its context."""
        middle = max(range(len(self.parts)), key=lambda n: len(self.parts[n].literal))
        literal = self.parts[middle].pattern
        if len(self.parts[middle].literal) >= TELLING:
            return literal
        before = self.parts[middle - 1].context if middle else ""
        after = self.parts[middle + 1].context if middle + 1 < len(self.parts) else ""
        return before + literal + after


@cache
def kinds() -> tuple[Kind, ...]:
    """Read the table."""
    table = tomllib.loads(files("gasoline_workers.redaction").joinpath("issuers.toml").read_text("utf-8"))
    return tuple(
        Kind(
            kind["name"],
            issuer["name"],
            issuer["source"],
            kind["form"],
            tuple(_parts(kind["form"])),
            kind.get("word", False),
            kind.get("random", False),
        )
        for issuer in table["issuer"]
        for kind in issuer["kinds"]
    )


def _parts(form: str) -> Iterator[Part]:
    position = 0
    for run in RUN.finditer(form):
        if literal := form[position : run.start()]:
            yield Part(literal)
        position = run.end()
        low, high = int(run["low"]), int(run["high"] or 0)
        if run["exact"]:
            yield Part("", CLASSES[run["class"]], low, low, low)
        else:
            yield Part("", CLASSES[run["class"]], low if high else max(round(KEPT * low), min(low, 10)), high, low)
    if literal := form[position:]:
        yield Part(literal)
