"""Makes the steps of a test of what the journal has recorded: what was done, and what may be expected of it; pure.

Rules of this file:
- What was done is a step, or is named with the reason why it is none.
- Nothing is expected that is another at the next run: times, random ids, what a page asks for all the time.
- No secret is written: what was not recorded, or was redacted, becomes a variable of the environment.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Literal, NamedTuple
from urllib.parse import urlsplit

import msgspec

from gasoline_workers.redaction.messages import MARKER, is_marked, unnumbered

Item = dict[str, Any]

CAUSED_MS = 5_000.0  # a page that comes so soon after a step was asked for by it
ASKED_MS = 1_000.0  # a request so soon after a step was made by it
CHOSEN_MS = 1_500.0  # what is entered so soon after the click that chose the field
CLOCK_MS = 60.0  # between the clocks of a page and of the service worker, and two events of one press
SAME_MS = 5.0  # of both clocks, for what follows each other at once
SAVED_MS = 15_000.0  # until a file is there that a step has saved
RESPONSES_MAX = 3  # that one step expects
STEPS_MAX = 300
FAILED = 400  # from this status on an answer is an error

Kind = Literal["goto", "reload", "back", "forward", "opened", "act", "comment"]

NAVIGATIONS: dict[str, Kind] = {
    "navigate": "goto",
    "new_tab": "goto",
    "refresh": "reload",
    "back": "back",
    "forward": "forward",
}
ROUTES = {"push", "replace", "hash"}  # within one document
UNDONE = {  # an assistant's calls that change nothing which a test would need, or are known by what they did
    "annotation_reply", "close_tab", "dialog", "draw_mode_start", "focus", "get_attribute", "get_text", "get_value",
    "list_interactive", "scroll_to", "switch_tab",
}  # fmt: skip
DONE = {"done", "dialog_open", "outcome_unknown", "running"}  # a dialog opens once it is done
UNRECORDED = {
    "execute": "a script that an assistant ran: no script is kept",
    "load_state": "a saved state that was put back: its values never leave the browser",
}
VOLATILE = re.compile(
    r"\d{1,2}:\d{2}|\d{4}-\d{2}-\d{2}|[0-9a-f]{8}-[0-9a-f]{4}|\b(?=[0-9a-f]*\d)[0-9a-f]{10,}\b|\d{6,}", re.IGNORECASE
)
TAKEN = re.compile(r" \(\d+\)(?=(\.[^.]*)?$)")  # what Chrome adds to the name of a file that is there already
ID = re.compile(r"\d+|(?=.*\d)[\w-]{16,}")  # a part of a path that names one record


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
    """One step: what is done, what happens meanwhile, and what is expected afterwards; the last of a page that opened.

    `at`, `ended`: ms since the epoch, `ended` when the user had typed; `url`: the address afterwards, in a script a
    regular expression of it; `popup`: the name of the page that it opens; `variables`: of the environment, in the
    order in which the step needs them; `note`: of a comment.
    """

    kind: Kind
    at: float
    page: str
    by: str = ""
    ended: float = 0
    action: str = ""
    event: Item = {}
    found: Found | None = None
    to: Found | None = None
    address: str = ""
    note: str = ""
    variables: tuple[str, ...] = ()
    dialogs: list[Asked] = []
    responses: list[Answered] = []
    popup: str = ""
    download: str = ""
    url: str = ""
    title: str = ""
    heading: str = ""
    shown: list[Shown] = []


class SeenError(msgspec.Struct, frozen=True):
    """An error that was seen: a text of the page's, or an answer. `pattern`: a regular expression that finds it."""

    kind: Literal["exception", "console", "answer"]
    at: float
    pattern: str
    text: str
    answer: Answered | None = None


class Script(msgspec.Struct):
    """A whole test. `variables`: of the environment, each with what it is for; `left_out`: what is no step, and why."""

    origin: str
    steps: list[Step]
    faults: list[SeenError]
    variables: dict[str, str]
    left_out: Counter[str]


