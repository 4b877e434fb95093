"""Worker processes: deaf to signals meant for the study, and never left behind by it."""

import os
import signal
import sys
import threading
from multiprocessing import connection, parent_process
from typing import Final

PR_SET_PDEATHSIG: Final = 1


def begin() -> None:
    """To be called first in a worker process: only the parent answers signals, and the worker ends
    when it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # by which the parent ends it
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    die_with_parent()


def die_with_parent() -> None:
    """Have the kernel end this process when its parent ends; where it cannot, a thread watches the
    parent."""
    parent = parent_process()
    if sys.platform == "linux" and _tell_kernel():
        # a parent that has ended before it was told leaves the process to another one
        if parent is not None and os.getppid() != parent.pid:
            os._exit(1)
        return
    watch_parent()


def _tell_kernel() -> bool:
    import ctypes

    try:
        return bool(ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0) == 0)
    except (OSError, AttributeError):
        return False


def watch_parent() -> threading.Thread | None:
    """A thread that ends this process when its parent has ended; None where it has no parent to
    watch."""
    parent = parent_process()
    if parent is None:
        return None

    def watch() -> None:
        connection.wait([parent.sentinel])
        os._exit(1)

    thread = threading.Thread(target=watch, name="parent", daemon=True)
    thread.start()
    return thread
