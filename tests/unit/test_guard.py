"""Which requests the bridge lets in."""

import pytest

from gasoline_bridge.chrome.guard import Guard

ORIGIN = "chrome-extension://abcdefghijklmnopabcdefghijklmnop"
GUARD = Guard("127.0.0.1:7890", ORIGIN, "right")


def test_the_extension_is_let_in() -> None:
    assert GUARD.refusal(["127.0.0.1:7890"], [ORIGIN], is_known=GUARD.knows("right"), needs_origin=True) == 0


def test_an_extensions_get_carries_no_origin_and_is_let_in_by_its_token() -> None:
    assert GUARD.refusal(["127.0.0.1:7890"], [], is_known=True) == 0


@pytest.mark.parametrize(
    "host",
    [
        "evil.test",
        "evil.test:7890",
        "127.0.0.1",
        "127.0.0.1:80",
        "127.0.0.1.evil.com",
        "127.0.0.1:80.evil.com",
        "127.0.0.1:7890.evil.com",
        "0.0.0.0:7890",
        "[::1]:7890",
        "localhost:7890",
        "",
    ],
)
@pytest.mark.requirement("000-003", "003-049", "004-005")
def test_a_foreign_host_is_misdirected(host: str) -> None:
    assert GUARD.refusal([host], [ORIGIN], is_known=True) == 421


@pytest.mark.parametrize("hosts", [[], ["127.0.0.1:7890", "127.0.0.1:7890"]])
def test_a_request_has_exactly_one_host(hosts: list[str]) -> None:
    assert GUARD.refusal(hosts, [ORIGIN], is_known=True) == 400


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.test",
        "http://localhost:3000",
        "http://127.0.0.1:7890",
        "null",
        "",
        "file://",
        "chrome-extension://ponmlkjihgfedcbaponmlkjihgfedcba",
        f"{ORIGIN}.evil.test",
        ORIGIN.upper(),
        "moz-extension://abcdefghijklmnopabcdefghijklmnop",
    ],
)
def test_a_foreign_origin_is_forbidden_even_with_the_token(origin: str) -> None:
    assert GUARD.refusal(["127.0.0.1:7890"], [origin], is_known=True) == 403


def test_two_origins_are_refused() -> None:
    assert GUARD.refusal(["127.0.0.1:7890"], [ORIGIN, ORIGIN], is_known=True) == 400


def test_a_websocket_without_an_origin_is_forbidden() -> None:
    assert GUARD.refusal(["127.0.0.1:7890"], [], is_known=True, needs_origin=True) == 403


@pytest.mark.parametrize("token", ["", "wrong", "righ", "right ", "rightx", "RIGHT", "ünïcode", "\udcff"])
def test_without_the_token_every_caller_is_refused(token: str) -> None:
    assert GUARD.refusal(["127.0.0.1:7890"], [ORIGIN], is_known=GUARD.knows(token)) == 401


@pytest.mark.requirement("install-018")
def test_a_paired_copy_is_let_in_by_the_token_alone_and_nobody_beside_it() -> None:
    copy, other = f"chrome-extension://{'p' * 32}", f"chrome-extension://{'o' * 32}"
    guard = GUARD._replace(is_paired=lambda origin: origin == copy)
    host = ["127.0.0.1:7890"]

    assert 0 == guard.refusal(host, [copy], is_known=True, needs_origin=True)
    assert 401 == guard.refusal(host, [copy], is_known=False, needs_origin=True)
    assert 421 == guard.refusal(["evil.test"], [copy], is_known=True)
    assert 403 == guard.refusal(host, [other], is_known=True)
    assert 403 == guard.refusal(host, [], is_known=True, needs_origin=True)
    assert 400 == guard.refusal(host, [copy, other], is_known=True)
    assert 0 == guard.refusal(host, [ORIGIN], is_known=True)
