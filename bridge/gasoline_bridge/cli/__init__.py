"""The edge to the human: one command, `gasoline`.

Reading order: entry (what the system starts), commands (the commands), doctor (what may be wrong).
"""
