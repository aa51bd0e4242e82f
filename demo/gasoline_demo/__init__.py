"""The demonstration: a real browser, the whole system, and a real client's session, on a shop page of its own.

Reading order: steps (what is shown), site (the pages), stage (the system and the switches), run (all of it), examples
(the recorded calls of docs/tools.md).
"""
