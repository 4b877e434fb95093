"""The disputed points that decide what a result costs, found by settling results under each of their readings.

No list says which they are.  Results of every bid are made from the rules themselves and settled; a point decides
what, say, a codille costs when one of its readings has some codille paid differently, or makes a codille of what was
none.  What was staked before the deal is taken as it stands.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any, Final

from quadrille_core.cards import HEARTS, NO_TRUMP, SPADES, Suit
from quadrille_core.engine.amounts import basic_stake
from quadrille_core.engine.carry import Carry, carried, multiplier_of
from quadrille_core.engine.result import Result, Settlement
from quadrille_core.engine.settle import settle
from quadrille_core.engine.terms import in_points, most_matadors
from quadrille_core.errors import ProfileError
from quadrille_core.kinds import TRICKS
from quadrille_core.rules import Bid, Rules, VoleLevel
from quadrille_core.ruleset import Compiled, compile_reference
from quadrille_plugins.lookup.find import shipped
from quadrille_plugins.settle.consulted import touches, trace
from quadrille_plugins.settle.possible import impossible

Case = Mapping[str, Any]
"""What is true of the results in question: fields of a settlement, each with its value."""
_Settled = tuple[Result, bool, object]
"""A result, whether it is one in question, and what it costs."""
_LEVELS: Final[tuple[VoleLevel, ...]] = ("undertaken", "announced", "revealed")


def deciding(compiled: Compiled, case: Case, among: Iterable[str] | None = None) -> tuple[str, ...]:
    """The open points of which some reading changes what a result of that kind costs, in the order of the profile.

    ``among`` names the points to try; all, where it is None.
    """
    if compiled.kind != TRICKS:
        return ()
    rules = compiled.ruleset.rules
    stand_in, read = trace(rules)
    settled: list[_Settled] = []
    others = set()
    for result in results(rules):
        counted = _counted(rules, result)
        before = settle(stand_in, counted)
        if not (is_meant := _is(before, case)):
            # how a game ends depends on no more than this (``case.verdict``), so one of each is enough
            key = (result.contract, result.ally, result.vole, result.tricks)
            if key in others:
                continue
            others.add(key)
        settled.append((result, is_meant, _costs(rules, counted, before)))
    wanted = None if among is None else set(among)
    found = []
    for state in compiled.points:
        sets = {s.path for reading in state.point.readings for s in reading.sets}
        if wanted is not None and state.point.id not in wanted:
            continue
        if any(touches(read, path, comes_and_goes=True) for path in sets):
            alternatives = (r.id for r in state.point.readings if r.id != state.reading.id)
            if any(_differs(_with(compiled, state.point.id, other), settled, case) for other in alternatives):
                found.append(state.point.id)
    return tuple(found)


@cache
def deciding_anywhere(case: tuple[tuple[str, Any], ...]) -> frozenset[str]:
    """The points of all shipped profiles of which some reading changes what a result of that kind costs.

    Kept, since it settles thousands of results: seconds of the processor.
    """
    ids: frozenset[str] = frozenset()
    for compiled in shipped().values():
        ids = ids.union(deciding(compiled, dict(case), [s.point.id for s in compiled.points if s.point.id not in ids]))
    return ids


def results(rules: Rules) -> Iterator[Result]:
    """Possible results under the rules: every bid with every number of tricks, and then one thing more in each.

    Matadors are those held, of which the rules may count fewer.
    """
    for name, bid in rules.bids.items():
        if not rules.is_played(bid):
            continue
        plain: list[Result] = []
        for favourite in (HEARTS if rules.favourite.suit is None else rules.favourite.suit, None):
            plain = plain or [r for r in _plain(rules, name, bid, favourite) if not impossible(rules, r)]
        yield from plain
        for result in plain:
            yield from (r for r in _varied(rules, result) if not impossible(rules, _counted(rules, r)))


def _plain(rules: Rules, name: str, bid: Bid, favourite: Suit | None) -> Iterator[Result]:
    """Results that differ in the tricks of each side and in who took them, with and without an ally."""
    players, hand = rules.table.players, rules.table.hand_cards
    stake = Fraction(0 if in_points(rules) else basic_stake(rules.stakes, players))
    for ally in (2, None):
        for made in range(hand + 1):
            for own in {made, 0}:
                tricks = [0] * players
                tricks[0], tricks[2], tricks[1] = own, made - own, hand - made
                yield Result(
                    players=tuple(f"seat {seat}" for seat in range(players)),
                    pool=stake,
                    contract=name,
                    trump=NO_TRUMP if bid.trump == "none" else HEARTS,
                    hombre=0,
                    ally=ally,
                    surrendered=1 if bid.exchange else None,
                    tricks=tuple(tricks),
                    favourite=favourite,
                )


def _varied(rules: Rules, result: Result) -> Iterator[Result]:
    """A result with other stakes, trumps, matadors, premiers, multipliers, beasts or a vole."""
    yield replace(result, pool=result.pool * 3 + 1)
    yield replace(result, multiplier=2)
    yield replace(result, beasts=2)
    yield replace(result, premiers=True)
    for trump in (SPADES, rules.favourite.suit):
        if trump is not None:
            yield replace(result, trump=trump)
            yield replace(result, trump=trump, matadors=4)
    for held in (3, 4, 6):
        yield replace(result, matadors=held)
        yield replace(result, adversary_matadors=held)
    for level in _LEVELS:
        yield replace(result, vole=level)
        yield replace(result, vole=level, premiers=True)


def _counted(rules: Rules, result: Result) -> Result:
    """The result with as many matadors as the rules count."""
    most = most_matadors(rules.payments, result.trump)
    if max(result.matadors, result.adversary_matadors) <= most:
        return result
    return replace(result, matadors=min(result.matadors, most), adversary_matadors=min(result.adversary_matadors, most))


def _with(compiled: Compiled, point: str, reading: str) -> Rules | None:
    """The rules with another reading of a point; None where the readings in use refuse it."""
    identity = compiled.identity
    readings = {**dict(identity.readings), point: reading}
    settings = {path: json.loads(value) for path, value in identity.settings}
    try:
        return compile_reference(identity.reference, readings=readings, settings=settings).ruleset.rules
    except ProfileError:
        return None


def _differs(other: Rules | None, settled: Sequence[_Settled], case: Case) -> bool:
    if other is None:
        return False
    known = other.bids.names()
    for result, is_meant, costs in settled:
        if result.contract not in known:
            continue
        counted = _counted(other, result)
        after = settle(other, counted)
        if (is_meant or _is(after, case)) and _costs(other, counted, after) != costs and not impossible(other, counted):
            return True
    return False


def _is(settlement: Settlement, case: Case) -> bool:
    return all(getattr(settlement, field) == value for field, value in case.items())


def _costs(rules: Rules, result: Result, settlement: Settlement) -> tuple[object, ...]:
    """Who pays whom how much, and what the deal leaves to the next."""
    paid: Counter[tuple[int, int]] = Counter()
    for t in settlement.transfers:
        paid[t.source, t.target] += t.amount  # type: ignore[assignment]
    pool = result.pool - (0 if in_points(rules) else basic_stake(rules.stakes, rules.table.players))
    left = carried(rules, Carry(pool=pool, losses=result.multiplier - 1, standing=result.beasts), settlement)
    return paid, left, multiplier_of(rules, left)
