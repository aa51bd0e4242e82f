"""What `gasoline` starts: the light ways for `gasoline mcp` and for the system's processes, and click for all else."""

import sys


def main() -> None:
    """Run the command line."""
    arguments = sys.argv[1:]
    if arguments == ["mcp"]:
        _mcp()
        return
    from gasoline_bridge.cli import exits, processes
    from gasoline_broker.settings import Settings

    if processes.is_process(arguments):
        with exits.by_sentences():
            processes.run(Settings.from_environ(), *arguments)
        return
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
