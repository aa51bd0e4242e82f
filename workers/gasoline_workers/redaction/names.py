"""What a name means for the value beside it, judged by the name alone.

A name is split into words (camelCase, snake_case, kebab-case, dots, brackets) and judged by its head noun, the last
word: `author`, `tokenCount`, `keyboard` and `passwordHint` are harmless, `apiKey`, `csrf_token` and `X-API-Key` are
not. Matching sensitive words anywhere in a name spoils a tenth of harmless browser data (measured on realistic
bodies).
"""

import re
import tomllib
import unicodedata
from enum import IntEnum
from functools import cache, lru_cache
from importlib.resources import files
from urllib.parse import unquote

from gasoline_workers.redaction import labels
from gasoline_workers.redaction.messages import unnumbered


class Meaning(IntEnum):
    """The meanings of a value beside a name, in rising order of certainty."""

    HARMLESS = 0
    KEY = 1  # a bare `key`: secret only if it is plainly random
    KEY_OF = 2  # a `key` of something that no table knows, `acme_key`: secret if it is long and looks random
    TOKEN = 3  # a bare `token`, `session`, `signature`: secret if it looks random
    CODE = 4  # a one-time code, a PIN, a card or social security number
    CREDENTIAL = 5  # an API key, an access token, a session id: any value that is not a plain word of prose
    PASSWORD = 6  # any value that is not a sentence about passwords
    STORED = 7  # a cookie, a stored value, a header's value: any value at all
    MASKED = 8  # what is typed into a password field: any value at all
    COOKIES = 9  # a container of cookies, or a cookie string
    HEADERS = 10  # a container of HTTP headers
    STORAGE = 11  # a container of stored values
    ARGUMENTS = 12  # a container of the arguments of a console call


