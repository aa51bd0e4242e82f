"""The rows of the requirements manifest, one module per seed; nothing is decided here.

Reading order: `row` (what a row says), `reasons` (why a row may have no test), then `seed_000` to `seed_004`.
`requirements.py`, one folder up, joins them.
"""
