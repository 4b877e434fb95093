"""What has been recorded for good is said on standard error where it could not be printed."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from quadrille_core.errors import Command, UnwrittenError
from quadrille_plugins.shell.files import note_unwritten
from quadrille_plugins.shell.terminal import abandon_output


@contextmanager
def recorded(file: Path, done: list[str] | None = None) -> Iterator[list[str]]:
    """A list that takes what is recorded in the file, such as ``deal 3 is recorded``, as soon as it
    is; or the one that has taken it.

    Whatever fails afterwards, the end of the command says what was recorded: with status 3 where
    only the printing failed, or a signal came.  What fails before goes its own way.
    """
    done = [] if done is None else done
    try:
        yield done
    except BaseException as e:
        if not done:
            raise
        why = (
            "it was interrupted"
            if isinstance(e, KeyboardInterrupt)
            else (getattr(e, "strerror", None) or str(e))
        )
        note_unwritten(
            UnwrittenError.of(
                "done-but-not-printed",
                place=file,
                done="; ".join(done),
                why=why,
                command=Command("session", ("show", str(file))),
            )
        )
        if not isinstance(e, OSError):
            raise
        abandon_output()
