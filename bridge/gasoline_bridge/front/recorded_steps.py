"""Makes the steps of a test of what the journal has recorded: what was done, and what may be expected of it; pure.

Rules of this file:
- Whatever was done is a step, or is named with the reason why it is none.
- Nothing is expected that is another at the next run: times, random ids, what a page asks for all the time.
- No secret is written: what was not recorded, or was redacted, becomes a variable of the environment.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Literal, NamedTuple
from urllib.parse import urlsplit

import msgspec

Item = dict[str, Any]

CAUSED_MS = 5_000.0  # a page that comes so soon after a step was asked for by it
ASKED_MS = 1_000.0  # a request so soon after the beginning of a step was made by it
FOLLOWS_MS = 1_500.0  # what is entered so soon after the click that chose the field
CLOCK_MS = 60.0  # between the clocks of a page and of the service worker
RESPONSES_MAX = 3  # of one step
DOWNLOAD_MS = 15_000.0
MARKER = "[REDACTED]"
STEPS_MAX = 300

NAVIGATIONS = {"navigate": "goto", "new_tab": "goto", "refresh": "reload", "back": "back", "forward": "forward"}
UNDONE = {  # an assistant's calls that change nothing which a test would need
    "annotation_reply", "close_tab", "dialog", "draw_mode_start", "fill_form", "focus", "get_attribute", "get_text",
    "get_value", "hover", "list_interactive", "scroll_to", "switch_tab", "wait_for",
}  # fmt: skip
UNRECORDED = {
    "execute": "a script that an assistant ran: no script is kept",
    "load_state": "a saved state that was put back: its values never leave the browser",
}
ENTERING = {"check": "check", "select": "select", "upload": "file", "type": "text"}
VOLATILE = re.compile(
    r"\d{1,2}:\d{2}|\d{4}-\d{2}-\d{2}|[0-9a-f]{8}-[0-9a-f]{4}|\b(?=[0-9a-f]*\d)[0-9a-f]{10,}\b|\d{6,}", re.IGNORECASE
)
ID = re.compile(r"\d+|(?=.*\d)[\w-]{16,}")  # a part of a path that names one record

Kind = Literal["goto", "reload", "back", "forward", "act", "comment"]


class Found(msgspec.Struct, frozen=True):
    """An element as a test finds it: on which page, in which frames, by what."""

    page: str
    by: str
    text: str
    name: str = ""
    frames: tuple[str, ...] = ()
    frame_url: str = ""


class Answered(msgspec.Struct, frozen=True):
    """A request that a step makes, and the status of its answer. `path`: a regular expression."""

    method: str
    path: str
    status: int


class Asked(msgspec.Struct, frozen=True):
    """A dialog, and how it is answered. `variable`: of the environment, in place of a secret."""

    message: str
    accepted: bool
    text: str = ""
    variable: str = ""


class Shown(msgspec.Struct, frozen=True):
    """A text that is expected: at an element, or nowhere."""

    text: str
    at: Found | None


class Step(msgspec.Struct):
    """One step: what is done, what happens meanwhile, and what is expected afterwards.

    `begun`, `at`: ms since the epoch; `url`: a regular expression that the address meets afterwards; `popup`: the
    name of the page that it opens; `variables`: of the environment, in the order in which the step needs them.
    """

    kind: Kind
    at: float
    begun: float
    page: str
    by: str = ""
    action: str = ""
    found: Found | None = None
    to: Found | None = None
    event: Item = {}
    address: str = ""
    text: str = ""
    variables: tuple[str, ...] = ()
    dialogs: list[Asked] = []
    responses: list[Answered] = []
    popup: str = ""
    download: str = ""
    url: str = ""
    title: str = ""
    heading: str = ""
    shown: list[Shown] = []


class Fault(msgspec.Struct, frozen=True):
    """An error that was seen: a text of the page's, or an answer. `pattern`: a regular expression that finds it again."""

    kind: Literal["exception", "console", "answer"]
    at: float
    pattern: str
    text: str
    answer: Answered | None = None


