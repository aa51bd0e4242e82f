"""Checks an installation from the ground up: each check shows what it found and, if that is bad, how to fix it."""

import importlib.metadata
import socket
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from gasoline_bridge import bundle, holder, installed, pairing
from gasoline_bridge.chrome.messages import ExtensionRead
from gasoline_bridge.cli import interpreter
from gasoline_bridge.cli import status as running
from gasoline_broker.errors import CannotStart
from gasoline_broker.product import NAME
from gasoline_broker.settings import Settings, private_dir, writable_dir

PYTHON = (3, 11)
USER_SCRIPTS = (
    '; with "Allow User Scripts" on in the details of Gasoline at chrome://extensions, scripts that only read are '
    "faster, and without its bar"
)
NEEDED = ("aiohttp", "click", "honcho", "mcp", "msgspec", "platformdirs", "prometheus-client", "pyzmq", "structlog")


class Finding(NamedTuple):
    """One thing that was looked at."""

    good: bool
    what: str
    remedy: str = ""


def _good(what: str) -> Finding:
    return Finding(good=True, what=what)


def _bad(what: str, remedy: str) -> Finding:
    return Finding(good=False, what=what, remedy=remedy)


def run(settings: Settings) -> Iterator[Finding]:
    """Look at everything, what the rest stands on first."""
    checks: list[Callable[[Settings], Finding]] = [
        _python,
        _packages,
        _folders,
        _browser,
        _built,
        _extension,
        _port,
        _system,
        _own_rules,
        _redaction,
        _chrome,
    ]
    for check in checks:
        try:
            yield check(settings)
        except CannotStart as fault:  # a shipped file is missing: what is, and what to type
            what, _, remedy = str(fault).rpartition(": ")
            yield _bad(what, remedy[:1].upper() + remedy[1:])


def _python(_settings: Settings) -> Finding:
    return Finding(sys.version_info[:2] >= PYTHON, interpreter.shown(), "Install Python 3.11 or newer.")


def _packages(_settings: Settings) -> Finding:
    missing = []
    for name in NEEDED:
        try:
            importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            missing.append(name)
    return Finding(not missing, f"packages ({', '.join(missing) or 'all there'})", "Install Gasoline again.")


def _folders(settings: Settings) -> Finding:
    try:
        folders = [private_dir(settings.runtime_dir), writable_dir(settings.data_dir)]
    except CannotStart as fault:
        what, _, _ = str(fault).partition(": make it writable")
        return _bad(what, "Make it yours to write, or set GASOLINE_DATA_DIR or GASOLINE_RUNTIME_DIR to another folder.")
    return Finding(all(map(_is_private, folders)), f"folders {folders[0]} and {folders[1]}, closed to others")


def _is_private(folder: Path) -> bool:
    return not stat.S_IMODE(folder.stat().st_mode) & 0o077


def _own_rules(settings: Settings) -> Finding:
    from gasoline_workers.redaction import policy_file

    try:
        policy = policy_file.load(settings.config_dir)
    except CannotStart as fault:
        return _bad(f"your rules of redaction: {fault}", f"Correct {settings.config_dir / policy_file.FILE}.")
    count = len(policy.rules)
    return _good(f"your rules of redaction ({count} in {settings.config_dir / policy_file.FILE})")


def _browser(settings: Settings) -> Finding:
    from gasoline_bridge.devtools import ChromiumError, find_executable

    try:
        return _good(f"browser {find_executable(settings.chromium)}")
    except ChromiumError as fault:
        return _bad(str(fault), "Install Chrome or Chromium (Debian: `apt-get install chromium`).")


def _built(_settings: Settings) -> Finding:
    try:
        bundle.verify_extension()
    except CannotStart as fault:
        what, _, remedy = str(fault).rpartition(": ")
        return _bad(f"extension: {what}", remedy[0].upper() + remedy[1:])
    return _good("extension built, each file as it was built")


def _extension(settings: Settings) -> Finding:
    try:
        fault = installed.fault(settings)
        copies = pairing.paired(settings)
    except CannotStart:
        return _bad(
            f"extension in {settings.extension_dir} cannot be compared", "Fix the line before, then run this again."
        )
    if copies and not settings.extension_dir.is_dir():
        return _good(f"extension from a store, paired: {', '.join(copies)}")
    what = f"extension not installed: {fault}" if fault else f"extension installed in {settings.extension_dir}"
    return Finding(not fault, what, "Run `gasoline extension install`, then reload it in Chrome.")


def _port(settings: Settings) -> Finding:
    port = settings.port
    if pid := holder.pid_of(port, _token(settings)):
        if running.read(settings).running:
            return _good(f"port {port}, held by the running system")
        return _bad(f"port {port} is taken by another {NAME} (process {pid})", "Run `gasoline down` there first.")
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((holder.HOST, port))
        except OSError:
            return _bad(f"another program listens on port {port}", "End it, or set GASOLINE_PORT.")
    return _good(f"port {port} is free")


def _token(settings: Settings) -> str:
    try:
        return settings.token_file.read_text().strip()
    except OSError:
        return ""  # it proves nothing, and nothing proves it


def _system(settings: Settings) -> Finding:
    found = running.read(settings)
    kinds = [running.compact_of(one) for one in found.processes if one.actors]
    what = ", ".join([f"system {'is' if found.running else 'is not'} running", *kinds])
    return Finding(found.running, what, "Run `gasoline up`, or let your assistant start it.")


def _redaction(settings: Settings) -> Finding:
    broker = running.read(settings).broker
    count = sum(peer.service == "redaction" for peer in broker.peers) if broker else 0
    return Finding(count > 0, f"redaction: {count}", "Nothing is answered without one: run `gasoline up`.")


def _chrome(settings: Settings) -> Finding:
    extension = running.read(settings).extension
    connected = extension is not None and extension.connected
    remedy = f"Open Chrome; load {settings.extension_dir} at chrome://extensions (Developer mode, Load unpacked)."
    scripts = USER_SCRIPTS if connected and extension is not None and extension.user_scripts is False else ""
    sites = _sites(extension) if connected and extension is not None else ""
    return Finding(connected, f"Chrome {'is' if connected else 'is not'} connected{sites}{scripts}", remedy)


def _sites(extension: ExtensionRead) -> str:
    denied, allowed = extension.denied_sites, extension.allowed_sites
    counts = [f"sites it stays out of: {denied}"] if denied else []
    counts += [f"the only sites it works on: {allowed}"] if allowed else []
    return "".join(f"; {count}" for count in counts)
