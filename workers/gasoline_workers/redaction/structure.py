"""What the shape of plain data means for its values: pairs, elements, cookies, console arguments.

An answer's own evidence is worth more than any pattern: `{"name": "csrf", "value": …}`, `type=password`,
`autocomplete`, `console.log("token:", …)`, the `d` of a private JWK (RFC 7517).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from typing import Any, NamedTuple, TypeGuard

from gasoline_workers.redaction import prose, values
from gasoline_workers.redaction.names import (
    Meaning,
    at_most,
    begins_with_verb,
    header_meaning,
    meaning,
    stronger,
    word_set,
)
from gasoline_workers.redaction.selectors import selector_meaning

VALUE_FIELDS = word_set(
    """value val v currentvalue defaultvalue initialvalue rawvalue newvalue oldvalue previousvalue inputvalue content
    datavalue datainitialvalue ariavaluetext typed""",
)
"""Fields that hold the value of what their neighbours name, without borders between words."""

TEXT_FIELDS = frozenset(("text", "textContent", "innerText", "innerHTML", "children"))
"""Fields that hold what is in an element: a label more often than a secret."""

NAME_FIELDS = word_set(
    """name key header field param parameter k label id title placeholder property type http-equiv itemprop
    formcontrolname ng-model v-model aria-label ariaLabel data-testid testid data-name Name Key variable
    setting option env attr attribute column fieldName field_name envVar secretName secret_name configKey config_key""",
)
"""Fields that name what their neighbours hold."""

SELECTOR_FIELDS = word_set("selector target locator xpath")

PATH_FIELDS = word_set("path pointer keyPath key_path instancePath from dataPath fieldPath prop")
"""Fields that name a place in a document by its path: JSON Patch (RFC 6902), JSON Pointer (RFC 6901), dotted names."""

PATH = re.compile(r"[^\s?#]*/[^\s/]*|[\w$-]+(?:\.[\w$-]+|\[[\w\"']+\])+")

COLUMN_FIELDS = word_set(
    "columns fields headers header cols keys names columnNames column_names labels head thead fieldNames field_names"
)
"""Fields that list the names of what the lists beside them hold."""

MOST_COLUMNS = 64
FEWEST_COLUMNS = 3
"""Of a table whose first row names the columns: with two, it is a list of pairs."""

CLASS_FIELDS = word_set("class className")
MOST_CLASSES = 32
"""Classes of an element that are read; they only hint."""

FORM_FIELDS = ("input", "textarea", "output", "code", "pre", "kbd", "samp")
"""What a label belongs to."""

HOLDERS = word_set(
    "string property entry setting option param parameter field variable init-param context-param env item"
)
"""XML elements that hold the value of what their attribute names: `<string name="api_key">`."""

CODES = ("code", "kbd", "samp", "tt")
"""What shows a value as it is to be copied."""

BETWEEN = ("br", "wbr", "pre", "span", "div", "b", "strong", "em")
"""What may stand, without a text, between a label and what it belongs to."""

LABELLED = {
    "dt": ("dd",),
    "th": ("td",),
    "key": ("string", "value", "data"),
    "name": ("value", "string", "content"),
    "param-name": ("param-value",),
    "property-name": ("property-value",),
    "env-entry-name": ("env-entry-value",),
}
"""Elements whose text names the one after them: definition lists, tables of two columns, property lists, entries."""

EVIDENCE = (
    NAME_FIELDS | PATH_FIELDS | SELECTOR_FIELDS | CLASS_FIELDS | word_set("autocomplete autoComplete style tag text")
)
"""Fields by which others are judged."""

AUTOCOMPLETE = word_set("current-password new-password one-time-code cc-number cc-csc cc-exp cc-exp-month cc-exp-year")
"""HTML, 4.10.18.7 (autofill): fields whose value is a secret whatever their name."""

MASKING = "text-security"
"""The style that draws dots in a field that is not of type password."""

PRIVATE_JWK = word_set("d p q dp dq qi k oth")
"""RFC 7518, 6.2.2, 6.3.2, 6.4.1: the parameters of a JWK that are private; `n`, `e`, `x`, `y` are public."""

SCHEMA_TYPES = word_set("string object array boolean number integer structure")
"""JSON Schema, 6.1.1: a field that describes cookies, and holds none."""

GENERIC = word_set(
    """value val raw text string data content current previous next old new default primary secondary live test prod
    production staging dev development access refresh id bearer key hash plain encoded s n b str stringvalue stringval
    string_value bytesvalue bytes_value _text #text $t $value _ $ cdata some ok just body 0 1 2 3 4 5 6 7 8 9""",
)
"""Keys that state nothing of their own: what the key above them states holds for them."""

