"""Checks the arguments of a call: everything that can be known without a page; the extension relies on it.

Every error names the parameter and what is valid. No client checks them before.
"""

import difflib
import functools
import re
from collections.abc import Iterable
from typing import Any

import msgspec

from gasoline_bridge.front import analyses, first_tries
from gasoline_bridge.front.actions import OFFSET, Mode, limited
from gasoline_bridge.front.tools import ADDRESS, TOOLS, Field, Tool, modes
from gasoline_broker.errors import Failed, Failure, fail

SHOWN = 80  # characters of a wrong value that are repeated
SCRIPT_CHARACTERS = 100_000  # more than is written by hand; a library is loaded by the page
FILLED = ("value", "values", "checked")
CURSOR_GIVEN = "(cursor)"  # in the place of an argument that only the first call of a reply needs
WAITED = {"quiet": (), "finished": ("url",)}  # states that are not an element's, and what they need
SCRIPT_WORDS = (
    "code",
    "function",
    "expression",
    "javascript",
)  # each means `script`, which is too long to be sent again
WAITS = 'A request is waited for by `url` and state:"finished"; state:"quiet" takes nothing else.'
_PLACE = re.compile(r"^(?P<what>.*?)(?: - at `\$\.?(?P<path>.*)`)?$", re.DOTALL)
_STEP = re.compile(r"\[(\d+)\]|([^.\[]+)")  # of such a path: an index or a name


def read(name: str, request: dict[str, Any]) -> Any:  # noqa: ANN401 - a Struct of the tool's own type
    """Give the arguments as the tool's Struct.

    Raises:
        Failed: `invalid_params`; `payload_too_large` for a script; `not_found` for an unknown tool. The recovery of a
            call in the words of other tools is the call that is meant.

    """
    try:
        return _checked(name, request)
    except Failed as fault:
        raise Failed(_with_call(fault.failure, name, request)) from None


def _with_call(failure: Failure, name: str, request: dict[str, Any]) -> Failure:
    """Name the call that is meant, if it is known and valid."""
    call = first_tries.translated(name, request)
    if call is None or (call.tool, call.arguments) == (name, request):
        return failure
    try:
        _checked(call.tool, call.arguments)
        for step in call.arguments.get("steps", ()):
            _checked("interact", step)
    except Failed:
        return failure
    return msgspec.structs.replace(failure, recovery=f"{call.note}Call {call}.")


def _checked(name: str, request: dict[str, Any]) -> Any:  # noqa: ANN401 - a Struct of the tool's own type
    tool = TOOLS.get(name)
    if tool is None:
        fail("not_found", f"There is no tool {name[:SHOWN]!r}.", f"Tools: {', '.join(TOOLS)}.{_nearest(name, TOOLS)}")
    arguments = _with_script(tool, _without_nulls(tool, _with_key(tool, dict(request))))
    _check_names(name, tool, arguments)
    if tool.key and "cursor" not in arguments:  # else it is the rest of a reply
        _check_needed(arguments[tool.key], tool.modes[arguments[tool.key]], arguments)
    _check_statuses(arguments)
    if name == "interact" and "cursor" not in arguments:
        _check_address(arguments)
        if arguments["action"] == "wait_for":
            _check_wait(arguments)
    if name == "analyze" and "cursor" not in arguments and arguments["action"] in analyses.ANALYZED:
        _check_analysis(arguments)
    if "cursor" in arguments:
        arguments = dict.fromkeys(_required(tool), CURSOR_GIVEN) | arguments
    try:
        checked = msgspec.convert(arguments, tool.arguments)
    except msgspec.ValidationError as fault:
        _explain(name, tool, arguments, str(fault))
    _check_script(arguments.get("script", ""))
    if isinstance(fields := getattr(checked, "fields", None), list):
        _check_fields(fields)
    return checked


def _required(tool: Tool) -> list[str]:
    """Name the arguments that every call needs, unless it has the cursor of a reply: all of them are texts."""
    return [field.encode_name for field in _fields(tool.arguments) if field.required]


_fields = functools.cache(msgspec.structs.fields)
"""The fields of a Struct, whose annotations are evaluated at each look."""


@functools.cache
def _limited(name: str) -> dict[str, tuple[str, ...]]:
    """Give what only some modes of a tool take, which takes a millisecond to find for that with the most."""
    return limited(TOOLS[name].modes)


