"""The disputed points that decide what a result costs, found by settling results under each of
their readings.

No list in the sources says which they are.  Results of every bid are made from the rules themselves and settled; a
point decides what, say, a codille costs when one of its readings has some codille paid differently,
or makes a codille of what was none.  What was staked before the deal is taken as it stands.

Settling notes which rules it reads.  So a reading is tried only on results of which some rule was
read that it changes.

``python tools/regenerate.py costs`` writes the answers of the shipped rule sets, of each as it is
and under each of its witnesses, to ``lookup/cost_points.json``.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Final

from quadrille_plugins.lookup.find import shipped
from quadrille_plugins.lookup.glossary import glossary
from quadrille_plugins.lookup.many_hits import COST_POINTS
from quadrille_plugins.settle.consulted import touches, trace
from quadrille_plugins.settle.possible import impossible

from quadrille_core.cards import HEARTS, NO_TRUMP, SPADES, Suit
from quadrille_core.engine.amounts import basic_stake
from quadrille_core.engine.carry import Carry, carried, multiplier_of
from quadrille_core.engine.case import GameEnd, verdict
from quadrille_core.engine.result import Result
from quadrille_core.engine.settle import settle
from quadrille_core.engine.terms import in_points, most_matadors
from quadrille_core.errors import ProfileError
from quadrille_core.kinds import TRICKS
from quadrille_core.registry import Registry
from quadrille_core.rules import Bid, Rules, VoleLevel
from quadrille_core.ruleset import Compiled, compile_chain, compile_reference

Case = Mapping[str, Any]
"""How the games in question end: fields of ``GameEnd``, each with its value."""
_LEVELS: Final[tuple[VoleLevel, ...]] = ("undertaken", "announced", "revealed")
_PLAIN: Final = "plain"
FILE: Final = COST_POINTS


@dataclass(frozen=True, slots=True)
class _Group:
    """Results that have one thing more about them in common, and the rules that were read of
    them."""

    rules: Rules
    """The rules in use; they note what is read of them."""
    read: set[str]
    results: list[tuple[Result, bool, object]] = field(default_factory=list)
    """Each result, whether it is in question, and what it costs."""


def deciding(compiled: Compiled, case: Case, among: Collection[str] | None = None) -> Iterator[str]:
    """The open points of which some reading changes what a result of that kind costs, in the order
    of the profile.

    ``among`` names the points to try; all, where it is None.
    """
    if compiled.kind != TRICKS:
        return
    groups = _groups(compiled.ruleset.rules, case)
    read = set[str]().union(*(group.read for group in groups))
    registry = Registry()
    for state in compiled.points:
        point = state.point
        sets = {s.path for reading in point.readings for s in reading.sets}
        if (among is not None and point.id not in among) or not _reads(read, sets):
            continue
        others = (
            _with(compiled, point.id, r.id, registry)
            for r in point.readings
            if r.id != state.reading.id
        )
        if any(other is not None and _differs(compiled, other, groups, case) for other in others):
            yield point.id


def _groups(rules: Rules, case: Case) -> list[_Group]:
    """Results in question by what they have about them; last, others, one of each that may end in
    another way."""
    meant: dict[str, _Group] = {}
    others = _Group(*trace(rules))
    ends = set()
    for plain in _plain_results(rules):
        in_question = _is(verdict(others.rules, plain), case)
        for what, result in _varied(rules, plain, whole=in_question):
            if _is(verdict(others.rules, result), case):
                if what not in meant:
                    meant[what] = _Group(*trace(rules))
                group = meant[what]
                group.results.append((result, True, _costs(group.rules, _counted(rules, result))))
            elif (end := (result.contract, result.ally, result.vole, result.tricks)) not in ends:
                ends.add(end)  # how a game ends depends on no more than this (``case.verdict``)
                others.results.append((result, False, None))
    return [*meant.values(), others]


def _reads(read: set[str], paths: Iterable[str]) -> bool:
    return any(touches(read, path, comes_and_goes=True) for path in paths)


def _with(compiled: Compiled, point: str, reading: str, registry: Registry) -> Compiled | None:
    """The rules with another reading of a point; None where the readings in use refuse it."""
    identity, reference = compiled.identity, compiled.drawn.reference
    readings = {**dict(identity.readings), point: reading}
    settings = {path: json.loads(value) for path, value in identity.settings}
    try:
        return compile_chain(
            compiled.chain, reference, readings=readings, settings=settings, registry=registry
        )
    except ProfileError:
        return None


def _differs(compiled: Compiled, changed: Compiled, groups: Iterable[_Group], case: Case) -> bool:
    """Whether some result in question costs something else under the changed rules."""
    paths = {*compiled.origins, *changed.origins}
    paths = {p for p in paths if _value(compiled, p) != _value(changed, p)}
    rules = changed.ruleset.rules
    known = rules.bids.names()
    for group in groups:
        if not _reads(group.read, paths):
            continue
        for result, in_question, costs in group.results:
            if result.contract not in known:
                continue
            counted = _counted(rules, result)
            if not in_question and not _is(verdict(rules, counted), case):
                continue
            before = costs if in_question else _costs(group.rules, _counted(group.rules, result))
            if _costs(rules, counted) != before and not impossible(rules, counted):
                return True
    return False


def _value(compiled: Compiled, path: str) -> object:
    return compiled.value_of(path) if path in compiled.origins else None


def _plain_results(rules: Rules) -> Iterator[Result]:
    """Possible results under the rules: every bid with every number of tricks."""
    for name, bid in rules.bids.items():
        if not rules.is_played(bid):
            continue
        plain: list[Result] = []
        for favourite in (HEARTS if rules.favourite.suit is None else rules.favourite.suit, None):
            plain = plain or [
                r for r in _plain(rules, name, bid, favourite) if not impossible(rules, r)
            ]
        yield from plain


def _plain(rules: Rules, name: str, bid: Bid, favourite: Suit | None) -> Iterator[Result]:
    """Results that differ in the tricks of each side and in who took them, with and without an
    ally."""
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


def _varied(rules: Rules, result: Result, *, whole: bool) -> Iterator[tuple[str, Result]]:
    """The result, and it with one thing more that the rules admit, each after what the thing is.

    Without ``whole`` only what the end of a game may depend on.  Matadors are those held, of which
    the rules may count fewer.
    """
    yield _PLAIN, result
    for what, more in (*(_extras(rules, result) if whole else ()), *_voles(result)):
        if not impossible(rules, _counted(rules, more)):
            yield what, more


def _extras(rules: Rules, result: Result) -> Iterator[tuple[str, Result]]:
    """A result with other stakes, trumps, matadors, premiers, multipliers or beasts."""
    yield "pool", replace(result, pool=result.pool * 3 + 1)
    yield "multiplier", replace(result, multiplier=2)
    yield "beasts", replace(result, beasts=2)
    yield "premiers", replace(result, premiers=True)
    for trump in (SPADES, rules.favourite.suit):
        if trump is not None:
            yield "trump", replace(result, trump=trump)
            yield "matadors", replace(result, trump=trump, matadors=4)
    for held in (3, 4, 6):
        yield "matadors", replace(result, matadors=held)
        yield "adversary_matadors", replace(result, adversary_matadors=held)


def _voles(result: Result) -> Iterator[tuple[str, Result]]:
    for level in _LEVELS:
        yield level, replace(result, vole=level)
        yield f"{level} with premiers", replace(result, vole=level, premiers=True)


def _counted(rules: Rules, result: Result) -> Result:
    """The result with as many matadors as the rules count."""
    most = most_matadors(rules.payments, result.trump)
    if max(result.matadors, result.adversary_matadors) <= most:
        return result
    return replace(
        result,
        matadors=min(result.matadors, most),
        adversary_matadors=min(result.adversary_matadors, most),
    )


def _is(end: GameEnd, case: Case) -> bool:
    return all(getattr(end, field) == value for field, value in case.items())


def _costs(rules: Rules, result: Result) -> tuple[object, ...]:
    """Who pays whom how much, and what the deal leaves to the next."""
    settlement = settle(rules, result)
    paid: Counter[tuple[int, int]] = Counter()
    for t in settlement.transfers:
        paid[t.source, t.target] += t.amount  # type: ignore[assignment]
    pool = result.pool - (0 if in_points(rules) else basic_stake(rules.stakes, rules.table.players))
    left = carried(
        rules, Carry(pool=pool, losses=result.multiplier - 1, standing=result.beasts), settlement
    )
    return paid, left, multiplier_of(rules, left)


def page() -> str:
    """The text of the file: by rule set, the points by what they decide."""
    cases = {t.costs.asks: t.costs.result for t in glossary().values() if t.costs is not None}
    found = {
        ref: {asks: list(deciding(rules, case)) for asks, case in cases.items()}
        for ref, rules in rule_sets().items()
    }
    lines = (f" {json.dumps(ref)}: {json.dumps(points)}" for ref, points in found.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def rule_sets() -> dict[str, Compiled]:
    """The shipped rule sets by name, as they are and under each of their witnesses."""
    tricks = {name: c for name, c in shipped().items() if c.kind == TRICKS}
    named = [f"{name}@{witness}" for name, c in tricks.items() for witness in c.witnesses]
    return {**tricks, **{ref: compile_reference(ref) for ref in named}}
