"""Dependency traces: which rules a deal read, so that what no differing rule changes need not be
played again.

What comes of a deal depends on nothing but the rules that were read in its course
(``settle.consulted``).  Under a second rule set that agrees on all of these, the same deal, with
the same actions, therefore goes the same way to the last payment, and it need not be played to know
so.  A deal is traced once, whatever it is then held against.
"""

from collections.abc import Callable, Hashable
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple, TypeVar

from quadrille_core.engine.amounts import counts_beasts, table_stake
from quadrille_core.engine.carry import START, Carry, carried, multiplier_of, staked
from quadrille_core.engine.deal import shuffled_hands
from quadrille_core.engine.past import Facts
from quadrille_core.engine.table import Deal
from quadrille_core.rules import RuleSet
from quadrille_core.stream import Purpose, Stream
from quadrille_plugins.settle.consulted import noted_for, trace
from quadrille_plugins.studies.direct import seated
from quadrille_plugins.studies.lockstep import Couple, MatchedStart, settled_of

T = TypeVar("T")

WHOLE: Final = ("table", "cards", "forcing")
"""Blocks that every deal reads: any difference in them counts as read."""

Unaffected = Callable[[Hashable], bool]
"""Whether the deal of that key read none of the rules that differ."""


class Traces:
    """The dependency traces of deals under one rule set, by a key that determines the deal and its
    actions."""

    def __init__(self, ruleset: RuleSet) -> None:
        """None yet."""
        self._ruleset = ruleset
        self._bits: dict[str, int] = {}
        self._read: dict[Hashable, int] = {}

    def __contains__(self, key: Hashable) -> bool:
        return key in self._read

    def run(self, key: Hashable, play: Callable[[RuleSet], T]) -> T:
        """What ``play`` returns of a stand-in for the rule set; what it reads of it is noted under
        the key."""
        rules, notes = trace(self._ruleset.rules, whole=WHOLE)
        found = play(RuleSet(identity=self._ruleset.identity, rules=rules))
        self._read[key] = self._mask(notes)
        notes.clear()  # tables of the engine may hold on to the stand-in
        return found

    def unaffected_by(self, couple: Couple) -> Unaffected:
        """A test whether the deal of a key is the same under the second rule set of a couple.

        The first is the one traced.  Raises KeyError for a key that was not.
        """
        mine, theirs = couple.values
        paths: set[str] = set()
        for (
            path
        ) in couple.leaves:  # one that only one of them has comes and goes with the block it is in
            paths.update(noted_for(path, comes_and_goes=path not in mine or path not in theirs))
        mask = self._mask(paths)
        return lambda key: not self._read[key] & mask

    def _mask(self, paths: set[str]) -> int:
        found = 0
        for path in paths:
            found |= 1 << self._bits.setdefault(path, len(self._bits))
        return found


SESSIONS: Final = 32
"""Sessions played under each rule set to see how they stand."""
DEALS: Final = 5
"""Deals of each: what comes later stands alike, with more counters."""


class ReachableState(NamedTuple):
    """A reachable state: the pool beyond the antes, the multiplier, and the number of beasts."""

    beyond: Fraction = Fraction(0)
    multiplier: int = 1
    beasts: int = 0
    before: Facts = ()


@lru_cache(maxsize=64)
def reachable_states(couple: Couple) -> tuple[ReachableState, ...]:
    """The states that sessions under either rule set reach, the simplest first; the usual one
    leads."""
    traces, steps = _traced(couple.first)
    unaffected = traces.unaffected_by(couple)

    def step(session: int, number: int, carry: Carry) -> Step:
        # what a deal leaves under the first rule set it leaves under any that agrees on all the
        # rules it read
        known = steps.get((session, number, carry))
        return (
            known
            if known is not None and unaffected((session, number, carry))
            else step_of(couple.second, session, number, carry)
        )

    found = {state for state, _ in (*steps.values(), *sessions_of(step).values())}
    return tuple(sorted({ReachableState(), *found}, key=_plainness))


def _plainness(state: ReachableState) -> tuple[int, Fraction, Facts]:
    return state.multiplier - 1 + state.beasts, state.beyond, state.before


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


@lru_cache(maxsize=4)
def _traced(ruleset: RuleSet) -> tuple[Traces, dict[tuple[int, int, Carry], Step]]:
    """The sessions under one rule set, and the rules that each of their deals read."""
    traces = Traces(ruleset)

    def step(session: int, number: int, carry: Carry) -> Step:
        return traces.run(
            (session, number, carry), lambda stand_in: step_of(stand_in, session, number, carry)
        )

    return traces, sessions_of(step)


def step_of(ruleset: RuleSet, session: int, number: int, carry: Carry) -> Step:
    """Play one deal in which everybody passes or acts at random."""
    rules = ruleset.rules
    antes = table_stake(rules)
    stream = Stream(session, session, number, Purpose.PLAY)
    pool = staked(rules, carry)
    # where beasts are not counted, a pool that holds more than the antes holds one, as in scene_of
    beasts = carry.beasts if counts_beasts(rules) else int(pool > antes)
    players = seated(rules, number)
    before = carry.past.before(players)
    state = ReachableState(pool - antes, multiplier_of(rules, carry), beasts, before)
    opening = MatchedStart(
        hands=shuffled_hands(0, session, number, rules),
        beyond=state.beyond,
        multiplier=state.multiplier,
        beasts=carry.beasts,
        players=players,
        before=before,
    )
    deal = Deal(ruleset, opening.setup(rules))
    while not deal.over:
        legal = deal.legal()
        quiet = deal.phase == "auction" and stream.below(3)
        deal.apply(legal[0] if quiet else legal[stream.below(len(legal))])
    return state, carried(rules, carry, settled_of(rules, deal), deal.result())
