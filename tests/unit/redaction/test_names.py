# ruff: noqa: E501, SIM905 - words are read as words
"""What a name says: judged by its last noun, so that names that only contain a sensitive word stay harmless."""

import pytest

from gasoline_workers.redaction.assignments import _stems
from gasoline_workers.redaction.names import HEADS, QUALIFIED, Meaning, header_meaning, meaning, stronger

SENSITIVE = """password Password user_password passwordConfirmation confirm-password newPassword2 DB_PASSWORD dbpassword
    j_password user[password] pwd passwd passphrase pass pw secret client-secret clientSecret CLIENT_SECRET secretKey apiKey
    api_key APIKey APIKEY apikey xApiKey X-API-Key x-api-key access_token accessToken authToken refresh_token id_token idToken
    csrf csrf_token csrfToken csrftoken csrfmiddlewaretoken _csrf XSRF-TOKEN authenticity_token __RequestVerificationToken
    sessionId session_id SESSIONID JSESSIONID PHPSESSID ASP.NET_SessionId connect.sid sid session jwt bearerToken privateKey
    private_key encryptionKey signing_secret awsSecretAccessKey AWS_SECRET_ACCESS_KEY AccountKey SharedAccessKey otp totp cvv
    cvc2 pin verificationCode one_time_code oneTimeCode 2fa recoveryCodes cardNumber creditCard ssn mnemonic seedPhrase
    recovery_phrase Authorization authorization authHeader apiKeyValue passwordHash password_digest code_verifier passWord
    signature sig nonce auth token tokens secrets passwords apiKeys webhook_url securityAnswer SAMLResponse x_my_api_key_v2
    contraseña пароль 密码 passwort motdepasse user%5Bpassword%5D config.apiKey data-token""".split()

HARMLESS = """author authority authorName authors keyboard keyboardType monkey turkey hockey keywords keyCode keydown
    primaryKey foreignKey sortKey cacheKey publicKey publishableKey tokenCount tokenType token_type maxTokens cssTokens
    nextPageToken page_token designToken passwordHint passwordLength passwordPolicy passwordStrength password-toggle
    forgotPassword resetPassword showPassword hasPassword passwordRequired secretary session_count sessionDuration cookieBanner
    cookiePolicy cookieName expires_in scope state statusCode errorCode countryCode zipCode barcode qrcode unicode encode
    decoded passenger compass bypass passed passive userId processId grid hidden pinned opinion spinner discard dashboard
    cardinal username email name value id url content title text href class style passwordUrl tokenEndpoint keyPath
    credentialsMode design sign assign significant signal hash digest etag sha integrity
    582ccca9c9a2fa3b 9e6f6f7ba817e2fa""".split()


@pytest.mark.parametrize("name", SENSITIVE)
def test_a_sensitive_name_means_something(name: str) -> None:
    assert meaning(name) is not Meaning.HARMLESS


@pytest.mark.parametrize("name", HARMLESS)
def test_a_name_that_contains_a_sensitive_word_is_harmless(name: str) -> None:
    assert meaning(name) is Meaning.HARMLESS


@pytest.mark.parametrize(
    "name", ["Authorization", "X-API-Key", "X-Token-Thing", "My-Secret", "Sec-WebSocket-Key", "x-password-y"]
)
def test_a_header_that_the_seed_names_is_stripped_with_any_value(name: str) -> None:
    assert header_meaning(name) is Meaning.STORED


@pytest.mark.parametrize("name", ["Cookie", "set-cookie", "Set-Cookie"])
def test_a_cookie_header_keeps_the_names_of_its_cookies(name: str) -> None:
    assert header_meaning(name) is Meaning.COOKIES


@pytest.mark.parametrize(
    "name", ["Content-Type", "Vary", "ETag", ":authority", "Keep-Alive", "WWW-Authenticate", "X-Author"]
)
def test_another_header_is_harmless(name: str) -> None:
    assert header_meaning(name) is Meaning.HARMLESS


@pytest.mark.parametrize("name", [name for name in SENSITIVE if meaning(name) is not Meaning.HARMLESS])
def test_every_sensitive_name_is_found_in_running_text(name: str) -> None:
    assert [*_stems().places(name.lower())]


def test_every_head_noun_is_found_in_running_text() -> None:
    spoken = {word for words in HEADS.values() for word in words.split()} - {
        "header",
        "arg",
        "argument",
        "parameter",
        "sid",
    }
    joined = {f"{word}{head}" for head, meanings in QUALIFIED.items() for words in meanings.values() for word in words.split()
              if meaning(f"{word}_{head}") not in (Meaning.HARMLESS, Meaning.HEADERS)}  # fmt: skip

    assert [] == [name for name in spoken | joined if not [*_stems().places(name)]]


@pytest.mark.requirement("mutate-004")
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("api_key", Meaning.CREDENTIAL),
        ("api_blue_key", Meaning.CREDENTIAL),
        ("api_small_blue_key", Meaning.KEY_OF),
        ("key", Meaning.KEY),
        ("config_acme_key", Meaning.KEY_OF),
        ("page_blue_token", Meaning.HARMLESS),
        ("page_small_blue_token", Meaning.TOKEN),
    ],
)
def test_two_words_before_a_head_noun_decide_and_a_third_does_not(name: str, expected: Meaning) -> None:
    assert expected is meaning(name)


def test_two_meanings_hide_what_either_hides() -> None:
    assert stronger(Meaning.TOKEN, Meaning.PASSWORD) is Meaning.PASSWORD
    assert stronger(Meaning.CODE, Meaning.CREDENTIAL) is Meaning.PASSWORD
    assert stronger(Meaning.COOKIES, Meaning.TOKEN) is Meaning.STORED
    assert stronger(Meaning.HARMLESS, Meaning.COOKIES) is Meaning.COOKIES


def test_a_name_of_any_length_is_judged_by_its_end() -> None:
    assert meaning("x" * 100_000 + "_password") is Meaning.PASSWORD


@pytest.mark.parametrize(
    "name",
    ["Salasana", "geslo", "new_passord", "Lozinka:", "Adgangskode", "סיסמה", "გვერდის პაროლი", "Κωδικός πρόσβασης:"],
)
def test_another_languages_word_for_password_means_one(name: str) -> None:
    assert Meaning.PASSWORD is meaning(name)


@pytest.mark.parametrize("name", ["parole", "gesloten", "parolepath", "clave"])
def test_a_word_that_only_begins_like_one_or_means_another_thing_elsewhere_is_harmless(name: str) -> None:
    assert Meaning.HARMLESS is meaning(name)