class Script(msgspec.Struct):
    """A whole test. `variables`: of the environment, each with what it is for; `left_out`: what is no step, and why."""

    origin: str
    steps: list[Step]
    faults: list[Fault]
    variables: dict[str, str]
    left_out: Counter[str]


def script(events: list[Item], tab: int) -> Script:
    """Make the steps of the events that the journal gives for a tab, in the order of their times."""
    return _Reader(events, tab).script()


def last_fault(script: Script) -> Fault | None:
    """Give the error that a reproduction leads to: the last that a page threw, else that a server or the page reported."""
    for kinds in ({"exception"}, {"answer"}, {"console"}):
        found = [one for one in script.faults if one.kind in kinds]
        if found:
            return found[-1]
    return None


class _Call(NamedTuple):
    """A call of an assistant, by the audit trail. Times in ms."""

    action: str
    begun: float
    ended: float
    outcome: str
    tab: int


class _Reader:
    """Reads the events once, in order."""

    def __init__(self, events: list[Item], tab: int) -> None:
        self._events = events
        self._pages = {tab: "page"}
        self._steps: list[Step] = []
        self._left_out: Counter[str] = Counter()
        self._variables: dict[str, str] = {}
        self._visited: dict[int, list[str]] = {}
        self._calls = [_call(one) for one in events if one["kind"] == "audit"]
        self._used: set[int] = set()

    def script(self) -> Script:
        for event in self._events:
            self._take(event)
        self._finish()
        steps = self._begun()
        origin = next((_origin(one.address) for one in steps if one.kind == "goto"), "")
        self._expect_answers(steps)
        return Script(origin, steps, [*self._faults()], self._variables, self._left_out)

    def _take(self, event: Item) -> None:
        match event["kind"]:
            case "step":
                self._step(event)
            case "navigation":
                self._navigation(event)
            case "result":
                self._result(event)
            case "dialog":
                self._dialog(event)
            case "opened":
                self._opened(event)
            case "effect":
                self._downloads(event)

    def _step(self, event: Item) -> None:
        if event.get("by") == "assistant" and not self._was_done(event):
            return
        page = self._pages.get(event["tab"], "page")
        at = float(event["at"])
        action = str(event.get("action", ""))
        if action == "characters":
            self._leave_out("characters that were typed outside of a field: they are not recorded", at, page)
            return
        if event.get("closed"):
            self._leave_out(f"{action} in a closed shadow root: no locator reaches into it", at, page)
            return
        step = Step("act", at, at - float(event.get("typed_ms") or 0), page, str(event.get("by", "")), action)
        step.event = event
        step.found = self._found(event, page)
        step.to = self._found(event.get("to") or {}, page)
        if why := _refusal(step):
            self._leave_out(why, at, page)
            return
        if self._repeats(step):
            return
        step.variables = tuple(self._needed(step))
        self._steps.append(step)

    def _was_done(self, event: Item) -> bool:
        """Whether the call that a step belongs to has succeeded; else name it."""
        at = float(event["at"])
        for number, call in enumerate(self._calls):
            if call.tab == event["tab"] and call.begun - CLOCK_MS <= at <= call.ended + CLOCK_MS:
                self._used.add(number)
                if call.outcome in {"done", "outcome_unknown", "running"}:
                    return True
                text = f"{event.get('action')} of an assistant that ended with {call.outcome}"
                self._leave_out(text, at, self._pages.get(event["tab"], "page"))
                return False
        return True

    def _repeats(self, step: Step) -> bool:
        """Drop what this step says again: the click that chose its field, a label's second click, a second entry."""
        last = self._steps[-1] if self._steps else None
        if last is None or last.kind != "act" or last.page != step.page or last.by != step.by:
            return False
        soon = step.at - last.at <= FOLLOWS_MS
        if step.by == "user" and step.action in ENTERING and last.action == "click" and not last.popup:
            is_box = step.event.get("field") == "check" and step.at - last.at <= CLOCK_MS
            is_list = step.event.get("field") in {"select", "file"} and last.event.get("field") in {None, "select"}
            if is_box or (is_list and (last.found == step.found or last.event.get("field") == "select")):
                self._steps.pop()
                return self._repeats(step)
            if last.found == step.found and step.action == "type":
                self._steps.pop()
                return False
        if step.action == "click" == last.action and int(step.event.get("count") or 1) > int(
            last.event.get("count") or 1
        ):
            if last.found == step.found and soon:
                self._steps.pop()  # a double click is one step
        return False

    def _found(self, target: Item, page: str) -> Found | None:
        locator = target.get("locator")
        if not isinstance(locator, dict):
            return None
        by = str(locator.get("by", ""))
        text = locator.get({"role": "role", "css": "css"}.get(by, "text"))
        if not isinstance(text, str) or not text:
            return None
        frames = tuple(str(one) for one in target.get("frames") or ())
        frame_url = str(target.get("frame_url") or "")
        return Found(page, by, text, str(locator.get("name") or ""), frames, _pattern(frame_url) if frame_url else "")

    def _needed(self, step: Step) -> Iterator[str]:
        """Name the variables of the environment that a step needs: for secrets, for files, for what is too long."""
        event = step.event
        value = str(event.get("value", ""))
        name = step.found.name or step.found.text if step.found else ""
        if event.get("secret") or MARKER in value:
            yield self._variable("SECRET", name, f"what is entered into {name or 'the field'}: a secret")
        elif event.get("cut"):
            yield self._variable("TEXT", name, f"what is entered into {name or 'the field'}: too long to be recorded")
        for file in event.get("files") or ():
            yield self._variable("FILE", str(file), f"the path of a file such as {file}")

    def _variable(self, kind: str, name: str, what: str) -> str:
        base = f"{kind}_{re.sub(r'[^A-Z0-9]+', '_', name.upper()).strip('_')}"[:40].rstrip("_")
        known = next((one for one, other in self._variables.items() if other == what), "")
        if known:
            return known
        number = sum(one == base or one.startswith(f"{base}_") for one in self._variables)
        variable = f"{base}_{number + 1}" if number else base
        self._variables[variable] = what
        return variable

    def _navigation(self, event: Item) -> None:
        tab, at, url = event["tab"], float(event["at"]), str(event["url"])
        if event.get("frame") or tab not in self._pages or not url.startswith(("http:", "https:")):
            return
        page, kind = self._pages[tab], str(event.get("navigation", ""))
        visited = self._visited.setdefault(tab, [])
        call = self._call_at(tab, at)
        last = self._last(page)
        if call and (asked := NAVIGATIONS.get(call.removeprefix("interact "))):
            if (
                last
                and last.by == "assistant"
                and last.kind == asked
                and at - last.at <= CAUSED_MS
                and last.kind != "goto"
            ):
                last.url = _pattern(url)
            elif last and last.kind == "goto" == asked and last.by == "assistant" and self._is_same_call(last, at):
                last.url = _pattern(url)  # it was led on
            else:
                self._arrive(asked, at, page, url, "assistant")
        elif (last and last.kind == "act" and at - last.at <= CAUSED_MS) or (
            last
            and last.kind in {"goto", "reload", "back", "forward"}
            and at - last.at <= CAUSED_MS
            and kind in {"push", "replace", "hash"}
        ):
            last.url = _pattern(url)
        elif page != "page" and not visited:
            opener = next((one for one in self._steps if one.popup == page), None)
            if opener is None:
                return
        elif kind in {"navigate", "reload"}:
            self._arrive("goto" if kind == "navigate" else "reload", at, page, url, "user")
        elif kind in {"back_forward", "traverse"}:
            self._arrive("back" if url in visited[:-1] else "forward", at, page, url, "user")
        visited.append(url)

    def _is_same_call(self, step: Step, at: float) -> bool:
        return any(call.begun - CLOCK_MS <= step.at <= at <= call.ended + CLOCK_MS for call in self._calls)

    def _call_at(self, tab: int, at: float) -> str:
        """Name the call of an assistant that was under way in a tab."""
        for number, call in enumerate(self._calls):
            if call.tab == tab and call.begun - CLOCK_MS <= at <= call.ended + CLOCK_MS and call.outcome == "done":
                self._used.add(number)
                return call.action
        return ""

    def _arrive(self, kind: str, at: float, page: str, url: str, by: str) -> None:
        step = Step(kind if kind in {"goto", "reload", "back", "forward"} else "goto", at, at, page, by, address=url)  # type: ignore[arg-type]
        step.url = _pattern(url)
        self._steps.append(step)

    def _last(self, page: str) -> Step | None:
        return next((one for one in reversed(self._steps) if one.page == page and one.kind != "comment"), None)

    def _result(self, event: Item) -> None:
        page = self._pages.get(event["tab"], "page")
        of = float(event.get("of") or 0)
        if not of:
            last = self._last(page)
            if last and not event.get("frame"):
                last.title, last.heading = str(event.get("title") or ""), str(event.get("heading") or "")
            return
        step = next((one for one in reversed(self._steps) if one.kind == "act" and abs(one.at - of) < 1), None)
        if step is None:
            return
        shown = [
            Shown(str(one["text"]), self._found(one, page))
            for one in event.get("shown") or ()
            if _is_lasting(one.get("text"))
        ]
        gone = [Shown(str(one), None) for one in event.get("gone") or () if _is_lasting(one)]
        step.shown = [one for one in shown if one.at is not None] + gone

    def _dialog(self, event: Item) -> None:
        page = self._pages.get(event["tab"], "page")
        step = self._last(page)
        if step is None:
            return
        message = str(event.get("message") or "")
        secret = event.get("secret") or MARKER in str(event.get("answer", ""))
        variable = self._variable("SECRET", message, f"the answer to {message!r}: a secret") if secret else ""
        asked = Asked(message, bool(event.get("accepted")), str(event.get("answer") or ""), variable)
        step.dialogs = [*step.dialogs, asked]

    def _opened(self, event: Item) -> None:
        page = self._pages.get(event["tab"])
        opened = event.get("opened")
        if page is None or not isinstance(opened, int):
            return
        step = self._last(page)
        if step is None or step.kind != "act" or float(event["at"]) - step.at > CAUSED_MS or step.popup:
            self._leave_out("a tab that opened without a step, or beside another", float(event["at"]), page)
            return
        step.popup = self._pages[opened] = f"popup{len(self._pages)}"

    def _downloads(self, event: Item) -> None:
        page = self._pages.get(event["tab"], "page")
        step = self._last(page)
        names = [str(one.get("name", "")) for one in event.get("downloads") or () if isinstance(one, dict)]
        if step and step.kind == "act" and names and abs(step.at - float(event["at"])) < DOWNLOAD_MS:
            step.download = names[0]

    def _leave_out(self, what: str, at: float, page: str) -> None:
        self._left_out[what] += 1
        self._steps.append(Step("comment", at, at, page, text=what))

    def _finish(self) -> None:
        """Name the calls of an assistant that acted and left no step, each at its place."""
        for number, call in enumerate(self._calls):
            if number in self._used or call.outcome != "done":
                continue
            verb, _, action = call.action.partition(" ")
            if verb == "interact" and action not in UNDONE | NAVIGATIONS.keys():
                self._leave_out(f"{action} of an assistant: nothing of it was recorded", call.begun, "page")
            elif verb in UNRECORDED:
                self._leave_out(UNRECORDED[verb], call.begun, "page")
        self._steps.sort(key=lambda one: one.at)

    def _begun(self) -> list[Step]:
        """Begin with the address of the page: of those that were only opened, with the last."""
        steps = self._steps
        acts = next((number for number, one in enumerate(steps) if one.kind == "act"), len(steps))
        opened = [number for number in range(acts) if steps[number].kind == "goto" and steps[number].page == "page"]
        if opened:
            if len(opened) > 1:
                self._left_out["a page that was only opened, before the first step"] += len(opened) - 1
            steps = [one for one in steps[:acts] if one.kind == "comment"] + [steps[opened[-1]]] + steps[acts:]
        else:
            at = next((one for one in self._events if one["kind"] == "step" and not one.get("frame")), None)
            first = at or next((one for one in self._events if one["kind"] == "navigation"), None)
            if first:
                url = str(first.get("page") or first.get("url"))
                steps = [Step("goto", first["at"], first["at"], "page", "user", address=url), *steps[0:]]
        if len(steps) > STEPS_MAX:
            self._left_out["a step beyond the first 300"] += len(steps) - STEPS_MAX
        return steps[:STEPS_MAX]

    def _expect_answers(self, steps: list[Step]) -> None:
        """Have each step expect the answers to the requests that it makes; not to those that the page makes anyway."""
        acts = [one for one in steps if one.kind == "act"]
        asked = [one for one in self._events if one["kind"] == "network" and one.get("method") and one.get("status")]
        owners = [(one, _owner(acts, float(one["at"]))) for one in asked]
        idle = Counter(_path(str(one["url"])) for one, owner in owners if owner is None)
        for event, owner in owners:
            answer = Answered(str(event["method"]), _path(str(event["url"])), int(event["status"]))
            if owner is None or idle[answer.path] > 1 or len(owner.responses) >= RESPONSES_MAX:
                continue
            if all((one.method, one.path) != (answer.method, answer.path) for one in owner.responses):
                owner.responses = [*owner.responses, answer]

    def _faults(self) -> Iterator[Fault]:
        for event in self._events:
            at, text = float(event["at"]), str(event.get("text", ""))
            if event["kind"] == "error" and event.get("error") in {"error", "rejection"}:
                yield Fault("exception", at, lasting_pattern(text), text)
            elif event["kind"] == "console":
                yield Fault("console", at, lasting_pattern(text), text)
            elif event["kind"] == "network" and int(event.get("status") or 0) >= 400:
                answer = Answered(str(event["method"]), _path(str(event["url"])), int(event["status"]))
                yield Fault("answer", at, answer.path, f"{answer.status} {answer.method} {event['url']}", answer)


