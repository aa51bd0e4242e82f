# ruff: noqa: E501, RUF001 - one case, one line; full-width letters are what is tested
"""Names and values that stand apart, values that run over spaces, and texts of which only the secret is written anew."""

import pytest

from gasoline_workers.redaction.rules import redact

TOKEN = "lWuhzwH9wnPWdpgwYm/6dDaHCiKICXpsElXeRA1xst7="
STRONG = "Mibo3913*x"
WORDS = "pahe rasedo zahe rotego tepa"
HIDDEN = "[REDACTED]"


@pytest.mark.parametrize("word", ["final", "varchar", "secretstr"])
def test_a_word_for_a_type_is_a_password_where_no_value_follows_it(word: str) -> None:
    assert f"password: {HIDDEN}" == redact(f"password: {word}")[0]
    assert f'password: {word} = "{HIDDEN}"' == redact(f'password: {word} = "{STRONG}"')[0]


@pytest.mark.requirement("redact-010")
@pytest.mark.parametrize(
    "body",
    [
        "id,password,port\n7,{},80\n8,{},81\n",
        'id,"api_key",port\n7,"{}",80\n',
        "id\tauth_token\tport\n7\t{}\t80\n",
        "| user | password |\n| --- | --- |\n| ada | {} |\n",
        "| user | password\n|---|---\n| ada | {}\n",
        "┌─────────┬──────────┐\n│ (index) │ password │\n├─────────┼──────────┤\n│    0    │ '{}' │\n└─────────┴──────────┘",
        '<label for="q">Password</label><input id="q" value="{}">',
        "<label>Api key</label><br><input value='{}'>",
        [{"tag": "label", "attributes": {"for": "q"}, "text": "Password"}, {"tag": "input", "attributes": {"id": "q", "value": "{}"}}],
        '[{"op": "replace", "path": "/config/dbPassword", "value": "{}"}]',
        {"keyPath": "config/dbPassword", "newValue": "{}"},
        'variable "db_password" {{\n  type    = string\n  default = "{}"\n}}\n',
        'client.set("db.password", "{}", {{ttl: 5}});',
        'builder.put("api_key", "{}");',
        'const password: string = "{}";',
        'var my_password: String = "{}";\nval other_password = "{{x}}"',
        'val one = "{{password}}";\n\tdb_password = "{}";',
        'db_user, db_password = "ada", "{}"',
        "const db_password, dbHost string = '{}', 'db.test'",
        "<entry>\n  <key>db.password</key>\n  <value>{}</value>\n</entry>",
        "<key>db.password</key><value><![CDATA[{}]]></value>",
        '<label>Password</label><input name="q" value="{}"',
        "<init-param><param-name>apiKey</param-name><param-value>{}</param-value></init-param>",
        "mytool --db-password '{}' --verbose",
        'SET app:client-secret "{}" EX 60',
        "*4\r\n$4\r\nHSET\r\n$3\r\ncfg\r\n$11\r\ndb_password\r\n$44\r\n{}\r\n",
        "- **password**: `{}`\n- other: 1\n",
        "main:\n  password: |\n    {}\n  port: 1\n",
        "Contraseña\n{}",
        "<p>Password</p><pre><code>{}</code></pre>",
        '{{"columns": ["id", "db_password"], "rows": [[1, "{}"], [2, "{}"]]}}',
        {"fields": ["user", "apiKey"], "values": ["bob", "{}"]},
        {"columns": [{"name": "id"}, {"name": "api_key"}], "data": [[1, "{}"]]},
        [["id", "db_password", "port"], [7, "{}", 80], [8, "{}", 81]],
        {"path": "settings.auth.api_key", "value": "{}"},
        {"setting": "smtp_password", "value": "{}"},
        "INSERT INTO t (id, db_password) VALUES (1, '{}'), (2, '{}');",
        'insert or replace into "t" ("id", "api_key")\nvalues (1, \'{}\')',
        "COPY public.t (id, api_key) FROM stdin;\n1\t{}\n2\t{}\n\\.\n",
        "env:\n  - name: DB_PASSWORD\n    value: {}\n  - name: PORT\n    value: eighty\n",
        '  "ParameterKey": "db_password",\n  "value": "{}",',
        "[worker] api_key [{}] accepted",
        "Here is your new API key. Keep it safe:\n\n    {}\n",
        "Use {} as the API key for this app.",
        "`{}` is your new password.",
        "<table><tr><th>id</th><th>Password</th></tr><tr><td>7</td><td>{}</td></tr><tr><td>8</td><td><code>{}</code></td></tr></table>",
        "<p>Your new password is <b>{}</b>. Do not share it.</p>",
        "<p>Your <i>API key</i>: <code>{}</code></p>",
        'string password = @"{}";',
        "SELECT 1; -- password = '{}'",
    ],
)  # fmt: skip
@pytest.mark.parametrize("secret", [TOKEN, STRONG], ids=["token", "password"])
def test_a_name_and_its_value_that_stand_apart_belong_together(body: object, secret: str) -> None:
    def filled(value: str) -> object:
        if isinstance(body, str):
            return (
                body.replace("{{", "\0").replace("}}", "\1").replace("{}", value).replace("\0", "{").replace("\1", "}")
            )
        return _filled(body, value)

    assert filled(HIDDEN) == redact(filled(secret))[0]


