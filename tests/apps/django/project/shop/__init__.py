"""A shop with every kind of field: models, their administration, and pages that take their time."""
