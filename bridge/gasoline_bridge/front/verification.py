"""Judges whether what each annotation is about has changed since it was drawn.

What an element looks like comes from the page by way of redaction, then as now, so that both are comparable.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple

import msgspec

from gasoline_bridge.chrome import messages as bridge
from gasoline_bridge.front.drawings import place
from gasoline_bridge.front.replies import Reply
from gasoline_broker.errors import Failed, fail
from gasoline_workers.journal.messages import DrawingRead, Item
from gasoline_workers.screenshots.messages import Part

Look = Callable[[bridge.LookAtAnnotated], Awaitable[Reply]]
"""Asks the page how elements look now."""

Compare = Callable[[tuple[Part, ...]], Awaitable[Reply]]
"""Compares parts of the page's picture then and now: `differing`, by number, and the reply's `screenshot_path`."""

SIZE_PX = 1.0  # by which a box may differ: the layout of the same page has fractions
STYLES, TEXT_CHARS = 8, 120
HIDDEN = ("[REDACTED", "⟦")  # the beginnings of what redaction leaves; a text may be cut within it
EMPTY: Item = {"tag": "", "text": "", "styles": {}, "box": {}, "from": {}}
UNCOMPARED = "not compared"


class Pair(NamedTuple):
    """An annotation, how its element looked and how it looks, and the verdict."""

    annotation: Item
    then: bridge.Look | None
    now: bridge.Look | None
    verdict: Reply


async def verified(drawn: DrawingRead, look: Look, compare: Compare) -> Reply:
    """Give a verdict for each annotation of a session.

    Raises:
        Failed: `page_navigated`: the tab shows another page; or as any look at a page fails.

    """
    asked = [{"selector": one.get("selector", ""), "look": one.get("look") or EMPTY} for one in drawn.annotations]
    page = await look(bridge.LookAtAnnotated(annotations=asked, tab_id=drawn.tab))
    if place(page["url"]) != place(drawn.page_url):
        text = f"The tab shows {page['url']}, and {drawn.page_url} was drawn on."
        fail("page_navigated", text, f'Call interact(action:"navigate", url:"{drawn.page_url}") first.')
    pairs = [_pair(one, now) for one, now in zip(drawn.annotations, page["looks"], strict=True)]
    compared: Reply = {}
    try:
        compared = await compare(parts(pairs))
    except Failed as fault:
        compared["pictures_unavailable"] = fault.failure.text
    differing = compared.pop("differing", {})
    for number, pair in enumerate(pairs, 1):
        _judge_picture(pair, differing.get(number), by_pictures="pictures_unavailable" not in compared)
    rows = [_named(pair) for pair in pairs]
    return {"status": "success", "count": len(rows), "verdicts": rows, "page_url": drawn.page_url} | compared


def _pair(annotation: Item, now: Any) -> Pair:  # noqa: ANN401 - a page's answer
    then, is_ = _look(annotation.get("look")), _look(now)
    return Pair(annotation, then, is_, differences(then, is_))


def _look(given: Any) -> bridge.Look | None:  # noqa: ANN401 - redaction may have put a marker there
    try:
        return msgspec.convert(given, bridge.Look | None)
    except msgspec.ValidationError:
        return None


def _judge_picture(pair: Pair, share: float | None, *, by_pictures: bool) -> None:
    """Add what the pictures tell: of what was in sight then and now, which part of its pixels differ."""
    verdict = pair.verdict
    if share:
        verdict |= {"verdict": "changed", "picture": share}
    elif share is None and verdict["verdict"] == "unchanged" and by_pictures:
        verdict["picture"] = UNCOMPARED
    if verdict["verdict"] == "changed" and pair.then and pair.now:
        states = {"hovered": (pair.then.hovered, pair.now.hovered), "focused": (pair.then.focused, pair.now.focused)}
        verdict |= {name: [*values] for name, values in states.items() if values[0] != values[1]}


def _named(pair: Pair) -> Reply:
    one = pair.annotation
    reply = {"correlation_id": one.get("correlation_id", ""), "text": one.get("text", "")} | pair.verdict
    return reply if pair.then else reply | {"reason": _why_unknown(one)}


def _why_unknown(annotation: Item) -> str:
    if not annotation.get("selector"):
        return "Nothing of the page was within it."
    if annotation.get("look"):
        return "Redaction has hidden how its element looked."
    return "How its element looked is not known: the browser ended before the session did."


def differences(then: bridge.Look | None, now: bridge.Look | None) -> Reply:
    """Give the verdict on an element, and what is different: what it was and what it is now.

    `size`: width and height; `moved`: right and down within what is around it. Of what redaction has hidden, then or
    now, nothing is said: it hides by what stands around it too.
    """
    if then is None:
        return {"verdict": "unknown"}
    if now is None or (now.hidden and not then.hidden):
        return {"verdict": "gone"}
    found: Reply = {}
    values = {name: [was, now.styles.get(name, "")] for name, was in then.styles.items()}
    if styles := {name: pair for name, pair in values.items() if _is_other(*pair)}:
        found["styles"] = dict([*styles.items()][:STYLES])
    for key, was, is_ in (("tag", then.tag, now.tag), ("text_content", then.text, now.text)):
        if _is_other(was, is_):
            found[key] = [was[:TEXT_CHARS], is_[:TEXT_CHARS]]
    sizes = [[one.box.width, one.box.height] for one in (then, now)]
    if any(abs(was - is_) > SIZE_PX for was, is_ in zip(*sizes, strict=True)):
        found["size"] = sizes
    by = [_moved(then.from_.x, now.from_.x), _moved(then.from_.y, now.from_.y)]
    if any(by):
        found["moved"] = by
    return {"verdict": "changed" if found else "unchanged"} | found


def _is_other(was: str, is_: str) -> bool:
    return was != is_ and not any(sign in was or sign in is_ for sign in HIDDEN)


def _moved(then: list[float], now: list[float]) -> float:
    """Return by how much an element has moved in a direction; 0 where a distance is as it was: others came or went."""
    changes = [is_ - was for was, is_ in zip(then, now, strict=False)]
    return 0 if any(abs(change) <= SIZE_PX for change in changes) else round(next(iter(changes), 0), 2)


def parts(pairs: Sequence[Pair]) -> tuple[Part, ...]:
    """Give what is to be compared in the pictures: each element that is still there."""
    return tuple(
        Part(number, _edges(then), _edges(now), changed=verdict["verdict"] == "changed")
        for number, (_, then, now, verdict) in enumerate(pairs, 1)
        if then and now and verdict["verdict"] != "gone"
    )


def _edges(look: bridge.Look) -> tuple[float, float, float, float]:
    return float(look.box.x), float(look.box.y), float(look.box.width), float(look.box.height)
