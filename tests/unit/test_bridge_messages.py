"""The bridge's tables of commands name each message once, and know its answer."""

from typing import get_args

from gasoline_bridge.chrome.messages import ACTS, ANSWERS, QUERIES, Acts, Queries


def test_every_message_to_the_extension_has_its_command() -> None:
    assert set(get_args(Queries)) == QUERIES.keys()
    assert set(get_args(Acts)) == ACTS.keys()


def test_every_command_has_its_answer() -> None:
    assert sorted(ANSWERS) == sorted([*QUERIES.values(), *ACTS.values()])
