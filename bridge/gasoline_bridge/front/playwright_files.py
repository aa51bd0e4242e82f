"""Writes the steps of a test as a file for Playwright, in TypeScript or in Python; pure.

A test expects what was observed. A reproduction leads to the error, and expects that.
"""

from collections.abc import Iterator
from typing import Literal

from gasoline_bridge.front.playwright_steps import Expressions
from gasoline_bridge.front.playwright_syntax import Python, Syntax, TypeScript, quoted
from gasoline_bridge.front.recorded_steps import Answered, Asked, Script, SeenError, Step
from gasoline_broker.product import NAME

Language = Literal["typescript", "python"]

SUFFIXES: dict[Language, str] = {"typescript": TypeScript.suffix, "python": Python.suffix}
TITLE_CHARS = 80
CODING = "# coding: utf-8"


def write(script: Script, language: Language, fault: SeenError | None = None) -> str:
    """Write the file; `fault`: of a reproduction, the error that it leads to."""
    file = _TypeScriptFile(script, fault) if language == "typescript" else _PythonFile(script, fault)
    return "\n".join(file.lines()) + "\n"


class _File:
    """What both languages have in common."""

    syntax: Syntax

    def __init__(self, script: Script, fault: SeenError | None) -> None:
        self.script = script
        self.fault = fault
        self.write = Expressions(self.syntax, script.origin)
        begun = [one for one in script.steps if fault is None or one.at <= fault.at]
        self.steps = begun or script.steps[:1]
        acting = [one for one in self.steps if one.kind != "comment"]
        self.last = acting[-1] if fault and acting else None
        self.failed = [one.answer for one in script.faults if one.answer]

    @property
    def title(self) -> str:
        """Name the test by where it begins, or by its error."""
        first = next((one.address for one in self.steps if one.kind == "goto"), "")
        place = first.removeprefix(self.script.origin).split("?")[0] or "/"
        return f"reproduces {self.fault.text}"[:TITLE_CHARS] if self.fault else f"recorded at {place}"[:TITLE_CHARS]

    def header(self) -> Iterator[str]:
        """State what a reader must know first."""
        lines = [f"Written by {NAME} from recorded actions. Set BASE_URL to run it against another server."]
        if self.fault:
            lines.append("It passes as long as the error occurs: turn its last expectation around once that is fixed.")
        lines += [f"Needs {name} in the environment: {what}." for name, what in self.script.variables.items()]
        lines += [f"Left out ({count}): {what}." for what, count in self.script.left_out.items()]
        return map(self.syntax.comment, lines)

    def answers(self, step: Step) -> list[Answered]:
        """Give those that are expected: of the step that leads to the error only the error is."""
        return [] if step is self.last else step.responses

    def answer(self, asked: Asked) -> str:
        """Give how a dialog is answered: by a text, or by yes or no."""
        if asked.variable:
            return self.write.variable(asked.variable)
        return quoted(asked.text) if asked.accepted and asked.text else self.syntax.literal(asked.accepted)

    def followed(self, step: Step) -> Iterator[str]:
        """Expect what was seen after a step."""
        return iter(()) if step is self.last else map(self.syntax.statement, self.write.expected(step))

    def name(self, step: Step, what: str, number: int = 0) -> str:
        """Name what a step waits for."""
        return f"{what}{self.steps.index(step) + 1}" + ("abc"[number] if number else "")

    @property
    def known(self) -> str:
        """Give the errors that were there when it was recorded."""
        patterns = dict.fromkeys(one.pattern for one in self.script.faults if one.answer is None)
        return f"[{', '.join(map(self.syntax.regex, patterns))}]"

    @property
    def refused(self) -> str:
        """Give the failed answers that were there when it was recorded."""
        return f"[{', '.join(map(self.syntax.regex, dict.fromkeys(map(failure, self.failed))))}]"

    @property
    def has_foreign_frames(self) -> bool:
        """Whether a frame is known by its address alone."""
        found = [one for step in self.steps for one in (step.found, step.to, *(it.at for it in step.shown))]
        return any(one is not None and one.frame_url for one in found)

    @property
    def drags(self) -> bool:
        """Whether something is dragged by some pixels."""
        return any(one.action == "drag" and one.to is None and one.kind == "act" for one in self.steps)


def failure(answer: Answered) -> str:
    """Give a regular expression of a failed answer, as the files note it."""
    return f"^{answer.status} {answer.method} {answer.path}$"


