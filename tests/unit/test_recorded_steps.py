"""The steps of a test, from the events of a recording."""

import ast
import io
import json
import tokenize
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gasoline_bridge.front import playwright_files, playwright_steps, recorded_steps
from gasoline_bridge.front.recorded_steps import Item, Script

TAB = 7
HOME = "http://localhost:3000/"
BEGUN = 1_700_000_000_000.0
SAVE = {"by": "role", "role": "button", "name": "Save"}


def event(kind: str, at: float = 0, **more: Any) -> Item:
    return {"kind": kind, "at": BEGUN + at, "tab": TAB, "frame": 0, "page": HOME, "seq": 1} | more


def opened(at: float = 0, url: str = HOME, navigation: str = "navigate") -> Item:
    return event("navigation", at, url=url, navigation=navigation)


def step(at: float, action: str = "click", by: str = "user", **more: Any) -> Item:
    return event("step", at, by=by, act=action, **({"locator": SAVE} | more))


def call(at: float, action: str, took: float = 50, outcome: str = "done") -> Item:
    return event("audit", at, action=f"interact {action}", took_ms=took, outcome=outcome)


def asked(at: float, url: str = f"{HOME}api/profile", method: str = "POST", status: int = 200) -> Item:
    return event("network", at, url=url, method=method, status=status)


def made(*events: Item) -> Script:
    return recorded_steps.script([*events], TAB)


def done(script: Script) -> list[str]:
    return [one.action or one.kind for one in script.steps]


def python(script: Script) -> str:
    return playwright_files.write(script, "python")


@pytest.mark.requirement("clients-006")
def test_the_click_that_chose_a_field_is_not_done_again() -> None:
    field = {"by": "label", "text": "Name"}
    script = made(
        opened(),
        step(1_000, locator=field),
        step(1_500, "type", locator=field, field="text", value="Ann", typed_ms=800),
        step(3_000, locator={"by": "text", "text": "Send me news"}),
        step(3_001, locator={"by": "css", "css": "#news"}),
        step(3_002, "check", locator={"by": "css", "css": "#news"}, field="check", checked=True),
        step(4_000, field="select"),
        step(5_000, "select", field="select", values=["Peru"]),
    )

    assert ["goto", "type", "check", "select"] == done(script)


def test_a_double_click_is_one_step() -> None:
    script = made(opened(), step(1_000), step(1_150, count=2))

    assert ["goto", "click"] == done(script)
    assert ".dblclick()" in python(script)


@pytest.mark.requirement("clients-006")
@pytest.mark.parametrize(
    ("navigation", "at", "expected"),
    [
        ("navigate", 1_500, ["goto", "click"]),
        ("navigate", 9_000, ["goto", "click", "goto"]),
        ("reload", 9_000, ["goto", "click", "reload"]),
        ("push", 1_500, ["goto", "click"]),
        ("push", 9_000, ["goto", "click"]),
    ],
)
def test_a_page_that_a_step_led_to_is_expected_and_another_is_opened(
    navigation: str, at: float, expected: list[str]
) -> None:
    assert expected == done(made(opened(), step(1_000), opened(at, f"{HOME}next", navigation)))


def test_back_and_forward_are_distinguished_by_where_they_lead() -> None:
    pages = [opened(0, HOME), step(10), opened(10_000, f"{HOME}b"), opened(20_000, HOME, "back_forward")]

    assert ["goto", "click", "goto", "back"] == done(made(*pages))
    assert "forward" == done(made(*pages, opened(30_000, f"{HOME}c", "back_forward")))[-1]


@pytest.mark.requirement("clients-006")
@pytest.mark.parametrize(
    ("action", "kind"), [("navigate", "goto"), ("refresh", "reload"), ("back", "back"), ("forward", "forward")]
)
def test_an_assistants_own_navigation_is_a_step(action: str, kind: str) -> None:
    script = made(opened(), step(1_000), call(2_000, action, 300), opened(2_100, f"{HOME}next", "navigate"))

    assert ["goto", "click", kind] == done(script)
    assert not script.left_out


