"""The commands that are processes of the system: run without click, which each of them would import."""

import contextlib
import functools
import gc
import resource
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from gasoline_bridge.cli import exits
from gasoline_broker.settings import Settings

NAMES = ("broker", "bridge", "front")


def is_process(arguments: Sequence[str]) -> bool:
    """Return whether the arguments name a process, and nothing that click would have to refuse or explain."""
    match arguments:
        case [name]:
            return name in NAMES
        case ["worker", *names]:
            return bool(names) and not any(name.startswith("-") for name in names)
        case _:
            return False


def run(settings: Settings, name: str, *workers: str) -> None:
    """Be that process."""
    leave_no_core_file()
    with uncollected():
        main = _import(name, workers)
    main(settings)


def leave_no_core_file() -> None:
    """Have a crash write no file of this process's memory, which may hold what a page showed."""
    _, most = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, most))


def run_forked(arguments: Sequence[str]) -> None:
    """Be the process that these arguments name, in a fork of the supervisor."""
    with exits.by_sentences():
        run(Settings.from_environ(), *arguments)


def load_shared() -> None:
    """Import what several processes share, before they are forked."""
    with uncollected():
        from gasoline_broker import error_codes  # noqa: F401 - imported for the processes that are forked
        from gasoline_broker.actor import actor  # noqa: F401 - the same


@contextlib.contextmanager
def uncollected() -> Iterator[None]:
    """Import without the garbage collector, and have it leave out for ever what was imported: all of that stays."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def _import(name: str, workers: Sequence[str]) -> Callable[[Settings], None]:
    if name == "broker":
        from gasoline_broker.hub import server

        return server.run
    from gasoline_broker.actor.actor import run

    return functools.partial(run, _actor(name, workers))


def _actor(name: str, workers: Sequence[str]) -> Callable[[Settings], Any]:
    if name == "bridge":
        from gasoline_bridge.chrome.actor import Bridge

        return Bridge
    if name == "front":
        from gasoline_bridge.front import mcp_parts

        mcp_parts.keep_apart()
        from gasoline_bridge.front.front import Front

        return Front
    from gasoline_workers import discovery

    makes: dict[str, Callable[[Settings], Any]] = {worker: discovery.actor(worker) for worker in workers}
    if len(workers) == 1:
        return makes[workers[0]]
    from gasoline_broker.supervisor.actor_group import ActorGroup

    return functools.partial(ActorGroup, makes=makes)
