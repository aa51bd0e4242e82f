"""The sentence about two page loads."""

from typing import Any

import pytest

from gasoline_workers.diff.loads import metric
from gasoline_workers.diff.summary import FEW_LOADS, NOTHING, sentence, size
from unit.diff.pages import KB, SEED, compared, load, resource


def summary(before: dict[str, Any], after: dict[str, Any]) -> str:
    return compared(before, after).summary


@pytest.mark.requirement("001-019", "001-100")
def test_the_seeds_sentence_leads_with_lcp_and_names_the_removed_bundle() -> None:
    assert "LCP improved 57% (2.8s → 1.2s). 256KB saved by removing old-bundle.js." == summary(*SEED)


@pytest.mark.requirement("001-106")
def test_the_seeds_regression_is_flagged() -> None:
    assert "Warning: CLS regressed 200% (0.01 → 0.03)." == summary(load(cls=0.01), load(cls=0.03))


@pytest.mark.requirement("faults-028", "mutate-007")
@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({"lcp": 1000}, {"lcp": 1199}, NOTHING),
        ({"lcp": 1000}, {"lcp": 1200}, f"LCP slower (1.0s → 1.2s). {FEW_LOADS}"),
        ({"ttfb": 100}, {"ttfb": 149}, NOTHING),
        ({"ttfb": 100}, {"ttfb": 150}, f"TTFB slower (100ms → 150ms). {FEW_LOADS}"),
        ({"load": 900}, {"load": 700}, "Load improved 22% (900ms → 700ms)."),
        ({"cls": 0.1}, {"cls": 0.14}, NOTHING),
        ({"cls": 0.1}, {"cls": 0.15}, "Warning: CLS regressed 50% (0.1 → 0.15)."),
        ({"cls": 0.02}, {"cls": 0.01}, NOTHING),
        ({"cls": 0.02}, {"cls": 0.04}, "Warning: CLS regressed 100% (0.02 → 0.04)."),
        ({"cls": 0.03}, {"cls": 0.05}, NOTHING),
        ({"cls": 0}, {"cls": 0.06}, "Warning: CLS regressed (0 → 0.06)."),
        ({"requestCount": 20}, {"requestCount": 21}, "Warning: Requests regressed 5% (20 → 21)."),
        ({"transferSize": 500 * KB}, {"transferSize": 500 * KB + 100}, NOTHING),
        ({"transferSize": 500 * KB}, {"transferSize": 1200 * KB}, "Warning: Transfer regressed 140% (500KB → 1.2MB)."),
    ],
)
def test_a_change_within_noise_is_not_called_one(before: Any, after: Any, expected: str) -> None:
    assert expected == summary(load(**before), load(**after))


@pytest.mark.requirement("001-104")
def test_the_most_impactful_change_leads_and_every_regression_is_flagged() -> None:
    before, after = load(lcp=1000, ttfb=100, requestCount=20), load(lcp=400, ttfb=200, requestCount=40)

    assert (
        "LCP improved 60% (1.0s → 400ms). TTFB slower (100ms → 200ms). "
        f"Warning: Requests regressed 100% (20 → 40). {FEW_LOADS}"
    ) == summary(before, after)


def test_a_regression_that_leads_is_followed_by_the_greatest_improvement() -> None:
    text = summary(load(), load(lcp=2500, fcp=300))

    assert f"LCP slower (1.0s → 2.5s). FCP improved 40% (500ms → 300ms). {FEW_LOADS}" == text


def test_of_two_improvements_that_follow_a_regression_only_the_greater_is_named() -> None:
    text = summary(load(ttfb=200), load(ttfb=100, lcp=2500, fcp=200))

    assert f"LCP slower (1.0s → 2.5s). FCP improved 60% (500ms → 200ms). {FEW_LOADS}" == text


def test_a_change_of_many_times_outweighs_a_small_one_of_a_weightier_metric() -> None:
    text = summary(load(), load(lcp=1500, fcp=1500))

    assert f"FCP slower (500ms → 1.5s). LCP slower (1.0s → 1.5s). {FEW_LOADS}" == text


@pytest.mark.parametrize(
    ("amount_kb", "expected"), [(9.9, "9.9KB"), (10.0, "10KB"), (10.4, "10KB"), (1_023, "1023KB"), (1_024, "1.0MB")]
)
def test_a_size_has_as_many_digits_as_one_reads(amount_kb: float, expected: str) -> None:
    assert expected == size(amount_kb)


@pytest.mark.requirement("001-105")
@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ([], [resource("lib/new.js?v=3", 120)], "120KB added by new.js."),
        ([], [resource("new.css", 0.4, renderBlocking=True)], "0.4KB added by new.css, which blocks rendering."),
        ([], [resource("new.css", 0.01, renderBlocking=True)], "new.css added, which blocks rendering."),
        ([resource("a.js", 9)], [resource("b.js", 120)], "120KB added by b.js."),
        ([resource("b.js", 120)], [resource("a.js", 9)], "120KB saved by removing b.js."),
        ([resource("a.js", 120)], [resource("b.js", 9)], "120KB saved by removing a.js."),
        ([resource("main.js", 512)], [resource("main.js", 256)], "256KB saved in main.js."),
        ([resource("main.js", 256)], [resource("main.js", 512)], "256KB more in main.js."),
        ([resource("https://cdn.example/lib.js")], [], "lib.js removed."),
        ([resource("https://cdn.example/", 9)], [], "9KB saved by removing cdn.example."),
        ([resource("https://[REDACTED]/x.js?k=[REDACTED]", 2048)], [], "2.0MB saved by removing x.js."),
    ],
)
def test_the_resource_that_weighs_most_is_named(before: Any, after: Any, expected: str) -> None:
    assert expected == summary(load(*before), load(*after))


def test_what_the_cache_spared_is_not_called_an_improvement() -> None:
    before = load(resource("a.js", 301, encodedSize=300 * KB), transferSize=500 * KB)
    after = load(resource("a.js", 0, encodedSize=300 * KB, cached=True), transferSize=199 * KB)

    assert "301KB came from the cache this time." == summary(before, after)
    assert "301KB came from the cache the time before." == summary(after, before)


def test_times_of_a_hidden_tab_are_not_compared() -> None:
    assert "No significant change. One of the loads was in a hidden tab: times not compared." == summary(
        load(), load(load=5000, fcp=None, lcp=None, hidden=True)
    )


def test_times_of_two_visible_tabs_are_compared_and_of_two_hidden_ones_too() -> None:
    for hidden in (False, True):
        assert f"Load slower (900ms → 5.0s). {FEW_LOADS}" == summary(
            load(hidden=hidden), load(load=5000, hidden=hidden)
        )


@pytest.mark.requirement("001-107")
def test_a_very_long_name_is_cut_and_the_sentence_stays_short() -> None:
    said = summary(load(resource("x" * 5_000 + ".js", 300), lcp=2800), load(lcp=1200))

    assert said.startswith("LCP improved 57% (2.8s → 1.2s). 300KB saved by removing xxx")
    assert len(said) < 200


def test_what_does_not_fit_is_counted() -> None:
    worse = {"lcp": 99_000, "fcp": 98_000, "cls": 0.5, "ttfb": 97_000, "load": 99_900, "requestCount": 999}

    said = summary(load(resource("a.js", 9)), load(**worse))

    assert (True, True) == (len(said) < 200, said.endswith(" more."))


def test_a_metric_without_a_percentage_states_none() -> None:
    assert "Warning: TTFB regressed (0ms → 90ms)." == sentence("ttfb", metric(0, 90.4))
