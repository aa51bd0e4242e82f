"""`gasoline check`: compares pages with their baselines in a browser of its own, for a person or for CI.

Reading order: results (what came of a page), run (all pages, one after another), own_system (the system and the browser
that it starts), session (its calls), junit, sarif and html_report (what is written of the results).
"""
