"""What a page measures, for tests: loads, resources, mutation records."""

from collections.abc import Sequence
from typing import Any

from gasoline_workers.diff import loads
from gasoline_workers.diff.messages import DomChanges, PerfDiff
from gasoline_workers.diff.mutations import collapse

PAGE = "http://localhost:3000/"
KB = 1024

Record = dict[str, Any]


def resource(path: str, size_kb: float | None = None, **more: Any) -> Record:
    sizes = {} if size_kb is None else {"transferSize": size_kb * KB}
    url = path if "://" in path else f"{PAGE}{path}"
    return {"type": "resource", "url": url, "initiator": "script", "duration": 10, **sizes, **more}


def load(*resources: Record, **more: Any) -> Record:
    """Make a load; `more` may set each timing by its name, and each other field."""
    timing = {"ttfb": 100, "fcp": 500, "lcp": 1000, "domContentLoaded": 700, "load": 900}
    timing |= {name: more.pop(name) for name in list(more) if name in timing}
    numbers = {"cls": 0.01, "transferSize": 500 * KB, "requestCount": 20, "longTaskCount": 0, "totalBlockingTime": 0}
    return {"url": PAGE, "timing": timing, **numbers, "resources": list(resources), **more}


SEED = (
    load(
        resource("old-bundle.js", 256),
        resource("main.js", 512),
        lcp=2800,
        fcp=900,
        cls=0.02,
        ttfb=120,
        load=1500,
        transferSize=768 * KB,
        requestCount=58,
    ),
    load(
        resource("main.js", 256),
        lcp=1200,
        fcp=800,
        cls=0.01,
        ttfb=80,
        load=1100,
        transferSize=512 * KB,
        requestCount=42,
    ),
)
"""Seed 001, the refresh: before and after."""


def compared(before: Record, after: Record) -> PerfDiff:
    found = loads.compare({"load": after, "before": before}).perf_diff
    assert isinstance(found, PerfDiff)
    return found


class Dom:
    """A page whose mutations are recorded as a content script would."""

    def __init__(self) -> None:
        self.parents: list[int] = []
        self.selectors: list[str] = []
        self.samples: list[str] = []
        self.children: list[tuple[int, int, int]] = []
        self.attributes: dict[str, list[tuple[int, Any, Any]]] = {}
        self.texts: list[tuple[int, Any, Any]] = []

    def node(self, selector: str, parent: int = -1, sample: str = "") -> int:
        self.parents.append(parent)
        self.selectors.append(selector)
        self.samples.append(sample)
        return len(self.parents) - 1

    def add(self, *nodes: int, to: int | None = None) -> None:
        self.children += [(node, self.parents[node] if to is None else to, 1) for node in nodes]

    def remove(self, *nodes: int, of: int | None = None) -> None:
        self.children += [(node, self.parents[node] if of is None else of, 0) for node in nodes]

    def set(self, node: int, name: str, before: Any, after: Any) -> None:
        self.attributes.setdefault(name, []).append((node, before, after))

    def write(self, node: int, before: Any, after: Any) -> None:
        self.texts.append((node, before, after))

    def measured(self, **more: Any) -> Record:
        return {
            "parents": self.parents,
            "names": list(range(len(self.parents))),
            "selectors": self.selectors,
            "samples": self.samples,
            "children": columns(self.children, "node", "parent", "came"),
            "attributes": {name: columns(told, "node", "old", "new") for name, told in self.attributes.items()},
            "texts": columns(self.texts, "node", "old", "new"),
        } | more

    def changes(self, **more: Any) -> DomChanges:
        return collapse(self.measured(**more))


def columns(rows: Sequence[Sequence[Any]], *names: str) -> Record:
    return {name: [row[at] for row in rows] for at, name in enumerate(names)}


def slow_click() -> Record:
    """Measure the click on "Load More" of seed 001."""
    dom = Dom()
    items, button = dom.node("#items"), dom.node("#load-more")
    dom.add(*[dom.node(".item-card", items, "Product 11...") for _ in range(25)])
    dom.set(button, "data-page", "1", "2")
    return {
        "url": PAGE,
        "timing": {"start": 5000, "end": 5340, "settled": 5390},
        "mutations": dom.measured(),
        "requests": [
            {"url": f"{PAGE}api/items?page=2", "method": "GET", "status": 200, "start": 5120, "duration": 180}
            | {"transferSize": 12 * KB}
        ],
        "longTasks": [{"start": 5000, "duration": 120, "attribution": "script"}],
        "shifts": [{"value": 0.02, "element": "footer"}, {"value": 0.01, "element": "nav"}],
    }
