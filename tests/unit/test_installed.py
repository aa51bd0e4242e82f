"""What keeps the installed copy of the extension from being this version's is named, never raised."""

from pathlib import Path

from gasoline_bridge import installed
from gasoline_broker.settings import Settings


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "data", runtime_dir=tmp_path / "run")
    installed.install(settings)
    assert installed.fault(settings) is None

    written = settings.extension_dir / "install.json"
    written.unlink()
    written.mkdir()  # no user can read it, root included

    assert f"{written} cannot be read (Is a directory)" == installed.fault(settings)
