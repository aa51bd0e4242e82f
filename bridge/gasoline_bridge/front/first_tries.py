"""Translates a call in the words of other browser tools into ours; the translation may be invalid, and is never run.

Rules of this file:
- A translation is offered in an error, and the client decides: a user approves a tool by its name.
- Of the same tool every word must have a meaning; of another tool's call, what has none is left out.
"""

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

import msgspec

from gasoline_bridge.front.other_words import ALLOWED, LEVELS, MEANINGS, OURS, PREFIXES, Meant
from gasoline_bridge.front.schema import flat_schema
from gasoline_bridge.front.tools import TIMEOUT_MAX_MS, TOOLS

SHOWN = 300  # characters of a text in a call that is offered
MODE_WORDS = ("action", "type", "method", "direction")  # parameters of others that choose what a tool of theirs does
KEY_WORDS = ("type", "mode", "kind", "category", "command", "name")  # other words for `what` and `action`
COMPOSITE = ("interact", "observe", "configure")
REF = re.compile(r"[0-9a-f]{4}-\d+")  # as list_interactive numbers elements
LIST = Meant("interact", {"action": "list_interactive"}, "List the elements first: their refs are the selectors. ")
TABS = Meant("observe", {"what": "tabs"}, "A tab is named by its `tab_id`, which is listed here. ")
FIELD = "A field has `selector` and one of `value`, `values` and `checked`. "
ROLES = {"a": "link", "button": "button", "link": "link", "option": "option", "tab": "tab"}
WAYS = {
    "test_id": "testid={}",
    "testid": "testid={}",
    "data_testid": "testid={}",
    "label": "label={}",
    "aria_label": "label={}",
    "placeholder": "placeholder={}",
    "xpath": "xpath={}",
    "id": "#{}",
    "text": "text={}",
    "name": '[name="{}"]',
}
"""The parameters by which others name an element, as our selectors; the first that is given counts."""

BY = WAYS | {"class": ".{}", "class_name": ".{}", "link_text": "text={}"}
"""Selenium's ways to find an element, beside CSS."""

REFS = ("ref", "uid", "element_ref", "start_ref", "from_uid", "from_ref")
END_REFS = ("end_ref", "to_uid", "to_ref")
UNPLACED = (*REFS, *END_REFS, "element", "target", "coordinate", "x", "y", "elements", "fields")
"""What names an element, though not in a way that means anything here."""

FILES = "html?|php|aspx?|jsp|js|css|json|xml|txt|pdf|svg|png"  # what ends the name of a file, and no host's

TEXTS = frozenset(
    name
    for tool in TOOLS.values()
    for name, described in flat_schema(tool.arguments)["properties"].items()
    if described.get("type", "string") == "string"
)
"""The parameters that are texts."""

Arguments = dict[str, Any]


class Call(NamedTuple):
    """A call in our words, and what is to be said before it."""

    tool: str
    arguments: Arguments
    note: str = ""

    def __str__(self) -> str:
        """Write it as the documentation writes calls."""
        pairs = (f"{name}:{msgspec.json.encode(_cut(value)).decode()}" for name, value in self.arguments.items())
        return f"{self.tool}({', '.join(pairs)})"


def translated(name: str, request: Arguments) -> Call | None:
    """Give what a call means in our words, or nothing where its words are unknown."""
    given = {_snake(word): value for word, value in request.items() if value is not None}
    meant = _meant(name, given)
    if meant is None:
        return None
    is_other = meant.tool != name
    is_same = not is_other and all(value in request.values() for value in meant.arguments.values())
    takes, needs = _parameters(meant)
    arguments, left = _renamed(meant, takes, given)
    note = meant.note or (FIELD if "fields" in arguments else _note(meant, arguments.keys() - given.keys()))
    if "selector" in needs or any(word in left for word in REFS):
        _point(arguments, left)
    is_unplaced = (
        "selector" in needs and "selector" not in arguments and (is_other or not given.keys().isdisjoint(UNPLACED))
    )
    if is_unplaced or any(not one.get("selector") for one in arguments.get("fields", ()) if isinstance(one, dict)):
        where = {one: arguments[one] for one in ("tab_id", "frame") if one in arguments}
        return Call(LIST.tool, LIST.arguments | where, LIST.note)
    if "tab_id" in needs and "tab_id" not in arguments and not is_same:
        return Call(*TABS)
    left = {word: value for word, value in left.items() if word not in ALLOWED}
    if left.pop("submit", False) and arguments.get("action") == "type":
        return _typed_and_sent(arguments) if is_other or not left else None
    if left and not is_other:
        return None
    return Call(meant.tool, _awaited(arguments, given), note)


