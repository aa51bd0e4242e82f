"""Writes a session as one HTML file that needs no other: its actions with what came of them, pictures, findings; pure.

Rules of this file:
- Every text passes `_text`, which escapes it and shows no control character; a page's `_page_text`, for its direction.
- What is a fault is also said in a word: no color alone.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from html import escape
from typing import Any, NamedTuple

from gasoline_bridge.front.session_timeline import Act, Came, faults
from gasoline_bridge.front.tools import UNSEEN
from gasoline_bridge.report_page import count, document
from gasoline_workers.screenshots.messages import Screenshot

TEXT_CHARS = 500
PLACES = 10  # of a finding
SEVERITIES = ("critical", "high", "medium", "low", "info")

STYLE = """
ol.timeline { list-style: none; padding: 0; } .timeline > li { border-left: 4px solid var(--line); margin: 0 0 1rem;
  padding: .1rem 0 .1rem 1rem; }
.timeline > .assistant { border-color: var(--now); } .timeline > .user { border-color: var(--good); }
.timeline > .failed { border-color: var(--bad); }
h3, .timeline p { margin: 0; } h3 time, .meta { font-weight: 400; color: var(--then); }
.came { margin: .3rem 0 0; padding-left: 1.25rem; } .fault { color: var(--bad); } .what { font-weight: 600; }
bdi { overflow-wrap: anywhere; white-space: pre-wrap; } .pictures { display: grid; gap: 1rem;
  grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); }
