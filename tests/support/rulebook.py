"""Which rules act under a rule set, as its own play shows: the only ground on which a rulebook may
leave one out.

``flips`` are the rule sets that differ from one in a single leaf and that the compiler would
accept.  A flip *acts* where something in the trial differs: deals with hands made for the purpose,
sessions, planned lengths, and a few thousand results that can happen, settled.  Leaves that nothing
in the trial reads cannot act in it; the others are tried one by one.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from typing import Any

from quadrille_plugins.settle.consulted import touches, trace, with_leaves
from quadrille_plugins.settle.possible import impossible

from quadrille_core import resources, vocabulary
from quadrille_core.cards import NO_TRUMP, Suit
from quadrille_core.engine.amounts import basic_stake
from quadrille_core.engine.deal import names
from quadrille_core.engine.result import Result
from quadrille_core.engine.settle import due, settle
from quadrille_core.engine.terms import most_matadors
from quadrille_core.kinds import TRICKS
from quadrille_core.profile import load_profile
from quadrille_core.rules import Rules
from quadrille_core.ruleset import compile_reference
from support.decisive import CASES, DecisiveCase, other_values, refusals, seen_under

RESULTS = 1500
"""Every change that 6,000 of them notice in any rule set is noticed among the first 840."""


@cache
def profiles() -> list[str]:
    """Every shipped profile of a game of tricks that can be played, with each of its witnesses."""
    found = []
    for name, path in resources.shipped_profiles().items():
        if load_profile(path, validate=False).abstract:
            continue
        compiled = compile_reference(name)
        if compiled.kind == TRICKS:
            found += [f"{name}@{witness}" for witness in compiled.witnesses]
    return found


def flips(rules: Rules) -> Iterator[tuple[str, Any, Rules]]:
    """Every acceptable change of one leaf: its path, the other value, the rules with it."""
    values = vocabulary.dump(rules)
    for path, value in values.items():
        leaf = vocabulary.leaf_at(path)
        if leaf.low is not None and leaf.low == leaf.high:
            continue
        for _, other in other_values(leaf, value):
            if not refusals({**values, path: other}):
                yield path, other, with_leaves(rules, {path: vocabulary.to_typed(leaf, other)})


# --- the trial --------------------------------------------------------------------------------


def _drawn(rules: Rules) -> Iterator[Result]:
    """Results as they may be sent in, most of which cannot have happened."""
    draw = random.Random(1)
    seats, hand = rules.table.players, rules.table.hand_cards
    bids = [name for name, bid in rules.bids.items() if rules.is_played(bid)]
    while True:
        contract = draw.choice(bids)
        bid = rules.bids.of(contract)
        hombre = draw.randrange(seats)
        others = [s for s in range(seats) if s != hombre]
        ally = draw.choice([None, *others]) if bid.partner == "called" else None
        side = [hombre] if ally is None else [hombre, ally]
        made = draw.choice([0, 1, 2, 3, 4, 5, 6, 7, hand, hand])
        tricks = [0] * seats
        for n in range(hand):
            tricks[
                draw.choice(side if n < made else [s for s in range(seats) if s not in side])
            ] += 1
        trump = Suit(draw.randrange(4)) if bid.trump == "suit" else NO_TRUMP
        most = most_matadors(rules.payments, trump)
        result = Result(
            players=names(seats),
            pool=Fraction(
                basic_stake(rules.stakes, seats) * draw.choice([1, 1, 2, 3, 7]) + draw.randrange(3)
            ),
            contract=contract,
            trump=trump,
            hombre=hombre,
            tricks=tuple(tricks),
            favourite=draw.choice([trump, Suit(1)])
            if rules.favourite.source != "none" and trump != NO_TRUMP
            else None,
            ally=ally,
            surrendered=draw.choice(others) if bid.exchange else None,
            matadors=min(draw.choice([0, 3, 4, 6]), most),
            adversary_matadors=min(draw.choice([0, 0, 3, 4, 6]), most),
            premiers=draw.random() < 0.5,
            vole=draw.choice(["none", "none", "undertaken", "announced", "revealed"]),
            multiplier=draw.choice([1, 1, 2, 3]),
            beasts=draw.choice([0, 0, 1, 2]),
        )
        if rules.favourite.source == "fixed":
            result = replace(result, favourite=rules.favourite.suit)
        yield result


def possible_results(rules: Rules, wanted: int) -> list[Result]:
    """So many drawn results that can have happened under the rules."""
    drawn, found = _drawn(rules), []
    for _ in range(wanted * 10):
        result = next(drawn)
        if rules.multiplier.after_losses == "none":
            result = replace(result, multiplier=1)
        if rules.payments.adversaries_matadors == "not_paid":
            result = replace(result, adversary_matadors=0)
        if not impossible(rules, result):
            found.append(
                replace(result, claims=due(rules, result))
                if rules.bids.of(result.contract).claimed
                else result
            )
        if len(found) == wanted:
            break
    return found


Step = Callable[[Rules], list[str]]


def _settled(result: Result, rules: Rules) -> list[str]:
    done = settle(rules, result)
    paid = str([(t.source, t.target, t.amount) for t in done.transfers if t.amount])
    return [paid, f"{done.outcome} {done.pool_after} {done.pool_taken}"]


def _seen_of_case(case: DecisiveCase, rules: Rules) -> list[str]:
    try:
        return seen_under(case, rules)
    except Exception as refused:  # a hand that these rules do not deal
        return [type(refused).__name__]


def _cases(rules: Rules) -> Iterator[DecisiveCase]:
    """Deals that the dead-option guard plays, as far as they have a meaning under these rules."""
    played = {name for name, bid in rules.bids.items() if rules.is_played(bid)}
    hand = rules.table.hand_cards
    for case in CASES:
        if (
            case.plans
            or not case.bids() <= played
            or any(len(h.split()) > hand for h in case.hands)
        ):
            continue
        if case.hands and rules.table.players != 4:
            continue
        if case.hands:
            favoured = case.favourite if rules.favourite.source != "none" else None
            pool = basic_stake(rules.stakes, rules.table.players) or case.pool
            yield replace(case, pool=pool, deals=1, favourite=favoured)
    for number, name in enumerate(sorted(played)):
        yield DecisiveCase(
            why=name, wishes=(f"bid {name}", "vole", "yes", "ask"), deals=4, seed=number
        )
        yield DecisiveCase(why=name, wishes=(f"bid {name}+favourite", "pass"), deals=4, seed=number)
    for seed in range(6):
        yield DecisiveCase(why="any", deals=6, seed=seed)


class Trial:
    """All that happens under some rules: what is seen at the table, what is planned, what is paid.

    Each deal and each settlement is kept with the leaves it read.  One that did not read a leaf is
    the same whatever that leaf says, so a change of it is tried in the others alone.
    """

    def __init__(self, rules: Rules, results: int = RESULTS) -> None:
        self.results = possible_results(rules, results)
        planned: Any = DecisiveCase(why="plans", plans=(3, 4, 5, 7, 20, 40))
        steps: list[Step] = [partial(_seen_of_case, case) for case in (*_cases(rules), planned)]
        steps += [partial(_settled, result) for result in self.results]
        self._parts: dict[frozenset[str], list[tuple[Step, list[str]]]] = {}
        """What was seen, by the leaves that were read."""
        for step in steps:
            stand_in, notes = trace(rules, whole=("cards",))
            seen = step(stand_in)
            self._parts.setdefault(frozenset(notes), []).append((step, seen))
        self.read: set[str] = set().union(*self._parts)

    def notices(self, path: str, changed: Rules) -> bool:
        """Whether anything differs under rules that differ in that leaf alone."""
        reading = (parts for notes, parts in self._parts.items() if touches(notes, path))
        return any(step(changed) != seen for parts in reading for step, seen in parts)
