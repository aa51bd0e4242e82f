"""Pictures of pages: how they are taken, what no picture shows, how they are kept and given; only rows."""

# ruff: noqa: E501 - a row is one line, unformatted, so that a sentence is found, read and compared whole

from requirements_seeds.row import Requirement

# fmt: off
ROWS = (
    Requirement("pictures-001", "pictures", "MCP", "observe(screenshot) answers with an image content and, in at most 300 bytes of text, the id, path and size of the picture, which the store keeps."),
    Requirement("pictures-002", "pictures", "MCP", "The image content has at most 1,568 px on the long side and 200 KB; `full` gives the path alone."),
    Requirement("pictures-003", "pictures", "MCP", "Every picture is a resource, gasoline://screenshots/ID, listed newest first; an unknown address is an error that names it."),
    Requirement("pictures-004", "pictures", "MCP", "observe(screenshots) lists what is kept, newest first."),
    Requirement("pictures-005", "pictures", "Mask", "Password and card fields are hidden in every picture, in frames of any origin and in shadow roots, open and closed, also against !important rules of the page."),
    Requirement("pictures-006", "pictures", "Mask", "After a picture every field is shown again, also if the capture failed."),
    Requirement("pictures-007", "pictures", "Mask", "A mask of a service worker that died is taken away by the next one as it starts."),
    Requirement("pictures-008", "pictures", "Capture", "Ten pictures asked for within a second get ten answers."),
    Requirement("pictures-009", "pictures", "Capture", "A picture of the whole page shows each of its parts once, at its place, with no seam."),
    Requirement("pictures-010", "pictures", "Capture", "A picture of an element has the pixels of its box, in sight or far below."),
    Requirement("pictures-011", "pictures", "Capture", "At device scale 2 a picture has twice the pixels, and its `scale` states it."),
    Requirement("pictures-012", "pictures", "Capture", "A tab in the background is pictured without being brought to the front, again and again, the whole page and what is out of sight too; with AI Web Pilot off the error names the switch."),
    Requirement("pictures-013", "pictures", "Capture", "Gasoline's own overlay is in no picture, unless `overlays` asks for it."),
    Requirement("pictures-014", "pictures", "Capture", "With `animations` false what moves by CSS stands still in the picture, and moves on afterwards."),
    Requirement("pictures-015", "pictures", "Capture", "A picture of more than 2 MB is reduced until it has no more, and the reply states it."),
    Requirement("pictures-016", "pictures", "Capture", "With each picture the boxes, selectors and styles of what is visible in it are stored."),
    Requirement("pictures-017", "pictures", "Flow", "A picture reaches a front by way of redaction alone, which passes none whose masking is not stated: every other way ends in redaction_unavailable or without a picture."),
    Requirement("pictures-018", "pictures", "Store", "A picture that was acknowledged is whole on the disk, however the store's processes are killed."),
    Requirement("pictures-019", "pictures", "Store", "Storing is idempotent by the ask's id, equal pictures share one file named by their SHA-256, and files are 0600."),
    Requirement("pictures-020", "pictures", "Store", "Several processes use one folder at a time, also a fresh one."),
    Requirement("pictures-021", "pictures", "Store", "Past the quota the oldest pictures that nothing needs go first, past the age limit all of those; a pinned one stays."),
    Requirement("pictures-022", "pictures", "Store", "An id resolves inside the store alone, whatever it contains."),
    Requirement("pictures-023", "pictures", "Bad input", "A picture that is too large, none, cut off, or would decode to too much is refused with a clear error, and nothing is stored."),
    Requirement("pictures-024", "pictures", "Bad input", "A full disk and a read-only folder are store_failed with the place and its space, and the next call works once they are well."),
    Requirement("pictures-025", "pictures", "Bad input", "A row whose file is gone and a file whose bytes changed are named by an error of their own; other pictures are as before."),
    Requirement("pictures-026", "pictures", "Store", "Verifying compares every file with its hash and names each that is missing or changed."),
    Requirement("pictures-027", "pictures", "Command line", "`gasoline screenshots` lists, opens, verifies and prunes; a system that does not run, an unknown id and a refused number are one sentence each."),
    Requirement("pictures-028", "pictures", "Time", "Where nothing is masked, frozen or hidden no frame is waited for before a picture is taken."),
)
# fmt: on
