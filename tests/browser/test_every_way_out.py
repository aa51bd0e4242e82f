"""Secrets planted in every channel of a real page come out nowhere: no reply, no file, no log, no trace has one."""

import asyncio
import base64
import os
import signal
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import re2

from browser.assisted import Scene, at
from browser.drawing import annotate, around
from browser.input import click, press, type_text
from browser.planted_site import PlantedSite, planted_site
from browser.test_capture import items
from browser.test_generated_tests import choose_file
from browser.user import switch
from gasoline_bridge.devtools import Browser
from gasoline_broker.settings import Settings
from system import gasoline

ROUNDS = int(os.environ.get("ROUNDS", "1"))
"""How long the session is: each round has a site of its own with secrets of its own; twenty take ten minutes."""

WINDOW = 8
"""So many characters of a secret are a leak."""

OBSERVED = (
    {"what": "logs"},
    {"what": "errors"},
    {"what": "network_waterfall", "headers": True},
    {"what": "network_bodies"},
    {"what": "network_bodies", "body_path": "$.access_token"},
    {"what": "websocket_events"},
    {"what": "vitals"},
    {"what": "performance"},
    {"what": "actions"},
    {"what": "page"},
    {"what": "outline"},
    {"what": "redactions"},
    {"what": "tabs"},
    {"what": "status"},
    {"what": "screenshots"},
)
ANALYZED = (
    {"action": "audit", "scope": "full"},
    {"action": "security", "scope": "full"},
    {"action": "memory", "scope": "snapshot"},
    {"action": "regression", "scope": "baseline", "name": "planted", "runs": 1},
    {"action": "regression", "scope": "list"},
)
COMMANDS = (
    ("audit", "--json", "--limit", "10000"),
    ("trace", "--json"),
    ("status", "--json"),
    ("screenshots", "list"),
    ("baseline", "list"),
    ("baseline", "show", "planted"),
)
READ_IN_PAGE = (
    "({ title: document.title, cookie: document.cookie, kept: { ...localStorage }, html: document.body.innerHTML })"
)


