"""The edge to the human: one command, `gasoline`.

Reading order: entry (what is started), processes (those of the system), commands (those of people), exits (how each
ends after a fault), doctor (what may be wrong).
"""
