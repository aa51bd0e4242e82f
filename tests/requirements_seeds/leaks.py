"""The leak hunt: a flow that is repeated until what it leaves behind is certain; only rows."""

# ruff: noqa: E501 - a row is one line, unformatted, so that a sentence is found, read and compared whole

from requirements_seeds.row import Requirement

# fmt: off
ROWS = (
    Requirement("leaks-001", "leaks", "Verdict", "What grows by the same amount with each iteration of a flow is a leak: its slope, its fit and the verdict are answered, with a finding."),
    Requirement("leaks-002", "leaks", "Verdict", "Growth that ends, noise, and a flow that keeps nothing are no leak; of elements that the page itself shows, the verdict is unclear, with the reason."),
    Requirement("leaks-003", "leaks", "Run", "The steps are checked before the first is done; one that fails ends the hunt with its error, its iteration and its place."),
    Requirement("leaks-004", "leaks", "Run", "A hunt that ends with its process or its session is never begun again: its outcome is unknown."),
    Requirement("leaks-005", "leaks", "Run", "When its time is over, enough measures are judged, with a warning; too few are `analysis_timeout`."),
    Requirement("leaks-006", "leaks", "Page", "An assistant's act leaves no listener in the page once it has ended, however many there are."),
)
# fmt: on
