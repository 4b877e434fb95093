"""Words of lanes and the duty to follow in the kernel, against the readable engine under every reading."""

import random
from itertools import product

import pytest

pytest.importorskip("numba")

import numpy as np
from lanes_support import FORCINGS, ORDERS, hands_of, name_of

from quadrille_core.cards import NO_TRUMP, PACK
from quadrille_core.engine.forcing import follow
from quadrille_core.engine.ranking import TRUMPS, ranking, trick_winner
from quadrille_core.kernel.follow import TRUMP, lane_of, legal_after
from quadrille_core.kernel.playout import CARDS, GAMMA, PLAY, deal, play, run, stream
from quadrille_core.stream import _mix
from quadrille_core.tables import lanes

ALL = lanes.ALL_BITS


@pytest.mark.parametrize(("order", "trump"), list(product(ORDERS, TRUMPS)))
def test_each_card_has_a_bit_and_the_bits_stand_in_the_order_of_the_cards(order, trump):
    place, rank = lanes.places(order, trump), ranking(order, trump)
    assert len(set(place)) == len(PACK)
    for a, b in product(PACK, repeat=2):
        same = rank.suits[a] == rank.suits[b]
        assert same == bool(int(lane_of(1 << place[a])) >> place[b] & 1)
        assert not same or (place[a] > place[b]) == (rank.strength[a] > rank.strength[b])
    assert sorted(lanes.cards_of(order, trump, lanes.word_of(order, trump, PACK[5:17]))) == list(PACK[5:17])
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
        got = int(legal_after(table[order][trump], lanes.word_of(order, trump, hand), trick, played))
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
    barred = lanes.tabulate(ORDERS[0], next(f for f in FORCINGS if f.renege == "barred" and not f.exceptions))
    assert not barred[:, lanes.SPECIAL].any()
    for forcing in FORCINGS:
        table = lanes.tabulate(ORDERS[0], forcing)
        for trump in TRUMPS:
            if table[trump][lanes.NESTED] and any(e.trump == trump for e in forcing.exceptions):
                assert forcing.renege == "barred" or trump == NO_TRUMP


class Python:
    """The playouts again with the readable engine's rules, and the stream's draws written out."""

    def __init__(self, seed, index):
        self.state = _mix((seed + _mix(index + int(GAMMA) & ALL)) & ALL)
        self.word = 0

    def next(self):
        self.state = (self.state + int(GAMMA)) & ALL
        self.word = _mix(self.state)

    def below(self, n):
        drawn = self.word * n >> 64
        self.word = self.word * n & ALL
        return drawn


def dealt(seed, index, seats):
    draw, pack, each = Python(seed, index), list(PACK), CARDS // seats
    for i in range(CARDS - each):
        if i % (each // 2) == 0:
            draw.next()
        j = i + draw.below(CARDS - i)
        pack[i], pack[j] = pack[j], pack[i]
    return [pack[p * each : (p + 1) * each] for p in range(seats)]


def played(hands, order, forcing, trump, leader, draw):
    """Tricks by seat; as many random words are drawn as the kernel draws."""
    place, rule, made = lanes.places(order, trump), follow(forcing, trump), [0] * len(hands)
    while hands[leader]:
        draw.next()
        trick = []
        for k in range(len(hands)):
            hand = hands[(leader + k) % len(hands)]
            free = sorted(rule.legal(tuple(hand), trick), key=lambda c: place[c])
            trick.append(free[draw.below(len(free))])
            hand.remove(trick[-1])
        leader = (leader + trick_winner(order, trick, trump)) % len(hands)
        made[leader] += 1
    return made


@pytest.mark.parametrize("forcing", FORCINGS, ids=name_of)
def test_deals_played_at_random_end_as_the_readable_engine_ends_them(forcing):
    pack, hands = np.zeros(CARDS, np.uint64), np.zeros(5, np.uint64)
    for n in range(30):
        order, trump, seats = ORDERS[n & 3], TRUMPS[n % 5], 4 + n % 2
        row, place, seed = lanes.tabulate(order, forcing)[trump], lanes.places(order, trump), 1000 * n
        deal(stream(seed, n), row, seats, pack, hands)
        cards = dealt(seed, n, seats)
        assert [int(h) for h in hands[:seats]] == [sum(1 << place[c] for c in h) for h in cards]
        tricks = int(play(row, hands, seats, n % seats, stream(seed ^ int(PLAY), n)))
        want = played(cards, order, forcing, trump, n % seats, Python(seed ^ int(PLAY), n))
        assert [tricks >> 8 * p & 255 for p in range(seats)] == want


@pytest.mark.parametrize(("seats", "side"), [(4, 1), (4, 10), (5, 9)])
def test_totals_do_not_depend_on_how_the_deals_are_split(seats, side):
    row = lanes.tabulate(ORDERS[0], FORCINGS[0])[1]
    whole, parts = np.zeros(11, np.int64), np.zeros(11, np.int64)
    run(7, 100, 2000, row, seats, side, whole)
    for first, number in ((100, 1), (101, 899), (1000, 1100)):
        run(7, first, number, row, seats, side, parts)
    assert whole.tolist() == parts.tolist()
    assert whole.sum() == 2000
    mean = (whole * np.arange(11)).sum() / 2000
    assert abs(mean - side.bit_count() * (40 / seats) / seats) < 0.2


def test_every_place_of_the_pack_is_dealt_equally_often():
    pack, hands = np.zeros(CARDS, np.uint64), np.zeros(5, np.uint64)
    row, place = lanes.tabulate(ORDERS[0], FORCINGS[0])[0], lanes.places(ORDERS[0], 0)
    for seats in (4, 5):
        held = np.zeros((seats, len(PACK)))
        for i in range(4000):
            deal(stream(3, i), row, seats, pack, hands)
            for p in range(seats):
                held[p] += [int(hands[p]) >> b & 1 for b in place]
        expected = 4000 / seats
        assert ((held - expected) ** 2 / expected).sum() < 40 * seats * 1.5
    assert int(TRUMP).bit_count() == lanes.LANE
