"""The built extension is found whole, or the error names the file that is wrong and what to type."""

import hashlib
import json
import os
import shutil
from pathlib import Path

import pytest

from gasoline_bridge import bundle
from gasoline_bridge.cli import doctor
from gasoline_broker.errors import CannotStart
from gasoline_broker.settings import Settings

FILES = ["content/capture.js", "content/commands.js", "background/main.js", "vendor/axe.min.js", "manifest.json"]


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Lay out a checkout with a built extension."""
    monkeypatch.setattr(bundle, "_CHECKOUT", tmp_path)
    (tmp_path / "pyproject.toml").touch()
    sources, built = tmp_path / "extension" / "src", tmp_path / "extension" / "dist"
    for path in [sources / "main.ts", sources.parent / "manifest.json", sources.parent / "build.mjs"]:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    for name in FILES:
        (built / name).parent.mkdir(parents=True, exist_ok=True)
        (built / name).touch()
    digests = {name: hashlib.sha256((built / name).read_bytes()).hexdigest() for name in FILES}
    (built / "files.json").write_text(json.dumps(digests))
    return tmp_path


def test_the_built_extension_is_found_in_a_checkout(checkout: Path) -> None:
    bundle.require_current_build()

    assert checkout / "extension" / "dist" == bundle.find("extension")


def test_an_extension_that_is_not_built_names_the_command_to_type(checkout: Path) -> None:
    shutil.rmtree(checkout / "extension" / "dist")

    with pytest.raises(CannotStart, match=r"extension/dist is missing: type `make setup`, or `npm run build`"):
        bundle.find("extension")


@pytest.mark.parametrize("name", [*FILES, "files.json"])
def test_a_missing_file_of_the_built_extension_is_named(checkout: Path, name: str) -> None:
    (checkout / "extension" / "dist" / name).unlink()

    with pytest.raises(CannotStart, match=rf"{name} is missing.*`npm run build`"):
        bundle.find("extension")


@pytest.mark.requirement("structure-016")
@pytest.mark.parametrize("name", FILES)
def test_a_damaged_file_of_the_built_extension_is_named(checkout: Path, name: str) -> None:
    bundle.verify_extension()

    (checkout / "extension" / "dist" / name).write_text("cut")

    with pytest.raises(CannotStart, match=rf"{name} is damaged: type `make setup`"):
        bundle.verify_extension()


def test_a_damaged_list_of_files_is_named(checkout: Path) -> None:
    (checkout / "extension" / "dist" / "files.json").write_text('{"content_scripts": [')

    with pytest.raises(CannotStart, match=r"files.json is damaged \(.*\): type `make setup`"):
        bundle.find("extension")


def test_a_source_that_is_newer_than_the_build_is_named(checkout: Path) -> None:
    source = checkout / "extension" / "src" / "main.ts"
    later = (checkout / "extension" / "dist" / "manifest.json").stat().st_mtime_ns + 1
    os.utime(source, ns=(later, later))

    with pytest.raises(CannotStart, match=r"older than .*src/main.ts: type `make setup`"):
        bundle.require_current_build()


def test_an_installed_wheel_without_the_extension_asks_to_install_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundle, "_CHECKOUT", tmp_path / "elsewhere")
    monkeypatch.setattr(bundle, "_HERE", tmp_path)

    with pytest.raises(CannotStart, match=r"files/extension is missing: install Gasoline again"):
        bundle.find("extension")


def test_the_doctor_names_a_missing_file_and_looks_at_the_rest(checkout: Path) -> None:
    (checkout / "extension" / "dist" / "content" / "capture.js").unlink()

    findings = list(doctor.run(Settings(data_dir=checkout / "data", runtime_dir=checkout / "run")))

    (found, *_) = [finding for finding in findings if "capture.js is missing" in finding.what]
    assert found.remedy.startswith("Type `make setup`")
    assert "Chrome" in findings[-1].what
