"""The CURVE keys with which machines know each other: one pair of our own, and the public keys that we let in.

Rules of this file:
- The secret key never leaves this machine: the folder is 0700, the file 0600. Public keys are shown as 64 hex digits.
- Only a key that is listed is let in (ZAP, rfc.zeromq.org/spec/27). The list is read anew for each who comes, so that
  what is allowed or revoked counts at once; who is linked already stays.
"""

import os
import re
from pathlib import Path
from typing import NamedTuple

import zmq
import zmq.utils.z85

from gasoline_broker.errors import CannotStart, SettingsRefused
from gasoline_broker.settings import KEY, Settings, private_dir

BETWEEN_MACHINES: dict[int, int] = {zmq.HEARTBEAT_IVL: 5_000, zmq.HEARTBEAT_TIMEOUT: 15_000, zmq.TCP_KEEPALIVE: 1}
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,62}")


class Pair(NamedTuple):
    """A public key and its secret, 32 bytes each."""

    public: bytes
    secret: bytes


class Keys:
    """The keys of one installation."""

    def __init__(self, settings: Settings) -> None:
        self._folder = settings.data_dir / "keys"

    def own(self) -> Pair:
        """Give this machine's pair; it is made when there is none."""
        path = self._path("own.secret")
        if not path.exists():
            made = Pair(*map(zmq.utils.z85.decode, zmq.curve_keypair()))
            _write(path, f"{made.public.hex()}\n{made.secret.hex()}\n")
        try:
            public, secret = map(bytes.fromhex, path.read_text().split())
        except ValueError:
            raise CannotStart(f"{path} does not hold a pair of keys: remove it, and a new one is made.") from None
        return Pair(public, secret)

    def allowed(self) -> dict[str, str]:
        """Give the public keys that are let in, by the name of their machine."""
        try:
            lines = self._path("allowed").read_text().splitlines()
        except FileNotFoundError:
            return {}
        return {name: key for name, _, key in (line.partition(" ") for line in lines) if KEY.fullmatch(key)}

    def allow(self, name: str, key: str) -> None:
        """Let a machine in.

        Raises:
            SettingsRefused: the name or the key is none.

        """
        if not NAME.fullmatch(name):
            raise SettingsRefused(f"{name!r} is no name for a machine: letters, digits, '.', '_' and '-', at most 63.")
        if not KEY.fullmatch(key):
            raise SettingsRefused("A public key has 64 hex digits: `gasoline keys` on that machine prints its own.")
        self._keep(self.allowed() | {name: key})

    def revoke(self, name: str) -> None:
        """Let a machine in no longer.

        Raises:
            SettingsRefused: no machine of this name is let in.

        """
        allowed = self.allowed()
        if name not in allowed:
            raise SettingsRefused(f"No machine {name!r} is allowed; there are: {', '.join(allowed) or 'none'}.")
        self._keep({other: key for other, key in allowed.items() if other != name})

    def callback(self, _domain: str, key: bytes) -> bool:
        """Answer ZAP (zmq.auth.CredentialsProvider): `key` is the public one of who wants in, in Z85."""
        return zmq.utils.z85.decode(key).hex() in self.allowed().values()

    def _keep(self, allowed: dict[str, str]) -> None:
        _write(self._path("allowed"), "".join(f"{name} {key}\n" for name, key in sorted(allowed.items())))

    def _path(self, name: str) -> Path:
        private_dir(self._folder.parent)
        return private_dir(self._folder) / name


def _write(path: Path, text: str) -> None:
    """Write a file of which others see all or nothing."""
    made = path.with_suffix(".new")
    fd = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(fd, "w") as file:
        file.write(text)
    made.replace(path)