def _filled(body: object, value: str) -> object:
    if isinstance(body, dict):
        return {key: _filled(part, value) for key, part in body.items()}
    if isinstance(body, list):
        return [_filled(part, value) for part in body]
    return value if body == "{}" else body


@pytest.mark.requirement("redact-010")
@pytest.mark.parametrize(
    "text",
    [
        "id,keyboard,port\n7,qwertz,80\n",
        "id,password,port\n",
        "id,password\n1,2,3\n",
        "password,token,secret\nare the names of columns, and this is prose\n",
        "| setting | password |\n| --- | --- |\n",
        '<label for="q">Author</label><input id="q" value="Mibo3913*x">',
        'client.get("db.password", "is not set here");',
        'items.find("password", 3)',
        '[{"op": "replace", "path": "/config/author", "value": "Mibo3913*x"}]',
        "const password: string = props.value;",
        "The password\nis shown below",
        "Passwords\nChange12 of them",
        "<p>Password</p><pre><code>string</code></pre>",
        "<p>Author</p><code>Mibo3913*x</code>",
        '{"columns": ["id", "author"], "rows": [[1, "Mibo3913*x"]]}',
        {"labels": ["passwords", "tokens"], "data": [12, 40]},
        {"path": "settings.auth.forgotPassword", "value": "2022-01-13"},
        {"path": "src/tokens/password.ts", "from": "a", "size": 3},
        [["id", "password"], ["7", "8"]],
        "INSERT INTO t (id, author) VALUES (1, 'Mibo3913*x')",
        "env:\n  - name: TOKEN_COUNT\n    value: 12\n",
        "[worker] token [string] accepted",
        "input[name=password] [type=text]",
        "Enter your password:\n\nForgotten",
        "Use it as the password for this app.",
        "This is your password page.",
        "<p>Your password is <b>required</b>.</p>",
        "<table><tr><th>Password</th><th>Port</th></tr></table><p>Mibo3913*x</p>",
        "The token:\n  see above",
        "this.forgot.password = 'M4 10 H 90 V 13 H 10 L 10 10';",
        "fetch(u,{credentials:fe?T:void 0,mode:x})",
        "x={password:a?b:null,secret:n&&n.x,token:e||t}",
        "The password is *known* if it was shared.",
    ],
)
def test_what_only_stands_beside_a_name_stays(text: str) -> None:
    assert (text, 0) == redact(text)


@pytest.mark.requirement("redact-011")
@pytest.mark.parametrize(
    "text", ["password:hunter2?x:y", "password: a?b:c", "the password is *hunter2*", "password:a?B:c1"]
)
def test_what_looks_like_a_choice_in_code_and_is_none_is_hidden(text: str) -> None:
    assert 1 == redact(text)[1]


