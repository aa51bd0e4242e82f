"""Writes what came of pages as one HTML file that needs no other; pure. All text of a page is escaped."""

import base64
import struct
from collections.abc import Iterable, Iterator, Sequence
from html import escape

from gasoline_bridge.check import sample_plot
from gasoline_bridge.check.results import WORDS, Checked
from gasoline_bridge.report_page import LABELS, document
from gasoline_workers.regression.messages import BaselineCompared, Comparison, MetricCompared, Spread

PNG = b"\x89PNG\r\n\x1a\n"
GAP_PX, TITLE_PX = 16, 32  # of the picture (workers, visual/side_by_side.py)
COLUMNS = ("before", "now", "different")

STYLE = """
.pictures { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(18rem, 1fr)); }
figure { margin: 0; } .column { width: 100%; border: 1px solid var(--line); background-repeat: no-repeat; }
.over { position: relative; } .over .now { position: absolute; inset: 0; clip-path: inset(0 0 0 var(--at, 50%)); }
input[type=range] { width: 100%; accent-color: var(--now); }
"""
SCRIPT = """
for (const slider of document.querySelectorAll('input[type=range]'))
  slider.addEventListener('input', () =>
    slider.closest('figure').querySelector('.over').style.setProperty('--at', `${slider.value}%`));
"""


def html_report(checked: Sequence[Checked], written_at: str) -> str:
    """Return the document."""
    body = "\n".join(line for number, one in enumerate(checked) for line in _page(one, number))
    pictures = "\n".join(rule for number, one in enumerate(checked) for rule in _style(one.picture, number))
    counts = _counts(checked)
    whole = f"""<h1>Pages compared with their baselines</h1>
<p>{counts}. Written at <time>{escape(written_at)}</time>. In the plots each circle is a load of the baseline
and each disc a load of this check; a line marks the median.</p>
{body}"""
    return document(f"Gasoline check: {counts}", sample_plot.STYLE + STYLE + pictures, whole, SCRIPT)


def _counts(checked: Sequence[Checked]) -> str:
    outcomes = [one.outcome for one in checked]
    return ", ".join(f"{outcomes.count(one)} {WORDS[one]}" for one in WORDS if one in outcomes) or "no page"


def _page(one: Checked, number: int) -> Iterator[str]:
    yield f'<article aria-labelledby="page-{number}">'
    yield f'<h2 id="page-{number}">{escape(one.url)}</h2>'
    yield f'<p><span class="verdict {one.outcome}">{WORDS[one.outcome]}</span>: {escape(one.text)}</p>'
    if one.read:
        made = one.read.baseline
        yield f"<p>Baseline <code>{escape(made.name)}</code>, made at {escape(made.captured_at)} with"
        yield f" {escape(made.browser)} in {made.viewport[0]}x{made.viewport[1]}.</p>"
    if one.compared:
        yield from _compared(one, one.compared, number)
    yield "</article>"


def _compared(one: Checked, compared: BaselineCompared, number: int) -> Iterator[str]:
    comparison = compared.comparison
    if compared.warnings:
        yield "<h3>Warnings</h3>"
        yield from _list(map(escape, compared.warnings))
    yield from _metrics(one, comparison)
    yield from _parts(comparison)
    yield from _picture(one, comparison, number)


def _metrics(one: Checked, comparison: Comparison) -> Iterator[str]:
    metrics = comparison.performance.metrics
    if not metrics or one.read is None:
        return
    yield '<h3>Loads</h3><div class="scroll" role="region" aria-label="Loads" tabindex="0"><table><thead><tr>'
    yield from (f'<th scope="col">{head}</th>' for head in ("Metric", "Baseline", "Now", "Change", "Verdict", "Loads"))
    yield "</tr></thead><tbody>"
    for name, metric in metrics.items():
        then = [load[name] for load in one.read.loads if name in load]
        now = [load[name] for load in one.read.compared_loads if name in load]
        yield from _metric(LABELS.get(name, name), metric, sample_plot.plot(then, now))
    yield "</tbody></table></div>"


def _metric(label: str, metric: MetricCompared, drawn: str) -> Iterator[str]:
    yield f'<tr><th scope="row">{escape(label)}</th><td class="number">{_spread(metric.baseline)}</td>'
    yield f'<td class="number">{_spread(metric.current)}</td><td class="number">{_delta(metric)}</td>'
    reason = f": {escape(metric.reason)}" if metric.reason else ""
    yield f'<td><span class="{metric.verdict}">{WORDS[metric.verdict]}</span>{reason}</td><td>{drawn}</td></tr>'


