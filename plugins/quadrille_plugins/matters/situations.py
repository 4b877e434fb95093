"""Whether a deal triggers the rule that two rule sets differ about, and where in the deal that is.

The criterion
-------------
A deal *reaches* the situation where, everything having gone the same way up to that point, the two
rule sets tell the table different things: they leave whoever is in turn different options, or draw
different consequences from the same action, or order different payments for the same end
(``studies.lockstep``).  Which rules differ, and what they are about, is nowhere asked: it is enough
to play what was played under both.

This is sharper than asking which rules were *read* (``settle.consulted``): the price of a vole is
read to know which items there are, and is reached only when a vole's price is due; the privilege of
the matadors is read for every trump led, and is reached only by one who holds the cards for which
the two readings differ.

What it counts too much: an option that nobody would ever take.  What it does not count: a decision
in which a player only *foresees* a situation that is never reached, such as a bid not made because
its premium is smaller.  What waits apart from the pool from earlier deals is not known to a deal
and not compared.
"""

from collections.abc import Sequence
from typing import Any, Final

from quadrille_core import vocabulary
from quadrille_core.engine.actions import Action
from quadrille_core.rules import RuleSet
from quadrille_plugins.deal.session import PlayedDeal
from quadrille_plugins.shell.values import grouped
from quadrille_plugins.studies.lockstep import (
    Contrast,
    Couple,
    MatchedStart,
    PairedRun,
    Where,
    alone,
    along,
    opening_of,
    purses,
    refilled,
    side_by_side,
)

WORDS: Final[dict[Where, str]] = {
    "antes": "before the deal, when the stakes are put",
    "auction": "in the auction",
    "declaration": "when the game is declared",
    "play": "in the play",
    "vole": "when the vole is decided on",
    "settlement": "when the game is settled",
    "next deal": "in what is carried to the next deal",
    "purses": "when a player cannot pay",
}
"""Where the rule is triggered, in words."""


def walked(couple: Couple, played: PlayedDeal) -> PairedRun:
    """A deal played under the rules in use, replayed under the alternative as far as it allows."""
    opening = opening_of(couple.first.rules, played.setup)
    return side_by_side(couple, opening, along([action for _, action in played.deal.actions]))


def walk_alone(ruleset: RuleSet, played: PlayedDeal) -> None:
    """Play a deal again under the rules it was played under, reading all that ``reach`` reads of
    them."""
    opening = opening_of(ruleset.rules, played.setup)
    alone(ruleset, opening, along([action for _, action in played.deal.actions]))
    refilled(ruleset.rules, played)


def reach(couple: Couple, played: PlayedDeal) -> tuple[Contrast, ...]:
    """The places of a deal, played under the first rule set, at which the rules differ; none: it
    triggers nothing."""
    return (*walked(couple, played).places, *purses(couple, played))


# --- which rule it is -----------------------------------------------------------------------------


def bid_of(path: str) -> str | None:
    """The bid that a rule is of; None for a rule of the whole game."""
    steps = (vocabulary.pattern_of(path) or path).split(".")
    return path.split(".")[steps.index("*")] if "*" in steps else None


def _together(couple: Couple) -> dict[str, tuple[str, ...]]:
    """The rules that differ, each with those that come and go with it: of a bid or table that only
    one rule set has."""
    mine, theirs = couple.values
    both = mine.keys() & theirs
    groups = grouped(
        (path if path in both else f"{bid_of(path) or path.rpartition('.')[0]}.*", path)
        for path in couple.leaves
    )
    return {path: tuple(group) for group in groups.values() for path in group}


def _exchanged(couple: Couple, paths: Sequence[str]) -> RuleSet | None:
    """The first rule set with some rules of the second; None where they make no rules by
    themselves."""
    mine, theirs = couple.values
    # a bid comes and goes with its title, which makes no difference and so is not among the leaves
    paths = (
        *paths,
        *(f"bids.{bid}.title" for bid in dict.fromkeys(map(bid_of, paths)) if bid is not None),
    )
    values = {p: v for p, v in mine.items() if p not in paths or p in theirs}
    values |= {p: theirs[p] for p in paths if p in theirs}
    try:
        return RuleSet(identity=couple.first.identity, rules=vocabulary.build(values))
    except (KeyError, vocabulary.MismatchError):
        return None


def leaves_at(
    couple: Couple, opening: MatchedStart, script: Sequence[Action], place: Contrast
) -> tuple[str, ...]:
    """The paths of the rules that make the difference at a place, of those in which the rule sets
    differ.

    A rule makes the difference when changing it alone, in either rule set, to what the other has
    changes what that rule set says at the place; a bid that only one has is changed as a whole.
    Where nothing does by itself, all that differ are named: they do it together.
    """
    if len(couple.leaves) == 1:
        return couple.leaves
    found: set[str] = set()
    for side in (couple, couple.turned()):
        for group in dict.fromkeys(_together(side).values()):
            if not found.issuperset(group) and _matters(side, group, opening, script, place):
                found |= set(group)
    return tuple(path for path in couple.leaves if path in found) or couple.leaves


def _matters(
    couple: Couple,
    paths: Sequence[str],
    opening: MatchedStart,
    script: Sequence[Action],
    place: Contrast,
) -> bool:
    changed = _exchanged(couple, paths)
    if changed is None:
        return False
    try:
        walk = side_by_side(Couple(couple.first, changed), opening, along(script[: place.index]))
    except (KeyError, StopIteration, AssertionError):
        return False  # rules that contradict one another: the compiler would have refused them
    return any((p.index, p.where) == (place.index, place.where) for p in walk.places)


def place_json(place: Contrast, players: Sequence[str]) -> dict[str, Any]:
    """A place as plain data."""
    return {
        "action": place.index,
        "where": place.where,
        "words": WORDS[place.where],
        "kind": place.kind,
        "player": None if place.seat is None else players[place.seat],
        "only_first": list(place.only[0]),
        "only_second": list(place.only[1]),
    }
