"""Runs a public set of rules on the corpus of `redaction.py`: detect-secrets, from an environment that has it.

`pip install detect-secrets`, then `python tests/bench/public_rules.py`. What it finds in the lines of a record, as it
would in a file, is replaced there, and the rest judged as that of redaction is.
"""

import importlib
import json
import random
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from secrets_corpus import benign, corpus, leakage

scan = importlib.import_module("detect_secrets.core.scan")
settings = importlib.import_module("detect_secrets.settings")


def without(body: object) -> tuple[str, int]:
    """Return a body as text without what the rules find in its lines, and how much that is; bytes as Latin-1."""
    if isinstance(body, bytes):
        body = body.decode("latin-1")
    text = body if isinstance(body, str) else json.dumps(body, ensure_ascii=False, default=str)
    lines = list(enumerate(text.split("\n"), 1))
    found = {one.secret_value for one in scan._process_line_based_plugins(lines, filename="record.txt")}
    for secret in sorted(filter(None, found), key=len, reverse=True):
        text = text.replace(secret, "*")
    return text, len(found)


def percent(part: Counter[str], whole: Counter[str]) -> dict[str, float]:
    """Return the shares in percent."""
    return {name: round(100 * part[name] / whole[name], 2) for name in whole}


def main() -> None:
    """Print the figures as JSON."""
    planted, leaked, total, changed = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    with settings.default_settings():
        for one in corpus.records(1):
            planted[one.half] += 1
            leaked[one.half] += leakage.leaks(one.secret, without(one.body)[0])
        made = (("made", body) for _, body in benign.made(random.Random(2), 4_000))  # noqa: S311 - not for cryptography
        for kind, body in (*made, *benign.real(500)):
            total[kind] += 1
            changed[kind] += without(body)[1] > 0
    figures = {"leak_percent": percent(leaked, planted), "harmless_changed_percent": percent(changed, total)}
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
