"""Every sentence of the seeds and of the hub's promises as a row: a test carries its id, or it says why none does."""

from requirements_seeds import hub, seed_000, seed_001, seed_002, seed_003, seed_004
from requirements_seeds.row import Requirement

REQUIREMENTS: tuple[Requirement, ...] = (
    *seed_000.ROWS,
    *seed_001.ROWS,
    *seed_002.ROWS,
    *seed_003.ROWS,
    *seed_004.ROWS,
    *hub.ROWS,
)
