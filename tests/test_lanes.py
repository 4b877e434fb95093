"""Words of lanes and the duty to follow in the kernel, against the readable engine under every reading."""

import random
from collections import Counter
from itertools import product

import pytest

pytest.importorskip("numba")

import numpy as np
from lanes_support import FORCINGS, ORDERS, hands_of, name_of
from quadrille_plugins.fast import lanes
from quadrille_plugins.fast.abreast import ABREAST
from quadrille_plugins.fast.draws import CARDS, GAMMA, PLAY, stream
from quadrille_plugins.fast.follow import TRUMP, lane_of, legal_after
from quadrille_plugins.fast.playout import deal, play, run

from quadrille_core.cards import NO_TRUMP, PACK
from quadrille_core.engine.forcing import follow
from quadrille_core.engine.ranking import TRUMPS, ranking, trick_winner
from quadrille_core.stream import _mix

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
        self.fraction = 0

    def next(self):
        self.state = (self.state + int(GAMMA)) & ALL
        self.fraction = _mix(self.state) >> 6

    def below(self, n):
        drawn, self.fraction = divmod(self.fraction * n, 1 << 58)
        return drawn


def dealt(seed, index, seats, leader):
    """Each card goes to one of the places that are left in the hands, counted from the leader's on."""
    draw, hands = Python(seed, index), [[] for _ in range(seats)]
    for i, card in enumerate(PACK):
        if i % 5 == 0:
            draw.next()
        left = [
            p
            for n in range(seats)
            for p in [(leader + n) % seats] * (CARDS // seats - len(hands[(leader + n) % seats]))
        ]
        hands[left[draw.below(CARDS - i)]].append(card)
    return hands


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
    hands = np.zeros(5, np.uint64)
    for n in range(30):
        order, trump, seats = ORDERS[n & 3], TRUMPS[n % 5], 4 + n % 2
        row, place, seed = lanes.tabulate(order, forcing)[trump], lanes.places(order, trump), 1000 * n
        deal(stream(seed, n), row, seats, n % seats, hands)
        cards = dealt(seed, n, seats, n % seats)
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


@pytest.mark.parametrize("forcing", FORCINGS, ids=name_of)
def test_deals_played_abreast_are_the_deals_played_one_by_one(forcing):
    hands, first = np.zeros(4, np.uint64), 13
    for n, order in enumerate(ORDERS):
        row = lanes.tabulate(order, forcing)[TRUMPS[n % 5]]
        one_by_one = []
        for i in range(first, first + 2 * ABREAST):
            deal(stream(n, i), row, 4, i % 4, hands)
            tricks = int(play(row, hands, 4, i % 4, stream(n ^ int(PLAY), i)))
            one_by_one.append([tricks >> 8 * p & 255 for p in range(4)])
        for side in range(1, 16):
            made = np.zeros(11, np.int64)
            run(n, first, 2 * ABREAST, row, 4, side, made)
            want = Counter(sum(t for p, t in enumerate(tricks) if side >> p & 1) for tricks in one_by_one)
            assert {n: int(m) for n, m in enumerate(made) if m} == dict(want)


def test_every_place_of_the_pack_is_dealt_equally_often():
    hands = np.zeros(5, np.uint64)
    row, place = lanes.tabulate(ORDERS[0], FORCINGS[0])[0], lanes.places(ORDERS[0], 0)
    for seats in (4, 5):
        held = np.zeros((seats, len(PACK)))
        for i in range(4000):
            deal(stream(3, i), row, seats, i % seats, hands)
            for p in range(seats):
                held[p] += [int(hands[p]) >> b & 1 for b in place]
        expected = 4000 / seats
        assert ((held - expected) ** 2 / expected).sum() < 40 * seats * 1.5
    assert int(TRUMP).bit_count() == lanes.LANE
