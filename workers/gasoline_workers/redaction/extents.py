"""Where a value begins and ends that a name announces in running text.

Every look ahead is bounded, so that a text of nothing but names is read in linear time.
"""

import re

from gasoline_workers.redaction.messages import HANDLE, MARKED, MARKER

QUOTE = r"(?:\\{0,8}[\"'`]|&quot;|&\#3[49];|%22|\\u0022)"
SPACE = r"[ \t\u00a0]{0,8}"
SEPARATOR = re.compile(
    rf"(?P<close>{QUOTE})?\]?(?:\*\*|__)?(?:[ ]\([\w ]{{1,24}}\)(?=[ ]?[:=]))?"
    rf"(?P<sign>{SPACE}:{SPACE}[|>]?[ ]?\r?\n{SPACE}(?:-[ ])?(?=\S)"
    rf"|(?:[ ](?:is|was))?{SPACE}(?:=>|={{1,3}}(?:3[Dd](?={MARKED.pattern}))?|!==?|:=|->|→|\uff1a|\??:|%3[AaDd])"
    r"|[ ](?:is|was)(?=[ ])"
    rf"|\r?\n\$\d{{1,7}}\r?\n|{SPACE}(?:\r?\n){{1,2}}|[ ]\((?=[\w.+/=-]{{16}})|(?(close),|\()(?=\s?\\{{0,8}}[\"'`])"
    r"|(?(close)(?!)|[ ](?=[\"'`]|[\w.+/=-]{16})))"
    rf"{SPACE}(?:[bfruBFRULN@$#]{{1,2}}(?=[\"']))?(?P<open>{QUOTE})?",
)
"""What stands between a name and its value: a sign, a verb, the end of a line, or what separates arguments."""

FLAG = re.compile(r"[ \t]{1,4}(?P<open>[\"'])?(?=[^\s-])(?P<sign>)")
"""What stands between a flag of a command line and its value."""

LONGEST_QUOTED = 4096
"""Characters in which a closing quote is looked for; a value without one is hidden to the end of its line."""

LONGEST_JUDGED = 256
"""Characters by which an unquoted value is judged; one that is hidden is hidden to its end."""

CLOSERS = ").,:;}]\\"
"""What ends a sentence or a bracket around an unquoted value, and no value."""

ESCAPED = {quote: re.compile(rf"(?:[^{quote}\\]|\\.)*+", re.DOTALL) for quote in "\"'`"}
UNQUOTED = re.compile(
    rf"(?:{MARKED.pattern}|[^\s\"'`<>&;,|\\]|\\(?![nrt](?:[\s\\]|$))"
    r"|[&;,|](?!\s|$|\\{1,8}[nrt]|[\"'`]|[\w.%\[\]-]{1,40}(?:=|[\"']?[ ]?:)|\w{2,5};))*+",
)
IN_QUERY = re.compile(rf"(?:{HANDLE.pattern}|[^\s\"'`<>&#])*+")
SCHEME = re.compile(
    r"(?i)(?:bearer|basic|token|apikey|negotiate|ntlm)[ ]+[^\s\"'`<>,;]+"
    r"|(?:digest|oauth|hawk|mac|aws4-hmac-sha256)[ ][^\r\n]{1,1024}",
)
"""An Authorization value (RFC 9110, 11.4): a scheme, then one token, or parameters to the end of the line."""


def value_end(text: str, start: int, quote: str | None, *, query: bool) -> int:
    """Return where the value ends that begins at `start`, after `quote`; an unquoted one is cut at LONGEST_JUDGED."""
    if quote:
        return _quoted_end(text, start, quote)
    if scheme := SCHEME.match(text, start):
        return scheme.end()
    end = _end(IN_QUERY if query else UNQUOTED, text, start, start + LONGEST_JUDGED)
    value = text[start:end].rstrip(CLOSERS)
    return start + len(MARKER if value == MARKER.rstrip(CLOSERS) else value)


def whole_end(text: str, start: int, end: int, *, query: bool) -> int:
    """Return where an unquoted value really ends that `value_end` may have cut at `end`."""
    return end if end < start + LONGEST_JUDGED else _end(IN_QUERY if query else UNQUOTED, text, start, len(text))


def line_end(text: str, start: int, limit: int) -> int:
    """Return where the line of `start` ends, at most `limit`."""
    end = text.find("\n", start, limit)
    return limit if end < 0 else end


def _quoted_end(text: str, start: int, quote: str) -> int:
    limit = min(len(text), start + LONGEST_QUOTED)
    line = limit if quote == "`" else line_end(text, start, limit)
    end = _end(ESCAPED[quote], text, start, line) if quote in ESCAPED else text.find(quote, start, line)
    return end if 0 <= end < line else line


def _end(pattern: re.Pattern[str], text: str, start: int, limit: int) -> int:
    match = pattern.match(text, start, limit)
    return match.end() if match else start
