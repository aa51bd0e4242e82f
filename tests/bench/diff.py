"""Measures the diff worker's thinking alone: loads of 300 resources, 5,000 mutation records; no broker, no page.

Ratios hold between machines, times do not: each is set against a msgspec decode of the same input in the same run.
"""

import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

sys.path.insert(0, str(Path(__file__).parents[1]))

from gasoline_workers.diff.actor import answer
from gasoline_workers.diff.loads import compare
from gasoline_workers.diff.messages import CompareLoads, ExplainAction
from gasoline_workers.diff.mutations import collapse
from unit.diff.pages import Dom, Record, load, resource

ROUNDS = 500
RESOURCES, RECORDS = 300, 5_000
SELECTORS = 40


def loads(chance: random.Random) -> Record:
    """Make two loads of which 20 resources are new, 20 gone and about 90 of another size."""
    before = [chunk(at, 10_000 + at) for at in range(RESOURCES)]
    after = [chunk(at, 10_000 + at + chance.choice([0, 0, 5_000])) for at in range(20, RESOURCES + 20)]
    return {"load": load(*after, lcp=1200), "before": load(*before, lcp=2800)}


def chunk(at: int, size_bytes: int) -> Record:
    sizes = {"transferSize": size_bytes + 300, "encodedSize": size_bytes, "decodedSize": size_bytes * 3}
    return resource(f"assets/chunk-{at}.js?v={at * 7}", start=1.5, **sizes)


def page() -> tuple[Dom, list[int]]:
    """Make a page of as many nodes as records, in 50 lists."""
    dom = Dom()
    lists = [dom.node(f"ul.list-{at}") for at in range(50)]
    return dom, [dom.node("li", lists[at % 50]) for at in range(RECORDS)]


def added() -> Record:
    dom, nodes = page()
    dom.add(*nodes)
    return shared(dom)


def rerendered() -> Record:
    dom, nodes = page()
    dom.remove(*nodes[: RECORDS // 2])
    dom.add(*nodes[RECORDS // 2 :])
    return shared(dom)


def changed() -> Record:
    dom, nodes = page()
    for node in nodes:
        dom.set(node, "class", "card", "card on")
    return shared(dom)


def mixed(chance: random.Random) -> Record:
    dom, nodes = page()
    for _ in range(RECORDS // 5 * 3):
        (dom.add if chance.random() < 0.5 else dom.remove)(chance.choice(nodes))
    for _ in range(RECORDS // 5):
        dom.set(chance.choice(nodes), chance.choice(["class", "style", "aria-busy"]), "a", chance.choice("abc"))
        dom.write(chance.choice(nodes), "1", chance.choice("12"))
    return shared(dom)


def shared(dom: Dom) -> Record:
    """Give the records as a page sends them: nodes of one selector share its name."""
    names = {"selectors": [f"li.card-{at}" for at in range(SELECTORS)], "samples": ["Card"] * SELECTORS}
    return dom.measured(**names, names=[at % SELECTORS for at in range(len(dom.parents))])


def took_ms(work: Callable[[], Any]) -> tuple[float, float]:
    """Give median and p95 of the processor's time: a busy machine must not count."""
    took = []
    for _ in range(ROUNDS):
        begun = time.thread_time()
        work()
        took.append((time.thread_time() - begun) * 1_000)
    return statistics.median(took), statistics.quantiles(took, n=20)[18]


def show(what: str, measured: Record, work: Callable[[Record], Any]) -> None:
    encoded = msgspec.msgpack.encode(measured)
    decoded = msgspec.msgpack.decode(encoded)
    decode_ms, _ = took_ms(lambda: msgspec.msgpack.decode(encoded))
    median_ms, p95_ms = took_ms(lambda: work(decoded))
    times = f"{median_ms:>8.2f} {p95_ms:>8.2f} {decode_ms:>10.2f}"
    print(f"{what:<34} {len(encoded) // 1024:>5} {times} {median_ms / decode_ms:>9.1f} {p95_ms / decode_ms:>9.1f}")


def main() -> None:
    """Print the table."""
    chance = random.Random(7)  # noqa: S311 - the same input in each run
    print(f"{'':<34} {'KB':>5} {'p50 ms':>8} {'p95 ms':>8} {'decode ms':>10} {'p50 ratio':>9} {'p95 ratio':>9}")
    show(f"perf diff, {RESOURCES} resources", loads(chance), compare)
    for name, made in {
        "added": added(),
        "re-rendered": rerendered(),
        "attributes": changed(),
        "mixed at random": mixed(chance),
    }.items():
        show(f"collapse, {RECORDS:,} records, {name}", made, collapse)
    everything = {"measured": {"timing": {"start": 0, "end": 90}, "mutations": mixed(chance)}}
    show("a click's whole reply, mixed", everything, lambda body: answer(ExplainAction(), body))
    show("a refresh's whole reply", {"measured": loads(chance)}, lambda body: answer(CompareLoads(), body))


if __name__ == "__main__":
    main()