def _call(event: Item) -> _Call:
    begun = float(event["at"])
    took = float(event.get("took_ms") or 0)
    return _Call(
        str(event.get("action", "")), begun, begun + took, str(event.get("outcome", "")), int(event["tab"] or 0)
    )


def _refusal(step: Step) -> str:
    """Give why a step cannot be done again, "" if it can."""
    action, event = step.action, step.event
    if action in {"wait_for", "key_press"}:
        is_ref = action == "wait_for" and step.found is None and str(event.get("wanted", "")).startswith("ref=")
        return "wait_for of a ref: it is of the page that was there then" if is_ref else ""
    if step.found is None:
        return f"{action}: the element could not be named"
    if action == "drag" and step.to is None and not event.get("by_px"):
        return "drag: what it was dropped on could not be named"
    if action == "upload" and not event.get("files"):
        return "upload of no file"
    return ""


def _owner(acts: Iterable[Step], at: float) -> Step | None:
    """Give the step that a request was made by: the last that had begun, if it had not long ago."""
    begun = [one for one in acts if one.begun - 1 <= at]
    last = max(begun, key=lambda one: one.begun, default=None)
    return last if last and at - max(last.begun, last.at) <= ASKED_MS else None


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _path(url: str) -> str:
    """Give a regular expression of the path of an address, with any id where one is."""
    parts = urlsplit(url).path.split("/")
    return "/".join(
        "[^/]+" if ID.fullmatch(one) or MARKER in one else re.escape(one).replace(r"\-", "-") for one in parts
    )


def _pattern(url: str) -> str:
    """Give a regular expression of an address on any host: its path, and the route after a hash."""
    fragment = urlsplit(url).fragment
    route = f"#{re.escape(fragment)}" if fragment.startswith(("/", "!")) and _is_lasting(fragment) else r"(#.*)?"
    return rf"^https?://[^/]+{_path(url)}(\?[^#]*)?{route}$"


def lasting_pattern(text: str) -> str:
    """Give a regular expression of the first line of a text, with anything where a number is."""
    line = text.splitlines()[0][:200] if text else ""
    return re.sub(r"\d+", r"\\d+", re.escape(line).replace(r"\ ", " ").replace(re.escape(MARKER), ".*"))


def _is_lasting(text: object) -> bool:
    return isinstance(text, str) and bool(text) and MARKER not in text and not VOLATILE.search(text)
