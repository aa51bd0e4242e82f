# ruff: noqa: E501 - one kind, one line
"""The secrets of the corpus: each kind with how its issuer spells it, and the names under which opaque ones stand.

A template is text with classes in braces: `{A36}` is 36 letters and digits. Values are made at run time from a seed, so
no scanner takes this file for a leak.
"""

import base64
import random
import re
import string
import uuid
from collections.abc import Callable

ALPHABETS = {
    "A": string.ascii_letters + string.digits,
    "a": string.ascii_lowercase + string.digits,
    "U": string.ascii_uppercase + string.digits,
    "h": "0123456789abcdef",
    "2": string.ascii_uppercase + "234567",
    "B": string.ascii_letters + string.digits + "-_",
    "S": string.ascii_letters + string.digits + "+/",
    "d": string.digits,
    "b": "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
    "z": "qpzry9x8gf2tvdw0s3jn54khce6mua7l",
}
CLASS = re.compile(r"\{(\w)(\d+)\}")

SERVICES = {
    "aws-key-id": "AK|IA{2016}", "aws-session-id": "AS|IA{2016}", "github-classic": "gh|p_{A36}", "github-oauth": "gh|o_{A36}",
    "github-app": "gh|s_{A36}", "github-fine": "github|_pat_{A22}_{A59}", "gitlab-pat": "gl|pat-{B20}", "gitlab-runner": "gl|rt-{B20}",
    "gitlab-deploy": "gl|dt-{B20}", "slack-bot": "xo|xb-{d12}-{d12}-{A24}", "slack-user": "xo|xp-{d12}-{d12}-{d12}-{h32}",
    "slack-app": "xa|pp-1-{U11}-{d13}-{h64}", "stripe-live": "sk|_live_{A24}", "stripe-restricted": "rk|_live_{A24}",
    "stripe-webhook": "wh|sec_{A32}", "google-api": "AI|za{B35}", "google-oauth-client": "GOC|SPX-{B28}", "google-access": "ya|29.{B64}",
    "openai-project": "sk|-proj-{B64}", "openai-service": "sk|-svcacct-{B64}", "anthropic": "sk|-ant-api03-{B93}AA", "npm": "np|m_{A36}",
    "pypi": "py|pi-AgEIcHlwaS5vcmc{B64}", "sendgrid": "S|G.{B22}.{B43}", "twilio-key": "S|K{h32}", "shopify-access": "shp|at_{h32}",
    "shopify-secret": "shp|ss_{h32}", "digitalocean-pat": "do|p_v1_{h64}", "huggingface": "h|f_{A34}", "vault-service": "hv|s.{B90}",
    "telegram-bot": "{d10}:|AA{B33}", "mailgun": "ke|y-{h32}", "mailchimp": "{h32}-|us14", "databricks": "da|pi{h32}",
    "doppler": "dp|.pt.{A43}", "linear": "lin|_api_{A40}", "notion": "nt|n_{A46}", "figma": "fig|d_{B40}", "airtable": "pa|t{A14}.{h64}",
    "postman": "PM|AK-{h24}-{h34}", "newrelic": "NR|AK-{U27}", "grafana-service": "gl|sa_{A32}_{h8}", "grafana-cloud": "gl|c_{S60}",
    "atlassian": "AT|ATT3xFfGF0{B170}", "bitbucket-app": "AT|BB{A32}", "heroku": "HR|KU-{B60}", "netlify": "nf|p_{A36}",
    "supabase-access": "sb|p_{h40}", "supabase-secret": "sb|_secret_{B32}", "planetscale": "psc|ale_tkn_{B43}", "sentry-user": "sn|tryu_{h64}",
    "docker-pat": "dck|r_pat_{B27}", "square": "EA|AA{B60}", "square-secret": "sq|0csp-{B43}", "rubygems": "ruby|gems_{h48}",
    "replicate": "r|8_{A37}", "groq": "gs|k_{A52}", "xai": "xa|i-{A80}", "perplexity": "pp|lx-{A48}", "age": "AGE-SECRET|-KEY-1{U58}",
    "terraform": "{A14}.|atlasv1.{B67}", "onepassword": "op|s_eyJ{B250}", "flyio": "fm|2_{S120}", "cratesio": "ci|o{A32}",
    "contentful": "CFPAT|-{B43}", "frameio": "fi|o-u-{B64}", "dropbox-short": "s|l.{B136}", "duffel": "duff|el_live_{B43}",
    "easypost": "EZ|AK{A54}", "flutterwave": "FLWS|ECK-{h32}-X", "launchdarkly": "s|dk-{uuid}", "prefect": "pn|u_{a36}", "pulumi": "pu|l-{h40}",
    "readme": "rd|me_{a70}", "sendinblue": "xkey|sib-{h64}-{A16}", "shippo": "ship|po_live_{h40}", "typeform": "tf|p_{B59}",
    "yandex-iam": "t|1.{B86}.{B86}", "yandex-api": "AQ|VN{B36}", "alibaba": "LT|AI{A20}", "adobe-secret": "p8|e-{A32}",
    "clojars": "CLO|JARS_{a60}", "lob": "live|_{h35}", "plaid": "access|-production-{uuid}", "mapbox": "sk|.eyJ{B80}.{B22}",
    "discord-bot": "M{A23}.|{B6}.{B38}", "facebook": "EA|ACEdEose0cBA{A60}", "artifactory": "AK|Cp{A69}", "circleci": "CCI|PAT_{A22}_{h40}",
    "buildkite": "bk|ua_{h40}", "cloudinary": "cloud|inary://{d15}:{B27}@demo", "wireguard": "{S43}|=", "okta": "00|{B40}", "azure-ad": "{A3}8Q~|{B34}",
    "jwt": "ey|JhbGciOiJIUzI1NiJ9.eyJ{B40}.{B43}", "paseto": "v4.|local.{B80}", "bcrypt": "$2|b$12${A53}", "argon2": "$argon2|id$v=19$m=65536,t=3,p=4${S22}${S43}",
    "nostr": "nse|c1{z58}", "bitcoin-xprv": "xp|rv9{b107}", "asana": "{d1}/{d16}:|{h32}", "zapier-hook": "https://hooks.zap|ier.com/hooks/catch/{d8}/{a7}/",
    "card-visa": "card:4", "card-amex": "card:37", "iban": "iban:",
}  # fmt: skip
"""Kinds that say themselves what they are. `|` is dropped: it keeps the spelling out of this file."""

