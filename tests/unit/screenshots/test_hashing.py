"""What becomes of a picture once it is hashed: a store that has no time for it loses nothing."""

from pathlib import Path

import pytest

from gasoline_broker.errors import fail
from gasoline_broker.settings import Settings
from gasoline_workers.screenshots import actor
from gasoline_workers.screenshots.actor import Screenshots
from gasoline_workers.screenshots.file import Screenshots as Folder
from gasoline_workers.screenshots.messages import Picture
from unit.screenshots.png_bytes import png, stating

ABOUT = Picture(url="http://localhost/a", title="A", kind="viewport", masked=0)
ID = f"{1:016x}"


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Screenshots:
    monkeypatch.setattr(actor, "ANSWERED_S", 0)
    made = Screenshots(Settings(data_dir=tmp_path))
    made.folder = Folder(tmp_path / "screenshots", 1 << 20, 86_400.0)
    made.folder.ready()
    return made


def kept(store: Screenshots) -> list[str]:
    return [one.pixels for one in store.folder.list(9, 0, "").screenshots]


@pytest.mark.requirement("pictures-018")
async def test_an_acknowledged_picture_stays_where_its_hash_cannot_be_written(
    store: Screenshots, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.folder.put(ID, png(), ABOUT, "", 1.0)
    monkeypatch.setattr(store.folder, "note_pixels", lambda *_: fail("store_failed", "The disk is full."))

    await store._hash(ID, png())

    assert kept(store) == [""]


@pytest.mark.requirement("pictures-023")
async def test_a_picture_gets_its_hash_and_one_that_lacks_pixels_goes(store: Screenshots) -> None:
    store.folder.put(ID, png(), ABOUT, "", 1.0)
    store.folder.put(f"{2:016x}", stating(40, 30, bytes(9)), ABOUT, "", 1.0)

    await store._hash(ID, png())
    await store._hash(f"{2:016x}", stating(40, 30, bytes(9)))

    (pixels,) = kept(store)
    assert len(pixels) == 64
