"""What the security, performance and memory analyses find, and what they must not; only rows."""

# ruff: noqa: E501 - a row is one line, unformatted, so that a sentence is found, read and compared whole

from requirements_seeds.row import Requirement

# fmt: off
ROWS = (
    Requirement("findings-001", "findings", "Security", "Each security rule finds its planted fault, and nothing on the page without it."),
    Requirement("findings-002", "findings", "Security", "A scope (headers, cookies, storage) has its own findings and its own summary alone."),
    Requirement("findings-003", "findings", "Security", "A document whose response was not seen has its headers as unknown, with the reason and how to get them; what is unknown is no finding."),
    Requirement("findings-004", "findings", "Security", "In local development a header that is only missing is info, and nothing counts as travelling in the clear."),
    Requirement("findings-005", "findings", "Security", "Names of cookies, storage keys and parameters are sensitive by whole words."),
    Requirement("findings-006", "findings", "Evidence", "Garbage in the place of evidence is no finding and no error."),
    Requirement("findings-007", "findings", "Performance", "Each performance rule finds its planted fault, and nothing on the page without it."),
    Requirement("findings-008", "findings", "Performance", "A late largest paint names its element, its four parts, and the fix of the part that takes longest."),
    Requirement("findings-009", "findings", "Performance", "The slowest interaction has its three parts, and states by which clock it was measured."),
    Requirement("findings-010", "findings", "Performance", "What another origin hides of a resource is unknown, and never zero."),
    Requirement("findings-011", "findings", "Performance", "The summary has the vitals that were measured, and what is unknown."),
    Requirement("findings-012", "findings", "Fixture site", "In a real browser every fault that is planted in a shop is found, and none on its clean twin."),
    Requirement("findings-013", "findings", "Replies", "The summary alone is under 400 bytes."),
    Requirement("findings-014", "findings", "Security", "The headers of a document are those that the browser received, and outlive the extension's worker."),
    Requirement("findings-015", "findings", "Security", "Of a cookie its name and flags are read, by Set-Cookie too; no value leaves the browser."),
    Requirement("findings-016", "findings", "Memory", "What grew with the heap is named as its likely cause: detached nodes, listeners, elements, or the objects of scripts; small growth is no finding."),
    Requirement("findings-017", "findings", "Memory", "The source of the numbers is stated, and heaps of different sources are not compared."),
    Requirement("findings-018", "findings", "Memory", "A page that leaks is found against the last and a named snapshot, and the same page without the leak is not."),
)
# fmt: on
