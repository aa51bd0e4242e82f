"""What `gasoline` starts: the light way for `gasoline mcp`, which a client waits for, and click for all else."""

import sys


def main() -> None:
    """Run the command line."""
    if sys.argv[1:] == ["mcp"]:
        _mcp()
    else:
        from gasoline_bridge.cli.commands import cli

        cli()


def _mcp() -> None:
    from gasoline_bridge.front import shim
    from gasoline_broker.errors import GasolineError
    from gasoline_broker.settings import Settings

    try:
        settings = Settings.from_environ()
    except GasolineError as fault:
        sys.exit(f"gasoline: {fault}")
    sys.exit(shim.run(settings))


if __name__ == "__main__":
    main()
