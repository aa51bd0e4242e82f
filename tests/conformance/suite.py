"""Runs the official conformance suite against a server, with the Node 22 that it needs."""

import asyncio
import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
MODULES = ROOT / ".setup/conformance/node_modules"
NODE = MODULES / ".bin/node"
SUITE = MODULES / "@modelcontextprotocol/conformance/dist/index.js"
BOUND_S = 120.0


class Found(NamedTuple):
    """What one run has found. `code`: 0 if every scored check holds; `passed`: checks that hold."""

    code: int
    passed: int
    output: str


async def run(url: str, revision: str) -> Found:
    """Run every scenario that a revision of the protocol requires; those that it does not score count in `passed`."""
    process = await asyncio.create_subprocess_exec(
        NODE if NODE.exists() else "node",  # other systems than Linux bring a Node 22 of their own
        SUITE,
        *("server", "--url", url, "--requirements", revision),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        async with asyncio.timeout(BOUND_S):
            output = (await process.communicate())[0].decode()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    total = re.search(r"^Total: (\d+) passed", output, re.MULTILINE)
    return Found(process.returncode or 0, int(total[1]) if total else 0, output)
