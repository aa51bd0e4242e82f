"""Whether the text after a name is code or prose instead of a value; for running text, not for data.

Only for what is not quoted and in no query or form: `password: string | null`, `token = getToken()`,
`Password: at least 8 characters`. Pages show source code, and an assistant reads it.
"""

import re

from gasoline_workers.redaction import values
from gasoline_workers.redaction.names import Meaning, meaning, word_set

EXPRESSION = re.compile(
    r"[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)*[(\[]|!(?:[01](?![\w!-])|!)|\$\?[A-Za-z_$]|[A-Za-z_$]\w?[)}\]]{1,4}[,;&|)]|\{|\[(?!REDACTED\])|\(|%[sdoOj]|<[A-Za-z%]"
    r"|(?:process\.env|os\.environ|import\.meta|this|self|props|state|document|window|req|request|event|config|options"
    r"|data|form|values|params)\b\.",
)
"""A call, a subscript, a literal, a member of what code calls its objects."""

IDENTIFIER = re.compile(r"[A-Za-z_$]+(?:\??\.[A-Za-z_$][\w$]*)*")
COMPOUND = re.compile(r"[A-Za-z][_.][A-Za-z]|[a-z][A-Z]")
INTERPOLATION = re.compile(r"\$\{[^}]*\}?|\{\{[^}]*\}\}|\$[A-Z_]{2,}|%[sd]|<%[^%]*%>|\{[\w.$]*\}?")
SIGNS = frozenset("$%{<")

AFTER = frozenset(",)|[](;{}=?")
"""What follows an identifier in code."""


MINIFIED = re.compile(
    r"[A-Za-z_$]{1,3}(?:\?[A-Za-z_$][A-Za-z_$.]{0,11}:[A-Za-z_$.]{0,12}|(?:&&|\|\|)[A-Za-z_$][A-Za-z_$.]{0,23})"
)
"""A choice between two names, as minifiers write it: `a?b:c`, `a&&b.c`."""

MARKUP = "*_`"
"""What makes a word of Markdown bold, or code."""

PHRASE = re.compile(r"[a-z]{2,12}(?:[ ,][ ]?[a-z]{2,12}){3,23}(?![\w-])")
"""From four words on; a sentence is recognized by its small words."""

SMALL_WORDS = word_set(
    """the and for with from that this these those your our their its not but are was were will can may must should
    have has had you they them when then than into onto over under about after before please keep write store save
    here there what which who how all any each every some only never always somewhere safe down is of to in it or be
    as at by on an if do so no we us he she my me""",
)
"""English words that a sentence has and a phrase of random words has not."""


def is_sentence(text: str) -> bool:
    """Return whether words in lower case are a sentence: at least one is a small word."""
    return not SMALL_WORDS.isdisjoint(re.findall("[a-z]+", text))


def is_phrase(text: str) -> bool:
    """Return whether a text is nothing but words in lower case, of which none is a small one."""
    return PHRASE.fullmatch(text) is not None and not is_sentence(text)


def is_blank(value: str) -> bool:
    """Return whether nothing of a value is written out: it is masked with dots, or filled in when the code runs."""
    rest = INTERPOLATION.sub("", values.credentials(value)) if not SIGNS.isdisjoint(value) else value
    return not any(map(str.isalnum, rest)) or rest.strip() in ("Bearer", "Basic")


def is_code(value: str, after: str, *, spaced: bool) -> bool:
    """Return whether an unquoted `value` is code, by what follows it and by whether its sign is `spaced` as in code."""
    if EXPRESSION.match(value):
        return True
    if not IDENTIFIER.fullmatch(value) or not COMPOUND.search(value):
        return False
    return spaced or after in AFTER or ("." in value and meaning(value) is not Meaning.HARMLESS)


def is_minified(value: str) -> bool:
    """Return whether an unquoted `value`, right behind its colon, is a choice between two names."""
    return MINIFIED.fullmatch(value) is not None


def is_prose(value: str, sign: str, following: str) -> bool:
    """Return whether an unquoted `value` is a word of a sentence: after `is`, or of a message about passwords."""
    plain = value.rstrip(".,!?:;").strip(MARKUP).isalpha()
    return plain and (sign in ("is", "was") or values.complains(following))
