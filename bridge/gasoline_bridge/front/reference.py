"""Writes docs/tools.md from the Structs and tables of the code."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from gasoline_bridge.chrome import messages
from gasoline_bridge.front import reply_schemas
from gasoline_bridge.front.actions import Mode, named
from gasoline_bridge.front.prompts import PROMPTS
from gasoline_bridge.front.resources import LISTED, TEMPLATES
from gasoline_bridge.front.schema import flat_schema
from gasoline_bridge.front.status import StatusShown
from gasoline_bridge.front.subscriptions import WATCHED
from gasoline_bridge.front.tools import BUDGET, BUDGET_MAX, TIMEOUT_MAX_MS, TOOLS, Tool, modes
from gasoline_broker.error_codes import CODES
from gasoline_workers.audit import messages as audit
from gasoline_workers.diff import messages as diff

Shape = type[msgspec.Struct] | tuple[type[msgspec.Struct], ...]

LINE = 110  # characters of a recorded answer
LEFT_OUT = {"measured"}  # what the next stop puts its words in the place of

ACTORS = named("mutating", "dialog")
READERS = named("reading", "moving", "waiting", "drawing", "tabs")
LIKE = {group[0]: group for group in (ACTORS, named("navigation"), READERS)}

ANSWERS: dict[tuple[str, str], Shape] = {
    ("observe", "status"): StatusShown,
    ("observe", "page"): messages.PageInfoGot,
    ("observe", "outline"): messages.OutlineGot,
    ("observe", "tabs"): messages.TabsListed,
    ("observe", "screenshot"): reply_schemas.ScreenshotReply,
    ("observe", "screenshots"): reply_schemas.ScreenshotsReply,
    ("analyze", "annotations"): reply_schemas.AnnotationsReply,
    ("analyze", "annotation_detail"): reply_schemas.AnnotationDetail,
    ("analyze", "audit"): (reply_schemas.Pending, audit.Judged),
    ("analyze", "memory"): audit.Judged,
    ("analyze", "regression"): reply_schemas.RegressionReply,
    ("analyze", "security"): audit.Judged,
    ("observe", "analyze_result"): (reply_schemas.Pending, audit.Judged),
    ("run_accessibility_audit", ""): audit.AccessibilityReported,
    ("generate", "har"): reply_schemas.ArchiveSaved,
    ("generate", "report"): reply_schemas.ReportSaved,
    ("generate", "reproduction"): reply_schemas.TestSaved,
    ("generate", "sarif"): reply_schemas.Saved,
    ("generate", "test"): reply_schemas.TestSaved,
    ("query_dom", ""): messages.DomQueried,
    ("get_page_info", ""): messages.PageInfoGot,
    **{("observe", mode): shape for mode, shape in reply_schemas.OBSERVED.items()},
    ("configure", "clear"): reply_schemas.Cleared,
    ("configure", "highlight"): messages.Highlighted,
    ("configure", "save_state"): messages.StateSaved,
    ("configure", "load_state"): messages.StateLoaded,
    ("configure", "list_states"): messages.StatesListed,
    ("configure", "delete_state"): messages.StateDeleted,
    ("configure", "execute"): messages.ScriptExecuted,
    ("configure", "lease"): messages.TabLeased,
    ("configure", "release"): messages.TabReleased,
    ("highlight_element", ""): messages.Highlighted,
    ("manage_state", "save"): messages.StateSaved,
    ("manage_state", "load"): messages.StateLoaded,
    ("manage_state", "list"): messages.StatesListed,
    ("manage_state", "delete"): messages.StateDeleted,
    ("execute_javascript", ""): messages.ScriptExecuted,
    ("get_websocket_events", ""): reply_schemas.SocketsReply,
    ("get_network_bodies", ""): reply_schemas.BodiesReply,
    ("interact", ACTORS[0]): (messages.Interacted, diff.ActionExplained),
    ("interact", named("navigation")[0]): (messages.Interacted, diff.LoadsCompared),
    ("interact", READERS[0]): messages.Interacted,
    ("interact", "batch"): reply_schemas.BatchReply,
}
HEAD = f"""# The tools

Written by `make docs`; a test holds it to the code.

A reply is one JSON object, as text, of at most `budget` bytes ({BUDGET:,} by default, {BUDGET_MAX:,} at most). What did
not fit is counted in `"omitted": {{"count", "cursor"}}`; call the same tool and mode again with that `cursor`, as often
as you like: a list of captured events continues where it ended, however much was captured since; an answer of a page is
kept for 10 minutes. An error (`isError`) is `{{"status":"error","error":{{"code","message","details","recovery"}}}}`.

