"""Diff: what the page measured before and after, reported as a difference and as one sentence.

Read `messages` (what is asked, measured and answered), `reading` (of what may be garbage), `addresses` and `sentences`
(words); for a page load `loads`, `resources`, `summary`; for an action on the page `mutations`, `spans`, `causes`,
`analysis`; `actor` serves them.
"""
