# ruff: noqa: E501 - one case, one line
"""What holds for every body: twice is once, the shape stays, the input is untouched, planted secrets go."""

import copy
import json

from hypothesis import example, given
from hypothesis import strategies as st

from gasoline_workers.redaction.rules import redact

PIECES = [
    "password", "token", "api_key", "=", ":", " ", '"', "'", "{", "}", "[", "]", ",", "\\", '\\"', "&", ";", "?", "<", ">", "/", "%22", "%3D",
    "<input ", "type=password ", "value=", "name=csrf ", "content=", "hunter2", "abc123DEF456", "[REDACTED]", "[REDACTED", "REDACTED]", "is",
    "Cookie: ", "Authorization: ", "Bearer ", "Basic ", "a=b", "\n", "\r\n", "&quot;", "&lt;", "&amp;", "://", "@", "user:", "http", "4111111111111111",
    "eyJhbGciOiJ", ".", "-----BEGIN PRIVATE KEY-----", "key", "secret", "%5B", "+", "sk-", "name", "value", "otp", "123456", "code", "x", "é", "\ud800",
]  # fmt: skip

NAMES = ["password", "token", "name", "value", "type", "key", "attributes", "tag", "text", "headers", "cookies", "args", "url", "d", "kty",
    "localStorage", "autocomplete", "selector", "apiKey", "a", "id", "content", "Cookie", "secret", "tokens"]  # fmt: skip

texts = st.lists(st.sampled_from(PIECES), max_size=14).map("".join) | st.text(max_size=40)
names = st.sampled_from(NAMES) | texts
scalars = texts | st.sampled_from(NAMES) | st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts.map(
    lambda text: text.encode("utf-8", "replace"),
)  # fmt: skip
bodies = st.recursive(
    scalars, lambda part: st.lists(part, max_size=4) | st.dictionaries(names, part, max_size=5), max_leaves=20
)
encoded = bodies.map(lambda body: json.dumps(body, default=str))


named = st.sampled_from(NAMES) | st.text("abcdefxyz_", max_size=12)
told = st.recursive(
    scalars, lambda part: st.lists(part, max_size=4) | st.dictionaries(named, part, max_size=5), max_leaves=20
)


@given(told | told.map(lambda body: json.dumps(body, default=str)))
def test_redacting_twice_is_redacting_once(body: object) -> None:
    once, _ = redact(body)

    assert (once, 0) == redact(once)


@given(bodies)
def test_the_input_is_not_changed(body: object) -> None:
    before = copy.deepcopy(body)

    redact(body)

    assert before == body


def shape(body: object) -> object:
    """Tell a body's containers apart, and nothing of what is in them."""
    if isinstance(body, dict):
        return ("dict", [shape(part) for part in body.values()])
    if isinstance(body, list):
        return ("list", [shape(part) for part in body])
    return "bytes" if isinstance(body, bytes) else "leaf"


@given(bodies)
def test_the_shape_stays(body: object) -> None:
    assert shape(body) == shape(redact(body)[0])


@given(
    st.text("abcdefgh0123456789ABC!#$()*+?^é ", min_size=8, max_size=40).filter(
        lambda s: any(map(str.isdigit, s)) and sum(map(str.isalnum, s)) > 2 and s == s.strip()
    ),
    texts,
)
@example("a1b2c3d4", "a1b2c3d4")
def test_a_password_field_hides_its_value_wherever_the_body_repeats_it(secret: str, around: str) -> None:
    field = {"tag": "input", "attributes": {"type": "password", "value": secret}}

    cleaned, _ = redact([field, {"log": f"{around} {secret} {around}"}, json.dumps({"x": [secret]})])

    assert secret not in repr(cleaned)


@given(encoded)
def test_json_that_was_valid_stays_valid(text: str) -> None:
    json.loads(str(redact(text)[0]))
