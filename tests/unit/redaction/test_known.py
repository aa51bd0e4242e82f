"""Secrets that were seen once: found wherever they stand bare, shared as hashes, and harmless to ordinary words."""

import base64
import random
import string
import time
from collections.abc import Sequence
from itertools import islice

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gasoline_workers.redaction.handles import Handles
from gasoline_workers.redaction.known import IN_ONE_NOTE, KEPT_S, LENGTHS, MOST, MOST_AT_ONCE, Known, Note, is_lasting
from gasoline_workers.redaction.rules import redact, redact_listing

SECRET = "q7Rz1Lw9Xb3Vn5Kd8Tf2"
NOW = 1_000_000.0


def knowing(*found: str) -> Known:
    known = Known()
    known.learn([(secret, "token") for secret in found], NOW)
    return known


def shown(known: Known, body: object) -> object:
    return redact(body, known=known)[0]


def pass_on(sender: Known, *receivers: Known) -> None:
    for note in list(sender.pending()):
        for one in (sender, *receivers):
            one.receive(note, NOW)


def made(count: int) -> list[str]:
    rng = random.Random(7)  # noqa: S311 - not for cryptography
    every = ("".join(rng.choices(string.ascii_letters + string.digits, k=20)) for _ in range(2 * count))
    return list(islice((secret for secret in every if is_lasting(secret, "token")), count))


STRONG = "P8rLFc@C" + "!s%86qz"
ROW = "uppuekrjomumij" + "oncgcowhycguvalipv"


@pytest.mark.requirement("redact-008")
@pytest.mark.parametrize(
    "body", [{"client_secret": "{}"}, "api_key={}", "refreshToken: {}", '{{"access_token": "{}"}}'], ids=str
)
@pytest.mark.parametrize("secret", [STRONG, ROW])
def test_what_a_person_or_a_generator_of_letters_chose_is_hidden_where_it_is_logged_bare(
    body: str | dict[str, str], secret: str
) -> None:
    known = Known()
    seen = {name: text.format(secret) for name, text in body.items()} if isinstance(body, dict) else body.format(secret)
    _, ledger = redact_listing(seen, known=known)
    known.learn(ledger.kept(), NOW)

    assert ledger.count == 1
    assert secret not in str(shown(known, f"logged in with {secret} again"))


CHOSEN = "Feca" + "2144*"
WORDS = "mona hesi pamino " + "sojohe leve"
CODED = base64.b64encode(b"eWxKbmVS" + b"*SWlnY3lD").decode()


@pytest.mark.requirement("redact-008")
@pytest.mark.parametrize(
    ("body", "secret"),
    [
        ({"password": CHOSEN}, CHOSEN),
        ({"passphrase": WORDS}, WORDS),
        ({"passphrase": WORDS.replace(" ", ", ")}, WORDS.replace(" ", ", ")),
        (f"passphrase={WORDS.replace(' ', '+')}&a=1", WORDS),
        (f"kind: Secret\ndata:\n  apiKey: {CODED}\n", base64.b64decode(CODED).decode()),
        (f"master_key: {SECRET[:9]}\n  {SECRET[9:]}\nport: 80", SECRET),
    ],
)
def test_what_is_guessable_split_or_encoded_is_hidden_bare_and_the_guessable_has_no_number(
    body: object, secret: str
) -> None:
    known = Known()
    _, ledger = redact_listing(body, known=known)
    known.learn(ledger.kept(), NOW)
    numbered, _ = redact(f"is {secret} now", known=known, handles=Handles(known, NOW))

    assert secret not in str(shown(known, f"logged in with {secret} again"))
    assert secret.startswith((CHOSEN, WORDS[:4])) == (numbered == "is [REDACTED] now")


@pytest.mark.parametrize("secret", [SECRET, WORDS])
def test_the_beginning_of_a_secret_again_and_again_is_read_in_linear_time(secret: str) -> None:
    known = Known()
    known.learn([(secret, "password")], NOW)
    start = time.process_time()

    assert [] == list(known.find(f"{secret[:9]} " * 20_000))
    assert time.process_time() - start < 2.5


