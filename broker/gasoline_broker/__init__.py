"""The hub: routes every message between the processes and decodes none of their bodies.

Reading order: wire (what travels), flow (who may see what), routing (the decisions; it remembers in state, queues by
fairness, counts by figures, refuses in failures and is told of by reports), server (the sockets around it); mailbox (a
process's end of the link, decided), client and actor (the socket and the process around it); supervisor (who starts
them all: procfile, child, patience, orphans, guardian, relay). Beside them: store (where a worker keeps things), keys
(who is let in from other machines), settings, errors, log, lock, messages (what broker and supervisor understand).
"""
