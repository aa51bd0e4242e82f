# ruff: noqa: E501 - one meaning, one line
"""One value, one name, one cookie at a time: each rule at its border."""

import random
import string

import pytest

from gasoline_workers.redaction import cookies
from gasoline_workers.redaction.names import Meaning, at_most, header_meaning, is_harmless_code, meaning, stronger
from gasoline_workers.redaction.spans import Span
from gasoline_workers.redaction.values import (
    complains,
    credentials,
    has_echoes,
    hides,
    hides_number,
    is_plainly_random,
    is_random,
    is_word,
    passes_luhn,
)

MIXED = "a8Kf02" + "LmQz71xWv9"
UUID = "9b2c8a4e-1d3f-4a5b-8c7d-0e1f2a3b4c5d"

HIDDEN = {
    Meaning.KEY: [MIXED + "b3Nq55Yt", f"{MIXED}-b3_Nq55Yt"],
    Meaning.TOKEN: [MIXED, f"Bearer {MIXED}", UUID, UUID.upper(), f'"{MIXED}"'],
    Meaning.CODE: [
        "1234",
        "123",
        "4242 4242 4242 4242",
        "a1b2c3",
        "A1B2-C3D4",
        "4" * 23,
        "Mibo3913*x",
        MIXED + "b3Nq55Y",
    ],
    Meaning.CREDENTIAL: ["abcd", "123456", "Basic x", "hunter2", "12-34"],
    Meaning.PASSWORD: ["x", "1", "correct horse battery", "Basic enter your password", "/home", "https://a.test"],
    Meaning.STORED: ["x", "true", "Enter your password"],
    Meaning.MASKED: ["x", "true"],
}
LEFT = {
    Meaning.HARMLESS: [MIXED],
    Meaning.KEY: [MIXED, MIXED + "b3Nq55Y", MIXED + "_b3Nq55Y", "ab12" * 8, UUID, "primary"],
    Meaning.TOKEN: ["abcdefgh", "Bearer token", "42"],
    Meaning.CODE: ["12", "abcdef", "a1 b2 c3", "a1-"],
    Meaning.CREDENTIAL: [
        "abc",
        "12345",
        "2025-11-21",
        "http://a.test/x",
        "https://a.test/x",
        "a plain sentence",
        "NULL",
    ],
    Meaning.PASSWORD: ["", "True", "'null'", "/home/ada", "Enter your password", "must be 8 characters"],
    Meaning.STORED: ["", " \t\"'`\\ ", "[REDACTED]", '"[REDACTED]"'],
    Meaning.MASKED: ["", "[REDACTED]"],
    Meaning.COOKIES: [MIXED],
    Meaning.ARGUMENTS: [MIXED],
}


def cases(table: dict[Meaning, list[str]]) -> list[tuple[Meaning, str]]:
    return [(kind, value) for kind, values in table.items() for value in values]


def test_a_value_is_hidden_where_its_names_meaning_fits_it() -> None:
    assert [] == [case for case in cases(HIDDEN) if not hides(case[1], case[0])]


def test_a_value_that_its_names_meaning_does_not_fit_is_left() -> None:
    assert [] == [case for case in cases(LEFT) if hides(case[1], case[0])]


def test_a_number_is_hidden_where_it_is_a_code_or_long_enough_for_a_credential() -> None:
    always = {Meaning.CODE, Meaning.PASSWORD, Meaning.STORED, Meaning.MASKED}

    assert always == {kind for kind in Meaning if hides_number(7, kind)}
    assert [True, True, False] == [hides_number(one, Meaning.CREDENTIAL) for one in (100_000, -100_000, 99_999)]
    assert not hides_number(10**9, Meaning.TOKEN)