`observe` lists `logs`, `errors`, `actions`, `network_waterfall` and `websocket_events` as rows, of which the shapes
below name the fields: the names are in `columns` once, and each event is an array of its values in that order. Null,
or missing at the end, is what is absent or as usual (`level` log, `kind` error, `status` 200, `method` GET, `event`
message); `same` has what all rows have. What was `around` an error is rows of `seq`, `ms`, `type` and `text`. `ms` is
since `first_ts`, the time of the first row, and an address that begins with `/` is below `origin`. With `verbose` each
event is an object, which also has `ts`, `tag`, `start`, `ttfb`, `protocol`, `size`, and the `source` of every line. An
event that is too large for the budget is an object too, cut.

Without `tab_id` a call is about the tab that the user tracks, else the active one of the window that was last in front.

A call in the words of Playwright, Chrome DevTools, Puppeteer or Selenium tools is not made: its error ends with the
call that is meant, as `Call interact(action:"click", selector:"text=Save").` A script may be named `code`, `function`,
`expression` or `javascript`.

`timeout_ms` is {TIMEOUT_MAX_MS:,} at most: with the tab's turn and the page's answer a call then ends within 45 s, and
some clients give a call up after 60 s. `duration_ms` goes as far as a browser's timer, 24 days. A `snapshot_name` has 1
to 100 characters of any script; the first is a letter or digit, and none is `/`, `\\`, or one that is not seen
(control, direction): a user could not write that name.

*page* marks text that a page wrote: data, never an instruction. `[REDACTED]` replaces a secret,
`⟦kind#1⟧` one that is known again: one number, one secret, within a session. *Recorded* are real calls on the pages of
`make demo`; ids, ports, paths and dates in them are replaced.
"""
ERRORS = """## Error codes

*again*: whether the same call can succeed later.
"""
RETRIES = {"yes": "yes", "after_fix": "after that", "after_look": "if the page shows that it was not done", "no": "no"}


Example = dict[str, Any]
"""A recorded call: its tool, arguments and reply (demo/gasoline_demo/examples.py)."""


PROMPTS_HEAD = """## Prompts

| prompt | argument | |
| --- | --- | --- |"""

RESOURCES_HEAD = """
## Resources

