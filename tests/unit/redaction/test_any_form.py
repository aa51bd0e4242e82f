# ruff: noqa: E501, RUF001 - one case, one line; words as their languages spell them
"""Secrets of which no rule knows the form: by what stands before them, how they are built, or what a label calls them."""

import pytest

from gasoline_workers.redaction import labels
from gasoline_workers.redaction.names import Meaning, meaning
from gasoline_workers.redaction.rules import redact

STRONG = "Mibo3913*x"
DRAWN = "q7Rz1Lw9Xb3Vn5Kd8Tf2"
LONG = "q7Rz1Lw9Xb3Vn5Kd8Tf2Hs6Yg4Jm0Pc5"
HEXED = "9f86d081884c7d659a2feaa0"
HIDDEN = "[REDACTED]"


@pytest.mark.requirement("redact-010")
@pytest.mark.parametrize("secret", [STRONG, DRAWN], ids=["password", "token"])
@pytest.mark.parametrize(
    "text",
    [
        "db_password <<EOF\n{}\nEOF",
        "<key>db_password</key>\n<string>{}</string>",
        "db_password => String({})",
        "await page.getByLabel('API key').fill('{}')",
        "db_password varchar(255) default '{}'",
        'cy.get("#password").type("{}")',
        "java -Ddb.password={} -jar a.jar",
        '- textbox "API key": {}',
        '<entry>\n  <name="acmePassword" />\n  <value="{}" />\n</entry>',
        '"Acme API key:\\n",\n    "\\n",\n    "    {}\\n",',
        "\x1b[32mdb_password\x1b[0m \x1b[1m=\x1b[0m {}",
    ],
)
def test_a_value_behind_its_name_with_only_signs_between_is_hidden(text: str, secret: str) -> None:
    assert text.format(HIDDEN) == redact(text.format(secret))[0]


@pytest.mark.requirement("redact-010")
def test_what_a_value_was_changed_to_is_hidden_with_what_it_was() -> None:
    text = f'~ db_password = "{STRONG}" -> "{STRONG}y"'

    assert redact(text)[0] == f'~ db_password = "{HIDDEN}" -> "{HIDDEN}"'


@pytest.mark.requirement("redact-010")
@pytest.mark.parametrize(
    "text",
    [
        f"password and then something else {DRAWN}",
        f"forgotPassword {STRONG}",
        "tokens: 3 of Change12",
        "The passwords\nChange12 is not one of them",
        "<label>Author</label><b>Mibo3913*x</b>",
        f"the secret https://example.test/{DRAWN}",
        "password <<EOF\n\n\n\nMibo3913*x",
        "⟦password#1⟧ q7Rz1Lw9Xb3Vn5Kd8Tf2",
    ],
)
def test_a_value_with_more_between_or_behind_another_name_stays(text: str) -> None:
    assert redact(text) == (text, 0)


@pytest.mark.requirement("redact-010")
@pytest.mark.parametrize(
    "token",
    [
        f"acme_sk_{DRAWN}", f"acme-live-{DRAWN}", f"zz_api_{HEXED}", f"quux_{LONG}", f"tok_{DRAWN}", f"ac1.{LONG}.{LONG[::-1]}",
        f"pat.{LONG}.{HEXED}",
    ],
)  # fmt: skip
def test_a_token_of_any_issuer_is_hidden_by_how_it_is_built(token: str) -> None:
    assert redact(f"login with {token}!")[0] == f"login with {HIDDEN}!"


@pytest.mark.requirement("redact-010")
@pytest.mark.parametrize(
    "text",
    [
        f"pk_live_{DRAWN}",
        f"sha256-{LONG}",
        f"usr_{LONG}",
        f"quux_{DRAWN}",
        "zz_api_" + "a" * 24,
        "sk_" + "1" * 24,
        "acme_sk_the_name_of_something_long",
        f"https://a.test/{DRAWN}",
        f"chunk.{LONG}",
        f"{LONG}.js",
        f"locale.{LONG}",
        f"tok_{DRAWN}(",
    ],
)
def test_a_record_a_digest_a_file_and_a_public_key_stay(text: str) -> None:
    assert redact(text) == (text, 0)


