"""The MCP Inspector's command line, which connects anew for each call; its second argument is its script."""

import subprocess
import sys

from steps import CALLS, COMMAND, ENVIRON, WRONG, say

INSPECTOR = sys.argv[2]
NEEDED = ("GASOLINE_DATA_DIR", "GASOLINE_RUNTIME_DIR", "GASOLINE_CONFIG_DIR", "GASOLINE_PORT")
SETTINGS = [part for name in NEEDED for part in ("-e", f"{name}={ENVIRON[name]}")]
"""It hands none of its environment to what it starts."""


def inspect(method: str, *more: str) -> "subprocess.CompletedProcess[str]":
    command = ["node", INSPECTOR, "--cli", *SETTINGS, COMMAND, "mcp", "--method", method, *more]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def call(name: str, arguments: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    given = [part for one in arguments.items() for part in ("--tool-arg", "=".join(one))]
    return inspect("tools/call", "--tool-name", name, *given)


listed = inspect("tools/list", "--strict")
say("listed", tools=listed.stdout.count('"inputSchema"'), code=listed.returncode, text=listed.stderr)
for name, arguments in CALLS:
    ran = call(name, arguments)
    say("called", text=ran.stdout, code=ran.returncode)
ran = call(*WRONG)
say("error", text=f"exit code {ran.returncode}: {ran.stdout}")