@pytest.mark.requirement("redact-013")
def test_what_is_too_short_to_be_kept_has_no_number_whatever_its_kind() -> None:
    assert Known().entry("a@b.c", "email", NOW, draws=True) is None


@pytest.mark.requirement("redact-008")
def test_words_of_a_phrase_that_stand_otherwise_stay() -> None:
    known = Known()
    known.learn([(WORDS, "password")], NOW)

    assert "mona hesi alone, pamino" == shown(known, "mona hesi alone, pamino")


@pytest.mark.requirement("redact-008")
def test_a_token_seen_in_a_header_is_hidden_where_it_is_later_logged_bare() -> None:
    known = Known()
    _, ledger = redact_listing({"headers": {"Authorization": f"Bearer {SECRET}"}}, known=known)
    later = {"args": ["sent", SECRET, f"x={SECRET};", f"/a/{SECRET}/b"], "n": 1}
    assert later == shown(known, later)

    known.learn(ledger.kept(), NOW)

    assert {"args": ["sent", "[REDACTED]", "x=[REDACTED];", "/a/[REDACTED]/b"], "n": 1} == shown(known, later)


@pytest.mark.requirement("redact-008")
@pytest.mark.parametrize(
    "text",
    [
        f'{{"a": "{SECRET}"}}',
        f"<p>{SECRET}</p>",
        f"q%20{SECRET}%20",
        base64.b64encode(f"a {SECRET}".encode()).decode(),
        f"cut off: {SECRET[:17]}… and on",
        f"cut off before its last: {SECRET[:19]}..",
        f"{SECRET}\u200b",
    ],
)
def test_it_is_found_in_any_encoding_and_where_a_text_ends_within_it(text: str) -> None:
    clean = str(shown(knowing(SECRET), text))

    assert SECRET[:10] not in clean
    assert text != clean


@pytest.mark.requirement("redact-008")
@pytest.mark.parametrize("text", [SECRET[:14] + " and on", "x" + SECRET, SECRET[:10] + "Q" * 10, SECRET[:11]])
def test_what_only_begins_like_it_or_stands_within_a_word_stays(text: str) -> None:
    assert text == shown(knowing(SECRET), text)


@pytest.mark.requirement("redact-008")
@pytest.mark.parametrize(
    "word",
    [
        "admin",
        "test1234",
        "password1",
        "development",
        "authentication",
        "v1.2.3",
        "2026-11-24",
        "hunter2",
        "Passw0rd",
        "correct-horse-battery",
        "localhost:3000",
        "api2.Example.com",
        "Bob.smith42@example.com",
        "Vite-5.4.10",
        "Mozilla/5.0",
        "2026-11-24T09",
        "Main.py:1234",
    ],
)
def test_an_ordinary_word_typed_as_a_password_is_not_erased_everywhere(word: str) -> None:
    known = Known()
    known.learn(redact_listing({"password": word}, known=known)[1].kept(), NOW)

    assert f"the {word} page" == shown(known, f"the {word} page")
    assert not is_lasting(word, "password")


@pytest.mark.requirement("redact-008")
def test_an_address_is_known_again_whatever_it_is_spelled_of() -> None:
    known = Known()
    known.learn([("ada@mill.test", "email")], now=0.0)

    assert known.finds("Write to ada@mill.test today")
    assert not is_lasting("ada@mill.test", "secret")


def test_secrets_that_begin_alike_and_are_of_many_lengths_are_few() -> None:
    begins = "aB3dE5gH"
    known = knowing(*(begins + "".join(made(40)[:2])[:length] for length in range(12, 40)))

    assert LENGTHS == len(known)


@pytest.mark.requirement("redact-009")
def test_every_process_knows_what_one_has_noted_under_the_first_ones_key() -> None:
    one, other, later = knowing(SECRET), knowing("Zk3Xw8Qm1Rt6Yp9Lc4"), Known()

    notes = [*one.pending(), *other.pending()]
    for known in (one, other, later):
        for note in notes:
            known.receive(note, NOW)
    pass_on(other, one, later)  # its first note came second, so it shares again

    assert [2, 2, 2] == [len(known) for known in (one, other, later)]
    text = f"{SECRET} Zk3Xw8Qm1Rt6Yp9Lc4"
    assert ["[REDACTED] [REDACTED]"] * 3 == [shown(known, text) for known in (one, other, later)]
    assert [] == [*one.pending(), *other.pending()]


