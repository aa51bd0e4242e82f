"""The commands that are processes of the system: run without click, which six processes of each start would import."""

import contextlib
import functools
import gc
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from gasoline_broker.settings import Settings

NAMES = ("broker", "bridge", "front")


def is_process(arguments: Sequence[str]) -> bool:
    """Return whether the arguments name a process, and nothing that click would have to refuse or explain."""
    match arguments:
        case [name]:
            return name in NAMES
        case ["worker", name]:
            return not name.startswith("-")
        case _:
            return False


def run(settings: Settings, name: str, worker: str = "") -> None:
    """Be that process."""
    with _uncollected():
        main = _import(name, worker)
    main(settings)


@contextlib.contextmanager
def _uncollected() -> Iterator[None]:
    """Import without the garbage collector, and have it leave out for ever what was imported: all of that stays."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def _import(name: str, worker: str) -> Callable[[Settings], None]:
    if name == "broker":
        from gasoline_broker.hub import server

        return server.run
    from gasoline_broker.actor.actor import run

    return functools.partial(run, _actor(name, worker))


def _actor(name: str, worker: str) -> Any:  # noqa: ANN401 - an actor's class
    if name == "bridge":
        from gasoline_bridge.chrome.actor import Bridge

        return Bridge
    if name == "front":
        from gasoline_bridge.front.front import Front

        return Front
    from gasoline_workers import discovery

    return discovery.actor(worker)
