"""What `redact` gives back: the shapes of the answers of this system, and the seeds' own rules."""

import json

import pytest

from gasoline_workers.redaction.rules import redact

PASSWORD = "hun" + "ter2"
TOKEN = "a8Kf02" + "LmQz71xWv9"


def element(tag: str, text: str = "", **attributes: str) -> dict[str, object]:
    return {"tag": tag, "attributes": {name.rstrip("_"): value for name, value in attributes.items()}, "text": text}


def test_a_cookie_keeps_its_name() -> None:
    assert redact({"cookie": f"session_id={TOKEN}; theme=dark"})[0] == {
        "cookie": "session_id=[REDACTED]; theme=[REDACTED]"
    }


@pytest.mark.requirement("mutate-003")
@pytest.mark.parametrize(
    "body", [{"cookie": "{}"}, {"headers": {"Set-Cookie": "{}"}}, "Cookie: {}\nAccept: */*"], ids=str
)
def test_a_cookies_value_goes_on_after_a_space(body: object) -> None:
    sent = json.loads(json.dumps(body).replace("{}", "name=Ada Lovelace 1815; city=New York"))
    hidden = json.loads(json.dumps(body).replace("{}", "name=[REDACTED]; city=[REDACTED]"))

    assert hidden == redact(sent)[0]


@pytest.mark.requirement("000-115")
def test_a_password_field_keeps_all_but_its_value() -> None:
    html = f'<input type="password" value="{PASSWORD}">'

    assert redact(html) == ('<input type="password" value="[REDACTED]">', 1)


def test_an_answer_of_query_dom_keeps_its_shape() -> None:
    answer = {
        "url": f"http://localhost:3000/reset?token={TOKEN}&page=2",
        "title": "Reset your password",
        "matches": [
            {
                "selector": f'form > input[type="password"][value="{PASSWORD}"]',
                "tag": "input",
                "attributes": {"type": "password", "name": "new", "value": PASSWORD, "placeholder": "New password"},
                "text": "",
                "boundingBox": {"x": 20, "y": 140.5, "width": 300, "height": 48},
                "visible": True,
                "styles": {"display": "flex", "color": "rgb(0, 0, 0)"},
                "children": [],
            },
            element("meta", name="csrf-token", content=TOKEN),
            element("label", text="Password", for_="new"),
        ],
        "matchCount": 3,
        "returnedCount": 3,
    }

    cleaned, count = redact(answer)

    assert cleaned == {
        "url": "http://localhost:3000/reset?token=[REDACTED]&page=2",
        "title": "Reset your password",
        "matches": [
            {
                "selector": 'form > input[type="password"][value="[REDACTED]"]',
                "tag": "input",
                "attributes": {"type": "password", "name": "new", "value": "[REDACTED]", "placeholder": "New password"},
                "text": "",
                "boundingBox": {"x": 20, "y": 140.5, "width": 300, "height": 48},
                "visible": True,
                "styles": {"display": "flex", "color": "rgb(0, 0, 0)"},
                "children": [],
            },
            element("meta", name="csrf-token", content="[REDACTED]"),
            element("label", text="Password", for_="new"),
        ],
        "matchCount": 3,
        "returnedCount": 3,
    }
    assert count == 4


def test_an_answer_of_get_page_info_passes_unchanged() -> None:
    answer = {
        "url": "http://localhost:3000/dashboard",
        "title": "My App - Dashboard",
        "viewport": {"width": 1440, "height": 900},
        "scroll": {"x": 0, "y": 320},
        "documentHeight": 2400,
        "forms": [{"id": "login-form", "action": "/api/login", "fields": ["email", "password"]}],
        "headings": ["Dashboard", "Change password", "API keys"],
        "links": 24,
        "images": 8,
        "interactiveElements": 15,
    }

    assert redact(answer) == (answer, 0)


def test_an_answer_of_list_tabs_hides_what_its_addresses_give_away() -> None:
    tabs = {
        "tabs": [
            {"id": 7, "url": f"https://a.test/#access_token={TOKEN}&expires_in=3600", "title": "A", "active": True}
        ]
    }

    cleaned, _ = redact(tabs)

    assert cleaned == {
        "tabs": [
            {"id": 7, "url": "https://a.test/#access_token=[REDACTED]&expires_in=3600", "title": "A", "active": True}
        ],
    }


def test_headers_are_judged_more_strictly_than_other_names() -> None:
    headers = {
        "Content-Type": "text/html",
        "X-My-Keyed": "a",
        "Authorization": "Basic x",
        "Set-Cookie": "a=b; Path=/; Secure",
    }

    assert redact({"responseHeaders": headers})[0] == {
        "responseHeaders": {
            "Content-Type": "text/html",
            "X-My-Keyed": "[REDACTED]",
            "Authorization": "[REDACTED]",
            "Set-Cookie": "a=[REDACTED]; Path=/; Secure",
        },
    }


