"""The solver against trying everything: every reading of the duty to follow, every side, most and
fewest tricks."""

import random
from dataclasses import replace

import pytest

pytest.importorskip("numba")

import numpy as np
from quadrille_plugins.kernel import lanes
from quadrille_plugins.solver.solve import Position, Solver
from support.lanes import FORCINGS, ORDERS, hands_of, name_of

from quadrille_core.cards import NO_TRUMP, PACK, SPADES, parse_cards
from quadrille_core.engine.forcing import follow
from quadrille_core.engine.ranking import TRUMPS, effective_suits, ranking, trick_winner

SOLVER = Solver()
TABLES = {(o, f): lanes.tabulate(o, f) for o in ORDERS for f in FORCINGS}


def ending(rng, forcing, sizes):
    """An ending of so many cards: every trump and none, either side of one to four players, either
    wish."""
    seats, trump, order = rng.choice((4, 4, 5)), rng.choice(TRUMPS), rng.choice(ORDERS)
    size = rng.choice(sizes) if seats == 4 else min(rng.choice(sizes), 4)
    hands = tuple(tuple(h) for h in hands_of(rng, trump, seats, size))
    side = rng.choice(
        [m for m in range(1, (1 << seats) - 1) if m.bit_count() < 3 or rng.random() < 0.2]
    )
    objective = rng.choice(("most", "most", "fewest"))
    return Position(order, forcing, trump, hands, rng.randrange(seats), side, objective)


def midway(rng, position):
    """The same position some cards into its first trick."""
    rule, played, hands = follow(position.forcing, position.trump), [], list(position.hands)
    for _ in range(rng.randrange(len(hands))):
        turn = (position.leader + len(played)) % len(hands)
        played.append(rng.choice(rule.legal(hands[turn], played)))
        hands[turn] = tuple(c for c in hands[turn] if c != played[-1])
    return replace(position, hands=tuple(hands), trick=tuple(played))


def everything(position, low=-1, high=99):
    """The value by trying everything, compiled; only whether it is above ``low`` if that is next
    below ``high``."""
    from support.minimax import compiled  # Numba compiles it as it is imported

    words = np.array(
        [lanes.word_of(position.order, position.trump, h) for h in position.hands], np.uint64
    )
    tricks = np.zeros((11, 5), np.uint64)
    tricks[0, : len(position.trick)] = [
        lanes.word_of(position.order, position.trump, [c]) for c in position.trick
    ]
    row, fewest = (
        TABLES[position.order, position.forcing][position.trump],
        position.objective == "fewest",
    )
    return compiled(
        row,
        words,
        len(words),
        position.leader,
        len(position.trick),
        tricks,
        position.side,
        fewest,
        0,
        low,
        high,
    )


@pytest.mark.parametrize("forcing", FORCINGS, ids=name_of)
def test_the_two_ways_of_trying_everything_agree(forcing):
    from support.minimax import readable

    rng = random.Random("both " + name_of(forcing))
    for _ in range(6):
        position = midway(rng, ending(rng, forcing, (2, 3)))
        if sum(map(len, position.hands)) <= 14:
            assert everything(position) == readable(position), position


@pytest.mark.parametrize(
    "sample", [range(24), pytest.param(range(24, 90), marks=pytest.mark.slow)], ids=["few", "many"]
)
@pytest.mark.parametrize("forcing", FORCINGS, ids=name_of)
def test_the_solver_finds_what_trying_everything_finds(forcing, sample):
    rng = random.Random(f"solved {name_of(forcing)} {sample[0]}")
    seen = set()
    for n in sample:
        position = ending(rng, forcing, (3, 3, 4, 4, 5))
        if n % 3 == 0:
            position = midway(rng, position)
        want = everything(position)
        assert SOLVER.exact(position) == want, position
        for need in range(position.tricks + 2):
            assert SOLVER.at_least(position, need) == (want >= need), (position, need)
        seen.add(
            (position.objective, position.trump == NO_TRUMP, len(position.hands), min(want, 2))
        )
    assert len(seen) > (14 if len(sample) > 24 else 9)