@pytest.mark.requirement("redact-010")
@pytest.mark.parametrize(
    "text",
    [
        "Using Key={}", "acme_key: {}", 'const acmeKey = "{}"', "config.acme.key = '{}'",
        "login 'acme' '{}'", 'connect("{}")', "it is {}", '{{"field": "{}"}}',
    ],
)  # fmt: skip
def test_what_was_drawn_and_is_long_is_hidden_by_a_key_of_anything_or_where_it_stands_by_itself(text: str) -> None:
    for drawn in (LONG + "Zq", "8q7rz1lw9xb3vn5kd8tf2hs6yg4jm0pc"):
        assert text.format(HIDDEN) == redact(text.format(drawn))[0]


@pytest.mark.requirement("redact-010")
@pytest.mark.parametrize(
    "body",
    [
        {"id": LONG}, {"fileId": LONG}, {"etag": LONG}, {"x": LONG}, f"id: {LONG}", f"commit {LONG}", f"/{LONG}/",
        f"cacheKey={LONG}", f"sort_key={HEXED}", f"https://a.test/d/{LONG}/edit", f"stored at key={HEXED}{HEXED}",
        "YT0xJnVzZXJfaWQ9Y3NzLTdiODI2MytidG4 was sent",
    ],
)  # fmt: skip
def test_what_identifies_or_encodes_something_stays(body: object) -> None:
    assert redact(body) == (body, 0)


@pytest.mark.requirement("redact-010")
def test_both_segments_of_a_link_that_lets_in_are_hidden() -> None:
    assert redact(f"https://a.test/webhook/{LONG}/{LONG[::-1]}")[0] == f"https://a.test/webhook/{HIDDEN}"


def dump(text: str, *, pairs: bool) -> str:
    lines = []
    for offset in range(0, len(text), 16):
        piece = text[offset : offset + 16]
        spelled = piece.encode().hex(" ", -2 if pairs else 1)
        lines.append(f"{offset:08x}{': ' if pairs else '  '}{spelled:48}  {piece.replace(chr(10), '.')}")
    return "\n".join(lines)


@pytest.mark.requirement("redact-010")
@pytest.mark.parametrize("pairs", [False, True], ids=["hexdump", "xxd"])
def test_a_dump_of_bytes_is_read_as_what_it_spells(*, pairs: bool) -> None:
    text = f"GET /\nAccept: a/b\nX-Api-Key: {LONG}\nHost: example.test\n\n"
    after = str(redact("before\n" + dump(text, pairs=pairs) + "\nafter")[0])

    assert HIDDEN in after
    assert "before\n00000000" in after
    assert after.endswith("\nafter")
    assert not any(LONG[at : at + 6] in after or LONG[at : at + 4].encode().hex() in after for at in range(26))
    harmless = dump("GET /index.html\nAccept: text/html\n", pairs=pairs)
    assert redact(harmless) == (harmless, 0)


@pytest.mark.requirement("redact-010")
@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("Clé d'accès", Meaning.CREDENTIAL), ("Zugangsschlüssel", Meaning.CREDENTIAL), ("codice di verifica", Meaning.CODE),
        ("Jeton d’API", Meaning.CREDENTIAL), ("Kod PIN", Meaning.CODE), ("접근 키", Meaning.CREDENTIAL),
        ("Postcode", Meaning.HARMLESS), ("Code postal", Meaning.HARMLESS), ("Schlüssel", Meaning.HARMLESS),
        ("Accès", Meaning.HARMLESS), ("access", Meaning.HARMLESS), ("Clé d'accès " + "x" * 40, Meaning.HARMLESS),
    ],
)  # fmt: skip
def test_a_label_means_what_its_noun_and_the_word_beside_it_mean_together(label: str, expected: Meaning) -> None:
    assert meaning(label) == expected


@pytest.mark.requirement("redact-010")
@pytest.mark.parametrize("label", ["Clé d'accès", "Zugangsschlüssel", "Jeton d’API", "접근 키"])
def test_a_labelled_value_is_hidden(label: str) -> None:
    assert redact(f"{label}: 48x-1950-kq7")[0] == f"{label}: {HIDDEN}"
    assert redact(f'<label for="a">{label}</label><input id="a" value="48x1950kq7">')[1] == 1


def test_english_words_beside_each_other_are_judged_elsewhere() -> None:
    assert labels.nouns("access key") == []
    assert labels.nouns("clé api") == ["key"]


