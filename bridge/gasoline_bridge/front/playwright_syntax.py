"""How TypeScript and Python write a call of Playwright: the same names and arguments, each in its own way; pure.

Rules of this file:
- A text of a page is only ever a literal or a comment of one line: it cannot end either.
"""

import json
import re
from typing import Protocol

COMMENT_CHARS = 200
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


class Verbatim(str):
    """An expression that stands as it is, no text."""

    __slots__ = ()


Value = str | bool | int | float | list["Value"] | dict[str, "Value"]


class Syntax(Protocol):
    """What differs between the languages in a single statement."""

    indent: str
    suffix: str

    def name(self, name: str) -> str:
        """Give a name of Playwright, which is written in camel case."""

    def literal(self, value: Value) -> str:
        """Give a value."""

    def regex(self, pattern: str) -> str:
        """Give a regular expression."""

    def call(self, at: str, method: str, *arguments: Value, **options: Value) -> str:
        """Give a call of Playwright's."""

    def statement(self, expression: str) -> str:
        """Give a statement that waits for the expression."""

    def comment(self, text: str) -> str:
        """Give a comment of one line."""


def one_line(text: str) -> str:
    """Give a text as it may stand in a comment: no character ends its line."""
    return re.sub(r"[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufdff\ufe10-\ufefe]+", " ", text)[:COMMENT_CHARS].strip()


def quoted(text: str) -> str:
    """Give a text as a literal of both languages: of JSON, in ASCII, so nothing of it means anything to either."""
    return json.dumps(text)


class TypeScript:
    """Statements of a file for Playwright's own runner."""

    indent = "  "
    suffix = "spec.ts"

    def name(self, name: str) -> str:  # noqa: D102 - see Syntax
        return name

    def literal(self, value: Value) -> str:  # noqa: D102 - see Syntax
        match value:
            case Verbatim():
                return value
            case str():
                return quoted(value)
            case bool():
                return "true" if value else "false"
            case list():
                return f"[{', '.join(map(self.literal, value))}]"
            case dict():
                return f"{{ {', '.join(f'{name}: {self.literal(one)}' for name, one in value.items())} }}"
            case _:
                return repr(value)

    def regex(self, pattern: str) -> str:  # noqa: D102 - see Syntax
        return f"new RegExp({quoted(pattern)})"

    def call(self, at: str, method: str, *arguments: Value, **options: Value) -> str:  # noqa: D102 - see Syntax
        all_of_them = [*arguments, options] if options else [*arguments]
        return f"{at}.{method}({', '.join(map(self.literal, all_of_them))})"

    def statement(self, expression: str) -> str:  # noqa: D102 - see Syntax
        return f"await {expression};"

    def comment(self, text: str) -> str:  # noqa: D102 - see Syntax
        return f"// {one_line(text)}"


class Python:
    """Statements of a file for pytest, by Playwright's synchronous API."""

    indent = "    "
    suffix = "py"

    def name(self, name: str) -> str:  # noqa: D102 - see Syntax
        return CAMEL.sub("_", name).lower()

    def literal(self, value: Value) -> str:  # noqa: D102 - see Syntax
        match value:
            case Verbatim():
                return value
            case str():
                return quoted(value)
            case list():
                return f"[{', '.join(map(self.literal, value))}]"
            case dict():
                return f"{{{', '.join(f'{quoted(name)}: {self.literal(one)}' for name, one in value.items())}}}"
            case _:
                return repr(value)

    def regex(self, pattern: str) -> str:  # noqa: D102 - see Syntax
        return f"re.compile({quoted(pattern)})"

    def call(self, at: str, method: str, *arguments: Value, **options: Value) -> str:  # noqa: D102 - see Syntax
        named = [f"{self.name(name)}={self.literal(value)}" for name, value in options.items()]
        return f"{at}.{self.name(method)}({', '.join([*map(self.literal, arguments), *named])})"

    def statement(self, expression: str) -> str:  # noqa: D102 - see Syntax
        return expression

    def comment(self, text: str) -> str:  # noqa: D102 - see Syntax
        return f"# {one_line(text)}"
