"""A family of players: a finding is asked of every member, and holds where all of them agree.

A figure of one player is about that player.  The members (``deal.players.family``) differ from one
another in one thing each; their intervals hold together, so that whatever is said of the family
errs in one study of twenty at most.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Final, Literal, Protocol, TypeVar

import click

from quadrille_core.frozen import frozen
from quadrille_plugins.deal.options import FAMILY, parse_players
from quadrille_plugins.deal.players import family, manners
from quadrille_plugins.studies.equivalence import (
    DECIDED,
    IDENTICAL,
    LARGER,
    NEAR,
    SMALLER,
    UNDECIDED,
    Answer,
)
from quadrille_plugins.studies.values import decimal

DEPENDS: Final = "depends"

family_option: Final = click.option(
    "--players",
    default=FAMILY,
    show_default=True,
    metavar="family|BOT[,BOT,BOT,BOT]",
    help="The family of players, each of whom is asked, by the fast engine (steady alone by the "
    "readable one); one bot for all; or one for each chair.",
)


def tables_asked(text: str) -> tuple[tuple[str, ...], ...]:
    """Of ``--players`` the bots at each table that is asked; raises UsageError."""
    return tuple((spec,) for spec in family()) if text.strip() == FAMILY else (parse_players(text),)


FamilyAnswer = Answer | Literal["depends"]
T = TypeVar("T")
E = TypeVar("E", bound="Effect")


class Effect(Protocol):
    """What one member shows of a column."""

    @property
    def mean(self) -> Fraction:
        """In counters a session."""

    @property
    def low(self) -> float | None:
        """The lower end of its interval."""

    @property
    def high(self) -> float | None:
        """The upper end."""

    @property
    def answer(self) -> Answer:
        """What is shown."""


@frozen
class FamilyEffect:
    """One column's effect by all members: the answer, between what their intervals lie, and who is
    at either end."""

    answer: FamilyAnswer
    low: float | None
    high: float | None
    least: str
    """The member with the lowest mean; where it depends, of those who are decided."""
    most: str
    means: tuple[float, float]
    """Their means, in counters a session."""
    by: tuple[str, ...]
    """On what it depends, such as ``how boldly one bids``."""

    @property
    def ends(self) -> tuple[float, float]:
        """Between what it lies by all: the ends of their intervals, of their means where one has
        none."""
        return self.means if self.low is None or self.high is None else (self.low, self.high)

    @property
    def ends_told(self) -> tuple[str, str]:
        """The same in print."""
        low, high = (decimal(end, 1, sign=True) for end in self.ends)
        return low, high

    @property
    def between(self) -> str:
        """``between −2.0 and +3.1``."""
        return "between " + " and ".join(self.ends_told)

    def depends(self) -> str:
        """On what it depends, and what it is by the players at either end, as a sentence goes
        on."""
        return depends_text(self.by, (self.least, self.most), self.means, self.between, sign=True)


def depends_text(
    by: Sequence[str],
    members: Sequence[str],
    sizes: Sequence[float],
    lies: str,
    *,
    sign: bool = False,
) -> str:
    """That a finding depends on who plays: in what these members differ, and what it is by each."""
    ends = (
        f"{decimal(size, 1, sign=sign)} by {who}" for size, who in zip(sizes, members, strict=True)
    )
    return f"depends on {' and '.join(by) or 'who plays'}: {' and '.join(ends)} ({lies} by all)"


def whoever(players: int) -> str:
    """``whichever of five players is asked``."""
    return f"whichever of {players} players is asked"


def answer_of_all(effects: Collection[Effect]) -> FamilyAnswer:
    """The answer on one column by all members.

    Larger, or smaller, where all are; it depends where some are shown to be one and some another
    (the direction of a larger one counts); near or undecided otherwise.
    """
    return together(_kind(e) for e in effects)


def together(found: Iterable[str]) -> FamilyAnswer:
    """The same of the members' answers; a larger effect's may have its direction after it."""
    kinds = set(found)
    decided = {kind for kind in kinds if kind.partition(" ")[0] in DECIDED}
    shown, left = decided - {IDENTICAL}, kinds - decided
    if len(shown) > 1:
        return DEPENDS
    if left:
        return NEAR if NEAR in left else UNDECIDED
    return IDENTICAL if not shown else SMALLER if SMALLER in shown else LARGER


def family_effect(found: Mapping[str, Effect]) -> FamilyEffect:
    """What the members find on one column; ``found`` is by member, the usual one first.

    Where it depends, at the ends are those who are shown to differ, and what it depends on is in
    what they differ from the usual one, but for whoever is answered as that is.
    """
    answer = answer_of_all(found.values())
    told = [m for m, e in found.items() if answer != DEPENDS or e.answer in DECIDED - {IDENTICAL}]
    least, most = (pick(told, key=lambda m: float(found[m].mean)) for pick in (min, max))
    usual = _kind(next(iter(found.values())))
    ends = [(e.low, e.high) for e in found.values()]
    lows, highs = (
        [low for low, _ in ends if low is not None],
        [high for _, high in ends if high is not None],
    )
    whole = len(lows) == len(highs) == len(ends)
    return FamilyEffect(
        answer=answer,
        low=min(lows) if whole else None,
        high=max(highs) if whole else None,
        least=least,
        most=most,
        means=(float(found[least].mean), float(found[most].mean)),
        by=manners_of(*(m for m in (least, most) if _kind(found[m]) != usual)),
    )


def in_the_way(found: Mapping[T, E]) -> dict[T, E]:
    """The members' effects that stand in the way of a verdict by all; none where it depends on who
    plays."""
    if answer_of_all(found.values()) == DEPENDS:
        return {}
    return {who: e for who, e in found.items() if e.answer not in DECIDED}


def longest(ranges: Sequence[tuple[int, int] | None]) -> tuple[int, int] | None:
    """Between how many it takes for whoever takes longest; None where that cannot be said of
    all."""
    known = [ends for ends in ranges if ends is not None]
    if not known or len(known) < len(ranges):
        return None
    lows, highs = zip(*known, strict=True)
    return max(lows), max(highs)


def manners_of(*members: str) -> tuple[str, ...]:
    """In what these members differ from the usual one."""
    return tuple(dict.fromkeys(one for member in members for one in manners(member)))


def _kind(e: Effect) -> str:
    """The answer, with its direction where it is larger."""
    return f"{e.answer} {'+' if e.mean > 0 else '-'}" if e.answer == LARGER else e.answer
