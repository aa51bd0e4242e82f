"""A history of a baseline with each kind of entry, for the tests of what is drawn of it."""

from gasoline_workers.regression.messages import HistoryEntry, HistoryRead, Spread, Verdict

URL = "http://shop.test/cart"


def entry(number: int, lcp_ms: float, verdict: Verdict = "no_change", **more: int | None) -> HistoryEntry:
    """Return a compare; loads vary by a tenth."""
    spread = Spread(lcp_ms, round(lcp_ms * 0.9, 1), round(lcp_ms * 1.1, 1), 5)
    return HistoryEntry(
        at=f"2026-01-{number:02}T08:30:00Z",
        kind="compared",
        verdict=verdict,
        summary=f"LCP <{verdict}>",
        browser="Chrome/156.0",
        metrics={"lcp_ms": spread, "bytes": Spread(250_000, 250_000, 250_000, 5)},
        verdicts={} if verdict == "no_change" else {"lcp_ms": verdict},
        accessibility_issues=more.get("issues", 2),
        heap_used_mb=20.5,
        seen_px=more.get("seen_px", 0),
    )


def history(name: str = "cart <main>") -> HistoryRead:
    """Return a history."""
    made = HistoryEntry(
        at="2026-01-01T08:30:00Z",
        kind="made",
        summary="made of 5 loads",
        metrics={"lcp_ms": Spread(200, 190, 210, 5)},
        accessibility_issues=2,
    )
    approved = HistoryEntry(at="2026-01-05T09:00:00Z", kind="approved", summary="approved: performance")
    entries = [
        made,
        entry(2, 205),
        entry(3, 198),
        entry(4, 420, "regression_detected", seen_px=900),
        approved,
        entry(6, 415),
        entry(7, 440, "inconclusive", issues=None),
        entry(8, 230, "improved"),
        *(entry(number, 220 + number % 3 * 4) for number in range(9, 24)),
    ]
    return HistoryRead(name, URL, entries)
