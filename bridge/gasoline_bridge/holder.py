"""Asks what listens on the port, without telling it the token."""

import http.client

import msgspec

from gasoline_bridge.chrome.guard import PROOF_HEADER
from gasoline_bridge.chrome.proof import Exchange, ServerProof, nonce, proves, shown
from gasoline_broker.product import NAME

HOST = "127.0.0.1"
ANSWER_S = 1.0
FAULTS = (OSError, http.client.HTTPException, msgspec.MsgspecError, KeyError, TypeError, ValueError)


def pid_of(port: int, token: str) -> int:
    """Give the pid of a bridge that has our token and holds the port, 0 for any other program.

    Only a bridge that has proved it is asked for its pid.
    """
    line = http.client.HTTPConnection(HOST, port, timeout=ANSWER_S)
    try:
        client = nonce()
        line.request("GET", f"/proof?nonce={client}")
        answer = msgspec.json.decode(line.getresponse().read(1_000), type=ServerProof)
        if not proves(token, port, client, answer):
            return 0
        line.close()
        line.request("GET", "/health", headers={PROOF_HEADER: shown(token, port, Exchange(client, answer.nonce))})
        health = msgspec.json.decode(line.getresponse().read(1_000))
        return int(health["pid"]) if health["name"] == NAME else 0
    except FAULTS:
        return 0
    finally:
        line.close()