NEEDS_NAME = frozenset(("okta", "asana", "wireguard", "azure-ad", "lob", "adobe-secret"))
"""Services whose format says too little by itself: they stand under a name."""

PERSONAL = frozenset(("iban",))
"""What is personal data rather than a credential; measured apart."""

SYLLABLES = [
    "ba",
    "be",
    "bo",
    "ca",
    "co",
    "da",
    "de",
    "di",
    "do",
    "fa",
    "fe",
    "fi",
    "ga",
    "go",
    "ha",
    "he",
    "jo",
    "ka",
    "ke",
    "la",
    "le",
    "li",
    "lo",
    "ma",
    "me",
    "mi",
    "mo",
    "na",
    "ne",
    "no",
    "pa",
    "pe",
    "po",
    "ra",
    "re",
    "ri",
    "ro",
    "sa",
    "se",
    "si",
    "so",
    "ta",
    "te",
    "to",
    "va",
    "ve",
    "vi",
    "wa",
    "za",
]
WORDS = [
    "abandon",
    "ability",
    "basket",
    "cactus",
    "damage",
    "eagle",
    "fabric",
    "galaxy",
    "habit",
    "idea",
    "jacket",
    "kangaroo",
    "ladder",
    "machine",
    "napkin",
    "oak",
    "paddle",
    "quantum",
    "rabbit",
    "saddle",
    "table",
    "umbrella",
    "vacuum",
    "wagon",
    "yellow",
    "zebra",
    "zone",
    "zoo",
]


def _card(prefix: str, rng: random.Random) -> str:
    length = 15 if prefix.startswith("37") else 16
    digits = prefix + "".join(rng.choices("0123456789", k=length - 1 - len(prefix)))
    doubled = sum(sum(divmod(2 * int(digit), 10)) for digit in digits[::-2])
    return digits + str(-(doubled + sum(map(int, digits[-2::-2]))) % 10)


def _iban(rng: random.Random) -> str:
    account = "".join(rng.choices("0123456789", k=18))
    check = 98 - int(account + "1314" + "00") % 97
    return f"DE{check:02d}{account}"


def service(kind: str, rng: random.Random) -> str:
    """Make one secret of a service's kind."""
    template = SERVICES[kind].replace("|", "")
    if template.startswith("card:"):
        return _card(template[5:], rng)
    if template.startswith("iban:"):
        return _iban(rng)
    template = template.replace("{2016}", "{216}").replace(
        "{uuid}", str(uuid.UUID(int=rng.getrandbits(128), version=4))
    )
    return CLASS.sub(lambda part: "".join(rng.choices(ALPHABETS[part[1]], k=int(part[2]))), template)


