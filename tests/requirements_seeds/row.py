"""One row of the requirements manifest; it knows nothing of the tests that cover it."""

from typing import NamedTuple


class Requirement(NamedTuple):
    """One sentence of a seed: a bullet, a table row, a step or an example counts as one.

    `id` is the seed and a running number, as a test's marker names it. `sentence` is the seed's own wording without its
    bold face and table bars; of a diagram or a code block it is the gist, with the lines of the seed where it stands.
    """

    id: str
    seed: str
    section: str
    sentence: str
    reason: str = ""
    """Why no test carries this id; empty: at least one does."""

    @property
    def status(self) -> str:
        """Say what the row rests on: the word "tested", or its reason."""
        return self.reason or "tested"
