"""The demonstration: a real browser, the whole system, and a real client's session, on a shop page of its own.

Reading order: steps (what is shown), site (the page), run (all of it).
"""
