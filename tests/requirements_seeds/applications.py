"""What holds on real applications: an action does what a person's would, and a reply describes what came of it; only rows."""

# ruff: noqa: E501 - a row is one line, unformatted, so that a sentence is found, read and compared whole

from requirements_seeds.row import Requirement

# fmt: off
ROWS = (
    Requirement("applications-001", "applications", "Focus", "In a window without the focus, an action sends the focus events that the browser does not; in one that has it, each comes once."),
    Requirement("applications-002", "applications", "Focus", "A press beside a field leaves it; what the page itself gives the focus hears of it."),
    Requirement("applications-003", "applications", "Keys", "A key by script does what Chrome does for a real key: focus, selection, option, radio button, number, caret, submit, scroll."),
    Requirement("applications-004", "applications", "Keys", "A key whose work no script can do answers needs_trusted, unless the page did something itself."),
    Requirement("applications-005", "applications", "Keys", "type ends with a key pair; keys:true types key by key."),
    Requirement("applications-006", "applications", "Outcome", "A reply carries what a person would see come of the action: messages, refused fields, the field's value, a dialog's title, a route's url and title."),
    Requirement("applications-007", "applications", "On its way", "A reply waits for the page that the action leads to, as navigate does, and describes it."),
    Requirement("applications-008", "applications", "Text", "A text that is read fills the budget, states what is left, and goes on by cursor."),
    Requirement("applications-009", "applications", "Cursors", "Any call of interact takes the cursor of its own reply, with nothing else."),
    Requirement("applications-010", "applications", "Loads", "A fragment that is a route is part of the address; what lies within the spread of recent loads is marked, and never the summary; at most ten rows of resources, the rest counted."),
    Requirement("applications-011", "applications", "On its way", "A read of a tab under way waits for the page that comes, or states loading with the address."),
    Requirement("applications-012", "applications", "On its way", "wait_for takes a part of the address, a text, a request's end, quiet, and the element's disappearance."),
    Requirement("applications-013", "applications", "Empty answers", "A reply names the requests that failed, and counts and lists those that are open."),
    Requirement("applications-014", "applications", "On its way", "What is read right after typing is read when a search had time to begin."),
    Requirement("applications-015", "applications", "Names", "Role and accessible name are those of Chrome's accessibility tree, on a page that clobbers the DOM too."),
    Requirement("applications-016", "applications", "List", "list_interactive has each element once, with its states, and what tells it apart if it has no name or shares it."),
    Requirement("applications-017", "applications", "List", "What can be seen nowhere is neither listed nor acted on; a field that stands for a drawn box is, where that is drawn."),
    Requirement("applications-018", "applications", "List", "An open dialog comes first, what it covers is counted, and element_covered names the dialog, popover or style."),
    Requirement("applications-019", "applications", "Selectors", "text=, label= and role= prefer the exact match, text= finds names too, candidates have refs, an error offers what is like it."),
    Requirement("applications-020", "applications", "Text", "get_text reads what a person reads, shadow roots and slots included."),
    Requirement("applications-021", "applications", "Page", "get_page_info leaves out and counts forms and headings that are not shown, and states while nothing is drawn."),
    Requirement("applications-022", "applications", "Gestures", "A click takes a button, a count and the keys that are held, with Chrome's events in Chrome's order; a right click that the page leaves to Chrome's own menu is reported."),
    Requirement("applications-023", "applications", "Gestures", "A click, a hover and the wheel go to a place of an element, which is scrolled to; one outside of it is refused with its size."),
    Requirement("applications-024", "applications", "Gestures", "The wheel scrolls what a real one would, unless the page prevents it; where nothing moves the reply states it."),
    Requirement("applications-025", "applications", "Gestures", "A drag goes by an offset in the place of a goal; one that leads out of the window is refused with its range."),
    Requirement("applications-026", "applications", "Gestures", "A press is held for as long as is asked, and let go when the call is cancelled."),
    Requirement("applications-027", "applications", "Editors", "Monaco, CodeMirror and Ace take text by type on what is seen of them; the editor's own text is read back, and one that did not take it answers needs_trusted."),
    Requirement("applications-028", "applications", "Files", "A reply names the files that were saved, however they came, with size and place; those that come later are in the effect."),
    Requirement("applications-070", "applications", "Gestures", "A press on an option of a list that is open chooses it, with Control and Shift as Chrome does, before the page hears of the click."),
    Requirement("applications-071", "applications", "Outcome", "A field that a page has only asked about is not reported as refused."),
    Requirement("applications-072", "applications", "Editors", "An editor with an edit context takes keys from a script, one by one or in a text."),
    Requirement("applications-073", "applications", "List", "What takes the keys of an editor is listed and acted on where the editor is drawn."),
    Requirement("applications-074", "applications", "List", "A slider that only readers have is listed and acted on where its thumb is drawn."),
    Requirement("applications-075", "applications", "Keys", "A key for an element goes where a real one would: to the element if it takes keys, to what has the focus in it, and into an editor only from within it or where nothing else takes keys."),
    Requirement("applications-076", "applications", "On its way", "An element that is missing right after an action is waited for as long as a menu takes to open."),
    Requirement("applications-077", "applications", "Applications", "Two of the applications, with the tasks that hold most, are part of every run of the tests."),
    Requirement("applications-078", "applications", "Applications", "An error that names the call to make instead is followed once, and the verdict states it."),
)
# fmt: on
