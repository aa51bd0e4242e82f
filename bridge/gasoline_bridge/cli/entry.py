"""What `gasoline` starts: the light way for `gasoline mcp`, which a client waits for, and click for all else."""

import sys


def main() -> None:
    """Run the command line."""
    if sys.argv[1:] == ["mcp"]:
        _mcp()
    else:
        from gasoline_bridge.cli.commands import cli  # noqa: PLC0415 - click and what it brings cost a client's time

        cli()


def _mcp() -> None:
    from gasoline_bridge.mcp import shim  # noqa: PLC0415 - not needed by the other commands
    from gasoline_broker.errors import GasolineError  # noqa: PLC0415 - the same
    from gasoline_broker.settings import Settings  # noqa: PLC0415 - the same

    try:
        settings = Settings.from_environ()
    except GasolineError as fault:
        sys.exit(f"gasoline: {fault}")
    sys.exit(shim.run(settings.mcp_socket, settings.log_file))


if __name__ == "__main__":
    main()
