"""Measures redaction on what other projects test their rules with, of which they promise that it is a secret.

Nothing of theirs is kept here: give a folder with checkouts of any of `trufflehog` (each detector's own test),
`kingfisher` (each rule's examples), `gitleaks` (each rule's format in each of its contexts, with values drawn here),
`semgrep-rules` (each line that a rule for secrets must find), `secretlint` (each message of a rule's snapshots) and
`whispers` (`hardcoded01` in each kind of file, here a word that was drawn). Some of what they call secret is a user's
name or an address, and some is spelled by hand (`abcdef123456`): both count as leaks, but for placeholders.
"""

import ast
import contextlib
import io
import random
import re
import string
import sys
from collections.abc import Iterator
from itertools import pairwise
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
RUN = re.compile(r"(.)\1{5}")
IN_URL = re.compile(r"[\w+:]+://[^/\s]*?:([^/\s]*)@")
VALUE = re.compile(r"[\"'`]?[\w.-]+[\"'`]?\s*(?:=>|:=|=|:)\s*[\"'`]?(.*)", re.DOTALL)
NO_SECRETS = re.compile(r"no-homedir|filter-comments|rule-pattern|scaffdog|tester|rule-example")
"""Rules of secretlint that find the name of a user, or words that their own test calls secret."""
HARDCODED = re.compile(r"hardcoded\d+")
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
@click.option("--shown", is_flag=True, help="Print what is left, too.")
def main(folder: Path, *, shown: bool) -> None:
    """Print how many secrets of each project are left in part."""
    for read in (trufflehog, kingfisher, gitleaks, semgrep, secretlint, whispers):
        name = {"semgrep": "semgrep-rules"}.get(read.__name__, read.__name__)
        records = [(text, secret) for text, secret in read(folder / name) if is_secret(secret)]
        left = [(text, secret) for text, secret in records if leaks(secret, redact(text)[0])]
        click.echo(f"{name:14}{len(records):>7} secrets, {100 * len(left) / max(1, len(records)):.1f} % leak")
        if shown:
            for text, secret in left:
                at = text.index(secret)
                click.echo(f"    {secret[:60]!r} in {text[max(0, at - 50) : at + len(secret) + 10]!r}")


def is_secret(text: str) -> bool:
    """Return whether a text can be a secret: long enough, and no placeholder such as `xxxxxxxx` or `{secret}`."""
    return len(text) >= SHORTEST and RUN.search(text) is None and text[0] not in "{<"


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


def semgrep(checkout: Path) -> Iterator[Record]:
    """Give each line that a rule for secrets must find, with what its pattern finds in it."""
    for path in sorted(checkout.rglob("generic/secrets/*/*.yaml")):
        patterns = [found for rule in YAML(typ="safe").load(path.read_text())["rules"] for found in _patterns(rule)]
        for test in path.parent.glob(f"{path.stem}.*"):
            lines = test.read_text(errors="replace").split("\n") if test != path else []
            for mark, line in pairwise(lines):
                match = next(filter(None, (one.search(line) for one in patterns)), None) if "ruleid:" in mark else None
                if match:
                    groups = [one for one in match.groups() if one and len(one) >= SHORTEST]
                    yield line, plain(groups[-1] if groups else match[0])


def _patterns(rule: object) -> Iterator[re.Pattern[str]]:
    if isinstance(rule, dict):
        for key, value in rule.items():
            if key == "pattern-regex":
                with contextlib.suppress(re.error):
                    yield re.compile(value.strip().replace(r"\z", r"\Z"))
            elif key not in ("pattern-not-regex", "metadata"):
                yield from _patterns(value)
    elif isinstance(rule, list):
        for value in rule:
            yield from _patterns(value)


def secretlint(checkout: Path) -> Iterator[Record]:
    """Give the input of each snapshot with what each of its messages is about."""
    for path in sorted(checkout.rglob("snapshots/*/output.json")):
        report = msgspec.json.decode(path.read_bytes())
        texts = [one.read_text(errors="replace") for one in path.parent.glob("input*")]
        messages = report.get("messages", ()) if isinstance(report, dict) and texts else ()
        for message in messages if not NO_SECRETS.search(str(path)) else ():
            if message["type"] == "message":
                found = texts[0][slice(*message["range"])]
                inner = [one for one in (message.get("data") or {}).values() if isinstance(one, str) and one in found]
                yield texts[0], plain(min((*inner, found), key=len))


def whispers(checkout: Path) -> Iterator[Record]:
    """Give each file in which values are hardcoded, with each of them, drawn anew."""
    chance = random.Random(SEED)  # noqa: S311 - no secret
    for path in sorted((checkout / "tests/fixtures").rglob("*")):
        if path.is_file() and "falsepositive" not in str(path) and "placeholder" not in path.name:
            text = path.read_text(errors="replace")
            for one in sorted(set(HARDCODED.findall(text))):
                word = "".join(chance.choice("bdfgklmnprstvz") + chance.choice("aeiou") for _ in range(5)) + one[-2:]
                yield re.sub(rf"{one}(?!\d)", word, text), word


def plain(found: str) -> str:
    """Return the secret in what a rule finds: without its name and quotes, of an address the password."""
    found = found.strip(" \"'`")
    match = IN_URL.match(found) or VALUE.fullmatch(found)
    return match[1] if match else found


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
