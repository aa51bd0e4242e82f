"""Proves to each end of the link that the other one has the token, which itself is never sent; pure.

A client names a nonce; the server answers with its own and its proof; the client's proof comes with what it asks for.
Each proof is HMAC-SHA-256 over the role, the port and both nonces: it is of no use on another port, for another role
or a second time.
"""

import hashlib
import hmac
import re
import secrets
import time
from typing import Literal, NamedTuple

import msgspec

FRESH_S = 10.0
"""How long a client may take from the server's proof to its own."""

Role = Literal["server", "client", "welcome"]
_NONCE = re.compile("[0-9a-f]{64}")
_SHOWN = re.compile(rf"({_NONCE.pattern})\.({_NONCE.pattern})\.{_NONCE.pattern}")


class Exchange(NamedTuple):
    """The nonces of a client and of a server, 64 hex digits each."""

    client: str
    server: str


class ServerProof(msgspec.Struct, frozen=True):
    """The answer to GET /proof: the server's nonce, and its proof."""

    nonce: str
    proof: str


def nonce() -> str:
    """Make a nonce."""
    return secrets.token_hex(32)


def is_nonce(text: str) -> bool:
    """Whether a text has the form of a nonce."""
    return _NONCE.fullmatch(text) is not None


def prove(token: str, role: Role, port: int, exchange: Exchange) -> str:
    """Give the proof of one end, as 64 hex digits."""
    text = f"gasoline.v1 {role} {port} {exchange.client} {exchange.server}"
    return hmac.new(token.encode(), text.encode(), hashlib.sha256).hexdigest()


def proves(token: str, port: int, client: str, answer: ServerProof) -> bool:
    """Whether a server has the token, by its answer to the nonce of `client`."""
    if not is_nonce(answer.nonce):
        return False
    return _same(answer.proof, prove(token, "server", port, Exchange(client, answer.nonce)))


def shown(token: str, port: int, exchange: Exchange) -> str:
    """Give what a client shows: both nonces and its proof."""
    return f"{exchange.client}.{exchange.server}.{prove(token, 'client', port, exchange)}"


class Proofs:
    """The proofs that a server gives and takes.

    It keeps nothing of who only asks: its nonce holds its time and is signed, so that no flood pushes one out.
    """

    def __init__(self, token: str, port: int) -> None:
        self._token = token
        self._port = port
        self._key = secrets.token_bytes(32)
        self._used: dict[str, float] = {}

    def give(self, client: str) -> ServerProof:
        """Answer a client's nonce."""
        server = self._nonce_of(client, f"{int(time.monotonic() * 1000):012x}")
        return ServerProof(server, prove(self._token, "server", self._port, Exchange(client, server)))

    def take(self, text: str) -> Exchange | None:
        """Give the exchange that a client's proof ends; None for one that is wrong, late, or taken before."""
        if not (found := _SHOWN.fullmatch(text)):
            return None
        exchange = Exchange(found[1], found[2])
        if not _same(text, shown(self._token, self._port, exchange)) or not self._is_fresh(exchange):
            return None
        now = time.monotonic()
        self._used = {used: at for used, at in self._used.items() if now - at < FRESH_S}
        if exchange.server in self._used:
            return None
        self._used[exchange.server] = now
        return exchange

    def welcome(self, exchange: Exchange) -> str:
        """Give the proof that the socket's other end is the one that answered before."""
        return prove(self._token, "welcome", self._port, exchange)

    def _is_fresh(self, exchange: Exchange) -> bool:
        stamp = exchange.server[:12]
        age_s = time.monotonic() - int(stamp, 16) / 1000
        return age_s < FRESH_S and _same(exchange.server, self._nonce_of(exchange.client, stamp))

    def _nonce_of(self, client: str, stamp: str) -> str:
        """Give the nonce for a client's at a time: 12 hex digits of it in ms, 52 that only this process can make."""
        return stamp + hmac.new(self._key, (stamp + client).encode(), hashlib.sha256).hexdigest()[:52]


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode("utf-8", "surrogateescape"), other.encode())
