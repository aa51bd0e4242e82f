"""Has the front import the parts of the MCP package that it uses, without the rest; it imports none of them itself.

`import mcp` loads the client, another kind of server, an HTTP client and cryptography as well: 128 of 711 modules, a
quarter of the front's start and 13 MB (docs/decisions/0023). The package and its part `server` are empty here, so that
their parts are found and their own first lines are not run.
"""

import importlib.machinery
import sys
from types import ModuleType

EMPTY = ("mcp", "mcp.server")


def keep_apart() -> None:
    """Prepare this process. Where the package is loaded already, or laid out otherwise, all of it is imported."""
    if "mcp" in sys.modules:
        return
    path = None
    for name in EMPTY:
        found = importlib.machinery.PathFinder.find_spec(name, path)
        if found is None or found.submodule_search_locations is None:
            return
        module = ModuleType(name)
        module.__spec__, module.__path__ = found, found.submodule_search_locations
        sys.modules[name] = module
        path = module.__path__
