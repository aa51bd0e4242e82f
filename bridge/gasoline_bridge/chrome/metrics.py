"""The broker's figures, and what the bridge dropped, for Prometheus; pure, and without the library's global registry.

Names and units as https://prometheus.io/docs/practices/naming/ has them: base units, `_total` for what only grows.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, SummaryMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from gasoline_broker.messages import Spread, StatusRead

CONTENT_TYPE = (
    "text/plain; version=0.0.4; charset=utf-8"  # https://prometheus.io/docs/instrumenting/exposition_formats/
)


class Figures(Collector):
    """One status, as metrics. `dropped`: what the bridge had to drop, by kind."""

    def __init__(self, status: StatusRead, dropped: Mapping[str, int]) -> None:
        self._status = status
        self._dropped = dropped

    def collect(self) -> Iterator[Metric]:
        """Give every metric, each once."""
        status = self._status
        processes = Counter(peer.service for peer in status.peers) + Counter(["broker"])
        yield _gauge("processes", "Processes that are connected.", processes.items())
        yield _gauge(
            "waiting", "Asks that wait for a process.", ((one.service, one.waiting) for one in status.services)
        )
        yield _gauge("running", "Asks that are worked on.", ((one.service, one.running) for one in status.services))
        yield GaugeMetricFamily("gasoline_in_flight", "Asks that have no answer yet.", status.in_flight)
        yield GaugeMetricFamily("gasoline_broker_up_seconds", "Time since the broker started.", status.up_s)
        yield GaugeMetricFamily("gasoline_dead_letters", "Asks given up that are remembered.", len(status.dead_letters))
        failed = ((one.service, one.failed) for one in status.services)
        yield _counter("stop_failed", "Asks that a service failed.", "service", failed)
        yield _counter("events", "What went wrong since the broker started.", "event", status.counts.items())
        yield _counter("bridge_dropped", "What the bridge gave up for good.", "what", self._dropped.items())
        yield _summary("stop_wait_seconds", "Time until a process took an ask.", _spreads(status, "waited"))
        yield _summary("stop_work_seconds", "Time until a process answered an ask.", _spreads(status, "worked"))
        info = GaugeMetricFamily("gasoline_info", "The version, always 1.", labels=["version"])
        info.add_metric([status.version], 1)
        yield info


def _spreads(status: StatusRead, which: str) -> Iterator[tuple[str, Spread]]:
    return ((one.service, getattr(one, which)) for one in status.services)


def _gauge(name: str, words: str, numbers: Iterable[tuple[str, float]]) -> Metric:
    family = GaugeMetricFamily(f"gasoline_{name}", words, labels=["service"])
    for service, number in numbers:
        family.add_metric([service], number)
    return family


def _counter(name: str, words: str, label: str, numbers: Iterable[tuple[str, float]]) -> Metric:
    family = CounterMetricFamily(f"gasoline_{name}", words, labels=[label])
    for value, number in numbers:
        family.add_metric([value], number)
    return family


def _summary(name: str, words: str, spreads: Iterable[tuple[str, Spread]]) -> Metric:
    family = SummaryMetricFamily(f"gasoline_{name}", words, labels=["service"])
    for service, spread in spreads:
        for quantile, took_ms in (("0.5", spread.p50_ms), ("0.95", spread.p95_ms), ("0.99", spread.p99_ms)):
            family.add_sample(family.name, {"service": service, "quantile": quantile}, round(took_ms / 1000, 6))
        family.add_metric([service], spread.count, spread.sum_s)
    return family


def text(status: StatusRead, dropped: Mapping[str, int]) -> bytes:
    """Give both in Prometheus' text format."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(Figures(status, dropped))
    return generate_latest(registry)
