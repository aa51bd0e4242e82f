"""Draw Mode beyond its seed: how it is drawn with, changed and shown, what each figure means; only rows."""

# ruff: noqa: E501 - a row is one line, unformatted, so that a sentence is found, read and compared whole

from requirements_seeds.row import Requirement

# fmt: off
ROWS = (
    Requirement("draw-001", "draw", "States", "The states and what leads from one to the next are one table; every trigger that the table lacks is refused, in every state."),
    Requirement("draw-002", "draw", "Beginning", "The popup's button, the keyboard shortcut and interact(draw_mode_start) begin Draw Mode; the first two end it, too."),
    Requirement("draw-003", "draw", "Input", "Draw Mode is used by keyboard alone: to draw each figure, to reach, move, stretch, write again and delete each annotation."),
    Requirement("draw-004", "draw", "Input", "A finger and a pen draw, select, move and stretch as a mouse does."),
    Requirement("draw-005", "draw", "Meaning", "The element that is meant is named in shadow roots and frames too, is never the body, and its summary has no password's value."),
    Requirement("draw-006", "draw", "Sessions", "A session survives the service worker; a page that is left reports what was drawn by then, with its warning."),
    Requirement("draw-007", "draw", "Sessions", "A second start keeps the first session and what was drawn; one after an end begins anew, also with nothing drawn."),
    Requirement("draw-008", "draw", "Sessions", "A session that is forgotten ends with what it has."),
    Requirement("draw-009", "draw", "Screens", "A pixel of the overlay is one of the screen at densities 1 to 3 and at every zoom of the browser, also after the window comes to another screen."),
    Requirement("draw-010", "draw", "Screens", "What was drawn is in the picture where it is on the page, at the picture's own scale."),
    Requirement("draw-011", "draw", "Screens", "While the page or a part of it scrolls, what was drawn stays on its element."),
    Requirement("draw-012", "draw", "Screens", "When the window is resized or the page is laid out again, a frame follows the edges of its element."),
    Requirement("draw-013", "draw", "Screens", "What is drawn has a white line on both sides, and is seen on light and dark pages and on its own colour."),
    Requirement("draw-014", "draw", "Screens", "The overlay is above the page's own dialogs, works under every policy, and comes again when a page throws it away."),
    Requirement("draw-015", "draw", "Changes", "A click on a line or a number selects an annotation; a drag then moves it, and its element is looked up again."),
    Requirement("draw-016", "draw", "Changes", "Each handle stretches what is selected, the one across from it stays, and 5 px remain."),
    Requirement("draw-017", "draw", "Changes", "Delete removes what is selected, and the numbers close up."),
    Requirement("draw-018", "draw", "Changes", "Enter or a double click opens the text again; the kind of what is written or selected is changed by the bar."),
    Requirement("draw-019", "draw", "Changes", "Undo takes back each change in turn; a key that is held is one change, and Escape takes it back."),
    Requirement("draw-020", "draw", "Changes", "A drag that begins on the line of another annotation draws."),
    Requirement("draw-021", "draw", "Figures", "The tools are chosen by r, a and f and by their buttons, which state by aria-pressed which one it is; a rectangle is drawn by default."),
    Requirement("draw-022", "draw", "Figures", "An arrow means the innermost element at its tip that is worked with, said or shown by itself, and reports both its ends."),
    Requirement("draw-023", "draw", "Figures", "A freehand line means what its box encloses, and reports at most 64 points, its ends among them, that keep its course."),
    Requirement("draw-024", "draw", "Figures", "Arrows and freehand lines are in the picture and in the reply; of what is no figure the journal keeps the rectangle alone."),
    Requirement("draw-025", "draw", "Kinds", "Bug, suggestion and question each have a colour, and an annotation states its kind."),
    Requirement("draw-026", "draw", "Screens", "The bar goes to the other edge of the window by its button, so that what is under it is drawn around too, and makes way for the text by itself."),
    Requirement("draw-027", "draw", "Results", "Each change is in the journal at once: what was drawn outlives the worker, and of a browser that ends it is read as forgotten."),
    Requirement("draw-028", "draw", "Results", "The page's picture with what was drawn, and the one without it, are stored when the person is done, unasked, and for a day go last when the quota is full; a model is shown it once."),
    Requirement("draw-029", "draw", "Answers", "An assistant's answer is shown on the page, above its dialogs, until the person closes it; its status and its words stay with the annotation."),
    Requirement("draw-030", "draw", "Verification", "Each element is found again and compared by styles, text, size, place and picture: of 20 annotations of which 10 were put right, 20 verdicts are right, with what differs and both crops."),
    Requirement("draw-031", "draw", "Verification", "What cannot be compared is not called unchanged: another page is refused, and missing pictures are stated."),
    Requirement("draw-032", "draw", "Verification", "No selector is made of an id that a library generates: it is another one at the next load."),
    Requirement("draw-033", "draw", "Sessions", "Sessions that an assistant has named, and those that the person goes on with in that tab, are read as one over several pages, each with its picture."),
    Requirement("draw-034", "draw", "Results", "A call that waits is answered as soon as a session has ended and its picture is stored; it reads the journal then, and not again and again."),
    Requirement("draw-035", "draw", "Input", "What is in a remark was typed, pasted, dropped or composed by the person: a page that writes into the field in focus changes nothing."),
    Requirement("draw-036", "draw", "Input", "The page sees no press and no letter of the overlay, and cannot stop any, as far as its scripts came after the extension's: its menus stay open, and Escape works."),
    Requirement("draw-037", "draw", "Answers", "A card that is open comes back with each load of its page in its tab, also by a new worker; one that was closed does not."),
    Requirement("draw-038", "draw", "Verification", "Of a tab that was closed, or a browser that was started anew, what was drawn is verified, described and answered in a tab that shows its page; without one the call that opens it is named, and an unknown verdict states its reason."),
    Requirement("draw-039", "draw", "Input", "A menu that is open while the pointer is over it stays open while a person draws, and closes once the pointer is elsewhere after that."),
)
# fmt: on
