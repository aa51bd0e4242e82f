"""What the audit worker judges in pages, and loads of them, for the tests of the regression worker."""

from typing import Any

import msgspec

from gasoline_workers.audit.messages import Affected, Finding, Judged, Severity
from gasoline_workers.regression.kept import Kept, state
from gasoline_workers.regression.messages import Conditions, Loads, PictureCompared

URL = "http://shop.test/cart"
HERE = Conditions("Chrome/156.0", "0.1.0", (1440, 900), 1)
SNAPSHOT = {
    "timestamp": "2026-01-29T09:00:00Z",
    "heap_used_mb": 20.0,
    "heap_total_mb": 30.0,
    "heap_limit_mb": 2048.0,
    "detached_nodes": 1,
    "dom_node_count": 100,
    "event_listener_count": 40,
    "source": "debugger",
}
SAME_LOOK = PictureCompared(verdict="identical")
QUIET = [200, 205, 195, 210, 202]


def loads(lcp: list[float], conditions: Conditions = HERE, url: str = URL, **more: list[float]) -> Loads:
    """Give loads with these largest paints, and with other metrics by their names."""
    metrics: list[dict[str, int | float]] = [
        {"lcp_ms": ms} | {name: values[at] for name, values in more.items()} for at, ms in enumerate(lcp)
    ]
    return Loads(url, conditions, metrics)


def issue(rule: str, *selectors: str, count: int = 0, severity: Severity = "high") -> Finding:
    """Give a broken rule of axe with its elements."""
    affected: list[Any] = [Affected(one, f"<p>{one}</p>") for one in selectors]
    return Finding(id=rule, severity=severity, category="accessibility", message=rule, count=count, affected=affected)


def flaw(name: str, *affected: str, severity: Severity = "medium") -> Finding:
    """Give a security finding."""
    return Finding(issue=name, severity=severity, category="headers", message=name, affected=[*affected])


def judged(*findings: Finding, **more: Any) -> Any:
    """Give what the audit worker answers, as it arrives."""
    answer = {
        "status": "success",
        "action": "regression",
        "scope": "full",
        "duration_ms": 9,
        "cached": False,
        "url": URL,
    }
    found = msgspec.convert(answer | {"findings": [], "snapshot": SNAPSHOT} | more, Judged)
    return msgspec.to_builtins(msgspec.structs.replace(found, findings=[*findings]))


def kept(of: Loads, *findings: Finding, name: str = "cart", **more: Any) -> Kept:
    """Give a baseline."""
    return Kept(name, "2026-01-29T09:00:00Z", state(of, judged(*findings, **more)))