class Heard:
    """All that came out, by where."""

    def __init__(self, here: Scene) -> None:
        self.here = here
        self.texts: dict[str, str] = {}

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool, whether it succeeds or fails, and keep its reply."""
        asked = {"tab_id": self.here.number} | arguments
        text, _ = await self.here.client.text(tool, **asked)
        self.texts[f"{len(self.texts)} {tool} {arguments}"] = text
        reply: dict[str, Any] = msgspec.json.decode(text)
        return reply


def spellings(secret: str) -> Iterator[bytes]:
    """Give what would show a part of a secret: any characters of it, or itself in Base64 or in hexadecimal digits."""
    for start in range(len(secret) - WINDOW + 1):
        yield secret[start : start + WINDOW].encode()
    for shift in range(3):
        yield base64.b64encode(b" " * shift + secret.encode())[4:-4]
    yield secret.encode().hex().encode()


def found(planted: dict[str, str], texts: Iterable[tuple[str, bytes]]) -> list[str]:
    """Return where a secret came out, and which."""
    channels = {spelling: channel for channel, secret in planted.items() for spelling in spellings(secret)}
    options = re2.Options()
    options.max_mem = 1 << 28
    pattern = re2.compile(b"|".join(map(re2.escape, channels)), options)
    return sorted({f"{channels[match[0]]} in {place}" for place, text in texts for match in pattern.finditer(text)})


def files(folders: Iterable[Path], since: float) -> Iterator[tuple[str, bytes]]:
    """Read what was written since then, with its name: databases with their free pages, logs, exports, pictures."""
    for folder in folders:
        for path in folder.rglob("*"):
            if path.is_file() and (path.suffix == ".sqlite" or path.stat().st_mtime >= since):
                yield str(path), path.name.encode() + b"\n" + path.read_bytes()


async def use_the_page(heard: Heard, site: PlantedSite, folder: Path) -> None:
    """Do what an assistant and a user do there."""
    here, tab = heard.here, heard.here.tab
    await heard.call("interact", action="type", selector="#again", text=site.secret("typed"))
    await heard.call("interact", action="fill_form", fields=[{"selector": "#key", "value": site.secret("filled")}])
    await heard.call("interact", action="select", selector="#keys", value="none")
    await heard.call("interact", action="click", selector="#confirm")
    await heard.call("interact", action="dialog", accept=False)
    worked = await heard.call("interact", action="click", selector="#work", analyze=True, a11y=True)
    await tab.until("document.body.dataset.turn === '2'")
    await heard.call("interact", action="click", selector=f'[data-key="{site.secret("selector-token")}"]')
    await heard.call("interact", action="click", selector="p")
    await heard.call("interact", action="click", selector="#save")
    await click(tab, "#password")
    await type_text(tab, "#password", site.secret("user-password"))
    await type_text(tab, "#key", site.secret("user-key"))
    await press(tab, "Tab")
    await click(tab, "#name")
    picked = folder / f"{site.secret('file-token')}.txt"
    picked.write_text("picked")
    await choose_file(here, "#file", picked)
    await heard.call("interact", action="draw_mode_start")
    await annotate(tab, await around(tab, "drawn"), f"The password: {site.secret('remark')}")
    await press(tab, "Escape")
    drawn = await heard.call("analyze", action="annotations", wait=True)
    (annotation,) = drawn["annotations"]
    await heard.call("analyze", action="annotation_detail", correlation_id=annotation["correlation_id"])
    await items(here.client, "actions", lambda done: any("key" in one for one in done), tab_id=here.number)
    await heard.call("observe", what="effects", id=worked["effect"], budget=40_000)


async def read_the_page(heard: Heard) -> None:
    """Read it by every tool."""
    for selector in ("html", "body *", "#host p", "#inner >>> p"):
        await heard.call(
            "query_dom", selector=selector, include_children=True, max_depth=5, include_styles=True, budget=40_000
        )
    await heard.call("get_page_info", budget=40_000)
    await heard.call("run_accessibility_audit", include_passes=True, budget=40_000)
    await heard.call("interact", action="list_interactive", budget=40_000)
    for selector in ("body", "#shown", "#host", "#inner >>> body"):
        await heard.call("interact", action="get_text", selector=selector, budget=40_000)
    for selector in ("#password", "#key", "[name=recovery]", "[name=session]", "#again", "#keys"):
        await heard.call("interact", action="get_value", selector=selector)
    for selector, name in (("body", "data-api-key"), ("#password", "value"), ("#silent", "data-token"), ("a", "href")):
        await heard.call("interact", action="get_attribute", selector=selector, attribute=name)
    await heard.call("execute_javascript", script=READ_IN_PAGE, budget=40_000)
    await heard.call("manage_state", action="save", snapshot_name="planted")
    await heard.call("manage_state", action="list")
    await heard.call("manage_state", action="delete", snapshot_name="planted")


async def read_what_was_captured(heard: Heard) -> None:
    for asked in OBSERVED:
        await heard.call("observe", **asked, budget=40_000)
        if asked["what"] in ("logs", "errors", "network_waterfall", "websocket_events", "actions"):
            await heard.call("observe", **asked, verbose=True, all_tabs=True, budget=40_000)
    await heard.call("get_websocket_events", budget=40_000)
    await heard.call("get_network_bodies", budget=40_000)


async def analyze_and_generate(heard: Heard) -> None:
    for asked in ANALYZED:
        await heard.call("analyze", **asked, wait_s=50, budget=40_000)
    for what in ("har", "sarif", "report", "test", "reproduction"):
        reply = await heard.call("generate", what=what)
        assert reply["bytes"] > 0, reply
    await heard.call("generate", what="test", language="python")


async def one_round(heard: Heard, site: PlantedSite, picked: Path) -> None:
    """Use the page, and ask for all there is; its picture has every field masked that holds a secret."""
    await heard.here.tab.evaluate("work(1).then(() => 0)")  # not by the page: its address is hidden from then on
    await read_the_page(heard)
    await use_the_page(heard, site, picked)
    picture = await heard.call("observe", what="screenshot")
    assert picture["masked"] >= 4, picture
    await read_what_was_captured(heard)
    await analyze_and_generate(heard)


@pytest.mark.requirement("redact-016")
async def test_a_secret_in_any_channel_comes_out_in_no_reply_file_log_or_trace(
    live: Settings, chrome: Browser, tmp_path: Path
) -> None:
    since = time.time()
    exported, picked, saved = tmp_path / "exported", tmp_path / "picked", tmp_path / "saved"
    picked.mkdir()
    planted: dict[str, str] = {}
    heard_texts: dict[str, str] = {}
    await chrome.send("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(saved))
    await switch(chrome, "#bodies")
    try:
        for number in range(ROUNDS):
            async with planted_site() as site, at(live, chrome, site.url) as here:
                heard = Heard(here)
                await one_round(heard, site, picked)
                if number == ROUNDS - 1:
                    kept, limits = await at_the_end(live, heard, exported, since)
            assert len(site.planted) > 75
            planted |= {f"{channel} of {number}": secret for channel, secret in site.planted.items()}
            heard_texts |= {f"{number}: {place}": text for place, text in heard.texts.items()}
    finally:
        await switch(chrome, "#bodies")
        await chrome.send("Browser.setDownloadBehavior", behavior="default")
    left = await asyncio.to_thread(lambda: [*files([live.data_dir, live.runtime_dir], since)])
    replies = [(place, text.encode()) for place, text in heard_texts.items()]

    assert ["0"] * len(limits) == [text.partition("Max core file size")[2].split()[0] for text in limits]
    assert {"journal.sqlite", "journal.sqlite-wal", "gasoline.log", "baselines.sqlite"} <= {
        Path(place).name for place, _ in kept
    }
    out = found(planted, [*replies, *kept, *left])
    assert [] == out, "\n".join(out)


async def at_the_end(
    live: Settings, heard: Heard, exported: Path, since: float
) -> tuple[list[tuple[str, bytes]], list[str]]:
    """Run the commands, clear, and kill the journal; give what was written before, and the processes' limits."""
    for command in (*COMMANDS, ("baseline", "export", str(exported), "planted")):
        ran = await asyncio.to_thread(gasoline, live, *command)
        assert 0 == ran.returncode, ran.stderr
        heard.texts[" ".join(command)] = ran.stdout + ran.stderr
    kept = await asyncio.to_thread(lambda: [*files([live.data_dir, live.runtime_dir, exported], since)])
    await heard.call("configure", action="clear")
    pids = await heard.here.client.pids()
    limits = [await asyncio.to_thread(Path(f"/proc/{pid}/limits").read_text) for pid in pids.values()]
    os.kill(pids["journal"], signal.SIGABRT)
    await heard.here.client.all_pids(["journal", "redaction"])
    await heard.call("observe", what="logs", all_tabs=True)
    return kept, limits
