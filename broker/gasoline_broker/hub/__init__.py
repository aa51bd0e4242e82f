"""The broker: routes every message between the processes and decodes none of their bodies.

Reading order: labels (which service may receive raw data), routing (the decisions), state (what routing remembers),
fairness (the queues), latency (the histograms), error_messages, reports (what `gasoline status` and `trace` read),
server (the sockets around it).
"""
