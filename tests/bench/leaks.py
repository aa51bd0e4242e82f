"""Hunts leaks on a page that leaks in three ways, and on its clean twin: how often the verdict is right."""

import asyncio
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import click

sys.path.insert(0, str(Path(__file__).parents[1]))

import system
from browser import scene
from browser.user import number_of, pilot
from gasoline_bridge import installed
from gasoline_bridge.devtools import Browser
from gasoline_demo.site import free_port
from system import Assistant, assistant

HUNTS = 20
RIGHT = {"": "no_leak", "#nodes": "leak", "#listeners": "leak", "#objects": "leak", "#grow": "unclear"}
STEPS = [{"action": "click", "selector": "#open"}, {"action": "click", "selector": "#close"}]


@click.command()
@click.option("--hunts", default=HUNTS, show_default=True, help="Of each kind.")
@click.option("--iterations", default=10, show_default=True, help="Of each hunt.")
def main(hunts: int, iterations: int) -> None:
    """Print what was found, by kind."""
    asyncio.run(_main(hunts, iterations))


async def _main(hunts: int, iterations: int) -> None:
    port = free_port()
    runner = await scene.serve_pages(port)
    with system.settings() as settings, system.running(settings):
        async with (
            await Browser.launch(installed.install(settings)) as browser,
            assistant(settings, name="ann") as client,
        ):
            await client.connected()
            await pilot(browser, on=True)
            for kind, right in RIGHT.items():
                replies = []
                for _ in range(hunts):
                    tab = await browser.new_tab(f"http://127.0.0.1:{port}/flow.html{kind}")
                    await tab.activate()
                    replies.append(await _hunt(client, await number_of(client, tab), iterations))
                    await tab.close()
                verdicts = Counter(reply["verdict"] for reply in replies)
                print(f"{kind or 'clean':12} right: {right:8} {dict(verdicts)} {_median_ms(replies):6} ms", flush=True)
                for reply in replies:
                    print("   ", {name: tuple(one.values()) for name, one in reply["growth"].items()}, file=sys.stderr)
    await runner.cleanup()


async def _hunt(client: Assistant, number: int, iterations: int) -> dict[str, Any]:
    reply = await client.call(
        "analyze", action="memory", scope="leak", steps=STEPS, iterations=iterations, wait_s=50, tab_id=number
    )
    while reply["status"] == "pending":
        reply = await client.call("observe", what="analyze_result", correlation_id=reply["correlation_id"], wait_s=50)
    return reply


def _median_ms(replies: list[dict[str, Any]]) -> int:
    return int(sorted(reply["duration_ms"] for reply in replies)[len(replies) // 2])


if __name__ == "__main__":
    main()
