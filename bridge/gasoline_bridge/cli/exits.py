"""How a command ends after a fault of ours: one sentence on stderr and an exit code, never a traceback."""

import contextlib
import errno
import sys
from collections.abc import Iterator
from typing import NoReturn

from gasoline_broker.errors import CANNOT_START, AlreadyRunning, CannotStart, Failed, GasolineError, NotRunning
from gasoline_broker.product import NAME

NOT_RUNNING = 3
OF_THE_DISK = {errno.EACCES, errno.EDQUOT, errno.ENOSPC, errno.EPERM, errno.EROFS}


def stop(text: str, code: int) -> NoReturn:
    """End with this sentence."""
    sys.stderr.write(f"{NAME}: {text}\n")
    sys.exit(code)


@contextlib.contextmanager
def by_sentences() -> Iterator[None]:
    """End the command by the sentence of the fault that the block raises."""
    try:
        yield
    except (CannotStart, AlreadyRunning) as fault:
        stop(str(fault), CANNOT_START)
    except NotRunning as fault:
        stop(str(fault), NOT_RUNNING)
    except Failed as fault:
        from gasoline_broker.error_codes import recovery_of

        stop(f"{fault.failure.text} {recovery_of(fault.failure)}".strip(), 1)
    except GasolineError as fault:
        stop(str(fault), 2)
    except OSError as fault:
        if fault.errno not in OF_THE_DISK:
            raise
        stop(f"{fault.filename or 'A file'} cannot be used: {fault.strerror}. `gasoline doctor` helps.", 2)
