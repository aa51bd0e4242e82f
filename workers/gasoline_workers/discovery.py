"""Finds the workers by their folders: `gasoline_workers/NAME/actor.py` holds the one Actor with the service NAME."""

import importlib
from pathlib import Path
from types import ModuleType
from typing import Any

from gasoline_broker.errors import SettingsRefused

HERE = Path(__file__).parent


def names(folder: Path = HERE) -> list[str]:
    """List the workers."""
    return sorted(path.parent.name for path in folder.glob("*/actor.py"))


def actor(name: str) -> Any:  # noqa: ANN401 - a class of Actor, which is not loaded for a list of names
    """Import the actor of a worker.

    Raises:
        SettingsRefused: there is no such worker, or its folder has no actor of that name.

    """
    if name not in names():
        raise SettingsRefused(f"There is no worker {name!r}; the workers are {', '.join(names())}.")
    return defined_in(importlib.import_module(f"gasoline_workers.{name}.actor"), name)


def defined_in(module: ModuleType, name: str) -> Any:  # noqa: ANN401 - the same
    """Return the actor with this service that the module defines.

    Raises:
        SettingsRefused: it defines none.

    """
    found = [one for one in vars(module).values() if isinstance(one, type) and getattr(one, "service", None) == name]
    if len(found) != 1:
        raise SettingsRefused(f"{module.__name__} must define one Actor with service = {name!r}.")
    return found[0]
