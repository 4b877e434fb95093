"""Keeps a study that a page has asked for: ends it, with all that it began, when the server ends.

Run by its path, with the standard library alone, in a session of its own.  The first line of
standard input is the order; ``stop`` after it asks the study to report what it has, and the end of
the input kills it.  However the server ends, its end of the pipe is closed; then nothing of the
study is left, no process and no file.
"""

import contextlib
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

EVERY = 0.1
"""Seconds between two looks at the study."""


def main() -> int:
    """Run the ordered study; its exit status."""
    order: dict[str, Any] = json.loads(_line())
    for name in (
        "SIGINT",
        "SIGHUP",
    ):  # heard and not answered: what is ignored here would be ignored by the study
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), lambda *_: None)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    folder = Path(tempfile.mkdtemp(prefix="quadrille-study-"))
    study = None
    try:
        for name, text in order["files"].items():
            (folder / name).write_text(text, encoding="utf-8", newline="")
        study = subprocess.Popen(  # noqa: S603 - what the server orders
            order["command"], cwd=folder, stdin=subprocess.DEVNULL, start_new_session=True
        )
        while study.poll() is None:
            if select.select([0], [], [], EVERY)[0]:
                said = os.read(0, 64)
                if not said:
                    return 1
                study.send_signal(signal.SIGINT)
        return study.returncode
    finally:
        if study is not None:
            with contextlib.suppress(OSError):
                os.killpg(study.pid, signal.SIGKILL)
            study.wait()
        shutil.rmtree(folder, ignore_errors=True)


def _line() -> bytes:
    """The first line of standard input, read past no end of it."""
    found = b""
    while not found.endswith(b"\n"):
        piece = os.read(0, 1)
        if not piece:
            sys.exit(1)
        found += piece
    return found


if __name__ == "__main__":
    sys.exit(main())
