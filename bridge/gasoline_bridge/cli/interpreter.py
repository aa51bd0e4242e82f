"""States which Python runs, and whether it was built with optimisations, which save 14 % of the processor time."""

import sys
import sysconfig


def shown() -> str:
    """Return its version and how it was built."""
    version = ".".join(map(str, sys.version_info[:3]))
    return f"Python {version}, {optimised(sysconfig.get_config_var('CONFIG_ARGS'))}"


def optimised(options: str | None) -> str:
    """Return what the options of `./configure` state; a build that records none is not known."""
    if not options:
        return "build unknown"
    return (
        "optimised" if "--enable-optimizations" in options else "not optimised (built without --enable-optimizations)"
    )