SPECIAL = 7
"""Negative numbers of such a list that stand for `undefined`, `NaN` and their like."""

REFERENCE = re.compile(r"_(\d{1,6})")

COLUMN = re.compile(r"[^\W\d][\w .$-]*")
CONVERSION = re.compile(r"%[csdifoOj]")
LABEL = re.compile(r"[:=>]\s*$|%[csdifoOj]")
FEW = 4
"""Up to so many items, one without a colon may name the next; a longer list is a list of names."""

LABEL_LENGTH = 48
"""The longest console argument that names the one after it."""

CONTAINERS = (Meaning.COOKIES, Meaning.HEADERS, Meaning.STORAGE)


class Shape(NamedTuple):
    """What the keys of a mapping mean, without its values: each key's meaning, and whether neighbours may add to it."""

    meanings: tuple[Meaning, ...]
    has_value: bool
    is_key: bool


def shape(keys: tuple[object, ...]) -> Shape:
    """Judge `keys` by themselves; a page repeats shapes, so that this is worth keeping for the body it was made for."""
    meanings = (meaning(key) if isinstance(key, str) else Meaning.HARMLESS for key in keys)
    return Shape(tuple(meanings), any(map(holds_value, keys)), "kty" in keys)


def field_meanings(fields: Mapping[object, object], above: Meaning) -> Iterator[Meaning]:
    """Return for each of `fields`, in order, its meaning, for that of the key above them."""
    neighbours = evidence(fields, above) if any(map(holds_value, fields)) else Meaning.HARMLESS
    private = PRIVATE_JWK if "kty" in fields else frozenset()
    stored = _are_stored(fields, above)
    describes = any(map(holds_value, fields))
    for key, value in fields.items():
        if key in private:
            yield Meaning.MASKED
        elif stored and isinstance(value, str):
            yield Meaning.STORED
        else:
            inherited = Meaning.HARMLESS if describes and key in NAME_FIELDS and above <= Meaning.MASKED else above
            yield stronger(_own(key, value, inherited), _from_neighbours(key, fields, neighbours))


def evidence(fields: Mapping[Any, object], above: Meaning = Meaning.HARMLESS) -> Meaning:
    """Return what the value is that `fields` describe: an element, a pair, a cookie, an action on an element."""
    if _is_secret_field(fields):
        return Meaning.MASKED
    if above in (Meaning.COOKIES, Meaning.STORAGE):
        return Meaning.STORED
    judge = header_meaning if above is Meaning.HEADERS else meaning
    found: list[Meaning] = []
    for key, value in fields.items():
        if isinstance(value, str) and key in NAME_FIELDS:
            found.append(judge(value))
        elif isinstance(value, str) and key in PATH_FIELDS and PATH.fullmatch(value):
            found.append(_path_meaning(value))
        elif isinstance(value, str) and key in SELECTOR_FIELDS:
            found.append(selector_meaning(value))
        elif isinstance(value, str) and key in CLASS_FIELDS:
            found += (at_most(meaning(name), Meaning.TOKEN) for name in value.split()[:MOST_CLASSES])
    if isinstance(attributes := fields.get("attributes"), Mapping):
        found.append(evidence(attributes))
    kind = reduce(stronger, found, Meaning.HARMLESS)
    return kind if kind <= Meaning.COOKIES else Meaning.HARMLESS


def item_meanings(items: Sequence[object], above: Meaning) -> list[Meaning]:
    """Return for each of `items`, in order, its meaning, for that of the key above them."""
    found: list[Meaning] = [Meaning.HARMLESS if above is Meaning.ARGUMENTS else above] * len(items)
    if above is Meaning.HEADERS and _alternates(items):
        found[1::2] = [pair_meaning(str(name), above) for name in items[::2]]
    if above in (Meaning.COOKIES, Meaning.STORAGE):
        return found
    for index, item in enumerate(items):
        if isinstance(item, str) and len(item) <= LABEL_LENGTH and (len(items) <= FEW or LABEL.search(item)):
            for offset, kind in enumerate(_announced(item, above)[: len(items) - index - 1], start=index + 1):
                found[offset] = stronger(found[offset], kind)
        elif isinstance(item, Mapping) and "tag" in item and index + 1 < len(items):
            found[index + 1] = stronger(found[index + 1], label_meaning(item, items[index + 1]))
    return found


