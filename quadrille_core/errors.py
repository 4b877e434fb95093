"""Every error a user can meet: what is wrong, where, and how to mend it.

Errors print in the manner of a linter, ``path:line:col: CODE message``, with the offending line, a
caret and a line of help.  A module that finds several faults collects them and raises them together.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any, Protocol

from quadrille_core.terminal import one_line


@dataclass(frozen=True, slots=True)
class Place:
    """A position in a text file; line and column count from 1, and 0 means the file as a whole."""

    path: str
    line: int = 0
    col: int = 0
    text: str = ""

    def __str__(self) -> str:
        """``path:line:col``, or the path alone when the whole file is meant."""
        path = one_line(self.path)
        return f"{path}:{self.line}:{self.col}" if self.line else path


class PlaceAt(Protocol):
    """Returns the place of the value, or of the key, at a path of keys and indexes in a file."""

    def __call__(self, path: Sequence[str | int], *, key: bool = False) -> Place | None:
        """The place; None where there is no file."""


def nowhere(path: Sequence[str | int], *, key: bool = False) -> None:
    """A ``PlaceAt`` for data that come from no file: always None."""
    del path, key


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault: a code (``docs/errors.md`` lists them), a sentence, its place and the way to mend it."""

    code: str
    message: str
    place: Place | None = None
    help: str = ""

    @property
    def path(self) -> str:
        """The file it is in; empty where it is in none."""
        return self.place.path if self.place else ""

    @property
    def line(self) -> int:
        """The line of the file, from 1; 0 where it is in none."""
        return self.place.line if self.place else 0

    @property
    def col(self) -> int:
        """The column of the line, from 1; 0 where it is in none."""
        return self.place.col if self.place else 0

    def render(self) -> str:
        """The fault as a linter prints it: one head line, then the offending line and the help."""
        head = f"{self.place}: " if self.place else ""
        lines = [f"{head}{self.code} {one_line(self.message)}"]
        if self.place and self.place.line and self.place.text:
            shown, shift = _window(self.place.text, self.place.col)
            gutter = f"{self.place.line:>5} | "
            lines.append(gutter + shown)
            lines.append(" " * (len(gutter) - 2) + "| " + " " * (self.place.col - 1 - shift) + "^")
        if self.help:
            lines.append(f"help: {one_line(self.help)}")
        return "\n".join(lines)

    def as_dict(self) -> dict[str, object]:
        """The fault as JSON data: code, message, path, line, column, help."""
        return {key: getattr(self, key) for key in ("code", "message", "path", "line", "col", "help")}


def _window(text: str, col: int, width: int = 96) -> tuple[str, int]:
    """Cut a long line to a window around the column; returns the cut and how far it is shifted."""
    start = 0 if len(text) <= width else max(0, min(col - width // 2, len(text) - width))
    return "".join(c if c.isprintable() else " " for c in text[start : start + width]), start


class QuadrilleError(Exception):
    """Base of every error meant for a user; holds at least one Problem."""

    code: str = "Q802"

    def __init__(
        self, problem: str | Problem | Iterable[Problem], *, help: str = "", place: Place | None = None
    ) -> None:
        if isinstance(problem, str):
            problem = Problem(self.code, problem, place, help)
        self.problems: tuple[Problem, ...] = (problem,) if isinstance(problem, Problem) else tuple(problem)
        self.code = self.problems[0].code if self.problems else self.code
        super().__init__("\n".join(p.render() for p in self.problems))

    def placed(self, place: Place) -> "QuadrilleError":
        """This error, its problems that had no place now at this one."""
        self.problems = tuple(replace(p, place=p.place or place) for p in self.problems)
        self.args = ("\n".join(p.render() for p in self.problems),)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the error by its problems, whatever arguments its class takes."""
        return _again, (type(self), self.problems)


def _again(kind: type[QuadrilleError], problems: tuple[Problem, ...]) -> QuadrilleError:
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


def did_you_mean(word: str, known: Iterable[str], *, what: str = "") -> str:
    """A line of help naming the nearest known words, or all of them when they are few."""
    names = sorted(set(known))
    folded = word[:80].lower().replace("-", "_")
    close = [n for n in names if n.lower().replace("-", "_") == folded]
    close = close or sorted(get_close_matches(word[:80], names, n=3, cutoff=0.6), key=lambda n: n[:1] != word[:1])
    if close:
        return "did you mean " + " or ".join(close) + "?"
    if names and len(names) <= 16:
        return (what or "known") + ": " + ", ".join(names)
    return ""
