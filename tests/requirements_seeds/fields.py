"""Every documented field is seen filled, and the list of tools is for people and has room; only rows."""

# ruff: noqa: E501 - a row is one line, unformatted, so that a sentence is found, read and compared whole

from requirements_seeds.row import Requirement

# fmt: off
ROWS = (
    Requirement("fields-001", "fields", "Replies", "Every field of every reply is filled by a real page in Chromium, or there is a written reason why none can fill it: else a whole run of the tests fails, and names it."),
    Requirement("fields-002", "fields", "Replies", "A run of a part of the tests fails for no field."),
    Requirement("fields-003", "fields", "Lists", "An item that is larger than the budget is cut in every list, and names its parts that were."),
    Requirement("fields-004", "fields", "Lists", "Every list counts what was not captured in `dropped`, and names in `evicted_through` what is gone."),
    Requirement("fields-005", "fields", "Acts", "What was done while the journal could not store it has `journal_unavailable`, in the reply of every act."),
    Requirement("fields-006", "fields", "Lists", "What a policy only reports is marked `report_only`."),
    Requirement("fields-007", "fields", "Replies", "No field is documented that is never sent."),
    Requirement("fields-008", "fields", "Tools", "Every tool has a short title for people."),
    Requirement("fields-009", "fields", "Tools", "The list leaves out hints that are MCP's defaults; a client of the SDK reads the same."),
    Requirement("fields-010", "fields", "Tools", "The list of tools leaves 100 bytes to those that are still to come."),
)
# fmt: on