RANDOM = [
    "a8Kf02Lm",
    "abcdefg123h",  # three digits within
    "ab1cdef2",  # digits in two places
    "1" * 20,
    "aBcDeFgHiJkLmNoP",
    "aaaabcdfgaaaaaaa",  # five consonants
    "a1b-c2d-e3f",
    f"{MIXED}=",
    f"x/{MIXED}",
    "BuDCwALIKuFyPFkKd2",  # no digit within, and as many humps as in camelCase
    "jmQiPcMmbLzeCkb8",
    "THFIqJYLGkAdngjj",
    "bcdfgh1a",
]
NOT_RANDOM = [
    "a8Kf02L",
    "a8Kf02 Lm",
    "2025-11-21T16:20:00.000Z",
    "2025-11-21T16:20:00.123456789Z",
    f"/api/{MIXED}",
    f"https://{MIXED}",
    f"--{MIXED}",
    f"{MIXED}.js",
    f"{MIXED}[0]",
    "1" * 19,
    "longwordwithouthumps1234",
    "abcdefgh12i",
    "aBcDeFgHiJk",  # too short to be sure without a digit
    "getElementsByTagName",
    "XMLHttpRequestUpload",
    "MAX_SAFE_INTEGER",
    "internationalization",
    "addEventListenerOnce2",
    "btnPrimaryOutlineXl",
    "Donaudampfschifffahrt",
    "pneumonoultramicroscopic",
    "ERR_HTTP2_STREAM_SELF_DEPENDENCY",
    "a1b-c2d",
    "a1b-c2d-eef-123",
    "a1b-c2d-e3f-ab12",
    "ab1cd2e",
]


@pytest.mark.requirement("redact-017")
@pytest.mark.parametrize(("length", "words_in_10_000"), [(16, 50), (20, 10), (24, 2)])
def test_hardly_a_random_value_passes_as_a_word(length: int, words_in_10_000: int) -> None:
    drawn = random.Random(length)  # noqa: S311 - not for cryptography
    values = ("".join(drawn.choices(string.ascii_letters + string.digits, k=length)) for _ in range(10_000))

    assert words_in_10_000 >= sum(not is_random(value) for value in values)


def test_what_a_machine_issues_looks_random() -> None:
    assert [] == [value for value in RANDOM if not is_random(value)]


def test_words_paths_dates_and_versions_do_not_look_random() -> None:
    assert [] == [value for value in NOT_RANDOM if is_random(value)]


def test_what_is_plainly_random_is_long_and_has_all_three_kinds_of_character() -> None:
    long = "a8Kf02LmQz71xWv9b3Nq55Yt"

    assert is_plainly_random(long)
    assert is_plainly_random(f"{long[:9]}-{long[9:15]}_{long[15:]}")
    for value in (long[1:], long.lower(), long.upper(), f"{long}.", "aBcDeFgHiJ" * 3, "0aB1" * 8):
        assert not is_plainly_random(value), value


def test_a_hidden_value_is_looked_for_elsewhere_if_it_is_a_password_or_looks_random() -> None:
    assert has_echoes("x", Meaning.PASSWORD)
    assert has_echoes("x", Meaning.MASKED)
    assert has_echoes(f"Bearer {MIXED}", Meaning.STORED)
    assert not has_echoes("en-US", Meaning.STORED)


def test_texts_are_told_from_values() -> None:
    assert [True, True, False] == [is_word(text) for text in ("some-name", "", "name1")]
    assert [True, True, False] == [complains(text) for text in ("Too SHORT", "your", "shorter than mine")]
    assert ["abc", "a b", "Bearer", "abc def"] == list(
        map(credentials, ("Bearer abc", "BASIC \t a b", "Bearer", "abc def"))
    )


@pytest.mark.parametrize("digits", ["4242424242424242", "79927398713", "0", "18", "5555555555554444"])
def test_the_last_digit_of_a_card_number_is_checked(digits: str) -> None:
    assert passes_luhn(digits)
    assert not passes_luhn(digits[:-1] + str((int(digits[-1]) + 1) % 10))


