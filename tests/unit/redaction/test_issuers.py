"""Issuers' formats: each one's secret is found and each one's counter-example left, in plain and in encoded text."""

import base64
import random
import re

import pytest

from gasoline_workers.redaction import issuers, prefilter
from gasoline_workers.redaction.automaton import Automaton, AutomatonError
from gasoline_workers.redaction.issuers import Kind, Part
from gasoline_workers.redaction.patterns import is_issued
from gasoline_workers.redaction.rules import redact

KINDS = issuers.kinds()
ASCII = [chr(code) for code in range(33, 127)]


def run(part: Part, rng: random.Random, length: int) -> str:
    alphabet = [character for character in ASCII if re.fullmatch(part.alphabet, character)]
    return "".join(rng.choices([one for one in alphabet if one.isalnum()], k=length))


def example(kind: Kind, seed: int) -> str:
    """Make a secret of the documented length, letters and digits alone."""
    rng = random.Random(seed)  # noqa: S311 - not for cryptography
    return "".join(part.literal or run(part, rng, part.documented) for part in kind.parts)


def counter_example(kind: Kind) -> str:
    """Make what has the form and is a placeholder: one character over and over."""
    return "".join(
        part.literal or next(one for one in "x0A3" if re.match(part.alphabet, one)) * part.documented
        for part in kind.parts
    )


@pytest.mark.requirement("redact-002")
def test_there_are_two_hundred_kinds_each_with_a_source() -> None:
    assert len(KINDS) >= 200
    assert len({kind.name for kind in KINDS}) == len(KINDS)
    assert all(kind.source for kind in KINDS)


@pytest.mark.requirement("redact-001", "redact-002")
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_kinds_example_passes_the_prefilter_and_is_hidden(kind: Kind) -> None:
    for seed in range(3):
        secret = example(kind, seed)
        body = [f"use {secret} now", {"note": secret}, base64.b64encode(f"v: {secret} !".encode()).decode()]

        assert KINDS.index(kind) in prefilter.found(secret).kinds
        assert secret not in repr(redact(body)[0])
        assert redact(body)[0][2] != body[2]  # type: ignore[index]


@pytest.mark.requirement("redact-002")
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_kinds_placeholder_is_no_secret(kind: Kind) -> None:
    sample = counter_example(kind)

    short = [part for part in kind.parts if part.literal == ""]
    assert not is_issued(sample, kind) or len(short) > 1 or len(set(sample)) >= 5


def test_an_automaton_that_gives_no_answer_is_an_error_and_no_empty_answer() -> None:
    automaton = Automaton(["abc"])
    assert [0] == automaton.occurring("xabcx")
    assert [] == automaton.occurring("xyz\ud800")

    automaton._size = 7

    with pytest.raises(AutomatonError):
        automaton.occurring("xabcx")
