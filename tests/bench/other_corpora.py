"""Measures redaction on what other projects test their rules with, of which they promise that it is a secret.

Nothing of theirs is kept here: give a folder with checkouts of `trufflehog` (each detector's own test), `kingfisher`
(each rule's examples) and `gitleaks` (each rule's format in each of its contexts, with values drawn here). Some of what
they call secret is a user's name or an address, and some is spelled by hand (`abcdef123456`): both count as leaks.
"""

import ast
import io
import random
import re
import string
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import msgspec
from ruamel.yaml import YAML

sys.path.insert(0, str(Path(__file__).parents[1]))

from gasoline_workers.redaction.rules import redact
from secrets_corpus.leakage import leaks

Record = tuple[str, str]
"""A text, and the secret in it."""

SHORTEST = 8
SEED = 7
STRING = r'`[^`]*`|"(?:[^"\\\n]|\\.)*"'
LITERAL = re.compile(STRING)
ASSIGNED = re.compile(rf"\b(\w+)\s*:?=\s*((?:{STRING})(?:\s*\+\s*(?:{STRING}))*)")
CASE = re.compile(r"input:\s*(.*?),\s*want:\s*\[\]string\{(.*?)\},?\s*\n\s*\}", re.DOTALL)
TEMPLATE = re.compile(rf":\s*({STRING}),?\s*(?://.*)?\n")
DRAWN = re.compile(r'utils\.(\w+)\("(\d+)[\d,]*"\)')
CALL = re.compile(r"(?:secrets\.NewSecret|secrets\.NewSecretWithEntropy)\(\s*(.*)\)", re.DOTALL)
LETTERS = string.ascii_lowercase + string.digits
ALPHABETS = {
    "AlphaNumeric": LETTERS,
    "Hex": "0123456789abcdef",
    "Numeric": string.digits,
    "AlphaNumericExtended": LETTERS + "=_-",
    "AlphaNumericExtendedShort": LETTERS + "_-",
    "AlphaNumericExtendedLong": LETTERS + "/=_+-",
}


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
def main(folder: Path) -> None:
    """Print how many secrets of each project are left in part."""
    sources = {"trufflehog": trufflehog, "kingfisher": kingfisher, "gitleaks": gitleaks}
    for name, read in sources.items():
        records = list(read(folder / name))
        left = sum(leaks(secret, redact(text)[0]) for text, secret in records)
        click.echo(f"{name:12}{len(records):>7} secrets, {100 * left / max(1, len(records)):.1f} % leak")


def trufflehog(checkout: Path) -> Iterator[Record]:
    """Give each text of a detector's test with each secret that is to be found in it."""
    for path in sorted(checkout.rglob("*_test.go")):
        if "integration" in path.name:
            continue
        source = path.read_text(errors="replace")
        known = {match[1]: value for match in ASSIGNED.finditer(source) if (value := read(match[2], {})) is not None}
        for match in CASE.finditer(source):
            text = read(match[1], known)
            wanted = [read(part, known) for part in parts(match[2], ",")]
            yield from ((text, one) for one in wanted if text and one and len(one) >= SHORTEST and one in text)


def kingfisher(checkout: Path) -> Iterator[Record]:
    """Give each example of a rule with what its last group finds."""
    for path in sorted(checkout.rglob("data/rules/*.yml")):
        for rule in YAML(typ="safe").load(io.StringIO(path.read_text()))["rules"]:
            try:
                pattern = re.compile(rule["pattern"].strip())
            except re.error:
                continue
            for example in map(str, rule.get("examples") or ()) if rule.get("visible") is not False else ():
                if match := pattern.search(example):
                    found = match.groupdict().get("TOKEN") or next(filter(None, reversed(match.groups())), match[0])
                    yield from [(example, found)] if len(found) >= SHORTEST else []


def gitleaks(checkout: Path) -> Iterator[Record]:
    """Give a secret of each format in each context."""
    chance = random.Random(SEED)  # noqa: S311 - no secret
    contexts = (
        (checkout / "cmd/generate/config/utils/generate.go").read_text().partition("func GenerateSampleSecrets")[2]
    )
    templates = [one for match in TEMPLATE.finditer(contexts) if "{s}" in (one := literal(match[1])) and "{i}" in one]
    for path in sorted((checkout / "cmd/generate/config/rules").glob("*.go")):
        source = path.read_text()
        for match in re.finditer(r"utils\.GenerateSampleSecrets?\(", source):
            arguments = parts(source[match.end() : closing(source, match.end())], ",")
            name, secret = (drawn(one, chance) for one in (*arguments, "", "")[:2])
            if name and secret and len(secret) >= SHORTEST:
                yield from ((one.replace("{i}", name).replace("{s}", secret), secret) for one in templates)


def read(expression: str, known: dict[str, str]) -> str | None:
    """Evaluate a Go expression of literals, names, sums and `fmt.Sprintf`; None if it is another."""
    expression = expression.strip().rstrip(",").strip()
    if made := re.fullmatch(r"fmt\.Sprintf\(\s*(.*)\)", expression, re.DOTALL):
        values = [read(part, known) for part in parts(made[1], ",")]
        rest = iter(values[1:])
        form = None if None in values else values[0]
        return form and re.sub("%[sqv]", lambda _: next(rest, None) or "", form)
    if len(added := parts(expression, "+")) > 1:
        pieces = [read(part, known) for part in added]
        return None if None in pieces else "".join(filter(None, pieces))
    return literal(expression) if LITERAL.fullmatch(expression) else known.get(expression)


def drawn(expression: str, chance: random.Random) -> str | None:
    """Draw what a Go expression describes: a sum of literals and of lengths of an alphabet, or a pattern."""
    if len(added := parts(expression, "+")) > 1:
        pieces = [drawn(part, chance) for part in added]
        return None if None in pieces else "".join(filter(None, pieces))
    if LITERAL.fullmatch(expression):
        return literal(expression)
    if match := DRAWN.fullmatch(expression):
        return "".join(chance.choices(ALPHABETS.get(match[1], LETTERS), k=int(match[2])))
    if match := CALL.fullmatch(expression):
        inner = parts(match[1], ",")[0]
        found = drawn(inner, chance)
        return None if found is None or re.search(r"[\[\]{}()\\]", found) else found
    return None


def parts(text: str, separator: str) -> list[str]:
    """Split Go at a separator that is in no literal and no bracket."""
    found, depth, begin, at = [], 0, 0, 0
    while at < len(text):
        if match := LITERAL.match(text, at):
            at = match.end()
            continue
        depth += (text[at] in "([{") - (text[at] in ")]}")
        if text[at] == separator and not depth:
            found.append(text[begin:at].strip())
            begin = at + 1
        at += 1
    return [*found, text[begin:].strip()] if text[begin:].strip() else found


def closing(text: str, at: int) -> int:
    """Return where the bracket ends that was opened before `at`."""
    depth = 1
    while depth and at < len(text):
        match = LITERAL.match(text, at)
        depth += 0 if match else (text[at] == "(") - (text[at] == ")")
        at = match.end() if match else at + 1
    return at - 1


def literal(text: str) -> str:
    """Return what a Go literal is."""
    if text[0] == "`":
        return text[1:-1]
    try:
        value = ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return text[1:-1]
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


if __name__ == "__main__":
    main()
