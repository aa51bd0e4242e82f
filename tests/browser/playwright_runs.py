"""Runs the files that `generate` writes, as their reader would: by Playwright, in the Chromium that is there."""

import asyncio
import os
import shutil
import sys
from pathlib import Path
from typing import NamedTuple

from gasoline_bridge.devtools import NO_SANDBOX, find_executable

ROOT = Path(__file__).parents[2]
RUN_S = 300.0
STEP_MS = 5_000
ACTION_MS = 30_000  # Playwright's own; a field that draws anew at each key takes 5 s for 26 keys on a busy machine

CONFIG = """export default {{
  timeout: 240000,
  retries: 0,
  workers: 1,
  reporter: 'line',
  expect: {{ timeout: {step_ms} }},
  use: {{ actionTimeout: {action_ms}, launchOptions: {{ executablePath: {chromium!r}, args: [{sandbox!r}] }} }},
}};
"""

FIXTURES = """import pytest
from playwright.sync_api import expect, sync_playwright

expect.set_options(timeout={step_ms})


@pytest.fixture
def page():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path={chromium!r}, args=[{sandbox!r}])
        page = browser.new_page()
        page.set_default_timeout({action_ms})
        yield page
        browser.close()
"""


class Ran(NamedTuple):
    """How a generated test ended, and what its runner wrote."""

    passed: bool
    text: str


async def run(file: Path, folder: Path, **variables: str) -> Ran:
    """Run a generated test in a folder of its own, with these variables in its environment."""
    command = prepared(file, folder)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "PYTHONPATH"))}
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=folder,
        env=environment | variables,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        text, _ = await asyncio.wait_for(process.communicate(), RUN_S)
    except TimeoutError:
        process.kill()
        raise
    return Ran(process.returncode == 0, text.decode())


def prepared(file: Path, folder: Path) -> list[str]:
    """Put a generated test into a folder with what its runner needs there, and give the command that runs it."""
    folder.mkdir()
    known = {"step_ms": STEP_MS, "action_ms": ACTION_MS, "chromium": find_executable(), "sandbox": NO_SANDBOX}
    if file.suffix == ".py":
        (folder / "conftest.py").write_text(FIXTURES.format(**known))
        shutil.copy(file, folder / "test_recorded.py")
        return [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(folder), str(folder)]
    (folder / "playwright.config.mjs").write_text(CONFIG.format(**known))
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "node_modules").symlink_to(ROOT / "node_modules")
    shutil.copy(file, folder / "recorded.spec.ts")
    return ["node", str(ROOT / "node_modules/@playwright/test/cli.js"), "test"]
