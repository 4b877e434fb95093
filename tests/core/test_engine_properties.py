"""What holds of every deal under whatever rules: it ends, there is always a move, it replays."""

import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from quadrille_plugins.deal.record import replay, to_record
from quadrille_plugins.deal.session import play_session
from quadrille_plugins.deal.view import view_of
from support import made_rules
from support.data import listed
from support.table import TableBot

from quadrille_core.cards import NO_TRUMP, PACK, SUITS, Suit, format_card
from quadrille_core.engine.deal import DealSetup, shuffled_hands
from quadrille_core.engine.settle import settle
from quadrille_core.engine.table import Deal
from quadrille_core.stream import Purpose, Stream

BIDS = ("forced-spadille", "alliance", "mediateur", "casco", "solo", "grandissimo", "nemo")
TRIED = listed("engine_properties")
CHOICES = TRIED["rules"] | {
    f"bids.{bid}.{field}": values for bid in BIDS for field, values in TRIED["bids"].items()
}
overrides = st.fixed_dictionaries(
    {}, optional={path: st.sampled_from(values) for path, values in CHOICES.items()}
)
cells = st.lists(
    st.builds(
        lambda trump, after, card, allowed: {
            "trump": trump,
            "after": after,
            "card": card,
            "allowed": allowed,
        },
        st.sampled_from([*SUITS, "none"]),
        st.sampled_from([format_card(c) for c in PACK]),
        st.sampled_from([format_card(c) for c in PACK]),
        st.booleans(),
    ),
    max_size=6,
    unique_by=lambda c: (c["trump"], c["after"], c["card"]),
)


def drive(ruleset, setup, stream, *, bold):
    """Play at random; ``bold`` biases the auction away from the top of the ladder, to see every
    bid."""
    deal = Deal(ruleset, setup)
    while deal.turn is not None:
        legal = deal.legal()
        assert legal
        assert len(set(legal)) == len(legal)
        assert deal.turn in range(4)
        first = deal.phase == "auction" and stream.below(4) < bold
        action = legal[0] if first else legal[stream.below(len(legal))]
        assert deal.refusal(action) is None
        deal.apply(action)
    return deal


@settings(max_examples=250, deadline=None)
@given(
    overrides, cells, st.integers(0, 2**32), st.sampled_from([None, 0, 1, 2, 3]), st.integers(0, 4)
)
def test_under_any_rules_a_deal_ends_and_its_record_replays_to_the_same_events(
    changes, exceptions, seed, fav, bold
):
    ruleset = made_rules(**changes, **{"forcing.exceptions": exceptions})
    favourite = None if fav is None else Suit(fav)
    setup = DealSetup(
        hands=shuffled_hands(seed, 0, 0, ruleset.rules), pool=Fraction(4), favourite=favourite
    )
    deal = drive(ruleset, setup, Stream(seed, 0, 0, Purpose.PLAY), bold=bold)
    again = replay(ruleset, json.loads(json.dumps(to_record(deal))))
    assert again.divergence is None
    assert again.deal.events == deal.events
    assert again.deal.result() == deal.result()
    consistent(deal)


def consistent(deal):
    """The result agrees with the tricks, counted anew."""
    result = deal.result()
    if result is None:
        assert deal.redealt
        return
    played = [c for t in deal.tricks for c in t.cards]
    assert len(set(played)) == len(played) == 4 * sum(result.tricks)
    assert sum(result.tricks) == 10 or deal.events[-1].note in (
        "the game is claimed",
        "the game is lost",
    )
    assert result.ally != result.hombre
    assert (result.trump == NO_TRUMP) == (deal.bid.trump == "none")
    assert result.matadors <= 4
    side = result.side()
    takers = side if deal.rules.payments.premiers_won_by == "side" else (deal.hombre,)
    first = [t.winner in takers for t in deal.tricks[: deal.rules.premiers.tricks]]
    assert not (result.matadors and result.adversary_matadors)
    if deal.bid.goal != "none":  # a game against tricks may be over with the first of them
        assert result.premiers == (
            deal.bid.premiers and len(first) == deal.rules.premiers.tricks and all(first)
        )
    if result.vole == "undertaken":
        assert deal.bid.may_undertake_vole
        assert sum(result.tricks) == 10


