"""Shows a text that changes: on a terminal in one place, in a file or a pipe one after another.

Written by hand, without `rich`: a frame is thirty plain lines that are there already, and four escape sequences redraw
them without a flicker. `rich` would be a dependency of the installed product, for this one command.
"""

import contextlib
import shutil
import sys
from collections.abc import Iterator

HOME, REST_OF_LINE, REST_OF_SCREEN = "\x1b[H", "\x1b[K", "\x1b[J"
ENTER, LEAVE = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l"  # a screen of its own, without a cursor; and back


@contextlib.contextmanager
def entered() -> Iterator[None]:
    """Have the terminal to ourselves; what was on it comes back."""
    if not sys.stdout.isatty():
        yield
        return
    sys.stdout.write(ENTER)
    try:
        yield
    finally:
        sys.stdout.write(LEAVE)
        sys.stdout.flush()


def draw(text: str) -> None:
    """Show a text instead of the one before."""
    if sys.stdout.isatty():
        size = shutil.get_terminal_size()
        lines = [line[: size.columns] + REST_OF_LINE for line in text.splitlines()[: size.lines]]
        sys.stdout.write(HOME + "\n".join(lines) + REST_OF_SCREEN)
    else:
        sys.stdout.write(f"{text}\n")
    sys.stdout.flush()
