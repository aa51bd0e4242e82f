"""A JSON path (RFC 9535) into the body of a response; pure, and the library is loaded when it is first asked for."""

import functools
from collections.abc import Callable
from typing import Any

import msgspec

from gasoline_broker.errors import fail
from gasoline_workers.journal.messages import Item

BY_PATTERN = ("match", "search")  # of RFC 9535: left out, for a pattern can take Python's `re` hours
BODY_KB = 16  # seed 002, Feature 2, Limits: "16KB per response body"


def finder(body_path: str) -> Callable[[object, bool], Item]:
    """Give what finds the path in a body: `{"value": …}`, or `{"path_error": …}` that says why not.

    The value of a path that can only have one match is that match, of any other the list of its matches.

    Raises:
        Failed: `invalid_params`: it is no path.

    """
    from jsonpath import JSONPath, JSONPathError  # noqa: PLC0415 - 0.1 s, for the few reads that need it

    try:
        path = _grammar().compile(body_path)
    except JSONPathError as fault:
        text = f"body_path is no JSON path: {str(fault).splitlines()[0]}."
        fail("invalid_params", text, "Write it as RFC 9535 does, such as $.items[0].id.", parameter="body_path")
    one = isinstance(path, JSONPath) and path.singular_query()

    def find(body: object, truncated: bool) -> Item:  # noqa: FBT001 - a flag of the body, by its side
        try:
            found = path.findall(_json(body))
        except (msgspec.DecodeError, RecursionError):
            return {"path_error": _why(body, truncated=truncated)}
        except JSONPathError as fault:
            return {"path_error": f"The path cannot be followed here: {str(fault).splitlines()[0]}."}
        if not found:
            return {"path_error": "Nothing in the body matches the path."}
        return {"value": found[0] if one else found}

    return find


@functools.cache
def _grammar() -> Any:  # noqa: ANN401 - of a library that is not loaded yet
    from jsonpath import JSONPathEnvironment  # noqa: PLC0415 - the same

    grammar = JSONPathEnvironment(strict=True)
    for name in BY_PATTERN:
        del grammar.function_extensions[name]
    return grammar


def _json(body: object) -> Any:  # noqa: ANN401 - whatever the body holds
    return msgspec.json.decode(body) if isinstance(body, str) else body


def _why(body: object, *, truncated: bool) -> str:
    if truncated and isinstance(body, str):
        return f"The body was cut off at {BODY_KB} KB, so that it is no JSON any more."
    return "The body is not JSON."
