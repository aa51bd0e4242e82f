"""What clients find beside the tools: prompts, resources, completions and subscriptions; only rows."""

# ruff: noqa: E501 - a row is one line, unformatted, so that a sentence is found, read and compared whole

from requirements_seeds.row import Requirement

# fmt: off
ROWS = (
    Requirement("clients-001", "clients", "Prompts", "debug-this-page, why-is-it-slow, fix-my-annotations, accessibility-pass and what-changed are prompts; each call that one names is valid, and what a person gives stays in its quotes."),
    Requirement("clients-002", "clients", "Resources", "Pictures, what the journal has, annotations and baselines are resources, each with the text of the call that it stands for; an address of nothing is refused."),
    Requirement("clients-003", "clients", "Completion", "Ids of pictures and tabs, names of baselines and kinds of the journal are completed, in both eras of the protocol."),
    Requirement("clients-004", "clients", "Subscriptions", "Who subscribes hears of a page's new error and of a finished drawing, in both eras, also after a restart of the front."),
    Requirement("clients-005", "clients", "Generate", "`generate(har)` saves the requests of a tab as HAR 1.2 that meets the published schema: headers, times, bodies where they were captured, page loads; no secret, and of nothing more than was captured."),
    Requirement("clients-006", "clients", "Generate", "`generate(test)` makes a Playwright test, in TypeScript or Python, of what the user and assistants did in a tab and in those that it opened: each action is a step or is named with the reason why it is none; it expects addresses, answers, texts and no new errors, nothing that is another at the next run; it is run, passes, and fails when a bug is put back."),
    Requirement("clients-007", "clients", "Generate", "No secret stands in a generated test, it becomes a variable of the environment, as the path of a file does; no text of a page leaves its literal or its comment."),
    Requirement("clients-008", "clients", "Generate", "`generate(reproduction)` makes the steps that lead to the last error, and expects it: it passes as long as the error occurs."),
    Requirement("clients-009", "clients", "Generate", "What an assistant did on four applications that we did not write passes there as a generated test, in both languages."),
    Requirement("clients-010", "clients", "Generate", "A step finds its element by role and name, label, test id, text, by CSS last: what was unique when it was captured, in frames and open shadow roots too."),
    Requirement("clients-011", "clients", "Generate", "`save_to` writes a new file only below the client's roots or in the folder of exports: not beside them by links or .., nothing hidden, no other ending; without a root, with several, or over a file that is there it is refused with the reason."),
    Requirement("clients-012", "clients", "Logging", "A client that asks for log messages hears of restarted and lost processes and of Chrome that comes and goes, in both eras, graver than its level alone, also after a restart of the front; never a page's text."),
    Requirement("clients-013", "clients", "Resources", "An address of nothing is refused with the code of the client's era: -32002 until 2025-11-25, -32602 since."),
    Requirement("clients-014", "clients", "Generate", "`generate(report)` saves a session as one HTML page: each action of the user and of assistants with what came of it, faults first, pictures, findings; axe finds nothing in it, light and dark."),
    Requirement("clients-015", "clients", "Generate", "Nothing of a page runs in a report: its texts are escaped, its own policy allows no script, and no secret stands in it."),
    Requirement("clients-016", "clients", "Real clients", "A client of another language (the TypeScript SDK) lists, calls, sees an error with what to do, hears progress; its cancel, its time-out and its death reach the page, and no process of its is left. `make clients` does so with eight more."),
    Requirement("clients-017", "clients", "Fence", "60 strings that give orders, or try to leave their string, stay within it in the console, the DOM, the title, the address, a frame, a body and an annotation: the reply has the fields that it has with harmless text, no control character, and no line of an outline that looks like ours."),
    Requirement("clients-018", "clients", "Fence", "Text that a page hides, or has in a name, and that reads like orders to an assistant is in `get_page_info` with its selector; what pages hide otherwise is not."),
    Requirement("clients-019", "clients", "Bad input", "What a library prints in a client's `gasoline mcp` stays off the wire, and 100 MB of arguments are refused; the session lives."),
    Requirement("clients-020", "clients", "Resources", "What generate has saved (report, HAR, SARIF, test) is listed, completed and read as `gasoline://reports/FILE`; no other file is, by a link or a path neither."),
)
# fmt: on
