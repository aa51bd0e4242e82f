"""What the structure of the code promises: modules, tables, words, the wheel, the tests and the documents; only rows."""

# ruff: noqa: E501 - a row is one line, unformatted, so that a sentence is found, read and compared whole

from requirements_seeds.reasons import BENCH, CHECKED, READ
from requirements_seeds.row import Requirement

# fmt: off
ROWS = (
    Requirement("structure-001", "structure", "Extension", "The extension is strict TypeScript, built by esbuild into extension/dist, which git ignores; nothing is minified.", CHECKED),
    Requirement("structure-002", "structure", "Extension", "At most four files are injected into a top frame and two into a subframe; what only commands need is in none of every frame's."),
    Requirement("structure-003", "structure", "Extension", "No import cycle, and each folder imports only what its layer may.", CHECKED),
    Requirement("structure-004", "structure", "Extension", "The built file of the page's world runs nothing through what a page can patch."),
    Requirement("structure-005", "structure", "Extension", "An empty page loads in at most 1.25 times its time, one with 20 frames in 1.1 times.", BENCH),
    Requirement("structure-006", "structure", "Extension", "The build takes less than 2 s.", BENCH),
    Requirement("structure-007", "structure", "Folders", "hub, actor, supervisor; chrome, front, cli; the demonstration is not in the wheel.", CHECKED),
    Requirement("structure-008", "structure", "Folders", "Routing is admission, registration, liveness and delivery, still one handle(now, event)."),
    Requirement("structure-009", "structure", "Tables", "One file lists every error code with its meaning and what to do; none is used that is not listed, none listed that is not used."),
    Requirement("structure-010", "structure", "Tables", "One table of actions in each language; one wire sample pins both."),
    Requirement("structure-011", "structure", "Tables", "One list of event kinds in the extension; the journal's is compared with it."),
    Requirement("structure-012", "structure", "Tables", "Workers are found by their folder."),
    Requirement("structure-013", "structure", "Tables", "Arguments are checked once, in the front."),
    Requirement("structure-014", "structure", "Bad input", "An event of an unknown kind costs that event, never its chunk."),
    Requirement("structure-015", "structure", "Bad input", "A command or an action that the extension does not know gets a clear answer, and the rest works on."),
    Requirement("structure-016", "structure", "Bad input", "A missing or damaged built file is named, with what to type, for a checkout and for a wheel."),
    Requirement("structure-017", "structure", "Words", "At most 3.5 mannered words in a thousand of comments, docstrings and documents.", READ),
    Requirement("structure-018", "structure", "Words", "The first line of a module states what it is."),
    Requirement("structure-019", "structure", "Wheel", "A build without the built extension fails and states what to type; the sdist has it."),
    Requirement("structure-020", "structure", "Wheel", "The version is stated in one place."),
    Requirement("structure-021", "structure", "Wheel", "The wheel, installed away from the sources, connects a Chromium and answers."),
    Requirement("structure-022", "structure", "Wheel", "extension install and doctor check every file, and name the one that is missing or damaged."),
    Requirement("structure-023", "structure", "Tests", "A failure is printed with its name as it happens, and a failing assertion of any depth ends no run."),
    Requirement("structure-024", "structure", "Tests", "The popup is never higher than the 600 px that Chrome gives it."),
    Requirement("structure-025", "structure", "Documents", "docs/tools.md has a real call and its answer for each tool and mode."),
)
# fmt: on