def _with_key(tool: Tool, arguments: dict[str, Any]) -> dict[str, Any]:
    """Accept the other name of the tool's key, and check its value."""
    if not tool.key:
        return arguments
    alias = "action" if tool.key == "what" else "what"
    valid = modes(tool)
    if alias in arguments:
        value = arguments.pop(alias)
        if arguments.setdefault(tool.key, value) != value:
            _refuse(tool.key, f"`{tool.key}` and `{alias}` are two names of one parameter and differ.", valid)
    if tool.key not in arguments:
        _refuse(tool.key, f"Required parameter `{tool.key}` is missing.", valid)
    value = arguments[tool.key]
    if value not in valid:
        _refuse(tool.key, f"`{tool.key}` is {_shown(value)}, which is not one of its values.", valid, value)
    return arguments


def _without_nulls(tool: Tool, arguments: dict[str, Any]) -> dict[str, Any]:
    """Leave out optional parameters that are null: clients send them so."""
    if None not in arguments.values():
        return arguments
    optional = {field.encode_name for field in _fields(tool.arguments) if not field.required}
    return {name: value for name, value in arguments.items() if value is not None or name not in optional}


def _with_script(tool: Tool, arguments: dict[str, Any]) -> dict[str, Any]:
    """Accept the other names of a script."""
    other = [word for word in SCRIPT_WORDS if word in arguments]
    if len(other) != 1 or "script" in arguments or "script" not in tool.arguments.__struct_fields__:
        return arguments
    return {"script" if name == other[0] else name: value for name, value in arguments.items()}


def _check_names(name: str, tool: Tool, arguments: dict[str, Any]) -> None:
    known = [field.encode_name for field in _fields(tool.arguments)]
    only = _limited(name)
    for parameter in arguments:
        if parameter not in known:
            _refuse(parameter, f"`{name}` has no parameter {parameter[:SHOWN]!r}.", known, parameter)
        if parameter in only and arguments[tool.key] not in only[parameter]:
            text = f"`{parameter}` applies only to {_listed(only[parameter])}."
            recovery = f"Leave `{parameter}` out, or choose another `{tool.key}`."
            fail("invalid_params", text, recovery, parameter=parameter)


def _check_needed(name: str, mode: Mode, arguments: dict[str, Any]) -> None:
    for needed in mode.needs:
        if needed not in arguments:
            fail("invalid_params", _missing(needed), f"`{name}` needs it.", parameter=needed)
    present = [one for one in mode.one_of if one in arguments]
    if mode.one_of and len(present) != 1 and str(arguments.get("state")) not in WAITED:
        fail(
            "invalid_params",
            _one_of(f"`{name}`", mode.one_of, present),
            parameter=present[-1] if present else mode.one_of[0],
        )
    if mode.any_of and not any(one in arguments for one in mode.any_of):
        fail("invalid_params", _one_of(f"`{name}`", mode.any_of, []), parameter=mode.any_of[0])
    if "to" in arguments and (offset := [one for one in OFFSET if one in arguments]):
        text = f"`to` and {_listed(offset)} are two ends of one drag."
        fail("invalid_params", text, f"Leave `to` or {_listed(offset)} out.", parameter=offset[0])


def _check_analysis(arguments: dict[str, Any]) -> None:
    """Check that there is such a scope, and that it takes these arguments."""
    scope = arguments.get("scope", "")
    if isinstance(scope, str):
        analyses.check(arguments["action"], analyses.chosen(arguments["action"], scope), arguments)


def _check_address(arguments: dict[str, Any]) -> None:
    """Check that a page to be loaded is named by a whole address."""
    url = arguments.get("url")
    if arguments["action"] == "wait_for" or not isinstance(url, str) or re.match(ADDRESS, url):
        return
    expected = "a whole address that begins with http:// or https://, such as http://localhost:3000/"
    text = f"`url` is {_shown(url)}: expected {expected}."
    fail("invalid_params", text, "Call again with another `url`.", parameter="url")


def _check_wait(arguments: dict[str, Any]) -> None:
    """Check that what is waited for goes with its state."""
    takes = WAITED.get(str(arguments.get("state", "")))
    wrong = (
        ""
        if takes is None
        else next((one for one in ("selector", "text", "url") if (one in arguments) != (one in takes)), "")
    )
    if wrong:
        text = f"`{wrong}` does not go with `state`." if wrong in arguments else _missing(wrong)
        fail("invalid_params", text, WAITS, parameter=wrong)


def _check_statuses(arguments: dict[str, Any]) -> None:
    least, most = arguments.get("status_min", 0), arguments.get("status_max", 0)
    if isinstance(least, int) and isinstance(most, int) and 0 < most < least:
        text = f"`status_max` is {most}, less than `status_min`, {least}."
        _refuse("status_max", text, ["0 (any)", f"{least} to 999"])