@pytest.mark.requirement("clients-006")
def test_a_choice_in_the_list_of_a_component_is_the_presses_that_it_was_made_of() -> None:
    script = made(
        opened(),
        call(990, "select", 100),
        step(1_000, by="assistant"),
        step(1_050, by="assistant"),
        call(1_990, "select", 100, outcome="invalid_params"),
        step(2_000, by="assistant"),
    )

    assert ["goto", "click", "click", "comment"] == done(script)
    assert ["click of an assistant, which ended with invalid_params"] == list(script.left_out)


def test_a_call_that_left_no_step_or_failed_is_named_at_its_place() -> None:
    script = made(
        opened(),
        call(990, "click", outcome="element_covered"),
        step(1_000, by="assistant"),
        event("audit", 2_000, action="execute", took_ms=5, outcome="done"),
        call(3_000, "upload"),
        call(4_000, "get_text"),
        step(5_000, "characters", locator=None),
        step(6_000, closed=True),
    )

    assert ["goto", "comment", "comment", "comment", "comment", "comment"] == done(script)
    assert [
        "click of an assistant, which ended with element_covered",
        "a script that an assistant ran: no script is kept",
        "upload of an assistant: nothing of it was recorded",
        "characters that were typed outside of a field: they are not recorded",
        "click in a closed shadow root: no locator reaches into it",
    ] == [one.note for one in script.steps[1:]]
    assert [1] * 5 == [*script.left_out.values()]


@pytest.mark.requirement("clients-007")
def test_a_secret_a_redacted_value_and_a_file_become_variables() -> None:
    script = made(
        opened(),
        step(1_000, "type", locator={"by": "label", "text": "Password"}, field="text", secret=True),
        step(2_000, "type", locator={"by": "label", "text": "Note"}, field="text", value="key [REDACTED]"),
        step(3_000, "upload", locator={"by": "css", "css": "#file"}, field="file", files=["report.pdf"]),
        step(4_000, "type", locator={"by": "label", "text": "Password"}, field="text", secret=True),
        event("dialog", 4_100, dialog="prompt", message="Your PIN?", accepted=True, secret=True),
    )

    assert ["SECRET_PASSWORD", "SECRET_NOTE", "FILE_REPORT_PDF", "SECRET_YOUR_PIN"] == [*script.variables]
    assert "[REDACTED]" not in python(script)


@pytest.mark.requirement("clients-006")
def test_a_request_is_expected_of_the_step_that_made_it_and_a_poll_of_none() -> None:
    poll = f"{HOME}api/poll"
    script = made(
        opened(),
        *(asked(at, poll, "GET") for at in (2_000, 4_000, 6_000, 8_000)),
        step(10_000),
        asked(10_020),
        asked(10_030, f"{HOME}api/items/4711", "GET", 404),
        asked(10_040, poll, "GET"),
        asked(12_000, f"{HOME}api/late", "GET"),
    )

    answers = [(one.method, one.path, one.status) for one in script.steps[-1].responses]
    assert [("POST", "/api/profile", 200), ("GET", "/api/items/[^/]+", 404)] == answers
    assert ["404 GET http://localhost:3000/api/items/4711"] == [one.text for one in script.faults]


@pytest.mark.requirement("clients-006")
@pytest.mark.parametrize("text", ["12:30 Uhr", "2026-01-31", "order 1234567", "id 8f0e2d4c6b8a", "[REDACTED]"])
def test_no_text_is_expected_that_is_another_at_the_next_run(text: str) -> None:
    shown = [{"text": text, "locator": {"by": "text", "text": text}}, {"text": "Saved", "locator": SAVE}]
    result = event("result", 1_200, of=BEGUN + 1_000, shown=shown, gone=[text])

    script = made(opened(), step(1_000), result)

    assert ["Saved"] == [one.text for one in script.steps[-1].shown]


def test_what_was_shown_before_a_page_was_left_is_not_expected() -> None:
    result = event("result", 1_200, of=BEGUN + 1_000, shown=[{"text": "Loading", "locator": SAVE}])

    script = made(opened(), step(1_000), result, opened(1_400, f"{HOME}next"))

    assert ([], r"^https?://[^/]+/next(\?[^#]*)?(#.*)?$") == (script.steps[-1].shown, script.steps[-1].url)