@settings(max_examples=60, deadline=None)
@given(overrides, st.integers(0, 2**32))
def test_settlement_accepts_every_result_the_table_produces_and_pays_exactly(changes, seed):
    ruleset = made_rules(**changes)
    setup = DealSetup(
        hands=shuffled_hands(seed, 0, 0, ruleset.rules), pool=Fraction(7), favourite=Suit(1)
    )
    deal = drive(ruleset, setup, Stream(seed, 0, 0, Purpose.PLAY), bold=2)
    result = deal.result()
    if result is None:
        return
    settlement = settle(ruleset.rules, result)
    assert sum(settlement.net) + settlement.pool_after == settlement.pool_before
    again = replay(ruleset, to_record(deal, settlement)).deal
    assert settle(ruleset.rules, again.result()) == settlement


@settings(max_examples=40, deadline=None)
@given(overrides, st.integers(0, 2**32))
def test_the_order_in_which_a_hand_was_dealt_changes_nothing(changes, seed):
    ruleset = made_rules(**changes)
    hands = shuffled_hands(seed, 0, 0, ruleset.rules)
    one = DealSetup(hands=hands, pool=Fraction(4), favourite=Suit(1))
    other = DealSetup(
        hands=tuple(tuple(reversed(h)) for h in hands), pool=Fraction(4), favourite=Suit(1)
    )
    played = [drive(ruleset, s, Stream(seed, 0, 0, Purpose.PLAY), bold=2) for s in (one, other)]
    assert played[0].events == played[1].events
    assert view_of(played[0], 2) == view_of(played[1], 2)


@settings(max_examples=30, deadline=None)
@given(overrides, st.integers(0, 2**32), st.integers(0, 3))
def test_a_view_holds_no_card_that_its_seat_has_not_seen(changes, seed, seat):
    ruleset = made_rules(**changes)
    setup = DealSetup(
        hands=shuffled_hands(seed, 0, 0, ruleset.rules), pool=Fraction(4), favourite=Suit(1)
    )
    stream = Stream(seed, 0, 0, Purpose.PLAY)
    deal = Deal(ruleset, setup)
    while deal.turn is not None:
        view = view_of(deal, seat)
        assert view.hand == tuple(deal.hands[seat])
        for other, cards in view.exposed:
            assert other != seat
            assert set(cards) <= set(deal.hands[other])
        if view.ally is not None:
            assert view.ally == deal.ally
        if view.alone is not None:
            assert view.alone == (deal.ally is None)
        legal = deal.legal()
        deal.apply(legal[stream.below(len(legal))])


SCRIPT = """
import json, sys
from support import made_rules
from support.table import TableBot
from quadrille_plugins.deal.record import to_record
from quadrille_plugins.deal.session import play_session
for one in play_session(made_rules(), [TableBot()] * 4, seed=9, session=4, deals=12):
    print(json.dumps(to_record(one.deal, one.settlement)))
"""


def test_the_same_seed_gives_the_same_bytes_in_another_process_with_other_hashes():
    tests = Path(__file__).parents[1]
    outputs = []
    for hashseed in ("1", "4242"):
        env = os.environ | {
            "PYTHONHASHSEED": hashseed,
            "PYTHONPATH": f"{tests}{os.pathsep}{tests.parent}",
        }
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT], env=env, capture_output=True, check=True, timeout=60
        )
        outputs.append(done.stdout)
    here = [
        json.dumps(to_record(one.deal, one.settlement))
        for one in play_session(made_rules(), [TableBot()] * 4, seed=9, session=4, deals=12)
    ]
    assert outputs[0] == outputs[1]
    assert outputs[0].decode().splitlines() == here


@pytest.mark.parametrize("bid", BIDS)
def test_every_contract_of_the_made_rules_is_reached_and_settled(bid):
    ruleset = made_rules()
    reached = 0
    for seed in range(80):
        setup = DealSetup(
            hands=shuffled_hands(seed, 0, 0, ruleset.rules), pool=Fraction(4), favourite=Suit(1)
        )
        deal = Deal(ruleset, setup)
        stream = Stream(seed, 0, 1, Purpose.PLAY)
        wanted = False
        while deal.turn is not None:
            legal = deal.legal()
            if deal.phase == "auction":
                mine = [a for a in legal if a.bid is not None and a.bid.bid == bid]
                action = mine[0] if mine and not wanted else legal[0]
                wanted = wanted or bool(mine)
            else:
                action = legal[stream.below(len(legal))]
            deal.apply(action)
        result = deal.result()
        if result.contract == bid:
            reached += 1
            settle(ruleset.rules, result)
    assert reached > 3
