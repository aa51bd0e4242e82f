"""The CURVE keys of an installation: its own pair, and the public keys of the machines that it allows.

Rules of this file:
- The secret key never leaves this machine: the folder is 0700, the file 0600. Public keys are shown as 64 hex digits.
- Only a listed key is allowed (ZAP, rfc.zeromq.org/spec/27). The list is read again for each connection, so that a
  change counts at once; existing links stay. A list that cannot be read allows no key.
- Several processes may use it at once: a pair is made once, and a change of the list holds a lock.
"""

import contextlib
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import structlog
import zmq
import zmq.utils.z85

from gasoline_broker.errors import CannotStart, SettingsRefused
from gasoline_broker.log import Throttle
from gasoline_broker.private_files import changing, written
from gasoline_broker.settings import KEY, Settings, private_dir

# A link that carries nothing is replaced after 8 s, and each try ends after 2 s: TCP by itself doubles its pauses
# (a cut of 14 s had healed 3.6 s after its end, and has so within 0.5 s).
BETWEEN_MACHINES: dict[int, int] = {
    zmq.HEARTBEAT_IVL: 2_000,
    zmq.HEARTBEAT_TIMEOUT: 6_000,
    zmq.CONNECT_TIMEOUT: 2_000,
    zmq.TCP_KEEPALIVE: 1,
}
LOG_EVERY_S = 10.0  # how often strangers are logged: they may connect ten thousand times a second
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,62}")

logger = structlog.get_logger()


class Pair(NamedTuple):
    """A public key and its secret, 32 bytes each."""

    public: bytes
    secret: bytes


class Keys:
    """The keys of one installation."""

    def __init__(self, settings: Settings) -> None:
        self._folder = settings.data_dir / "keys"
        self._unreadable = Throttle(LOG_EVERY_S)
        self.refused = ""  # the public key that was refused last

    def own(self) -> Pair:
        """Return this machine's pair; it is made when there is none."""
        path = self._path("own.secret")
        if not path.exists():
            made = Pair(*map(zmq.utils.z85.decode, zmq.curve_keypair()))
            text = f"{made.public.hex()}\n{made.secret.hex()}\n"
            with written(self._folder, text) as file, contextlib.suppress(FileExistsError):
                os.link(file, path)  # where another process was faster, its pair counts
        try:
            pair = Pair(*map(bytes.fromhex, path.read_text().split()))
            whole = zmq.curve_public(zmq.utils.z85.encode(pair.secret)) == zmq.utils.z85.encode(pair.public)
        except OSError as fault:
            raise CannotStart(f"{path} cannot be read: {fault.strerror}.") from None
        except (TypeError, ValueError, zmq.ZMQError):
            whole = False
        if not whole:
            raise CannotStart(f"{path} does not hold a pair of keys: remove it, and a new one is made.")
        return pair

    def allowed(self) -> dict[str, str]:
        """Return the allowed public keys, by the name of their machine."""
        try:
            lines = self._path("allowed").read_text().splitlines()
        except FileNotFoundError:
            return {}
        return {name: key for name, _, key in (line.partition(" ") for line in lines) if KEY.fullmatch(key)}

    def allow(self, name: str, key: str) -> None:
        """Allow a machine; one of that name has another key from now on.

        Raises:
            SettingsRefused: the name or the key is malformed, or another machine has that key.

        """
        if not NAME.fullmatch(name):
            raise SettingsRefused(f"Invalid machine name {name!r}: letters, digits, '.', '_' and '-', at most 63.")
        if not KEY.fullmatch(key):
            raise SettingsRefused("A public key has 64 hex digits: `gasoline keys` on that machine prints its own.")
        with self._changing() as allowed:
            for other, taken in allowed.items():
                if taken == key and other != name:
                    raise SettingsRefused(f"This key is allowed already, as {other!r}.")
            allowed[name] = key

    def revoke(self, name: str) -> None:
        """Allow a machine no longer.

        Raises:
            SettingsRefused: no machine of this name is allowed.

        """
        with self._changing() as allowed:
            if name not in allowed:
                raise SettingsRefused(f"No machine {name!r} is allowed; there are: {', '.join(allowed) or 'none'}.")
            del allowed[name]

    def callback(self, _domain: str, key: bytes) -> bool:
        """Answer ZAP (zmq.auth.CredentialsProvider): `key` is the peer's public key, in Z85. Raise nothing."""
        public = zmq.utils.z85.decode(key).hex()
        try:
            if public in self.allowed().values():
                return True
        except (OSError, ValueError, CannotStart) as fault:  # raised, it would end the authenticator's thread
            if times := self._unreadable.count(time.monotonic()):
                logger.error("keys_unreadable", fault=type(fault).__name__, times=times)  # noqa: TRY400 - its text may be the file's
        self.refused = public
        return False

    @contextlib.contextmanager
    def _changing(self) -> Iterator[dict[str, str]]:
        """Yield the list for a change, and store it then; no other process changes it meanwhile."""
        with changing(self._path("lock")):
            allowed = self.allowed()
            yield allowed
            with written(self._folder, "".join(f"{name} {key}\n" for name, key in sorted(allowed.items()))) as file:
                file.replace(self._path("allowed"))

    def _path(self, name: str) -> Path:
        private_dir(self._folder.parent)
        return private_dir(self._folder) / name


def family(address: str) -> dict[int, int]:
    """Return the option that an address needs: an IPv6 one is written in brackets."""
    return {zmq.IPV6: int("[" in address)}
