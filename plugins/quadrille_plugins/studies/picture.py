"""A picture as data: its marks, its text alternative, and the numbers behind it.

A study's report makes pictures; ``studies.pictures`` draws them and ``studies.html`` sets each
beside its numbers. Nothing here draws, so that a study runs where nothing to draw with is
installed.
"""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any, Final, Literal, get_args

from quadrille_core.frozen import frozen, frozen_by_keyword
from quadrille_plugins.studies.values import decimal

Kind = Literal["intervals", "bars", "curve"]
KINDS: Final[tuple[str, ...]] = get_args(Kind)


@frozen_by_keyword
class PlotMark:
    """One mark of a picture: a point, a bar, or a step of a line.

    ``label`` names what is measured (a row of ``intervals`` and ``bars``), ``series`` the group
    whose marks look alike, such as a rule set.  ``low`` and ``high`` are the ends of an interval
    about ``value``, both or neither.  ``x`` is for curves.  ``threshold`` is the smallest effect of
    interest, which a verdict on the row is held against.
    """

    label: str = ""
    series: str = ""
    value: float
    low: float | None = None
    high: float | None = None
    x: float | None = None
    threshold: float | None = None

    def __post_init__(self) -> None:
        """Refuse half an interval, with ValueError."""
        if (self.low is None) != (self.high is None):
            raise ValueError(f"{self.label or self.x}: an interval has two ends")


@frozen
class Picture:
    """A picture with its words.

    ``intervals`` are points with intervals about them, a row for each label; ``bars`` the same
    as bars from zero; ``curve`` is a specification curve, whose rows without a label are values
    over ``x``, and those with one say below which choice was made there.  ``name`` is the file's,
    of small letters, digits and hyphens; ``alt`` says in a sentence or two what a reader sees;
    ``value`` and ``label`` are the titles of the axes, with units; ``caption`` is what an interval
    means, the sample and what else stands below a picture in print.
    """

    name: str
    title: str
    alt: str
    kind: Kind
    rows: tuple[PlotMark, ...]
    value: str
    label: str = ""
    series: str = ""
    caption: str = ""

    def __post_init__(self) -> None:
        """Raise ValueError for what cannot be drawn: no rows, an unusable file name, a curve
        without ``x``."""
        if not self.rows:
            raise ValueError(f"the picture {self.name!r} shows nothing")
        if not self.name or not all(
            c.isascii() and (c.isalnum() or c == "-") and not c.isupper() for c in self.name
        ):
            raise ValueError(
                f"{self.name!r} is no name of a picture: small letters, digits and hyphens"
            )
        if self.kind not in KINDS:
            raise ValueError(f"{self.kind!r} is no kind of picture: {', '.join(KINDS)}")
        if any((m.x is None) == (self.kind == "curve") for m in self.rows):
            raise ValueError(f"{self.name}: x is given for curves, and for nothing else")

    def labels(self) -> tuple[str, ...]:
        """What is measured, in the order of the rows."""
        return tuple(dict.fromkeys(m.label for m in self.rows))

    def groups(self) -> tuple[str, ...]:
        """The series in the order of the rows."""
        return tuple(dict.fromkeys(m.series for m in self.rows))

    def table(self) -> tuple[tuple[str, ...], tuple[tuple[object, ...], ...]]:
        """The numbers behind the picture: the columns that are filled, and a row for each mark."""
        used = [
            f.name
            for f in fields(PlotMark)
            if any(getattr(m, f.name) not in ("", None) for m in self.rows)
        ]
        return tuple(used), tuple(tuple(getattr(m, name) for name in used) for m in self.rows)


def greatest(rows: Sequence[PlotMark]) -> str:
    """A sentence on the mark furthest from zero, for those who do not see the picture."""
    most = max(rows, key=lambda m: abs(m.value))
    series = f", {most.series}" if most.series else ""
    return f"The greatest is {decimal(most.value, 1, sign=True)}: {most.label}{series}."


def drawn(
    rows: Sequence[PlotMark], *, alt: str, most: int | None = None, **words: Any
) -> tuple[Picture, ...]:
    """The picture of the first of these marks, ``alt`` ended by which of all is the greatest; none
    of no marks."""
    if not rows:
        return ()
    told = {"kind": "intervals", **words, "alt": f"{alt} {greatest(rows)}"}
    return (Picture(rows=tuple(rows[:most]), **told),)


def distinct(pictures: Sequence[Picture]) -> tuple[Picture, ...]:
    """The pictures as they are; raises ValueError when two would be written to one file."""
    names = [p.name for p in pictures]
    twice = sorted({n for n in names if names.count(n) > 1})
    if twice:
        raise ValueError(f"two pictures are called {twice[0]}")
    return tuple(pictures)
