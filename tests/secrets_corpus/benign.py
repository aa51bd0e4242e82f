# ruff: noqa: E501 - one shape, one line
"""Harmless data of the corpus: made ones under harmless names, and lines of real files beside the project."""

import hashlib
import json
import random
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

from secrets_corpus.kinds import STYLES, spell
from secrets_corpus.wrappings import NAMED

ROOT = Path(__file__).parents[2]

NAMES = [
    "author",
    "token_count",
    "keyboard",
    "monkey",
    "primary_key",
    "sort_key",
    "cache_key",
    "max_tokens",
    "token_type",
    "password_hint",
    "status_code",
    "country_code",
    "keywords",
    "session_count",
    "cookie_policy",
    "public_key",
    "design_token",
    "expires_in",
    "page_token",
    "compass",
    "passenger",
    "key_path",
    "error_code",
    "signature_count",
    "secretary",
    "authority",
    "hash",
    "etag",
    "build_id",
    "request_id",
    "trace_id",
    "commit",
    "user_id",
    "order_id",
    "title",
    "url",
    "image_src",
    "style",
    "version",
    "checksum",
    "integrity",
    "file_name",
    "release",
    "locale",
    "theme",
    "created_at",
    "pass_rate",
    "code_block",
    "barcode",
    "pinned",
    "card_title",
    "hidden_field",
    "author_key_count",
    "next_page_token",
    "tokenizer",
    "session_duration",
    "password_strength",
    "forgot_password",
    "secret_santa_date",
]

VALUES: dict[str, Callable[[random.Random], str]] = {
    "uuid": lambda rng: str(uuid.UUID(int=rng.getrandbits(128), version=4)),
    "sha1": lambda rng: hashlib.sha1(rng.randbytes(9)).hexdigest(),  # noqa: S324 - a commit's id
    "sha256": lambda rng: hashlib.sha256(rng.randbytes(9)).hexdigest(),
    "integrity": lambda rng: "sha512-" + __import__("base64").b64encode(hashlib.sha512(rng.randbytes(9)).digest()).decode(),
    "colour": lambda rng: f"#{rng.getrandbits(24):06x}",
    "date": lambda rng: f"20{rng.randint(10, 26)}-0{rng.randint(1, 9)}-1{rng.randint(0, 9)}T0{rng.randint(0, 9)}:30:00.000Z",
    "version": lambda rng: f"{rng.randint(0, 20)}.{rng.randint(0, 40)}.{rng.randint(0, 9)}-rc.{rng.randint(1, 9)}",
    "word": lambda rng: rng.choice(["primary", "enabled", "Berlin", "dashboard", "overview", "settings", "profile", "medium", "newsletter", "Jane"]),
    "sentence": lambda rng: rng.choice(("Enter your name to continue", "The report is ready for download", "Saved all changes", "Please try again later")),
    "chunk": lambda rng: f"/static/js/main.{rng.getrandbits(32):08x}.chunk.js",
    "class": lambda rng: f"css-{rng.getrandbits(24):x} btn-primary sc-bdVaJa",
    "number": lambda rng: str(rng.randint(1, 10**6)),
    "milliseconds": lambda rng: str(1_700_000_000_000 + rng.randint(0, 10**10)),
    "path": lambda rng: f"src/components/TokenList{rng.randint(1, 99)}.tsx",
    "camel": lambda rng: rng.choice(["getElementById", "useEffectOnce", "createAsyncThunk", "XMLHttpRequestEventTarget", "handleSubmitLogin2", "onBeforeUnload"]),
    "url": lambda rng: f"https://example.test/products/{rng.randint(1, 999)}?page=2&sort=asc",
    "email-like": lambda rng: f"v{rng.randint(1, 9)}@latest",
    "etag": lambda rng: f'W/"{rng.getrandbits(48):x}"',
    "money": lambda rng: f"EUR {rng.randint(1, 9999)},99",
    "svg": lambda rng: f"M{rng.randint(1, 99)} 10 H 90 V {rng.randint(1, 99)} H 10 L 10 10",
}  # fmt: skip

SENTENCES = """Forgot your password?|Password must be at least 8 characters|The token expired, sign in again|Invalid token|Press any key to continue
Your session is about to expire|const token = useToken();|password: string; token?: string|if (password === confirmPassword) submit()
apiKey: process.env.API_KEY,|Authorization: required|Access-Control-Allow-Headers: Authorization, X-API-Key|Bearer token required|Keys: 12, tokens: 345
Basic authentication|PIN it to the board|ReferenceError: token is not defined|function getPassword(secret) { return secret.value; }|The secret is out
Enter the code from your app|Wrong password, two tries left|Das Passwort muss mindestens 8 Zeichen haben|Mot de passe oublié ?|¿Olvidaste tu contraseña?
パスワードを忘れた場合|密码至少8位|Wachtwoord vergeten?|Zapomniałeś hasła?|Esqueceu a senha?|Пароль должен содержать не менее 8 символов|Şifremi unuttum""".replace(
    "\n", "|"
).split("|")


def made(rng: random.Random, count: int) -> Iterator[tuple[str, object]]:
    """Make `count` harmless bodies in the wrappings of the secrets."""
    wraps = list(NAMED.items())
    kinds = list(VALUES)
    for number in range(count):
        kind = kinds[number % len(kinds)]
        wrapping, wrap = wraps[rng.randrange(len(wraps))]
        if wrapping in (
            "storage",
            "cookie-text",
            "set-cookie",
            "headers",
            "headers-list",
            "header-text",
            "curl-header",
            "netrc",
            "nginx",
        ):
            continue  # every stored value, cookie and header of such a name is hidden by rule
        yield f"{kind} in {wrapping}", wrap(spell(rng.choice(NAMES), rng.choice(STYLES)), VALUES[kind](rng))
    for sentence in SENTENCES:
        yield "sentence", sentence
        yield "sentence", {"args": [sentence]}
        yield "sentence", json.dumps({"message": sentence}, ensure_ascii=False)


REAL = {
    "minified": ("node_modules/axe-core/axe.min.js", "node_modules/*/*/*.min.js", "node_modules/*/*/*/*.min.js"),
    "bundle": ("extension/dist/*.js", "node_modules/axe-core/axe.js", "node_modules/web-vitals/dist/*.js"),
    "source map": ("node_modules/**/*.map",),
    "lock file": ("package-lock.json", "constraints.txt", "node_modules/.package-lock.json"),
    "i18n": ("node_modules/axe-core/locales/*.json", "node_modules/typescript/lib/*/diagnosticMessages.generated.json"),
    "source": ("broker/**/*.py", "bridge/**/*.py", "extension/src/**/*.ts"),
    "documents": ("docs/*.md", "node_modules/*/README.md"),
}
LONGEST = 2_000


def real(most: int) -> Iterator[tuple[str, str]]:
    """Read up to `most` distinct lines, cut at LONGEST characters, of each kind of real file."""
    for kind, patterns in REAL.items():
        seen: set[str] = set()
        for pattern in patterns:
            for path in sorted(ROOT.glob(pattern)):
                if path.is_file() and len(seen) < most:
                    seen.update(_pieces(path.read_text(errors="replace")))
        yield from ((kind, piece) for piece in sorted(seen)[:: max(1, len(seen) // most)])


def _pieces(text: str) -> Iterator[str]:
    for line in text.splitlines():
        if line.strip():
            yield from (line[start : start + LONGEST] for start in range(0, min(len(line), 40 * LONGEST), LONGEST))
