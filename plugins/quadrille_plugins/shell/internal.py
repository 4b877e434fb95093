"""The last resort: an error that no module has foreseen, reported in a few lines instead of a
traceback."""

import gc
import os
import platform
import re
import shlex
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Final

import click

from quadrille_core import __version__
from quadrille_core.errors import Problem
from quadrille_core.features import DEBUG, more_to_see

INTERNAL: Final = 70
"""The exit status of an internal error, as ``sysexits.h`` numbers it."""
_OWN: Final = re.compile(r"(?<=/)quadrille_(core|plugins)/[\w/]+\.py$")


def report_internal(error: BaseException, args: Sequence[str]) -> None:
    """Say on standard error what went wrong, where, and what to send to whom keeps the program."""
    if os.environ.get(DEBUG):
        click.echo("".join(traceback.format_exception(error)), err=True, nl=False)
    command = shlex.join(["quadrille", *args])
    system = (
        f"quadrille {__version__}, Python {platform.python_version()}, {platform.system()} "
        f"{platform.machine()}"
    )
    data = {"said": _brief(error), "more": more_to_see()}
    variant = "no-memory" if isinstance(error, MemoryError) else "internal-error"
    click.echo(Problem("Q999", variant, data).render(), err=True)
    click.echo(
        Problem(
            "Q999",
            "internal-error-at",
            {"error": _where(error), "system": system, "command": command[:1000]},
        ).render(),
        err=True,
    )


def _brief(error: BaseException) -> str:
    text = " ".join(str(error)[:300].split())
    return type(error).__name__ + (f": {text}" if text else "")


def _where(error: BaseException) -> str:
    """The innermost line of the program's own, as ``module.py:LINE``."""
    places = [
        (_OWN.search(Path(f.filename).as_posix()), f.lineno)
        for f in traceback.extract_tb(error.__traceback__)
    ]
    own = [f"{found[0]}:{line}" for found, line in places if found]
    return own[-1] if own else "a place outside the program"


@contextmanager
def uncollected() -> Iterator[None]:
    """Put off the search for garbage: while modules are loaded it took a seventh of a command's
    time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


typed: ContextVar[Sequence[str]] = ContextVar("typed", default=())
"""The command line, without the name of the program."""