def script(events: list[Item], tab: int) -> Script:
    """Make the steps of the events that the journal gives for a tab, in the order of their times."""
    reader = _Reader(events, tab)
    for event in events:
        reader.take(event)
    reader.name_unrecorded()
    steps = _begun(reader.steps, events, reader.left_out)
    _expect_answers(steps, events)
    origin = next((_origin(one.address) for one in steps if one.kind == "goto"), "")
    for step in steps:
        step.url = _pattern(step.url, origin) if step.url else ""
    return Script(origin, steps, [*_faults(events)], reader.variables, reader.left_out)


def last_fault(script: Script) -> SeenError | None:
    """Give the error that a reproduction leads to: the last that a page threw, else that was answered, or written."""
    for kind in ("exception", "answer", "console"):
        found = [one for one in script.faults if one.kind == kind]
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

    def spans(self, tab: int, at: float) -> bool:
        """Whether it was under way in a tab at a time."""
        return self.tab == tab and self.begun - CLOCK_MS <= at <= self.ended + CLOCK_MS

    def is_of(self, action: str) -> bool:
        """Whether it has this action, or is made of such: the fields of a form, the presses of a choice."""
        return self.action in {f"interact {action}", "interact fill_form", "interact select"}


class _Reader:
    """Reads the events once, in order."""

    def __init__(self, events: list[Item], tab: int) -> None:
        self.steps: list[Step] = []
        self.left_out: Counter[str] = Counter()
        self.variables: dict[str, str] = {}
        self._pages = {tab: "page"}
        self._visited: dict[int, list[str]] = {}
        self._calls = [_call(one) for one in events if one["kind"] == "audit"]
        self._used: set[_Call] = set()
        self._takers = {
            "step": self._step,
            "navigation": self._navigation,
            "result": self._result,
            "dialog": self._dialog,
            "opened": self._opened,
            "effect": self._saved,
        }

    def take(self, event: Item) -> None:
        """Read the next event, if it is of a tab that is tested."""
        taker = self._takers.get(event["kind"])
        if taker and event["tab"] in self._pages:
            taker(event, self._pages[event["tab"]])

    def name_unrecorded(self) -> None:
        """Name the calls of an assistant that acted and left no step, each at its place."""
        for call in self._calls:
            if call in self._used or call.outcome != "done" or call.tab not in self._pages:
                continue
            verb, _, action = call.action.partition(" ")
            if verb == "interact" and action not in UNDONE | NAVIGATIONS.keys():
                self._leave_out(f"{action} of an assistant: nothing of it was recorded", call.begun)
            elif verb in UNRECORDED:
                self._leave_out(UNRECORDED[verb], call.begun)
        self.steps.sort(key=lambda one: one.at)

    def _step(self, event: Item, page: str) -> None:
        at, action = float(event["at"]), str(event.get("act", ""))
        if event.get("by") == "assistant" and (failed := self._failure(event, at)):
            self._leave_out(f"{action} of an assistant, which ended with {failed}", at)
            return
        step = Step("act", at, page, str(event.get("by", "")), at + float(event.get("typed_ms") or 0), action, event)
        step.found = _found(event, page)
        step.to = _found(event.get("to") or {}, page)
        if why := _refusal(step):
            self._leave_out(why, at)
            return
        while self.steps and _repeats(self.steps[-1], step):
            self.steps.pop()
        step.variables = tuple(self._needed(step))
        self.steps.append(step)

    def _failure(self, event: Item, at: float) -> str:
        """Give how the call failed that a step belongs to, "" if it did not."""
        spanning = [one for one in self._calls if one.spans(event["tab"], at) and one.is_of(str(event.get("act")))]
        own = max(spanning, key=lambda one: (one.begun <= at + SAME_MS, one.begun), default=None)
        if own is None:
            return ""
        self._used.add(own)
        return "" if own.outcome in DONE else own.outcome

    def _needed(self, step: Step) -> Iterator[str]:
        """Name the variables of the environment that a step needs: for secrets, for files, for what is too long."""
        event, found = step.event, step.found
        name = (found.name or found.text) if found else ""
        entered = (event.get("value"), *(event.get("values") or ()))
        if event.get("secret") or any(is_marked(str(one)) for one in entered):
            yield self._variable("SECRET", name, f"what is entered into {name}: a secret")
        elif event.get("cut"):
            yield self._variable("TEXT", name, f"what is entered into {name}: too long to be recorded")
        for file in event.get("files") or ():
            yield self._variable("FILE", str(file), f"the path of a file such as {file}")

    def _variable(self, kind: str, name: str, what: str) -> str:
        """Name a variable for a purpose; the same purpose has the same one."""
        if known := next((one for one, other in self.variables.items() if other == what), ""):
            return known
        base = f"{kind}_{re.sub(r'[^A-Z0-9]+', '_', name.upper())}"[:40].strip("_")
        same = sum(re.fullmatch(rf"{base}(_\d+)?", one) is not None for one in self.variables)
        variable = f"{base}_{same + 1}" if same else base
        self.variables[variable] = what
        return variable

    def _navigation(self, event: Item, page: str) -> None:
        url = str(event["url"])
        if event.get("frame") or not url.startswith(("http:", "https:")):
            return
        visited = self._visited.setdefault(event["tab"], [])
        step, kind = self._last(page), self._moved(event, url, visited)
        if step and self._is_caused(step, event):
            step.url = url
            if event.get("navigation") not in ROUTES:
                step.shown = []  # until the page was left
        elif kind := kind if visited or page == "page" else "opened":
            arrived = Step(kind, float(event["at"]), page, ended=float(event["at"]), address=url, url=url)
            self.steps.append(arrived)
        visited.append(url)

    def _moved(self, event: Item, url: str, visited: list[str]) -> Kind | None:
        """Give how the user or an assistant moved, None where a script of the page did."""
        spanning = [one for one in self._calls if one.spans(event["tab"], float(event["at"]))]
        for call in spanning:
            if asked := NAVIGATIONS.get(call.action.removeprefix("interact ")):
                return asked
        match event.get("navigation"):
            case "navigate":
                return "goto"
            case "reload":
                return "reload"
            case "back_forward" | "traverse":
                return "back" if url in visited[:-1] else "forward"
            case _:
                return None

    def _is_caused(self, step: Step, event: Item) -> bool:
        """Whether a page, or a route, came of a step; an assistant's own navigation comes of its call."""
        at = float(event["at"])
        if at - step.ended > CAUSED_MS:
            return False
        calls = [one for one in self._calls if one.spans(event["tab"], at)]
        asked = [one for one in calls if one.action.removeprefix("interact ") in NAVIGATIONS]
        if asked:
            return step.kind != "act" and step.at >= asked[-1].begun - CLOCK_MS
        return step.kind == "act" or event.get("navigation") in ROUTES

    def _last(self, page: str) -> Step | None:
        return next((one for one in reversed(self.steps) if one.page == page and one.kind != "comment"), None)

    def _result(self, event: Item, page: str) -> None:
        of = float(event.get("of") or 0)
        if not of:
            self._name_page(event, page)
            return
        step = next((one for one in reversed(self.steps) if one.kind == "act" and abs(one.at - of) < 1), None)
        if step is None:
            return
        texts = [one for one in event.get("shown") or () if _is_lasting(one.get("text"))]
        shown = [Shown(str(one["text"]), found) for one in texts if (found := _found(one, page))]
        gone = [Shown(str(one), None) for one in event.get("gone") or () if _is_lasting(one)]
        step.shown = shown + gone

    def _name_page(self, event: Item, page: str) -> None:
        """Expect the title and the heading of a page of the step that led there."""
        step = self._last(page)
        if step is None or event.get("frame") or not step.url:
            return
        title, heading = event.get("title"), event.get("heading")
        step.title = str(title) if _is_lasting(title) else ""
        step.heading = str(heading) if _is_lasting(heading) else ""

    def _dialog(self, event: Item, page: str) -> None:
        step = self._last(page)
        if step is None:
            return
        message = str(event.get("message") or "")
        is_secret = event.get("secret") or is_marked(str(event.get("answer", "")))
        variable = self._variable("SECRET", message, f"the answer to {message!r}: a secret") if is_secret else ""
        asked = Asked(message, bool(event.get("accepted")), str(event.get("answer") or ""), variable)
        step.dialogs = [*step.dialogs, asked]

    def _opened(self, event: Item, page: str) -> None:
        step, opened, at = self._last(page), event.get("opened"), float(event["at"])
        if not isinstance(opened, int):
            return
        if step is None or step.kind != "act" or at - step.ended > CAUSED_MS or step.popup:
            self._leave_out("a tab that opened without a step, or beside another", at)
            return
        step.popup = self._pages[opened] = f"popup{len(self._pages)}"

    def _saved(self, event: Item, page: str) -> None:
        step = self._last(page)
        names = [str(one.get("name", "")) for one in event.get("downloads") or () if isinstance(one, dict)]
        if step and step.kind == "act" and names and abs(step.at - float(event["at"])) < SAVED_MS:
            step.download = TAKEN.sub("", names[0])

    def _leave_out(self, what: str, at: float) -> None:
        self.left_out[what] += 1
        self.steps.append(Step("comment", at, "", ended=at, note=what))