def test_a_cookie_string_has_values_and_attributes() -> None:
    text = "x: a=b; session=[REDACTED]; empty=; path=/; Max-Age=3; c=d e\r\nf=g, h"

    found = [text[span.start : span.end] for span in cookies.find(text, 3, len(text) - 3)]

    assert ["b", "d e", "g"] == found
    assert [Span(2, 3, kind="cookie")] == cookies.find("a=b", 0, 3)


NAMES = {
    Meaning.PASSWORD: "password userPassword passwords passwordtext dbpasswd securityAnswer webhook_url Contraseña: ПАРОЛЬ secret seed_words wallet_seed",
    Meaning.CREDENTIAL: "pass api_key apikeys csrf user%5Bapi_key%5D device_code phrase_de_passe jsessionid",
    Meaning.TOKEN: "token auth tokens session tokenValue token_2 sid appKey mytoken sessions",
    Meaning.CODE: "otp pin verification_code one_time_code card_number twoFactor SSN 2fa",
    Meaning.KEY: "key code keys",
    Meaning.COOKIES: "cookie cookies requestCookies",
    Meaning.HEADERS: "headers responseHeaders",
    Meaning.STORAGE: "localStorage sessionstorage local_storage",
    Meaning.ARGUMENTS: "args parameters",
}


def test_a_name_has_one_meaning() -> None:
    wrong = [
        (name, meaning(name), kind)
        for kind, names in NAMES.items()
        for name in names.split()
        if meaning(name) is not kind
    ]
    assert [] == wrong


HARMLESS = "words class zip_code blue_code resetPassword page_token 2 value _ public_key passwordx noted"


def test_a_harmless_name_has_none() -> None:
    assert [] == [name for name in HARMLESS.split() if meaning(name) is not Meaning.HARMLESS]
    assert Meaning.HARMLESS is meaning("")


def test_a_word_before_code_may_make_it_harmless() -> None:
    assert [True, False, False] == [is_harmless_code(word) for word in ("zip", "verification", "blue")]


def test_a_headers_name_is_read_at_its_end_alone() -> None:
    assert Meaning.HARMLESS is header_meaning("token" + "x" * 96)
    assert Meaning.STORED is header_meaning("token" + "x" * 91)
    assert Meaning.PASSWORD is meaning("password" + "." * 88)
    assert Meaning.HARMLESS is meaning("secret" + "." * 96)


@pytest.mark.parametrize(
    ("first", "second", "both"),
    [
        (Meaning.HARMLESS, Meaning.KEY, Meaning.KEY),
        (Meaning.ARGUMENTS, Meaning.HARMLESS, Meaning.ARGUMENTS),
        (Meaning.CODE, Meaning.CODE, Meaning.CODE),
        (Meaning.CODE, Meaning.KEY, Meaning.PASSWORD),
        (Meaning.CODE, Meaning.STORED, Meaning.STORED),
        (Meaning.KEY, Meaning.TOKEN, Meaning.TOKEN),
        (Meaning.TOKEN, Meaning.MASKED, Meaning.MASKED),
        (Meaning.MASKED, Meaning.COOKIES, Meaning.MASKED),
        (Meaning.KEY, Meaning.ARGUMENTS, Meaning.STORED),
        (Meaning.COOKIES, Meaning.HEADERS, Meaning.HEADERS),
    ],
)
def test_of_two_meanings_the_stronger_holds(first: Meaning, second: Meaning, both: Meaning) -> None:
    assert both is stronger(first, second) is stronger(second, first)


def test_a_hint_is_weakened_and_a_containers_hints_at_nothing() -> None:
    assert Meaning.TOKEN is at_most(Meaning.PASSWORD, Meaning.TOKEN)
    assert Meaning.KEY is at_most(Meaning.KEY, Meaning.TOKEN)
    assert Meaning.TOKEN is at_most(Meaning.MASKED, Meaning.TOKEN)
    assert Meaning.HARMLESS is at_most(Meaning.COOKIES, Meaning.TOKEN)
