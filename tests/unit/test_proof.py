"""The proofs by which the two ends of the link know each other."""

import pytest

from gasoline_bridge.chrome import proof
from gasoline_bridge.chrome.proof import FRESH_S, Exchange, Proofs, ServerProof, nonce, prove, proves, shown

TOKEN, PORT = "t" * 64, 7890


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [1_000.0]
    monkeypatch.setattr("gasoline_bridge.chrome.proof.time.monotonic", lambda: now[0])
    return now


def asked(proofs: Proofs) -> Exchange:
    client = nonce()
    answer = proofs.give(client)
    assert proves(TOKEN, PORT, client, answer)
    return Exchange(client, answer.nonce)


def test_each_end_knows_the_other() -> None:
    server = Proofs(TOKEN, PORT)
    exchange = asked(server)

    assert exchange == server.take(shown(TOKEN, PORT, exchange))
    assert prove(TOKEN, "welcome", PORT, exchange) == server.welcome(exchange)


def test_the_proofs_are_those_of_hmac_sha_256() -> None:
    # openssl dgst -sha256 -hmac: the extension computes the same (tests/extension/link.test.js)
    exchange = Exchange("a" * 64, "b" * 64)

    assert "d0d0f4daafbfbaf7a9475f401e4c83004a8fdec8adbf63041f35ccd2fbe5eea0" == prove(
        "secret", "server", PORT, exchange
    )
    assert "fd61581886b4a6ac002127a821c6f2b94bbfd890804de9139617a24f8c1f9aa1" == shown("secret", PORT, exchange)[130:]


@pytest.mark.requirement("faults-003")
def test_a_proof_is_taken_once() -> None:
    server = Proofs(TOKEN, PORT)
    text = shown(TOKEN, PORT, asked(server))

    assert server.take(text)
    assert server.take(text) is None


@pytest.mark.requirement("faults-003")
def test_a_proof_that_comes_late_is_not_taken(clock: list[float]) -> None:
    server = Proofs(TOKEN, PORT)
    early, late = asked(server), asked(server)
    clock[0] += FRESH_S - 0.1
    assert server.take(shown(TOKEN, PORT, early))
    clock[0] += 0.2

    assert server.take(shown(TOKEN, PORT, late)) is None


def test_a_flood_of_questions_pushes_no_proof_out() -> None:
    server = Proofs(TOKEN, PORT)
    exchange = asked(server)
    for _ in range(5_000):
        server.give(nonce())

    assert server.take(shown(TOKEN, PORT, exchange))


def test_a_nonce_that_another_process_made_is_not_taken() -> None:
    exchange = asked(Proofs(TOKEN, PORT))

    assert Proofs(TOKEN, PORT).take(shown(TOKEN, PORT, exchange)) is None


def test_a_nonce_is_for_its_time_and_its_client_alone() -> None:
    server = Proofs(TOKEN, PORT)
    exchange = asked(server)
    later = f"{int(exchange.server[:12], 16) + 1:012x}{exchange.server[12:]}"

    assert server.take(shown(TOKEN, PORT, Exchange(exchange.client, later))) is None
    assert server.take(shown(TOKEN, PORT, Exchange(nonce(), exchange.server))) is None
    assert server.take(shown(TOKEN, PORT, exchange))


@pytest.mark.parametrize(
    ("token", "port"), [("u" * 64, PORT), (TOKEN, PORT + 1), ("", PORT)], ids=["token", "port", "no token"]
)
def test_a_proof_of_another_token_or_port_is_not_taken(token: str, port: int) -> None:
    server = Proofs(TOKEN, PORT)

    assert server.take(shown(token, port, asked(server))) is None


@pytest.mark.parametrize(
    "text", ["", ".", "..", "a.b.c", "é" * 64, "\udcff.\udcff.\udcff", f"{'a' * 64}." * 3, "x" * 9_999]
)
def test_what_is_no_proof_is_not_taken(text: str) -> None:
    assert Proofs(TOKEN, PORT).take(text) is None


@pytest.mark.parametrize("role", ["client", "welcome"])
def test_a_servers_proof_of_another_role_proves_nothing(role: proof.Role) -> None:
    client, server = nonce(), nonce()
    answer = ServerProof(server, prove(TOKEN, role, PORT, Exchange(client, server)))

    assert not proves(TOKEN, PORT, client, answer)


def test_a_servers_proof_that_is_no_text_proves_nothing() -> None:
    assert not proves(TOKEN, PORT, nonce(), ServerProof(nonce(), "\udcff"))


def test_a_servers_proof_for_a_nonce_of_another_form_proves_nothing() -> None:
    client = nonce()
    answer = ServerProof("a", prove(TOKEN, "server", PORT, Exchange(client, "a")))

    assert not proves(TOKEN, PORT, client, answer)
