"""Redaction: no secret that a page showed reaches a store or a model.

Read `messages` (what is asked), `rules` (the entry and the walk), `structure` and `names` with `values` (evidence
beside a value), `prefilter` with `automaton` (which rules a string needs), `text` (what a string may hold:
`json_text`, `html_text`, `decode`, `binary`, `multipart`, `selectors`, `assignments`, `urls`, `patterns` with
`issuers`; of no known form: `nearby`, `prefixed`, `hexdump`, and `labels` for `names`),
`echo` and `known` (the same secret elsewhere in a body, and in later ones), `handles` and `origins` (what stands for
it, and where that may be typed), `spans` and `ledger` (the marker, the count, the limits), `policy` with `policy_file`,
`own_rules` and `personal` (a user's own rules), `preview` (what would be hidden, for the user); `actor` serves it.
"""
