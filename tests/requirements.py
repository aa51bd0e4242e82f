"""Every sentence of the five seeds as a row: a test carries its id, or the row says why none does."""

from requirements_seeds import seed_000, seed_001, seed_002, seed_003, seed_004
from requirements_seeds.row import Requirement

REQUIREMENTS: tuple[Requirement, ...] = (
    *seed_000.ROWS,
    *seed_001.ROWS,
    *seed_002.ROWS,
    *seed_003.ROWS,
    *seed_004.ROWS,
)
