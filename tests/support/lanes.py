"""Every reading of the duty to follow, and random positions under them, for the tests of the
kernel."""

import random
from itertools import product

from quadrille_core.cards import HEARTS, NO_TRUMP, PACK, SPADES, parse_card
from quadrille_core.engine.ranking import TRUMPS, trumps
from quadrille_core.rules import CardOrder, Forcing, WithholdCell

ORDERS = [
    CardOrder(red_plain_ace=ace, black_ponto=ponto)
    for ace in ("top", "below_knave")
    for ponto in ("none", "king")
]
AMONG = ("any_trump", "alternative_excuses", "inferior_only")


def cell(trump, after, card, allowed):
    return WithholdCell(
        trump=trump, after=parse_card(after), card=parse_card(card), allowed=allowed
    )


EXCEPTIONS = (
    (cell(HEARTS, "SA", "CA", True), cell(SPADES, "SK", "CA", False)),
    (
        cell(HEARTS, "HA", "H2", True),
        cell(HEARTS, "SA", "H2", True),
        cell(HEARTS, "H3", "H2", True),
    ),
    (
        cell(HEARTS, "H6", "SA", False),
        cell(SPADES, "S2", "S7", True),
        cell(SPADES, "SA", "S4", True),
    ),
    (cell(NO_TRUMP, "CA", "SA", False), cell(NO_TRUMP, "SA", "CA", True)),
)


def _many():
    """Exceptions drawn at random over every pair of trumps."""
    rng = random.Random(11)
    return tuple(
        WithholdCell(trump=t, after=a, card=c, allowed=rng.random() < 0.5)
        for t in TRUMPS
        for a, c in product(trumps(t), repeat=2)
        if rng.random() < 0.3
    )


FORCINGS = [
    Forcing(
        renege="allowed", forced_by=by, among_several=among, at_no_trump=none, exceptions=exceptions
    )
    for by in ("led", "played")
    for among in AMONG
    for none, exceptions in [
        ("privileged", ()),
        ("ordinary", ()),
        *(("privileged", e) for e in (*EXCEPTIONS, _many())),
    ]
] + [
    Forcing(renege="barred", forced_by=by, among_several=among, exceptions=exceptions)
    for by, among, exceptions in product(("led", "played"), AMONG, ((), EXCEPTIONS[0], _many()))
]
"""Readings of each leaf against those of every other, with and without exceptions."""


def name_of(forcing):
    parts = [forcing.renege, forcing.forced_by, forcing.among_several, forcing.at_no_trump]
    return "-".join(parts) + f"-{len(forcing.exceptions)}"


def hands_of(rng, trump, seats, size):
    """Hands of so many cards, half of the time from a pack made rich in high trumps."""
    pack = list(PACK)
    rng.shuffle(pack)
    if rng.random() < 0.5:
        few = [c for c in trumps(trump)[:5] if rng.random() < 0.8]
        few += [c for c in trumps(trump)[5:] if rng.random() < 0.4]
        pack = (few + [c for c in pack if c not in few])[: seats * size]
        rng.shuffle(pack)
    return [pack[i * size : (i + 1) * size] for i in range(seats)]
