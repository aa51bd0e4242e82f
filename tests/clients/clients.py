"""The clients that are run against Gasoline: what each is installed from, and how its driver is started."""

from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[2]
DRIVERS: Final = Path(__file__).with_name("drivers")
PLACE: Final = ROOT / ".setup" / "clients"
MODULES: Final = PLACE / "node_modules"
INSPECTOR: Final = MODULES / ".bin" / "mcp-inspector"


class Client(NamedTuple):
    """A client. `driver`: its file, and its arguments after the command of Gasoline; `requirements`: of Python."""

    driver: tuple[str, ...]
    requirements: tuple[str, ...] = ()

    def command(self, name: str, gasoline: str) -> list[str]:
        """Give the command line of its driver."""
        file, *rest = self.driver
        python = PLACE / name / "bin" / "python" if self.requirements else ROOT / ".venv" / "bin" / "python"
        interpreter = "node" if file.endswith(".mjs") else str(python)
        return [interpreter, str(DRIVERS / file), gasoline, *rest]


CLIENTS: Final = {
    "python-sdk-1": Client(("python_sdk_1.py",), ("mcp==1.30.0",)),
    "python-sdk-2": Client(("python_sdk_2.py",)),
    "typescript-sdk-1": Client(("typescript.mjs", "1", str(PLACE))),
    "typescript-sdk-2": Client(("typescript.mjs", "2", str(PLACE))),
    "inspector": Client(("inspector.py", str(INSPECTOR))),
    "fastmcp": Client(("fast_mcp.py",), ("fastmcp==4.2.3",)),
    "pydantic-ai": Client(("pydantic_agent.py",), ("pydantic-ai-slim[mcp]==2.68.0",)),
    "langchain-mcp-adapters": Client(("langchain_adapters.py",), ("langchain-mcp-adapters==0.3.2",)),
    "openai-agents": Client(("openai_agent.py",), ("openai-agents==0.24.0",)),
}
