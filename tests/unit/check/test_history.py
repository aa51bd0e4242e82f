"""What is drawn and printed of the history of a baseline."""

import msgspec
import pytest

from gasoline_bridge.check.drawing import Axis
from gasoline_bridge.check.history_plot import mark, number, plot
from gasoline_bridge.check.history_report import history_report
from gasoline_bridge.check.trend import bars, series
from gasoline_bridge.cli.history import as_json, as_lines
from gasoline_workers.regression.messages import HistoryRead
from unit.check.histories import URL, entry, history
from unit.check.test_results import Tags

AT = "2026-02-01 09:00 UTC"


@pytest.mark.requirement("regression-025")
def test_a_metric_has_a_value_for_each_time_that_it_was_measured_and_the_verdict_of_then() -> None:
    lcp, size, issues, *_rest = series(history().entries)

    assert ["lcp_ms", "bytes", "accessibility_issues"] == [one.metric for one in (lcp, size, issues)]
    assert [200, 205, 198, 420, 415] == [point.median for point in lcp.points[:5]]
    assert [0, 1, 2, 3, 5] == [point.number for point in lcp.points[:5]]
    verdicts = [lcp.verdict(point) for point in lcp.points[:7]]
    assert [
        "made",
        "no_change",
        "no_change",
        "regression_detected",
        "no_change",
        "inconclusive",
        "improved",
    ] == verdicts
    assert (23 - 1, 23 - 2, 23 - 2) == (len(lcp.points), len(size.points), len(issues.points))


def test_the_last_values_are_bars_from_the_least_to_the_greatest() -> None:
    (lcp, *_rest) = series([entry(1, 100), entry(2, 200), entry(3, 150)])

    assert "▁█▅" == bars(lcp.points)
    assert "█▁" == bars(lcp.points, 2)
    assert "▁" == bars(lcp.points[:1])


@pytest.mark.requirement("regression-025")
def test_a_plot_has_a_shape_for_each_verdict_and_words_for_those_who_cannot_see_it() -> None:
    (lcp, *_rest) = series(history().entries)

    drawn = plot(lcp, history().entries)

    named = "Largest contentful paint, ms: 22 values from 2026-01-01 08:30 to 2026-01-23 08:30;"
    assert f'aria-label="{named} first 200, last 228, 1 regression"' in drawn
    assert 2 == drawn.count('class="event"')
    assert (1, 1, 1) == tuple(
        drawn.count(f'class="dot {kind}"') for kind in ("regression_detected", "improved", "made")
    )
    assert 1 == drawn.count("<rect")
    assert "2026-01-04 08:30: 420 (378 to 462), regression" in drawn
    shapes = {
        mark(kind, 8, 8).replace(kind, "") for kind in ("regression_detected", "improved", "inconclusive", "made")
    }
    assert 4 == len(shapes)


@pytest.mark.requirement("regression-025")
def test_a_look_that_differs_is_stated_as_changed() -> None:
    seen = series([entry(1, 100), entry(2, 100, seen_px=12)])[-1]

    assert ["no_change", "changed"] == [seen.verdict(point) for point in seen.points]


def test_a_plot_of_one_value_and_of_equal_values_lies_in_the_middle() -> None:
    (lcp, *_rest) = series([entry(1, 0)])

    assert "352.0" in plot(lcp, [entry(1, 0)])
    assert "5.0" == Axis(3, 3, 0, 10).at(3)


@pytest.mark.parametrize(("value", "shown"), [(0, "0"), (0.0123, "0.0123"), (1234.5, "1,234.5"), (250_000, "250,000")])
def test_a_value_is_written_whole(value: float, shown: str) -> None:
    assert shown == number(value)


@pytest.mark.requirement("regression-025")
def test_the_report_loads_nothing_and_has_every_value_in_a_table() -> None:
    bare = HistoryRead("bare", URL, [])
    document = history_report([history(), bare], AT)

    found = Tags(document)
    assert [] == found.loaded
    assert 0 == found.tags.count("script")
    assert "main" in found.tags
    assert "cart &lt;main&gt;" in document
    assert "LCP &lt;regression_detected&gt;" in document
    assert (2, 5) == (found.tags.count("article"), found.tags.count("figure"))
    assert 23 + 1 + 1 == found.tags.count("tr")


@pytest.mark.requirement("regression-025")
def test_the_table_of_a_terminal_has_a_line_for_each_metric() -> None:
    lines = as_lines([history("cart")]).splitlines()

    assert f"cart  {URL}  compared 21 times since 2026-01-01" == lines[0]
    assert ["metric", "first", "least", "greatest", "last", "verdict", "last", "values"] == lines[1].split()
    assert ["lcp_ms", "200", "198", "440", "228", "no", "change"] == lines[2].split()[:7]
    assert "gasoline check" in as_lines([])
    assert [history()] == msgspec.json.decode(as_json([history()]), type=list[HistoryRead])
