"""Decides which requests reach the bridge; pure, so that every wrong Host, Origin and token is tried in a test.

- Host must be exactly ours: a page that rebinds its own name to 127.0.0.1 sends that name (421).
- Origin, where there is one, must be exactly the extension's, or that of a copy which the user has paired (403); where
  no extension calls, none may be there. A browser sends it with every POST and WebSocket, but not with an extension's
  GET.
- The token decides (401), compared in constant time: a local program can forge the rest. A proof that the caller has it
  (`proof.py`) stands in its place: it tells nothing to a program that took the port before us.
- The answer to a refusal of the guard's has no body and no CORS header: a caller that is refused learns nothing.
"""

import hmac
from collections.abc import Callable, Sequence
from typing import NamedTuple

TOKEN_HEADER = "X-Gasoline-Token"  # noqa: S105 - the name of the header
PROOF_HEADER = "X-Gasoline-Proof"

MISDIRECTED, FORBIDDEN, UNAUTHORIZED, BAD = 421, 403, 401, 400


class Guard(NamedTuple):
    """What a caller must show. `is_paired` is asked of an Origin that is not ours."""

    host: str
    origin: str
    token: str
    is_paired: Callable[[str], bool] = lambda _origin: False

    def refusal(
        self, hosts: Sequence[str], origins: Sequence[str], *, is_known: bool, needs_origin: bool = False
    ) -> int:
        """Give the HTTP status to refuse a caller with, 0 to let it in.

        `hosts` and `origins`: every such header; `is_known`: whether the caller has shown the token or a proof.
        """
        if len(hosts) != 1 or len(origins) > 1:
            return BAD
        if hosts[0] != self.host:
            return MISDIRECTED
        if origins != [self.origin] and (origins or needs_origin) and not any(map(self.is_paired, origins)):
            return FORBIDDEN
        return 0 if is_known else UNAUTHORIZED

    def knows(self, token: str) -> bool:
        """Whether this is the token."""
        return hmac.compare_digest(token.encode("utf-8", "surrogateescape"), self.token.encode())
