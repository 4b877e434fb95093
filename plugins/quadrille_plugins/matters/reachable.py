"""How a session may stand when a deal begins, found by playing: so that no deal is made that could
not have come.

A pool that no session leaves proves nothing of a difference that only such a pool would show.  So
deals made for a purpose begin as sessions under one rule set or the other have begun deals, in
which everybody passed or did whatever was allowed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

from quadrille_core.engine.amounts import basic_stake, counts_beasts
from quadrille_core.engine.carry import START, Carry, carried, multiplier_of, staked
from quadrille_core.engine.deal import shuffled_hands
from quadrille_core.engine.table import Deal
from quadrille_core.rules import RuleSet
from quadrille_core.stream import Purpose, Stream
from quadrille_plugins.matters.dependence import Traces
from quadrille_plugins.studies.lockstep import Couple, MatchedStart, settled_of

SESSIONS: Final = 32
"""Sessions played under each rule set to see how they stand."""
DEALS: Final = 5
"""Deals of each: what comes later stands alike, with more counters."""


class ReachableState(NamedTuple):
    """A reachable state: the pool beyond the antes, the multiplier, and the number of beasts."""

    beyond: Fraction = Fraction(0)
    multiplier: int = 1
    beasts: int = 0


@lru_cache(maxsize=64)
def reachable_states(couple: Couple) -> tuple[ReachableState, ...]:
    """The states that sessions under either rule set reach, the simplest first; the usual one
    leads."""
    traced = _traced(couple.first)
    unaffected = traced.traces.unaffected_by(couple)

    def step(session: int, number: int, carry: Carry) -> Step:
        # what a deal leaves under the first rule set it leaves under any that agrees on all the
        # rules it read
        known = traced.steps.get((session, number, carry))
        return (
            known
            if known is not None and unaffected((session, number, carry))
            else step_of(couple.second, session, number, carry)
        )

    found = {state for state, _ in (*traced.steps.values(), *sessions_of(step).values())}
    return tuple(sorted({ReachableState(), *found}, key=_plainness))


def _plainness(state: ReachableState) -> tuple[int, Fraction]:
    return state.multiplier - 1 + state.beasts, state.beyond


Step = tuple[ReachableState, Carry]
"""How a deal began, and what it left to the next."""


def sessions_of(step: Callable[[int, int, Carry], Step]) -> dict[tuple[int, int, Carry], Step]:
    """Every deal of the sessions, by session, number and what earlier deals left."""
    found = {}
    for session in range(SESSIONS):
        carry = START
        for number in range(DEALS):
            found[session, number, carry] = one = step(session, number, carry)
            carry = one[1]
    return found


@dataclass(frozen=True, slots=True)
class _Traced:
    """The sessions under one rule set, and the rules that each of their deals read."""

    traces: Traces
    steps: dict[tuple[int, int, Carry], Step]


@lru_cache(maxsize=4)
def _traced(ruleset: RuleSet) -> _Traced:
    traces = Traces(ruleset)

    def step(session: int, number: int, carry: Carry) -> Step:
        return traces.run(
            (session, number, carry), lambda stand_in: step_of(stand_in, session, number, carry)
        )

    return _Traced(traces, sessions_of(step))


def step_of(ruleset: RuleSet, session: int, number: int, carry: Carry) -> Step:
    """Play one deal in which everybody passes or acts at random."""
    rules = ruleset.rules
    antes = basic_stake(rules.stakes, rules.table.players)
    stream = Stream(session, session, number, Purpose.PLAY)
    pool = staked(rules, carry)
    # where beasts are not counted, a pool that holds more than the antes holds one, as in scene_of
    beasts = carry.beasts if counts_beasts(rules) else int(pool > antes)
    state = ReachableState(pool - antes, multiplier_of(rules, carry), beasts)
    opening = MatchedStart(
        hands=shuffled_hands(0, session, number, rules),
        beyond=pool - antes,
        multiplier=multiplier_of(rules, carry),
        beasts=carry.beasts,
    )
    deal = Deal(ruleset, opening.setup(rules))
    while not deal.over:
        legal = deal.legal()
        quiet = deal.phase == "auction" and stream.below(3)
        deal.apply(legal[0] if quiet else legal[stream.below(len(legal))])
    return state, carried(rules, carry, settled_of(rules, deal))
