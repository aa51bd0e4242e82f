"""What AI Web Pilot promises: the switch, highlight, state, scripts, leases, the audit trail; nothing but rows."""

# ruff: noqa: E501 - a row is one line, unformatted, so that a sentence is found, read and compared whole

from requirements_seeds.row import Requirement

# fmt: off
ROWS = (
    Requirement("pilot-001", "pilot", "Switch", "On a fresh profile everything that acts is off; the popup's switch has the seed's words and warning."),
    Requirement("pilot-002", "pilot", "Switch", "The switch is enforced in the service worker on every gated command, whatever the server says."),
    Requirement("pilot-003", "pilot", "Switch", "Switched on or off, it is in effect within 1 s, also for what is under way, and a badge shows it."),
    Requirement("pilot-004", "pilot", "Switch", "The server knows the switch's state, and answers without asking the extension while it is off."),
    Requirement("pilot-005", "pilot", "Switch", "No message from a page, the server or an assistant switches it on, of whatever type."),
    Requirement("pilot-006", "pilot", "Switch", "While it is off, gated tools stay listed and answer `ai_web_pilot_disabled` with the seed's message."),
    Requirement("pilot-007", "pilot", "Highlight", "The frame stands in a closed shadow root that the page's CSS cannot touch, with the seed's style."),
    Requirement("pilot-008", "pilot", "Highlight", "The frame follows scrolling and resizing."),
    Requirement("pilot-009", "pilot", "Highlight", "The frame goes after `duration_ms`, or with the next call."),
    Requirement("pilot-010", "pilot", "Highlight", "The frame is not announced to screen readers, and is counted in no DOM summary."),
    Requirement("pilot-011", "pilot", "Highlight", "Elements in shadow roots and frames are highlighted; what is off screen is scrolled into view; bounds are returned."),
    Requirement("pilot-012", "pilot", "State", "Saved are localStorage, sessionStorage, cookies (HttpOnly too) and the URL, in `chrome.storage.local` under `gasoline_snapshots`."),
    Requirement("pilot-013", "pilot", "State", "Load clears, restores, navigates if asked, waits for the load and reports counts."),
    Requirement("pilot-014", "pilot", "State", "What could not be restored is reported by name; a full storage is a clear error."),
    Requirement("pilot-015", "pilot", "State", "The values of a state never leave the browser."),
    Requirement("pilot-016", "pilot", "Script", "A script runs in the page's context: an expression or statements, and promises are awaited."),
    Requirement("pilot-017", "pilot", "Script", "Cycles, DOM nodes, Maps, BigInt, NaN and functions in a result are described rather than failed on."),
    Requirement("pilot-018", "pilot", "Script", "A result is cut at a size, with a note."),
    Requirement("pilot-019", "pilot", "Script", "An error has its message, and the stack of the user's own lines."),
    Requirement("pilot-020", "pilot", "Script", "`timeout_ms` stops `while(true){}`, and the tab is usable afterwards."),
    Requirement("pilot-021", "pilot", "Script", "Scripts run on a strict-CSP page and on a Trusted Types page."),
    Requirement("pilot-022", "pilot", "Script", "A page that overrides `JSON.stringify` or `Promise` cannot forge a result."),
    Requirement("pilot-023", "pilot", "Tab", "A command goes to the tracked tab, else the active tab of the last focused window."),
    Requirement("pilot-024", "pilot", "Tab", "While another tab is tracked, a tab yields nothing of its own."),
    Requirement("pilot-025", "pilot", "Lease", "Who acts on a tab holds it for a moment; another's action there waits, or gets `tab_leased` with the holder and the time left."),
    Requirement("pilot-026", "pilot", "Lease", "While a human types or moves in the tab, actions wait up to 2 s and then say `human_active`."),
    Requirement("pilot-027", "pilot", "Lease", "`configure` leases and releases a tab; a session that ends gives its tabs back."),
    Requirement("pilot-028", "pilot", "Lease", "Two assistants on one browser never interleave on one tab, and work in parallel on two."),
    Requirement("pilot-029", "pilot", "Audit", "Every gated call (who, when, what, tab, outcome; no values) is in the journal, and outlives a clear."),
    Requirement("pilot-030", "pilot", "Audit", "`gasoline audit` and the popup show the calls."),
    Requirement("pilot-031", "pilot", "Bad input", "An unknown snapshot name is `not_found`; a name of 300 characters or with a path in it is `invalid_params`."),
    Requirement("pilot-032", "pilot", "Bad input", "A snapshot of another origin is refused unless `include_url` is set."),
    Requirement("pilot-033", "pilot", "Bad input", "A script of 1 MB is refused, a result of 50 MB is cut, and the next call works."),
    Requirement("pilot-034", "pilot", "Bad input", "A script that throws null, closes the window, navigates or opens a dialog has its own clear answer, and the next call works."),
    Requirement("pilot-035", "pilot", "Once", "What acts is done once or reported unknown, also when the bridge or the service worker dies."),
)
