"""A JSON path (RFC 9535) into the body of a response; the library is imported on first use."""

import functools
import itertools
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from gasoline_broker.errors import fail
from gasoline_workers.journal.messages import Item

BY_PATTERN = ("match", "search")  # of RFC 9535: left out, for a pattern can take Python's `re` hours
BODY_KB = 16  # seed 002, Feature 2, Limits: "16KB per response body"
CUT_CHARS = 16_000  # no body is cut to less; `truncated` may be about the request's alone
PATH_CHARS = 500
TERMS = 4  # of a filter, which is worked out for each item
DESCENDANTS = 3  # segments `..` of a path
MATCHES = 10_000  # more than a body of 16 KB has values
DEPTH = 32  # of what `..` looks through: no response that people read is as deep
STEPS = 300_000  # values that one read looks at: three `..` would look at 40 million of 16 KB; 1 or 2 s at most
SHORT = 20  # characters of a path that costs no more than its steps; a longer one has proportionally fewer
QUOTED = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"")
HOW = "Write it as RFC 9535 does, such as $.items[0].id."

Find = Callable[[object, bool], Item]
Follow = Callable[[Any], Iterator[Any]]
Step = Callable[[list[Any]], list[Any]]


class TooMuch(Exception):  # noqa: N818 - reads as a sentence where it is raised
    """A path looks at more of a body than it may."""


def finder(body_path: str) -> Find:
    """Return what finds the path in a body: `{"value": …}`, or `{"path_error": …}` with the reason.

    The value of a path that can only have one match is that match, of any other the list of its matches.

    Raises:
        Failed: `invalid_params`: it is no path, or none that can be followed in a short time.

    """
    from jsonpath import JSONPath, JSONPathError  # noqa: PLC0415 - 0.1 s, for the few reads that need it

    bare = QUOTED.sub("", body_path)
    if len(body_path) > PATH_CHARS or bare.count("..") > DESCENDANTS:
        text = f"body_path is too long a JSON path: at most {PATH_CHARS} characters and {DESCENDANTS} `..`."
        fail("invalid_params", text, "Name the steps on the way.", parameter="body_path")
    if "?" in bare and (".." in bare or bare.count("$") > 1 or any(bare.count(sign) > TERMS for sign in "?@(!")):
        text = f"body_path filters too much: by at most {TERMS} values of the item itself, and not together with `..`."
        fail("invalid_params", text, "Name the steps on the way, such as $.items[?@.id==7].", parameter="body_path")
    try:
        path = _grammar().compile(body_path)
    except (JSONPathError, ArithmeticError, LookupError, TypeError, ValueError, RecursionError) as fault:
        text = f"body_path is no JSON path: {_first_line(fault)}."
        fail("invalid_params", text, HOW, parameter="body_path")
    one = isinstance(path, JSONPath) and path.singular_query()
    once = ".." not in bare and "," not in bare  # it comes by each value once at most
    follow = _walker(path) if once and isinstance(path, JSONPath) else None
    if follow is None:
        follow = _plain(path) if once else _follower(path, STEPS * SHORT // max(SHORT, len(body_path)))

    def find(body: object, truncated: bool) -> Item:  # noqa: FBT001 - a flag of the body, by its side
        try:
            found = [*itertools.islice(follow(_json(body)), MATCHES + 1)]
        except msgspec.DecodeError:
            return {"path_error": _why(body, truncated=truncated)}
        except RecursionError:
            return {"path_error": "The body is nested too deep."}
        except TooMuch:
            return {"path_error": "The path looks at too much of the body; name the steps on the way."}
        except (JSONPathError, ArithmeticError, LookupError, TypeError, ValueError, AttributeError) as fault:
            return {"path_error": f"The path cannot be followed here: {_first_line(fault)}."}
        return _given(found, one=one)

    return find


@functools.cache
def _grammar() -> Any:  # noqa: ANN401 - of a library that is not loaded yet
    from jsonpath import JSONPathEnvironment  # noqa: PLC0415 - the same

    grammar = JSONPathEnvironment(strict=True)
    grammar.max_recursion_depth = DEPTH
    for name in BY_PATTERN:
        del grammar.function_extensions[name]
    return grammar


def _walker(path: Any) -> Follow | None:  # noqa: ANN401 - the library's own
    """Return what follows a path of one name, index, slice or wildcard after the other: a tenth of the library's time.

    None: the path has something else.
    """
    steps = [step for segment in path.segments if (step := _step(*segment.selectors))]
    if len(steps) < len(path.segments):
        return None

    def follow(body: Any) -> Iterator[Any]:  # noqa: ANN401 - JSON
        found = [body]
        for step in steps:
            found = step(found)
        return iter(found)

    return follow


def _step(selector: Any) -> Step | None:  # noqa: ANN401 - the library's own
    """Return what leads from values to those of their children that are selected, None for a filter."""
    from jsonpath import selectors  # noqa: PLC0415 - the same

    match selector:
        case selectors.NameSelector(name=name):
            return lambda found: [value[name] for value in found if isinstance(value, dict) and name in value]
        case selectors.IndexSelector(index=at):
            return lambda found: [one[at] for one in found if isinstance(one, list) and -len(one) <= at < len(one)]
        case selectors.SliceSelector(slice=part):  # the library's takes a text apart too; RFC 9535, 2.3.4.2.2: nothing
            return lambda found: [child for value in found if isinstance(value, list) for child in _part(value, part)]
        case selectors.WildcardSelector():
            return lambda found: [child for value in found for child in _within(value)]
        case _:
            return None


def _part(values: list[Any], part: slice) -> list[Any]:
    return [] if part.step == 0 else values[part]  # the same section; Python refuses it


def _within(value: Any) -> Iterable[Any]:  # noqa: ANN401 - JSON
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _plain(path: Any) -> Follow:  # noqa: ANN401 - the library's own
    return lambda body: (match.obj for match in path.finditer(body))


def _follower(path: Any, steps: int) -> Follow:  # noqa: ANN401 - the library's own
    """Return what follows a path, and ends with TooMuch once it has looked at so many values in all."""
    from jsonpath import JSONPathMatch  # noqa: PLC0415 - the same

    class Step(JSONPathMatch):
        __slots__ = ()

        def __init__(self, **what: Any) -> None:  # noqa: ANN401 - the same
            nonlocal steps
            super().__init__(**what)
            steps -= 1 + (len(self.obj) if isinstance(self.obj, list | dict) else 0)
            if steps < 0:
                raise TooMuch

    def follow(body: Any) -> Iterator[Any]:  # noqa: ANN401 - JSON
        found = iter([Step(filter_context={}, obj=body, parent=None, path="$", parts=(), root=body)])
        for segment in path.segments:
            found = segment.resolve(found)
        return (match.obj for match in found)

    return follow


def _given(found: list[Any], *, one: bool) -> Item:
    if not found:
        return {"path_error": "Nothing in the body matches the path."}
    if len(found) > MATCHES:
        return {"path_error": f"The path has more than {MATCHES:,} matches; narrow it."}
    return {"value": found[0] if one else found}


def _first_line(fault: Exception) -> str:
    return next(iter(str(fault).splitlines()), type(fault).__name__)


def _json(body: object) -> Any:  # noqa: ANN401 - whatever the body holds
    return msgspec.json.decode(body) if isinstance(body, str) else body


def _why(body: object, *, truncated: bool) -> str:
    if truncated and isinstance(body, str) and len(body) >= CUT_CHARS:
        return f"The body was cut off at {BODY_KB} KB, so that it is no JSON any more."
    return "The body is not JSON."
