"""Two pictures of a page compared: pixels, rows, elements; only rows."""

# ruff: noqa: E501 - a row is one line, unformatted, so that a sentence is found, read and compared whole

from requirements_seeds.reasons import BENCH
from requirements_seeds.row import Requirement

# fmt: off
ROWS = (
    Requirement("visual-001", "visual", "Pixels", "The pixels that differ to the eye are those that pixelmatch 7.2 marks, with its detection of anti-aliasing, in all its fixtures and at both usual thresholds."),
    Requirement("visual-002", "visual", "Pixels", "Pictures of equal bytes are identical without a decode in under 2 ms; a small change of 1440×900 is compared in under 30 ms, of 1440×8000 in under 400 ms and 500 MB.", BENCH),
    Requirement("visual-003", "visual", "Rows", "Content that has slid is aligned by its rows: a banner of 47 pixels is 47 inserted rows, and what it pushed down is compared with itself."),
    Requirement("visual-004", "visual", "Regions", "Connected pixels are one box, and what lies apart is two."),
    Requirement("visual-005", "visual", "Explanation", "Each of 24 planted changes of a real page is named by its elements: added, removed, moved, resized, recoloured, text, font, image, order of layers, scroll, reflow."),
    Requirement("visual-006", "visual", "Explanation", "What only follows from a change is no finding of its own, and an explanation has at most 300 tokens."),
    Requirement("visual-007", "visual", "Ignored", "What moves by itself is found by two pictures of the same state; it, and what a selector or a box names, is left out."),
    Requirement("visual-008", "visual", "Bad input", "Pictures of other widths are not compared pixel by pixel; their elements are."),
    Requirement("visual-009", "visual", "Picture", "One picture shows before, now, and what differs, framed; of a long page the part that differs."),
    Requirement("visual-010", "visual", "Baseline", "A baseline has pictures of its page; a compare names what looks different, with both side by side, and `visual` alone needs no load; they are kept as long as a baseline needs them."),
    Requirement("visual-011", "visual", "Ignored", "`ignore` leaves out what selectors and rectangles name, in both pictures and wherever it lies in each; a selector that is on neither page is named, an invalid one refused before anything is loaded; what a baseline was made with is left out of its compares too."),
    Requirement("visual-012", "visual", "Ignored", "A secret field that is masked in one picture and empty in the other is no change."),
    Requirement("visual-013", "visual", "Explanation", "What was repainted in a part that moved is named beside the move."),
    Requirement("visual-014", "visual", "Real pages", "On pages of applications that we did not write an identical rerun names nothing, in a window without focus and under the debugger's bar, and a planted change is named by itself: a row of a striped table, one of pictures that are alike, elements whose ids are another with each load, what is clipped, columns that follow a text."),
    Requirement("visual-015", "visual", "Bad input", "A look in another browser or viewport than the baseline's is compared and warned of."),
    Requirement("visual-016", "visual", "Bad input", "A picture of more than 16 megapixels is compared as a small one is, and shown thinned out."),
    Requirement("visual-017", "visual", "Fonts", "A picture waits for the fonts that the page uses, 3 s at most."),
    Requirement("visual-018", "visual", "Noise", "A page that is drawn late is no change: two pictures of a baseline that differ are followed by others until two are the same, three at most; what came between the last two is not new in a compare; and a compare that finds a changed look takes another picture, which counts."),
)
