"""Measures redaction on the corpus: leaks by half, kind and wrapping, harmless strings changed, text lost, speed."""

import json
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).parents[1]))

import random

from gasoline_workers.redaction.known import Known
from gasoline_workers.redaction.rules import redact, redact_listing
from secrets_corpus import benign, corpus, fresh, leakage

SIZES = {"1 KB": 2**10, "16 KB": 2**14, "1 MB": 2**20, "10 MB": 10 * 2**20}


@click.command()
@click.option("--seed", default=1, show_default=True, help="Of the values.")
@click.option("--misses", is_flag=True, help="Print what leaks, of the half on which rules may be written.")
@click.option("--spoiled", is_flag=True, help="Print the harmless strings that are changed.")
@click.option("--speed/--no-speed", default=True, help="Measure the time too.")
def main(seed: int, *, misses: bool, spoiled: bool, speed: bool) -> None:
    """Print the figures as JSON."""
    figures = _leaks(seed, show=misses) | _seen(seed) | _fresh(seed) | _harmless(show=spoiled)
    if speed:
        figures |= _speed() | _start()
    print(json.dumps(figures, indent=1, ensure_ascii=False))


def _leaks(seed: int, *, show: bool) -> dict[str, object]:
    planted, leaked = Counter[str](), Counter[str]()
    kinds, wrappings = Counter[str](), Counter[str]()
    lost = around = 0
    for one in corpus.records(seed):
        after, _ = redact(one.body)
        planted[one.half] += 1
        around += sum(map(len, leakage.leaves(one.body)))
        if not leakage.leaks(one.secret, after):
            lost += leakage.lost(one.secret, one.body, after)
            continue
        leaked[one.half] += 1
        if one.half == "known":
            kinds[one.kind] += 1
            wrappings[one.wrapping] += 1
            if show:
                print(f"{one.kind:16} {one.wrapping:18} {one.body!r:.230}\n     -> {after!r:.200}", file=sys.stderr)
    return {
        "planted": sum(planted.values()),
        "leak_percent": {half: round(100 * leaked[half] / planted[half], 2) for half in planted},
        "leak_percent_of_all": round(100 * sum(leaked.values()) / sum(planted.values()), 2),
        "lost_percent": round(100 * lost / around, 3),
        "known_leaks_by_kind": dict(kinds.most_common(12)),
        "known_leaks_by_wrapping": dict(wrappings.most_common(40)),
    }


def _seen(seed: int) -> dict[str, object]:
    """Return how many of the secrets that were hidden once are shown where they stand bare, by kind."""
    kinds, shown = Counter[str](), Counter[str]()
    for one in corpus.records(seed):
        known = Known()
        after, ledger = redact_listing(one.body, known=known)
        if leakage.leaks(one.secret, after):
            continue
        known.learn(ledger.kept(), time.time())
        kinds[one.kind] += 1
        bare, _ = redact(f"done with {one.secret} then", known=known)
        shown[one.kind] += one.secret in str(bare)
    return {
        "seen_once_shown_bare_percent": round(100 * sum(shown.values()) / sum(kinds.values()), 2),
        "seen_once_shown_bare_by_kind": dict((+shown).most_common(6)),
    }


def _fresh(seed: int) -> dict[str, object]:
    """Give what leaks of the corpus whose author has not read the rules; no record of it is printed."""
    leaked = [leakage.leaks(one.secret, redact(one.body)[0]) for one in fresh.records(seed)]
    return {"fresh_planted": len(leaked), "fresh_leak_percent": round(100 * sum(leaked) / len(leaked), 1)}


def _harmless(*, show: bool) -> dict[str, object]:
    total, changed = Counter[str](), Counter[str]()
    rng = random.Random(2)  # noqa: S311 - not for cryptography
    made = (("made", body) for _, body in benign.made(rng, 4_000))
    for kind, body in (*made, *benign.real(3_000)):
        total[kind] += 1
        after, count = redact(body)
        if count:
            changed[kind] += 1
            if show:
                print(f"{kind}: {_difference(str(body), str(after))}", file=sys.stderr)
    return {
        "harmless": dict(total),
        "harmless_changed_percent": {kind: round(100 * changed[kind] / total[kind], 2) for kind in total},
    }


def _difference(before: str, after: str) -> str:
    start = next((n for n, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), 0)
    return f"{before[max(0, start - 60) : start + 80]!r} -> {after[max(0, start - 20) : start + 40]!r}"


def _speed() -> dict[str, object]:
    texts = [piece for _, piece in benign.real(1_500)]
    rng = random.Random(3)  # noqa: S311 - not for cryptography
    rng.shuffle(texts)
    text = "\n".join(texts)
    figures = {}
    _took(
        [{"text": text[n : n + 2**10]} for n in range(0, 2**20, 2**10)]
    )  # the automata make their states as they read
    for name, size in SIZES.items():
        whole = (text * (size // len(text) + 1))[:size]
        bodies: list[object] = [[whole[n : n + 2**14] for n in range(0, size, 2**14)]]
        if size < 2**20:
            bodies = [{"text": text[n : n + size]} for n in range(0, min(2**21, len(text)), size)]
        took = _took(bodies)
        figures[name] = round(sum(len(str(body)) for body in bodies) / took / 1e6, 2)
    chunks = [text[n : n + 2**14] for n in range(0, len(text) - 2**14, 2**14)]
    times = sorted(_took([chunk]) for chunk in chunks)
    return {"mb_per_s": figures, "p99_of_16_kb_ms": round(1e3 * times[len(times) * 99 // 100], 1)}


def _took(bodies: Sequence[object]) -> float:
    start = time.process_time()
    for body in bodies:
        redact(body)
    return time.process_time() - start


def _start() -> dict[str, object]:
    program = (
        "import time,resource; start = time.process_time(); "
        "from gasoline_workers.redaction.rules import redact; redact({'a': 'token=' + 'a1b2' * 9}); "
        "print(time.process_time() - start)"
    )
    took = min(float(subprocess.check_output([sys.executable, "-c", program])) for _ in range(5))
    return {"start_ms": round(1e3 * took), "peak_kb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}


if __name__ == "__main__":
    main()
