"""The laws of differences: nothing is made of nothing, nothing is counted twice, and no garbage raises."""

import math
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from gasoline_workers.diff import mutations
from gasoline_workers.diff.actor import answer
from gasoline_workers.diff.loads import metric
from gasoline_workers.diff.messages import CompareLoads, DomChanges, ExplainAction, ResourceDiff
from gasoline_workers.diff.reading import GREATEST, number
from gasoline_workers.diff.sentences import LONGEST, cut, line
from gasoline_workers.diff.spans import shared
from gasoline_workers.diff.summary import NOTHING
from unit.diff.pages import Dom, columns, compared, load, resource, slow_click

ASKS = st.sampled_from([CompareLoads(), ExplainAction(), ExplainAction(analyze=True)])
NUMBERS = st.floats(0, 10**9) | st.integers(0, 10**6) | st.none()
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(1 << 63), (1 << 64) - 1)
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["[REDACTED]", "http://[::1/", "a#b?c", "data:x"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
NAMES = st.sampled_from(["a.js", "b.css", "c" * 300, "d e f", "?x=1", "https://x/y.js"])
SIZES = st.none() | st.floats(0, 5_000)
RESOURCES = st.lists(st.builds(resource, NAMES, SIZES, encodedSize=SIZES, renderBlocking=st.booleans()), max_size=8)
LOADS = st.builds(
    lambda told, more: load(*told, **more),
    RESOURCES,
    st.fixed_dictionaries(
        dict.fromkeys(("ttfb", "fcp", "lcp", "load", "cls", "transferSize", "requestCount"), NUMBERS)
    ),
)
PARENTS = st.lists(st.integers(-1, 12), min_size=1, max_size=12)
RECORDS = st.lists(st.tuples(st.integers(0, 11), st.integers(-1, 11), st.integers(0, 1)), max_size=30)


@given(LOADS)
def test_a_load_is_no_different_from_itself(told: dict[str, Any]) -> None:
    found = compared(told, told)

    assert (NOTHING, ResourceDiff([], [], []), False) == (
        found.summary,
        found.resources,
        any(one.improved or one.delta or one.pct != "+0%" for one in found.metrics.values()),
    )


READ = st.floats(0, GREATEST).map(lambda value: number(value) or 0)


@given(READ, READ, st.sampled_from([0, 1, 4]))
def test_delta_percentage_and_improved_agree(before: float, after: float, digits: int) -> None:
    found = metric(before, after, digits)

    assert found.improved == (after < before)
    assert found.delta * int(found.pct.strip("%")) >= 0
    assert found.delta <= 0 if found.improved else found.delta >= 0


@given(LOADS, LOADS)
def test_the_summary_is_short_and_never_empty(before: dict[str, Any], after: dict[str, Any]) -> None:
    assert 0 < len(compared(before, after).summary) < 200


@given(st.lists(st.text(min_size=1, max_size=400).map(lambda text: f"x{text}"), min_size=1, max_size=9))
def test_a_line_is_short_and_never_empty(sentences: list[str]) -> None:
    assert 0 < len(line(sentences)) <= LONGEST


@given(st.text(), st.integers(10, 60))
def test_a_text_is_cut_at_words_and_once(text: str, most: int) -> None:
    once = cut(text, most)

    assert (True, once) == (len(once) <= most, cut(once, most))


@given(LOADS, LOADS, st.text(max_size=300), st.lists(st.tuples(NUMBERS, NUMBERS), max_size=5))
def test_the_analysis_is_short_and_never_empty(
    before: dict[str, Any], after: dict[str, Any], name: str, spans: list[Any]
) -> None:
    requests = [{"url": name, "start": start, "duration": duration} for start, duration in spans]
    measured = slow_click() | {"requests": [*before["resources"], *after["resources"], *requests]}

    found = answer(ExplainAction(analyze=True), {"measured": measured})

    assert 0 < len(found["analysis"]) < 200


@given(
    st.tuples(st.floats(0, 5_000), st.floats(0, 5_000)).map(lambda ends: (min(ends), max(ends))),
    st.lists(st.tuples(st.floats(0, 6_000), st.floats(0, 6_000)), max_size=8),
    st.lists(st.tuples(st.floats(0, 6_000), st.floats(0, 6_000)), max_size=8),
)
def test_the_causes_add_up_to_the_total(window: Any, tasks: Any, requests: Any) -> None:
    found = shared(window, tasks, requests)

    assert found.total_ms == found.js_blocking_ms + found.network_ms + found.render_ms
    assert min(found.js_blocking_ms, found.network_ms, found.render_ms) >= 0


def there(dom: Dom, node: int, ends: dict[int, tuple[int, int]], absent: int) -> bool:
    """Tell what Presence tells, one step after the other."""
    seen = set[int]()
    while node != -1 and node not in seen:
        seen.add(node)
        parent, came = ends.get(node, (dom.parents[node] if node < len(dom.parents) else -1, 1 - absent))
        if came == absent:
            return False
        node = parent
    return True


@given(PARENTS, RECORDS)
def test_collapse_loses_no_category_and_counts_no_node_twice(parents: list[int], records: list[Any]) -> None:
    dom = Dom()
    for node, parent in enumerate(parents):
        dom.node(f"#n{node}", min(parent, node - 1))  # no circles: those are told by nobody
    last: dict[int, tuple[int, int]] = {}
    for node, parent, came in records:
        if node < len(parents) and parent < node and (node not in last or last[node][1] != came):
            dom.children.append((node, parent, came))
            last[node] = parent, came
    first = {node: (parent, came) for node, parent, came in reversed(dom.children)}
    was = {node: there(dom, node, first, 1) for node in range(-1, len(parents))}
    now = {node: there(dom, node, last, 0) for node in range(-1, len(parents))}

    found = dom.changes()

    expected = {
        "added": {n for n in last if now[n] and not was[n] and was[last[n][0]]},
        "removed": {n for n in last if was[n] and not now[n] and now[first[n][0]]},
        "moved": {n for n in last if was[n] and now[n] and was[last[n][0]] and now[first[n][0]]},
    }
    told = {name: [row.selector for row in getattr(found, name)] for name in expected}
    assert {name: {f"#n{node}" for node in nodes} for name, nodes in expected.items()} == {
        name: set(rows) for name, rows in told.items()
    }
    every = [selector for rows in told.values() for selector in rows]
    assert len(every) == len(set(every))
    assert ("no changes" == found.summary) == (not every)
    if any(now[n] != was[n] for n in last):
        assert every


@given(ASKS, JSON)
def test_no_garbage_measured_raises(ask: Any, garbage: Any) -> None:
    msgspec.msgpack.encode(answer(ask, {"measured": garbage}))


def paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    items: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value[:3]))
    return [path] + [found for key, inner in items for found in paths(inner, (*path, key))]