def _spread(spread: Spread | None) -> str:
    return f"{spread.median} ({spread.min} to {spread.max})" if spread else "not measured"


def _delta(metric: MetricCompared) -> str:
    if metric.delta is None:
        return ""
    interval = f" ({metric.interval[0]:+} to {metric.interval[1]:+})" if metric.interval else ""
    return f"{metric.delta:+}{interval}"


def _parts(comparison: Comparison) -> Iterator[str]:
    accessibility, security, memory = comparison.accessibility, comparison.security, comparison.memory
    yield f"<h3>Accessibility: {WORDS[accessibility.verdict]}</h3>"
    for title, issues in (("New", accessibility.new_issues), ("Resolved", accessibility.resolved_issues)):
        yield from _list(
            f"{title}: <code>{escape(one.id)}</code> ({one.severity}) in {one.count}: {_codes(one.elements)}"
            for one in issues
        )
    yield from _reason(accessibility.reason)
    yield f"<h3>Security: {WORDS[security.verdict]}</h3>"
    yield from _list(
        f"{one.change.capitalize()}: {escape(one.message)} ({one.severity}) {_codes(one.affected)}"
        for one in security.changes
    )
    yield from _reason(security.reason)
    yield f"<h3>Memory: {WORDS[memory.verdict]}</h3>"
    yield from _list(f"{escape(name)}: {by:+}" for name, by in memory.delta.items())
    yield from _reason(memory.reason)


def _reason(reason: str) -> Iterator[str]:
    if reason:
        yield f"<p>{escape(reason)}</p>"


def _codes(texts: Sequence[str]) -> str:
    return ", ".join(f"<code>{escape(one)}</code>" for one in texts)


def _list(items: Iterable[str]) -> Iterator[str]:
    rows = [f"<li>{item}</li>" for item in items]
    if rows:
        yield f"<ul>{''.join(rows)}</ul>"


def _picture(one: Checked, comparison: Comparison, number: int) -> Iterator[str]:
    picture = comparison.picture
    yield f"<h3>Look: {picture.verdict.replace('_', ' ')}</h3>"
    yield from _reason(picture.reason)
    yield from _list(map(escape, picture.changes))
    if picture.more:
        yield f"<p>{picture.more} more changes.</p>"
    if picture.truncated:
        yield "<p>The page is higher than a picture can be: what is below the picture was not compared.</p>"
    if one.picture.startswith(PNG):
        yield from _columns(number)


def _columns(number: int) -> Iterator[str]:
    """Show the three columns of one picture: two one over the other, one beside."""
    yield '<div class="pictures"><figure><div class="over">'
    yield f'<div role="img" aria-label="The page as it was" class="column before of-{number}"></div>'
    yield f'<div role="img" aria-label="The page as it is" class="column now of-{number}"></div></div>'
    yield f'<label for="slider-{number}">Before on the left of this, now on the right</label>'
    yield f'<input type="range" id="slider-{number}" min="0" max="100" value="50"></figure><figure>'
    yield f'<div role="img" aria-label="What differs, framed" class="column different of-{number}"></div>'
    yield "<figcaption>What differs, framed</figcaption></figure></div>"


def _style(png: bytes, number: int) -> Iterator[str]:
    """Give the columns their parts of the picture, which is in the document once."""
    if not png.startswith(PNG):
        return
    width, height = struct.unpack(">II", png[16:24])  # www.w3.org/TR/png-3, 11.2.1: IHDR is the first chunk
    column, tall = (width - 4 * GAP_PX) / 3, height - TITLE_PX - GAP_PX
    image = f"background-image: url(data:image/png;base64,{base64.b64encode(png).decode()});"
    size = f"aspect-ratio: {column:g} / {tall}; background-size: {100 * width / column:.4f}% auto;"
    yield f".of-{number} {{ {size} {image} }}"
    top = 100 * TITLE_PX / (height - tall)
    for at, name in enumerate(COLUMNS):
        left = 100 * (GAP_PX + at * (column + GAP_PX)) / (width - column)
        yield f".of-{number}.{name} {{ background-position: {left:.4f}% {top:.4f}%; }}"
