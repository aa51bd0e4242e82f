"""The work: each folder is one actor, with its messages, its rules (pure) and its process."""
