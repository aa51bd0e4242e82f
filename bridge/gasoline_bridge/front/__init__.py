"""The edge to the assistant: Model Context Protocol in, itineraries out, replies that fit their budget back.

Reading order: tools (what can be called), schema (what the client is told of it), arguments (what it sent), replies
(how an answer is cut to its budget), calls (a tool call's way through the processes), front (the process), shim (what
a client starts).
"""
