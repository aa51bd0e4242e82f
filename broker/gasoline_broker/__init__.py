"""The hub: routes every message between the processes and decodes none of their bodies.

Reading order: wire (what travels), flow (who may see what), routing (the decisions), server (the socket around them),
client and actor (the other end of the socket), supervisor (who starts them all). Beside them: settings, errors, log,
messages (what the broker itself understands).
"""
