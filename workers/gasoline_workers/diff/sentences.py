"""Joins sentences to one line: shorter than 200 characters, never empty, cut at words."""

from collections.abc import Sequence

LONGEST = 199
"""Characters; seed 001: "Keep under 200 chars"."""

MORE = len(" 99 more.")


def cut(text: str, most: int) -> str:
    """Return a text of one line and at most so many characters, cut at a word where there is one."""
    text = " ".join(text[: most * 4].split())
    if len(text) <= most:
        return text
    kept = text[: most - 3]
    words = kept if text[most - 3] == " " else kept.rpartition(" ")[0]
    return (words if len(words) > most // 2 else kept) + "..."


def line(sentences: Sequence[str]) -> str:
    """Join sentences, the first being the one that matters most, and add how many did not fit."""
    first, *others = sentences
    text, left = cut(first, LONGEST - MORE), 0
    for sentence in others:
        if len(text) + 1 + len(sentence) <= LONGEST - MORE:
            text += f" {sentence}"
        else:
            left += 1
    return f"{text} {left} more." if left else text


def counted(count: int, word: str) -> str:
    """Return `1 request`, `2 requests`."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"
