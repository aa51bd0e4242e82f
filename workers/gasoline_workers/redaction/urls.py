"""Secrets in URLs: a user's password, and links that let anyone in, known by what they do and by their shape."""

import re
from collections.abc import Iterator

from gasoline_workers.redaction.matching import Rule, Rules, is_random, is_unmarked
from gasoline_workers.redaction.spans import Span
from gasoline_workers.redaction.values import is_random as looks_random

VERBS = (
    *("reset", "invit", "magic", "verif", "activat", "confirm", "unsubscribe", "token", "auth", "login", "signin"),
    *(
        "password",
        "hook",
        "share",
        "join",
        "claim",
        "redeem",
        "accept",
        "approve",
        "sso",
        "session",
        "callback",
        "ical",
    ),
    *("feed", "private", "secret", "guest", "onboard", "recover", "unlock"),
)
"""What is in the path, or the host, of a URL that acts or lets in."""

STEMS = ("://", *VERBS)
"""One of them occurs in every text in which something is found."""

LINK = re.compile(
    r"(?i)/[a-z_-]{0,16}(?:"
    + "|".join(VERBS)
    + r")[a-z_-]{0,16}(?:/[\w.~-]{1,32}){0,2}?/(?P<a>[\w~=-][\w.~=-]{14,}(?:/[\w~=-]{20,})?)(?!\.\w)"
)
"""The random segment after the verb is the secret."""

WEBHOOK = re.compile(
    r"(?:hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)|discord(?:app)?\.com/api/(?:v\d+/)?webhooks"
    r"|webhook\.office\.com/webhookb2|hooks\.zapier\.com/hooks/catch|hook\.\w{1,16}\.make\.com"
    r"|api\.telegram\.org/bot)/?(?P<a>[\w@/+:-]{8,})",
)
HOOK_HOST = re.compile(r"://[\w.-]{0,64}hooks?[\w.-]{0,64}(?::\d+)?/(?P<a>[\w@/+-]{8,})")

USER = re.compile(r"://(?P<a>[^\s/?#:@\"'<>\\]{8,256})@")
PASSWORD = re.compile(r"://[^\s/?#:@\"'<>\\]{0,256}:(?P<a>[^\s/?#\"'<>\\]{1,256})@")
"""RFC 3986, 3.2.1: `user:password@`; the password goes, the user stays unless it is itself random."""


def find(text: str) -> Iterator[Span]:
    """Find the secrets of the URLs in `text`, in any order."""
    return _RULES.find(text, text)


def _has_random_segment(text: str, _match: re.Match[str], span: Span) -> bool:
    return any(map(looks_random, text[span.start : span.end].split("/")))


_RULES = Rules(
    Rule(PASSWORD, ("@",), is_unmarked, "password"),
    Rule(USER, ("@",), is_random, "credential"),
    Rule(LINK, ("/",), is_random, "capability-url"),
    Rule(WEBHOOK, ("hook", "telegram"), is_unmarked, "capability-url"),
    Rule(HOOK_HOST, ("hook",), _has_random_segment, "capability-url"),
)
