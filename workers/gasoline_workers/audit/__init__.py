"""Audit: judges what the page gathered, and answers with findings.

Read `messages` (what is asked and answered), `judging` (the table of the parts, and the reply), then a module for each
part: `accessibility` with `contrast`, `fixes` and `wcag`; `security` with `response_headers`, `csp`, `cookies` and
`page_content`; `performance` with `measured`, `vitals`, `loading`, `images`, `fonts` and `document`; `memory`.
`load_numbers` reads one load of many; `axe_report` is for the answer of `run_accessibility_audit`; `actor` serves them.
"""
