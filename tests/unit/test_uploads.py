"""Which of the user's files are read for a page or opened as one, and which are refused."""

import base64
import os
from pathlib import Path

import pytest

from gasoline_bridge.chrome import uploads
from gasoline_bridge.chrome.uploads import Rights
from gasoline_broker.errors import Failed, Failure


@pytest.fixture
def rights(tmp_path: Path) -> Rights:
    """Allow one folder."""
    (tmp_path / "open").mkdir()
    (tmp_path / "ours").mkdir()
    return Rights([tmp_path / "open"], tmp_path / "ours")


def refusal(path: object, rights: Rights) -> Failure:
    with pytest.raises(Failed) as caught:
        uploads.read([str(path)], rights)
    return caught.value.failure


def test_files_are_read_with_their_names_and_types(rights: Rights) -> None:
    contents = {"a.png": b"\x89PNG", "b.unknown-kind": b"", "c.tar.gz": b"x"}
    paths = [rights.folders[0] / name for name in contents]
    for path, content in zip(paths, contents.values(), strict=True):
        path.write_bytes(content)
    sent = uploads.read([str(path) for path in paths], rights)

    assert [("a.png", "image/png"), ("b.unknown-kind", ""), ("c.tar.gz", "")] == [(one.name, one.type) for one in sent]
    assert list(contents.values()) == [base64.b64decode(one.data) for one in sent]
    assert [path.stat().st_mtime_ns // 1_000_000 for path in paths] == [one.modified_ms for one in sent]


def test_what_is_no_file_to_read_is_named(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "ring").symlink_to(tmp_path / "ring")
    reasons = {
        "a.txt": "is no absolute path",
        "~/a.txt": "is no absolute path",
        tmp_path / "none": "does not exist",
        tmp_path: "is a directory",
        tmp_path / "pipe": "is no ordinary file",
        tmp_path / "ring": "cannot be read",
        "/dev/zero": "is no ordinary file",
        "/proc/self/environ": "is no ordinary file",
        "/proc/self/root/proc/self/environ": "is no ordinary file",
        f"{tmp_path}/\0": "cannot be read",
    }
    for path, why in reasons.items():
        failure = refusal(path, Rights([Path("/")], tmp_path / "ours"))

        assert ("invalid_params", "files", str(path)) == (
            failure.code,
            failure.details["parameter"],
            failure.details["value"],
        )
        assert why in failure.text, path


@pytest.mark.requirement("doors-001", "doors-004")
def test_a_file_outside_of_the_allowed_folders_reaches_no_page_under_any_name(tmp_path: Path, rights: Rights) -> None:
    (tmp_path / "open-too").mkdir()
    inside, secret = rights.folders[0], tmp_path / "open-too" / "a secret.txt"
    secret.write_text("secret")
    (inside / "link.txt").symlink_to(secret)
    (inside / "folder").symlink_to(secret.parent)
    names = [secret, inside / "link.txt", inside / "folder" / secret.name, inside / ".." / "open-too" / secret.name]

    for path in [*names, tmp_path / "open-too" / "none"]:
        failure = refusal(path, rights)

        assert "file_not_allowed" == failure.code, path
        assert "in no folder that the user has allowed" in failure.text
        assert f"`gasoline allow {tmp_path / 'open-too'}`" in failure.recovery
        assert str(tmp_path / "open-too") == failure.details["folder"]


@pytest.mark.requirement("doors-004")
def test_the_folder_is_named_as_a_shell_takes_it(tmp_path: Path, rights: Rights) -> None:
    assert f"`gasoline allow '{tmp_path}/two words'`" in refusal(tmp_path / "two words" / "a.txt", rights).recovery


@pytest.mark.requirement("doors-001")
def test_without_an_allowed_folder_no_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x")

    assert "file_not_allowed" == refusal(tmp_path / "a.txt", Rights([], tmp_path / "ours")).code


@pytest.mark.requirement("doors-002")
@pytest.mark.parametrize("swapped", ["file", "folder"])
def test_a_link_that_comes_after_the_check_is_not_followed(tmp_path: Path, swapped: str) -> None:
    folder, secret = tmp_path / "folder", tmp_path / "secret"
    secret.mkdir()
    (secret / "a.txt").write_text("secret")
    if swapped == "folder":
        folder.symlink_to(secret)
    else:
        folder.mkdir()
        (folder / "a.txt").symlink_to(secret / "a.txt")

    with pytest.raises(OSError, match=r"symbolic link|Not a directory"):
        uploads.open_without_links(folder / "a.txt")


@pytest.mark.requirement("doors-003")
@pytest.mark.parametrize(
    ("name", "asks"),
    [
        (".env", "by hand"),
        (".ssh/id_ed25519", "by hand"),
        ("work/.git/config", "gasoline allow"),
        (".config/app/token.json", "by hand"),
        (".cache/a.txt", "gasoline allow"),
        (".SSH/id_ed25519", "by hand"),
    ],
)
def test_what_begins_with_a_dot_stays_closed_below_an_allowed_folder(rights: Rights, name: str, asks: str) -> None:
    file = rights.folders[0] / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("secret")
    (rights.folders[0] / "link.txt").symlink_to(file)

    for path in (file, rights.folders[0] / "link.txt"):
        failure = refusal(path, rights)

        assert "file_not_allowed" == failure.code
        assert asks in failure.recovery


@pytest.mark.requirement("doors-003")
@pytest.mark.parametrize("name", ["Library", "snap", "LIBRARY"])
def test_a_folder_of_settings_is_closed_below_an_allowed_home_and_open_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    cookies = tmp_path / name / "Browser" / "Cookies"
    cookies.parent.mkdir(parents=True)
    cookies.write_text("secret")

    assert "file_not_allowed" == refusal(cookies, Rights([tmp_path], tmp_path / "ours")).code
    assert 1 == len(uploads.read([str(cookies)], Rights([tmp_path, cookies.parent], tmp_path / "ours")))


def test_a_key_of_this_installation_reaches_no_page_under_any_name(tmp_path: Path, rights: Rights) -> None:
    everything = rights._replace(folders=[tmp_path])
    (rights.ours / "token").write_text("secret")
    (tmp_path / "link.png").symlink_to(rights.ours / "token")

    for path in (rights.ours / "token", tmp_path / "link.png", tmp_path / "open" / ".." / "ours" / "token"):
        assert "belongs to Gasoline itself" in refusal(path, everything).text


def test_a_screenshot_of_ours_may_be_given_on(rights: Rights) -> None:
    (rights.ours / "shot.png").write_bytes(b"x")

    assert ["shot.png"] == [one.name for one in uploads.read([str(rights.ours / "shot.png")], rights)]


def test_files_that_are_too_large_together_are_refused(rights: Rights) -> None:
    half = rights.folders[0] / "half.bin"
    half.write_bytes(bytes(uploads.BYTES_MAX // 2))

    assert 2 == len(uploads.read([str(half)] * 2, rights))
    with pytest.raises(Failed) as caught:
        uploads.read([str(half)] * 3, rights)
    assert ("payload_too_large", "files") == (caught.value.failure.code, caught.value.failure.details["parameter"])


@pytest.mark.requirement("doors-005")
@pytest.mark.parametrize("written", ["file://{}", " FILE://localhost{}", "file://{}?a=b#c", "file://{}/../a%20b.html"])
def test_a_page_of_an_allowed_folder_is_opened_by_an_address_without_links(rights: Rights, written: str) -> None:
    file = rights.folders[0] / "a b.html"
    file.write_text("x")
    (rights.folders[0] / "link.html").symlink_to(file)
    url = written.format(rights.folders[0] / "link.html")

    assert file.as_uri() + ("?a=b#c" if "?" in url else "") == uploads.address(url, rights)


ODD = ["file:{}", "file:\\\\{}", "file:///{}", "file://host{}", "file://{}\\..\\x", "file://{}\t", "file://{}%00"]


@pytest.mark.requirement("doors-005")
@pytest.mark.parametrize("written", [one + "/a.html" for one in ODD])
def test_an_address_that_a_browser_may_read_otherwise_is_refused(rights: Rights, written: str) -> None:
    (rights.folders[0] / "a.html").write_text("x")

    with pytest.raises(Failed) as caught:
        uploads.address(written.format(rights.folders[0]), rights)
    assert ("invalid_params", "url") == (caught.value.failure.code, caught.value.failure.details["parameter"])
    assert "file:///home/ada/page.html" in caught.value.failure.recovery


@pytest.mark.requirement("doors-004", "doors-005")
@pytest.mark.parametrize("name", ["secret.html", "open/link.html", "open/../secret.html", "open/%2e%2e/secret.html"])
def test_a_page_outside_of_the_allowed_folders_is_not_opened(tmp_path: Path, rights: Rights, name: str) -> None:
    (tmp_path / "secret.html").write_text("x")
    (rights.folders[0] / "link.html").symlink_to(tmp_path / "secret.html")

    with pytest.raises(Failed) as caught:
        uploads.address(f"file://{tmp_path}/{name}", rights)
    assert ("file_not_allowed", "url") == (caught.value.failure.code, caught.value.failure.details["parameter"])
    assert f"`gasoline allow {tmp_path}`" in caught.value.failure.recovery


def test_a_page_that_is_not_there_is_named(rights: Rights) -> None:
    with pytest.raises(Failed, match="does not exist"):
        uploads.address(f"file://{rights.folders[0]}/none.html", rights)
