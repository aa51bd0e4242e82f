"""Audits a page of the extension with axe-core; it must change nothing on it."""

import asyncio
from typing import Any, Final

from browser.scene import ROOT
from gasoline_bridge.devtools import Tab

AXE: Final = ROOT / "node_modules" / "axe-core" / "axe.min.js"


async def violations(tab: Tab) -> list[str]:
    """Give what axe finds wrong in light and in dark, each as the scheme, the rule and where."""
    await tab.evaluate(f"{await asyncio.to_thread(AXE.read_text)}; 0")
    found = []
    for scheme in ("light", "dark"):
        await tab.prefer(prefers_color_scheme=scheme, prefers_reduced_motion="reduce")
        report: list[dict[str, Any]] = await tab.evaluate("axe.run().then(({ violations }) => violations)")
        found += [f"{scheme} {rule['id']} {[node['target'] for node in rule['nodes']]}" for rule in report]
    return found
