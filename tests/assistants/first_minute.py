"""Drives one assistant through its first minute in an empty home: set up, started, and answered by a scripted model."""

import asyncio
import json
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

import system
from assistants.scripted_model import Call, ScriptedModel, serving
from browser import scene
from gasoline_bridge.devtools import Browser
from gasoline_bridge.front.tools import INSTRUCTIONS
from gasoline_broker.settings import Settings
from gasoline_demo import stage
from gasoline_demo.site import free_port

BIN: Final = Path(__file__).parents[2] / ".setup" / "assistants" / "node_modules" / ".bin"
BOUND_S: Final = 120.0
QUESTION: Final = "What is on this page?"
KEY: Final = "scripted"
SCRIPT: Final = [
    Call("observe", {"what": "tabs"}),
    Call("get_page_info", {}),
    Call("observe", {"what": "screenshot"}),
    Call("interact", {"action": "click", "selector": "text=Load more"}),
    Call("interact", {"action": "click", "selector": "#none"}),
]

Json = dict[str, object]


class Assistant(NamedTuple):
    """An assistant. `client`: its name in `gasoline install`. `files`: of a project."""

    client: str
    command: str
    flags: Callable[[str], list[str]]
    environ: Callable[[str], dict[str, str]]
    files: Callable[[str], dict[str, Json]] = lambda _address: {}


def _codex(address: str) -> list[str]:
    provider = f'{{name="scripted",base_url="{address}/v1",wire_api="responses",env_key="SCRIPTED_KEY"}}'
    settings = ["-c", f"model_providers.scripted={provider}", "-c", "model_provider=scripted"]
    bypass = "--dangerously-bypass-approvals-and-sandbox"  # no person is there to approve what acts
    return ["exec", "--skip-git-repo-check", bypass, "--model", "gpt-5", *settings, QUESTION]


def _opencode(address: str) -> dict[str, Json]:
    model = {"name": "scripted", "tool_call": True, "attachment": True, "modalities": {"input": ["text", "image"]}}
    provider = {"npm": "@ai-sdk/openai-compatible", "options": {"baseURL": f"{address}/v1", "apiKey": KEY}}
    return {"opencode.json": {"provider": {"scripted": provider | {"models": {"scripted": model}}}}}


ASSISTANTS: Final = {
    "claude-code": Assistant(
        "claude-code",
        "claude",
        lambda _: ["-p", QUESTION, "--allowedTools", "mcp__gasoline", "--model", "claude-sonnet-4-5"],
        lambda address: {"ANTHROPIC_BASE_URL": address, "ANTHROPIC_API_KEY": KEY},
    ),
    "codex": Assistant("codex", "codex", _codex, lambda _: {"SCRIPTED_KEY": KEY}),
    "gemini": Assistant(
        "gemini",
        "gemini",
        lambda _: ["--approval-mode", "yolo", "--model", "gemini-2.5-pro", "--prompt", QUESTION],
        lambda address: {
            "GOOGLE_GEMINI_BASE_URL": address,
            "GEMINI_API_KEY": KEY,
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
        },
        lambda _: {".gemini/settings.json": {"security": {"auth": {"selectedType": "gemini-api-key"}}}},
    ),
    "opencode": Assistant(
        "opencode", "opencode", lambda _: ["run", "--model", "scripted/scripted", QUESTION], lambda _: {}, _opencode
    ),
}


class Minute(NamedTuple):
    """What came of it. `transcript`: lines; `lacks`: what is not as it has to be."""

    transcript: list[str]
    lacks: list[str]


async def first_minute(name: str) -> Minute:
    """Install Gasoline for an assistant in an empty home, ask it a question, and give what was seen on both sides."""
    assistant = ASSISTANTS[name]
    model = ScriptedModel(SCRIPT)
    port = free_port()
    pages = await scene.serve_pages(port)
    with system.settings() as settings, tempfile.TemporaryDirectory(prefix="ga-") as home:
        project = Path(home) / "project"
        async with serving(model) as address, asyncio.timeout(BOUND_S):
            for file, content in assistant.files(address).items():
                path = project / file
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(json.dumps(content))
            project.mkdir(exist_ok=True)
            session = _Session(settings, home, assistant.environ(address))
            await session.run(system.GASOLINE, "install", assistant.client)
            await session.run(system.GASOLINE, "extension", "install")
            async with await Browser.launch(settings.extension_dir) as browser:
                await stage.switch_on(browser, stage.PILOT)
                await browser.new_tab(f"http://127.0.0.1:{port}/interact.html")
                try:
                    await session.run(str(BIN / assistant.command), *assistant.flags(address))
                finally:
                    await session.run(system.GASOLINE, "down")
    await pages.cleanup()
    return Minute(session.transcript + _shown(model), _lacks(model))


class _Session:
    """A shell in a home, which writes down what it does."""

    def __init__(self, settings: Settings, home: str, environ: dict[str, str]) -> None:
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        self._environ = kept | settings.environ() | environ | {"HOME": home, "NO_COLOR": "1"}
        self._home = home
        self._begun = time.monotonic()
        self.transcript: list[str] = []

    async def run(self, *command: str) -> None:
        """Run a command to its end, and write down what it printed."""
        self._say("$ " + " ".join((Path(command[0]).name, *command[1:])))
        process = await asyncio.create_subprocess_exec(
            *command,
            cwd=f"{self._home}/project",
            env=self._environ,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        assert process.stdout is not None
        async for line in process.stdout:
            if text := line.decode(errors="replace").rstrip():
                self._say("  " + text.replace(self._home, "~"))
        if code := await process.wait():
            self._say(f"  exit code {code}")

    def _say(self, text: str) -> None:
        self.transcript.append(f"{time.monotonic() - self._begun:5.1f} s  {text}")


def _shown(model: ScriptedModel) -> list[str]:
    """Give what the model was passed."""
    lines = [f"the model has {len(_tools(model))} tools, the instructions: {_is_instructed(model)}"]
    for call, result in zip(SCRIPT, model.last.results, strict=False):
        pictures = f" and {result.images} picture" if result.images else ""
        lines.append(f"{call.tool} {json.dumps(call.arguments)} → {len(result.text.encode())} B{pictures}")
        lines.append("  " + result.text[:300])
    return lines


def _tools(model: ScriptedModel) -> list[str]:
    return [name for name in model.last.tools if "gasoline" in name]


def _is_instructed(model: ScriptedModel) -> bool:
    return json.dumps(INSTRUCTIONS[:200], ensure_ascii=False)[1:-1] in model.told


def _lacks(model: ScriptedModel) -> list[str]:
    """Name what the model did not get, of what Gasoline sent."""
    texts = [result.text for result in model.last.results]
    if len(texts) < len(SCRIPT):
        return [f"{len(texts)} of {len(SCRIPT)} results"]
    tabs, page, picture, click, error = texts
    wanted = {
        "the tools": len(_tools(model)) == 13,
        "the instructions": _is_instructed(model),
        "the tabs": '"tabs":[' in tabs,
        "the page": '"title":"Interact"' in page,
        "the picture's id": '"path":"' in picture,
        "the picture": model.last.results[2].images == 1,
        "the click's effect": "25 items added" in click,
        "the error's code": "element_not_found" in error,
        "the way out": "list_interactive" in error,
    }
    return [name for name, is_there in wanted.items() if not is_there]
