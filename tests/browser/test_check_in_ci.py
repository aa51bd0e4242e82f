"""The examples for GitHub and GitLab, run as far as a machine of neither can: the site is served, and checked."""

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

import msgspec
import pytest
from ruamel.yaml import YAML

import system
from gasoline_broker.settings import Settings
from gasoline_demo.site import free_port

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
BIN = Path(system.GASOLINE).parent
INSTALLS = ("apt-get", "pip install", "sysctl", "venv")
LIMIT_S = 180
PAGE = "<!doctype html><html lang=en><title>Shop</title><main><h1>Shop</h1>{}</main>"
WORSE = "<img src='data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'>"


class Place(NamedTuple):
    """A checkout with a site and a list of pages, and the variables that the CI sets."""

    folder: Path
    environ: dict[str, str]


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    with system.settings() as settings:
        checkout, port = tmp_path / "checkout", free_port()
        (checkout / "site").mkdir(parents=True)
        (checkout / ".gasoline").mkdir()
        (checkout / "site" / "index.html").write_text(PAGE.format(""))
        (checkout / ".gasoline" / "urls.txt").write_text(f"# of this site\nhttp://127.0.0.1:{port}/\n")
        (tmp_path / "gasoline").mkdir()
        (tmp_path / "gasoline" / "bin").symlink_to(BIN)
        browser = tmp_path / "chromium"  # for a user who is not root, as those of GitHub's machines
        browser.write_text('#!/bin/sh\nexec unshare --user --map-user=1000 --map-group=1000 chromium "$@"\n')
        browser.chmod(0o755)
        path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
        own = {"PORT": str(port), "RUNNER_TEMP": str(tmp_path), "PATH": path, "WHEEL": "none"}
        yield Place(checkout, os.environ | folders(settings) | own | {"GASOLINE_CHROMIUM": str(browser)})


def folders(settings: Settings) -> dict[str, str]:
    return {"GASOLINE_DATA_DIR": str(settings.data_dir), "GASOLINE_RUNTIME_DIR": str(settings.runtime_dir)}


def example(name: str) -> Any:
    return YAML(typ="safe", pure=True).load((EXAMPLES / name).read_text())


@contextlib.asynccontextmanager
async def shell(place: Place, script: str) -> AsyncIterator[int]:
    """Run a script as a CI does, and give its exit code; what it has left running ends with the block."""
    process = await asyncio.create_subprocess_exec(
        "bash", "-e", "-o", "pipefail", "-c", script, cwd=place.folder, env=place.environ, start_new_session=True
    )
    try:
        async with asyncio.timeout(LIMIT_S):
            yield await process.wait()
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


async def is_script(text: str) -> bool:
    process = await asyncio.create_subprocess_exec("bash", "-n", "-c", text)
    return await process.wait() == 0


async def outcomes(place: Place, serve: str, check: str, *bodies: str) -> list[int]:
    """Check the site as it is with each of these; give the exit codes."""
    async with shell(place, serve) as served:
        assert 0 == served
        codes = []
        for body in bodies:
            (place.folder / "site" / "index.html").write_text(PAGE.format(body))
            async with shell(place, check) as code:
                codes.append(code)
    return codes


def written(place: Place) -> tuple[list[str], list[str]]:
    """Give the kinds of outcome in the JUnit file, and the rules of the SARIF file."""
    report = place.folder / ".gasoline" / "report"
    cases = [one.tag for one in ET.parse(report / "junit.xml").findall("./testsuite/testcase/*")]  # noqa: S314 - ours
    (run,) = msgspec.json.decode((report / "pages.sarif").read_bytes())["runs"]
    assert (report / "pages.html").stat().st_size > 0
    return cases, [one["ruleId"] for one in run["results"]]


@pytest.mark.requirement("regression-031")
async def test_the_examples_for_github_and_gitlab_find_what_a_change_made_worse(place: Place) -> None:
    steps = {one.get("name", ""): one for one in example("github.yml")["jobs"]["check"]["steps"]}
    job = example("gitlab-ci.yml")["pages-check"]
    serve = "\n".join(line for line in job["before_script"] if not line.startswith(INSTALLS))

    at_github = await outcomes(place, steps["Serve the site"]["run"], steps["Check the pages"]["run"], "", WORSE)
    shown = written(place)
    at_gitlab = await outcomes(place, serve, "\n".join(job["script"]), "", WORSE)

    assert [0, 1] == at_github  # it has made the baseline
    assert at_gitlab in ([0, 1], [2, 1])  # of times a busy machine's loads may allow no verdict
    assert [(["failure"], ["accessibility/image-alt"])] * 2 == [shown, written(place)]
    assert [".json"] == [one.suffix for one in (place.folder / ".gasoline" / "baselines").glob("*.json")]
    assert await is_script(steps["Install"]["run"])
    assert await is_script("\n".join(job["before_script"]))
    assert all(
        (place.folder / path).exists() for path in [*job["artifacts"]["paths"], job["artifacts"]["reports"]["junit"]]
    )
