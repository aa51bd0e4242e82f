"""The edges: HTTP and WebSocket to Chrome (chrome), MCP to the assistant (front), the command line (cli).

Reading order: bundle and installed (the files that leave this package), then chrome, front and cli, each with its own;
devtools drives a Chromium, for the demonstration and the tests.
"""
