# ruff: noqa: E501 - one case, one line, spelled as the page spells it
"""Redaction under attack: no input is slow, none gets through by being deep, long or odd, none breaks the walk."""

import base64
import html
import json
import time
from collections.abc import Callable, Iterator
from urllib.parse import quote

import pytest

from gasoline_workers.redaction import ledger, prefilter, rules, text
from gasoline_workers.redaction.actor import Redaction
from gasoline_workers.redaction.rules import redact
from gasoline_workers.redaction.structure import LABEL_LENGTH
from secrets_corpus import hostile

SIZE = 60_000
BOUND_S = 2.5
"""Generous: the slowest takes a quarter of it; the quickest quadratic reading, one pattern over blanks, takes twice as long."""

HEARTBEAT_S = 1.0
"""How often the broker asks each process for a sign of life; four are lost before it counts as dead."""

PASSWORD = "hun" + "ter2"


@pytest.mark.parametrize("unit", hostile.PIECES, ids=repr)
def test_a_repeated_piece_is_read_in_linear_time(unit: str) -> None:
    attack = (unit * (SIZE // len(unit) + 1))[:SIZE]
    start = time.process_time()

    redact({"text": attack, "args": [attack[:LABEL_LENGTH], attack[: SIZE // 10]]})

    assert time.process_time() - start < BOUND_S


def alternations() -> Iterator[str]:
    yield '{"a":"' + '\\"password\\":' * 8_000
    yield "[" * 2_500 + '"password:","x"' + "]" * 2_500
    yield "".join(f'"key{n}":"{n}a{n}b{n}c{n}d",' for n in range(3_000))
    yield "".join(f"token{n}=abc{n}DEF{n}ghi&" for n in range(4_000))
    yield "{" + '"a":1,' * 15_000 + "}"
    yield "<a " + "b " * 45_000
    yield "<a>" * 30_000 + "&quot;"
    yield "password" + " " * SIZE + "= x"
    yield "-" * SIZE + "----BEGIN PRIVATE KEY-----"
    yield "%25" * 30_000 + "41"
    yield "a" * SIZE + "://" + "b" * SIZE
    yield ("a" * 15 + " ") * 6_000
    yield "token=" + "a1" * 45_000
    yield "".join(chr(0x100 + n % 5000) for n in range(SIZE))


@pytest.mark.parametrize("attack", list(alternations()), ids=lambda attack: repr(attack[:20]))
def test_a_mixture_is_read_in_linear_time(attack: str) -> None:
    start = time.process_time()

    redact([attack])

    assert time.process_time() - start < BOUND_S


@pytest.mark.requirement("fast-011")
def test_no_attack_that_is_short_enough_for_the_loop_takes_as_long_as_a_heartbeat() -> None:
    size = Redaction.short_bytes
    attacks = [(unit * (size // len(unit) + 1))[:size] for unit in hostile.PIECES] + [
        one[:size] for one in alternations()
    ]
    took_s = []
    for attack in attacks:
        start = time.process_time()
        redact({"text": attack})
        took_s.append(time.process_time() - start)

    assert 8_192 == size
    assert HEARTBEAT_S > max(took_s)


def test_many_cookie_strings_on_one_line_take_as_long_as_they_are() -> None:
    def took(count: int) -> float:
        start = time.process_time()
        redact("cookie: a=b;" * count)
        return time.process_time() - start

    short, long = (min(took(count) for _ in range(2)) for count in (8_000, 32_000))

    assert long < 7 * short  # 12 where each reads the rest of the line


def test_a_token_behind_thousands_of_dashes_is_hidden_and_nothing_beside_it() -> None:
    token = "aB3dE5gH7jK9mN1" + "pQ3sT5vX7zA9"

    cleaned, _ = redact(f"token={'-' * 5_000}{token} stays")

    assert token not in str(cleaned)
    assert str(cleaned).endswith(" stays")


def test_thousands_of_secrets_are_looked_for_in_linear_time() -> None:
    secrets = [f"{n:06d}abCdeFgh{n:06d}" for n in range(5_000)]
    start = time.process_time()

    body, count = redact({"tokens": secrets, "log": " ".join(secrets) + "x" * SIZE})

    assert time.process_time() - start < BOUND_S
    assert "abCdeFgh" not in json.dumps(body)
    assert count >= 2 * len(secrets)


def test_secrets_with_a_common_beginning_cannot_make_the_search_slow() -> None:
    secrets = ["eyJhbGciOiJ" + "a1B" * n for n in range(1, 700)]
    start = time.process_time()

    redact({"tokens": secrets, "log": "eyJhbGciOiJ" * 10_000})

    assert time.process_time() - start < BOUND_S


def test_what_lies_too_deep_is_hidden() -> None:
    body: object = {"note": PASSWORD}
    for _ in range(rules.DEPTH_LIMIT + 10):
        body = [body]

    cleaned, count = redact(body)

    assert PASSWORD not in repr(cleaned)
    assert "[REDACTED]" in repr(cleaned)
    assert count == 1


def test_a_body_deeper_than_the_stack_is_hidden_not_raised() -> None:
    body: object = PASSWORD
    for _ in range(100_000):
        body = [body]

    assert PASSWORD not in repr(redact(body)[0])


def test_a_string_over_the_limit_is_hidden_and_its_neighbours_are_not() -> None:
    body = {"long": "x" * (text.LENGTH_LIMIT + 1), "fits": "x" * text.LENGTH_LIMIT, "note": "hello"}

    cleaned, count = redact(body)

    assert cleaned == body | {"long": "[REDACTED]"}
    assert count == 1


def test_what_costs_more_than_the_work_limit_is_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger, "WORK_LIMIT", 1_000)

    cleaned, count = redact([f"key {n}: {'word ' * 50}" for n in range(10)] + ["plain"])

    assert cleaned == [f"key {n}: {'word ' * 50}" for n in range(3)] + ["[REDACTED]"] * 7 + ["plain"]
    assert count == 7


ENCODINGS: dict[str, Callable[[str], str]] = {
    "json": lambda inner: json.dumps({"a": inner}),
    "list": lambda inner: json.dumps([inner]),
    "base64": lambda inner: base64.b64encode(json.dumps({"a": inner}).encode()).decode(),
    "entities": lambda inner: html.escape(f'"{inner}"'),
    "percent": lambda inner: json.dumps({"a": quote(inner)}),
    "attribute": lambda inner: json.dumps([f'<a title="{html.escape(inner)}">']),
}


def nested(encoding: str, levels: int, inner: str) -> str:
    for _ in range(levels):
        inner = ENCODINGS[encoding](inner)
    return inner


@pytest.mark.requirement("mutate-008")
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_string_in_a_dozen_of_encodings_costs_no_more_than_its_levels_in_turn(
    encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger, "WORK_LIMIT", 100_000)
    body = [nested(encoding, 12, f"password={PASSWORD}"), "key 1: words"]

    cleaned, _ = redact(body)

    assert PASSWORD not in repr(cleaned)
    assert isinstance(cleaned, list)
    assert "key 1: words" == cleaned[1], "what is beside it was not read: its levels have used the limit up"


def listed(levels: int, inner: object = "x") -> object:
    for _ in range(levels):
        inner = [inner]
    return inner


def test_decoded_strings_are_levels_too_each_as_long_as_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "DEPTH_LIMIT", 22)
    decoded = [f"{number}%20a" for number in range(100)]
    fits = [*decoded, listed(20)]

    assert (fits, 0) == redact(fits)
    assert ([*decoded, listed(21, "[REDACTED]")], 1) == redact([*decoded, [fits[-1]]])
    text = nested("base64", 8, "a word")
    assert (text, 0) == redact(text)
    text = nested("base64", 9, "a word")
    cleaned, count = redact(text)
    assert text != cleaned, "the innermost level is hidden, and written back through all others"
    assert count >= 1


@pytest.mark.requirement("mutate-002")
def test_a_string_that_still_changes_after_its_last_reading_is_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "ROUNDS", 1)  # no string is known that changes at all four readings

    assert redact([f"password={PASSWORD}", "hello"]) == (["[REDACTED]", "hello"], 2)


@pytest.mark.requirement("mutate-002")
def test_a_body_that_still_changes_after_its_last_reading_is_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "ROUNDS", 1)
    token = "a8Kf02" + "LmQz71xWv9"

    assert redact({"token": token, "log": f"it was {token}"}) == ("[REDACTED]", 1)


def test_a_fault_hides_the_value_it_happened_in(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_text: str) -> bool:
        raise KeyError

    monkeypatch.setattr(prefilter, "found", fail)

    assert redact({"a": "hello", "b": 1, "c": b"x"}) == ({"a": "[REDACTED]", "b": 1, "c": b"[REDACTED]"}, 2)


def test_a_value_of_an_unknown_type_is_hidden() -> None:
    assert redact({"at": object()}) == ({"at": "[REDACTED]"}, 1)


@pytest.mark.parametrize("odd", ["\ud800", "\x00", "\u0130", "\U0001f600", "e\u0301", "\u202e"])
def test_odd_characters_do_not_shift_what_is_hidden(odd: str) -> None:
    assert redact(f"{odd} password={PASSWORD} {odd}")[0] == f"{odd} password=[REDACTED] {odd}"
    assert redact(f'{{"{odd}": 1, "password": "{PASSWORD}"}}')[0] == f'{{"{odd}": 1, "password": "[REDACTED]"}}'
