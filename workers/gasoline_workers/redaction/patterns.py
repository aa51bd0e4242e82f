"""Secrets that are recognizable by themselves, by prefix, format or checksum.

Every pattern begins with a literal and repeats one class of characters at a time, so that each is linear. Prefixes
and lengths are those that the issuers document, the lengths taken generously low, because what a page shows may be
cut off. The gitleaks configuration (MIT) was the check-list of issuers.
"""

import re
from collections.abc import Iterator

from gasoline_workers.redaction import private_keys, values
from gasoline_workers.redaction.matching import Rule, is_random, is_unmarked, matches
from gasoline_workers.redaction.spans import Span

PREFIXED = (
    r"A(?:Iza[\w-]{30,}|GE-SECRET-KEY-1[0-9A-Z]{20,}|T(?:ATT|CTT)3[\w=-]{20,})",  # Google API, age, Atlassian
    r"FlyV1 fm\d_[\w+/=,-]{20,}",
    r"G(?:OCSPX-[\w-]{16,}|R1348941[\w-]{16,})",  # Google OAuth, GitLab runners
    r"HRKU-[\w-]{20,}",  # Heroku
    r"NR(?:AK|RA|II|JS|BR|SP)-[A-Za-z0-9]{16,}",  # New Relic
    r"PMAK-[0-9a-f]{24}-[0-9a-f]{10,}",  # Postman
    r"S(?:G\.[\w-]{16,}\.[\w-]{16,}|K[0-9a-f]{32})",  # SendGrid, Twilio
    r"d(?:o[opr]_v1_[0-9a-f]{32,}|p\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{20,})",  # DigitalOcean, Doppler
    r"d(?:ckr_(?:pat|oat)_[\w-]{20,}|api[0-9a-f]{32})",  # Docker, Databricks
    r"f(?:igd_[\w-]{20,}|o1_[\w-]{20,})",  # Figma, Fly
    r"g(?:h[pousr]_[A-Za-z0-9]{16,}|ithub_pat_[A-Za-z0-9_]{20,}|sk_[A-Za-z0-9]{32,})",  # GitHub, Groq
    r"gl(?:pat|oas|oat|rt|rtr|cbt|ptt|ft|imt|agent|soat|dt|ffct|sa|c|wt)[-_][\w.-]{16,}",  # GitLab, Grafana
    r"hv[sbr]\.[\w-]{20,}",  # Vault
    r"key-[0-9a-f]{32}",  # Mailgun
    r"lin_(?:api|oauth)_[A-Za-z0-9]{20,}",  # Linear
    r"n(?:pm|tn|fp)_[A-Za-z0-9]{30,}",  # npm, Notion, Netlify
    r"ops_eyJ[\w-]{40,}",  # 1Password
    r"p(?:ypi-Ag[\w-]{16,}|plx-[A-Za-z0-9]{32,}|at[A-Za-z0-9]{14}\.[0-9a-f]{40,})",  # PyPI, Perplexity, Airtable
    r"pscale_(?:tkn|pw|oauth)_[\w=.-]{20,}",  # PlanetScale
    r"r(?:k_(?:live|test)_[A-Za-z0-9]{10,}|ubygems_[0-9a-f]{32,})",  # Stripe, RubyGems
    r"sk(?:_(?:live|test)_[A-Za-z0-9]{10,}|-(?:proj|svcacct|admin|ant|or|lf)-[\w-]{20,})",  # Stripe, OpenAI, Anthropic
    r"s(?:q0[a-z]{3}-[\w-]{20,}|hp(?:at|ca|pa|ss)_[0-9a-fA-F]{30,})",  # Square, Shopify
    r"s(?:bp_[0-9a-f]{32,}|b_secret_[\w-]{20,}|ntr[ysu]s?_[\w+/=-]{30,}|l\.[\w-]{60,})",  # Supabase, Sentry, Dropbox
    r"secret_[A-Za-z0-9]{43}",  # Notion, before 2024
    r"whsec_[A-Za-z0-9+/=]{16,}",  # Stripe webhooks
    r"x(?:ox[abeoprs]|app)-[\w.-]{10,}",  # Slack
    r"x(?:ai-[A-Za-z0-9]{40,}|prv[1-9A-HJ-NP-Za-km-z]{60,})",  # xAI, BIP 32
    r"ya29\.[\w.-]{16,}",  # Google OAuth
    r"1//0[\w-]{20,}",  # Google refresh tokens
    r"\$(?:2[aby]\$\d\d\$[./A-Za-z0-9]{40,}|(?:argon2i?d?|[156y])\$[\w./$=,+-]{20,})",  # password hashes
    r"(?<![\w-])eyJ[\w-]{8,}\.(?:eyJ)?[\w-]{8,}(?:\.[\w-]*){0,3}",  # JWT, JWE (RFC 7519, RFC 7516)
    r"v[1-4]\.(?:local|public)\.[\w-]{20,}",  # PASETO
)
PREFIX = re.compile("|".join(PREFIXED))

