"""The fields of a record of the shop, one of each kind, as `fill_form` takes them."""

from typing import Any, Final

FIELDS: Final[list[dict[str, Any]]] = [
    {"selector": "label=Name:", "value": "Green tea"},
    {"selector": "label=Code:", "value": "tea"},
    {"selector": "label=Description:", "value": "Two lines\nof text"},
    {"selector": "label=Amount:", "value": "12"},
    {"selector": "label=Price:", "value": "4.50"},
    {"selector": "label=Available", "checked": True},
    {"selector": "#id_kind", "value": "Drink"},
    {"selector": "label=Added:", "value": "2026-03-01"},
    {"selector": "label=Opens:", "value": "09:30:00"},
    {"selector": "label=Link:", "value": "https://example.org/tea"},
    {"selector": "label=Details:", "value": '{"leaf": "whole"}'},
]