def test_stored_values_go_and_their_keys_stay() -> None:
    storage = {"localStorage": {"theme": "dark", "n": 3}, "sessionStorage": ["theme", "auth_token"]}

    assert redact(storage)[0] == {
        "localStorage": {"theme": "[REDACTED]", "n": 3},
        "sessionStorage": ["theme", "auth_token"],
    }


def test_an_element_that_repeats_its_secret_in_another_attribute_hides_it_there_too() -> None:
    secret = PASSWORD + PASSWORD

    cleaned, _ = redact(element("input", type="password", value=secret, title=f"{secret}!", data_x=f"a{secret}b"))

    assert cleaned == element("input", type="password", value="[REDACTED]", title="[REDACTED]!", data_x="a[REDACTED]b")


@pytest.mark.parametrize(
    "spelling", ["p4ss+w%C3%B6rd%2F9%21", "p4ss%20w%C3%B6rd%2F9%21", "p4ss wörd/9!", "p4ss w\\u00f6rd/9!"]
)
def test_a_secret_is_found_again_however_it_is_spelled(spelling: str) -> None:
    cleaned, count = redact({"password": "p4ss wörd/9!", "log": f"x {spelling} y"})

    assert cleaned == {"password": "[REDACTED]", "log": "x [REDACTED] y"}
    assert count == 2


def test_a_secret_that_a_cut_off_text_begins_is_found_again() -> None:
    cleaned, _ = redact({"password": TOKEN, "text": f"the text ends within {TOKEN[:11]}…"})

    assert cleaned == {"password": "[REDACTED]", "text": "the text ends within [REDACTED]…"}


def test_a_password_that_is_a_word_of_the_page_is_hidden_where_it_stands_only() -> None:
    body = [element("input", type="password", value="password"), {"type": "password", "title": "your password"}]

    assert redact(body)[0] == [element("input", type="password", value="[REDACTED]"), body[1]]


def test_a_cookies_plain_value_is_not_looked_for_elsewhere() -> None:
    body = {
        "cookies": {"last": "/dashboard", "lang": "en-US,en"},
        "url": "http://a.test/dashboard",
        "languages": "en-US,en",
    }

    assert redact(body)[0] == body | {"cookies": {"last": "[REDACTED]", "lang": "[REDACTED]"}}


def test_a_page_that_writes_the_marker_itself_is_left_alone() -> None:
    body = {"password": "[REDACTED]", "text": "it says [REDACTED] here", "url": "/?token=[REDACTED]&page=2"}

    assert redact(body) == (body, 0)


def test_a_marker_does_not_shield_what_follows_it() -> None:
    assert redact(f"password=[REDACTED]{PASSWORD}") == ("password=[REDACTED]", 1)
    assert redact({"password": f"[REDACTED]{PASSWORD}"}) == ({"password": "[REDACTED]"}, 1)


def test_numbers_are_hidden_where_they_are_codes_and_stay_where_they_count() -> None:
    body = {"pin": 1234, "otp": 482913, "cvv": 123, "tokens": 512, "keyCount": 3, "n": 4242424242424242, "id": 4711}

    cleaned, count = redact(body)

    assert cleaned == body | {"pin": "[REDACTED]", "otp": "[REDACTED]", "cvv": "[REDACTED]", "n": "[REDACTED]"}
    assert count == 4


def test_a_number_that_counts_stays_beside_any_name_and_a_hidden_one_is_looked_for_nowhere_else() -> None:
    body = {"apiKey": 99_999, "secretKey": 100_000, "pin": 20_251_121, "log": "build 20251121 of 100000 is ready"}

    assert redact(body) == (body | {"secretKey": "[REDACTED]", "pin": "[REDACTED]"}, 2)


def test_pairs_keep_their_names_and_their_harmless_values() -> None:
    bodies: list[object] = [
        [["user", "bob"], ["password", PASSWORD], ["page", 2]],
        {"headers": [["Vary", "Cookie"], ["X-My-Keyed", "a"]]},
        {"cookies": [["theme", "dark"]]},
    ]

    assert redact(bodies) == (
        [
            [["user", "bob"], ["password", "[REDACTED]"], ["page", 2]],
            {"headers": [["Vary", "Cookie"], ["X-My-Keyed", "[REDACTED]"]]},
            {"cookies": [["theme", "[REDACTED]"]]},
        ],
        3,
    )


def test_a_label_that_is_short_once_its_own_secret_is_hidden_names_the_item_after_it() -> None:
    assert redact([f"gh{'p'}_{TOKEN * 3} password:", "swordfish"]) == (["[REDACTED] password:", "[REDACTED]"], 2)