@pytest.mark.requirement("redact-011")
@pytest.mark.parametrize(
    "text",
    [
        "[main]\nseed-phrase = {}\nport = 5432\n",
        "main:\n  backup_phrase: {}\n  port: 5432\n",
        "ENV recovery_words={}\nRUN b\n",
        "X-Recovery-Phrase: {}\r\nAccept: */*\r\n",
        'const seed_phrase: string = "{}";',
        "mytool --passphrase '{}' --verbose",
        "passphrase '{}' was rejected",
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "words", [WORDS, " ".join(["zoo paddle habit saddle"] * 3), " ".join(["zoo paddle habit saddle"] * 6)]
)
def test_words_under_a_name_for_a_phrase_are_hidden_to_the_last(text: str, words: str) -> None:
    assert text.format(HIDDEN) == redact(text.format(words))[0]


@pytest.mark.requirement("redact-011")
@pytest.mark.parametrize(
    "text",
    [
        "Recovery phrase: write these words down and keep them safe",
        "seed phrase: the words that you were given",
        "passphrase: choose a long one that nobody knows",
        "The recovery phrase is shown only once here",
    ],
)
def test_a_sentence_about_a_phrase_stays(text: str) -> None:
    assert (text, 0) == redact(text)


@pytest.mark.requirement("redact-018")
@pytest.mark.parametrize(
    "text",
    [
        "no login with password={}",
        "Error: no login with password={}\n    at x",
        "reset password: {}",
        "use api_key={}, please",
    ],
)
def test_a_verb_earlier_in_a_sentence_does_not_make_its_value_harmless(text: str) -> None:
    assert text.format(HIDDEN) == redact(text.format("5zfRqhJVhlrzG2jKUE"))[0]


@pytest.mark.requirement("redact-018")
@pytest.mark.parametrize(
    "text",
    [
        "Forgot password: click here",
        "reset password = true",
        "no password=none",
        "show password: visible",
        "use password=${PW}",
    ],
)
def test_a_sentence_about_what_is_done_with_a_password_stays(text: str) -> None:
    assert (text, 0) == redact(text)


@pytest.mark.requirement("redact-012")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("%257B%2522id%2522%253A%25207%252C%2522secret%2522%253A%2522{}%2522%252C%2522ok%2522%253A1%257D", None),
        ("%7B%22id%22%3A7%2C%22secret%22%3A%22{}%22%2C%22ok%22%3A1%7D", None),
        ("&#x22;api&#x5f;key&#x22;&#x3a; &#x22;{}&#x22; &euro; &auml;", None),
        ("ｓｅｃｒｅｔ：{} ｏｋ", None),
        ("sec\u200bret: {} and\u200b more", None),
        ("DEBUG=1\nclient_secret={}\nPORT=80\n", None),
        ('x = ["abc", "def"]; secret = ["abcdef123", "456ghiJKL9"].join(""); y', 'x = ["abc", "def"]; secret = "[REDACTED]"; y'),
        ('a = 1; secret = "abcdef123" + "456ghiJKL9"; b = "c" + "d"', 'a = 1; secret = "[REDACTED]"; b = "c" + "d"'),
    ],
)  # fmt: skip
def test_of_an_encoded_text_only_the_secret_is_written_anew(text: str, expected: str | None) -> None:
    assert (expected or text.format(HIDDEN)) == redact(text.replace("{}", "tS6ohd1mpXpjyJrrTpaysM0Y"))[0]


@pytest.mark.requirement("redact-012")
def test_the_padding_of_base64_at_the_end_of_a_line_is_no_soft_break() -> None:
    assert f"DEBUG=1\nreset_token={HIDDEN}\nPORT=80\n" == redact(f"DEBUG=1\nreset_token={TOKEN}\nPORT=80\n")[0]


@pytest.mark.requirement("redact-010")
@pytest.mark.parametrize(
    "body",
    [
        "ldapBindPassword\n{}\nCopy",
        "Пароль\n{}",
        "<p>keystore-password</p><pre><code>{}</code></pre>",
        "Parola d'ordine: {}",
        "machine a.test login bob password {}",
    ],
)
@pytest.mark.parametrize("secret", ["bava-nale-65", "kepa_sopa_rito_7319"])
def test_words_in_a_row_with_a_number_are_a_password_where_a_label_asks_for_one(body: str, secret: str) -> None:
    assert body.format(HIDDEN) == redact(body.format(secret))[0]


