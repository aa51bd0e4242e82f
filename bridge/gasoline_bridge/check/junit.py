"""Writes what came of pages as JUnit XML, which every CI shows; pure. A page is a test case."""

import re
from collections.abc import Sequence
from xml.etree import ElementTree as ET

from gasoline_bridge.check.results import Checked, line
from gasoline_broker.product import NAME

SUITE = f"{NAME} check"
NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no XML document may have (www.w3.org/TR/xml, 2.2)."""

ELEMENTS = {"regression_detected": "failure", "inconclusive": "error", "error": "error"}


def junit(checked: Sequence[Checked]) -> str:
    """Return the document."""
    failures = sum(ELEMENTS.get(one.outcome) == "failure" for one in checked)
    errors = sum(ELEMENTS.get(one.outcome) == "error" for one in checked)
    counts = {"tests": str(len(checked)), "failures": str(failures), "errors": str(errors)}
    time = {"time": f"{sum(one.took_s for one in checked):.3f}"}
    root = ET.Element("testsuites", {"name": SUITE} | counts | time)
    suite = ET.SubElement(root, "testsuite", {"name": SUITE} | counts | time)
    for one in checked:
        _case(suite, one)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _case(suite: ET.Element, one: Checked) -> None:
    named = {"name": _clean(one.url), "classname": _clean(one.name or one.url), "time": f"{one.took_s:.3f}"}
    case = ET.SubElement(suite, "testcase", named)
    if kind := ELEMENTS.get(one.outcome):
        found = ET.SubElement(case, kind, {"type": one.outcome, "message": _clean(one.text)})
        found.text = _clean("\n".join([line(one), *_warnings(one)]))
    else:
        ET.SubElement(case, "system-out").text = _clean(line(one))


def _warnings(one: Checked) -> list[str]:
    return one.compared.warnings if one.compared else []


def _clean(text: str) -> str:
    return NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)
