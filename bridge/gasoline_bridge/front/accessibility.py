"""Fits the new accessibility violations of an action to the budget of its reply; pure."""

from gasoline_bridge.front.replies import Reply, encode

SHARE = 2  # the part of the budget that it may take: the rest is of what the action did


def bounded(reply: Reply, budget: int) -> Reply:
    """Give the reply without the least of the rules, until the others fit; `omitted` counts the missing ones."""
    found = reply.get("a11y")
    if not isinstance(found, dict):
        return reply
    rules, omitted = list(found["new"]), found.get("omitted", 0)
    while rules and len(encode(rules)) > budget // SHARE:
        rules.pop()
        omitted += 1
    return reply | {"a11y": found | {"new": rules} | ({"omitted": omitted} if omitted else {})}
