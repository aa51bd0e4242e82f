"""What `gasoline redact` shows: what would be hidden in a text, and the rules by which."""

import click
import msgspec

from gasoline_bridge.cli.tables import plain, table
from gasoline_broker.errors import SettingsRefused
from gasoline_broker.settings import Settings
from gasoline_workers.redaction import policy_file, preview
from gasoline_workers.redaction.messages import MARKER
from gasoline_workers.redaction.preview import Hidden, RuleRow
from gasoline_workers.redaction.text import LENGTH_LIMIT

MASK = "\N{BULLET}"
"""What stands for each character of a secret beside the one that is shown."""

BESIDE = 24
"""Characters that are shown before and after a hidden text, which is itself cut at twice as many."""


def test(settings: Settings, text: str) -> tuple[str, list[Hidden]]:
    """Return a text as a model would see it, and what is hidden in it.

    Raises:
        CannotStart: the user's rules are wrong.
        SettingsRefused: the text is too long to be read.

    """
    if len(text) > LENGTH_LIMIT:
        raise SettingsRefused(f"The text has {len(text):,} characters; one of over {LENGTH_LIMIT:,} is hidden whole.")
    return preview.preview(text, policy_file.load(settings.config_dir))


def rules(settings: Settings) -> list[RuleRow]:
    """List the rules.

    Raises:
        CannotStart: the user's rules are wrong.

    """
    return preview.rules(policy_file.load(settings.config_dir))


def test_as_json(shown: str, found: list[Hidden]) -> str:
    """Give the result as one JSON object, which has no secret in it."""
    hidden = [
        {"line": one.line, "column": one.column, "length": len(one.text), "kind": one.kind, "reason": one.reason}
        for one in found
    ]
    return msgspec.json.encode({"hidden": hidden, "text": shown}).decode()


def test_as_text(text: str, found: list[Hidden], *, coloured: bool) -> str:
    """Give each hidden place with its kind and reason: in colours the text itself, else the marker instead of it."""
    masked = text
    for one in found:
        masked = masked[: one.start] + MASK * len(one.text) + masked[one.start + len(one.text) :]
    blocks = [_block(masked, one, coloured=coloured) for one in found]
    count = "1 place" if len(found) == 1 else f"{len(found)} places"
    return "\n".join([*blocks, f"{count} of {len(text.splitlines())} lines would be hidden."])


def rules_as_json(found: list[RuleRow]) -> str:
    """Give the rules as one JSON array of objects."""
    return msgspec.json.encode([one._asdict() for one in found]).decode()


def rules_as_text(settings: Settings, found: list[RuleRow]) -> str:
    """Give the rules as a table, and where the user's own are."""
    rows = [(one.kind, one.source, "on" if one.on else "off", one.form) for one in found]
    own = f"Your rules: {settings.config_dir / policy_file.FILE}; a change holds at once."
    return "\n".join([*table(("finds", "source", "", "how"), rows, left=4), "", own])


def _block(masked: str, one: Hidden, *, coloured: bool) -> str:
    end = one.start + len(one.text)
    before = plain(masked[max(0, one.start - BESIDE) : one.start].rpartition("\n")[2])
    after = plain(masked[end : end + BESIDE].partition("\n")[0])
    hidden = click.style(_cut(plain(one.text)), fg="red", strikethrough=True) if coloured else MARKER
    kind = click.style(one.kind, bold=True) if coloured else one.kind
    return f"{one.line}:{one.column}  {kind}: {one.reason}\n    {before}{hidden}{after}"


def _cut(text: str) -> str:
    return text if len(text) <= 2 * BESIDE else f"{text[: 2 * BESIDE]}…"
