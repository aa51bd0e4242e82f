"""Writes what a step does and what is expected afterwards, as expressions of Playwright; pure.

Rules of this file:
- Every wait is a condition: an address, an answer, a text. Nothing sleeps.
"""

import re
from collections.abc import Callable, Iterator

from gasoline_bridge.front.playwright_syntax import Syntax, Value, Verbatim
from gasoline_bridge.front.recorded_steps import Found, Item, Shown, Step

SELECT_ALL, TO_THE_END = "ControlOrMeta+A", "ControlOrMeta+End"
TYPED_CHARS = 500  # longer ones are entered at once
DOUBLE = 2
ON_THE_PAGE = {"body", "html", ":root"}
MOVES = {"reload": "reload", "back": "goBack", "forward": "goForward"}
WAITS = {"visible": "toBeVisible", "hidden": "toBeHidden", "attached": "toBeAttached", "detached": "toHaveCount"}

PIECES = re.compile(r"""\\.|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|>>>?|.""", re.DOTALL)
"""Of a selector: an escape, a string, whose end may be missing, a border, or any one character."""


class Expressions:
    """The expressions of one language."""

    def __init__(self, syntax: Syntax, origin: str) -> None:
        self._syntax = syntax
        self._origin = origin
        self._call = syntax.call

    def locator(self, found: Found) -> str:
        """Find an element on its page, through its frames."""
        frame = f"frameAt({found.page}, {self._syntax.regex(found.frame_url)})"
        at = self._awaited(frame) if found.frame_url else found.page
        for css in found.frames:
            *hosts, last = _parts(css)
            for host in hosts:
                at = self._call(at, "locator", host)
            at = self._call(at, "frameLocator", last)
        return self._within(at, found.by, found.text, found.name)

    def _awaited(self, expression: str) -> str:
        waits = self._syntax.statement(expression).rstrip(";")
        return f"({waits})" if waits != expression else self._syntax.name(expression)

    def _within(self, at: str, by: str, text: str, name: str = "", *, exact: bool = True) -> str:
        options: dict[str, Value] = {"exact": True} if exact else {}
        if by == "role":
            return self._call(at, "getByRole", text, **({"name": name} | options if name else {}))
        if by in {"label", "text", "placeholder"}:
            return self._call(at, f"getBy{by.title()}", text, **options)
        if by == "testid":
            return self._call(at, "getByTestId", text)
        for part in _parts(text):
            at = self._call(at, "locator", part)
        return at

    def _sought(self, at: str, selector: str) -> str:
        """Look for what a selector of ours means, each of its parts within the one before."""
        for part in parts_of(selector):
            number = part.removeprefix("nth=")
            is_number = part != number and number.lstrip("-").isdecimal()
            at = self._call(at, "nth", int(number)) if is_number else self._within(at, *_wanted(part), exact=False)
        return at

    def done(self, step: Step) -> Iterator[str]:
        """Do the step."""
        if step.kind == "goto":
            yield self._call(step.page, "goto", self._address(step.address))
        elif step.kind == "opened":
            return
        elif step.kind in MOVES:
            yield self._call(step.page, MOVES[step.kind])
        elif step.action in {"key_press", "wait_for"}:
            yield from self._unaimed(step)
        else:
            at = self.locator(step.found) if step.found else step.page
            yield from HANDLERS[step.action](self, step, at)

    def _address(self, address: str) -> Value:
        path = address.removeprefix(self._origin)
        return address if path == address else Verbatim(f"origin + {self._syntax.literal(path)}")

    def _unaimed(self, step: Step) -> Iterator[str]:
        """Do what needs no element."""
        found, event = step.found, step.event
        if step.action == "key_press":
            key = _key(str(event.get("pressed")))
            is_page = found is None or (found.by == "css" and found.text in ON_THE_PAGE)
            at = f"{step.page}.keyboard" if is_page or found is None else self.locator(found)
            yield self._call(at, "press", key)
            return
        state = str(event.get("state") or "visible")
        if found:
            at = self.locator(found)
        else:
            at = self._sought(step.page, str(event.get("wanted")))
            at = at if state == "detached" else self._first(at)
        yield self._call(self._expect(at), WAITS.get(state, "toBeVisible"), *([0] if state == "detached" else []))

    def _first(self, at: str) -> str:
        first = self._call(at, "first")
        return first if self._syntax.suffix != "py" else first.removesuffix("()")

    def _expect(self, at: str) -> str:
        return f"expect({at})"

    def _value(self, step: Step) -> str:
        return self.variable(step.variables[0]) if step.variables else str(step.event.get("value", ""))

    def variable(self, name: str) -> Verbatim:
        """Read a variable of the environment."""
        return Verbatim(f"variable({self._syntax.literal(name)})")

    def click(self, step: Step, at: str) -> Iterator[str]:
        """Click, once or more often."""
        count = int(step.event.get("count") or 1)
        options = _gesture(step.event) | ({"clickCount": count} if count > DOUBLE else {})
        yield self._call(at, "dblclick" if count == DOUBLE else "click", **options)

    def hover(self, step: Step, at: str) -> Iterator[str]:
        """Move the pointer there."""
        yield self._call(at, "hover", **_gesture(step.event))

    def type(self, step: Step, at: str) -> Iterator[str]:
        """Enter a text by its keys, at which many pages read a field; by the keyboard into what draws its text."""
        field, value = step.event.get("field"), self._value(step)
        if field == "set" or (field != "editor" and len(value) > TYPED_CHARS):
            yield self._call(at, "fill", value)
            return
        if field != "editor" and not step.event.get("state"):
            yield self._call(at, "clear")
            yield self._call(at, "pressSequentially", value)
            return
        yield self._call(at, "focus")
        yield self._call(f"{step.page}.keyboard", "press", TO_THE_END if step.event.get("state") else SELECT_ALL)
        yield self._call(f"{step.page}.keyboard", "insertText", self._value(step))

    def select(self, step: Step, at: str) -> Iterator[str]:
        """Choose by what the options are called."""
        labels: list[Value] = [str(one) for one in step.event.get("values") or ()]
        if step.variables:
            yield self._call(at, "selectOption", self._value(step))
        elif self._syntax.suffix == "py":
            yield self._call(at, "selectOption", label=labels)
        else:
            yield self._call(at, "selectOption", [{"label": one} for one in labels])

    def check(self, step: Step, at: str) -> Iterator[str]:
        """Tick a box, or not."""
        yield self._call(at, "setChecked", bool(step.event.get("checked")))

    def upload(self, step: Step, at: str) -> Iterator[str]:
        """Choose files, of which only the names are known."""
        yield self._call(at, "setInputFiles", [self.variable(one) for one in step.variables])

    def drag(self, step: Step, at: str) -> Iterator[str]:
        """Drag onto an element, or by some pixels."""
        if step.to:
            yield self._call(at, "dragTo", Verbatim(self.locator(step.to)))
        else:
            by = _pixels(step.event)
            yield f"{self._syntax.name('dragBy')}({step.page}, {at}, {by[0]}, {by[1]})"

    def wheel(self, step: Step, at: str) -> Iterator[str]:
        """Turn the wheel over an element."""
        yield self._call(at, "hover")
        yield self._call(f"{step.page}.mouse", "wheel", *_pixels(step.event))

    def focus(self, _: Step, at: str) -> Iterator[str]:
        """Give it the focus."""
        yield self._call(at, "focus")

    def scroll_to(self, _: Step, at: str) -> Iterator[str]:
        """Scroll to it."""
        yield self._call(at, "scrollIntoViewIfNeeded")

    def set_attribute(self, step: Step, at: str) -> Iterator[str]:
        """Write an attribute, or take it off."""
        name = str(step.event.get("attribute"))
        if "value" in step.event or step.variables:
            script = "(element, [name, value]) => element.setAttribute(name, value)"
            yield self._call(at, "evaluate", script, [name, self._value(step)])
        else:
            yield self._call(at, "evaluate", "(element, name) => element.removeAttribute(name)", name)

    def expected(self, step: Step) -> Iterator[str]:
        """Expect what was seen after the step."""
        page = self._expect(step.page)
        if step.url:
            yield self._call(page, "toHaveURL", Verbatim(self._syntax.regex(step.url)))
        if step.title:
            yield self._call(page, "toHaveTitle", step.title)
        if step.heading:
            heading = self._within(step.page, "role", "heading", step.heading)
            yield self._call(self._expect(self._first(heading)), "toBeVisible")
        for shown in step.shown:
            yield self._shown(step, shown)

    def _shown(self, step: Step, shown: Shown) -> str:
        if shown.at is None:
            return self._call(self._expect(self._within(step.page, "text", shown.text)), "toHaveCount", 0)
        at = self._expect(self.locator(shown.at))
        if shown.at.by == "text" or (shown.at.by, shown.at.name) == ("role", shown.text):
            return self._call(at, "toBeVisible")
        return self._call(at, "toHaveText", shown.text)


