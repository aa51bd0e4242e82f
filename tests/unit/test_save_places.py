"""Where a file may be saved that an assistant names."""

from pathlib import Path

import pytest
from mcp_types import ListRootsResult, Root
from pydantic import FileUrl

from gasoline_bridge.front import client_roots, save_places
from gasoline_broker.errors import Failed

ENDING = (".har",)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Make a client's root, a folder of exports, and what lies beside them."""
    for name in ("project/tests", "project/.git", "other", "exports", "project/.ssh"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "project" / "out").symlink_to(tmp_path / "other")
    (tmp_path / "project" / "in").symlink_to(tmp_path / "project" / "tests")
    (tmp_path / "project" / "there.har").write_text("mine")
    (tmp_path / "project" / "link.har").symlink_to(tmp_path / "other" / "new.har")
    return tmp_path / "project"


def choose(root: Path, asked: str, *roots: Path) -> Path:
    return save_places.choose(asked, ENDING, roots, root.parent / "exports")


@pytest.mark.requirement("clients-011")
@pytest.mark.parametrize(
    ("asked", "expected"),
    [("a.har", "a.har"), ("tests/a.har", "tests/a.har"), ("in/a.har", "tests/a.har"), ("./a.har", "a.har")],
)
def test_a_file_below_the_root_may_be_saved(root: Path, asked: str, expected: str) -> None:
    assert root / expected == choose(root, asked, root)
    assert root / expected == choose(root, str(root / asked), root)


@pytest.mark.requirement("clients-011")
@pytest.mark.parametrize(
    "asked",
    [
        "../other/a.har", "tests/../a.har", "tests/../../other/a.har",
        "/etc/a.har", "out/a.har", ".git/a.har", ".ssh/a.har", ".a.har",
        ".har", "a.txt", "a.har/", "tests", "nowhere/a.har", "a\0.har", "~/a.har", "there.har/a.har",
    ],
)  # fmt: skip
def test_any_other_is_refused_by_a_reason_that_names_the_root(root: Path, asked: str) -> None:
    with pytest.raises(Failed) as refused:
        choose(root, asked, root)

    failure = refused.value.failure
    assert ("invalid_params", "save_to") == (failure.code, failure.details["parameter"])
    assert str(root) in failure.recovery


@pytest.mark.requirement("clients-011")
def test_of_several_roots_one_must_be_named_by_an_absolute_path(root: Path) -> None:
    other = root.parent / "other"
    with pytest.raises(Failed, match="several roots"):
        choose(root, "a.har", root, other)

    assert other / "a.har" == choose(root, str(other / "a.har"), root, other)


@pytest.mark.requirement("clients-011")
def test_without_a_root_only_the_folder_of_exports_is_left(root: Path) -> None:
    own = root.parent / "exports"

    assert [own / "a.har"] * 2 == [choose(root, "a.har"), choose(root, str(own / "a.har"))]
    with pytest.raises(Failed, match="has none"):
        choose(root, str(root / "a.har"))


@pytest.mark.requirement("clients-011")
@pytest.mark.parametrize("name", ["there.har", "link.har"])
def test_nothing_is_overwritten_and_no_link_is_followed(root: Path, name: str) -> None:
    with pytest.raises(Failed, match="there already"):
        save_places.write(choose(root, name, root), b"text")

    assert "mine" == (root / "there.har").read_text()
    assert not (root.parent / "other" / "new.har").exists()


@pytest.mark.requirement("clients-011")
def test_a_folder_that_becomes_a_link_after_it_was_decided_on_gets_nothing(root: Path) -> None:
    path = choose(root, "tests/new.har", root)
    (root / "in").unlink()
    (root / "tests").rmdir()
    (root / "tests").symlink_to(root.parent / "other")

    with pytest.raises(Failed, match="could not be written"):
        save_places.write(path, b"text")

    assert not (root.parent / "other" / "new.har").exists()


def test_a_written_file_is_its_users_alone(root: Path) -> None:
    save_places.write(root / "new.har", b"text")

    assert (b"text", 0o600) == ((root / "new.har").read_bytes(), (root / "new.har").stat().st_mode & 0o777)


def test_roots_are_folders_of_this_machine(root: Path) -> None:
    spaced = root / "a folder"
    spaced.mkdir()
    uris = ["file:///no/such", f"file://elsewhere{root}", spaced.as_uri(), root.as_uri(), f"file://localhost{root}"]

    assert [spaced, root] == client_roots.paths(ListRootsResult(roots=[Root(uri=FileUrl(uri)) for uri in uris]))
