"""Which of the user's files are read for a page, and which are refused."""

import base64
import os
from pathlib import Path

import pytest

from gasoline_bridge.chrome import uploads
from gasoline_broker.errors import Failed, Failure


def refusal(path: object, ours: Path) -> Failure:
    with pytest.raises(Failed) as caught:
        uploads.read([str(path)], ours)
    return caught.value.failure


def test_files_are_read_with_their_names_and_types(tmp_path: Path) -> None:
    contents = {"a.png": b"\x89PNG", "b.unknown-kind": b"", "c.tar.gz": b"x"}
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    sent = uploads.read([str(tmp_path / name) for name in contents], tmp_path / "ours")

    assert [("a.png", "image/png"), ("b.unknown-kind", ""), ("c.tar.gz", "")] == [(one.name, one.type) for one in sent]
    assert list(contents.values()) == [base64.b64decode(one.data) for one in sent]


def test_what_is_no_file_to_read_is_named(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    reasons = {
        "a.txt": "is no absolute path",
        "~/a.txt": "is no absolute path",
        tmp_path / "none": "does not exist",
        tmp_path: "is a directory",
        tmp_path / "pipe": "is no ordinary file",
        "/dev/zero": "is no ordinary file",
        "/proc/self/environ": "is no ordinary file",
        "/proc/self/root/proc/self/environ": "is no ordinary file",
        f"{tmp_path}/\0": "cannot be read",
    }
    for path, why in reasons.items():
        failure = refusal(path, tmp_path / "ours")

        assert ("invalid_params", "files", str(path)) == (
            failure.code,
            failure.details["parameter"],
            failure.details["value"],
        )
        assert why in failure.text


def test_a_key_of_this_installation_reaches_no_page_under_any_name(tmp_path: Path) -> None:
    ours = tmp_path / "ours"
    ours.mkdir()
    (ours / "token").write_text("secret")
    (tmp_path / "link.png").symlink_to(ours / "token")
    (tmp_path / "x").mkdir()

    for path in (ours / "token", tmp_path / "link.png", tmp_path / "x" / ".." / "ours" / "token"):
        assert "belongs to Gasoline itself" in refusal(path, ours).text


def test_a_screenshot_of_ours_may_be_given_on(tmp_path: Path) -> None:
    (tmp_path / "shot.png").write_bytes(b"x")

    assert ["shot.png"] == [one.name for one in uploads.read([str(tmp_path / "shot.png")], tmp_path)]


def test_files_that_are_too_large_together_are_refused(tmp_path: Path) -> None:
    half = tmp_path / "half.bin"
    half.write_bytes(bytes(uploads.BYTES_MAX // 2))

    assert 2 == len(uploads.read([str(half)] * 2, tmp_path / "ours"))
    with pytest.raises(Failed) as caught:
        uploads.read([str(half)] * 3, tmp_path / "ours")
    assert ("payload_too_large", "files") == (caught.value.failure.code, caught.value.failure.details["parameter"])