HANDLERS: dict[str, Callable[[Expressions, Step, str], Iterator[str]]] = {
    name: getattr(Expressions, name)
    for name in (
        "click", "hover", "type", "select", "check", "upload", "drag", "wheel", "focus", "scroll_to",
        "set_attribute",
    )
}  # fmt: skip
"""What is done for each action with an element."""


def parts_of(selector: str) -> list[str]:
    """Split a selector at each `>>`, as `partsOf` of the extension does (tests/wire/selector-parts.json)."""
    parts, depth = [""], 0
    for piece in PIECES.findall(selector):
        depth += (piece in "[(") - (piece in "])")
        if piece == ">>" and depth == 0:
            parts.append("")
        else:
            parts[-1] += piece
    found = [part.strip() for part in parts]
    return found if all(found) else [selector]


def _parts(css: str) -> list[str]:
    """Give the parts of our selector as Playwright's: each within the open shadow root of the one before."""
    parts = [one.strip() for one in css.split(">>>")]
    return [re.sub(r"^:host\b", ":scope", one) for one in parts if one]


def _wanted(selector: str) -> tuple[str, str, str]:
    """Read a selector of ours: by what, its text, and a role's name."""
    by, _, rest = selector.partition("=")
    if by == "role" and (match := re.fullmatch(r"([a-z]+)\s*(?:\[\s*name\s*=\s*(.*?)\s*\])?", rest, re.DOTALL)):
        return "role", match[1], (match[2] or "").strip("\"'")
    if by in {"text", "label", "placeholder", "testid"} and rest:
        return by, rest.strip("\"'"), ""
    return "css", selector, ""


def _key(pressed: str) -> str:
    """Give a key by the name that Playwright has for it."""
    return re.sub(r"(^|\+) $", r"\1Space", pressed)


def _gesture(event: Item) -> dict[str, Value]:
    options: dict[str, Value] = {}
    if (button := str(event.get("button") or "left")) != "left":
        options["button"] = button
    if modifiers := str(event.get("modifiers") or ""):
        options["modifiers"] = [*modifiers.split("+")]
    if place := event.get("place"):
        options["position"] = {"x": place["x"], "y": place["y"]}
    return options


def _pixels(event: Item) -> tuple[float, float]:
    by = event.get("by_px") or {}
    return by.get("x", 0), by.get("y", 0)
