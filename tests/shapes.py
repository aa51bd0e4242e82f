"""The documented shape of the reply of each mode that reads the journal; tests hold real replies to it."""

from gasoline_bridge.front import reply_schemas
from gasoline_workers.journal.messages import MODES

SHAPES = {mode: reply_schemas.OBSERVED[mode] for mode in MODES}