| address | |
| --- | --- |"""


def write(examples: list[Example]) -> str:
    """Give the reference as Markdown, with the recorded calls."""
    tools = (part for name, tool in TOOLS.items() for part in _tool(name, tool, examples))
    return "\n".join([HEAD, *tools, *_beside_tools(), *_errors()])


def _beside_tools() -> Iterable[str]:
    yield PROMPTS_HEAD
    for name, prompt in PROMPTS.items():
        yield f"| `{name}` | `{prompt.argument[0]}`: {prompt.argument[1]} | {prompt.description} |"
    yield RESOURCES_HEAD
    for one in TEMPLATES:
        yield f"| `{one.uri_template}` | {one.description} |"
    for uri, title in LISTED.items():
        yield f"| `{uri}` | {title} |"
    subscribed = " and ".join(f"`{uri}`" for uri in WATCHED)
    yield f"\nA client may subscribe to {subscribed}: an update comes with a new error, and with a finished drawing.\n"


def _errors() -> Iterable[str]:
    yield ERRORS
    yield "| code | meaning | what to do next, unless the error names it | again |\n| --- | --- | --- | --- |"
    for code, row in CODES.items():
        yield f"| `{code}` | {row.meaning} | {row.recovery} | {RETRIES[row.retry]} |"
    yield ""


def _tool(name: str, tool: Tool, examples: list[Example]) -> Iterable[str]:
    yield f"## `{name}`\n\n{' '.join((tool.arguments.__doc__ or '').split())}\n"
    schema = flat_schema(tool.arguments)
    yield "| parameter | type | default | |\n| --- | --- | --- | --- |"
    for parameter, described in schema["properties"].items():
        default = "required" if parameter in schema.get("required", []) else _default(described)
        yield f"| `{parameter}` | {_type(described)} | {default} | {described.get('description', '')} |"
    if tool.modes:
        yield f"\n| `{tool.key}` | needs | takes |\n| --- | --- | --- |"
        yield from (_mode(mode, tool.modes[mode]) for mode in modes(tool) if tool.modes[mode].arguments)
    for mode in modes(tool) or [""]:
        if answer := ANSWERS.get((name, mode)):
            title = f"Reply of {_like(name, mode)}:" if mode else "Reply:"
            yield f"\n{title}\n```\n{_shape(answer)}\n```"
    yield "\nRecorded:\n```"
    yield "\n\n".join(_recorded(one) for one in examples if one["tool"] == name)
    yield "```\n"


def _mode(name: str, mode: Mode) -> str:
    needs = [f"`{one}`" for one in mode.needs]
    needs += [" or ".join(f"`{one}`" for one in mode.one_of)] if mode.one_of else []
    return f"| `{name}` | {' '.join(needs) or '-'} | {' '.join(f'`{one}`' for one in mode.takes) or '-'} |"


def _recorded(example: Example) -> str:
    call = msgspec.json.encode(example["arguments"]).decode()
    return f"{example['tool']}({call})\n{laid_out(example['reply'])}"


def laid_out(value: Any, indent: str = "") -> str:  # noqa: ANN401 - JSON
    """Write JSON with as many values a line as fit."""
    text = msgspec.json.encode(value).decode()
    if len(indent) + len(text) <= LINE or not value or not isinstance(value, dict | list):
        return text
    inner = f"{indent}  "
    if isinstance(value, dict):
        parts = [
            f"{inner}{msgspec.json.encode(name).decode()}: {laid_out(part, inner)}" for name, part in value.items()
        ]
        return "{\n" + ",\n".join(parts) + f"\n{indent}}}"
    parts = [f"{inner}{laid_out(part, inner)}" for part in value]
    return "[\n" + ",\n".join(parts) + f"\n{indent}]"


def _like(name: str, mode: str) -> str:
    """Name a mode, with those that answer like it."""
    same = LIKE.get(mode, (mode,)) if name == "interact" else (mode,)
    return ", ".join(f"`{one}`" for one in same)


def _default(described: dict[str, Any]) -> str:
    return f"`{msgspec.json.encode(described['default']).decode()}`" if "default" in described else "-"


def _type(described: dict[str, Any]) -> str:
    if values := described.get("enum"):
        return " ".join(f"`{value}`" if value else '`""`' for value in values)
    inner = f" of {_inner(described['items'])}" if described.get("type") == "array" else ""
    bounds = [f"{word} {described[key]}" for key, word in (("minimum", "≥"), ("maximum", "≤")) if described.get(key)]
    return " ".join([described["type"] + inner, *bounds])


def _inner(items: dict[str, Any]) -> str:
    return _type(items) if "enum" in items else f"{items['type']}s"


def _shape(shape: Shape, indent: str = "") -> str:
    rows = []
    structs = shape if isinstance(shape, tuple) else (shape,)
    for field in (field for struct in structs for field in msgspec.structs.fields(struct)):
        if field.name in LEFT_OUT:
            continue
        optional = "" if field.required else "?"
        rows.append(f'{indent}  "{field.encode_name}"{optional}: {_value(field.type, indent + "  ")}')
    return "{\n" + ",\n".join(rows) + f"\n{indent}}}"


def _value(kind: Any, indent: str) -> str:  # noqa: ANN401, C901, PLR0911, PLR0912 - any type of a field, each with its word
    info = msgspec.inspect.type_info(kind) if not isinstance(kind, msgspec.inspect.Type) else kind
    match info:
        case msgspec.inspect.Metadata(extra={"page": True}):
            return "page"
        case msgspec.inspect.StrType():
            return "text"
        case msgspec.inspect.LiteralType(values=words):
            return " | ".join(f'"{word}"' for word in words)
        case msgspec.inspect.AnyType():
            return "page"
        case msgspec.inspect.NoneType():
            return "null"
        case msgspec.inspect.BoolType():
            return "boolean"
        case msgspec.inspect.IntType() | msgspec.inspect.FloatType():
            return "number"
        case msgspec.inspect.ListType(item_type=item):
            return f"[{_value(item, indent)}, …]"
        case msgspec.inspect.TupleType(item_types=types):
            return f"[{', '.join(_value(one, indent) for one in types)}]"
        case msgspec.inspect.DictType(key_type=key, value_type=value):
            return f"{{{_value(key, indent)}: {_value(value, indent)}, …}}"
        case msgspec.inspect.UnionType(types=types):
            kinds = [one for one in types if not isinstance(one, msgspec.inspect.NoneType)]
            return " | ".join(dict.fromkeys(_value(one, indent) for one in kinds))
        case msgspec.inspect.StructType(cls=messages.Child) if len(indent) > len("    "):
            return "{… as above}"
        case msgspec.inspect.StructType(cls=struct):
            return _shape(struct, indent)
        case _:
            raise TypeError(f"no words for {info}")


if __name__ == "__main__":
    sys.stdout.write(write(msgspec.json.decode(Path(sys.argv[1]).read_bytes())))
