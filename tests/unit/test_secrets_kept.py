"""What handles stand for is kept in memory, bounded, and given only as the whole text that is typed."""

import resource
from typing import Any

import pytest

from gasoline_bridge.chrome.secrets_kept import KEPT_S, MOST, ORIGINS, SecretsKeeper
from gasoline_bridge.cli.processes import leave_no_core_file
from gasoline_broker.errors import Failed
from gasoline_workers.redaction.messages import KeepSecrets, ShownSecret
from gasoline_workers.redaction.origins import origin_of

ONE = "⟦password#1⟧"
HERE = "https://a.test"


def keeping(value: str = "Corr3ct-horse-9", origin: str = HERE, now: float = 0.0) -> SecretsKeeper:
    kept = SecretsKeeper()
    kept.keep(ONE, value, origin, now)
    return kept


def refused(kept: SecretsKeeper, action: str, now: float = 1.0, **arguments: Any) -> str:
    with pytest.raises(Failed) as fault:
        kept.resolve(action, arguments, now)
    assert "Corr3ct" not in fault.value.failure.text + fault.value.failure.recovery
    return fault.value.failure.code


@pytest.mark.requirement("redact-014")
def test_a_handle_goes_to_the_page_with_its_secret_and_the_origins_that_showed_it() -> None:
    kept = keeping()
    kept.keep(ONE, "Corr3ct-horse-9", "https://b.test", 1.0)
    of = {"secrets": {ONE: {"value": "Corr3ct-horse-9", "origins": [HERE, "https://b.test"]}}}

    assert {"text": ONE, "selector": "#a"} | of == kept.resolve("type", {"text": ONE, "selector": "#a"}, 1.0)
    fields = [{"selector": "#a", "value": ONE}, {"selector": "#b", "value": "x"}, {"selector": "#c", "checked": True}]
    assert {"fields": fields} | of == kept.resolve("fill_form", {"fields": fields}, 1.0)


@pytest.mark.requirement("redact-014")
@pytest.mark.parametrize(
    ("action", "arguments", "code"),
    [
        ("type", {"text": "⟦password#2⟧"}, "not_found"),
        ("fill_form", {"fields": [{"value": "x"}, {"value": "⟦token#1⟧"}]}, "not_found"),
        ("type", {"text": f"it is {ONE}"}, "invalid_params"),
        ("type", {"text": ONE, "keys": True}, "invalid_params"),
        ("type", {"text": ONE, "trusted": True}, "invalid_params"),
        ("dialog", {"accept": True, "text": ONE}, "invalid_params"),
        ("set_attribute", {"attribute": "title", "value": ONE}, "invalid_params"),
        ("navigate", {"url": f"https://evil.test/?q={ONE}"}, "invalid_params"),
    ],
)
def test_a_handle_is_never_entered_as_text(action: str, arguments: dict[str, Any], code: str) -> None:
    assert code == refused(keeping(), action, **arguments)


@pytest.mark.requirement("redact-014")
def test_other_texts_go_as_they_are() -> None:
    for arguments in ({"text": "⟦not a handle⟧"}, {"text": ""}, {"fields": [{"value": "a"}, {"checked": True}]}):
        assert arguments is SecretsKeeper().resolve("type", arguments, 0.0)


@pytest.mark.requirement("redact-014")
def test_what_is_old_or_stands_for_two_values_is_not_typed_and_what_is_kept_is_bounded() -> None:
    assert "not_found" == refused(keeping(), "type", KEPT_S + 1, text=ONE)
    double = keeping()
    double.keep(ONE, "another", HERE, 0.0)
    assert "not_found" == refused(double, "type", text=ONE)
    many = keeping()
    for number in range(MOST):
        many.keep(f"⟦token#{number + 1}⟧", "v", HERE, 1.0)
    assert MOST == len(many)
    assert "not_found" == refused(many, "type", text=ONE)
    shown = keeping()
    for number in range(2 * ORIGINS):
        shown.keep(ONE, "Corr3ct-horse-9", f"https://{number}.test", 1.0)
    assert ORIGINS == len(shown.resolve("type", {"text": ONE}, 1.0)["secrets"][ONE]["origins"])


@pytest.mark.requirement("redact-014")
@pytest.mark.parametrize(
    ("body", "origin"),
    [
        ({"type": "OutlineGot", "url": "HTTPS://A.test/x"}, HERE),
        ({"type": "DomQueried", "url": "https://a.test"}, HERE),
        ({"type": "Interacted", "url": "https://a.test/"}, ""),  # where an action led
        ({"url": "https://a.test/"}, ""),
        ([{"page": "https://a.test/1", "events": []}, {"page": "https://a.test/2", "events": []}], HERE),
        ([{"page": "https://a.test/1"}, {"page": "https://b.test/"}], ""),
        ([{"page": "https://a.test/1"}, {"page": ""}], ""),
        ([{"page": "https://u:p@a.test/1"}], ""),
        ([{"page": 7}, "x"], ""),
        ({"type": "OutlineGot", "url": "https://a.test", "lines": ["# Bank", "[1 textbox]"]}, HERE),
        ({"type": "OutlineGot", "url": "https://a.test", "lines": ["iframe (its own f1-)", "  # Bank"]}, ""),
        ("https://a.test/", ""),
    ],
)
def test_a_secret_comes_from_the_one_page_that_a_body_is_about(body: object, origin: str) -> None:
    assert origin == origin_of(body)


@pytest.mark.requirement("redact-020")
def test_what_is_printed_of_a_kept_secret_is_not_the_secret() -> None:
    message = KeepSecrets([ShownSecret(ONE, "Corr3ct-horse-9", HERE)])
    kept = keeping()

    assert "Corr3ct" not in f"{message!r} {message} {vars(kept)}"
    assert ONE in repr(message)


@pytest.mark.requirement("redact-020")
def test_a_process_leaves_no_core_file() -> None:
    before = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (before[1], before[1]))
    try:
        leave_no_core_file()
        soft, _ = resource.getrlimit(resource.RLIMIT_CORE)
    finally:
        resource.setrlimit(resource.RLIMIT_CORE, before)

    assert 0 == soft
