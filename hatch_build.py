"""Refuses to build a wheel or an sdist without the built extension."""

import json
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class RequireExtension(BuildHookInterface[Any]):
    """Checks that `extension/dist` is complete before anything is packed."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's signature
        """Check each file that the build has listed.

        Raises:
            FileNotFoundError: the extension is not built, or a file of it is missing.

        """
        built = Path(self.root, "extension", "dist")
        listed = built / "files.json"
        if not listed.is_file():
            raise FileNotFoundError(f"{listed} is missing: type `make setup`, or `npm run build`.")
        missing = [name for name in json.loads(listed.read_text()) if not (built / name).is_file()]
        if missing:
            raise FileNotFoundError(f"{built / missing[0]} is missing: type `npm run build`.")
