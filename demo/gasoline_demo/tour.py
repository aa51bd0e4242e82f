"""Writes docs/tour.md: ten questions with the calls that answer them, as they were recorded for docs/tools.md."""

import sys
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from gasoline_bridge.front.reference import laid_out

BEGIN = """# Ten questions

Written by `make docs` from what `make examples` records: real calls of a real client on the pages of `make demo`, with
their answers; ids, ports, paths and dates in them are replaced. A test calls each again. All arguments are in
[tools.md](tools.md).
"""


class Question(NamedTuple):
    """What a developer asks; `call`: arguments by which a recorded call is found; `about`: what its answer shows."""

    asked: str
    tool: str
    call: dict[str, Any]
    about: str


QUESTIONS = (
    Question(
        "What is on this page?",
        "observe",
        {"what": "outline"},
        "The page as a person perceives it. A `ref` is a name for the next call.",
    ),
    Question(
        "What happens when I save the profile?",
        "interact",
        {"action": "click", "analyze": True},
        "One call acts, waits until the page rests, and states what it caused, and where the time went.",
    ),
    Question(
        "Why did the page throw an error?",
        "observe",
        {"what": "errors"},
        "The same error is listed once. `around` is what happened shortly before and after it.",
    ),
    Question(
        "Which requests went to the server?",
        "observe",
        {"what": "network_waterfall"},
        "Rows: the names of the columns once. A failed or open request is marked.",
    ),
    Question(
        "What does the page say over its WebSocket?",
        "observe",
        {"what": "websocket_events"},
        "Both directions, by connection. Secrets in them are replaced.",
    ),
    Question(
        "Can everybody use the form?",
        "analyze",
        {"action": "audit", "scope": "accessibility"},
        "Findings of axe in every frame, each with the element and what mends it.",
    ),
    Question(
        "Is anything in the page's security wrong?",
        "analyze",
        {"action": "security"},
        "Judged by the headers that the browser received. What was not seen is `unknown`, and no finding.",
    ),
    Question(
        "Has my change made it slower or broken something?",
        "analyze",
        {"action": "regression", "scope": "compare"},
        "Against a baseline, with the page's own noise known. [regression.md](regression.md) has the rule.",
    ),
    Question(
        "Can you do what I mean here?",
        "analyze",
        {"action": "annotations"},
        "The user has drawn on the page and written what they want.",
    ),
    Question(
        "Make a test of what we just did.",
        "generate",
        {"what": "test"},
        "A Playwright test in a file. `gasoline://reports/FILE` has its text for clients that read no files.",
    ),
)


def write(examples: list[dict[str, Any]]) -> str:
    """Give the tour as Markdown.

    Raises:
        LookupError: a call was not recorded.

    """
    return "\n".join([BEGIN, *(_answered(number, one, examples) for number, one in enumerate(QUESTIONS, start=1))])


def _answered(number: int, question: Question, examples: list[dict[str, Any]]) -> str:
    example = next((one for one in examples if _is_meant(one, question)), None)
    if example is None:
        raise LookupError(f"No recorded call answers {question.asked!r}: run `make examples`.")
    given = ", ".join(f"{name}: {_json(value)}" for name, value in example["arguments"].items())
    call = f"{question.tool}({given})"
    reply = laid_out(example["reply"])
    return f"## {number}. {question.asked}\n\n{question.about}\n\n```js\n{call}\n```\n\n```json\n{reply}\n```\n"


def _is_meant(example: dict[str, Any], question: Question) -> bool:
    return bool(example["tool"] == question.tool and question.call.items() <= example["arguments"].items())


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


if __name__ == "__main__":
    sys.stdout.write(write(msgspec.json.decode(Path(sys.argv[1]).read_bytes())))
