"""The wheel and the sdist as a user gets them: installed in an environment of their own, away from the sources."""

import json
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from importlib import metadata
from importlib.metadata import Distribution
from pathlib import Path

import msgspec
import pytest
from mcp import Client, StdioServerParameters
from mcp_types import TextContent
from packaging.requirements import Requirement

import system
from browser import scene
from gasoline_bridge.devtools import Browser
from gasoline_broker.product import VERSION
from gasoline_broker.settings import Settings

ROOT = Path(__file__).parents[2]
PACKED = (
    "broker",
    "workers",
    "bridge",
    "extension",
    "Procfile",
    "hatch_build.py",
    "pyproject.toml",
    "README.md",
    "LICENSE",
)


def run(*command: str | Path, cwd: Path, environ: dict[str, str] | None = None) -> "subprocess.CompletedProcess[str]":
    """Run a command that sees none of the sources."""
    kept = {name: text for name, text in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    return subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=kept | (environ or {}),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def build(kind: str, source: Path, into: Path) -> Path:
    """Build a wheel or an sdist, and give its path."""
    built = run(sys.executable, "-m", "hatchling", "build", "--target", kind, "--directory", into, cwd=source)
    assert built.returncode == 0, built.stdout + built.stderr
    (path,) = into.glob("*.tar.gz" if kind == "sdist" else "*.whl")
    return path


def needed_by(distribution: Distribution) -> list[Distribution]:
    """List what a distribution requires, and what that requires in turn, as the environment of the tests has it."""
    found: dict[tuple[str, str], Distribution] = {("", ""): distribution}
    todo = [*found]
    while todo:
        name, extra = todo.pop()
        for text in found[name, extra].requires or []:
            need = Requirement(text)
            if need.marker and not need.marker.evaluate({"extra": extra}):
                continue
            there = metadata.distribution(need.name)
            assert there.version in need.specifier, text
            wanted = {(there.name, one): there for one in ("", *need.extras) if (there.name, one) not in found}
            found |= wanted
            todo += wanted
    return [there for (_, extra), there in found.items() if there is not distribution and not extra]


def link(distribution: Distribution, packages: Path) -> None:
    """Link a distribution into a folder of packages: it is installed and compiled already."""
    for name in {file.parts[0] for file in distribution.files or []} - {"..", "__pycache__"}:
        if not (packages / name).exists():
            (packages / name).symlink_to(Path(str(distribution.locate_file(name))))


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("sdist", ROOT, tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="module")
def unpacked(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Unpack the sdist, and give its one folder."""
    folder = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(sdist) as packed:
        packed.extractall(folder, filter="data")
    (inner,) = folder.iterdir()
    return inner


@pytest.fixture(scope="module")
def environment(unpacked: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel that the sdist gives in a fresh environment, and give the folder of its commands.

    Beside it is what its metadata require, and nothing else of the environment of the tests.
    """
    folder = tmp_path_factory.mktemp("environment")
    wheel = build("wheel", unpacked, folder / "wheel")
    made = run(sys.executable, "-m", "venv", "--without-pip", folder / "venv", cwd=folder)
    assert made.returncode == 0, made.stderr
    python = folder / "venv" / "bin" / "python"
    pip = sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check"
    installed = run(*pip, "install", "--quiet", "--no-compile", "--no-deps", wheel, cwd=folder)
    assert installed.returncode == 0, installed.stderr
    (packages,) = folder.glob("venv/lib/python*/site-packages")
    (ours,) = metadata.distributions(name="gasoline", path=[str(packages)])
    for distribution in needed_by(ours):
        link(distribution, packages)
    return folder / "venv" / "bin"


@pytest.fixture
def settings() -> Iterator[Settings]:
    with system.settings() as made:
        yield made


@pytest.mark.requirement("install-012")
def test_the_installed_wheel_writes_its_own_command_for_a_client(environment: Path, tmp_path: Path) -> None:
    done = run(environment / "gasoline", "install", "cursor", cwd=tmp_path, environ={"HOME": str(tmp_path)})

    assert 0 == done.returncode, done.stderr
    entry = json.loads((tmp_path / ".cursor" / "mcp.json").read_text())["mcpServers"]["gasoline"]
    assert str(environment / "gasoline") == entry["command"]


@pytest.mark.requirement("structure-021")
async def test_the_installed_wheel_connects_a_browser_and_answers_one_question(
    environment: Path, settings: Settings, pages: str
) -> None:
    home = settings.data_dir.parent
    gasoline, environ = environment / "gasoline", settings.environ()
    sources = run(environment / "python", "-c", "import gasoline_bridge as g; print(g.__file__)", cwd=home).stdout
    installed = run(gasoline, "extension", "install", cwd=home, environ=environ)
    started = run(gasoline, "up", "--detach", cwd=home, environ=environ)
    try:
        async with await Browser.launch(settings.extension_dir) as chrome:
            server = StdioServerParameters(command=str(gasoline), args=["mcp"], env=environ, cwd=home)
            async with Client(server) as client, scene.page(chrome, f"{pages}small.html"):
                assistant = system.Assistant(client)
                await assistant.connected()
                result = await client.call_tool("get_page_info", {})
        checked = run(gasoline, "doctor", cwd=home, environ=environ)
    finally:
        stopped = run(gasoline, "down", cwd=home, environ=environ)

    assert str(environment.parent) in sources
    assert 0 == installed.returncode, installed.stderr
    assert 0 == started.returncode, started.stderr
    assert "extension built, each file as it was built" in checked.stdout
    assert 0 == stopped.returncode, stopped.stderr
    (content,) = result.content
    assert isinstance(content, TextContent)
    assert "Corner Shop" == msgspec.json.decode(content.text)["title"]


@pytest.mark.requirement("structure-022")
def test_a_wheel_with_a_damaged_extension_names_the_file_and_what_to_type(
    environment: Path, settings: Settings
) -> None:
    (file,) = environment.parent.glob("lib/python*/site-packages/gasoline_bridge/files/extension/content/commands.js")
    whole = file.read_text()
    try:
        file.write_text(whole[:1000])
        damaged = run(environment / "gasoline", "extension", "install", cwd=file.parent, environ=settings.environ())
        file.unlink()
        missing = run(environment / "gasoline", "doctor", cwd=file.parent, environ=settings.environ())
    finally:
        file.write_text(whole)

    assert f"{file} is damaged: install Gasoline again (pip install --force-reinstall gasoline)." in damaged.stderr
    assert 0 != damaged.returncode
    assert f"{file} is missing" in missing.stdout
    assert "Install Gasoline again (pip install --force-reinstall gasoline)." in missing.stdout


@pytest.mark.requirement("structure-019")
@pytest.mark.parametrize(("lost", "named"), [("extension/dist", "files.json"), ("extension/dist/vendor", "axe.min.js")])
def test_a_build_without_the_built_extension_fails_and_names_what_to_type(
    tmp_path: Path, unpacked: Path, lost: str, named: str
) -> None:
    for name in PACKED:
        copy = shutil.copytree if (unpacked / name).is_dir() else shutil.copy
        copy(unpacked / name, tmp_path / name)
    shutil.rmtree(tmp_path / lost)

    built = run(sys.executable, "-m", "hatchling", "build", "--target", "wheel", cwd=tmp_path)

    assert 0 != built.returncode
    assert f"{named} is missing: type" in built.stderr
    assert "npm run build" in built.stderr


@pytest.mark.requirement("structure-020")
def test_the_version_is_the_same_everywhere_and_stated_once(sdist: Path) -> None:
    manifest = json.loads((ROOT / "extension" / "dist" / "manifest.json").read_text())
    stated = [
        json.loads((ROOT / name).read_text()).get("version") for name in ("extension/manifest.json", "package.json")
    ]

    assert VERSION == manifest["version"]
    assert sdist.name == f"gasoline-{VERSION}.tar.gz"
    assert [None, None] == stated
