"""What an action did: its time, what it changed, and with analyze what took the time.

Rules of this file:
- The window runs from the dispatch to the moment when all was quiet; the action lasts from the dispatch to its last
  effect within: a handler or a mutation, the end of a request or of a long task. The quiet after it is not counted.
- A request that has not ended within the window is not part of the analysis (seed 001, edge cases); `effects` has it.
"""

from typing import Any, NamedTuple

from msgspec import UNSET, UnsetType

from gasoline_workers.diff import analysis, faults, mutations, spans
from gasoline_workers.diff.addresses import shown
from gasoline_workers.diff.messages import (
    ActionExplained,
    ActionMeasured,
    LongTask,
    LongTaskRow,
    Moments,
    Number,
    RequestRow,
    Resource,
    Shift,
)
from gasoline_workers.diff.reading import items, kb, number, rounded, struct, text, whole
from gasoline_workers.diff.resources import content, is_cached
from gasoline_workers.diff.sentences import cut
from gasoline_workers.diff.spans import Span

ROWS = 20
SLACK_MS = 1  # a page rounds its times (extension/src/content: to a tenth): a request is not from before for that
SCRIPT = 80  # characters of what a task is attributed to


class Timed(NamedTuple):
    """What was measured, and when it ran; None where that is not known."""

    what: Any
    span: Span | None


class Window(NamedTuple):
    """When the action began, when its own work ended, and when all was quiet."""

    start: float
    end: float
    settled: float


def explain(measured: object, *, analyze: bool) -> ActionExplained:
    """Explain an ActionMeasured; in full with `analyze`."""
    action = struct(measured, ActionMeasured)
    changes = mutations.collapse(action.mutations)
    effects = action.effects if isinstance(action.effects, dict) else {}
    wrong = faults.found(effects, text(action.url))
    window = _window(action.timing)
    requests = [_timed(one) for one in items(action.requests, Resource)]
    tasks = [_timed(one) for one in items(action.long_tasks, LongTask)]
    ended = [one for one in requests if _has_ended(one, window)]
    begun = [one for one in tasks if _is_within(one, window)]
    running = [one for one in requests if number(one.what.duration) is None]
    lasted = _lasted(window, ended, begun)
    is_left = window is None and action.mutations is None  # then the effects are of the page that came
    short = ActionExplained(
        timing_ms=int(rounded(lasted[1] - lasted[0])) if lasted else UNSET,
        dom_summary="" if is_left else changes.summary,
        console_errors=wrong.console_errors,
        errors=wrong.errors,
        failed_requests=wrong.failed_requests,
        failed=wrong.failed,
        open_requests=whole(effects.get("open_requests")),
        websocket_frames=whole(effects.get("websocket_frames")),
    )
    if not analyze or is_left:
        return short
    shifts = items(action.shifts, Shift)
    timing = spans.shared(lasted, _spans(begun), _spans(ended)) if lasted else None
    ended.sort(key=_ms, reverse=True)
    begun.sort(key=_ms, reverse=True)
    moved = rounded(sum(number(one.value) or 0 for one in shifts), 4)
    return ActionExplained(
        timing_ms=short.timing_ms,
        dom_summary=short.dom_summary,
        console_errors=short.console_errors,
        errors=short.errors,
        failed_requests=short.failed_requests,
        failed=short.failed,
        open_requests=short.open_requests,
        websocket_frames=short.websocket_frames,
        timing=timing or UNSET,
        network=[_request(one, text(action.url)) for one in (*ended, *running)[:ROWS]],
        long_tasks=[_task(one) for one in begun[:ROWS]],
        layout_shifts=moved,
        dom_changes=changes,
        analysis=analysis.analysis(
            timing,
            [text(one.what.url) for one in ended],
            len(begun),
            len(requests) - len(ended),
            analysis.Shifted(moved, _most_shifted(shifts), changes),
        ),
        more=_more(network=len(ended) + len(running), long_tasks=len(begun)),
    )


def _window(timing: object) -> Window | None:
    moments = struct(timing, Moments)
    start, end = number(moments.start), number(moments.end)
    if start is None or end is None or end < start:
        return None
    return Window(start, end, max(end, number(moments.settled) or 0))


def _timed(what: Resource | LongTask) -> Timed:
    start, duration = number(what.start), number(what.duration)
    return Timed(what, None if start is None or duration is None else (start, start + duration))


def _has_ended(one: Timed, window: Window | None) -> bool:
    """Return whether a request was made by the action, and ended before all was quiet."""
    if one.span is None or window is None:
        return one.span is not None
    return window.start - SLACK_MS <= one.span[0] and one.span[1] <= window.settled + SLACK_MS


def _is_within(one: Timed, window: Window | None) -> bool:
    if one.span is None or window is None:
        return one.span is not None
    return one.span[1] > window.start and one.span[0] < window.settled


def _lasted(window: Window | None, ended: list[Timed], begun: list[Timed]) -> Span | None:
    if window is None:
        return None
    last = max((window.end, *(stop for _start, stop in _spans([*ended, *begun]))))
    return window.start, min(last, window.settled)


def _spans(found: list[Timed]) -> list[Span]:
    return [one.span for one in found if one.span is not None]


def _ms(one: Timed) -> int:
    return int(rounded(one.span[1] - one.span[0])) if one.span else 0


def _request(one: Timed, page: str) -> RequestRow:
    resource: Resource = one.what
    size, status = content(resource), number(resource.status)
    return RequestRow(
        shown(text(resource.url), page) or "?",
        text(resource.method)[: faults.WORD],
        int(status) if status else UNSET,
        text(resource.error)[: faults.WORD],
        UNSET if one.span is None else _ms(one),
        _or_unset(None if size is None else kb(size)),
        cached=is_cached(resource),
        open=number(resource.duration) is None,
    )


def _or_unset(value: Number | None) -> Number | UnsetType:
    return UNSET if value is None else value


def _task(one: Timed) -> LongTaskRow:
    return LongTaskRow(_ms(one), cut(text(one.what.attribution), SCRIPT) or "unknown")


def _most_shifted(shifts: list[Shift]) -> str:
    most = max(shifts, key=lambda one: number(one.value) or 0, default=Shift())
    return text(most.element)


def _more(**counts: int) -> dict[str, int]:
    return {name: count - ROWS for name, count in counts.items() if count > ROWS}
