# ruff: noqa: E501 - one case, one line
"""A user's own rules: what they hide, what they keep, and how a wrong file is refused."""

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gasoline_broker.errors import CannotStart, SettingsRefused
from gasoline_workers.redaction import policy_file
from gasoline_workers.redaction.policy import Policy
from gasoline_workers.redaction.rules import redact
from unit.redaction.test_laws import texts

OWN = policy_file.read(
    """
[[rule]]
name = "acme-token"
pattern = 'acme_(?P<secret>[a-z0-9]{6,})'
[[rule]]
name = "ticket"
pattern = 'ticket ([0-9]+)'
[[rule]]
name = "employee"
fields = ["employeeNumber"]
[[allow]]
name = "examples"
values = ["AKIAIOSFODNN7EXAMPLE"]
pattern = 'test-[0-9]+'
"""
)
PERSONAL = policy_file.read("personal = true")
GREEDY = policy_file.read("[[rule]]\nname = 'all'\npattern = '.+'\n[[rule]]\nname = 'words'\npattern = '[A-Z]+'")


def clean(body: object, policy: Policy = OWN) -> object:
    return redact(body, policy)[0]


@pytest.mark.requirement("redact-004")
@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("see acme_abc123 there", "see acme_[REDACTED] there"),
        ("on ticket 4711, closed", "on ticket [REDACTED], closed"),
        ({"employeeNumber": 7}, {"employeeNumber": "[REDACTED]"}),
        ({"employee_number": "E7"}, {"employee_number": "[REDACTED]"}),
        ({"employeeNumber": {"of": "E7"}}, {"employeeNumber": {"of": "E7"}}),  # what it holds has names of its own
        ({"name": "employeeNumber", "value": "E7"}, {"name": "employeeNumber", "value": "[REDACTED]"}),
        ([["employeeNumber", "E7"], ["a", "b"]], [["employeeNumber", "[REDACTED]"], ["a", "b"]]),
        ("x?employee-number=E7&a=b", "x?employee-number=[REDACTED]&a=b"),
        ('{"a": "acme_abc123", "employeeNumber": "E7"}', '{"a": "acme_[REDACTED]", "employeeNumber": "[REDACTED]"}'),
        ("q=acme%5Fabc123", "q=acme%5F[REDACTED]"),
        ({"n": 12}, {"n": 12}),
        ({"employeeNumber": None, "n": True}, {"employeeNumber": None, "n": True}),
    ],
)
def test_a_users_rule_hides_by_pattern_or_by_field_wherever_the_value_stands(body: object, expected: object) -> None:
    assert expected == clean(body)
    assert body == clean(body, Policy())


@pytest.mark.requirement("redact-004")
@pytest.mark.parametrize(
    "body",
    [
        "AKIAIOSFODNN7EXAMPLE",
        "the id AKIAIOSFODNN7EXAMPLE is an example",
        {"password": "test-12"},
        "password=test-12",
        '<input type="password" value="test-12">',
        "<dl><dt>Password</dt><dd>test-12</dd></dl>",
        {"cookies": {"a": "test-12"}},
        {"headers": {"Cookie": "a=test-12"}},
        {"headers": {"Authorization": "Bearer test-12"}},
    ],
)
def test_an_allowed_value_stays_where_a_built_in_rule_would_hide_it(body: object) -> None:
    assert (body, 0) == redact(body, OWN)
    assert body != clean(body, Policy())


@pytest.mark.requirement("redact-004")
@pytest.mark.parametrize("body", ["password=test-12x", {"password": "xtest-12"}, "AKIAIOSFODNN7EXAMPLF"])
def test_what_only_begins_or_ends_like_an_allowed_value_is_hidden(body: object) -> None:
    assert clean(body) == clean(body, Policy())
    assert body != clean(body)


@given(texts, st.sampled_from([OWN, PERSONAL, GREEDY]))
@example("[REDACTED]a[REDACTED", GREEDY)
@example("acme_abc123[REDACTED]", OWN)
def test_redacting_twice_is_redacting_once_with_any_rules(text: str, policy: Policy) -> None:
    once, _ = redact({"text": text}, policy)

    assert (once, 0) == redact(once, policy)


@pytest.mark.requirement("redact-004")
def test_a_marker_that_a_page_writes_shields_nothing_from_a_users_rule() -> None:
    assert "[REDACTED][REDACTED][REDACTED]" == clean("abc[REDACTED]def", GREEDY)


VALID = {
    "email": ["ada@example.com", "first.last+tag@sub.example.co.uk"],
    "phone": [
        "+49 170 1234567",
        "+1 (555) 010-0199",
        "(555) 010-0199",
        "555-010-0199",
        "030 / 901820",
        "+442079460958",
    ],
    "card": ["4111 1111 1111 1111"],
    "iban": ["DE89 3704 0044 0532 0130 00", "GB82WEST12345698765432", "NO9386011117947"],
    "national-id": [
        "078-05-1120",
        "AB123456C",
        "2 55 08 14 168 025 38",
        "12345678Z",
        "44051401359",
        "529.982.247-25",
        "11010519491231002X",
        "811228-9874",
    ],
}
INVALID = [
    "ada@example", "@media screen", "user@2x.png", "1.2.3.4", "2026-11-24", "10:20:30", "192.168.0.100", "v1.2.3-4567", "1,234,567.89",
    "DE89 3704 0044 0532 0130 01", "GB82WEST12345698765433", "000-12-3456", "2 55 08 14 168 025 39", "12345678A", "44051401358",
    "529.982.247-26", "110105194912310021", "811228-9873", "1700000000000", "f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "width: 100-200", "#123456",
]  # fmt: skip


