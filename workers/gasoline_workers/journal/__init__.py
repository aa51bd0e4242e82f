"""Journal: what happened in the browser, in one file and in one order, to be read without missing or repeating any.

Read `messages` (what is asked), `limits` (how much is kept), `events` with `fingerprints` (an event as a row),
`tables`, `pairs`, `connections` and `file` (what is written, evicted and cleared), `scopes` (which part is read: view,
tab, page of a list), `queries` (the SQL of every list), then `modes`, one module for each reading mode (`errors` with
`surroundings`, `network_bodies` with `paths`); `reading` puts them together; `effects`, `audit` and `jobs` are
apart from them; `actor` serves it all.
"""
