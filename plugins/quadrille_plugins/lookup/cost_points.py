"""The disputed points that decide what a result costs, found by settling results under each of
their readings.

No list says which they are.  Results of every bid are made from the rules themselves and settled; a
point decides what, say, a codille costs when one of its readings has some codille paid differently,
or makes a codille of what was none.  What was staked before the deal is taken as it stands.

Settling notes which rules it reads.  So a reading is tried only on results of which some rule was
read that it changes.

Of the shipped rule sets the answers are shipped too, in the file beside this one, which
``python tools/cost_points.py`` writes and a test holds against the rules.  An answer stands there
under the digest of all that a rule set is made of, so a profile that was changed is settled anew.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from fractions import Fraction
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from quadrille_core.cards import HEARTS, NO_TRUMP, SPADES, Suit
from quadrille_core.engine.amounts import basic_stake
from quadrille_core.engine.carry import Carry, carried, multiplier_of
from quadrille_core.engine.case import GameEnd, verdict
from quadrille_core.engine.result import Result
from quadrille_core.engine.settle import settle
from quadrille_core.engine.terms import in_points, most_matadors
from quadrille_core.errors import Place, ProfileError
from quadrille_core.kinds import TRICKS
from quadrille_core.registry import Registry
from quadrille_core.rules import Bid, Rules, VoleLevel
from quadrille_core.ruleset import Compiled, compile_chain
from quadrille_plugins.lookup.find import shipped
from quadrille_plugins.settle.consulted import touches, trace
from quadrille_plugins.settle.possible import impossible

Case = Mapping[str, Any]
"""How the games in question end: fields of ``GameEnd``, each with its value."""
_LEVELS: Final[tuple[VoleLevel, ...]] = ("undertaken", "announced", "revealed")
_PLAIN: Final = "plain"
FILE: Final = Path(__file__).with_suffix(".json")
"""The answers of the shipped rule sets, by ``key_of``."""


@dataclass(frozen=True, slots=True)
class _Group:
    """Results that have one thing more about them in common, and the rules that were read of
    them."""

    rules: Rules
    """The rules in use; they note what is read of them."""
    read: set[str]
    results: list[tuple[Result, bool, object]] = field(default_factory=list)
    """Each result, whether it is in question, and what it costs."""


def deciding(
    compiled: Compiled, case: Case, among: Collection[str] | None = None
) -> tuple[str, ...]:
    """The open points of which some reading changes what a result of that kind costs, in the order
    of the profile.

    ``among`` names the points to try; all, where it is None.
    """
    kept = kept_points().get(key_of(compiled, case))
    found = tuple(deciding_anew(compiled, case, among)) if kept is None else kept
    return tuple(point for point in found if among is None or point in among)


def key_of(compiled: Compiled, case: Case) -> str:
    """The digest of everything on which it depends what decides: profiles, plugins, choices, and
    how games end."""
    return sha256(made_of(compiled, case).encode()).hexdigest()[:16]


def made_of(compiled: Compiled, case: Case) -> str:
    """All that as text, which is the same wherever the files lie."""
    drawn = compiled.drawn
    chain = [replace(doc, name=doc.id) for doc in drawn.chain]  # a name may be a path
    parts = [
        chain,
        drawn.reference,
        drawn.choices.by_hand,
        drawn.merge.by_hand,
        drawn.plugging.used,
        dict(case),
    ]
    return json.dumps(_unplaced(parts), sort_keys=True, default=str)


def _unplaced(value: Any) -> Any:
    """Records as plain data without their places in a file: a comment or a blank line changes
    nothing."""
    if is_dataclass(value):
        named = {f.name: getattr(value, f.name) for f in fields(value)}
        return {
            name: _unplaced(v)
            for name, v in named.items()
            if not (name == "place" or name.endswith("_place"))
        }
    if isinstance(value, Mapping):
        return {str(name): _unplaced(v) for name, v in value.items() if not isinstance(v, Place)}
    if isinstance(value, (list, tuple)):
        return [_unplaced(v) for v in value if not isinstance(v, Place)]
    return value


@cache
def kept_points() -> Mapping[str, tuple[str, ...]]:
    """The points of each shipped case, by its key; none where the file cannot be read."""
    try:
        return {key: tuple(points) for key, points in json.loads(FILE.read_bytes()).items()}
    except (OSError, ValueError, AttributeError, TypeError):
        return {}


def deciding_anew(
    compiled: Compiled, case: Case, among: Collection[str] | None = None
) -> Iterator[str]:
    """As ``deciding`` has it, by settling."""
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


@cache
def deciding_anywhere(case: tuple[tuple[str, Any], ...]) -> frozenset[str]:
    """The points of all shipped profiles of which some reading changes what a result of that kind
    costs."""
    return frozenset(
        point for compiled in shipped().values() for point in deciding(compiled, dict(case))
    )


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
