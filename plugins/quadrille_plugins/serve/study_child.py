"""One study in a process of its own: a command of the program, its progress and result as lines of
JSON.

    python -m quadrille_plugins.serve.study_child '{"command": "compare", "arguments": [...],
    "options": {...}}'

It runs in a folder made for it, and prints ``{"progress": [done, of]}`` as it goes, then one line
with what the command prints, its manifest, its table as CSV and its pictures; or
``{"problems": [...]}``.
"""

import json
import os
import shutil
import signal
import sys
import threading
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from quadrille_core.errors import Problem, QuadrilleError, UsageError
from quadrille_plugins.serve.hints import PAGE
from quadrille_plugins.serve.trust import without_paths
from quadrille_plugins.shell import stopping
from quadrille_plugins.shell.api import Result, run
from quadrille_plugins.shell.blocks import Table
from quadrille_plugins.shell.cells import csv_text

MANIFEST: Final = "manifest.json"
SAID: Final = "said.txt"
EVERY: Final = 0.25
"""Seconds between two lines of progress."""
MOST_SAID: Final = 4000
NICE: Final = 5
"""How much a study stands back behind the pages."""


def main(order: str) -> None:
    """Run the ordered command."""
    asked = json.loads(order)
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    with Path(SAID).open("w", encoding="utf-8") as said:
        os.dup2(said.fileno(), 1)
        os.dup2(said.fileno(), 2)
    if hasattr(os, "nice"):
        os.nice(NICE)
    signal.signal(
        signal.SIGINT, signal.default_int_handler
    )  # whoever started the server may have ignored it
    stopping.listen()
    threading.Thread(target=_obey, daemon=True).start()
    last = 0.0

    def emit(line: Any) -> None:
        out.write(json.dumps(line, ensure_ascii=False) + "\n")
        out.flush()

    def progress(done: int, of: int) -> None:
        nonlocal last
        if time.monotonic() - last >= EVERY or done >= of:
            last = time.monotonic()
            emit({"progress": [done, of]})

    try:
        found = run(
            asked["command"],
            *asked["arguments"],
            progress=progress,
            manifest=MANIFEST,
            **asked["options"],
        )
        emit({"result": plain(found)})
    except QuadrilleError as e:
        emit(_in_words(e.problems))
    except KeyboardInterrupt:
        emit(_in_words([Problem("Q806", "time-up")]))
    out.close()
    stopping.leave(0)  # whatever still plays is not waited for


def _in_words(problems: Iterable[Problem]) -> dict[str, Any]:
    """Problems as the page shows them."""
    said = [{"code": p.code, "words": PAGE.message(p), "help": PAGE.help(p)} for p in problems]
    return {"problems": said}


def _obey() -> None:
    """Report when the server says a word; end when it ends, and leave nothing in the folder."""
    while os.read(0, 64):
        os.kill(os.getpid(), signal.SIGINT)
    shutil.rmtree(Path.cwd(), ignore_errors=True)
    os._exit(1)


def plain(found: Result) -> dict[str, Any]:
    """What a page shows of a result."""
    taken = found._taken
    pictures, wanting = _pictures(taken)
    said = Path(SAID).read_text("utf-8", errors="replace")
    return {
        "blocks": [
            {
                "title": without_paths(b.title),
                "columns": b.columns,
                "rows": b.rows,
                "right": sorted(b.right),
            }
            if isinstance(b, Table)
            else {
                "text": without_paths(b.text if b.on_page is None else b.on_page),
                "strong": b.strong,
            }
            for b in taken.blocks
            if isinstance(b, Table) or b.on_page != ""
        ],
        "csv": csv_text(taken.columns, taken.rows),
        "manifest": Path(MANIFEST).read_text("utf-8"),
        "pictures": pictures,
        "pictures_wanting": wanting,
        "said": without_paths(said[-MOST_SAID:]),
    }


def _pictures(taken: Any) -> tuple[Sequence[tuple[str, str]], str]:
    """The alternative text and SVG of each picture; without the extra that draws them, what is
    wanting."""
    try:
        return list(taken.pictures()), ""
    except UsageError as e:
        return [], e.problems[0].message


if __name__ == "__main__":
    main(sys.argv[1])