@pytest.mark.requirement("redact-010")
def test_a_state_of_numbered_items_is_judged_by_the_fields_that_refer_to_them() -> None:
    state = [{"user": 1, "_4": 3}, {"name": 2, "password": 5}, "ada", DRAWN, "apiKey", "hunter22", [2], -5, True]

    after, found = redact(state)

    assert (after, found) == (
        [{"user": 1, "_4": 3}, {"name": 2, "password": 5}, "ada", HIDDEN, "apiKey", HIDDEN, [2], -5, True],
        2,
    )
    for other in ([{"token": 9}, DRAWN], [{"token": True}, DRAWN], [{}, DRAWN], [[1], DRAWN], [{"token": 0}]):
        assert redact(other) == (other, 0)


@pytest.mark.requirement("redact-010")
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("requirepass", Meaning.CREDENTIAL), ("dbpass", Meaning.CREDENTIAL), ("bypass", Meaning.HARMLESS),
        ("compass", Meaning.HARMLESS), ("renderpass", Meaning.HARMLESS), ("wpa_psk", Meaning.PASSWORD),
        ("erlang_cookie", Meaning.PASSWORD), ("secretvalue", Meaning.PASSWORD), ("value", Meaning.HARMLESS),
        ("_auth", Meaning.PASSWORD), ("auth", Meaning.TOKEN), ("jenkins-crumb", Meaning.TOKEN), ("breadcrumb", Meaning.HARMLESS), ("preshared_key", Meaning.CREDENTIAL), ("join_token", Meaning.CREDENTIAL),
    ],
)  # fmt: skip
def test_names_of_settings_mean_secrets(name: str, expected: Meaning) -> None:
    assert meaning(name) == expected


@pytest.mark.requirement("redact-010")
def test_a_word_is_the_pass_of_an_environment_and_no_other() -> None:
    assert redact("APP_PASS=whiteduke")[0] == "APP_PASS=[REDACTED]"
    assert redact("in first_pass: whiteduke") == ("in first_pass: whiteduke", 0)


@pytest.mark.requirement("redact-010")
def test_the_padding_of_a_token_goes_with_it() -> None:
    assert redact(f"with tkn.v1_{LONG}{LONG[::-1]}== and")[0] == f"with {HIDDEN} and"


@pytest.mark.requirement("redact-010")
def test_a_random_value_with_an_equals_sign_in_it_is_no_other_name() -> None:
    assert redact("acme token - 'x5ncdrtmht2hku23=xsk9eca35fvqg5'")[0] == f"acme token - '{HIDDEN}'"
    assert redact("token - other_name=3") == ("token - other_name=3", 0)


@pytest.mark.requirement("redact-010")
def test_an_element_that_names_a_setting_holds_its_value() -> None:
    assert redact(f'<string name="api_key">{STRONG}</string>')[0] == f'<string name="api_key">{HIDDEN}</string>'
    kept = '<string name="app_name">Mibo3913*x</string>'
    assert redact(kept) == (kept, 0)


@pytest.mark.requirement("redact-010")
def test_a_value_that_a_store_wraps_with_its_type_is_hidden() -> None:
    assert redact({"Item": {"password": {"S": "hunter22"}, "user": {"S": "ada"}}})[0] == {
        "Item": {"password": {"S": HIDDEN}, "user": {"S": "ada"}}
    }


@pytest.mark.requirement("redact-012")
@pytest.mark.parametrize(
    "text", ["\u7b2c" * 20 + "a1B2c3D4e5F6g7H8" + "\u7ae0" * 4, "\u00e9" * 10 + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4"]
)
def test_a_long_value_in_any_script_costs_the_fields_beside_it_nothing(text: str) -> None:
    after, _ = redact({"title": text, "count": 3})

    assert isinstance(after, dict)
    assert after["count"] == 3


@pytest.mark.requirement("redact-012")
def test_no_field_of_a_numbered_state_is_lost_with_the_secrets_in_their_names() -> None:
    names = ["password ghp_" + half * 9 for half in ("a1B2", "b1B2")]

    after, _ = redact([dict.fromkeys(names, 1), "x"])

    assert isinstance(after, list)
    assert len(after[0]) == 2
