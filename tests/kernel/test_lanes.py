"""Words of lanes and the duty to follow in the kernel, against the readable engine under every
reading."""

import random
from itertools import product

import pytest

pytest.importorskip("numba")

import numpy as np
from quadrille_plugins.kernel import lanes
from quadrille_plugins.kernel.follow import lane_of, legal_after
from support.lanes import FORCINGS, ORDERS, hands_of, name_of

from quadrille_core.cards import NO_TRUMP, PACK
from quadrille_core.engine.forcing import follow
from quadrille_core.engine.ranking import TRUMPS, ranking


@pytest.mark.parametrize(("order", "trump"), list(product(ORDERS, TRUMPS)))
def test_each_card_has_a_bit_and_the_bits_stand_in_the_order_of_the_cards(order, trump):
    place, rank = lanes.places(order, trump), ranking(order, trump)
    assert len(set(place)) == len(PACK)
    for a, b in product(PACK, repeat=2):
        same = rank.suits[a] == rank.suits[b]
        assert same == bool(int(lane_of(1 << place[a])) >> place[b] & 1)
        assert not same or (place[a] > place[b]) == (rank.strength[a] > rank.strength[b])
    word = lanes.word_of(order, trump, PACK[5:17])
    assert [card for card in PACK if word >> place[card] & 1] == list(PACK[5:17])
    assert all((place[c] >= lanes.TRUMP_LOW) == (rank.suits[c] == trump) for c in PACK)


@pytest.mark.parametrize("forcing", FORCINGS, ids=name_of)
def test_what_may_be_played_is_what_the_readable_engine_says(forcing):
    rng, table = random.Random(name_of(forcing)), {o: lanes.tabulate(o, forcing) for o in ORDERS}
    trick = np.zeros(5, np.uint64)
    bound = 0
    for n in range(1200):
        order, trump, seats = ORDERS[n & 3], TRUMPS[n % 5], 4 + n % 2
        place, rule = lanes.places(order, trump), follow(forcing, trump)
        hands = hands_of(rng, trump, seats, rng.randint(1, 40 // seats))
        played = rng.randrange(seats)
        cards = [rng.choice(h) for h in hands[:played]]
        trick[:played] = [1 << place[c] for c in cards]
        hand = hands[played]
        got = int(
            legal_after(table[order][trump], lanes.word_of(order, trump, hand), trick, played)
        )
        want = rule.legal(tuple(hand), cards)
        assert got == lanes.word_of(order, trump, want), (trump, hand, cards)
        bound += len(want) < len(hand)
    assert bound > 100


def test_which_trumps_differ_in_the_duty_to_follow():
    led = lanes.tabulate(ORDERS[0], FORCINGS[0])
    assert (FORCINGS[0].forced_by, FORCINGS[0].among_several) == ("led", "any_trump")
    for trump in range(4):
        assert int(led[trump][lanes.SPECIAL]) == int(led[trump][lanes.MATADORS]) == 7 << 57
        assert int(led[trump][lanes.NESTED]) == 1
    barred = lanes.tabulate(
        ORDERS[0], next(f for f in FORCINGS if f.renege == "barred" and not f.exceptions)
    )
    assert not barred[:, lanes.SPECIAL].any()
    for forcing in FORCINGS:
        table = lanes.tabulate(ORDERS[0], forcing)
        for trump in TRUMPS:
            if table[trump][lanes.NESTED] and any(e.trump == trump for e in forcing.exceptions):
                assert forcing.renege == "barred" or trump == NO_TRUMP
