"""Makes a timeline of what the journal has of a tab: each action with what came of it; pure.

Rules of this file:
- Times are the page's clock's, as in a test that is generated (recorded_steps.py).
- What came is placed by time: it belongs to the last action before it, and what nobody's action explains to the page.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal

import msgspec

Item = dict[str, Any]
Who = Literal["assistant", "user", "page"]

CLOCK_MS = 60.0  # between the clocks of a page and of the service worker
CAUSED_MS = 10_000.0  # what comes later than that after an action is the page's own
CAME_MAX = 40  # under one action
ACTIONS_MAX = 500
FAILED = 400  # from this status on an answer is an error
FINE = ("done", "dialog_open", "running")  # outcomes of a call that is no fault
ACTING = "interact "


class Came(msgspec.Struct, frozen=True):
    """What came of an action. `at`: ms since the epoch; `text` is a page's; `fault`: it is one."""

    at: float
    what: str
    text: str
    fault: bool = False


class Act(msgspec.Struct):
    """An action, or what a page did by itself. `details`: the elements that it went to; `effect`: the id of its effect.

    `at`, `ended`: ms since the epoch; `outcome`: "done", or an error's code; `omitted`: what came beyond CAME_MAX.
    """

    at: float
    ended: float
    who: Who
    what: str
    tab: int
    client: str = ""
    page: str = ""
    outcome: str = "done"
    details: list[str] = []
    effect: str = ""
    came: list[Came] = []
    omitted: int = 0

    @property
    def failed(self) -> bool:
        """Whether the action was refused or failed."""
        return self.outcome not in FINE


def timeline(events: list[Item]) -> list[Act]:
    """Make the timeline of a RecordingRead's events, in the order of their times; of very many the newest."""
    acts = [_of_call(one) for one in events if one["kind"] == "audit"]
    acts += list(_steps(acts, [one for one in events if one["kind"] == "step"]))
    acts.sort(key=lambda one: one.at)
    _note_effects(acts, [one for one in events if one["kind"] == "effect"])
    last = {(one["tab"], one.get("of")): one["seq"] for one in events if one["kind"] == "result"}
    for event in events:
        if event["kind"] == "result" and last[event["tab"], event.get("of")] != event["seq"]:
            continue  # a later one of the same step replaces it
        for came in _came(event):
            _place(acts, event, came)
    return sorted(acts, key=lambda one: one.at)[-ACTIONS_MAX:]


def faults(acts: Sequence[Act]) -> int:
    """Count the actions that failed, and what came that is a fault."""
    return sum(act.failed + sum(one.fault for one in act.came) for act in acts)


def with_effect(act: Act, effect: Item) -> None:
    """Add what only an action's effect has (EffectRead): storage, files, what Chrome blocked, what changed later."""
    kinds: dict[str, Callable[[Any], str]] = {"storage": _storage, "downloads": _download, "blocked": str}
    for kind, said in kinds.items():
        act.came += [Came(act.at, kind, said(one)) for one in effect.get(kind) or ()]
    if late := effect.get("late_dom"):
        act.came.append(Came(act.at, "changed later", str(late.get("summary", ""))))


def _storage(one: Item) -> str:
    return f"{one.get('area')} {one.get('change')}: {', '.join(map(str, one.get('names') or ()))}"


def _download(one: Item) -> str:
    return f"{one.get('name')}, {one.get('bytes')} bytes"


def _of_call(event: Item) -> Act:
    begun = float(event["at"])
    action = str(event.get("action", "")).removeprefix(ACTING)
    ended, client = begun + float(event.get("took_ms") or 0), str(event.get("client") or "")
    return Act(begun, ended, "assistant", action, event["tab"], client, outcome=str(event.get("outcome", "")))