def even(rng, forcing):
    """An ending of five cards in five hands, of three suits that all hold alike, so that everything
    can be tried."""
    trump = rng.choice(TRUMPS)
    suits = effective_suits(trump)
    of = {suit: [c for c in PACK if suits[c] == suit] for suit in {suits[c] for c in PACK}}
    twice = rng.sample(sorted(s for s in of if len(of[s]) > 9), 2)
    hands = [[] for _ in range(5)]
    for suit, many in (
        *((s, 2) for s in twice),
        (rng.choice([s for s in of if s not in twice and len(of[s]) > 4]), 1),
    ):
        cards = rng.sample(of[suit], 5 * many)
        for seat, hand in enumerate(hands):
            hand.extend(cards[seat * many : (seat + 1) * many])
    side = sum(1 << s for s in rng.sample(range(5), rng.choice((1, 2, 2))))
    objective = rng.choice(("most", "most", "fewest"))
    return Position(
        rng.choice(ORDERS),
        forcing,
        trump,
        tuple(map(tuple, hands)),
        rng.randrange(5),
        side,
        objective,
    )


def test_it_finds_the_same_in_five_hands_of_five_cards():
    rng, seen = random.Random(55), set()
    for forcing in (*FORCINGS, *FORCINGS[::3]):
        position = even(rng, forcing)
        want = everything(position)
        assert SOLVER.exact(position) == want, position
        assert [SOLVER.at_least(position, n) for n in range(7)] == [want >= n for n in range(7)], (
            position
        )
        seen.add((position.objective, position.trump == NO_TRUMP, want))
    assert len(seen) > 12


def weak(rng, size):
    """A deal at which one player, mostly of low cards, wants no trick; one in three with a trump
    suit."""
    trump, order = rng.choice((*TRUMPS[:4], *[NO_TRUMP] * 8)), rng.choice(ORDERS)
    rank = ranking(order, trump)
    few = 8 * rng.random()
    pack = sorted(
        PACK,
        key=lambda c: (
            (rank.strength[c] - (100 - few if rank.suits[c] == trump else 0)) + rng.random() * 9
        ),
    )
    mine, pack = pack[:size], pack[size:]
    rng.shuffle(pack)
    hands = [tuple(pack[i * size : (i + 1) * size]) for i in range(3)]
    seat = rng.randrange(4)
    hands.insert(seat, tuple(mine))
    return Position(order, FORCINGS[0], trump, tuple(hands), rng.randrange(4), 1 << seat, "fewest")


def test_a_hand_that_wants_no_trick_is_judged_as_by_trying_everything():
    rng = random.Random(31)
    found = []
    for _ in range(250):
        position = weak(rng, rng.choice((3, 4, 4, 5)))
        found.append(SOLVER.at_least(position, 1))
        assert found[-1] == (everything(position, 0, 1) > 0), position
    assert 50 < sum(found) < 200


def test_whoever_leads_the_lowest_cards_of_a_suit_that_nobody_follows_makes_the_tricks():
    hands = tuple(parse_cards(cards) for cards in ("H7 H6", "CK D7", "CQ D6", "CJ D5"))
    position = Position(ORDERS[0], FORCINGS[0], SPADES, hands, 0, 1, "fewest")
    assert SOLVER.exact(position) == 2
    assert SOLVER.exact(replace(position, leader=1)) == 0
    assert SOLVER.exact(replace(position, hands=(*hands[:3], parse_cards("CJ HJ")))) == 0


def strong(rng, forcing, trump):
    """A deal rich in trumps; whoever leads has mostly high cards, and mostly counts."""
    order, leader = rng.choice(ORDERS), rng.randrange(4)
    seats, size = rng.choice(((4, 3), (4, 4), (5, 3)))
    rank = ranking(order, trump)
    pack = sorted(PACK, key=lambda c: rng.random() - (rank.suits[c] == trump))[: seats * size]
    mixed = rng.choice((2, 5, 10))
    pack.sort(
        key=lambda c: -rank.strength[c] / 40 - 2 * (rank.suits[c] == trump) + rng.random() * mixed
    )
    rest = rng.sample(pack[size:], (seats - 1) * size)
    hands = [tuple(rest[i * size : (i + 1) * size]) for i in range(seats - 1)]
    hands.insert(leader, tuple(pack[:size]))
    side = 1 << leader | 1 << rng.randrange(seats)
    side = side if rng.random() < 0.8 else side ^ (1 << seats) - 1
    return Position(order, forcing, trump, tuple(hands), leader, side)


@pytest.mark.parametrize("forcing", FORCINGS, ids=name_of)
def test_what_a_strong_hand_on_lead_makes_is_what_trying_everything_finds(forcing):
    rng = random.Random("strong " + name_of(forcing))
    for n in range(15):
        position = strong(rng, forcing, TRUMPS[n % 5])
        assert SOLVER.exact(position) == everything(position), position