@pytest.mark.requirement("redact-011")
@pytest.mark.parametrize("body", ["<p>Mnemonic</p><pre><code>{}</code></pre>", "machine a.test login bob password {}"])
def test_words_after_a_label_are_hidden_to_the_last(body: str) -> None:
    assert body.format(HIDDEN) == redact(body.format(WORDS))[0]


@pytest.mark.requirement("redact-010")
@pytest.mark.parametrize(
    ("name", "value"), [("adminPass", "R1FJcjFnS1VQI0dmUzRG"), ("walletSeed", "dmVtYWZhIHZldmFwYSBsYWdh")]
)
def test_a_password_in_base64_is_hidden_in_a_subprotocol(name: str, value: str) -> None:
    assert {"protocols": ["v1.json", f"{name}.{HIDDEN}"]} == redact({"protocols": ["v1.json", f"{name}.{value}"]})[0]


@pytest.mark.requirement("redact-010")
@pytest.mark.parametrize(
    "text", ["license-key: {}", "Your new DEVICE_TOKEN: {} (shown once)", "+  api_secret_key: {}\n"]
)
def test_letters_alone_are_a_key_where_no_word_has_them_in_a_row(text: str) -> None:
    assert text.format(HIDDEN) == redact(text.format("ReejmJQFxtVorbwbStgQxbRa"))[0]


@pytest.mark.requirement("redact-018")
@pytest.mark.parametrize(
    "text",
    [
        "12:00:01 INFO loaded forgot_password: 2010-06-17T05:30:00.000Z",
        'const forgotPassword = "css-61b550 btn-primary sc-bdVaJa";',
        "input[name='password.strength'][value='v1@latest']",
        "Use 66870 as the password-hint for this app.",
        "(w.withCredentials=!!p.withCredentials),y",
        "month:!0,password:!0,range:!0",
        "duplex:'half',credentials:$?S:void 0})",
        "J={username:K,password:X}),jn(i)&&1",
        "Password\nuser-list\n",
        "password.strength",
        "machine a.test login bob",
    ],
)
def test_code_and_names_that_only_hold_a_telling_word_stay(text: str) -> None:
    assert (text, 0) == redact(text)


@pytest.mark.requirement("redact-011")
def test_the_rest_of_a_phrase_in_pieces_is_hidden_too() -> None:
    text = 'const BACKUP_PHRASE = "{}" + \n  "{}" + "{}"; title = "a" + "b";'
    pieces = ("zoo paddle habit saddle z", "ebra table oak ", "galaxy idea")

    assert text.format(*[HIDDEN] * 3) == redact(text.format(*pieces))[0]


@pytest.mark.requirement("redact-012")
@pytest.mark.parametrize("text", ["url(https://a.test/{}.png)", "It is {}...", "see {}.json"])
def test_the_end_of_a_sentence_or_of_a_file_is_no_part_of_a_token(text: str) -> None:
    token = "xo" + "xb-851006824962-340917977430-6G5j9Ctesn3agXTF7C08SWpG"

    assert text.format(HIDDEN) == redact(text.format(token))[0]


@pytest.mark.requirement("redact-010")
@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ('api_key = ("lWuhzwH9wnPWdpg"\n    "wYm6dDaHCiKICXps")', 'api_key = ("[REDACTED]")'),
        ("auth_token: lWuhzwH9wnPWdpg\n  wYm6dDaHCiKICXps\nport: 1", "auth_token: [REDACTED]\nport: 1"),
        ('$api_key = "lWuhzwH9wnPWdpg" . "wYm6dDaHCiKICXps";', '$api_key = "[REDACTED]";'),
        ("Use pahe rasedo zahe rotego tepa as the recovery phrase.", "Use [REDACTED] as the recovery phrase."),
        ("Your seed phrase:\n\npahe rasedo zahe rotego tepa\n", "Your seed phrase:\n\n[REDACTED]\n"),
        ("password: hunter12\n  and then more words\n", "password: [REDACTED]\n  and then more words\n"),
        ("The mnemonic is pahe rasedo zahe rotego tepa.", "The mnemonic is [REDACTED]."),
    ],
)
def test_what_is_written_in_pieces_or_in_words_is_hidden_whole(text: str, hidden: str) -> None:
    assert hidden == redact(text)[0]
