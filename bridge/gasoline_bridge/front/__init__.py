"""The edge to the assistant: Model Context Protocol in, itineraries out, replies that fit their budget back.

Reading order: actions and analyses (the tables of modes), tools (what can be called) with reading_tools, schema (how
that is listed), arguments (the checks), dispatch (the message of each mode), calls (a call, from its arguments to its
reply) with batches, jobs, status, and drawing_calls (those about Draw Mode) with drawings; how an answer is cut to its
budget: replies (any), paging (of the journal) with rows, script_reply, accessibility, findings; front (the process),
shim (the process that a client starts); reference with reply_schemas (a document). What `generate` saves:
generate_calls, then recorded_steps (what was done, as the steps of a test), playwright_syntax, playwright_steps and
playwright_files (the test in either language), http_archive, save_places with client_roots (where), exports.
"""
