"""What the fast path promises of a start and of a call; only rows."""

# ruff: noqa: E501 - a row is one line, unformatted, so that a sentence is found, read and compared whole

from requirements_seeds.row import Requirement

# fmt: off
ROWS = (
    Requirement("fast-001", "fast", "Cold and small", "`gasoline up --compact` runs the workers as actors of one process behind the same broker: same labels, same itineraries."),
    Requirement("fast-002", "fast", "Cold and small", "Status, doctor, the log and `gasoline scale` state which workers are actors of one process."),
    Requirement("fast-003", "fast", "Cold and small", "Each worker of a compact system is restartable by name."),
    Requirement("fast-004", "fast", "Cold and small", "A crash of one actor does not take the others' work with it, beyond what the supervisor restarts."),
    Requirement("fast-005", "fast", "Cold and small", "The compact system is what a client starts by default; `gasoline up` and `--scale` give processes of their own."),
    Requirement("fast-006", "fast", "Cold and small", "Memory of the compact system is at most 120 MB (PSS)."),
    Requirement("fast-007", "fast", "Cold and small", "The shim answers `initialize` and `tools/list` itself from what the front wrote for this version, so a client sees the tools while the system starts, within 100 ms."),
    Requirement("fast-008", "fast", "Cold and small", "The promises of the shim hold meanwhile: both eras, cancel, a client that ends, and a system that does not start is an error that states why."),
    Requirement("fast-009", "fast", "Cold and small", "What it answers is never stale: a file of another version, or of files that have changed since, is not used."),
    Requirement("fast-010", "fast", "Cold and small", "The shim imports neither msgspec nor platformdirs where a system runs."),
    Requirement("fast-011", "fast", "The hub and the chain", "Small bodies are redacted and explained in the process's loop, large ones in its thread; no input holds the heartbeat."),
    Requirement("fast-012", "fast", "Python hops", "The front and the bridge write before they log."),
    Requirement("fast-013", "fast", "The hub and the chain", "`doctor` and the benchmark state which interpreter runs, optimised or not."),
    Requirement("fast-014", "fast", "One look before an act", "The strike, the audit's entry and the lease are one write before an act, and the switch and the tab are looked at once."),
    Requirement("fast-015", "fast", "One look before an act", "After a real wait, for a turn or for the user's hands, the switch and the tab are looked at again."),
    Requirement("fast-016", "fast", "Scripts", "What attaching costs is paid once a turn: the page's console is repeated once, and its scripts are named once."),
    Requirement("fast-017", "fast", "Scripts", "The debugger is let go when the turn ends, and when the switch goes off."),
    Requirement("fast-018", "fast", "Scripts", "No page is loaded while the debugger stays attached between scripts."),
    Requirement("fast-019", "fast", "Scripts", "A dialog of the user's own is never dismissed by an attachment that stays, dialogs in a loop included."),
    Requirement("fast-020", "fast", "Scripts", "Developer tools that are opened in the middle keep their breakpoints, and these hold no script."),
    Requirement("fast-021", "fast", "Scripts", "After the user has cancelled the debugger's bar the next call works, and states why it is slower."),
    Requirement("fast-022", "fast", "Scripts", "A page that logs 10,000 lines while we are attached is let go, and the next script runs."),
    Requirement("fast-023", "fast", "One look before an act", "`list_interactive` and the other actions that only read take no turn, wait for no hands, and are recorded nowhere before they run."),
    Requirement("fast-024", "fast", "An action in two messages", "A click is two messages to the page, perform and rest; a form's fields are one."),
    Requirement("fast-025", "fast", "Refresh and navigate", "The largest paint of a load is final by the frames that were drawn after it: what a page measures a second later is the same."),
    Requirement("fast-026", "fast", "Lists that cost what they tell", "`observe` gives rows: column names once, values in arrays, times as ms after the first row, addresses relative to an origin, defaults left out, `source` and `stack` on errors or with `verbose`."),
    Requirement("fast-027", "fast", "Lists that cost what they tell", "100 console lines take at most 5,500 B, 20 requests at most 1,500 B, 40 frames at most 3,500 B."),
    Requirement("fast-028", "fast", "Lists that cost what they tell", "The seeds' own tools keep the seeds' shapes."),
    Requirement("fast-029", "fast", "What is on this page", "`get_page_info` names the first 20 controls with `ref`, role, name and state beside the seed's fields; a ref is the same in a list, an outline and an action."),
    Requirement("fast-030", "fast", "What is on this page", '`observe(what:"outline")` is the page as a person perceives it: landmarks, headings, text, lists, tables, controls with role, name, value, state and `ref`, in reading order, open and closed shadow roots and frames included.'),
    Requirement("fast-031", "fast", "What is on this page", "An outline takes at most `budget` bytes, with the most telling first; what was left out is counted, with the element that `selector` gives as a part."),
    Requirement("fast-032", "fast", "What is on this page", "A page cannot write into an outline what looks like a control, and no value of a password or card field is in one."),
    Requirement("fast-033", "fast", "What is on this page", "An outline that is empty states why."),
    Requirement("fast-034", "fast", "What is on this page", "With `since_seq` an outline has only what changed since the last one, wherever on the page."),
    Requirement("fast-035", "fast", "What is on this page", "At least 98 % of the controls of 30 pages have the role and the name of Chrome's own accessibility tree."),
    Requirement("fast-036", "fast", "What is on this page", "An outline stays small and quick on a page of 50,000 elements, 10,000 levels or a text of 10 MB, with references in a circle, and on one that patches what is built in or moves while it is read."),
    Requirement("fast-037", "fast", "What is on this page", "An outline takes the way of reads: in a hidden tab, under a strict policy, while the page loads, without AI Web Pilot; a frame that does not answer is stated at its place."),
    Requirement("fast-038", "fast", "One look before an act", "An action that only reads and is lost with its process is asked for again; its outcome is never unknown."),
    Requirement("fast-039", "fast", "Lists that cost what they tell", "Errors and what the user did are rows too; what was around an error is rows of its own."),
)