def _meant(name: str, given: Arguments) -> Meant | None:
    """Find what a call asks for, and take the words that choose it out of what was given."""
    tool = TOOLS.get(name)
    if tool is None:
        return _with_mode(name, given)
    if not tool.key:
        return Meant(name, {})
    word = next((word for word in ("what", "action", *KEY_WORDS) if word in given), "")
    value = given.pop(word, None)
    if isinstance(value, str) and value in tool.modes:
        return Meant(name, {tool.key: value})
    return _with_mode(value, given) if isinstance(value, str) and word in ("what", "action") else None


def _with_mode(name: str, given: Arguments) -> Meant | None:
    """Find what a word means, together with the parameter that goes with it: `handle_dialog` with `action`."""
    for word in MODE_WORDS:
        if found := _of_word(f"{name}_{given.get(word, '')}"):
            del given[word]
            return found
    if not given.keys().isdisjoint(("selector", *REFS)) and (found := _of_word(f"{name}_to_element")):
        return found
    return _of_word(name)


def _of_word(word: str) -> Meant | None:
    """Find what a tool's name or an action means, without the prefix of its tool too."""
    plain = _snake(word)
    short = next((plain.removeprefix(prefix) for prefix in PREFIXES if plain.startswith(prefix)), plain)
    for one in (plain, short, short.removeprefix("get_")):
        if one in MEANINGS:
            return MEANINGS[one]
        if one in TOOLS and not TOOLS[one].key:
            return Meant(one, {})
        if tool := next((tool for tool in COMPOSITE if one in TOOLS[tool].modes), ""):
            return Meant(tool, {TOOLS[tool].key: one})
    return None


def _parameters(meant: Meant) -> tuple[set[str], tuple[str, ...]]:
    """Name the parameters that a mode takes, and those that it needs."""
    tool = TOOLS[meant.tool]
    fields = msgspec.structs.fields(tool.arguments)
    if not tool.key:
        return {field.encode_name for field in fields}, tuple(one.encode_name for one in fields if one.required)
    mode = tool.modes[meant.arguments[tool.key]]
    return {*mode.arguments, "tab_id", "budget"}, mode.needs


def _renamed(meant: Meant, takes: set[str], given: Arguments) -> tuple[Arguments, Arguments]:
    """Give the arguments by our names, and what has none."""
    arguments = dict(meant.arguments)
    fixed = arguments.keys() - {"selector", "dy"}
    own = [word for word in given if word in takes and not (word == "keys" and isinstance(given[word], str))]
    for word in own:
        if word not in fixed:
            arguments[word] = _shaped(word, given[word])
    left = {}
    for word, value in given.items():
        if word in own:
            continue
        ours = next((one for one in OURS.get(word, ()) if one in takes and one not in arguments), "")
        if ours and not isinstance(value, dict):
            arguments[ours] = _shaped(ours, value)
        else:
            left[word] = value
    if left.pop("double_click", False) is True and "count" in takes:
        arguments["count"] = 2
    return arguments, left


def _awaited(arguments: Arguments, given: Arguments) -> Arguments:
    """Add what is waited for: that a text goes, or that the page comes to rest."""
    if arguments.get("action") != "wait_for":
        return arguments
    if "text_gone" in given:
        return arguments | {"text": given["text_gone"], "state": "hidden"}
    if given.keys().isdisjoint(("time", "timeout")) or not arguments.keys().isdisjoint(("selector", "text", "url")):
        return arguments
    return arguments | {"state": "quiet"}


def _point(arguments: Arguments, left: Arguments) -> None:
    """Name the element by one of the ways that others have, and take it out of what is left."""
    role = ROLES.get(str(arguments.get("selector")))
    if role and isinstance(left.get("text"), str):
        arguments["selector"] = f'role={role}[name="{left.pop("text")}"]'
    if "selector" not in arguments and (found := _located(left)) is not None:
        arguments["selector"] = found
    end = next((left[word] for word in END_REFS if word in left), "")
    if arguments.get("action") == "drag" and REF.fullmatch(str(end)):
        arguments["to"] = f"ref={end}"