class _TypeScriptFile(_File):
    syntax = TypeScript()

    def lines(self) -> Iterator[str]:
        yield from self.header()
        locator = "type Locator, " if self.drags else ""
        yield f"import {{ expect, {locator}type Page, type Response, test }} from '@playwright/test';"
        yield ""
        yield f"const origin = process.env.BASE_URL ?? {quoted(self.script.origin)};"
        yield from VARIABLE_TS if self.script.variables else ()
        yield from FRAME_TS if self.has_foreign_frames else ()
        yield from DRAG_TS if self.drags else ()
        yield ""
        yield f"test({quoted(self.title)}, async ({{ page }}) => {{"
        for line in (*WATCH_TS, *self.body(), "", *self.end()):
            yield f"  {line}" if line else ""
        yield "});"

    def body(self) -> Iterator[str]:
        for step in self.steps:
            yield ""
            if step.kind == "comment":
                yield self.syntax.comment(f"Left out: {step.note}.")
                continue
            yield from self.prepared(step)
            yield from map(self.syntax.statement, self.write.done(step))
            yield from self.received(step)
            yield from self.followed(step)

    def prepared(self, step: Step) -> Iterator[str]:
        yield from (f"answers.push({self.answer(asked)});" for asked in step.dialogs)
        for number, one in enumerate(self.answers(step)):
            path = self.syntax.regex(f"^{one.path}$")
            yield f"const {self.name(step, 'answer', number)} = {step.page}.waitForResponse("
            yield f"  (response) => isAnswer(response, {quoted(one.method)}, {path}),"
            yield ");"
        if step.popup:
            yield f"const {step.popup}Opened = {step.page}.waitForEvent('popup');"
        if step.download:
            yield f"const {self.name(step, 'download')} = {step.page}.waitForEvent('download');"

    def received(self, step: Step) -> Iterator[str]:
        for number, one in enumerate(self.answers(step)):
            yield f"expect((await {self.name(step, 'answer', number)}).status()).toBe({one.status});"
        if step.popup:
            yield f"const {step.popup} = await {step.popup}Opened;"
            yield f"watch({step.popup});"
        if step.download:
            yield f"expect((await {self.name(step, 'download')}).suggestedFilename()).toBe({quoted(step.download)});"
        for asked in step.dialogs:
            yield f"await expect.poll(() => dialogs).toContain({quoted(asked.message)});"

    def end(self) -> Iterator[str]:
        if self.fault is None:
            yield f"const known: RegExp[] = {self.known};"
            yield "expect(errors.filter((error) => !known.some((one) => one.test(error)))).toEqual([]);"
            yield f"const refused: RegExp[] = {self.refused};"
            yield "expect(failures.filter((failure) => !refused.some((one) => one.test(failure)))).toEqual([]);"
            return
        where, answer = ("failures", self.fault.answer) if self.fault.answer else ("errors", None)
        pattern = self.syntax.regex(failure(answer) if answer else self.fault.pattern)
        yield f"await expect.poll(() => {where}.filter((one) => {pattern}.test(one))).not.toEqual([]);"


class _PythonFile(_File):
    syntax = Python()

    def lines(self) -> Iterator[str]:
        yield CODING  # first: else Python would take it from a comment in the second line, which has words of a page
        yield from self.header()
        yield from IMPORTS_PY
        optional = [*(["Frame"] if self.has_foreign_frames else []), *(["Locator"] if self.drags else [])]
        names = ["ConsoleMessage", "Dialog", *optional, "Page", "Response", "expect"]
        yield f"from playwright.sync_api import {', '.join(names)}"
        yield ""
        yield f'origin = os.environ.get("BASE_URL", {quoted(self.script.origin)})'
        yield from VARIABLE_PY if self.script.variables else ()
        yield from FRAME_PY if self.has_foreign_frames else ()
        yield from DRAG_PY if self.drags else ()
        yield from HELPERS_PY
        yield "def test_recorded(page: Page) -> None:"
        yield f"    # {self.syntax.comment(self.title)[2:]}"
        for line in (*WATCH_PY, *self.body(), "", *self.end()):
            yield f"    {line}" if line else ""

    def body(self) -> Iterator[str]:
        for step in self.steps:
            yield ""
            if step.kind == "comment":
                yield self.syntax.comment(f"Left out: {step.note}.")
                continue
            yield from (f"answers.append({self.answer(asked)})" for asked in step.dialogs)
            waits = [*self.waits(step)]
            if waits:
                yield f"with {', '.join(waits)}:"
            for line in self.write.done(step):
                yield f"    {line}" if waits else line
            yield from self.received(step)
            yield from self.followed(step)

    def waits(self, step: Step) -> Iterator[str]:
        for number, one in enumerate(self.answers(step)):
            asked = f"is_answer({quoted(one.method)}, {quoted(f'^{one.path}$')})"
            yield f"{step.page}.expect_response({asked}) as {self.name(step, 'answer', number)}"
        if step.popup:
            yield f"{step.page}.expect_popup() as {step.popup}_opened"
        if step.download:
            yield f"{step.page}.expect_download() as {self.name(step, 'download')}"

    def received(self, step: Step) -> Iterator[str]:
        for number, one in enumerate(self.answers(step)):
            yield f"assert {one.status} == {self.name(step, 'answer', number)}.value.status"
        if step.popup:
            yield f"{step.popup} = {step.popup}_opened.value"
            yield f"watch({step.popup})"
        if step.download:
            yield f"assert {quoted(step.download)} == {self.name(step, 'download')}.value.suggested_filename"
        for asked in step.dialogs:
            yield f"eventually(page, lambda: {quoted(asked.message)} in dialogs)"

    def end(self) -> Iterator[str]:
        if self.fault is None:
            yield f"known: list[re.Pattern[str]] = {self.known}"
            yield "assert [] == [error for error in errors if not any(one.search(error) for one in known)]"
            yield f"refused: list[re.Pattern[str]] = {self.refused}"
            yield "assert [] == [failure for failure in failures if not any(one.search(failure) for one in refused)]"
            return
        where, answer = ("failures", self.fault.answer) if self.fault.answer else ("errors", None)
        pattern = quoted(failure(answer) if answer else self.fault.pattern)
        yield f"eventually(page, lambda: any(re.search({pattern}, one) for one in {where}))"