figure { margin: 0; } img { max-width: 100%; height: auto; border: 1px solid var(--line); }
a { color: var(--now); }
"""
_UNSEEN = re.compile(f"[{UNSEEN}]".replace(r"\x00-\x1f", r"\x00-\x08\x0b-\x1f"))  # tabs and lines may stay


class Picture(NamedTuple):
    """A picture of the session, as it is shown: in Base64, of this MIME type."""

    kept: Screenshot
    data: str
    mime_type: str


class Session(NamedTuple):
    """What a report is made of. `findings`: of an analysis; `hint`: what it lacks, and why."""

    acts: Sequence[Act]
    pictures: Sequence[Picture]
    findings: Sequence[dict[str, Any]]
    hint: str = ""


def report(session: Session, written_at: str) -> str:
    """Return the document."""
    acted = [one for one in session.acts if one.who != "page"]
    counted = ", ".join(
        count(number, what)
        for number, what in (
            (len(acted), "action"),
            (faults(session.acts), "fault"),
            (len(session.pictures), "picture"),
            (len(session.findings), "finding"),
        )
    )
    body = "\n".join(
        [
            "<h1>What was done in the browser</h1>",
            f"<p>{counted}. Written at <time>{escape(written_at)}</time>; times are UTC.</p>",
            f"<p>{escape(session.hint)}</p>" if session.hint else "",
            *_faults(session.acts),
            *_timeline(session.acts),
            *_pictures(session.pictures),
            *_findings(session.findings),
        ]
    )
    return document(f"Gasoline session: {counted}", STYLE, body)


def _page_text(text: object) -> str:
    """Give text that a page wrote, so that it is no more than text."""
    return f"<bdi>{_text(text)}</bdi>"


def _text(text: object) -> str:
    """Escape a text, cut it, and show no control character of it."""
    whole = _UNSEEN.sub("\ufffd", str(text))
    return escape(whole if len(whole) <= TEXT_CHARS else f"{whole[:TEXT_CHARS]}…")


def _faults(acts: Sequence[Act]) -> Iterator[str]:
    """List what went wrong, each with a link to its place."""
    found = [
        (number, text)
        for number, act in enumerate(acts, 1)
        for text in (
            *([f"{_text(act.what)} {_text(act.outcome)}"] if act.failed else ()),
            *(f"{_text(one.what)}: {_page_text(one.text)}" for one in act.came if one.fault),
        )
    ]
    if found:
        yield "<h2>Faults</h2><ul>"
        yield from (f'<li><a href="#act-{number}">{number}</a> <span>{text}</span></li>' for number, text in found)
        yield "</ul>"


def _timeline(acts: Sequence[Act]) -> Iterator[str]:
    yield '<h2>Timeline</h2><ol class="timeline">'
    several = len({one.tab for one in acts}) > 1
    for number, act in enumerate(acts, 1):
        yield f'<li id="act-{number}" class="{act.who}{" failed" if act.failed else ""}">'
        yield f"<h3>{number}. {_text(_who(act))}: {_text(act.what)} {_time(act.at)}</h3>"
        facts = [
            f'<span class="fault">{_text(act.outcome)}</span>' if act.failed else "",
            f"tab {act.tab}" if several else "",
            f"{round(act.ended - act.at)} ms" if act.ended > act.at else "",
            _page_text(act.page) if act.page else "",
        ]
        yield f'<p class="meta">{", ".join(one for one in facts if one)}</p>'
        if act.details:
            yield f"<p>{'; '.join(map(_page_text, act.details))}</p>"
        yield from _came(act)
        yield "</li>"
    yield "</ol>"


def _who(act: Act) -> str:
    if act.who == "assistant" and act.client:
        return f"Assistant {act.client}"
    return {"assistant": "Assistant", "user": "User", "page": "Page"}[act.who]


def _came(act: Act) -> Iterator[str]:
    if not act.came:
        return
    yield '<ul class="came">'
    for one in act.came:
        yield f"<li>{_line(one, act)}</li>"
    if act.omitted:
        yield f"<li>{act.omitted} more</li>"
    yield "</ul>"


def _line(one: Came, act: Act) -> str:
    after = f' <span class="meta">after {round(one.at - act.at)} ms</span>' if one.at > act.at else ""
    kind = "what fault" if one.fault else "what"
    failed = " failed" if one.fault and one.what == "request" else ""
    return f'<span class="{kind}">{_text(one.what)}{failed}</span> {_page_text(one.text)}{after}'


def _time(at_ms: float) -> str:
    moment = datetime.fromtimestamp(at_ms / 1_000, UTC)
    return f'<time datetime="{moment.isoformat(timespec="milliseconds")}">{moment:%H:%M:%S}</time>'


def _pictures(pictures: Sequence[Picture]) -> Iterator[str]:
    if not pictures:
        return
    yield '<h2>Pictures</h2><div class="pictures">'
    for kept, data, mime_type in pictures:
        named = f"{kept.kind.replace('_', ' ')} of {kept.title or kept.url}"
        alt = _text(named)
        source = f"data:{_text(mime_type)};base64,{data}"
        yield f'<figure><img alt="{alt}" width="{kept.width}" height="{kept.height}" src="{source}">'
        yield f"<figcaption>{_page_text(kept.title or kept.url)}, {_time(kept.at * 1_000)}</figcaption></figure>"
    yield "</div>"


def _findings(findings: Sequence[dict[str, Any]]) -> Iterator[str]:
    if not findings:
        return
    yield "<h2>Findings</h2>"
    for severity in SEVERITIES:
        own = [one for one in findings if one.get("severity") == severity]
        if own:
            yield f"<h3>{severity.capitalize()}</h3><ul>"
            yield from (f"<li>{_finding(one)}</li>" for one in own)
            yield "</ul>"


def _finding(one: dict[str, Any]) -> str:
    places = one.get("affected") or ()
    shown = "".join(f"<li>{_place(place)}</li>" for place in places[:PLACES])
    more = f"<li>{len(places) - PLACES} more</li>" if len(places) > PLACES else ""
    name = str(one.get("id") or one.get("issue") or "")
    return (
        (f"<code>{_text(name)}</code> " if name else "")
        + _page_text(one.get("message", ""))
        + _fix(one.get("fix") or one.get("guidance"))
        + (f"<ul>{shown}{more}</ul>" if shown else "")
    )


def _place(place: object) -> str:
    if not isinstance(place, dict):
        return f"<code>{_page_text(place)}</code>"
    return f"<code>{_page_text(place.get('selector', ''))}</code>{_fix(place.get('fix'))}"


def _fix(fix: object) -> str:
    return f'<br><span class="what">Fix</span> {_page_text(fix)}' if fix else ""