def _located(left: Arguments) -> str | None:
    """Write the selector for an element that was named otherwise, or nothing."""
    refs = [str(left.pop(word)).removeprefix("ref=") for word in REFS if word in left]
    if refs and REF.fullmatch(refs[0]):
        return f"ref={refs[0]}"
    if "by" in left and "value" in left:
        by, value = _snake(str(left.pop("by"))).replace(" ", "_"), left.pop("value")
        return BY.get(by, "{}").format(value)
    if "role" in left:
        name = left.pop("name", left.pop("text", ""))
        return f'role={left.pop("role")}[name="{name}"]' if name else f"role={left.pop('role')}"
    word = next((word for word in WAYS if isinstance(left.get(word), str)), "")
    return WAYS[word].format(left.pop(word)) if word else None


def _typed_and_sent(arguments: Arguments) -> Call:
    """Write a text that is to be sent as two steps."""
    press = {"action": "key_press", "selector": arguments.get("selector"), "key": "Enter"}
    tab = {"tab_id": arguments.pop("tab_id")} if "tab_id" in arguments else {}
    return Call("interact", {"action": "batch", "steps": [arguments, press]} | tab)


def _note(meant: Meant, added: Iterable[str]) -> str:
    """State which of our words are meant."""
    names = " and ".join(f"`{name}`" for name in sorted(set(added) - meant.arguments.keys()))
    mode = next(iter(meant.arguments.values()), meant.tool)
    return f"`{mode}` takes {names}. " if names else ""


def _shaped(name: str, value: Any) -> Any:  # noqa: ANN401, C901, PLR0911 - JSON, each parameter in its own way
    """Give a value the type that our parameter has, where that loses nothing."""
    if isinstance(value, str) and name not in TEXTS:
        value = _decoded(value)
    match name, value:
        case "levels", _:
            return [LEVELS.get(str(one), one) for one in _listed(value)]
        case "modifiers", list():
            return "+".join(map(str, value)).replace("ControlOrMeta", "Control")
        case (("files" | "values"), str()):
            return [value]
        case "fields", _:
            return _fields(value)
        case "timeout_ms", int():
            return min(value, TIMEOUT_MAX_MS)
        case "url", str():
            return _whole(value)
        case "selector", list():
            return ", ".join(map(str, value))
        case (("text" | "value"), [str(only)]):
            return only
        case (("text" | "value"), int() | float()) if not isinstance(value, bool):
            return str(value)
        case _:
            return value


def _decoded(text: str) -> Any:  # noqa: ANN401 - JSON
    """Read a value that was sent as its JSON in a text."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        return text


def _whole(url: str) -> str:
    """Complete an address without its scheme."""
    host = re.match(rf"(localhost|127\.0\.0\.1)([:/]|$)|([\w-]+\.)+(?!({FILES})\b)[a-z]{{2,}}([:/]|$)", url)
    return url if host is None else f"{'http' if host[1] else 'https'}://{url}"


def _fields(value: Any) -> Any:  # noqa: ANN401 - JSON
    """Give the fields of a form in our words."""
    rows = [{"selector": name, "value": one} for name, one in value.items()] if isinstance(value, dict) else value
    return [_form_field(row) if isinstance(row, dict) else row for row in _listed(rows)]


def _form_field(row: Arguments) -> Arguments:
    left = {_snake(word): value for word, value in row.items() if value is not None}
    label = str(left.get("name", ""))
    if not re.fullmatch(r"[a-z_][\w.\[\]-]*|", label):
        left["label"] = left.pop("name")  # a name as a person reads it
    value = left.pop("value", left.pop("text", ""))
    css = next((left[word] for word in ("selector", "css", "locator") if word in left), None)
    point = {"selector": css if css is not None else _located(left)}
    if left.get("type") in ("checkbox", "radio") or isinstance(value, bool) or "checked" in left:
        return point | {"checked": str(left.get("checked", value)).lower() == "true"}
    return point | ({"values": value} if isinstance(value, list) else {"value": str(value)})


def _listed(value: Any) -> list[Any]:  # noqa: ANN401 - JSON
    return value if isinstance(value, list) else [value]


def _snake(word: str) -> str:
    """Write a name in snake case."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", word).replace("-", "_").lower()


def _cut(value: Any) -> Any:  # noqa: ANN401 - JSON
    if isinstance(value, str) and len(value) > SHOWN:
        return f"{value[:SHOWN]}…"
    if isinstance(value, list):
        return [_cut(one) for one in value]
    return {name: _cut(one) for name, one in value.items()} if isinstance(value, dict) else value
