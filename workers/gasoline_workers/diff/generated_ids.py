"""Recognizes ids that a library generates anew at each draw: what only points to one of them is no news; pure."""

import re

POINTERS = frozenset({
    "id",
    "for",
    "aria-activedescendant",
    "aria-controls",
    "aria-describedby",
    "aria-details",
    "aria-errormessage",
    "aria-labelledby",
    "aria-owns",
})  # fmt: skip
"""The attributes whose values are ids (https://www.w3.org/TR/wai-aria-1.2/#valuetype_idref, and HTML's own)."""

LIBRARIES = (
    "bits",
    "cdk",
    "chakra",
    "downshift",
    "ember",
    "ext-gen",
    "floating-ui",
    "headlessui",
    "mantine",
    "mat",
    "melt",
    "mui",
    "radix",
    "react-aria",
    "reka",
)

GENERATED = re.compile(
    r":[rR][0-9a-z]+(?:H\d+)?:"  # React 18's useId
    r"|«[rR]?\w+»|(?:^|[^a-z])_[rR]_\w+_"  # React 19.0, 19.1
    r"|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"  # a UUID
    r"|^[\w+/-]{6,}={1,2}$"  # random bytes in Base64
    rf"|^(?:{'|'.join(LIBRARIES)})-?(?:[a-z]+-)*\w*\d\w*",
    re.ASCII,
)


def points_to_generated(attribute: str, *values: str | None) -> bool:
    """Return whether an attribute has held nothing but generated ids."""
    if attribute not in POINTERS or not any(values):
        return False
    return all(GENERATED.search(word) for value in values for word in (value or "").split() if word != "…")
