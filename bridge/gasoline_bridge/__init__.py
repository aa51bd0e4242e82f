"""The edges: HTTP and WebSocket to Chrome (http), MCP to the assistant (mcp), the command line to the human (cli).

Reading order: bundle and installed (the files that leave this package), then http, mcp and cli, each with its own.
"""