def _steps(calls: list[Act], steps: list[Item]) -> Iterator[Act]:
    """Put an assistant's steps to their calls; give the others as actions of their own."""
    for event in steps:
        at, said = float(event["at"]), _step(event)
        by_assistant = event.get("by") == "assistant"
        spanning = [one for one in calls if one.tab == event["tab"] and one.at - CLOCK_MS <= at <= one.ended + CLOCK_MS]
        if by_assistant and spanning:
            own = max(spanning, key=lambda one: one.at)
            own.details = [*own.details, said]
            own.page = str(event.get("page", ""))
            continue
        ended = at + float(event.get("typed_ms") or 0)
        who: Who = "assistant" if by_assistant else "user"
        page = str(event.get("page", ""))
        yield Act(at, ended, who, str(event.get("act", "")), event["tab"], page=page, details=[said])


def _step(event: Item) -> str:
    """Put a step into words: what it went to, and what was entered."""
    value = "a secret" if event.get("secret") else _value(event)
    place = _element(event)
    return f"{value} into {place}" if value and place else value or place


def _value(event: Item) -> str:
    if "value" in event:
        return f"“{event['value']}”"
    if event.get("values"):
        return ", ".join(f"“{one}”" for one in event["values"])
    if event.get("files"):
        return ", ".join(map(str, event["files"]))
    if "checked" in event:
        return "checked" if event["checked"] else "unchecked"
    return str(event.get("pressed") or "")


def _element(event: Item) -> str:
    locator = event.get("locator")
    if not isinstance(locator, dict):
        return ""
    name = str(locator.get("name") or locator.get("text") or locator.get("css") or "")
    return f"{locator['role']} “{name}”" if locator.get("role") else f"“{name}”"


def _note_effects(acts: list[Act], effects: list[Item]) -> None:
    """Note the id of each action's effect."""
    for event in effects:
        at, action = float(event["at"]), str(event.get("action", ""))
        own = [
            one
            for one in acts
            if one.who == "assistant"
            and one.tab == event["tab"]
            and one.what == action
            and one.at - CLOCK_MS <= at <= one.ended + CLOCK_MS
        ]
        if own:
            own[-1].effect = str(event.get("id", ""))


def _came(event: Item) -> Iterator[Came]:
    at = float(event["at"])
    match event["kind"]:
        case "error":
            text = ": ".join(str(one) for one in (event.get("name"), event.get("text"), event.get("target")) if one)
            yield Came(at, "error", text, fault=True)
        case "console":
            yield Came(at, "console error", str(event.get("text", "")), fault=True)
        case "network":
            status = int(event.get("status") or 0)
            words = f"{event.get('method', 'GET')} {event['url']} {status or 'failed'}"
            yield Came(at, "request", words, fault=not status or status >= FAILED)
        case "navigation" if not event.get("frame"):
            yield Came(at, str(event.get("navigation", "navigate")), str(event["url"]))
        case "dialog":
            answer = "accepted" if event.get("accepted") else "dismissed"
            yield Came(at, f"{event.get('dialog', 'dialog')}, {answer}", str(event.get("message", "")))
        case "opened":
            yield Came(at, "opened a tab", f"tab {event.get('opened')}")
        case "result":
            yield from _result(event)
        case _:
            return


def _result(event: Item) -> Iterator[Came]:
    at = float(event.get("of") or event["at"])
    for one in event.get("shown") or ():
        yield Came(at, "came into sight", str(one.get("text", "")))
    for one in event.get("gone") or ():
        yield Came(at, "went out of sight", str(one))
    if title := event.get("title"):
        yield Came(at, "page", str(title))


def _place(acts: list[Act], event: Item, came: Came) -> None:
    """Put what came under the action that it belongs to."""
    own = _before(acts, event["tab"], came.at)
    if own is None:
        own = Act(came.at, came.at, "page", "by itself", event["tab"], page=str(event.get("page", "")))
        acts.append(own)
        acts.sort(key=lambda one: one.at)
    if len(own.came) >= CAME_MAX and not came.fault:
        own.omitted += 1
        return
    own.came = [*own.came, came]
    own.page = own.page or str(event.get("page", ""))


def _before(acts: list[Act], tab: int, at: float) -> Act | None:
    """Give the last action before a time, in the tab, unless it is too long ago."""
    own = next((one for one in reversed(acts) if one.tab == tab and one.at - CLOCK_MS <= at), None)
    return own if own is not None and at - own.ended <= CAUSED_MS else None
