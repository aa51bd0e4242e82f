"""Fits the result of a script to the budget of its reply; pure, and it never cuts inside JSON."""

from gasoline_bridge.front.replies import Reply, encode

HEAD_BYTES = 300  # what a reply has beside the result: success, the note, a cut dialog, how many more there are


def lists(reply: Reply, names: tuple[str, ...]) -> tuple[str, ...]:
    """Name those that are lists, or texts that were read: a script may give anything, and `bounded` cuts its texts."""
    return tuple(name for name in names if isinstance(reply.get(name), list if name == "result" else list | str))


def bounded(reply: Reply, budget: int) -> Reply:
    """Give the reply with a result that fits: a list is left to be cut at its items, all else is cut at its end."""
    result = reply.get("result")
    size = len(encode(reply))
    if size <= budget or isinstance(result, list) or "result" not in reply:
        return reply
    text = result if isinstance(result, str) else encode(result).decode()
    begin = _begin(text, max(0, budget - HEAD_BYTES))
    what = "of the text" if isinstance(result, str) else "of the result as JSON"
    note = f"The first {len(begin)} of {len(text)} characters {what}: return less, or give a greater budget."
    return reply | {"result": begin, "truncated": True, "note": note}


def _begin(text: str, room: int) -> str:
    """Give the begin of a text that takes `room` bytes in JSON at most."""
    cut = text[:room]
    while len(encode(cut)) > room + len('""') and cut:
        cut = cut[: len(cut) * room // len(encode(cut))]
    return cut