def label_meaning(label: Mapping[Any, object], labelled: object) -> Meaning:
    """Return what an element is that follows another whose text may be its label."""
    text = label.get("text")
    if not isinstance(labelled, Mapping) or not isinstance(text, str) or len(text) > LABEL_LENGTH:
        return Meaning.HARMLESS
    tag = str(label.get("tag"))
    sure = labelled.get("tag") in LABELLED.get(tag, ()) or (tag == "label" and labelled.get("tag") in FORM_FIELDS)
    shown = str(labelled.get("text", "")) if labelled.get("tag") in CODES else ""
    sure = sure or values.is_strong(shown.strip()) or prose.is_phrase(shown.strip())
    return at_most(meaning(text), Meaning.PASSWORD if sure else Meaning.TOKEN)


def pair_meaning(name: str, above: Meaning) -> Meaning:
    """Return the meaning of a value beside `name` in a list of pairs, for that of the key above the list."""
    if above in (Meaning.COOKIES, Meaning.STORAGE):
        return Meaning.STORED
    return header_meaning(name) if above is Meaning.HEADERS else meaning(name)


def are_pairs(items: Sequence[object]) -> bool:
    """Return whether `items` are what `Object.entries` gives: lists of a name and a value."""
    return bool(items) and all(isinstance(item, list) and len(item) == 2 and isinstance(item[0], str) for item in items)  # noqa: PLR2004


def references(items: Sequence[object]) -> list[Meaning] | None:
    """Return what each of `items` means by the fields that refer to it by its number; None if they are no such list.

    So frameworks write the state of a page (devalue and turbo-stream): objects and lists hold numbers of items alone,
    and a name may be one too, `_7`.
    """
    holders = [item for item in items if isinstance(item, Mapping | list)]
    if len(holders) == len(items) or not any(isinstance(item, Mapping) and item for item in holders):
        return None
    found = [Meaning.HARMLESS] * len(items)
    for holder in holders:
        pairs = holder.items() if isinstance(holder, Mapping) else (("", number) for number in holder)
        for name, number in pairs:
            if isinstance(number, bool) or not isinstance(number, int) or not -SPECIAL <= number < len(items):
                return None
            if number >= 0 and isinstance(name, str):
                found[number] = stronger(found[number], meaning(_referred(name, items)))
    return found


def _referred(name: str, items: Sequence[object]) -> str:
    number = REFERENCE.fullmatch(name)
    referred = items[int(number[1])] if number and int(number[1]) < len(items) else name
    return referred if isinstance(referred, str) else name


def _path_meaning(path: str) -> Meaning:
    """Return what a place in a document means: its last name, with those before it unless it is an action."""
    last = path.rpartition("/")[2]
    name = last.rpartition(".")[2]
    return meaning(name if begins_with_verb(name) else last)


def columns(fields: Mapping[object, object]) -> list[Meaning]:
    """Return the meanings of the columns of the tables among `fields`, or nothing if none of them means anything."""
    if COLUMN_FIELDS.isdisjoint(fields):
        return []
    for key in COLUMN_FIELDS.intersection(fields):
        names = fields[key]
        if (
            isinstance(names, list)
            and 0 < len(names) <= MOST_COLUMNS
            and any(kinds := list(map(column_meaning, names)))
        ):
            return kinds
    return []


def is_table(rows: object, width: int) -> TypeGuard[list[object]]:
    """Return whether `rows` are lists of `width` values, or one list of `width` texts."""
    if not isinstance(rows, list) or not rows:
        return False
    if all(isinstance(row, list) and len(row) == width for row in rows):
        return True
    return len(rows) == width and all(isinstance(cell, str) for cell in rows)


