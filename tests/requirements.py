"""Every sentence of the seeds and of what the parts promise, as a row: tested, or it says why not."""

from requirements_seeds import (
    actions,
    analyze,
    applications,
    attacks,
    capture,
    doors,
    faults,
    fields,
    first_tries,
    hub,
    mutants,
    pilot,
    seed_000,
    seed_001,
    seed_002,
    seed_003,
    seed_004,
    structure,
)
from requirements_seeds.row import Requirement

REQUIREMENTS: tuple[Requirement, ...] = (
    *seed_000.ROWS,
    *seed_001.ROWS,
    *seed_002.ROWS,
    *seed_003.ROWS,
    *seed_004.ROWS,
    *actions.ROWS,
    *analyze.ROWS,
    *applications.ROWS,
    *attacks.ROWS,
    *capture.ROWS,
    *doors.ROWS,
    *faults.ROWS,
    *fields.ROWS,
    *hub.ROWS,
    *mutants.ROWS,
    *pilot.ROWS,
    *structure.ROWS,
    *first_tries.ROWS,
)