@pytest.mark.requirement("clients-006")
def test_what_is_done_in_a_tab_that_a_step_opened_is_done_there() -> None:
    script = made(
        opened(),
        step(1_000),
        event("opened", 1_010, opened=8),
        opened(1_200, f"{HOME}second") | {"tab": 8},
        step(2_000) | {"tab": 8},
        event("opened", 9_000, opened=9),
    )

    assert ["page", "page", "popup1", "popup1", ""] == [one.page for one in script.steps]
    assert ("popup1", "opened", "comment") == (script.steps[1].popup, script.steps[2].kind, script.steps[4].kind)
    assert "a tab that opened without a step, or beside another" == script.steps[4].note


def test_of_pages_that_were_only_opened_the_last_is_the_first_step() -> None:
    script = made(opened(0), opened(1_000, f"{HOME}b"), step(9_000))

    assert [f"{HOME}b", ""] == [one.address for one in script.steps]
    assert 1 == script.left_out["a page that was only opened, before the first step"]


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("Uncaught TypeError: x is not a function", "x is not a function"),
        ("Uncaught (in promise) Error: order 4711 is gone", r"order \d+ is gone"),
        ('failed {"id":1}', "failed"),
        ("a (b) [c]", r"a \(b\)"),
    ],
)
def test_an_error_is_known_again_without_its_numbers_and_objects(text: str, pattern: str) -> None:
    assert pattern == recorded_steps.lasting_pattern(text)


@pytest.mark.requirement("clients-008")
def test_a_reproduction_ends_with_the_step_before_its_error() -> None:
    script = made(opened(), step(1_000), event("error", 1_100, error="error", text="broke"), step(2_000, "hover"))
    text = playwright_files.write(script, "python", recorded_steps.last_fault(script))

    assert ".click()" in text
    assert ".hover()" not in text
    assert 're.search("broke", one) for one in errors' in text


@pytest.mark.requirement("clients-007")
@given(text=st.text(min_size=1, max_size=60))
def test_no_text_of_a_page_leaves_its_literal_or_its_comment(text: str) -> None:
    name = {"by": "role", "role": "button", "name": text}
    css = {"by": "css", "css": text}
    shown = [{"text": text, "locator": css}]
    script = made(
        opened(0, f"{HOME}x"),
        step(1_000, locator=name),
        step(2_000, "type", locator=css, field="text", value=text),
        event("result", 2_100, of=BEGUN + 2_000, shown=shown),
        event("dialog", 2_200, dialog="prompt", message=text, accepted=True, answer=text),
        step(3_000, "upload", locator=css, files=[text]),
        step(4_000, text, locator=None),
        event("console", 4_500, level="error", text=text),
    )

    tree = ast.parse(python(script))
    called = {
        one.func.attr for one in ast.walk(tree) if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute)
    }
    assert {"click", "press_sequentially", "set_input_files"} <= called
    typescript = playwright_files.write(script, "typescript").splitlines()
    assert not [one for one in typescript if set(one) & set("\x00\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029")]


@pytest.mark.requirement("clients-006")
def test_a_label_chooses_no_encoding_of_the_file() -> None:
    secret = step(
        1_000, "type", locator={"by": "label", "text": "Password, coding: unicode_escape"}, field="text", secret=True
    )

    text = python(made(opened(), secret))

    assert "coding: unicode_escape" in text.splitlines()[2]
    assert "utf-8" == tokenize.detect_encoding(io.BytesIO(text.encode()).readline)[0]


@pytest.mark.requirement("applications-068")
@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ("main >> text=Gone", 'locator("main").get_by_text("Gone")'),
        (
            'main >>> #x >> role=row >> nth=-1 >> text="a >> b"',
            'locator("main").locator("#x").get_by_role("row").nth(-1).get_by_text("a >> b")',
        ),
        ("nth=one", 'locator("nth=one")'),
    ],
)
def test_each_part_of_a_selector_is_looked_for_within_the_one_before(wanted: str, expected: str) -> None:
    gone = step(1_000, "wait_for", by="assistant", wanted=wanted, state="detached")
    del gone["locator"]

    assert f"page.{expected}).to_have_count(0)" in python(made(opened(), gone, call(1_000, "wait_for")))


PARTS = json.loads((Path(__file__).parents[1] / "wire" / "selector-parts.json").read_text())


@pytest.mark.requirement("applications-068")
def test_a_selector_has_the_parts_that_the_extension_finds_in_it() -> None:
    assert [one["parts"] for one in PARTS] == [playwright_steps.parts_of(one["selector"]) for one in PARTS]
