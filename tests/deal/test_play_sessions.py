"""Sessions: who deals, what is put into the pool, what carries over, which suit is favourite."""

from dataclasses import replace
from fractions import Fraction

import pytest
from quadrille_plugins.deal.session import ConservationError, play_deal, play_session, play_streams
from support import made_rules
from support.table import FirstBot, TableBot

from quadrille_core.cards import HEARTS, NO_TRUMP
from quadrille_core.engine.carry import antes_of, chairs_of
from quadrille_core.engine.deal import (
    DealSetup,
    shuffled_hands,
)
from quadrille_core.engine.settle import settle


def test_the_dealer_is_the_eldest_hand_of_the_deal_before():
    for number in range(9):
        assert chairs_of(number + 1, 4)[3] == chairs_of(number, 4)[0]
        assert sorted(chairs_of(number, 4)) == [0, 1, 2, 3]


def test_each_player_antes_or_the_dealer_alone():
    each = made_rules(**{"stakes.ante": 2}).rules
    dealer = made_rules(**{"stakes.ante_by": "dealer", "stakes.ante": 4}).rules
    assert antes_of(each, chairs_of(0, 4)) == (2, 2, 2, 2)
    assert antes_of(dealer, chairs_of(0, 4)) == (0, 0, 0, 4)
    assert antes_of(dealer, chairs_of(1, 4)) == (4, 0, 0, 0)


@pytest.mark.parametrize("bot", [FirstBot(), TableBot()], ids=["first", "random"])
def test_purses_and_pool_add_up_through_a_session_and_the_pool_carries_over(bot):
    ruleset = made_rules()
    pool = Fraction(0)
    played = list(play_session(ruleset, [bot] * 4, seed=5, session=1, deals=40))
    for number, one in enumerate(played):
        assert one.chair_of_seat == chairs_of(number, 4)
        assert one.setup.pool == pool + sum(one.antes)
        assert sum(one.holdings) + one.pool_after == 160
        assert one.setup.players == tuple("ABCD"[c] for c in one.chair_of_seat)
        assert sum(one.net_of_chair) + one.pool_after - one.setup.pool == 0
        pool = one.pool_after
    assert len(played) == 40


def test_a_redeal_leaves_the_pool_standing_and_antes_are_put_again():
    ruleset = made_rules(**{"auction.all_pass": "redeal"})
    played = list(play_session(ruleset, [FirstBot()] * 4, seed=5, session=1, deals=3))
    assert [p.pool_after for p in played] == [4, 8, 12]
    assert [p.settlement for p in played] == [None] * 3
    assert played[-1].holdings == (37,) * 4


@pytest.mark.parametrize(
    ("source", "kinds"), [("none", 1), ("fixed", 1), ("first_trumps", 1), ("drawn_each_session", 1)]
)
def test_the_favourite_suit_of_a_session_comes_from_where_the_rules_say(source, kinds):
    ruleset = made_rules(
        **{"favourite.source": source, "favourite.suit": "hearts" if source == "fixed" else None}
    )
    played = list(play_session(ruleset, [FirstBot()] * 4, seed=5, session=1, deals=6))
    seen = [p.setup.favourite for p in played]
    assert len(set(seen[1:])) == kinds
    if source == "first_trumps":
        assert (seen[0], seen[1]) == (None, played[0].deal.trump)
    if source == "none":
        assert seen[1] is None
    if source == "fixed":
        assert seen[0] == HEARTS


def test_the_first_trumps_of_a_session_stay_its_favourite_suit():
    class SessionPasser(TableBot):
        def choose(self, view, legal, stream):
            return (
                legal[0]
                if view.phase == "auction" and stream.below(3)
                else super().choose(view, legal, stream)
            )

    ruleset = made_rules(**{"favourite.source": "first_trumps", "favourite.suit": None})
    played = list(play_session(ruleset, [SessionPasser()] * 4, seed=8, session=2, deals=40))
    named = [(n, p.deal.trump) for n, p in enumerate(played) if p.deal.trump != NO_TRUMP]
    first, trump = named[0]
    assert len({t for _, t in named}) > 1
    assert [p.setup.favourite for p in played] == [None] * (first + 1) + [trump] * (39 - first)


def test_counters_that_appear_from_nowhere_stop_the_session(monkeypatch):
    def generous(rules, result):
        settlement = settle(rules, result)
        return replace(settlement, pool_after=settlement.pool_after + 1)

    monkeypatch.setattr("quadrille_plugins.deal.session.settle", generous)
    with pytest.raises(ConservationError, match="161 counters, not 160"):
        list(play_session(made_rules(), [FirstBot()] * 4, seed=5, session=1, deals=1))


def test_a_favourite_suit_drawn_for_each_deal_changes():
    ruleset = made_rules(**{"favourite.source": "drawn_each_deal", "favourite.suit": None})
    played = list(play_session(ruleset, [FirstBot()] * 4, seed=5, session=1, deals=12))
    assert len({p.setup.favourite for p in played}) == 4


def test_bots_are_asked_with_views_of_their_own_seat_and_keep_their_chairs():
    class Watcher(FirstBot):
        def __init__(self):
            self.names = set()

        def choose(self, view, legal, stream):
            self.names.add(view.players[view.seat])
            assert view.turn == view.seat
            return legal[0]

    bots = [Watcher() for _ in range(4)]
    list(play_session(made_rules(), bots, seed=1, session=0, deals=4))
    assert [b.names for b in bots] == [{"A"}, {"B"}, {"C"}, {"D"}]


def test_a_deal_of_trivial_choices_has_no_needless_actions():
    """Forty cards, the bids and what follows them."""
    ruleset = made_rules()
    setup = DealSetup(
        hands=shuffled_hands(1, 0, 0, ruleset.rules), pool=Fraction(4), favourite=HEARTS
    )
    deal = play_deal(ruleset, setup, [FirstBot()] * 4, play_streams(1, 0, 0, 4))
    assert deal.over
    assert len(deal.actions) < 60