def _call(event: Item) -> _Call:
    begun, took = float(event["at"]), float(event.get("took_ms") or 0)
    return _Call(str(event.get("action")), begun, begun + took, str(event.get("outcome")), int(event["tab"] or 0))


def _found(target: Item, page: str) -> Found | None:
    """Read where a step went, None if that is unknown."""
    locator = target.get("locator")
    if not isinstance(locator, dict):
        return None
    by = str(locator.get("by", ""))
    text = locator.get(by if by in {"role", "css"} else "text")
    if not isinstance(text, str) or not text or is_marked(text + str(locator.get("name") or "")):
        return None
    frames = tuple(str(one) for one in target.get("frames") or ())
    frame_url = str(target.get("frame_url") or "")
    return Found(page, by, text, str(locator.get("name") or ""), frames, _pattern(frame_url, "") if frame_url else "")


def _refusal(step: Step) -> str:
    """Give why a step cannot be done again, "" if it can."""
    action, event = step.action, step.event
    is_ref = action == "wait_for" and step.found is None and str(event.get("wanted", "")).startswith("ref=")
    is_unnamed = step.found is None and action not in {"wait_for", "key_press", "characters"}
    is_nowhere = action == "drag" and step.to is None and not event.get("by_px")
    reasons = {
        "characters that were typed outside of a field: they are not recorded": action == "characters",
        f"{action} in a closed shadow root: no locator reaches into it": event.get("closed"),
        "wait_for of a ref: it was of the page that was there then": is_ref,
        f"{action}: its element could not be named": is_unnamed,
        "drag: what it was dropped on could not be named": is_nowhere,
        "upload of no file": action == "upload" and not event.get("files"),
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def _repeats(last: Step, step: Step) -> bool:
    """Whether a step repeats the last one: the click that chose its field, a label's, half a double click."""
    is_users = (last.kind, last.page, last.by, last.popup) == ("act", step.page, "user", "") and step.by == "user"
    if not is_users or last.action != "click" or step.at - last.at > CHOSEN_MS:
        return False
    repeated = {
        "check": step.at - last.at <= CLOCK_MS,
        "select": last.event.get("field") == "select",
        "upload": True,
        "type": last.found == step.found,
        "click": _clicks(step) > _clicks(last) and last.found == step.found,
    }
    return repeated.get(step.action, False)


def _clicks(step: Step) -> int:
    return int(step.event.get("count") or 1)


def _begun(steps: list[Step], events: list[Item], left_out: Counter[str]) -> list[Step]:
    """Begin with the address of the page: of those that were only opened, with the last."""
    acts = next((number for number, one in enumerate(steps) if one.kind == "act"), len(steps))
    opened = [one for one in steps[:acts] if one.kind == "goto" and one.page == "page"]
    if opened:
        if len(opened) > 1:
            left_out["a page that was only opened, before the first step"] += len(opened) - 1
        steps = [opened[-1], *(one for one in steps[:acts] if one.kind == "comment"), *steps[acts:]]
    elif first := next((one for one in events if one["kind"] == "step" and not one.get("frame")), None):
        at = float(first["at"])
        steps = [Step("goto", at, "page", ended=at, address=str(first.get("page") or "")), *steps]
    if len(steps) > STEPS_MAX:
        left_out[f"a step beyond the first {STEPS_MAX}"] += len(steps) - STEPS_MAX
    return steps[:STEPS_MAX]


def _expect_answers(steps: list[Step], events: list[Item]) -> None:
    """Have each step expect the answers to the requests that it makes; not to those that the page makes anyway."""
    acts = [one for one in steps if one.kind == "act"]
    asked = [one for one in events if one["kind"] == "network" and one.get("method") and one.get("status")]
    owned = [(_answer(one), _owner(acts, float(one["at"]))) for one in asked]
    idle = Counter(answer.path for answer, owner in owned if owner is None)
    for answer, owner in owned:
        if owner is None or idle[answer.path] > 1 or len(owner.responses) >= RESPONSES_MAX:
            continue
        if all((one.method, one.path) != (answer.method, answer.path) for one in owner.responses):
            owner.responses = [*owner.responses, answer]


def _owner(acts: Iterable[Step], at: float) -> Step | None:
    """Give the step that a request was made by: the last that had begun, if that is not long ago."""
    last = max((one for one in acts if one.at - 1 <= at), key=lambda one: one.at, default=None)
    return last if last and at - last.ended <= ASKED_MS else None


def _faults(events: list[Item]) -> Iterator[SeenError]:
    for event in events:
        at, text = float(event["at"]), str(event.get("text", ""))
        if event["kind"] == "error" and event.get("error") in {"error", "rejection"}:
            yield SeenError("exception", at, lasting_pattern(text), text)
        elif event["kind"] == "console":
            yield SeenError("console", at, lasting_pattern(text), text)
        elif event["kind"] == "network" and int(event.get("status") or 0) >= FAILED:
            answer = _answer(event)
            yield SeenError("answer", at, answer.path, f"{answer.status} {answer.method} {event['url']}", answer)


def _answer(event: Item) -> Answered:
    return Answered(str(event["method"]), _path(str(event["url"])), int(event["status"]))


def _origin(url: str) -> str:
    parts = urlsplit(unnumbered(url))
    return f"{parts.scheme}://{parts.netloc}"


def _path(url: str) -> str:
    """Give a regular expression of the path of an address, with any id where one is."""
    parts = urlsplit(unnumbered(url)).path.split("/")
    return "/".join("[^/]+" if ID.fullmatch(one) or MARKER in one else _escaped(one) for one in parts)


def _pattern(url: str, origin: str) -> str:
    """Give a regular expression of an address: its path, the route after a hash, and its host, if that is another."""
    parts = urlsplit(unnumbered(url))
    is_route = parts.fragment.startswith(("/", "!")) and _is_lasting(parts.fragment)
    host = "[^/]+" if _origin(url) == origin else rf"{_escaped(parts.hostname or '')}(:\d+)?"
    route = f"#{_escaped(parts.fragment)}" if is_route else "(#.*)?"
    return rf"^https?://{host}{_path(url)}(\?[^#]*)?{route}$"


def lasting_pattern(text: str) -> str:
    """Give a regular expression of the first line of an error, with any number where one is, up to its first object."""
    line = re.sub(r"^Uncaught (\(in promise\) )?(\w*Error: )?", "", text.splitlines()[0][:200] if text else "")
    words = re.split(r"[\[{]", unnumbered(line).replace(MARKER, "["), maxsplit=1)[0] or line
    return re.sub(r"\d+", r"\\d+", _escaped(words.strip()))


def _escaped(text: str) -> str:
    """Escape what both languages read in a regular expression, and nothing else."""
    return re.sub(r"[\\^$.|?*+()\[\]{}]", r"\\\g<0>", text)


def _is_lasting(text: object) -> bool:
    return isinstance(text, str) and bool(text) and not is_marked(text) and not VOLATILE.search(text)
