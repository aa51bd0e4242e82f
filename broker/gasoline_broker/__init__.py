"""The hub and what every process needs to talk to it.

Reading order: actor (a process's end of the link), hub (the broker), supervisor (starts and restarts the processes).
Beside them: messages (what broker and supervisor understand), settings, errors, log, keys (CURVE keys of other
machines), lock, product (name and version).
"""
