"""The edge to the assistant: Model Context Protocol in, itineraries out, replies that fit their budget back.

Reading order: actions (the table of modes), tools (what can be called), schema (how that is listed), arguments (the
checks), dispatch (the message of each mode), calls (a call, from its arguments to its reply), replies (how an answer is
cut to its budget), front (the process), shim (the process that a client starts).
"""