def _check_script(script: str) -> None:
    if len(script) > SCRIPT_CHARACTERS:
        text = f"`script` has {len(script)} characters; {SCRIPT_CHARACTERS} are the most."
        details = {"parameter": "script", "characters": len(script), "limit_characters": SCRIPT_CHARACTERS}
        fail("payload_too_large", text, "Send a shorter script.", **details)


def _check_fields(fields: Iterable[Field]) -> None:
    for index, field in enumerate(fields):
        present = [name for name in FILLED if getattr(field, name) is not msgspec.UNSET]
        if len(present) != 1:
            place = f"fields[{index}]"
            recovery = 'For example: [{"selector":"#name","value":"Ada"},{"selector":"#agree","checked":true}]'
            fail("invalid_params", _one_of(f"`{place}`", FILLED, present), recovery, parameter=place)


def _explain(name: str, tool: Tool, arguments: dict[str, Any], fault: str) -> None:
    """Fail with what msgspec found, in the words of the parameter."""
    found = _PLACE.match(fault)
    what, path = (found["what"], found["path"] or "") if found else (fault, "")
    if missing := re.search(r"missing required field `(.+?)`", what):
        place = f"{path}.{missing[1]}" if path else missing[1]
        fail("invalid_params", _missing(place), f"`{path or name}` needs it.", parameter=place)
    expected = _expected(tool, path)
    wrong = f"expected {expected}" if expected else f"{what[:1].lower()}{what[1:]}"
    parameter = re.split(r"[.\[]", path, maxsplit=1)[0]
    text = f"`{path}` is {_shown(_value_at(arguments, path))}: {wrong}."
    fail("invalid_params", text, f"Call again with another `{parameter}`.", parameter=path)


def _value_at(arguments: dict[str, Any], path: str) -> object:
    value: Any = arguments
    for index, name in _STEP.findall(path):
        value = value[int(index)] if index else value[name]
    return value


def _expected(tool: Tool, path: str) -> str:
    """Give in words what the value at this path must be, or nothing where msgspec's message states all of it."""
    kind: msgspec.inspect.Type = msgspec.inspect.type_info(tool.arguments)
    words = ""
    for index, name in _STEP.findall(path):
        kind, words = _plain(_item(kind) if index else _field(kind, name))
    return words or _taken(kind)


def _plain(kind: msgspec.inspect.Type) -> tuple[msgspec.inspect.Type, str]:
    """Give a type without its metadata, and the words that the table has for its pattern."""
    if not isinstance(kind, msgspec.inspect.Metadata):
        return kind, ""
    return kind.type, str((kind.extra or {}).get("expected", ""))


def _taken(kind: msgspec.inspect.Type) -> str:
    match kind:
        case msgspec.inspect.LiteralType(values=values):
            return f"one of {', '.join(str(value) or 'an empty text' for value in values)}"
        case msgspec.inspect.IntType(ge=int(least), le=most):
            return f"a whole number, at least {least}" if most is None else f"a whole number from {least} to {most}"
        case _:
            return ""


def _item(kind: msgspec.inspect.Type) -> msgspec.inspect.Type:
    return kind.item_type if isinstance(kind, msgspec.inspect.ListType) else msgspec.inspect.AnyType()


def _field(kind: msgspec.inspect.Type, name: str) -> msgspec.inspect.Type:
    fields = kind.fields if isinstance(kind, msgspec.inspect.StructType) else ()
    return next((field.type for field in fields if field.encode_name == name), msgspec.inspect.AnyType())


def _refuse(parameter: str, text: str, valid: Iterable[str], wrong: object = "") -> None:
    names = list(valid)
    fail("invalid_params", text, f"Valid: {', '.join(names)}.{_nearest(wrong, names)}", parameter=parameter[:SHOWN])


def _missing(parameter: str) -> str:
    return f"Required parameter `{parameter}` is missing."


def _one_of(what: str, names: Iterable[str], present: list[str]) -> str:
    found = f", not {_listed(present)}" if present else ""
    return f"{what} needs one of {_listed(names)}{found}."


def _listed(names: Iterable[str]) -> str:
    *first, last = [f"`{name}`" for name in names]
    return f"{', '.join(first)} and {last}" if first else last


def _nearest(wrong: object, valid: Iterable[str]) -> str:
    close = difflib.get_close_matches(str(wrong).lower(), list(valid), n=1, cutoff=0.5)
    return f" Did you mean {close[0]}?" if close else ""


def _shown(value: object) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
