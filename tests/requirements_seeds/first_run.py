"""What the extension's first-run page promises; only rows."""

# ruff: noqa: E501 - a row is one line, unformatted, so that a sentence is found, read and compared whole

from requirements_seeds.row import Requirement

# fmt: off
ROWS = (
    Requirement("first-run-001", "first-run", "Opening", "After an installation by hand Chrome opens a first-run page; in a browser that a program has started it opens none."),
    Requirement("first-run-002", "first-run", "Steps", "It shows each step (load, connect, pin, track a page, AI Web Pilot, the first question) as done once it is, without a reload, with what to type; it is accessible, light and dark."),
    Requirement("first-run-003", "first-run", "Diagnostics", "The popup copies diagnostics for a report: versions, the link, settings, counts and the codes of calls that failed; nothing of a page."),
)
