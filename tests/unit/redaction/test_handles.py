"""Handles: what gets a number, that it is one for each secret, and that redacting them again changes nothing."""

import base64
import re
from collections.abc import Sequence
from urllib.parse import quote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gasoline_workers.audit.places import file_of
from gasoline_workers.diff.addresses import file_name
from gasoline_workers.diff.resources import paired
from gasoline_workers.redaction.handles import Handles
from gasoline_workers.redaction.known import MOST_AT_ONCE, Known
from gasoline_workers.redaction.messages import HANDLE, is_marked, unnumbered
from gasoline_workers.redaction.rules import redact
from gasoline_workers.regression.addresses import pattern
from unit.redaction.test_known import SECRET, made, pass_on
from unit.redaction.test_laws import NAMES, PIECES

NOW = 1_000_000.0
GITHUB = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vX7zA9cE1gI3kM5"
PASSWORD = "Corr3ct-horse-9"


def shown(body: object, known: Known | None = None) -> object:
    known = Known() if known is None else known
    return redact(body, known=known, handles=Handles(known, NOW))[0]


LETTERS = "zrkyAeuoqbKAeKv" + "pjdlIXRNrRWnrBCUQ"
MIXED = "Db59mfpk9Rynuln-" + "E4bwn_o6XI2_6G"


@pytest.mark.requirement("redact-008", "redact-013")
@pytest.mark.parametrize(
    "token", [LETTERS, f"--{MIXED}", f"/n/e/{MIXED}", f"/l/{MIXED.replace('-', '+').replace('_', '/')}abc="]
)
def test_a_token_that_looks_like_a_word_an_option_or_a_path_has_its_handle_wherever_it_stands(token: str) -> None:
    known = Known()
    issued = shown({"access_token": token}, known)
    pass_on(known, known)

    assert {"access_token": "⟦credential#1⟧"} == issued
    assert "⟦credential#1⟧" in str(shown(f"orders read with {token}", known))
    assert token not in str(shown(f"orders read with {token}", known))


@pytest.mark.requirement("redact-013")
@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"authorization": f"Bearer {GITHUB}"}, {"authorization": "⟦github-token#1⟧"}),
        ({"authorization": f"Bearer {SECRET}"}, {"authorization": "⟦authorization#1⟧"}),
        ({"password": PASSWORD, "text": f"is {PASSWORD}"}, {"password": "⟦password#1⟧", "text": "is ⟦password#1⟧"}),
        (f"/a?token={SECRET}&b=1", "/a?token=⟦credential#1⟧&b=1"),
        (f"q=token%3D{SECRET}%26b", "q=token%3D⟦credential#1⟧%26b"),
        (f'{{"token": "{SECRET}", "n": 1}}', '{"token": "⟦token#1⟧", "n": 1}'),
        (f"<input type=password value='{PASSWORD}'>", "<input type=password value='⟦password#1⟧'>"),
        (f'[name="csrf"][value="{SECRET}"]', '[name="csrf"][value="⟦credential#1⟧"]'),
        (f"card 4111 1111 1111 1111 and {GITHUB}", "card ⟦card#1⟧ and ⟦github-token#1⟧"),
        (
            base64.b64encode(f"token={SECRET}".encode()).decode(),
            base64.b64encode("token=⟦credential#1⟧".encode()).decode(),
        ),
        ({"cookies": f"sid={SECRET}; theme=dark"}, {"cookies": "sid=⟦cookie#1⟧; theme=[REDACTED]"}),
    ],
)
def test_a_handle_stands_where_the_secret_stood(body: object, expected: object) -> None:
    known = Known()

    assert expected == shown(body, known)
    assert expected == shown(expected, known)


@pytest.mark.requirement("redact-013")
@pytest.mark.parametrize("guessable", ["admin", "hunter2", "test1234", "Passw0rd", "correct horse battery staple"])
def test_what_could_be_guessed_has_no_number_by_which_a_guess_could_be_tested(guessable: str) -> None:
    assert {"password": "[REDACTED]"} == shown({"password": guessable})


@pytest.mark.requirement("redact-013")
def test_numbers_are_drawn_in_order_of_each_kind_and_say_nothing_of_the_value() -> None:
    known = Known()

    handles = [shown({"api_key": one}, known) for one in (*made(3), made(1)[0])]

    assert [{"api_key": f"⟦credential#{number}⟧"} for number in (1, 2, 3, 1)] == handles
    assert {"api_key": "⟦credential#1⟧"} == shown({"api_key": made(3)[2]})


@pytest.mark.requirement("redact-013")
def test_two_processes_that_draw_the_same_number_agree_on_the_first_in_the_brokers_order() -> None:
    one, other = Known(), Known()
    pass_on(one, other)
    one.learn([(made(9)[8], "token")], NOW)
    pass_on(one, other)
    mine, theirs = made(2)
    used = [Handles(known, NOW) for known in (one, other)]
    assert "⟦token#2⟧" == used[0].mark(mine, "token") == used[1].mark(theirs, "token")

    notes = [*one.pending(), *other.pending()]
    redrawn = [known.receive(note, NOW) for note in notes for known in (one, other)]

    assert [False, True, False, False] == redrawn
    assert [True, False] == [handles.are_agreed() for handles in used]
    pass_on(other, one)
    assert [(True, True), (True, False)] == [(handles.are_agreed(), handles.are_right()) for handles in used]
    for known in (one, other):
        assert "⟦token#2⟧ ⟦token#3⟧" == shown(f"{mine} {theirs}", known)


