"""Reads a user's rules from `redaction.toml` and refuses what is wrong in it by rule and field; applies nothing.

```toml
personal = true                      # or some of email, phone, card, iban, national-id

[[rule]]
name = "acme-token"
pattern = 'acme_(?P<secret>[a-z0-9]{20})'
fields = ["employeeNumber"]

[[allow]]
name = "the documentation's examples"
values = ["AKIAIOSFODNN7EXAMPLE"]
pattern = 'test-[0-9]+'
```
"""

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from gasoline_broker.errors import CannotStart, SettingsRefused
from gasoline_workers.redaction import personal
from gasoline_workers.redaction.policy import NONE, OwnRule, Policy

FILE = "redaction.toml"
LARGEST_BYTES = 2**20
MOST = 500
"""Rules of one file, and values or fields of one rule: each is looked for in every string."""

LONGEST = 1_000
"""Characters of a pattern, a name or a value."""

TOP = ("personal", "rule", "allow")


def load(folder: Path) -> Policy:
    """Read the user's rules; without a file there are none.

    Raises:
        CannotStart: the file cannot be read, or something in it is wrong.

    """
    path = folder / FILE
    try:
        if path.stat().st_size > LARGEST_BYTES:
            raise CannotStart(f"{path} is larger than 1 MB.")
        return read(path.read_text("utf-8"))
    except FileNotFoundError:
        return NONE
    except SettingsRefused as fault:
        raise CannotStart(f"{path}: {fault}") from None
    except UnicodeDecodeError:
        raise CannotStart(f"{path} is not in UTF-8.") from None
    except OSError as fault:
        raise CannotStart(f"{path} cannot be read: {fault.strerror}.") from None


def read(text: str) -> Policy:
    """Read the rules from the text of a file.

    Raises:
        SettingsRefused: it is no TOML, or a rule is wrong; the sentence names the rule and the field.

    """
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise SettingsRefused(f"this is no TOML: {fault}.") from None
    _known(table, TOP, "the file")
    rules = [_rule(one, f"rule {number}") for number, one in enumerate(_tables(table, "rule"), 1)]
    kept: set[str] = set()
    kept_patterns: list[Any] = []
    for number, one in enumerate(_tables(table, "allow"), 1):
        where = _named(one, f"allow {number}", ("name", "values", "pattern"))
        kept |= set(_texts(one, "values", where))
        kept_patterns += _pattern(one, where)
        _needs_one(one, ("values", "pattern"), where)
    return Policy(tuple(rules), frozenset(kept), tuple(kept_patterns), _personal(table.get("personal", False)))


def _rule(table: Mapping[str, Any], place: str) -> OwnRule:
    where = _named(table, place, ("name", "pattern", "fields"))
    if not isinstance(name := table.get("name"), str) or not name.strip():
        raise SettingsRefused(f"{where}: `name` is missing; it is what `gasoline redact test` shows.")
    _needs_one(table, ("pattern", "fields"), where)
    compiled = _pattern(table, where)
    return OwnRule(name, compiled[0] if compiled else None, frozenset(_texts(table, "fields", where)))


def _named(table: Mapping[str, Any], place: str, fields: Iterable[str]) -> str:
    """Return what a sentence calls a rule: its number, and its name if it has one."""
    name = table.get("name")
    if name is not None and not (isinstance(name, str) and len(name) <= LONGEST):
        raise SettingsRefused(f"{place}: `name` must be a text of at most {LONGEST} characters.")
    where = f"{place} ({name!r})" if name else place
    _known(table, fields, where)
    return where


def _known(table: Mapping[str, Any], fields: Iterable[str], where: str) -> None:
    valid = tuple(fields)
    for field in table:
        if field not in valid:
            raise SettingsRefused(f"{where}: `{field}` is unknown; valid: {', '.join(valid)}.")


def _needs_one(table: Mapping[str, Any], fields: tuple[str, str], where: str) -> None:
    if not any(table.get(field) for field in fields):
        raise SettingsRefused(f"{where}: `{fields[0]}` or `{fields[1]}` is needed.")


def _tables(table: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    found = table.get(name, [])
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise SettingsRefused(f"`{name}` must be a list of tables: write [[{name}]] before each.")
    if len(found) > MOST:
        raise SettingsRefused(f"there may be {MOST} of [[{name}]]; there are {len(found)}.")
    return found


def _texts(table: Mapping[str, Any], field: str, where: str) -> list[str]:
    found = table.get(field, [])
    if not isinstance(found, list) or not all(isinstance(one, str) and one.strip() for one in found):
        raise SettingsRefused(f'{where}: `{field}` must be a list of texts, such as ["one", "two"].')
    if len(found) > MOST or any(len(one) > LONGEST for one in found):
        raise SettingsRefused(f"{where}: `{field}` may have {MOST} texts of {LONGEST} characters.")
    return found


def _pattern(table: Mapping[str, Any], where: str) -> list[Any]:
    """Compile a pattern by RE2, which takes linear time always, and refuses what would not."""
    import re2  # noqa: PLC0415 - as in automaton

    pattern = table.get("pattern")
    if pattern is None:
        return []
    if not isinstance(pattern, str) or not 0 < len(pattern) <= LONGEST:
        raise SettingsRefused(f"{where}: `pattern` must be a text of 1 to {LONGEST} characters.")
    options = re2.Options()
    options.log_errors = False
    try:
        compiled = re2.compile(pattern, options)
    except re2.error as fault:
        reason = fault.args[0].decode("utf-8", "replace") if fault.args else "RE2 gives no reason"
        raise SettingsRefused(f"{where}: `pattern` is none of RE2's syntax: {reason}.") from None
    if compiled.search("") is not None:
        raise SettingsRefused(f"{where}: `pattern` matches the empty text, so it would match everywhere.")
    return [compiled]


def _personal(chosen: object) -> frozenset[str]:
    if isinstance(chosen, bool):
        return frozenset(personal.KINDS if chosen else ())
    if not isinstance(chosen, list) or not all(isinstance(one, str) for one in chosen):
        raise SettingsRefused(f"`personal` must be true, false or a list of {', '.join(personal.KINDS)}.")
    for one in chosen:
        if one not in personal.KINDS:
            raise SettingsRefused(f"`personal`: {one!r} is unknown; valid: {', '.join(personal.KINDS)}.")
    return frozenset(chosen)
