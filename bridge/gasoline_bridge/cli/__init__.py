"""The edge to the human: one command, `gasoline`.

Reading order: entry (what the system starts), commands (what there is to say), doctor (what may be wrong).
"""