def test_a_name_is_judged_again_once_a_secret_in_it_is_hidden() -> None:
    name = f"gh{'p'}_{TOKEN * 2}Page token"  # a page token is harmless

    assert ({"name": "[REDACTED] token", "value": "[REDACTED]"}, 2) == redact({"name": name, "value": TOKEN[::-1]})
    assert ({"[REDACTED] token": "[REDACTED]"}, 2) == redact({name: TOKEN[::-1]})


def test_a_short_key_may_hold_a_secret() -> None:
    assert redact({"password=a1b": 1}) == ({"password=[REDACTED]": 1}, 1)


@pytest.mark.parametrize(
    "text",
    [
        '{{"type": "ping"}}' + '\n{{"name": "password", "value": "{0}"}}' * 5,
        '{{"a": 1}} password={0}',
        'password={0} {{"a": 1}}',
        ' "password={0}"',
        '\n"{{\\"name\\": \\"password\\", \\"value\\": \\"{0}\\"}}"',
    ],
)
def test_text_and_documents_of_json_are_read_beside_each_other(text: str) -> None:
    assert text.format("[REDACTED]") == redact(text.format("swordfish"))[0]


def test_the_text_around_images_is_read_and_the_images_stay() -> None:
    image = "data:image/png;base64,iVBORw0KGgo" + "A1b2" * 20
    html = f'token={{}} <img src="{image}"> password={{}} <img src="{image}"> secret={{}}'

    cleaned, count = redact(html.format(TOKEN, PASSWORD, "swordfish9"))

    assert (html.format(*["[REDACTED]"] * 3), 3) == (cleaned, count)


def test_a_cookie_strings_random_values_are_looked_for_elsewhere_and_its_plain_ones_are_not() -> None:
    body = {"cookie": f"lang=en-US,en; sid={TOKEN}", "languages": "en-US,en", "title": f"of {TOKEN}"}

    assert redact(body)[0] == {
        "cookie": "lang=[REDACTED]; sid=[REDACTED]",
        "languages": "en-US,en",
        "title": "of [REDACTED]",
    }


def test_a_key_that_is_a_secret_is_hidden_and_no_entry_is_lost() -> None:
    first, second = (f"gh{kind}_" + TOKEN * 2 for kind in "po")

    assert redact({first: 1, second: 2, "name": 3})[0] == {"[REDACTED]": 1, "[REDACTED]#1": 2, "name": 3}


def test_bytes_stay_bytes() -> None:
    assert redact({"a": f"password={PASSWORD}&x=1".encode(), "b": b"\xff\x00 ok"})[0] == {
        "a": b"password=[REDACTED]&x=1",
        "b": b"\xff\x00 ok",
    }


def test_bytes_that_are_no_utf_8_stay_as_they_are_beside_a_secret() -> None:
    assert redact(f"\xff &euro; &quot;password={PASSWORD}&quot;".encode("latin-1"))[0] == (
        b"\xff &euro; &quot;password=[REDACTED]&quot;"
    )


def test_json_in_a_string_keeps_every_other_byte() -> None:
    text = f'{{ "a" : 1.50,\t"password":"{PASSWORD}" , "b":"\\u00e9\\/", "c": [ ] }}\n'

    assert redact(text)[0] == text.replace(PASSWORD, "[REDACTED]")


def test_a_field_whose_value_is_empty_or_masked_already_is_left_alone() -> None:
    body = {
        "password": "",
        "token": None,
        "secret": True,
        "text": "password: ********",
        "html": '<input type="password" value="">',
    }

    assert redact(body) == (body, 0)


def test_source_code_is_left_readable() -> None:
    code = [
        "function login(user, password) { return api.post('/login', { user, password }); }",
        "const token = await getToken(); if (!token) throw new Error('no token');",
        "password: string | null; apiKey?: string;",
        "headers['Authorization'] = `Bearer ${token}`;",
        "self.password = password or os.environ['PASSWORD']",
        "def __init__(self, secret_id: str, private_key: rsa.RSAPrivateKey | None = None) -> None:",
        "passwords: Optional[dict[str, str]] = None",
        "cookie[key] = value; credentials: init.credentials ?? 'same-origin'",
        ":param refresh_token: Unicode refresh token.",
        '"pattern": "^(?=.*[a-z])(?=.*[A-Z])(?=.*[0-9]).{8,}$"',
    ]

    assert redact(code) == (code, 0)


def test_a_form_s_text_about_a_password_is_left_readable() -> None:
    said = {
        "errors": {"password": ["This field is required.", "is too short (minimum is 8 characters)"]},
        "password": "Enter your password",
    }

    assert redact(said) == (said, 0)
