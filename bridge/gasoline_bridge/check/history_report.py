"""Writes the history of baselines as one HTML file that needs no other: a plot and a table for each metric; pure."""

from collections.abc import Iterator, Sequence
from html import escape

from gasoline_bridge.check import history_plot
from gasoline_bridge.check.drawing import line
from gasoline_bridge.check.results import WORDS
from gasoline_bridge.check.trend import Point, Series, series
from gasoline_bridge.report_page import count, document
from gasoline_workers.regression.messages import HistoryRead

KINDS = {"made": "baseline made", "compared": "compared", "approved": "approved"}

STYLE = """
.metrics { display: grid; gap: 1.5rem; grid-template-columns: repeat(auto-fit, minmax(min(30rem, 100%), 1fr)); }
figure { margin: 0; } figcaption { font-weight: 600; } figure svg { width: 100%; height: auto; }
tbody th { white-space: nowrap; }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; padding: 0; }
.legend li { display: flex; align-items: center; gap: .4rem; } .legend svg { flex: none; }
"""


def history_report(histories: Sequence[HistoryRead], written_at: str) -> str:
    """Return the document."""
    pages = "\n".join(part for number, one in enumerate(histories) for part in _page(one, number))
    body = f"""<h1>What became of the baselines</h1>
<p>{count(len(histories), "baseline")}. Written at <time>{escape(written_at)}</time>. Each plot has the median of a
metric over time, oldest on the left; the shaded range is from the least to the greatest load.</p>
{_legend()}
{pages}"""
    return document(f"Gasoline report: {count(len(histories), 'baseline')}", history_plot.STYLE + STYLE, body)


def _legend() -> str:
    shown = (
        ("no_change", "no change, or a changed look"),
        ("regression_detected", "regression (upward triangle)"),
        ("improved", "improved (downward triangle)"),
        ("inconclusive", "inconclusive (hollow square)"),
        ("made", "baseline made (hollow circle)"),
    )
    drawn = [(history_plot.mark(kind, 8, 8), words) for kind, words in shown]
    drawn.append((line("event", (8, 8), (0, 16)), "made or approved (dashed line)"))
    icon = '<svg aria-hidden="true" width="16" height="16" viewBox="0 0 16 16">'
    return f'<ul class="legend">{"".join(f"<li>{icon}{shape}</svg>{words}</li>" for shape, words in drawn)}</ul>'


def _page(one: HistoryRead, number: int) -> Iterator[str]:
    yield f'<article aria-labelledby="baseline-{number}">'
    yield f'<h2 id="baseline-{number}">{escape(one.name)}</h2>'
    yield f"<p>{escape(one.url)}, made, compared or approved {count(len(one.entries), 'time')}.</p>"
    found = series(one.entries)
    if found:
        yield '<div class="metrics">'
        for each in found:
            drawn = history_plot.plot(each, one.entries)
            yield f"<figure><figcaption>{escape(each.label)}</figcaption>{drawn}</figure>"
        yield "</div>"
    yield from _table(one, found, number)
    yield "</article>"


def _table(one: HistoryRead, found: Sequence[Series], number: int) -> Iterator[str]:
    yield f"<details><summary>All values of {escape(one.name)}</summary>"
    yield f'<div class="scroll" role="region" aria-label="All values, {number + 1}" tabindex="0"><table><thead><tr>'
    heads = ("At", "What", "Verdict", *(each.label for each in found))
    yield "".join(f'<th scope="col">{escape(head)}</th>' for head in heads) + "</tr></thead><tbody>"
    values = [{point.number: point for point in each.points} for each in found]
    for place, entry in reversed(list(enumerate(one.entries))):
        cells = "".join(f'<td class="number">{_cell(each.get(place))}</td>' for each in values)
        verdict = f'<span class="{entry.verdict}">{WORDS[entry.verdict]}</span>: ' if entry.verdict else ""
        at = escape(entry.at.replace("T", " ")[:16])
        yield f'<tr><th scope="row">{at}</th><td>{KINDS[entry.kind]}</td>'
        yield f"<td>{verdict}{escape(entry.summary)}</td>{cells}</tr>"
    yield "</tbody></table></div></details>"


def _cell(point: Point | None) -> str:
    return "" if point is None else history_plot.number(point.median)
