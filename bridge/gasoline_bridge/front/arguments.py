"""Checks what a client sent, for no client checks it before; every refusal names the parameter and what is valid."""

import difflib
import re
from collections.abc import Iterable
from typing import Any

import msgspec

from gasoline_bridge.front.tools import TOOLS, Tool, modes
from gasoline_broker.errors import fail

SHOWN = 80  # characters of a wrong value that are repeated
_PLACE = re.compile(r"^(?P<what>.*?)(?: - at `\$\.?(?P<path>.*)`)?$", re.DOTALL)


def read(name: str, given: dict[str, Any]) -> Any:  # noqa: ANN401 - a Struct of the tool's own type
    """Give the arguments as the tool's Struct.

    Raises:
        Failed: `invalid_params`, or `not_found` for a tool that is none.

    """
    tool = TOOLS.get(name)
    if tool is None:
        fail("not_found", f"There is no tool {name[:SHOWN]!r}.", f"Tools: {', '.join(TOOLS)}.{_nearest(name, TOOLS)}")
    told = _with_key(tool, dict(given))
    optional = {field.encode_name for field in msgspec.structs.fields(tool.arguments) if not field.required}
    told = {parameter: value for parameter, value in told.items() if value is not None or parameter not in optional}
    fields = [field.encode_name for field in msgspec.structs.fields(tool.arguments)]
    for parameter in told:
        if parameter not in fields:
            _refuse(parameter, f"{name} has no parameter {parameter[:SHOWN]!r}.", fields, parameter)
        if parameter in tool.only and told[tool.key] not in tool.only[parameter]:
            text = f"{parameter} means nothing for {tool.key}:{told[tool.key]!r}, only for some other {tool.key}."
            _refuse(parameter, text, tool.only[parameter])
    for needed in tool.needs.get(told.get(tool.key, ""), ()):
        if needed in told:
            continue
        text = f"{tool.key}:{told[tool.key]!r} needs {needed}."
        fail("invalid_params", text, f"Call again with {needed}.", parameter=needed)
    least, most = told.get("status_min", 0), told.get("status_max", 0)
    if isinstance(least, int) and isinstance(most, int) and 0 < most < least:
        _refuse("status_max", f"status_max is {most}, less than status_min, {least}.", ["0 (any)", f"{least} to 999"])
    try:
        return msgspec.convert(told, tool.arguments)
    except msgspec.ValidationError as fault:
        _explain(name, told, str(fault))


def _with_key(tool: Tool, told: dict[str, Any]) -> dict[str, Any]:
    """Accept the other word for the tool's key, and check its value."""
    if not tool.key:
        return told
    alias = "action" if tool.key == "what" else "what"
    valid = modes(tool)
    if alias in told:
        value = told.pop(alias)
        if told.setdefault(tool.key, value) != value:
            _refuse(tool.key, f"{tool.key} and {alias} are two words for one thing and differ.", valid)
    if tool.key not in told:
        _refuse(tool.key, f"{tool.key} is missing.", valid)
    value = told[tool.key]
    if value not in valid:
        _refuse(tool.key, f"{tool.key} is {_shown(value)}, which is none of its values.", valid, value)
    return told


def _explain(name: str, told: dict[str, Any], fault: str) -> None:
    found = _PLACE.match(fault)
    what, path = (found["what"], found["path"] or "") if found else (fault, "")
    if missing := re.search(r"missing required field `(.+?)`", what):
        fail("invalid_params", f"{name} needs {missing[1]}.", f"Call again with {missing[1]}.", parameter=missing[1])
    parameter = re.split(r"[.\[]", path, maxsplit=1)[0]
    value = told.get(parameter)
    text = f"{parameter} is {_shown(value)}: {what[:1].lower()}{what[1:]}."
    fail("invalid_params", text, f"Call again with another {parameter}.", parameter=parameter)


def _refuse(parameter: str, text: str, valid: Iterable[str], wrong: object = "") -> None:
    names = list(valid)
    fail("invalid_params", text, f"Valid: {', '.join(names)}.{_nearest(wrong, names)}", parameter=parameter[:SHOWN])


def _nearest(wrong: object, valid: Iterable[str]) -> str:
    close = difflib.get_close_matches(str(wrong).lower(), list(valid), n=1, cutoff=0.5)
    return f" Did you mean {close[0]}?" if close else ""


def _shown(value: object) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
