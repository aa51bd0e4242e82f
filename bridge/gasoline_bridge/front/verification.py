"""Judges whether what each annotation is about has changed since it was drawn.

What an element looks like comes from the page by way of redaction, then as now, so that both are comparable.
"""

from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

from gasoline_bridge.chrome import messages as bridge
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
STATES = ("hovered", "focused")
EMPTY: Item = {"tag": "", "text": "", "styles": {}, "box": {}, "from": {}}


async def verified(drawn: DrawingRead, look: Look, compare: Compare) -> Reply:
    """Give a verdict for each annotation of a session.

    Raises:
        Failed: `page_navigated`: the tab shows another page; or as any look at a page fails.

    """
    asked = [{"selector": one.get("selector", ""), "look": one.get("look") or EMPTY} for one in drawn.annotations]
    page = await look(bridge.LookAtAnnotated(annotations=asked, tab_id=drawn.tab))
    if _place(page["url"]) != _place(drawn.page_url):
        text = f"The tab shows {page['url']}, and {drawn.page_url} was drawn on."
        fail("page_navigated", text, f'Call interact(action:"navigate", url:"{drawn.page_url}") first.')
    looks = page["looks"]
    verdicts = [differences(*pair) for pair in zip(drawn.annotations, looks, strict=True)]
    compared: Reply = {}
    try:
        compared = await compare(parts(drawn.annotations, looks, verdicts))
    except Failed as fault:
        compared["pictures_unavailable"] = fault.failure.text
    differing = compared.pop("differing", {})
    for number, verdict in enumerate(verdicts, 1):
        share = differing.get(number)
        if share:
            verdict |= {"verdict": "changed", "picture": share}
        elif share == 0 and verdict["verdict"] == "unknown":
            verdict["verdict"] = "unchanged"
    for one, now, verdict in zip(drawn.annotations, looks, verdicts, strict=True):
        if verdict["verdict"] == "changed" and now and one.get("look"):
            verdict |= {name: [was, is_] for name in STATES if (was := name in one["look"]) != (is_ := name in now)}
    rows = [_named(one, verdict) for one, verdict in zip(drawn.annotations, verdicts, strict=True)]
    return {"status": "success", "count": len(rows), "verdicts": rows, "page_url": drawn.page_url} | compared


def _named(annotation: Item, verdict: Reply) -> Reply:
    return {"correlation_id": annotation.get("correlation_id", ""), "text": annotation.get("text", "")} | verdict


def _place(url: str) -> tuple[str, str]:
    """Give the part of an address that names the page: a query or a fragment may be its state."""
    parts_ = urlsplit(url)
    return parts_.netloc, parts_.path


def differences(annotation: Item, look: Item | None) -> Reply:
    """Give the verdict on an annotation by its element, and what is different: what it was and what it is now.

    `size`: width and height; `moved`: right and down within what is around it.
    """
    then = annotation.get("look")
    if not then:  # it was drawn around nothing, or the browser ended: its picture alone tells
        return {"verdict": "unknown"}
    if look is None or (look.get("hidden") and not then.get("hidden")):
        return {"verdict": "gone"}
    found: Reply = {}
    styles = {name: [was, is_] for name, was in then["styles"].items() if (is_ := look["styles"].get(name)) != was}
    if styles:
        found["styles"] = dict([*styles.items()][:STYLES])
    for name, key in (("tag", "tag"), ("text", "text_content")):
        if then[name] != look[name]:
            found[key] = [then[name][:TEXT_CHARS], look[name][:TEXT_CHARS]]
    sizes = [[one["box"]["width"], one["box"]["height"]] for one in (then, look)]
    if any(abs(was - is_) > SIZE_PX for was, is_ in zip(*sizes, strict=True)):
        found["size"] = sizes
    by = [_moved(then["from"][axis], look["from"][axis]) for axis in ("x", "y")]
    if any(by):
        found["moved"] = by
    return {"verdict": "changed" if found else "unchanged"} | found


def _moved(then: list[float], now: list[float]) -> float:
    """Return by how much an element has moved in a direction; 0 where a distance is as it was: others came or went."""
    changes = [is_ - was for was, is_ in zip(then, now, strict=False)]
    return 0 if any(abs(change) <= SIZE_PX for change in changes) else round(next(iter(changes), 0), 2)


def parts(annotations: list[Item], looks: list[Any], verdicts: list[Reply]) -> tuple[Part, ...]:
    """Give what is to be compared in the pictures: each element that is there, or where something was drawn."""
    found = []
    for number, (annotation, look, verdict) in enumerate(zip(annotations, looks, verdicts, strict=True), 1):
        then = annotation.get("look")
        if then and look is None:
            continue
        boxes = (then["box"], look["box"]) if then else (annotation["rect"], annotation["rect"])
        found.append(Part(number, _edges(boxes[0]), _edges(boxes[1]), changed=verdict["verdict"] == "changed"))
    return tuple(found)


def _edges(box: Item) -> tuple[float, float, float, float]:
    return float(box["x"]), float(box["y"]), float(box["width"]), float(box["height"])
