"""What `gasoline` starts: the light ways for `gasoline mcp` and for the system's processes, and click for all else."""

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gasoline_bridge.front.session_folders import Folders


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
    import os

    from gasoline_bridge.front import session_folders, shim

    sys.exit(shim.run(session_folders.find(os.environ) or _folders()))


def _folders() -> "Folders":
    """Ask the settings for the folders, where the environment alone does not give them."""
    from gasoline_bridge.front.session_folders import Folders
    from gasoline_broker.errors import GasolineError
    from gasoline_broker.settings import Settings

    try:
        settings = Settings.from_environ()
    except GasolineError as fault:
        sys.exit(f"gasoline: {fault}")
    return Folders(str(settings.data_dir), str(settings.runtime_dir))


if __name__ == "__main__":
    main()
