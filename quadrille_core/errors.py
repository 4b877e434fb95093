"""Every error a user can meet: what is wrong, where, and how to mend it.

Errors print in the manner of a linter, ``path:line:col: CODE message``, with the offending line, a
caret and a line of help.  A module that finds several faults collects them and raises them
together.
"""

from collections.abc import Iterable
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Self, TypeVar

from quadrille_core.diagnostics import (
    Command,
    DidYouMean,
    Edit,
    Hint,
    Key,
    Option,
    Place,
    PlaceAt,
    Problem,
    Replace,
    Set,
    code_of,
    nowhere,
    quoted,
)

__all__ = [
    "Command",
    "DidYouMean",
    "Edit",
    "Hint",
    "Key",
    "Option",
    "Place",
    "PlaceAt",
    "Problem",
    "Replace",
    "Set",
    "nowhere",
    "quoted",
]


_E = TypeVar("_E", bound="QuadrilleError")


class QuadrilleError(Exception):
    """Base of every error meant for a user; holds at least one Problem."""

    code: str = "Q802"

    def __init__(self, problem: Problem | Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = (
            (problem,) if isinstance(problem, Problem) else tuple(problem)
        )
        self.code = self.problems[0].code if self.problems else self.code
        super().__init__("\n".join(p.render() for p in self.problems))

    @classmethod
    def of(
        cls,
        variant: str,
        hint: Hint | None = None,
        /,
        *,
        place: Place | Path | str | None = None,
        **data: Any,
    ) -> Self:
        """The error of one fault, at a place or in a file: of this class's code where that, or any,
        has such a sentence."""
        if isinstance(place, (Path, str)):
            place = Place(str(place))
        code = code_of(variant, cls.code)
        code = cls.code if code == "any" else code
        return _again(cls, (Problem(code, variant, data, place, hint),))

    def placed(self, place: Place) -> "QuadrilleError":
        """This error, its problems that had no place now at this one."""
        self.problems = tuple(replace(p, place=p.place or place) for p in self.problems)
        self.args = ("\n".join(p.render() for p in self.problems),)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the error by its problems, whatever arguments its class takes."""
        return _again, (type(self), self.problems)


def _again(kind: type[_E], problems: tuple[Problem, ...]) -> _E:
    error = kind.__new__(kind)
    QuadrilleError.__init__(error, problems)
    return error


class NotationError(QuadrilleError):
    """A card, suit, seat or action that cannot be read."""

    code = "Q801"


class UsageError(QuadrilleError):
    """A command or function asked for something that makes no sense; exit status 2."""

    code = "Q802"


class UnwrittenError(QuadrilleError):
    """A file that could not be written after the work was done; exit status 3."""

    code = "Q803"


class UnreadableError(QuadrilleError):
    """A file that cannot be opened or is no text at all; exit status 2."""

    code = "Q101"


class ProfileError(QuadrilleError):
    """Faults in a profile, in what it extends, or in how it combines."""

    code = "Q601"


class PluginError(QuadrilleError):
    """A plugin that is missing, broken, or at odds with another."""

    code = "Q502"


class ResultError(QuadrilleError):
    """A deal's result that cannot have happened under its rules."""

    code = "Q701"


class IllegalActionError(QuadrilleError):
    """An action that the rules do not allow at this point of the deal."""

    code = "Q702"


class RecordError(QuadrilleError):
    """A record of a deal that does not fit its rules."""

    code = "Q703"


class EvidenceError(QuadrilleError):
    """Faults of a file of evidence."""

    code = "Q208"


class LedgerError(QuadrilleError):
    """A ledger that cannot be written as asked; nothing has been recorded."""

    code = "Q905"


def did_you_mean(word: str, known: Iterable[str], *, what: str = "known") -> DidYouMean | None:
    """The nearest known words, or all of them when they are few; None where neither helps."""
    names = sorted(set(known))
    folded = word[:80].lower().replace("-", "_")
    close = [n for n in names if n.lower().replace("-", "_") == folded]
    close = close or sorted(
        get_close_matches(word[:80], names, n=3, cutoff=0.6), key=lambda n: n[:1] != word[:1]
    )
    if close:
        return DidYouMean(word, tuple(close))
    return DidYouMean(word, (), tuple(names), what) if names and len(names) <= 16 else None
