"""The doctor and the benchmarks state which Python runs."""

import sys

import pytest

from gasoline_bridge.cli import interpreter


@pytest.mark.requirement("fast-013")
@pytest.mark.parametrize(
    ("options", "text"),
    [
        ("'--prefix=/usr' '--enable-optimizations' '--with-lto'", "optimised"),
        ("'--prefix=/usr'", "not optimised (built without --enable-optimizations)"),
        ("", "build unknown"),
        (None, "build unknown"),
    ],
)
def test_a_build_states_in_its_options_whether_it_is_optimised(options: str | None, text: str) -> None:
    assert text == interpreter.optimised(options)


def test_the_version_is_that_of_the_running_python() -> None:
    assert interpreter.shown().startswith(f"Python {sys.version_info[0]}.{sys.version_info[1]}.")
