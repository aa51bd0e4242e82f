"""Writes findings as SARIF 2.1.0, which code hosts and editors read (docs.oasis-open.org/sarif/sarif/v2.1.0); pure.

Each place of a finding is a result: its address is the page's, its element is a logical location.
"""

from typing import Any

from gasoline_broker.product import NAME, VERSION
from gasoline_workers.audit.messages import TEXT_CHARS
from gasoline_workers.diff.reading import items, text

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS = {"critical": "error", "high": "error", "medium": "warning", "low": "warning"}  # what else: note (3.27.10)
PLACES = 1_000  # results of one finding


def sarif(reply: Any) -> dict[str, Any]:  # noqa: ANN401 - the reply of an analysis
    """Return the document of an analysis's reply."""
    fields = reply if isinstance(reply, dict) else {}
    findings = items(fields.get("findings"), dict)
    url = text(fields.get("url"))
    names = list(dict.fromkeys(map(_rule_id, findings)))
    rules = [_rule(name, next(one for one in findings if _rule_id(one) == name)) for name in names]
    results = [result for one in findings for result in _results(one, names.index(_rule_id(one)), url)]
    driver = {"name": NAME, "version": VERSION, "rules": rules}
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results}]}


def _rule_id(finding: dict[str, Any]) -> str:
    return text(finding.get("id")) or text(finding.get("issue")) or "finding"


def _rule(name: str, finding: dict[str, Any]) -> dict[str, Any]:
    """Return a rule (3.49): what it demands, where that is explained, and its category and criterion as tags."""
    reference = finding.get("reference")
    of = reference if isinstance(reference, dict) else {}
    tags = [text(finding.get("category")), text(of.get("wcag")) and f"WCAG {text(of.get('wcag'))}"]
    rule = {"id": name, "shortDescription": {"text": text(finding.get("message")) or name}}
    help_uri = {"helpUri": text(of.get("url"))} if text(of.get("url")) else {}
    return rule | help_uri | {"properties": {"tags": [tag for tag in tags if tag]}}


def _results(finding: dict[str, Any], index: int, url: str) -> list[dict[str, Any]]:
    affected = finding.get("affected")
    places = affected[:PLACES] if isinstance(affected, list) and affected else [""]
    return [_result(finding, index, url, place) for place in places]


def _result(finding: dict[str, Any], index: int, url: str, place: object) -> dict[str, Any]:
    """Return a result (3.27); a place is an element, or a name (of a cookie, a key)."""
    element = place if isinstance(place, dict) else {"selector": place}
    advice = text(element.get("fix")) or text(finding.get("fix")) or text(finding.get("guidance"))
    words = [text(finding.get("message")), advice]
    location: dict[str, Any] = {"physicalLocation": {"artifactLocation": {"uri": url}}}
    if name := text(element.get("selector")):
        kind = "element" if isinstance(place, dict) else "resource"
        location["logicalLocations"] = [{"fullyQualifiedName": name, "kind": kind}]
    result = {
        "ruleId": _rule_id(finding),
        "ruleIndex": index,
        "level": LEVELS.get(text(finding.get("severity")), "note"),
        "message": {"text": ". ".join(word.rstrip(".") for word in words if word) or _rule_id(finding)},
        "locations": [location],
    }
    html = text(element.get("html"))[:TEXT_CHARS]
    return result | ({"properties": {"html": html}} if html else {})
