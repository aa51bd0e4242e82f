"""Audit: judges what the page gathered, and answers with findings.

Read `messages` (what is asked and answered), `judging` (the table of the parts, and the reply), then a module for each
part: `accessibility` with `contrast`, `fixes` and `wcag`; `axe_report` for the answer of `run_accessibility_audit`;
`actor` serves them.
"""