def spoiled(value: Any, path: tuple[Any, ...], garbage: Any) -> Any:
    if not path:
        return garbage
    key, *rest = path
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[key] = spoiled(value[key], tuple(rest), garbage)
    return copy


WHOLE: list[dict[str, Any]] = [
    slow_click() | {"effects": {"console_errors": 1, "failed_requests": 2}},
    {
        "load": load(resource("a.js", 9, encodedSize=9_000, cached=True)),
        "before": load(resource("b.js", 9), hidden=True),
    },
]
PLACES = [(whole, path) for whole in WHOLE for path in paths(whole)]


@given(ASKS, st.sampled_from(PLACES), JSON)
def test_no_garbage_in_any_field_raises(ask: Any, place: Any, garbage: Any) -> None:
    whole, path = place

    found = answer(ask, {"measured": spoiled(whole, path, garbage)})

    msgspec.msgpack.encode(found)
    assert all(0 < len(text) < 200 for text in sentences_of(found))


def sentences_of(reply: dict[str, Any]) -> list[str]:
    told = [reply[name] for name in ("analysis", "dom_summary") if name in reply]
    return told + ([reply["perf_diff"]["summary"]] if "perf_diff" in reply else [])


@given(st.lists(JSON, max_size=5), st.lists(JSON, max_size=5), st.lists(JSON, max_size=5))
def test_garbage_in_columns_leaves_a_difference(node: list[Any], parent: list[Any], came: list[Any]) -> None:
    rows = {"node": node, "parent": parent, "came": came}
    values = {"node": node, "old": parent, "new": came}
    whole = {"parents": node, "names": parent, "selectors": came, "samples": node, "children": rows}

    assert isinstance(mutations.collapse(whole | {"attributes": {"a": values}, "texts": values}), DomChanges)


@given(st.integers(0, 30), st.floats())
def test_no_number_is_read_that_is_none(count: int, odd: float) -> None:
    told = columns([(0, "a", odd)] * count, "node", "old", "new")

    found = mutations.collapse({"parents": [-1], "names": [0], "selectors": ["p"], "texts": told, "count": odd})

    assert (1 if count else 0) == sum(row.count for row in found.texts)
    assert math.isfinite(found.unexamined)