VARIABLE_TS = """
function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`Set ${name} in the environment.`);
  return value;
}""".splitlines()

FRAME_TS = """
async function frameAt(page: Page, url: RegExp) {
  const found = () => page.frames().find((frame) => url.test(frame.url()));
  await expect.poll(() => found() !== undefined).toBe(true);
  return found()!;
}""".splitlines()

DRAG_TS = """
async function dragBy(page: Page, locator: Locator, x: number, y: number) {
  await locator.hover();
  const box = (await locator.boundingBox())!;
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + x, box.y + box.height / 2 + y, { steps: 10 });
  await page.mouse.up();
}""".splitlines()

WATCH_TS = """const errors: string[] = [];
const failures: string[] = [];
const dialogs: string[] = [];
const answers: (string | boolean)[] = [];
const isAnswer = (response: Response, method: string, path: RegExp) =>
  response.request().method() === method && path.test(new URL(response.url()).pathname);
const watch = (one: Page) => {
  one.on('pageerror', (error) => errors.push(error.message));
  one.on('console', (message) => {
    const text = message.text();
    if (message.type() === 'error' && !text.startsWith('Failed to load resource')) errors.push(text);
  });
  one.on('response', (response) => {
    const { origin: host, pathname } = new URL(response.url());
    if (response.status() < 400 || host !== new URL(origin).origin || pathname === '/favicon.ico') return;
    failures.push(`${response.status()} ${response.request().method()} ${pathname}`);
  });
  one.on('dialog', async (dialog) => {
    dialogs.push(dialog.message());
    const answer = answers.shift() ?? false;
    if (answer === false) await dialog.dismiss();
    else await dialog.accept(answer === true ? undefined : answer);
  });
};
watch(page);""".splitlines()

IMPORTS_PY = """
import os
import re
from collections.abc import Callable
from urllib.parse import urlsplit

""".splitlines()

VARIABLE_PY = """

def variable(name: str) -> str:
    if name not in os.environ:
        raise LookupError(f"Set {name} in the environment.")
    return os.environ[name]""".splitlines()

FRAME_PY = """

def frame_at(page: Page, url: re.Pattern[str]) -> Frame:
    def found() -> list[Frame]:
        return [frame for frame in page.frames if url.search(frame.url)]

    eventually(page, lambda: bool(found()))
    return found()[0]""".splitlines()

DRAG_PY = """

def drag_by(page: Page, locator: Locator, x: float, y: float) -> None:
    locator.hover()
    box = locator.bounding_box()
    assert box
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2 + x, box["y"] + box["height"] / 2 + y, steps=10)
    page.mouse.up()""".splitlines()

HELPERS_PY = """

def eventually(page: Page, condition: Callable[[], bool]) -> None:
    for _ in range(100):
        if condition():
            return
        page.wait_for_timeout(50)
    raise AssertionError("It has not come about within 5 s.")


def is_answer(method: str, path: str) -> Callable[[Response], bool]:
    return lambda response: response.request.method == method and bool(re.search(path, urlsplit(response.url).path))


""".splitlines()

WATCH_PY = """errors: list[str] = []
failures: list[str] = []
dialogs: list[str] = []
answers: list[str | bool] = []

def heard(message: ConsoleMessage) -> None:
    if message.type == "error" and not message.text.startswith("Failed to load resource"):
        errors.append(message.text)

def answered(response: Response) -> None:
    url, own = urlsplit(response.url), urlsplit(origin)
    if response.status >= 400 and url[:2] == own[:2] and url.path != "/favicon.ico":
        failures.append(f"{response.status} {response.request.method} {url.path}")

def asked(dialog: Dialog) -> None:
    dialogs.append(dialog.message)
    answer = answers.pop(0) if answers else False
    if answer is False:
        dialog.dismiss()
    else:
        dialog.accept("" if answer is True else answer)

def watch(one: Page) -> None:
    one.on("pageerror", lambda error: errors.append(error.message))
    one.on("console", heard)
    one.on("response", answered)
    one.on("dialog", asked)

watch(page)""".splitlines()