def head_row(rows: Sequence[object]) -> list[Meaning]:
    """Return the meanings of the columns of a list of rows that its first row names, or nothing."""
    first = rows[0] if len(rows) > 1 else None
    if not isinstance(first, list) or not FEWEST_COLUMNS <= len(first) <= MOST_COLUMNS:
        return []
    if not all(isinstance(row, list) and len(row) == len(first) for row in rows):
        return []
    kinds = [column_meaning(name) for name in first]
    return kinds if any(kinds) and all(isinstance(name, str) and COLUMN.fullmatch(name) for name in first) else []


def column_meaning(name: object) -> Meaning:
    """Return what the values of a column mean, by its name or by what describes it."""
    if isinstance(name, Mapping):
        name = next((name[field] for field in ("name", "field", "key", "title", "label", "text") if field in name), "")
    kind = meaning(name) if isinstance(name, str) and len(name) <= LABEL_LENGTH else Meaning.HARMLESS
    return kind if Meaning.KEY < kind <= Meaning.MASKED else Meaning.HARMLESS


@lru_cache(maxsize=4096)
def _flat(key: str) -> str:
    return key.replace("_", "").replace("-", "").lower()


def holds_value(key: object) -> bool:
    """Return whether a field holds the value, or the text, of what its neighbours name."""
    return isinstance(key, str) and (key in TEXT_FIELDS or _flat(key[:LABEL_LENGTH]) in VALUE_FIELDS)


def _are_stored(fields: Mapping[object, object], above: Meaning) -> bool:
    """Return whether `fields` map the names of cookies or stored items to their values, and do not describe one."""
    if "name" in fields or "key" in fields or str(fields.get("type")) in SCHEMA_TYPES:
        return False
    if above is Meaning.COOKIES:  # a report about cookies has lists and objects, a map of cookies has not
        return not any(isinstance(value, dict | list) for value in fields.values())
    return above is Meaning.STORAGE


def _is_secret_field(fields: Mapping[object, object]) -> bool:
    if "type" in fields and str(fields["type"]).lower() == "password":
        return True
    autocomplete = fields.get("autocomplete") or fields.get("autoComplete")
    if isinstance(autocomplete, str) and not AUTOCOMPLETE.isdisjoint(autocomplete.lower().split()):
        return True
    return "style" in fields and MASKING in str(fields["style"])


def _own(key: object, value: object, above: Meaning) -> Meaning:
    """Judge a field by its own key, or by the key above if its own means nothing."""
    own = Meaning.HARMLESS
    if isinstance(key, str):
        own = header_meaning(key) if above is Meaning.HEADERS else meaning(key)
    if above in CONTAINERS:
        return above if own is Meaning.HARMLESS and isinstance(value, dict | list) else own
    if above > Meaning.COOKIES:
        return own
    if not isinstance(key, str) or key == "attributes" or key.lower() in GENERIC:
        return stronger(own, above)
    return stronger(own, Meaning.TOKEN) if above >= Meaning.CREDENTIAL else own


def _from_neighbours(key: object, fields: Mapping[object, object], neighbours: Meaning) -> Meaning:
    """Judge a field that holds the value, or the text, of what the fields beside it describe."""
    if neighbours is Meaning.HARMLESS or not isinstance(key, str) or not holds_value(key):
        return Meaning.HARMLESS
    if key == "children":
        return at_most(neighbours, Meaning.TOKEN)
    if key not in TEXT_FIELDS or fields.get("tag") == "textarea":
        return neighbours
    typed = "tag" not in fields and ("action" in fields or "type" in fields)
    return neighbours if typed else at_most(neighbours, Meaning.TOKEN)


def _alternates(items: Sequence[object]) -> bool:
    """Return whether `items` are header names and values in turn, as Node's `rawHeaders` are."""
    return (
        len(items) % 2 == 0
        and all(isinstance(item, str) for item in items)
        and not any(":" in str(n) for n in items[::2])
    )


def _announced(label: str, above: Meaning) -> list[Meaning]:
    """Return what a console argument means for those after it: `"token:"`, `"user %s, password %s"`."""
    if CONVERSION.search(label):
        return [
            stronger(meaning(part), meaning(part.split(" ")[-1]))
            for part in CONVERSION.split(label.replace(" %", "%"))[:-1]
        ]
    kind = meaning(label)
    sure = above is Meaning.ARGUMENTS or label.rstrip().endswith((":", "=", "->", "=>"))
    if not sure:
        return [at_most(kind, Meaning.TOKEN)]
    return [Meaning.CREDENTIAL if kind is Meaning.TOKEN else kind]
