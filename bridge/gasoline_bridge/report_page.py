"""What all reports share: a document that loads nothing, its colors in light and dark, and the metrics' names; pure.

All text of a page is escaped by its caller. Should one forget to: the document's policy lets no script run but our own.
"""

import base64
import hashlib

LABELS = {
    "lcp_ms": "Largest contentful paint, ms",
    "fcp_ms": "First contentful paint, ms",
    "ttfb_ms": "Time to first byte, ms",
    "load_ms": "Load, ms",
    "tbt_ms": "Blocking time, ms",
    "cls": "Layout shift",
    "bytes": "Bytes",
    "requests": "Requests",
    "accessibility_issues": "Accessibility issues",
    "security_findings": "Security findings",
    "heap_used_mb": "Heap, MB",
    "seen_px": "Pixels that look different",
}

STYLE = """
:root { color-scheme: light dark; --text: #1a1a1a; --back: #fff; --soft: #f3f4f6; --line: #c4c8ce;
  --good: #166534; --bad: #b91c1c; --open: #854d0e; --then: #57606a; --now: #1d4ed8; --range: #dbe4fb; }
@media (prefers-color-scheme: dark) { :root { --text: #e6e6e6; --back: #16181c; --soft: #22262c; --line: #4a515b;
  --good: #86efac; --bad: #fca5a5; --open: #fcd34d; --then: #a9b1bb; --now: #93c5fd; --range: #24344f; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 70rem; padding: 1.5rem; font: 16px/1.5 system-ui, sans-serif; color: var(--text);
  background: var(--back); }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; overflow-wrap: anywhere; } h3 { font-size: 1rem; }
article { border-top: 1px solid var(--line); padding: .5rem 0 1.5rem; }
.verdict { font-weight: 700; } .no_change, .improved, .made, .approved { color: var(--good); }
.regression_detected { color: var(--bad); } .inconclusive, .error { color: var(--open); }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; }
th, td { padding: .3rem .6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: middle; }
td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
code { background: var(--soft); padding: 0 .25em; overflow-wrap: anywhere; }
.axis { stroke: var(--line); } svg { display: block; }
"""


def document(title: str, style: str, body: str, script: str = "") -> str:
    """Return the whole document."""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_policy(script)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{STYLE}{style}</style>
</head>
<body>
<main>
{body}
</main>
{f"<script>{script}</script>" if script else ""}
</body>
</html>
"""


def _policy(script: str) -> str:
    """Return what the document may do: show pictures that it holds, and run this script alone (www.w3.org/TR/CSP3)."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    scripts = f"script-src 'sha256-{digest}'; " if script else ""
    return f"default-src 'none'; img-src data:; style-src 'unsafe-inline'; {scripts}base-uri 'none'; form-action 'none'"


def count(number: int, what: str) -> str:
    """Return a number with what is counted, in the plural if there is not one."""
    return f"{number} {what}{'' if number == 1 else 's'}"
