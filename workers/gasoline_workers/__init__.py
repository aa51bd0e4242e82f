"""The work: each folder is one actor, with its messages, its thinking (pure) and its process."""
