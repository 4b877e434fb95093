"""Results drawn at random that are possible."""

import random
from dataclasses import replace
from typing import Any

from quadrille_plugins.settle.possible import impossible

from quadrille_core.cards import NO_TRUMP, Suit
from quadrille_core.engine import carry as readable
from quadrille_core.engine.carry import Carry
from quadrille_core.engine.result import Result
from quadrille_core.engine.settle import due as due_items
from quadrille_core.engine.terms import most_matadors
from quadrille_core.rules import Bid, Rules

TRIES = 40


def drawn_result(rng: random.Random, rules: Rules, carry: Carry) -> Result | None:
    """A possible result of a deal that begins with ``carry``; None when none was found."""
    for _ in range(TRIES):
        result = _guess(rng, rules, carry)
        if not impossible(rules, result):
            wanted = [item for item in due_items(rules, result) if rng.random() < 0.7]
            return replace(result, claims=tuple(wanted))
    return None


def _guess(rng: random.Random, rules: Rules, carry: Carry) -> Result:
    seats, hand = range(rules.table.players), rules.table.hand_cards
    contract, bid = rng.choice([b for b in rules.bids.items() if b[1].made != "never"])
    favourite = (
        rules.favourite.suit if rules.favourite.source == "fixed" else Suit(rng.randrange(4))
    )
    trump = (
        rng.choice([favourite, *map(Suit, range(4))])
        if favourite is not None
        else Suit(rng.randrange(4))
    )
    hombre = rng.choice(seats)
    ally, surrendered = rng.sample([s for s in seats if s != hombre], 2)
    if rng.random() < 0.3:
        surrendered = ally
    vole, allied = rng.choice(_levels(bid)), 0.9 if bid.call.own_card == "never" else 0.5
    tricks = _tricks(rng, rules, bid, (hombre, ally) if bid.partner == "called" else (hombre,))
    matadors = rng.choice((0, 3, 4, rng.randrange(13)))
    most = most_matadors(rules.payments, NO_TRUMP if bid.trump == "none" else trump)
    against = (
        rng.choice((3, 4, 6))
        if rules.payments.adversaries_matadors != "not_paid" and rng.random() < 0.6
        else 0
    )
    return Result(
        players=tuple("ABCDE"[: len(seats)]),
        pool=readable.staked(rules, carry),
        contract=contract,
        trump=NO_TRUMP if bid.trump == "none" else trump,
        hombre=hombre,
        tricks=tricks,
        favourite=None if rules.favourite.source == "none" or rng.random() < 0.05 else favourite,
        ally=ally if bid.partner == "called" and rng.random() < allied else None,
        surrendered=surrendered if bid.exchange and rng.random() < 0.9 else None,
        matadors=0 if against else min(matadors, most),
        adversary_matadors=min(against, most),
        premiers=bid.premiers
        and (vole == "undertaken" or sum(tricks) < hand or rng.random() < 0.5),
        vole=vole,
        multiplier=readable.multiplier_of(rules, carry),
        beasts=carry.beasts,
    )


def _levels(bid: Bid) -> list[Any]:
    levels = ["none"]
    if bid.may_undertake_vole:
        levels.append("undertaken")
    if bid.vole_with_bid != "none":
        levels.append("announced")
    return [*levels, "revealed"] if bid.vole_with_bid == "announced_or_revealed" else levels


def _tricks(rng: random.Random, rules: Rules, bid: Bid, side: tuple[int, ...]) -> tuple[int, ...]:
    """Tricks by seat, of the side about as many as decide the game."""
    hand, first = rules.table.hand_cards, rules.premiers.tricks
    made = rng.choice(
        (
            bid.tricks,
            bid.tricks - 1,
            bid.tricks - 2,
            0,
            1,
            hand,
            hand,
            hand - 1,
            rng.randrange(hand + 1),
        )
    )
    made = min(max(made, 0), hand)
    rest = hand - made
    if rng.random() < 0.3:
        made, rest = first, 0
    tricks = [0] * rules.table.players
    for _ in range(made):
        tricks[rng.choice(side)] += 1
    for _ in range(rest):
        tricks[rng.choice([s for s in range(len(tricks)) if s not in side])] += 1
    return tuple(tricks)
