"""The built extension is found whole, or the error names the file that is wrong and what to type."""

import json
import os
import shutil
from pathlib import Path

import pytest

from gasoline_bridge import bundle
from gasoline_bridge.cli import doctor
from gasoline_broker.errors import CannotStart
from gasoline_broker.settings import Settings

MANIFEST = {
    "content_scripts": [{"js": ["content/capture.js"]}],
    "background": {"service_worker": "background/main.js"},
    "action": {"default_popup": "popup/popup.html"},
    "options_ui": {"page": "options/options.html"},
    "icons": {"16": "icons/16.png"},
}
NAMED = ["content/capture.js", "background/main.js", "popup/popup.html", "options/options.html", "icons/16.png"]


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Lay out a checkout with a built extension."""
    monkeypatch.setattr(bundle, "_CHECKOUT", tmp_path)
    (tmp_path / "pyproject.toml").touch()
    sources, built = tmp_path / "extension" / "src", tmp_path / "extension" / "dist"
    for path in [sources / "main.ts", sources.parent / "manifest.json", sources.parent / "build.mjs"]:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    for name in NAMED:
        (built / name).parent.mkdir(parents=True, exist_ok=True)
        (built / name).touch()
    (built / "manifest.json").write_text(json.dumps(MANIFEST))
    return tmp_path


def test_the_built_extension_is_found_in_a_checkout(checkout: Path) -> None:
    bundle.require_current_build()

    assert checkout / "extension" / "dist" == bundle.find("extension")


def test_an_extension_that_is_not_built_says_what_to_type(checkout: Path) -> None:
    shutil.rmtree(checkout / "extension" / "dist")

    with pytest.raises(CannotStart, match=r"extension/dist is missing: type `make setup`, or `npm run build`"):
        bundle.find("extension")


@pytest.mark.parametrize("name", [*NAMED, "manifest.json"])
def test_a_missing_file_of_the_built_extension_is_named(checkout: Path, name: str) -> None:
    (checkout / "extension" / "dist" / name).unlink()

    with pytest.raises(CannotStart, match=rf"{name} is missing.*`npm run build`"):
        bundle.find("extension")


def test_a_damaged_manifest_is_named(checkout: Path) -> None:
    (checkout / "extension" / "dist" / "manifest.json").write_text('{"content_scripts": [')

    with pytest.raises(CannotStart, match=r"manifest.json is damaged \(.*\): type `make setup`"):
        bundle.find("extension")


def test_a_source_that_is_newer_than_the_build_is_named(checkout: Path) -> None:
    source = checkout / "extension" / "src" / "main.ts"
    later = (checkout / "extension" / "dist" / "manifest.json").stat().st_mtime_ns + 1
    os.utime(source, ns=(later, later))

    with pytest.raises(CannotStart, match=r"older than .*src/main.ts: type `make setup`"):
        bundle.require_current_build()


def test_an_installed_wheel_without_the_extension_says_to_install_again(
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
