"""The user's rules hold as they are now: the file's, and the settings page's switch."""

import os
from pathlib import Path

import pytest

from gasoline_broker.errors import CannotStart
from gasoline_broker.settings import Settings
from gasoline_workers.redaction.own_rules import OwnRules
from gasoline_workers.redaction.rules import redact

MAIL = "ada@example.com"


def written(settings: Settings, text: str, at: int) -> None:
    file = settings.config_dir / "redaction.toml"
    file.write_text(text)
    os.utime(file, (at, at))


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(config_dir=tmp_path, data_dir=tmp_path)


@pytest.mark.requirement("redact-005", "install-019")
def test_a_change_of_the_file_holds_at_once_and_a_wrong_one_changes_nothing(settings: Settings) -> None:
    rules = OwnRules(settings)
    assert redact("acme_12", rules.now()) == ("acme_12", 0)

    written(settings, "[[rule]]\nname = 'acme'\npattern = 'acme_[0-9]+'\n", 1_000)
    assert redact("acme_12", rules.now()) == ("[REDACTED]", 1)

    written(settings, "[[rule]]\nname = 'acme'\npattern = '('\n", 2_000)
    assert redact("acme_12", rules.now()) == ("[REDACTED]", 1)
    assert rules.now() is rules.now()

    (settings.config_dir / "redaction.toml").unlink()
    assert redact("acme_12", rules.now()) == ("acme_12", 0)


@pytest.mark.requirement("redact-005")
def test_the_switch_hides_personal_data_and_keeps_the_users_own_rules(settings: Settings) -> None:
    written(settings, "[[allow]]\nvalues = ['bob@example.com']\n", 1_000)
    rules = OwnRules(settings)
    assert redact(MAIL, rules.now()) == (MAIL, 0)

    settings.hide_personal.touch()
    assert redact([MAIL, "bob@example.com"], rules.now()) == (["[REDACTED]", "bob@example.com"], 1)

    settings.hide_personal.unlink()
    assert redact(MAIL, rules.now()) == (MAIL, 0)


@pytest.mark.requirement("redact-006")
def test_a_wrong_file_is_refused_at_the_start(settings: Settings) -> None:
    written(settings, "personal = 3\n", 1_000)

    with pytest.raises(CannotStart, match="personal"):
        OwnRules(settings)
