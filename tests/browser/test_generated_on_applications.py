"""What an assistant did on applications that we did not write becomes a test that passes there."""

import asyncio
from pathlib import Path

import pytest

from apps.applications import APPLICATIONS
from apps.install import install
from apps.ours import Ours
from apps.run import served
from browser import playwright_runs
from browser.assisted import at
from gasoline_bridge.devtools import Browser
from gasoline_broker.settings import Settings

TASKS = {
    "django": ("log_in_by_click", {"SECRET_PASSWORD": "right password"}),
    "leaflet": ("read_about_a_mill", {}),
    "mkdocs": ("go_to_what_was_found", {}),
    "swagger": ("create_a_note", {}),
}


@pytest.mark.requirement("clients-009")
@pytest.mark.parametrize("name", TASKS)
async def test_a_recorded_task_passes_as_a_test_in_both_languages(
    live: Settings, chrome: Browser, tmp_path: Path, name: str
) -> None:
    await asyncio.to_thread(install, name)
    task_name, variables = TASKS[name]
    task = APPLICATIONS[name].day.tasks[task_name]
    async with served(APPLICATIONS[name]) as (address, _, _):
        async with at(live, chrome, address + task.page) as here:
            await here.tab.until(f"Boolean({task.ready})")
            await task.script(Ours(here.client))
            files = [
                await here.client.call("generate", what="test", tab_id=here.number, language=one)
                for one in ("typescript", "python")
            ]
        ran = [
            await playwright_runs.run(Path(one["path"]), tmp_path / str(number), **variables)
            for number, one in enumerate(files)
        ]

    for one in ran:
        assert one.passed, one.text
