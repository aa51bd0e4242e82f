"""Judges the names of cookies, storage keys and URL parameters by whole words; it never sees a value.

The dictionary is that of redaction, so that what is hidden and what is reported agree: `auth_token`, `apiKey`,
`PHPSESSID` are sensitive; `keyboard_layout`, `author_name`, `monkey_count`, `next_page_token` are not.
"""

import re

from gasoline_workers.redaction.names import WORD, Meaning, meaning

SECRET_HEADS = frozenset(("token", "auth", "jwt", "bearer", "sessid"))
SESSION_WORDS = frozenset(("session", "sess", "sid", "token", "auth", "jwt", "bearer", "login", "sessionid", "sso"))
FORGERY = re.compile(r"[cx]srf|wpnonce|authenticity|requestverification", re.IGNORECASE)
"""Tokens against forged requests: scripts must read them, and by themselves they let no one in."""

SIGNED = re.compile(r"^x-amz-|^x-goog-|^(?:sig|signature|policy|key-pair-id)$", re.IGNORECASE)
"""Parameters of signed addresses, which are meant to stand in them and expire."""


def is_secret(name: str) -> bool:
    """Return whether what is stored under this name lets its holder in (seed 000: auth, token, key, secret, …)."""
    if FORGERY.search(name):
        return False
    kind = meaning(name)
    if kind in (Meaning.PASSWORD, Meaning.CREDENTIAL):
        return True
    if kind is Meaning.KEY:
        return name.lower() == "key"
    return kind is Meaning.TOKEN and words(name)[-1:] != [] and words(name)[-1] in SECRET_HEADS


def is_session(name: str) -> bool:
    """Return whether a cookie of this name keeps a user logged in."""
    if FORGERY.search(name):
        return False
    kind = meaning(name)
    last = words(name)[-1:] or [""]
    return kind in (Meaning.PASSWORD, Meaning.CREDENTIAL) or (
        last[0] in SESSION_WORDS and (kind is Meaning.TOKEN or last[0] in {"sess", "login", "sso"})
    )


def is_leak(parameter: str) -> bool:
    """Return whether a parameter of this name does not belong into an address (CWE-598)."""
    if SIGNED.search(parameter):
        return False
    return parameter.lower() != "key" and is_secret(parameter)


def words(name: str) -> list[str]:
    """Return the words of a name in lower case."""
    return [word.lower() for word in WORD.findall(name)]
