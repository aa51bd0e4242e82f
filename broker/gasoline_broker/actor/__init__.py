"""A process's end of the link to the broker.

Reading order: wire (envelope and frames), mailbox (the link as a state machine), client (the socket around it), status
(reads the broker's), actor (the base class of every worker), store (SQLite with idempotent writes).
"""
