"""What rich action results promise: actions, what comes back with them, effects, loads, bad input; nothing but rows."""

# ruff: noqa: E501 - a row is one line, unformatted, so that a sentence is found, read and compared whole

from requirements_seeds.reasons import BENCH
from requirements_seeds.row import Requirement

# fmt: off
ROWS = (
    Requirement("actions-001", "actions", "Actions", "click, type, select, check, key_press, set_attribute and hover do what a person would, in the page's own events."),
    Requirement("actions-002", "actions", "Actions", "drag moves an element onto another: pointer events, and drag events with one DataTransfer."),
    Requirement("actions-003", "actions", "Actions", "upload puts the user's files into a file field, by its label, or onto a drop zone."),
    Requirement("actions-004", "actions", "Actions", "focus, scroll_to, wait_for, get_text, get_value, get_attribute and list_interactive read or move, and measure nothing."),
    Requirement("actions-005", "actions", "Actions", "navigate, refresh, back and forward bring a tab to pages."),
    Requirement("actions-006", "actions", "Actions", "new_tab, switch_tab and close_tab open, show and close tabs."),
    Requirement("actions-007", "actions", "Actions", "fill_form(fields, submit) fills and reads back every kind of field, and sends the form if asked."),
    Requirement("actions-008", "actions", "Actions", "batch(steps) stops at the first failure, and answers in one reply."),
    Requirement("actions-009", "actions", "Actions", "Inputs of React-style frameworks take what is typed: native setter and the right events."),
    Requirement("actions-010", "actions", "Actions", "contenteditable, select multiple, date inputs, radio groups and file inputs are filled."),
    Requirement("actions-011", "actions", "Actions", "Elements in shadow roots and in iframes, of another origin too, are acted on."),
    Requirement("actions-012", "actions", "Actions", "With `trusted` the input is real: the page sees isTrusted, and a user's activation; a press that goes astray reaches no page."),
    Requirement("actions-013", "actions", "Dialogs", "An action that opens a dialog is answered with `dialog_open` and its text; interact(dialog) answers it."),
    Requirement("actions-014", "actions", "Dialogs", "While a dialog is open, every command for the tab says so at once."),
    Requirement("actions-015", "actions", "Dialogs", "A page that asks before it is left freezes nothing."),
    Requirement("actions-016", "actions", "Always", "timing_ms, dom_summary, seq and an effect id come with every mutating action; a default click reply has at most 200 bytes."),
    Requirement("actions-017", "actions", "Always", "New console errors and failed requests come as counts, only when there are any."),
    Requirement("actions-018", "actions", "Analyze", "With `analyze` the seed's whole shape comes back, and its time is explained."),
    Requirement("actions-019", "actions", "Effects", "observe(effects, id) gives all that an action caused: also what came after the reply, until its requests end, at most 10 s."),
    Requirement("actions-020", "actions", "Effects", "Late requests, console lines, storage keys and route changes are among the effects."),
    Requirement("actions-021", "actions", "Effects", "`a11y` reports new violations of the changed part only."),
    Requirement("actions-022", "actions", "Loads", "A perf_diff comes with every navigation after the first of a page in its tab, and says which load it is compared with."),
    Requirement("actions-023", "actions", "Loads", "The loads outlive the service worker."),
    Requirement("actions-024", "actions", "Bad input", "Missing, hidden, covered, disabled and ambiguous elements have codes of their own."),
    Requirement("actions-025", "actions", "Bad input", "An element that is taken away during the action has a code of its own, or is an honest success."),
    Requirement("actions-026", "actions", "Bad input", "A page that goes away in the middle is a success without perf data."),
    Requirement("actions-027", "actions", "Bad input", "A download, an unreachable host, a bad certificate, a login window and a reload loop have codes of their own, and never hang."),
    Requirement("actions-028", "actions", "Bad input", "An unknown key is refused with the names of the known ones."),
    Requirement("actions-029", "actions", "Measured", "Every block is within 15 % of the truth, and attribution right in 50 of 50 runs.", BENCH),
    Requirement("actions-030", "actions", "Measured", "A perf_diff is present in 100 of 100 second loads.", BENCH),
    Requirement("actions-031", "actions", "Measured", "The overhead of an action, each part, and the wall time of a click call are known.", BENCH),
)
# fmt: on
