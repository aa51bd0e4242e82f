"""Packs the built extension as a zip for a web store: the same folder gives the same bytes."""

import json
import sys
import zipfile
from pathlib import Path

from gasoline_bridge import bundle

MOMENT = (1980, 1, 1, 0, 0, 0)  # the earliest that a zip can state
READABLE = 0o100644 << 16
OWN_ID = "key"  # a store assigns the id, and refuses a manifest that has it


def pack(built: Path, folder: Path) -> Path:
    """Write `gasoline-VERSION.zip` of a built extension into `folder`, and give its path.

    Files are stored as they are: what compression makes of them differs from one zlib to the next.

    Raises:
        CannotStart: a file is not as it was built.

    """
    bundle.verify(built)
    manifest = json.loads((built / "manifest.json").read_text())
    del manifest[OWN_ID]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"gasoline-{manifest['version']}.zip"
    with zipfile.ZipFile(path, "w") as packed:
        for name in sorted(json.loads((built / "files.json").read_text())):
            text = json.dumps(manifest, indent=2).encode() if name == "manifest.json" else (built / name).read_bytes()
            entry = zipfile.ZipInfo(name, MOMENT)
            entry.create_system = 3  # as on Linux, wherever it is packed
            entry.external_attr = READABLE
            packed.writestr(entry, text)
    return path


if __name__ == "__main__":
    bundle.require_current_build()
    sys.stdout.write(f"{pack(bundle.find('extension'), Path(sys.argv[1]))}\n")
