"""What the lists of sites promise, which a user writes in the extension's settings; only rows."""

# ruff: noqa: E501 - a row is one line, unformatted, so that a sentence is found, read and compared whole

from requirements_seeds.row import Requirement

# fmt: off
ROWS = (
    Requirement("sites-001", "sites", "Lists", "A user keeps Gasoline out of sites by a deny list, or to sites by an allow list that is not empty; a line is a host, `*.` and a host (it and all below it), either with a port, or `file://`; what is denied is denied though it is allowed too."),
    Requirement("sites-002", "sites", "Capture", "Of an excluded site nothing is captured and nothing that waits is sent, by what Chrome states of where it comes from."),
    Requirement("sites-003", "sites", "At once", "The lists are in force at once in all open tabs and frames without a reload, both ways, and from the first script of a new page on."),
    Requirement("sites-004", "sites", "Fail closed", "While what is stored is no list of sites, every site is excluded."),
    Requirement("sites-005", "sites", "Bad lines", "A line that is no site is named by its number with what to write instead, and nothing is stored."),
    Requirement("sites-006", "sites", "Frames", "A frame counts by its own site, one without an address by that of the page around it; a frame of an excluded site in an open page is not captured, read, acted in or shown in pictures."),
    Requirement("sites-007", "sites", "Calls", "A call that would read or act there, or lead there, is refused with `site_excluded`, the host and what the user can do; an action that leads there all the same reports the host alone."),
    Requirement("sites-008", "sites", "Lists of tabs", "A tab of an excluded site is listed as such, without its title and with nothing of its address but the site."),
    Requirement("sites-009", "sites", "Popup", "The popup states that the page in front is of an excluded site, where it cannot be tracked or drawn on."),
    Requirement("sites-010", "sites", "Counts", "`observe(status)` and `gasoline doctor` state how many sites are denied or alone allowed, and not which; a page cannot notice that it is."),
    Requirement("sites-011", "sites", "Draw Mode", "A Draw Mode that is open when its site is excluded is closed at once, and its session ends with nothing that was drawn."),
)