def _word(rng: random.Random) -> str:
    return "".join(rng.choices(SYLLABLES, k=rng.randint(2, 3)))


OPAQUE: dict[str, Callable[[random.Random], str]] = {
    "hex32": lambda rng: f"{rng.getrandbits(128):032x}",
    "hex64": lambda rng: f"{rng.getrandbits(256):064x}",
    "base62-16": lambda rng: "".join(rng.choices(ALPHABETS["A"], k=16)),
    "base62-20": lambda rng: "".join(rng.choices(ALPHABETS["A"], k=20)),
    "base62-32": lambda rng: "".join(rng.choices(ALPHABETS["A"], k=32)),
    "lower-20": lambda rng: "".join(rng.choices(ALPHABETS["a"], k=20)),
    "letters-24": lambda rng: "".join(rng.choices(string.ascii_letters, k=24)),
    "base64-32": lambda rng: base64.b64encode(rng.randbytes(32)).decode(),
    "base64url-24": lambda rng: base64.urlsafe_b64encode(rng.randbytes(24)).decode().rstrip("="),
    "uuid": lambda rng: str(uuid.UUID(int=rng.getrandbits(128), version=4)),
}
PASSWORDS: dict[str, Callable[[random.Random], str]] = {
    "strong": lambda rng: (
        "".join(rng.choices(ALPHABETS["A"], k=9)) + rng.choice("!#*-_.") + "".join(rng.choices(ALPHABETS["A"], k=5))
    ),
    "human": lambda rng: _word(rng).capitalize() + str(rng.randint(10, 9999)) + rng.choice("!#*"),
    "leet": lambda rng: (
        _word(rng).replace("o", "0").replace("e", "3").replace("a", "4") + rng.choice("!#") + _word(rng)
    ),
    "two-words": lambda rng: f"{_word(rng)}-{_word(rng)}-{rng.randint(10, 99)}",
}
PHRASES: dict[str, Callable[[random.Random], str]] = {
    "passphrase": lambda rng: " ".join(_word(rng) for _ in range(5)),
    "mnemonic-12": lambda rng: " ".join(rng.choices(WORDS, k=12)),
    "mnemonic-24": lambda rng: " ".join(rng.choices(WORDS, k=24)),
}

TOKEN_NAMES = [
    "api_key",
    "access_token",
    "client_secret",
    "refresh_token",
    "auth_token",
    "session_token",
    "secret_key",
    "private_key",
    "signing_secret",
    "webhook_secret",
    "encryption_key",
    "client_secret_prod_key",
    "github_ci_token",
    "service_account_key",
    "jwt_secret",
    "app_secret",
    "master_key",
    "deploy_token",
    "bot_token",
    "api_secret_key",
    "bearer_token",
    "consumer_secret",
    "storage_account_key",
    "license_key",
    "csrf_token",
    "device_token",
    "admin_api_token",
    "stripe_key_live",
    "slack_signing_secret",
    "hmac_key",
    "id_token",
    "reset_token",
    "db_credentials",
    "integration_secret",
    "vault_token",
    "session_secret",
    "cookie_secret",
    "access_key_secret",
    "personal_access_token",
    "oauth_token_secret",
]
PASSWORD_NAMES = [
    "password",
    "passwd",
    "db_password",
    "user_password",
    "admin_pass",
    "smtp_pass",
    "pwd",
    "redis_password",
    "root_password",
    "new_password",
    "login_password",
    "wifi_password",
    "keystore_password",
    "ldap_bind_password",
    "passwort",
    "secret_answer",
    "mysql_root_pw",
    "password_prod",
    "current_password",
    "sudo_pass",
]
PHRASE_NAMES = [
    "backup_words",
    "seed_phrase",
    "recovery_phrase",
    "passphrase",
    "mnemonic",
    "wallet_seed",
    "recovery_words",
    "secret_phrase",
    "backup_phrase",
    "key_passphrase",
]
CARD_NAMES = ["cc_num", "card_number", "credit_card", "cc_number", "pan", "debit_card_number"]


def spell(name: str, style: str) -> str:  # noqa: PLR0911 - one style, one line
    """Spell a snake_case name in another style."""
    words = name.split("_")
    match style:
        case "camel":
            return words[0] + "".join(word.capitalize() for word in words[1:])
        case "kebab":
            return "-".join(words)
        case "upper":
            return name.upper()
        case "title":
            return " ".join(word.capitalize() for word in words)
        case "pascal":
            return "".join(word.capitalize() for word in words)
        case "dotted":
            return ".".join(words)
        case _:
            return name


STYLES = ("snake", "camel", "kebab", "upper", "pascal", "dotted")
