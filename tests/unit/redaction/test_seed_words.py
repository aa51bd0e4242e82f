"""Recovery phrases without a name: in a sentence, a list, a column, in elements of their own."""

from typing import Any

import pytest

from gasoline_workers.redaction.rules import redact
from gasoline_workers.redaction.seed_words import WORDS, occurs

LIST = WORDS.read_text().split()
LONG = [LIST[place * 797 % len(LIST)] for place in range(1, 25)]
TWELVE = LONG[:12]
HIDDEN = "[REDACTED]"


def numbered(words: list[str], form: str) -> list[str]:
    return [form.format(place, word) for place, word in enumerate(words, start=1)]


@pytest.mark.requirement("redact-010")
@pytest.mark.parametrize("words", [TWELVE, LONG], ids=["12", "24"])
@pytest.mark.parametrize(
    "text",
    [
        lambda words: f"He read it out: {' '.join(words)}. Then he left.",
        lambda words: f"(Backup of Monday) {', '.join(words)}!",
        lambda words: "Keep it safe.\n" + "\n".join(numbered(words, "{}. {}")) + "\nDone?",
        lambda words: "Keep it safe.\n- " + "\n- ".join(words),
        lambda words: " ".join(words).upper(),
        str,
        lambda words: "| " + " | ".join(numbered(words, "{} {}")) + " |",
        lambda words: "https://shop.test/?q=" + "%20".join(words),
    ],
    ids=["sentence", "commas", "numbered", "points", "capitals", "list", "table", "address"],
)
def test_a_phrase_is_hidden_however_its_words_are_separated(text: Any, words: list[str]) -> None:
    cleaned = str(redact(text(words))[0]).lower()

    assert [] == [word for word in words if word in cleaned]


@pytest.mark.requirement("redact-010")
@pytest.mark.parametrize(
    "body",
    [
        lambda words: words,
        lambda words: ["Backup", *words],
        lambda words: [*words, *words],
        lambda words: {"lines": ["# Backup", *[f"- {word}" for word in words], "Next"]},
        lambda words: numbered(words, "{}{}"),
        lambda words: [part for place, word in enumerate(words) for part in (str(place + 1), word)],
        lambda words: [part for place, word in enumerate(words) for part in (word, str(place + 1))],
        lambda words: [{"tag": "li", "text": word, "visible": True} for word in words],
        lambda words: [{"text": word, "name": word} for word in words],
        lambda words: [{"position": place, "word": word} for place, word in enumerate(words)],
        lambda words: [[place, word] for place, word in enumerate(words)],
        lambda words: {f"word{place}": word for place, word in enumerate(words)},
        lambda words: [{"text": word, "children": [{"text": "1"}, {"text": word}]} for word in words],
    ],
    ids=[
        *(
            "items",
            "after a title",
            "twice",
            "lines",
            "numbered",
            "numbers between",
            "numbers behind",
            "elements",
            "two fields",
            "pairs",
            "rows",
        ),
        "form",
        "deep",
    ],
)
def test_a_phrase_whose_words_stand_apart_is_hidden_and_the_shape_stays(body: Any) -> None:
    shown = body(TWELVE)
    cleaned: Any = redact(shown)[0]
    left = str(cleaned)

    assert [] == [word for word in TWELVE if f"'{word}'" in left or f"{word}'" in left]
    assert len(shown) == len(cleaned)
    assert HIDDEN in left
    assert cleaned == redact(cleaned)[0]


@pytest.mark.requirement("redact-010")
@pytest.mark.parametrize(
    "body",
    [
        TWELVE[:11],
        sorted(TWELVE),
        LIST,
        "const words = " + str(LIST),
        " ".join(TWELVE[:11]),
        " ".join(["any"] * 12),
        "border-image-repeat border-left border-style list-style list-type image-slice width-left color-type",
        ["home", "search", "about", "help", "Contact us", *TWELVE[:8]],
        [{"tag": "li", "text": word} for word in TWELVE[:11]] + [{"tag": "table", "text": "Checkout"}],
    ],
    ids=["eleven", "in order", "the list", "the list in code", "short", "repeated", "css", "a menu", "elements"],
)
def test_words_that_are_no_phrase_stay(body: Any) -> None:
    assert (body, 0) == redact(body)


def test_a_field_with_a_word_of_a_phrase_stays_where_it_is_another_field() -> None:
    words = ["list", *TWELVE[1:]]
    cleaned: Any = redact({"role": "list", "items": [{"role": "list", "text": word} for word in words]})[0]

    assert "list" == cleaned["role"]
    assert {("list", HIDDEN)} == {(one["role"], one["text"]) for one in cleaned["items"]}


def test_half_characters_and_other_scripts_do_not_hinder() -> None:
    assert occurs("\ud800 Größe: " + " ".join(TWELVE))
    assert not occurs(" ".join(TWELVE[:11]))
