# ruff: noqa: E501 - a list of pieces
"""Texts made to be slow to read: repeated pieces of every rule and stage, alone and in pairs."""

from collections.abc import Iterator

PIECES = [
    "<", "<a ", '<a b="', "<a b='c", '<a b=\\"', "<input type=password value=", '<input type="password" value="', "</", "<![CDATA[",
    "{", "[", '{"a":', '[{"', '{"a":[', "}", "]", ":", ",", '"', "'", "\\", '\\"', "{'a':'\\'", '{"password":"', '"password":',
    "password", "password=", "password:", "password=[", "password='", 'password="', "token ", "api key ", "key", "--token ",
    "passwordpassword.", "token[", "token%", "%3D", "%", "%41", "%25", "%7B%22", "&quot;", "&amp;", "&", "&lt;", "\\u0041", "eyJ",
    "eyJhbGciOi", "eyJhbGciOi.", "sk-", "sk-a", "AKIA", "ghp_", "xoxb-", "-----BEGIN PRIVATE KEY-----", "-----BEGIN ", "PRIVATE KEY",
    "-----END PRIVATE KEY-----", "1", "1 ", "4111", "4111 ", "4111-", "12:", "://", "://a:", "://a@", "://a:b@", "http://a:b", "/reset/",
    "bearer ", "Bearer a", "basic ", "authorization: ", "Authorization: Digest ", "cookie: ", "cookie: a=", "a=b; ", "cookie: a=b;",
    "verification code ", "otp", "otp 1", "123456 is your ", 'form-data; name="', 'form-data; name="a"\r\n', "\n", "\r\n--", " ", "\t",
    "[value=", '[value="', "[type=password]", "a[value=b]", "a>b~", "data:image/png;base64,", "data:image/png;base64,iVBOR", "machine a ",
    "machine a login b password ", "curl -u ", "a ", "A", "aA", "é", "\u0130", "\ud800", "\x00", "is ", " is ", "password is ", "=", "=====",
    "hooks.slack.com/services/", "x-key: ", "X-Key: a\n", "key: a, ", "secret&", "secret=a&b", "secret=a;b", "secret=a,b", "$2b$12$", "a.b",
    "insert into t (password) values ('a', ", "copy t (password) from stdin\na\t", "name: password\n value: a\n", "a is the password ", "zoo able, 1. ",
    "abc as my key ", "password:\n\nab1cd2ef\n", " [abcdef]", "password [abcdef] ", "<tr><th>password</th><td>a", "is <b>abcd</b>",
    '"a"\n"', "password: a1\n  b2\n", "\x12\x08password\x1a\x04abcd", "\xa2hpassworddabcd", '{"columns":["password"],"rows":[["a"]]}',
    "-----BEGIN PRIVATE KEY-----<", "x =\n", "=   \n", "{a b ", "{a b : ", "[a, b, ", "{[a] ", "f(a){b; ", "xxxxxxxx=\nyyyyyyyy", '\\"\\n+ "a',
    "[REDACTED]", "token=[REDACTED]", "[REDACTED", '{"token":"[REDACTED]",', "(a)", "password (a) ", "密码", "密码: ", "password \uff1a ",
    "\\u0041password ", "%41token ", "&#65;", "&#65;key ", "-----END ", "a1B2c3D4e5F6g7H8 ", "YWJj", "YWJjZGVmZ2hpamtsbW5vcA== ", "H4sIAAAA",
    "6162636465666768", "61 62 63 ", "=3D", "=20\r\n", "=\r\n", "\u200b", "pass\u200bword", '" + "', "a' + 'b", "\\x41", "| a ", "| password |\n",
    "password,a\n", "│ password │\n", "a\tb\n", "<th>password</th>", "<label>password</label>", "<dt>key</dt>", "abandon ability ", "$4\r\nAUTH\r\n",
    "INSERT INTO t (password) VALUES (", "password: |\n", "- password: ", "export password=", "password\n", "your password ", "token token token ",
    "https://a.test/", "https://a.test/webhook/", "DE89", "DE89 3704 ", "+49 30 ", "a@b.c ", "ghp_a", "sk_live_", "\x81\xa8password", "\xa8password",
]  # fmt: skip

STAGES = [
    "password=",
    "token: a1B2c3D4e5F6",
    "%41",
    "&quot;",
    "\\u0041",
    '{"a":"',
    "<a b=",
    "YWJjZGVm",
    "-----BEGIN PRIVATE KEY-----",
    "://a:a@",
    "\n",
]
"""One piece of each stage, which is repeated with every other piece between."""


def texts(size: int) -> Iterator[tuple[str, str]]:
    """Return each hostile text of about `size` characters with what it is made of."""
    units = [*PIECES, *(stage + piece for stage in STAGES for piece in PIECES[::3])]
    for unit in units:
        yield unit, (unit * (size // len(unit) + 1))[:size]
    for prefix in ("<", '{"', "password=", "-----BEGIN PRIVATE KEY-----", "%", "eyJ"):
        for body in ("a", "a1", "%41", " ", '\\"', "\\"):
            yield f"{prefix}…{body}", (prefix + body * (size // len(body)))[:size]
            yield f"{body}…{prefix}", (body * (size // len(body)) + prefix)[-size:]
