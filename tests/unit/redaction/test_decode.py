# ruff: noqa: E501 - one case, one line
"""The decode stage: a secret in an encoding is hidden at its place, and the rest of the piece can still be decoded."""

import base64
import gzip
import json
import quopri
from collections.abc import Callable

import cbor2
import msgspec
import pytest

from gasoline_workers.redaction.rules import redact

PASSWORD = "Tr0ub4dor" + "x3"
INNER = json.dumps({"user": "bob", "password": PASSWORD})
HIDDEN = INNER.replace(PASSWORD, "[REDACTED]")


def to_base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


@pytest.mark.requirement("redact-003")
@pytest.mark.parametrize(
    "encode",
    [
        to_base64,
        lambda text: base64.urlsafe_b64encode(text.encode()).decode(),
        lambda text: to_base64(to_base64(text)),
        lambda text: to_base64(to_base64(to_base64(text))),
        lambda text: text.encode().hex(),
        lambda text: text.encode().hex(" "),
    ],
)
def test_a_secret_in_an_encoded_text_is_hidden_at_its_place(encode: Callable[[str], str]) -> None:
    assert redact(f"x {encode(INNER)} y")[0] == f"x {encode(HIDDEN)} y"
    assert redact(f"x {encode('a harmless text')} y") == (f"x {encode('a harmless text')} y", 0)


@pytest.mark.requirement("redact-003")
def test_compressed_data_with_a_secret_is_hidden_whole() -> None:
    packed = base64.b64encode(gzip.compress(INNER.encode(), mtime=0)).decode()
    harmless = base64.b64encode(gzip.compress(b"a harmless text", mtime=0)).decode()

    assert redact(f"x {packed} y")[0] == "x [REDACTED] y"
    assert redact(harmless) == (harmless, 0)


@pytest.mark.requirement("redact-003")
@pytest.mark.parametrize(
    "text",
    [
        "".join(f"&#{ord(letter)};" for letter in f"password={PASSWORD}"),
        'x = "' + "".join(f"\\x{ord(letter):02x}" for letter in f"password={PASSWORD}") + '"',
        "Content-Transfer-Encoding: quoted-printable\r\n\r\n" + quopri.encodestring(f"password={PASSWORD}\n".encode()).decode(),
        f"pass\u200bword={PASSWORD}",
        f"password={PASSWORD[:6]}\u200b{PASSWORD[6:]}",
        f'const password = "{PASSWORD[:6]}" + "{PASSWORD[6:]}";',
    ],
)  # fmt: skip
def test_a_secret_that_is_written_otherwise_is_hidden(text: str) -> None:
    cleaned, count = redact(text)

    assert "[REDACTED]" in str(cleaned)
    assert PASSWORD[:6] not in str(cleaned)
    assert PASSWORD[6:] not in str(cleaned)
    assert count


@pytest.mark.requirement("redact-003")
def test_binary_frames_keep_their_protocol_and_lose_their_secrets() -> None:
    frame = {"seq": 7, "password": PASSWORD}

    cleaned, _ = redact({"data": msgspec.msgpack.encode(frame), "wide": INNER.encode("utf-16-le")})

    assert isinstance(cleaned, dict)
    assert {"seq": 7, "password": "[REDACTED]"} == msgspec.msgpack.decode(cleaned["data"])
    assert HIDDEN == cleaned["wide"].decode("utf-16-le")


def field(number: int, held: bytes) -> bytes:
    """Write a field of Protocol Buffers that has a length."""
    return bytes((number << 3 | 2, len(held))) + held


@pytest.mark.requirement("redact-003")
def test_a_message_of_protocol_buffers_is_written_anew_with_its_lengths() -> None:
    entry = field(1, b"db_password") + field(2, PASSWORD.encode())
    message = b"\x08\x96\x01" + field(3, entry) + field(4, b"a harmless text")
    hidden = field(1, b"db_password") + field(2, b"[REDACTED]")
    expected = b"\x08\x96\x01" + field(3, hidden) + field(4, b"a harmless text")

    assert (expected, 1) == redact(message)
    assert b"\0" + len(expected).to_bytes(4) + expected == redact(b"\0" + len(message).to_bytes(4) + message)[0]
    assert (field(4, b"a harmless text"), 0) == redact(field(4, b"a harmless text"))


@pytest.mark.requirement("redact-003")
def test_a_frame_of_cbor_is_written_anew() -> None:
    frame = {"seq": 7, "password": PASSWORD, "parts": [1.5, None, b"\x01"]}

    cleaned, count = redact(cbor2.dumps(frame))

    assert isinstance(cleaned, bytes)
    assert (frame | {"password": "[REDACTED]"}, 1) == (cbor2.loads(cleaned), count)
    assert (cbor2.dumps({"seq": 7}), 0) == redact(cbor2.dumps({"seq": 7}))


LONG_LINE = "x" * 1200


@pytest.mark.requirement("redact-003")
@pytest.mark.parametrize("before", ["", "const words =\n    12;\n", f"var {LONG_LINE}=\nf();\n", "a=20b\r\n"])
def test_a_secret_over_a_soft_line_break_is_hidden_and_the_lines_beside_it_stay(before: str) -> None:
    cleaned, count = redact(f"{before}password={PASSWORD[:6]}=\n{PASSWORD[6:]}\nlast =\n 7;")

    assert isinstance(cleaned, str)
    assert PASSWORD[6:] not in cleaned
    assert cleaned.startswith(before)
    assert cleaned.endswith("last =\n 7;")
    assert count


@pytest.mark.requirement("redact-003")
@pytest.mark.parametrize(
    "code",
    [
        'f({"a": 1, b c d, password: "%s"})',
        '{"a": [x, y z], if (a) b; password : "%s"}',
        '{"a": x y "password": "%s", z w}',
        '{"a": 1, [password]: "%s"}',
        '{"a": {"b": 1} password: "%s"}',
        '{"a": 1, 12 34, {"b": 2}, "password": "%s"',
    ],
)
def test_code_between_the_fields_of_an_object_hides_none_of_them(code: str) -> None:
    cleaned, count = redact(code % PASSWORD)

    assert PASSWORD not in str(cleaned)
    assert str(cleaned) == code % "[REDACTED]"
    assert count


@pytest.mark.requirement("redact-003")
def test_quoted_printable_is_written_anew_only_where_its_secret_stood() -> None:
    def printable(text: str) -> str:
        return "Content-Transfer-Encoding: quoted-printable\r\n\r\n" + quopri.encodestring(text.encode()).decode()

    text = "Grüße\npassword={}\nMehr ä und mehr\n"

    assert printable(text.format("[REDACTED]")) == redact(printable(text.format("hunter2=xY")))[0]


def test_a_value_ends_where_the_next_field_of_a_log_begins() -> None:
    assert ("user=bob|password=[REDACTED]|x=1", 1) == redact("user=bob|password=hunter2xY|x=1")
    assert ("password=[REDACTED]", 1) == redact("password=hunter2|xY")
