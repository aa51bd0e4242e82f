"""The corpus of planted secrets, split in two by a seed: rules are written on one half, the other is only reported."""

import hashlib
import random
from collections.abc import Iterator
from typing import NamedTuple

from secrets_corpus import kinds
from secrets_corpus.languages import LABELS, PASSWORD
from secrets_corpus.wrappings import BARE, NAMED

SPLIT = "20"
"""The seed of the split; changed only together with a statement of why."""


class Planted(NamedTuple):
    """A body in which one secret was planted, and what it is made of."""

    kind: str
    wrapping: str
    half: str
    secret: str
    body: object


def is_known(part: str) -> bool:
    """Return whether rules may be written on `part`, a service, wrapping or language."""
    return hashlib.sha256(f"{SPLIT}:{part}".encode()).digest()[0] % 2 == 0


def half(*parts: str) -> str:
    """Return whether all parts are known, none, or some."""
    known = [is_known(part) for part in parts]
    return "known" if all(known) else "mixed" if any(known) else "unseen"


def records(seed: int = 1, of_each: int = 6) -> Iterator[Planted]:
    """Plant secrets: services' in bare wrappings, opaque ones of `of_each` kinds in named ones, labels last."""
    rng = random.Random(seed)  # noqa: S311 - not for cryptography
    yield from _services(rng)
    yield from _opaque(rng, of_each)
    yield from _labels(rng)


def _services(rng: random.Random) -> Iterator[Planted]:
    for kind in kinds.SERVICES:
        if kind in kinds.PERSONAL:
            continue
        for wrapping, wrap in (NAMED if kind in kinds.NEEDS_NAME else BARE).items():
            secret = kinds.service(kind, rng)
            if (wrapping, secret[:4]) == ("file-name", "http") or (wrapping == "ws-subprotocol" and len(secret) < 8):
                continue
            name = kinds.spell(rng.choice(kinds.TOKEN_NAMES), rng.choice(kinds.STYLES))
            yield Planted(kind, wrapping, half(kind, wrapping), secret, wrap(name, secret))


def _opaque(rng: random.Random, of_each: int) -> Iterator[Planted]:
    groups = (
        (kinds.OPAQUE, kinds.TOKEN_NAMES),
        (kinds.PASSWORDS, kinds.PASSWORD_NAMES),
        (kinds.PHRASES, kinds.PHRASE_NAMES),
        ({"card-visa": lambda rng: kinds.service("card-visa", rng)}, kinds.CARD_NAMES),
    )
    for wrapping, wrap in NAMED.items():
        for makers, names in groups:
            for kind in sorted(makers, key=lambda _: rng.random())[:of_each]:
                style = rng.choice(kinds.STYLES)
                secret = makers[kind](rng)
                name = kinds.spell(rng.choice(names), style)
                yield Planted(kind, wrapping, half(wrapping), secret, wrap(name, secret))


def _labels(rng: random.Random) -> Iterator[Planted]:
    for language, word in PASSWORD.items():
        for label, wrap in LABELS.items():
            kind = rng.choice(list(kinds.PASSWORDS))
            secret = kinds.PASSWORDS[kind](rng)
            yield Planted(f"{kind} ({language})", f"label {label}", half(language), secret, wrap(word, secret))
