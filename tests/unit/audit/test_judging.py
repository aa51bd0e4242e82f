"""The summary of several parts: what the whole counts stands once, and it is short whatever was found."""

from typing import Any

import msgspec
import pytest

from gasoline_workers.audit import judging
from gasoline_workers.audit.found import Found
from gasoline_workers.audit.messages import Judge

SUMMARY_BYTES = 400  # issue 16, Measured: "the summary alone under 400 bytes"
LEVELS = {"critical": 15, "high": 13, "medium": 12, "low": 10, "info": 11}
LARGE: dict[str, dict[str, Any]] = {
    "accessibility": LEVELS | {"passed": 55, "total_rules": 104},
    "performance": {
        **LEVELS,
        "passed": 15,
        "total_rules": 27,
        "vitals": {"lcp_ms": 12_084, "inp_ms": 2_300, "fcp_ms": 8_400, "ttfb_ms": 1_800, "cls": 0.123},
        "unknown": ["interactions: none yet; interact with trusted:true", "caching: refresh and analyze again"],
    },
    "security": {
        "headers": {"passed": 4, "failed": 3},
        "cookies": {"secure": 12, "insecure": 14},
        "storage": {"flagged_keys": 12},
        "content": {"failed": 11},
    },
}


@pytest.mark.requirement("findings-013", "analyze-013")
def test_the_summary_of_all_parts_is_short_and_counts_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def judge(part: dict[str, Any]) -> Any:
        return lambda _evidence, _scope: Found([], part)

    monkeypatch.setattr(judging, "PARTS", {name: judge(part) for name, part in LARGE.items()})
    message = Judge("audit", "full")

    summary = judging.judged(message, {"evidence": dict.fromkeys(LARGE)}).summary
    alone = judging.judged(message, {"evidence": {"performance": None}}).summary

    assert len(msgspec.json.encode(summary)) < SUMMARY_BYTES
    assert {"passed": 55} == summary["accessibility"]
    assert ["interactions", "caching"] == summary["performance"]["unknown"]
    assert LARGE["security"] == summary["security"]
    assert LARGE["performance"] == alone
