"""The broker: routes every message between the processes and decodes none of their bodies.

Reading order: events (in and out), routing (the front that dispatches them), limits, state (the tables), labels (which
service may receive raw data), fairness (the queues), admission, delivery with assignment and completion, registration
with departures, liveness, schedule; replies, latency, error_messages, reports (what `gasoline status` and `trace`
read); server (the sockets around it).
"""
