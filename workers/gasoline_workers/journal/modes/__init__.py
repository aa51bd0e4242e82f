"""The reading modes: one module for each row of MODES in `messages`, named as the mode, with its RINGS and `read`."""
