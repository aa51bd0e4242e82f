"""A user's own rules, applied by every redaction process of a real system; a wrong file is refused at the start."""

from collections.abc import Iterator

import msgspec
import pytest

import system
from gasoline_broker.actor.client import Link, register
from gasoline_broker.actor.wire import pack, stop
from gasoline_broker.errors import CANNOT_START
from gasoline_broker.settings import Settings
from gasoline_workers.redaction.messages import RedactAnswer
from process.processes import within
from system import gasoline

RULES = (
    "personal = ['email']\n[[rule]]\nname = 'acme'\npattern = 'acme_[0-9]+'\n[[allow]]\nvalues = ['test-password-1']\n"
)
BODY = {"a": "acme_123", "b": "ada@example.com", "password": "test-password-1", "secret": "hunter2!"}
CLEAN = {"a": "[REDACTED]", "b": "⟦email#1⟧", "password": "test-password-1", "secret": "[REDACTED]"}


@pytest.fixture
def settings() -> Iterator[Settings]:
    with system.settings() as made:
        made.config_dir.mkdir()
        (made.config_dir / "redaction.toml").write_text(RULES)
        yield made


@pytest.mark.requirement("redact-004", "redact-005")
async def test_every_redaction_process_applies_the_users_rules(settings: Settings) -> None:
    started = gasoline(settings, "up", "--detach", "--scale", "redaction=2")
    assert 0 == started.returncode, started.stderr
    try:
        async with Link(settings, register("front")) as link, within():
            await link.registered()
            answers = [await link.ask(stop("redaction", RedactAnswer()), body=pack(BODY), ttl_s=30) for _ in range(8)]
            served = {row["pid"]: row["done"] for row in _redactions(settings)}

        assert [CLEAN] * 8 == [answer.read() for answer in answers]
        assert 2 == len([done for done in served.values() if done])
    finally:
        gasoline(settings, "down")


@pytest.mark.requirement("redact-006")
def test_a_wrong_file_is_refused_at_the_start_and_by_the_doctor(settings: Settings) -> None:
    (settings.config_dir / "redaction.toml").write_text("[[rule]]\nname = 'acme'\npattern = '(a+)\\1'\n")

    up, tested, doctor = (gasoline(settings, *words) for words in (["up"], ["redact", "rules"], ["doctor"]))

    sentence = "redaction.toml: rule 1 ('acme'): `pattern` is none of RE2's syntax: invalid escape sequence: \\1."
    assert (CANNOT_START, CANNOT_START) == (up.returncode, tested.returncode)
    for text in (up.stderr, tested.stderr, doctor.stdout + doctor.stderr):
        assert sentence in text
    assert not settings.data_dir.joinpath("gasoline.log").exists()


def _redactions(settings: Settings) -> list[dict[str, int]]:
    shown = msgspec.json.decode(gasoline(settings, "status", "--json").stdout)
    return [row for row in shown["broker"]["peers"] if row["service"] == "redaction"]