@pytest.mark.parametrize(
    ("cards", "made"),
    [
        (
            ("SA S3 HK HQ", "SJ H7 H6 C7", "SQ D7 D6 CJ", "C6 C5 C4 C3"),
            4,
        ),  # trumps drawn, hearts are high
        (("SK CK CQ HK", "SJ H7 H6 C7", "D7 D6 D5 CJ", "C6 C5 C4 C3"), 4),
        (
            ("C7 HK HQ CK", "SJ H7 H6 C6", "D7 D6 D5 CJ", "SQ H5 H4 C4"),
            3,
        ),  # winners to which both with trumps follow
        (
            ("C7 HK HQ CK", "SJ H7 H6 C6", "D7 D6 D5 CJ", "SQ H5 C5 C4"),
            2,
        ),  # one of them has no second heart
    ],
)
def test_tricks_at_hand_are_counted(cards, made):
    hands = tuple(parse_cards(hand) for hand in cards)
    position = Position(ORDERS[0], FORCINGS[0], SPADES, hands, 0, 1)
    assert SOLVER.exact(position) == everything(position)
    SOLVER.forget()
    before = SOLVER.nodes
    assert SOLVER.at_least(position, made)
    assert SOLVER.nodes == before


def test_a_partner_who_has_only_trumps_ruffs_a_winner():
    # they are left on lead: Spadille is no longer withheld, and Manille's holder discards the heart
    # to follow with
    hands = tuple(parse_cards(hand) for hand in ("HK HQ C3", "SA H7 H6", "S3 S4 S5", "S2 H5 H4"))
    position = Position(ORDERS[0], FORCINGS[0], SPADES, hands, 0, 0b101)
    assert everything(position) == 1
    assert SOLVER.exact(position) == 1


@pytest.mark.parametrize("forcing", FORCINGS[::4], ids=name_of)
def test_the_values_of_the_cards_and_the_best_line_bear_the_value_out(forcing):
    rng = random.Random("line " + name_of(forcing))
    for _ in range(12):
        position = midway(rng, ending(rng, forcing, (2, 3, 4)))
        rule, value, line = (
            follow(forcing, position.trump),
            SOLVER.exact(position),
            SOLVER.line(position),
        )
        values, hands = SOLVER.values(position), list(position.hands)
        turn = position.turn
        assert sorted(values) == sorted(rule.legal(hands[turn], position.trick))
        most = bool(position.side >> turn & 1) == (position.objective == "most")
        assert (max if most else min)(values.values()) == value
        for card, worth in values.items():
            after = replace(
                position,
                hands=tuple(tuple(c for c in h if c != card) for h in hands),
                trick=(*position.trick, card),
            )
            if len(after.trick) < len(hands):
                assert everything(after) == worth
        trick, leader, made = list(position.trick), position.leader, 0
        for seat, card in line:
            assert seat == (leader + len(trick)) % len(hands)
            assert card in rule.legal(hands[seat], trick)
            hands[seat] = tuple(c for c in hands[seat] if c != card)
            trick.append(card)
            if len(trick) == len(hands):
                leader = (leader + trick_winner(position.order, trick, position.trump)) % len(hands)
                made, trick = made + (position.side >> leader & 1), []
        assert not any(hands)
        assert made == value


def test_what_is_no_position_is_refused():
    hands = tuple((c, c + 10) for c in range(4))
    good = Position(ORDERS[0], FORCINGS[0], TRUMPS[0], hands, 0, 1)
    assert not good.fault()
    for change in (
        {"hands": hands[:3]},
        {"hands": (*hands[:3], (3,))},
        {"hands": (*hands[:3], (2, 13))},
        {"hands": (*hands[:3], (3, 3))},
        {"hands": ((13, 13), (13, 13), (12, 12), (11, 11))},
        {"hands": (*hands[:3], (3, 40))},
        {"hands": (*hands[:3], (3, -1))},
        {"hands": ()},
        {"trump": 5},
        {"trump": -1},
        {"leader": 4},
        {"leader": -1},
        {"side": 16},
        {"side": -1},
        {"trick": (39,)},
        {"hands": ((), (), (), ())},
    ):
        with pytest.raises(ValueError, match="no position"):
            SOLVER.exact(replace(good, **change))


def test_what_was_asked_before_changes_no_answer():
    rng = random.Random(8)
    positions = [ending(rng, FORCINGS[0], (6, 7)) for _ in range(12)]
    fresh = []
    for position in positions:
        SOLVER.forget()
        fresh.append(SOLVER.exact(position))
    same = [replace(p, side=1, objective="most") for p in positions for _ in range(2)]
    assert [SOLVER.exact(p) for p in positions] == fresh
    once = [Solver().exact(p) for p in same]
    assert [SOLVER.exact(p) for p in same] == once
