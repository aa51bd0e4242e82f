"""`gasoline redact`: what would be hidden where, and why; the list of rules."""

from pathlib import Path

import msgspec
import pytest

from gasoline_bridge.cli import redact as shown
from gasoline_broker.errors import SettingsRefused
from gasoline_broker.settings import Settings
from gasoline_workers.redaction import issuers, policy_file
from gasoline_workers.redaction.preview import preview
from unit.redaction.test_issuers import example

KIND = next(kind for kind in issuers.kinds() if kind.name == "github-token")
GITHUB = example(KIND, 1)
TEXT = f"""nothing
password: "hunter2secret" and x
again hunter2secret, acme_abc123
{{"token": "{GITHUB}"}}
-----BEGIN RSA PRIVATE KEY-----
MIIEowIBAAKCAQEAwJ7abc
-----END RSA PRIVATE KEY-----
[REDACTED]
"""
RULES = "[[rule]]\nname = 'acme'\npattern = 'acme_\\w+'\n"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    (tmp_path / policy_file.FILE).write_text(RULES)
    return Settings(data_dir=tmp_path, runtime_dir=tmp_path, config_dir=tmp_path)


@pytest.mark.requirement("redact-007")
def test_each_hidden_place_is_shown_with_its_kind_and_the_reason(settings: Settings) -> None:
    clean, found = shown.test(settings, TEXT)

    assert [
        (2, 12, "hunter2secret", "password", "a name for a password"),
        (3, 7, "hunter2secret", "password", "a name for a password"),
        (3, 22, "acme_abc123", "acme", "your rule"),
        (4, 12, GITHUB, "github-token", "a format of GitHub"),
        (5, 1, TEXT[TEXT.index("-----BEGIN") : TEXT.index("\n[RED")], "private-key", "a private key"),
    ] == [one[1:] for one in found]
    assert "hunter2secret" not in clean


@pytest.mark.requirement("redact-007")
def test_the_secrets_are_shown_in_colours_alone(settings: Settings) -> None:
    clean, found = shown.test(settings, TEXT)

    plain = shown.test_as_text(TEXT, found, coloured=False)
    coloured = shown.test_as_text(TEXT, found, coloured=True)
    read = msgspec.json.decode(shown.test_as_json(clean, found))

    for secret in ("hunter2secret", "acme_abc123", GITHUB, "MIIE"):
        assert secret not in plain + shown.test_as_json(clean, found)
        assert secret in coloured
    assert plain.endswith("5 places of 8 lines would be hidden.")
    assert {"line": 2, "column": 12, "length": 13, "kind": "password", "reason": "a name for a password"} == read[
        "hidden"
    ][0]
    assert clean == read["text"]


@pytest.mark.requirement("redact-007")
def test_a_secret_in_an_encoding_is_shown_where_the_text_differs(settings: Settings) -> None:
    _, found = shown.test(settings, "a\nq=p%61ssword%3Dhunter2secret&b=1\n")

    assert [(2, "password")] == [(one.line, one.kind) for one in found]


@pytest.mark.requirement("redact-007")
def test_a_text_that_is_hidden_whole_is_refused(settings: Settings) -> None:
    with pytest.raises(SettingsRefused, match="is hidden whole"):
        shown.test(settings, "x" * (2**20 + 1))


@pytest.mark.requirement("redact-007")
def test_the_list_of_rules_has_the_users_first_and_every_format(settings: Settings) -> None:
    found = shown.rules(settings)

    assert ("acme", "your rule", r"acme_\w+", True) == found[0]
    assert ("email", "personal data", "", False) == found[1]
    assert {kind.name for kind in issuers.kinds()} < {one.kind for one in found}
    assert "redaction.toml" in shown.rules_as_text(settings, found)
    assert len(found) == len(msgspec.json.decode(shown.rules_as_json(found)))


def test_a_text_without_secrets_has_no_places() -> None:
    assert ("a [REDACTED] b", []) == preview("a [REDACTED] b", policy_file.read(""))
