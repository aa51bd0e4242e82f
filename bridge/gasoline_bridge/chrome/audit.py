"""Writes down the calls that the extension cannot: they never reached it, or it went away with them; pure."""

import secrets

from gasoline_bridge.chrome.link import Chunk, Client

NO_LOAD = "00000000"
ID_CHARS = 8  # as the extension: enough to distinguish the sessions of a day


def refused(action: str, client: Client, tab: int, code: str, now: float) -> Chunk:
    """Give the audit event of a call that was refused, as a chunk of no tab. `now`: s since the epoch."""
    event = {
        "type": "audit",
        "ts": now * 1_000,
        "client": client.name,
        "client_id": client.id[:ID_CHARS],
        "action": action,
        "tab": max(0, tab),
        "outcome": code,
        "took_ms": 0,
    }
    return Chunk(secrets.token_hex(16), 0, 0, NO_LOAD, "", [event])
