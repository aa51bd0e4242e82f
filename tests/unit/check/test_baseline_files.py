"""Baselines as files of a project: the same page gives the same bytes, and what is damaged is named."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gasoline_bridge.check.baseline_files import BaselineFile, PictureFile, read_all, stem, write
from gasoline_broker.errors import SettingsRefused
from gasoline_workers.regression.portable import exported
from gasoline_workers.screenshots.messages import Picture
from unit.regression.pages import QUIET, flaw, issue, kept, loads

ABOUT = Picture(
    "http://shop.test/cart", "Cart", "full_page", 1, tab=9, elements={"columns": ["x"], "rows": [[1, "é"], [2, ""]]}
)


def baseline(lcp: list[float] | None = None, name: str = "Cart / main", **more: bytes) -> BaselineFile:
    pictures = tuple(PictureFile(png, ABOUT) for png in more.values())
    return BaselineFile(exported(kept(loads(lcp or [*QUIET]), issue("label", "#a"), flaw("csp"), name=name)), pictures)


ONE = baseline(first=b"png of it", again=b"png again")


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.requirement("regression-026")
def test_writing_twice_gives_the_same_bytes_and_a_changed_metric_changes_its_lines_alone(tmp_path: Path) -> None:
    first = write(tmp_path / "new", ONE), contents(tmp_path / "new")
    second = write(tmp_path / "new", ONE), contents(tmp_path / "new")
    changed = baseline([QUIET[0], 999, *QUIET[2:]], first=b"png of it", again=b"png again")

    write(tmp_path / "new", changed)

    assert (True, False) == (first[0], second[0])
    assert first[1] == second[1]
    (name,) = [name for name in first[1] if name.endswith(".json")]
    before, after = (files[name].decode().splitlines() for files in (first[1], contents(tmp_path / "new")))
    assert [('      "lcp_ms": 205', '      "lcp_ms": 999')] == [
        pair for pair in zip(before, after, strict=True) if pair[0] != pair[1]
    ]
    assert '[1, "é"]' in "\n".join(after)
    assert '"tab"' not in "\n".join(after)
    keys = [line.split('"')[1] for line in after if line.startswith('  "')]
    assert sorted(keys) == keys


@pytest.mark.requirement("regression-026")
def test_pictures_that_are_the_same_are_one_file_and_one_that_is_gone_is_removed(tmp_path: Path) -> None:
    (tmp_path / "notes.png").write_bytes(b"the user's")
    write(tmp_path, ONE)
    two = sorted(contents(tmp_path))

    is_changed = write(tmp_path, baseline(first=b"png", again=b"png"))

    begins = stem(ONE.name)
    assert [f"{begins}-1.png", f"{begins}-2.png", f"{begins}.json", "notes.png"] == two
    assert ([f"{begins}-1.png", f"{begins}.json", "notes.png"], True) == (sorted(contents(tmp_path)), is_changed)
    (again,) = read_all(tmp_path)
    assert [b"png", b"png"] == [one.png for one in again.pictures]


@pytest.mark.requirement("regression-026")
@pytest.mark.parametrize("name", ["localhost:3000/users/*", "../../etc/passwd", "", "É", "a" * 300, "CON"])
def test_any_name_gives_files_in_the_folder_and_each_name_its_own(name: str) -> None:
    found = stem(name)

    assert found == Path(found).name
    assert found.isascii()
    assert len(found) < 80
    assert found != stem(f"{name}.")


@pytest.mark.requirement("regression-026", "regression-027")
def test_what_was_written_is_read_again(tmp_path: Path) -> None:
    other = baseline(name="other")
    write(tmp_path, other)
    write(tmp_path, ONE)

    plain = [json.loads(json.dumps(one.content)) for one in (ONE, other)]
    assert plain == [one.content for one in read_all(tmp_path)]
    about = read_all(tmp_path)[0].pictures[0].about
    assert msgspec.structs.replace(ABOUT, tab=0) == about


def edited(**change: Any) -> Callable[[Path], None]:
    def edit(file: Path) -> None:
        file.write_text(json.dumps(json.loads(file.read_text()) | change))

    return edit


def picture(**change: Any) -> Callable[[Path], None]:
    def edit(file: Path) -> None:
        whole = json.loads(file.read_text())
        whole["pictures"][0] |= change
        file.write_text(json.dumps(whole))

    return edit


@pytest.mark.requirement("regression-027")
@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda file: file.write_text(file.read_text()[:90]), "is damaged"),
        (lambda file: file.write_text("[1]"), "is no baseline"),
        (lambda file: file.write_bytes(b"\xff\xfe"), "is damaged"),
        (lambda file: file.write_text("[" * 200_000), "is damaged"),
        (lambda file: file.write_text(file.read_text().replace("999", "NaN").replace("202", "NaN")), "NaN"),
        (lambda file: file.with_name(f"{file.stem}-1.png").unlink(), "which is missing"),
        (lambda file: file.with_name(f"{file.stem}-1.png").write_bytes(b"another"), "is damaged: it is not the pict"),
        (lambda file: file.with_name("copy.json").write_bytes(file.read_bytes()), "two baselines of the name"),
        (edited(format=2), "newer version .format 2; this one reads 1"),
        (edited(format="1"), "newer version"),
        (edited(pictures=[{"file": "a.png"}]), "is damaged"),
        (picture(file="../secret.png"), "no name of a picture"),
        (picture(file="/etc/x.png"), "no name of a picture"),
        (picture(about=msgspec.to_builtins(ABOUT) | {"scale": 0}), "no scale"),
        (picture(about={"url": 1}), "is damaged"),
    ],
)
def test_what_is_damaged_missing_or_newer_is_refused_with_its_place(
    tmp_path: Path, damage: Callable[[Path], None], words: str
) -> None:
    write(tmp_path, ONE)
    damage(tmp_path / f"{stem(ONE.name)}.json")

    with pytest.raises(SettingsRefused, match=words) as refused:
        read_all(tmp_path)

    assert str(tmp_path) in str(refused.value)


def test_a_folder_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsRefused, match="is no folder"):
        read_all(tmp_path / "none")
