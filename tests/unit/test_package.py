"""The packed extension has what its manifest needs, and each permission has a reason."""

import json
import re
import shutil
import zipfile
from pathlib import Path

import pytest

from gasoline_bridge import bundle
from gasoline_broker.errors import CannotStart
from gasoline_broker.product import VERSION
from gasoline_demo import package

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.requirement("install-013")
def test_the_same_sources_give_the_same_bytes_and_nothing_that_is_not_needed(tmp_path: Path) -> None:
    built = bundle.find("extension")
    one, other = package.pack(built, tmp_path / "a"), package.pack(built, tmp_path / "b")

    packed = zipfile.ZipFile(one)
    texts = {name: packed.read(name).decode(errors="replace") for name in packed.namelist()}
    manifest = json.loads(texts["manifest.json"])
    named = " ".join(text for name, text in texts.items() if not name.startswith("vendor/"))
    unneeded = [name for name in texts if name != "manifest.json" and Path(name).stem not in named]
    assert one.read_bytes() == other.read_bytes()
    assert (f"gasoline-{VERSION}.zip", VERSION) == (one.name, manifest["version"])
    assert "key" not in manifest
    assert [] == unneeded
    assert {"install.json", "files.json"}.isdisjoint(texts)
    assert {name.partition("/")[0] for name in texts} == {
        *("manifest.json", "background", "content", "icons", "options", "page", "popup", "shared", "vendor", "welcome")
    }


@pytest.mark.requirement("install-013")
def test_a_file_that_is_not_as_it_was_built_is_refused(tmp_path: Path) -> None:
    built = shutil.copytree(bundle.find("extension"), tmp_path / "built")
    (built / "popup" / "popup.js").write_text("another")

    with pytest.raises(CannotStart, match=r"popup\.js is damaged"):
        package.pack(built, tmp_path / "packed")
    assert not (tmp_path / "packed").exists()


@pytest.mark.requirement("install-014")
def test_each_permission_has_its_reason_and_none_is_explained_that_is_not_asked_for() -> None:
    manifest = json.loads((ROOT / "extension" / "manifest.json").read_text())
    explained = re.findall(
        r"^\| `([^`]+)` \| (.{40,}) \|$", (ROOT / "docs" / "permissions.md").read_text(), re.MULTILINE
    )

    assert [*manifest["host_permissions"], *manifest["permissions"]] == [permission for permission, _ in explained]