@pytest.mark.requirement("redact-005")
@pytest.mark.parametrize(("kind", "value"), [(kind, value) for kind, values in VALID.items() for value in values])
def test_personal_data_are_hidden_once_their_kind_is_switched_on(kind: str, value: str) -> None:
    only = policy_file.read(f"personal = [{kind!r}]")

    assert "see [REDACTED] here" == clean(f"see {value} here", only)
    assert kind == "card" or f"see {value} here" == clean(f"see {value} here", Policy())


@pytest.mark.requirement("redact-005")
@pytest.mark.parametrize("value", INVALID)
def test_what_only_resembles_personal_data_stays(value: str) -> None:
    assert f"see {value} here" == clean(f"see {value} here", PERSONAL)


@pytest.mark.requirement("redact-005")
def test_a_field_named_for_personal_data_is_hidden_whatever_it_holds() -> None:
    assert {"phoneNumber": "[REDACTED]", "tax_id": "[REDACTED]"} == clean(
        {"phoneNumber": 123, "tax_id": "x-1"}, PERSONAL
    )


@pytest.mark.requirement("redact-006")
@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("rule = [", "this is no TOML"),
        ("rules = []", "the file: `rules` is unknown; valid: personal, rule, allow."),
        ("[rule]\nname = 'x'", "`rule` must be a list of tables: write [[rule]] before each."),
        ("[[rule]]\npattern = 'x'", "rule 1: `name` is missing"),
        ("[[rule]]\nname = 'a'\npattern = 'x'\n[[rule]]\nname = 'b'", "rule 2 ('b'): `pattern` or `fields` is needed."),
        ("[[rule]]\nname = 'a'\npatern = 'x'", "rule 1 ('a'): `patern` is unknown; valid: name, pattern, fields."),
        ("[[rule]]\nname = 'a'\npattern = '(a+)\\1'", r"rule 1 ('a'): `pattern` is none of RE2's syntax: invalid escape sequence: \1."),
        ("[[rule]]\nname = 'a'\npattern = '(?=a)'", "rule 1 ('a'): `pattern` is none of RE2's syntax"),
        ("[[rule]]\nname = 'a'\npattern = '(a{1000}){1000}'", "rule 1 ('a'): `pattern` is none of RE2's syntax"),
        ("[[rule]]\nname = 'a'\npattern = 'x*'", "rule 1 ('a'): `pattern` matches the empty text"),
        ("[[rule]]\nname = 'a'\npattern = 7", "rule 1 ('a'): `pattern` must be a text"),
        ("[[rule]]\nname = 'a'\nfields = 'x'", "rule 1 ('a'): `fields` must be a list of texts"),
        ("[[rule]]\nname = 7\npattern = 'x'", "rule 1: `name` must be a text"),
        ("[[allow]]\nname = 'a'", "allow 1 ('a'): `values` or `pattern` is needed."),
        ("[[allow]]\nvalues = [1]", "allow 1: `values` must be a list of texts"),
        ("[[allow]]\nvalues = ['x']\nfields = ['y']", "allow 1: `fields` is unknown; valid: name, values, pattern."),
        ("personal = 'all'", "`personal` must be true, false or a list of email, phone, card, iban, national-id."),
        ("personal = ['mail']", "`personal`: 'mail' is unknown; valid: email"),
    ],
)  # fmt: skip
def test_a_wrong_file_is_refused_by_rule_and_field(text: str, sentence: str) -> None:
    with pytest.raises(SettingsRefused) as refused:
        policy_file.read(text)

    assert sentence in str(refused.value)


@pytest.mark.requirement("redact-006")
def test_the_file_is_read_from_its_folder_and_a_fault_names_it(tmp_path: Path) -> None:
    assert not policy_file.load(tmp_path)
    file = tmp_path / "redaction.toml"
    file.write_text("personal = true")
    assert policy_file.load(tmp_path)
    file.write_bytes(b"\xff")
    with pytest.raises(CannotStart, match="is not in UTF-8"):
        policy_file.load(tmp_path)
    file.write_text("personal = 1")
    with pytest.raises(CannotStart, match=r"redaction\.toml: `personal` must be"):
        policy_file.load(tmp_path)
    file.write_text("#" * 2**21)
    with pytest.raises(CannotStart, match="larger than 1 MB"):
        policy_file.load(tmp_path)


@pytest.mark.requirement("redact-006")
def test_an_exponential_pattern_takes_linear_time() -> None:
    policy = policy_file.read("[[rule]]\nname = 'a'\npattern = '(a+)+b'")

    assert ["a" * 200_000] == clean(["a" * 200_000], policy)  # `re` would not come back