@pytest.mark.requirement("redact-009")
def test_what_is_known_outlives_a_note_of_a_process_that_started_with_another_broker() -> None:
    one, other, started = knowing(SECRET), Known(), knowing("Zk3Xw8Qm1Rt6Yp9Lc4")
    pass_on(one, other)

    shares_again = [known.receive(note, NOW) for note in list(started.pending()) for known in (started, one, other)]
    for note in one.everything():  # after the other broker has had the first note
        shares_again += [known.receive(note, NOW) for known in (started, one, other)]
    started.learn([("Zk3Xw8Qm1Rt6Yp9Lc4", "token")], NOW)
    pass_on(started, one, other)

    assert not any(shares_again)
    text = f"{SECRET} Zk3Xw8Qm1Rt6Yp9Lc4"
    assert {"[REDACTED] [REDACTED]"} == {shown(known, text) for known in (one, other, started)}


@pytest.mark.requirement("redact-009")
def test_a_process_that_gives_up_its_key_shares_again_what_the_others_have_not_read() -> None:
    one, other = knowing(SECRET), knowing("Zk3Xw8Qm1Rt6Yp9Lc4")
    (first,), (second,) = one.pending(), other.pending()

    assert [False, True] == [known.receive(first, NOW) for known in (one, other)]
    assert [False, False] == [known.receive(second, NOW) for known in (one, other)]
    assert 1 == len(list(other.pending()))


@pytest.mark.requirement("redact-009")
def test_a_broker_that_has_just_started_is_given_everything() -> None:
    known, started = Known(), Known()
    secrets = made(IN_ONE_NOTE + 1)
    for part in (secrets[:IN_ONE_NOTE], secrets[IN_ONE_NOTE:]):
        known.learn([(secret, "token") for secret in part], NOW)
        pass_on(known)

    notes = list(known.everything())
    for note in notes:
        started.receive(note, NOW)

    assert (2, IN_ONE_NOTE + 1) == (len(notes), len(started))
    assert "[REDACTED]" == shown(started, secrets[-1])


@pytest.mark.requirement("redact-009")
def test_a_note_has_hashes_alone_which_differ_under_another_key() -> None:
    notes = [msgspec.msgpack.decode(next(knowing(SECRET).pending()), type=Note) for _ in range(2)]

    assert 2 == len({note.entries[0].whole for note in notes}) == len({note.entries[0].start for note in notes})
    assert SECRET[:4].encode() not in msgspec.msgpack.encode(notes)


@pytest.mark.requirement("redact-009")
def test_the_oldest_go_when_there_are_too_many_and_all_after_a_day() -> None:
    secrets = made(MOST + 10)
    known = Known()
    for first in range(0, len(secrets), 100):
        known.learn([(secret, "token") for secret in secrets[first : first + 100]], NOW)
        pass_on(known)

    assert MOST == len(known)
    assert (secrets[0], "[REDACTED]") == (shown(known, secrets[0]), shown(known, secrets[-1]))
    late = NOW + KEPT_S + 1
    known.learn([(SECRET, "token")], late)
    known.receive(next(known.pending()), late)
    assert (secrets[-1], "[REDACTED]") == (shown(known, secrets[-1]), shown(known, SECRET))


@pytest.mark.requirement("redact-009")
def test_one_body_adds_a_bounded_number() -> None:
    known = Known()

    known.learn([(secret, "token") for secret in made(3 * MOST_AT_ONCE)], NOW)

    assert MOST_AT_ONCE == len(known)


@given(st.lists(st.sampled_from([SECRET, SECRET[:14], "…", " ", "[REDACTED]", "a", "=", "token"]), max_size=9))
def test_redacting_twice_is_redacting_once_with_known_secrets(pieces: Sequence[str]) -> None:
    known = knowing(SECRET)
    once, _ = redact("".join(pieces), known=known)

    assert (once, 0) == redact(once, known=known)
