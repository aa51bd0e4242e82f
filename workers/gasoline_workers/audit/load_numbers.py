"""Reads the numbers of one load from its performance evidence; it judges none of them."""

from typing import Any

from gasoline_workers.audit.measured import Measured, read
from gasoline_workers.audit.messages import LoadRead, Number
from gasoline_workers.audit.vitals import total_blocking_ms
from gasoline_workers.diff.reading import rounded


def load_read(body: Any) -> LoadRead:  # noqa: ANN401 - whatever the extension answered
    """Return what is known of the load that the extension's `performance` part measured."""
    parts = body.get("evidence") if isinstance(body, dict) else None
    page = read(parts.get("performance") if isinstance(parts, dict) else None)
    return LoadRead(
        url=page.url,
        metrics=_metrics(page),
        viewport=(round(page.viewport.width), round(page.viewport.height)),
        scale=rounded(page.scale, 3),
        hidden=page.is_hidden,
    )


def _metrics(page: Measured) -> dict[str, Number]:
    navigation, sizes = page.navigation, [one.encoded for one in page.resources if one.encoded is not None]
    painted = None if page.is_hidden else page.paint.ms
    known = {
        "lcp_ms": painted,
        "fcp_ms": None if page.is_hidden else navigation.paint_ms,
        "ttfb_ms": navigation.ttfb_ms,
        "load_ms": navigation.load_ms,
        "tbt_ms": None if navigation.load_ms is None else total_blocking_ms(page),
    }
    timings = {name: rounded(value, 1) for name, value in known.items() if value is not None}
    shift: dict[str, Number] = {} if page.layout_shift is None else {"cls": rounded(page.layout_shift, 4)}
    return (
        timings
        | shift
        | {"bytes": rounded(sum(sizes) + (navigation.encoded or 0)), "requests": 1 + len(page.resources)}
    )
