"""What the tests notice if the code is changed: the mutants that once survived; only rows."""

# ruff: noqa: E501 - a row is one line, unformatted, so that a sentence is found, read and compared whole

from requirements_seeds.row import Requirement

# fmt: off
ROWS = (
    Requirement("mutate-001", "mutate", "Once survived", "Each ring keeps as many events as its limit states, in numbers."),
    Requirement("mutate-002", "mutate", "Once survived", "A string, and a body, that still changes after its last reading is hidden whole."),
    Requirement("mutate-003", "mutate", "Once survived", "A cookie's value goes on after a space."),
    Requirement("mutate-004", "mutate", "Once survived", "Of a name two words before its head noun decide, a third does not."),
    Requirement("mutate-005", "mutate", "Once survived", "A reply uses its budget to the last byte."),
    Requirement("mutate-006", "mutate", "Once survived", "What an earlier service worker stored is read in the order in which it was written."),
    Requirement("mutate-007", "mutate", "Once survived", "A CLS that doubles is reported, one that grows by less is not."),
    Requirement("mutate-008", "mutate", "Once survived", "Encodings in each other cost no more than their levels in turn, whatever is in them."),
)
# fmt: on