BOUNDED = re.compile(
    r"(?P<sk>sk-[\w-]{20,})"  # OpenAI before projects; also spinner class names, hence the test
    r"|A(?:KIA|SIA|BIA|CCA)[A-Z2-7]{12,}"  # AWS access key ids
    r"|hf_[A-Za-z0-9]{30,}|r8_[A-Za-z0-9]{30,}"  # Hugging Face, Replicate
    r"|EAA[A-Z][A-Za-z0-9]{40,}"  # Facebook, Square
    r"|ATBB[A-Za-z0-9]{28,}"  # Bitbucket
    r"|[MNO][A-Za-z\d_-]{23,27}\.[\w-]{6}\.[\w-]{27,}",  # Discord
)
"""Formats that Base64 holds by chance, and that count only at the beginning of a word."""

MAILCHIMP = re.compile(r"\b[0-9a-f]{32}-us\d{1,2}\b")
TERRAFORM = re.compile(r"\b[A-Za-z0-9]{14}\.atlasv1\.[\w-]{40,}")
TELEGRAM = re.compile(r"(?<!\d)\d{8,10}:AA[\w-]{30,}")

WEBHOOK = re.compile(
    r"(?:hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)|discord(?:app)?\.com/api/(?:v\d+/)?webhooks"
    r"|webhook\.office\.com/webhookb2|hooks\.zapier\.com/hooks/catch|hook\.\w{1,16}\.make\.com)/(?P<a>[\w@/+-]{8,})",
)

LINK = re.compile(
    r"(?i)/(?:(?:password[-_]?)?reset(?:[-_]password)?|invit(?:e|ation)s?|magic(?:[-_]?link)?|verif(?:y|ication)(?:[-_]email)?"
    r"|activat(?:e|ion)|confirm(?:ation|[-_]email)?|unsubscribe|token|auth|login|signin|set[-_]password)/(?P<a>[\w.~=-]{16,})",
)
"""Links that let in whoever holds them: the segment after the verb is the secret, if it is random."""

USER_IN_URL = re.compile(r"://(?P<a>[^\s/?#:@\"'<>\\]{8,256})@")
PASSWORD_IN_URL = re.compile(r"://[^\s/?#:@\"'<>\\]{0,256}:(?P<a>[^\s/?#\"'<>\\]{1,256})@")
"""RFC 3986, 3.2.1: `user:password@`; the password goes, the user stays unless it is itself random."""

CARD = re.compile(r"(?:\d{13,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{1,7}|\d{4}([ -])\d{6}\2\d{5})(?![\w-]|\.\d)")
ISSUER = re.compile(
    r"4\d{12}(?:\d{3}){0,2}|(?:5[1-5]|2[2-7]|6[024589]|35|62)\d{14}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}|5[06-8]\d{14}",
)
"""Number ranges of Visa, Mastercard, Discover, Maestro, JCB, UnionPay, American Express and Diners, with their
lengths."""

IMAGE = re.compile(
    r"data:(?:image|audio|video|font)/[\w.+-]{1,40}(?:;[\w=.-]{1,40}){0,3};base64,"
    r"(?:iVBOR|/9j/|R0lGOD|UklGR|d09GM|AAAB|PHN2Zy|Qk|SUQz|T2dnU)[A-Za-z0-9+/=]*+",
)
"""Binary data that say themselves what they are (magic numbers in Base64); nothing is looked for in them."""

RUN = re.compile("[A-Za-z0-9_-]{16}")
GROUPS = re.compile("[0-9]{4}[ -][0-9]{4}")


def may_hold(text: str) -> bool:
    """Return whether `find` can find anything in `text`; cheap."""
    return "@" in text or " is your" in text or RUN.search(text) is not None or GROUPS.search(text) is not None


def find(text: str) -> Iterator[Span]:
    """Find the secrets in `text` that need no name, in any order; they may overlap."""
    if may_hold(text):
        yield from matches(text, text, _RULES)
    if "PRIVATE KEY" in text:
        yield from private_keys.find(text)


def is_card(number: str) -> bool:
    """Return whether `number`, with spaces or dashes, is that of a payment card."""
    digits = number.replace(" ", "").replace("-", "")
    return ISSUER.fullmatch(digits) is not None and values.passes_luhn(digits)


def _begins_word(text: str, match: re.Match[str], span: Span) -> bool:
    before = text[match.start() - 1 : match.start()]
    return not (before.isalnum() or before in ("_", "/", "+")) and (not match["sk"] or is_random(text, match, span))


def _begins_number(text: str, match: re.Match[str], _span: Span) -> bool:
    before = text[match.start() - 1 : match.start()]
    return not (before.isalnum() or before in ("_", ".", "-")) and is_card(match[0])


_RULES = (
    Rule(PREFIX),
    Rule(BOUNDED, judge=_begins_word),
    Rule(CARD, judge=_begins_number),
    Rule(MAILCHIMP, ("-us",)),
    Rule(TERRAFORM, (".atlasv1.",)),
    Rule(TELEGRAM, (":AA",)),
    Rule(PASSWORD_IN_URL, ("@",), is_unmarked),
    Rule(USER_IN_URL, ("@",), is_random),
    Rule(LINK, ("/",), is_random),
    Rule(WEBHOOK, ("hook",), is_unmarked),
)
