"""A plugin of pytest for mutants: a law that a mutant breaks is broken, whatever its smallest example."""

from hypothesis import Phase, settings


def pytest_configure() -> None:
    settings.register_profile(
        "mutants", settings.get_profile("repeatable"), phases=[Phase.explicit, Phase.generate], max_examples=25
    )
    settings.load_profile("mutants")
