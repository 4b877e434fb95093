"""Deals made by hand for studies of two readings: from the cards that matter and what is said, the
rest by itself."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

from quadrille_plugins.deal.session import PlayedDeal
from quadrille_plugins.matters.situations import walked
from quadrille_plugins.studies.lockstep import Contrast, Couple, MatchedStart

from quadrille_core.cards import parse_suit
from quadrille_core.engine.actions import parse_action
from quadrille_core.engine.amounts import basic_stake
from quadrille_core.engine.settle import settle
from quadrille_core.engine.table import Deal
from quadrille_core.rules import RuleSet
from quadrille_core.ruleset import Compiled, compile_reference
from support.table import dealt


@cache
def compiled(reference: str, *readings: str) -> Compiled:
    """A rule set with readings as POINT=READING."""
    return compile_reference(reference, readings=dict(r.split("=") for r in readings))


def couple_of(reference: str, lemma: Sequence[str], alternative: Sequence[str]) -> Couple:
    return Couple(compiled(reference, *lemma).ruleset, compiled(reference, *alternative).ruleset)


def opening_made(ruleset: RuleSet, case: Mapping[str, Any]) -> MatchedStart:
    """``hands`` from the eldest on, filled up; ``pool`` with the antes; ``beasts``, ``multiplier``,
    ``favourite``."""
    table = ruleset.rules.table
    antes = basic_stake(ruleset.rules.stakes, table.players)
    setup = dealt(*case.get("hands", []), players=table.players)
    return MatchedStart(
        hands=setup.hands,
        beyond=Fraction(case.get("pool", antes)) - antes,
        multiplier=case.get("multiplier", 1),
        beasts=case.get("beasts", 0),
        favourite=None if "favourite" not in case else parse_suit(case["favourite"]),
    )


def play_opening(
    ruleset: RuleSet, opening: MatchedStart, say: Sequence[str], then: Sequence[str] = ()
) -> PlayedDeal:
    """What is said is done, then to the end whatever of ``then`` is legal, or else the first legal
    action."""
    deal = Deal(ruleset, opening.setup(ruleset.rules))
    for text in say:
        deal.apply(parse_action(text))
    wanted = [parse_action(text) for text in then]
    while not deal.over:
        legal = deal.legal()
        deal.apply(next((a for a in wanted if a in legal), legal[0]))
    result = deal.result()
    settlement = None if result is None else settle(ruleset.rules, result)
    nothing = (Fraction(0),) * len(opening.hands)
    return PlayedDeal(
        deal,
        tuple(range(len(nothing))),
        nothing,
        settlement,
        nothing,
        Fraction(0),
        nothing,
    )


class Beside(NamedTuple):
    """A deal as two rule sets had it played: where the rule is triggered, else what was carried or
    foreseen."""

    places: list[Contrast]
    foreseen: bool
    carried: bool


def held_beside(couple: Couple, mine: PlayedDeal, theirs: PlayedDeal) -> Beside:
    """``foreseen``: an action differs before any place; ``carried``: the deals begin with other
    standings."""
    course, other = walked(couple, mine), walked(couple.turned(), theirs)
    turned = [
        Contrast(p.index, p.where, p.kind, p.seat, (p.only[1], p.only[0])) for p in other.places
    ]
    places = [*course.places, *(p for p in turned if p not in course.places)]
    both = mine.deal.actions, theirs.deal.actions
    apart = next((n for n, (a, b) in enumerate(zip(*both, strict=False)) if a != b), None)
    if apart is None and len(both[0]) != len(both[1]):
        apart = min(map(len, both))
    carried = replace(course.opening, beasts=0) != replace(other.opening, beasts=0)
    foreseen = (
        not carried and apart is not None and not any(p.index <= apart for p in course.places)
    )
    return Beside(places, foreseen, carried)
