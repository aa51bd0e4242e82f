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
    Requirement("applications-050", "applications", "Popups", "A window that Chrome did not open for the page is reported as blocked, with what to do."),
    Requirement("applications-051", "applications", "Popups", "A tab or window that an action opened is named by tab_id, url and title, also from a hidden page; one that closed again is reported as closed."),
    Requirement("applications-052", "applications", "Popups", "An action that ends with its own window closed succeeds and states closed."),
    Requirement("applications-053", "applications", "Prompts", "A permission that waits for the user, one that is denied, and a file chooser are reported."),
    Requirement("applications-054", "applications", "Prompts", "A page that prints holds no call: it is a dialog that only the user can close."),
    Requirement("applications-055", "applications", "On its way", "An action in a frame waits for the frame's page, and describes it; one that replaces the whole page describes that."),
    Requirement("applications-056", "applications", "On its way", "A reply that leads to a page states settled:false while that page is still drawing."),
    Requirement("applications-057", "applications", "Changes", "Attributes that only point to ids that a library generates are one count, never rows."),
    Requirement("applications-058", "applications", "Effects", "A reply counts the messages of WebSockets; the effect has them by connection and direction, the last ones with their shortened text."),
    Requirement("applications-059", "applications", "Effects", "A binary message of a WebSocket is decoded if it is JSON, text, MessagePack or Jupyter's; any other stays a size."),
    Requirement("applications-060", "applications", "Strange pages", "A page that changes at every frame, moves and polls is acted on, by script and by real input; its replies are not settled."),
    Requirement("applications-061", "applications", "Strange pages", "A click, scripted and real, hits its place at a zoom of 50 % and 200 %, in a frame too."),
    Requirement("applications-062", "applications", "Strange pages", "Pages in Arabic and Japanese, from right to left, are read, found by text and typed into as any."),
    Requirement("applications-063", "applications", "Popups", "A popup that opens, or that Chrome does not open, after the reply is in the effect."),
)
# fmt: on