def word_set(words: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(words.split())


_KINDS = {
    Meaning.KEY: "key", Meaning.KEY_OF: "key", Meaning.TOKEN: "token", Meaning.CODE: "code",
    Meaning.CREDENTIAL: "credential",
    Meaning.PASSWORD: "password", Meaning.MASKED: "password", Meaning.COOKIES: "cookie",
}  # fmt: skip

H, T, C, S, W = Meaning.HARMLESS, Meaning.TOKEN, Meaning.CODE, Meaning.CREDENTIAL, Meaning.PASSWORD

LONGEST = 96
"""Characters of a name that are read, from its end, where the head noun stands."""

WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")

JOINED = {
    ("one", "time"): "onetime", ("2", "fa"): "mfa", ("two", "factor"): "mfa", ("pass", "word"): "password",
    ("pass", "phrase"): "passphrase", ("pass", "code"): "passcode", ("social", "security"): "ssn",
    ("local", "storage"): "localstorage", ("session", "storage"): "sessionstorage", ("o", "auth"): "oauth",
}  # fmt: skip
"""Words that are one, however they are written."""

FILLERS = word_set(
    """value val values string str header input raw plain plaintext encoded b base hex confirm confirmation repeat again
    new old current v is was env param one two first second field data text
    prod production dev development stage staging sandbox live test local main default primary secondary""",
)
"""Words after the head noun that say nothing of their own: `passwordConfirmation`, `apiKeyValue`, `authHeader`."""

HEADS = {
    Meaning.PASSWORD: """password passwd passwort pwd pw psw pword passphrase passcode kennwort contrasena senha
        motdepasse wachtwoord kodeord heslo haslo sifre mdp secret authorization mnemonic psk pswd paswd passwrd
        pword""",
    Meaning.CREDENTIAL: "csrf xsrf sessid sesskey wpnonce credential cred pass passkey skey",
    Meaning.TOKEN: "token auth session sid jwt bearer signature sig nonce salt pepper ticket pat crumb",
    Meaning.CODE: "otp otc totp hotp pin puk cvv cvc csc ssn mfa pincode",
    Meaning.KEY: "key code",
    Meaning.COOKIES: "cookie",
    Meaning.HEADERS: "header",
    Meaning.STORAGE: "localstorage sessionstorage",
    Meaning.ARGUMENTS: "arg argument parameter",
}
"""Head nouns that speak for themselves."""

QUALIFIED = {
    "token": {
        H: """page next prev previous cursor continuation pagination sync resume cancel cancellation css design color
            theme max min num number total prompt completion input output parse syntax lexer reserved special stop eos
            bos pad used remaining cached symbol sequence starting request idempotency""",
        S: """access auth refresh id bearer api csrf xsrf csrfmiddleware session security oauth device push fcm reset
            invite verification requestverification authenticity remember personal bot user admin registration upload
            download preview magic login sso jwt service webhook deploy secret private client app password account
            install installation identity impersonation deployment github gitlab slack npm pypi vault consul sentry
            registry database db cloud server master root support jira discord telegram stripe join enrollment
            enrolment bootstrap unseal publish publishing mqtt bridge agent runner hub space project scim feed pipeline
            trigger dependency verify webhooks integration tenant personalaccess provisioning""",
    },
    "key": {
        H: """public publishable primary foreign sort partition cache row query index translation storage object group
            react shift ctrl alt meta arrow press hot short message locale label idempotency dedupe dedup entity item
            node map data file content asset section field column group id hash lookup unique composite natural
            surrogate compound parent child list set dict config setting option property record document page route
            routing shard ordering event topic task job build bundle chunk module component issue project ticket
            lang language i18n l10n text string copy any no some which each this that same other first last next
            enter tab escape space delete arrow function modifier left right up down keyboard pressed
            schema table model type enum theme style color font image icon media scene frame layer scan
            pub fingerprint etag version checksum digest
            at by with the a an of for in on to from as and or under has have missing duplicate found hit miss""",
        S: """api secret private access auth encryption encrypt decryption signing sign signature master license
            licence account shared service server admin ssh rsa dsa ecdsa pgp gpg aes des hmac webhook consumer root
            deploy ingest write subscription functions product activation wifi wep wpa recovery backup rapidapi
            integration restricted live personal developer preshared unseal hmac tsig rndc instrumentation pairing
            nwk nwks apps appskey network dek kek cek derivation keystore wallet validator gossip join bootstrap
            enrollment enrolment provisioning sas rcon kms smtp signer seal sealing bot merchant terminal registration
            session merge openai anthropic stripe aws azure google gcp maps sendgrid mailgun twilio algolia
            datadog heroku cloudflare crypto cipher vault jwt cookie password token wrapping""",
        T: "app session user client host device sess",
    },
    "code": {
        C: """verification verify security auth authentication authenticator sms otp totp mfa onetime login confirmation
            recovery backup reset pairing pin cvv cvc csc scratch""",
        S: "device authorization",
        H: """error status country language zip postal postcode area color product source qr bar exit http response
            currency""",
    },
    "id": {S: "session secret sess jsession phpsess aspsession"},
    "number": {C: "card credit cc debit ssn creditcard"},
    "num": {C: "card cc credit debit creditcard"},
    "card": {C: "credit debit"},
    "phrase": {W: "seed secret recovery mnemonic backup wallet"},
    "words": {W: "seed secret recovery mnemonic backup wallet"},
    "seed": {W: "wallet secret recovery mnemonic master"},
    "hash": {S: "password passwd pwd pass credential"},
    "digest": {S: "password passwd"},
    "verifier": {S: "code pkce"},
    "assertion": {S: "client saml jwt"},
    "answer": {Meaning.PASSWORD: "security secret recovery"},
    "response": {S: "saml recaptcha captcha hcaptcha"},
    "request": {S: "saml"},
    "url": {Meaning.PASSWORD: "webhook"},
    "passe": {S: "de"},
    "cookie": {W: "erlang magic"},
    "string": {S: "community connection"},
    "grant": {S: "access"},
}  # fmt: skip
"""Head nouns that mean something else, or only mean something, after another word; the nearest such word decides."""

VERBS = word_set(
    "forgot forgotten show hide toggle has is require requires required remember enable use reset change no"
)
"""A leading verb makes a name an action or a switch: `forgotPassword`, `showPassword`, `resetPassword`."""

GLUED = ("password", "passwd", "passphrase", "passwort", "token", "secret", "apikey", "sessid", "cookie", "credential")
"""Endings that no harmless English word has, for names written without borders: `dbpassword`, `usertoken`."""

BEFORE_FILLERS = ("password", "secret")
"""What is glued to a word that says no more: `secretvalue`."""

BEFORE_PASS = word_set("by com encom over sur tres under low high band all render multi sub first second single")
"""What makes an English word of the ending `pass`, which else glues a password's name: `requirepass`, `dbpass`."""


@cache
def foreign() -> tuple[str, ...]:
    """Return what other languages call a password, for labels and keys beside a value."""
    table = tomllib.loads(files("gasoline_workers.redaction").joinpath("languages.toml").read_text("utf-8"))
    return tuple(sorted({word for words in table.values() for word in words}))


_NOUNS = {"key": Meaning.CREDENTIAL, "code": Meaning.CODE, "token": Meaning.CREDENTIAL, "phrase": Meaning.PASSWORD}
"""What the nouns of `labels` mean."""

DIGEST = re.compile("(?=[a-f]*[0-9])[0-9]*[a-f][0-9a-f]{7,}")
"""An id or a digest: `582ccca9c9a2fa3b` names nothing, though `2fa` stands in it."""

NPM_LOGIN = "_auth"
"""What npm calls a user and a password in Base64."""

MANY = 1_000
"""What is not counted beside secrets: a number of four digits under a plural may be a PIN."""

HEADER = re.compile(
    r"token|secret|key|passw|cookie|session|signature|assertion|jwt|[cx]srf|(?<![a-z])auth(?:orization|[-_]|$)",
    re.IGNORECASE,
)
"""Seed 002, Header Sanitization: Authorization, Cookie, X-API-Key and any header matching token|secret|key|password."""

_PLAIN = {word: meaning for meaning, words in HEADS.items() for word in words.split()}
_QUALIFIED = {
    head: {word: meaning for meaning, words in meanings.items() for word in words.split()}
    for head, meanings in QUALIFIED.items()
}


def stronger(first: Meaning, second: Meaning) -> Meaning:
    """Combine two meanings of one value, so that what either would hide is hidden."""
    if Meaning.HARMLESS in (first, second) or first is second:
        return max(first, second)
    low, high = sorted((first, second))
    if high > Meaning.MASKED:
        return high if low > Meaning.MASKED else max(low, Meaning.STORED)
    return max(high, Meaning.PASSWORD) if Meaning.CODE in (first, second) else high


def at_most(meaning: Meaning, limit: Meaning) -> Meaning:
    """Weaken the meaning of a value that a name only hints at; a container's name hints at nothing."""
    return Meaning.HARMLESS if meaning > Meaning.MASKED else min(meaning, limit)


@cache
def stems() -> tuple[str, ...]:
    """Return patterns in lower case of which one occurs in every name that means something, derived from the tables."""
    own = {word for kind, words in HEADS.items() if kind is not Meaning.ARGUMENTS for word in words.split()}
    own -= {"header"}  # and arguments: containers are read by their structure
    found = {*own, *GLUED, *("".join(pair) for pair in JOINED)}
    for head, kinds in _QUALIFIED.items():
        if head not in own:
            found |= {_stem(word, head) for word, kind in kinds.items() if kind is not Meaning.HARMLESS}
    literal = {stem for stem in found if stem.isalnum()}
    shortest = {stem for stem in literal if not any(other in stem and other != stem for other in literal)}
    apart = {f"{first}[^a-z]{{1,3}}{second}" for first, second in JOINED if not _holds(first, second, shortest)}
    compound = {stem for stem in found - literal if not any(other in stem for other in shortest)}
    longest_first = sorted(foreign(), key=len, reverse=True)  # of two that begin alike the first that occurs is taken
    return (*map(re.escape, longest_first), *labels.stems(), *sorted(shortest | compound | apart))


def _stem(qualifier: str, head: str) -> str:
    """Return what occurs in every name of `head` with `qualifier`: the rarer of both, a short one with its border."""
    if head in ("phrase", "seed", "digest", "verifier", "assertion", "passe"):
        return head
    return qualifier if len(qualifier) > 2 else f"{qualifier}(?:[^a-z]|{head})"  # noqa: PLR2004 - `cc` is in `success`


def _holds(first: str, second: str, stems: set[str]) -> bool:
    return any(stem in first or stem in second for stem in stems)


def meaning(name: str) -> Meaning:
    """Return the meaning of a value beside `name`."""
    return _meaning(unnumbered(name)[-LONGEST:])


def header_meaning(name: str) -> Meaning:
    """Return the meaning of a value beside the name of an HTTP header, which is judged more strictly than any other."""
    own = meaning(name)
    return own if own is Meaning.COOKIES or not HEADER.search(name[-LONGEST:]) else Meaning.STORED


@lru_cache(maxsize=8192)
def _meaning(name: str) -> Meaning:
    if (not name.isascii() or " " in name or "-" in name) and (kind := _foreign(name)):
        return kind
    if name == NPM_LOGIN:
        return Meaning.PASSWORD
    if DIGEST.fullmatch(name):
        return Meaning.HARMLESS
    words = _words(unquote(name))
    while len(words) > 1 and (words[-1] in FILLERS or words[-1].isdigit()):
        words.pop()
    if not words or (len(words) > 1 and words[0] in VERBS and words[0] not in _QUALIFIED.get(words[-1], {})):
        return Meaning.HARMLESS
    kind = _judge(words[-1], words[-2::-1])
    return kind if kind > Meaning.KEY_OF or not name.isascii() else max(kind, _labelled(" ".join(words)))


def begins_with_verb(name: str) -> bool:
    """Return whether the first word of a name makes it an action or a switch."""
    return next(iter(_words(unquote(name[-LONGEST:]))), "") in VERBS


def counts(name: str, number: float) -> bool:
    """Return whether a name and a number count things and hold none: `secrets: 1`."""
    return name[-1:] in ("s", "S") and name[-2:-1] not in ("s", "S") and 0 <= number < MANY


def kind_of(meaning: Meaning) -> str:
    """Return what a value of that meaning is called where kinds of secrets are listed."""
    return _KINDS.get(meaning, "stored-value")


def is_harmless_code(word: str) -> bool:
    """Return whether `word` before `code` makes it harmless: a zip code, an error code."""
    return _QUALIFIED["code"].get(word) is Meaning.HARMLESS


def _foreign(name: str) -> Meaning:
    folded = unicodedata.normalize("NFKC", name).casefold().rstrip(":\uff1a* ")
    if folded.endswith(_folded()):
        return Meaning.PASSWORD
    return _labelled(name)


def _labelled(label: str) -> Meaning:
    return max((_NOUNS[noun] for noun in labels.nouns(label)), default=Meaning.HARMLESS)


@cache
def _folded() -> tuple[str, ...]:
    """Return the words as names are compared: a final sigma is folded to another letter."""
    return tuple(unicodedata.normalize("NFKC", word).casefold() for word in foreign())


def _words(name: str) -> list[str]:
    words = [word.lower() for word in WORD.findall(name.removeprefix("this.").removeprefix("self."))]
    for index in range(len(words) - 1, 0, -1):
        if joined := JOINED.get((words[index - 1], words[index])):
            words[index - 1 : index + 1] = [joined]
    return words


@cache
def _foreign_words() -> frozenset[str]:
    """Return the words of other languages that are spelled without accents: alone they are compared whole."""
    return frozenset(word for word in foreign() if word.isascii() and word.isalpha())


def _judge(head: str, qualifiers: list[str]) -> Meaning:
    if head in _foreign_words():
        return Meaning.PASSWORD
    head = _singular(head)
    known = _QUALIFIED.get(head, {})
    for place, word in enumerate(qualifiers[:2]):
        if word in known and (head != "key" or place == 0 or known[word] is not H):  # `config.acme.key` is acme's key
            return known[word]
    if head in _PLAIN:
        plain = _PLAIN[head]
        return plain if plain is not Meaning.KEY or not qualifiers else H if head == "code" else Meaning.KEY_OF
    return _glued(head)


def _singular(word: str) -> str:
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and word != "words" else word


def _glued(head: str) -> Meaning:
    """Judge a word that may be two written as one: `apikey`, `csrfmiddlewaretoken`, `sessionid`, `passwordconfirm`."""
    for ending, meanings in _QUALIFIED.items():
        stem = head.removesuffix(ending)
        if stem != head and (hits := [meanings[word] for word in meanings if stem.endswith(word) and len(word) > 1]):
            return max(hits)
    for ending in GLUED:
        if head.endswith(ending):
            return meaning(ending)
    if head.endswith("pass") and head.removesuffix("pass") not in BEFORE_PASS:
        return Meaning.CREDENTIAL
    is_filled = any(head.startswith(one) and head.removeprefix(one) in FILLERS for one in BEFORE_FILLERS)
    return Meaning.PASSWORD if is_filled else Meaning.HARMLESS