@pytest.mark.requirement("redact-013")
def test_a_secret_that_two_processes_meet_at_once_has_the_first_ones_handle() -> None:
    one, other = Known(), Known()
    one.learn([(made(9)[8], "token")], NOW)
    pass_on(one, other)
    handles = Handles(other, NOW)
    assert "⟦credential#1⟧" == handles.mark(SECRET, "credential")
    assert "⟦token#2⟧" == Handles(one, NOW).mark(SECRET, "token")

    pass_on(one, other)
    pass_on(other, one)

    assert (True, False) == (handles.are_agreed(), handles.are_right())
    assert ["⟦token#2⟧"] * 2 == [shown(SECRET, known) for known in (one, other)]


@pytest.mark.requirement("redact-013")
def test_a_process_that_comes_later_goes_on_counting_where_the_others_are() -> None:
    one, later = Known(), Known()
    last = []
    for secret in made(3):
        one.learn([(secret, "token")], NOW)
        last = list(one.pending())
        pass_on(one)

    later.receive(last[0], NOW)

    assert {"token": "⟦token#4⟧"} == shown({"token": made(5)[4]}, later)


@pytest.mark.requirement("redact-013")
def test_a_page_that_invents_secrets_gets_a_bounded_number_of_handles() -> None:
    body = [{"api_key": one} for one in made(MOST_AT_ONCE + 5)]

    found = [one["api_key"] for one in shown(body)]  # type: ignore[attr-defined]

    assert ["[REDACTED]"] * 5 == found[MOST_AT_ONCE:]
    assert MOST_AT_ONCE == len(set(found) - {"[REDACTED]"})


@pytest.mark.parametrize("kind", ["acme-token", "My Rule!", "Ключ", "9", "x" * 99])
def test_any_name_of_a_rule_makes_a_handle(kind: str) -> None:
    assert HANDLE.fullmatch(Handles(Known(), NOW).mark(SECRET, kind))


def test_what_is_compared_or_kept_has_no_numbers() -> None:
    assert "a=[REDACTED]&b=[REDACTED]" == unnumbered("a=⟦token#1⟧&b=⟦github-token#12⟧")
    assert [True, True, False] == [is_marked(text) for text in ("[REDACTED]", "x⟦token#7⟧", "⟦token⟧")]


@pytest.mark.requirement("redact-013")
def test_addresses_that_differ_in_a_handle_alone_are_one_and_no_handle_begins_a_fragment() -> None:
    old, new = (f"https://a.test/x/⟦token#{number}⟧/app.js?t=⟦token#{number}⟧&b=1" for number in (1, 22))
    loads = [[{"url": url, "transferSize": 9_000, "encodedBodySize": 9_000}] for url in (old, new)]

    pairs = paired(*loads)

    assert ([], {}, {}) == (pairs.resent, pairs.added, pairs.removed)
    assert "a.test/x/*/app.js" == pattern(old) == pattern(new)
    assert "app.js" == file_of(old) == file_name(old)


HANDLES = [
    "⟦password#1⟧",
    "⟦github-token#12⟧",
    "⟦token#3⟧",
    "⟦card#1⟧",
    "⟦code#7⟧",
    "⟦",
    "⟧",
    "#1⟧",
    SECRET,
    GITHUB,
    quote("⟦token#3⟧"),
]
pieces = st.lists(st.sampled_from([*PIECES, *HANDLES * 4]), max_size=14).map("".join)
bodies = st.recursive(
    pieces,
    lambda part: st.lists(part, max_size=4) | st.dictionaries(st.sampled_from(NAMES) | pieces, part, max_size=4),
    max_leaves=12,
)


@given(bodies)
@example("%22⟦password#1⟧")
@example({"args": ["⟦password#1⟧", "abc123DEF456"]})
@example("q=%22token%22%3A%22⟦password#1⟧%22")
@pytest.mark.requirement("redact-013")
def test_redacting_twice_is_redacting_once_with_handles(body: object) -> None:
    known = Known()
    once = redact(body, known=known, handles=Handles(known, NOW))[0]

    assert (once, 0) == redact(once, known=known, handles=Handles(known, NOW))


@given(
    st.sampled_from([*NAMES, "", "note"]),
    st.sampled_from(HANDLES[:5]),
    st.sampled_from(["", " ", "=", ": ", "&b=1", '"', " is "]),
)
def test_no_rule_matches_a_handle(name: str, handle: str, between: str) -> None:
    text = f"{name}{between}{handle}"

    assert (text, 0) == redact(text)
    assert ({name: handle}, 0) == redact({name: handle})


@given(st.lists(st.sampled_from([SECRET, GITHUB, PASSWORD, " ", "token=", "&", '"', "a"]), max_size=9))
def test_but_for_their_numbers_handles_hide_what_the_marker_hides(parts: Sequence[str]) -> None:
    text = " ".join(parts)  # a name may have the marker in it, and no handle

    assert re.sub(HANDLE, "[REDACTED]", str(shown(text))) == redact(text)[0]
