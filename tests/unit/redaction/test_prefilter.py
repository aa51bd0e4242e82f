"""The prefilter: what any rule can find passes it, in every spelling."""

import pytest

from gasoline_workers.redaction import names, prefilter
from gasoline_workers.redaction.names import HEADS, QUALIFIED, Meaning, meaning
from gasoline_workers.redaction.rules import redact

CONTAINERS = (Meaning.HARMLESS, Meaning.HEADERS, Meaning.ARGUMENTS)


def telling() -> list[str]:
    """Return every name that the tables give a meaning, in four spellings each."""
    words = [(word,) for heads in HEADS.values() for word in heads.split()]
    pairs = [(word, head) for head, kinds in QUALIFIED.items() for more in kinds.values() for word in more.split()]
    spelled = [join for name in (*words, *pairs) for join in ("".join(name), "_".join(name), "-".join(name))]
    spelled += [name[0] + "".join(map(str.capitalize, name[1:])) for name in pairs]
    spelled += ["one_time", "oneTimePassword", "two-factor", "2fa", "passWord", "socialSecurity", "local_storage"]
    return [name for name in spelled if meaning(name) not in CONTAINERS]


@pytest.mark.requirement("redact-001")
@pytest.mark.parametrize("frame", ["{}: x y z", "{}", '"{}"', "AB_{}=1"])
def test_every_name_that_means_a_secret_passes(frame: str) -> None:
    missed = [
        name
        for name in (*telling(), *names.foreign())
        if len(name) >= prefilter.SHORTEST and "names" not in prefilter.found(frame.format(name)).stages
    ]

    assert [] == missed


@pytest.mark.requirement("redact-001")
@pytest.mark.parametrize("card", ["3782" + "822463" + "10005", "4242 4242 " + "4242 4242", "5555-5555-" + "5555-4444"])
def test_a_card_number_of_any_length_passes(card: str) -> None:
    assert redact(f"it is {card}.")[0] == "it is [REDACTED]."


@pytest.mark.requirement("redact-001")
def test_a_bare_seed_phrase_without_any_telling_word_passes() -> None:
    words = "abandon ability cactus damage eagle fabric galaxy habit idea jacket kangaroo ladder"

    assert redact(words) == ("[REDACTED]", 1)
