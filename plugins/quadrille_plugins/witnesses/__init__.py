"""The period texts: which of them speaks of which question, what became of each fact, which descend
from which."""

from collections.abc import Sequence

from quadrille_core.hookspecs import FileKind, hookimpl


@hookimpl
def quadrille_files() -> Sequence[FileKind]:
    """See ``hookspecs.Features``."""
    fact = ("is no number of a fact", "such as W1.16")
    question = ("is no number of a question", "such as A38")
    rule = ("is no rule", "its path, such as loss.beasts, with * for any bid")
    return (
        FileKind(
            name="facts",
            patterns={
                "^W[1-9][0-9]?\\.[1-9][0-9]?$": fact,
                "^[a-z][a-z0-9_-]{0,63}(\\.([a-z][a-z0-9_-]{0,63}|\\*)){0,7}$": rule,
            },
        ),
        FileKind(name="witnesses", patterns={"^A[0-9]{2}$": question}),
    )
