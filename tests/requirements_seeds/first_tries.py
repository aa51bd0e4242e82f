"""What a model that knows other tools meets here first: calls, selectors, schemas and the list of tools; only rows."""

# ruff: noqa: E501 - a row is one line, unformatted, so that a sentence is found, read and compared whole

from requirements_seeds.row import Requirement

# fmt: off
ROWS = (
    Requirement("tries-001", "tries", "Calls", "A call in the words of Playwright, Chrome DevTools, Puppeteer or Selenium tools is answered with the call that is meant."),
    Requirement("tries-002", "tries", "Calls", "Of a table of 60 such first tries, nine of ten lead to a call."),
    Requirement("tries-003", "tries", "Calls", "A call that an error offers is valid by the schema of its tool."),
    Requirement("tries-004", "tries", "Calls", "A script may be named code, function, expression or javascript."),
    Requirement("tries-005", "tries", "Calls", "An error that offers a call names the parameter that is meant, and what a field of a form takes."),
    Requirement("tries-006", "tries", "Pages", "A selector of another tool is refused with the one that is meant; where it names a ref, with ref=."),
    Requirement("tries-007", "tries", "Pages", "A script that is a function is called."),
    Requirement("tries-008", "tries", "Pages", "query_dom and highlight take the selectors of interact."),
    Requirement("tries-009", "tries", "List", "A listed schema keeps the rules of Gemini's, OpenAI's and VS Code's clients."),
    Requirement("tries-010", "tries", "List", "A stand-alone tool of the seeds is listed as one sentence with its bare parameters, 220 bytes at most, and takes all that the seeds name."),
    Requirement("tries-011", "tries", "List", "Every parameter of a main tool has words, those that every tool takes in the first tool and in the instructions; refs, tab_id and budget are explained."),
    Requirement("tries-012", "tries", "List", "The instructions teach to look, act, read the effect and verify."),
    Requirement("tries-013", "tries", "List", "Each of 40 tasks in words has its call in the list."),
    Requirement("tries-014", "tries", "Bounds", "A highlight lasts as long as is asked for, up to what a browser's timer takes."),
    Requirement("tries-015", "tries", "Bounds", "A state's name may be of any script, with 100 characters at most and none that is not seen."),
    Requirement("tries-016", "tries", "Bounds", "The longest call ends before a client gives it up after 60 s."),
)
# fmt: on
