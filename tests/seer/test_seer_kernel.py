"""What ``seer`` asks of the kernel is what the readable draw, the readable engine and the solver
say."""

from collections.abc import Iterator
from fractions import Fraction

import pytest

pytest.importorskip("numba")

import numpy as np
from quadrille_plugins.deal.view import View, view_of
from quadrille_plugins.players.steady import SteadyBot, valuer_of
from quadrille_plugins.players.steady_play import mask_of
from quadrille_plugins.seer import kernel_draw as seer_draw
from quadrille_plugins.seer import kernel_play as seer_play
from quadrille_plugins.seer.deals import Imagined
from quadrille_plugins.seer.kernel_bids import D_CALL, D_GIVE, D_INVITE, D_NAME
from quadrille_plugins.seer.kernel_solve import solve_cards
from quadrille_plugins.seer.player import Decision
from quadrille_plugins.seer.sample import DOUBT, LEAST_WEIGHT, TRIES, Knowledge, Opinion
from quadrille_plugins.seer.value import Judge
from quadrille_plugins.solver.solve import Position, Solver
from support.seer import PROFILES, deals_by_chance, stream_of
from support.table import dealt, say

from quadrille_core.cards import Card
from quadrille_core.engine.actions import Action
from quadrille_core.engine.settle import settle
from quadrille_core.engine.table import Deal
from quadrille_core.ruleset import compile_reference

STEADY = SteadyBot()


def imagined(view: View, count: int = 1) -> Imagined:
    return Imagined(view, valuer_of(view.rules), count, stream_of())


def knowing(deal: Deal, view: View) -> Imagined:
    """Imagines nothing but the deal as it is."""
    found = imagined(view)
    found.hands[:1] = found._by_seat([mask_of(hand) for hand in deal.hands])
    return found


def the_same(deal: Deal) -> Deal:
    """The deal so far, to go on with."""
    other = Deal(deal.ruleset, deal.setup)
    for _, action in deal.actions:
        other.apply(action)
    return other


def brings(deal: Deal, seat: int, action: Action) -> Fraction:
    """What an action brings a seat when all go on as steady does, by the readable engine."""
    other = the_same(deal)
    other.apply(action)
    while other.turn is not None:
        turn = other.turn
        other.apply(STEADY.choose(view_of(other, turn), other.legal(), stream_of()))
    result, players = other.result(), len(deal.hands)
    if result is None:
        return deal.setup.pool / players
    settlement = settle(deal.rules, result)
    return settlement.net[seat] + settlement.pool_after / players


def views(reference: str, deals: int, *phases: str) -> Iterator[tuple[Deal, View]]:
    for deal, view in deals_by_chance(reference, deals):
        if view.phase in phases and len(deal.legal()) > 1:
            yield deal, view


# --- drawing -------------------------------------------------------------------------------------


def test_the_numbers_are_the_readable_ones() -> None:
    assert (seer_draw.TRIES, seer_draw.DOUBT, seer_draw.MOST_DOUBT) == (TRIES, DOUBT, LEAST_WEIGHT)
    assert seer_play.MISCALLED == LEAST_WEIGHT


@pytest.mark.parametrize("reference", PROFILES)
def test_from_the_same_stream_the_same_hands_are_drawn_and_all_of_them_are_allowed(
    reference: str,
) -> None:
    compared = 0
    for number, (_, view) in enumerate(deals_by_chance(reference, 12)):
        known, one, stream = Knowledge(view), imagined(view), stream_of(number)
        room = np.array([*known.room, *[0] * (5 - known.seats)], np.int64)
        may = np.array([known.may[c] for c in known.unseen], np.int64)
        hands, numbers = np.zeros(5, np.uint64), np.zeros(seer_draw.ROOM, np.int64)
        found, state = seer_draw.draw(
            np.uint64(stream._state),
            np.array(known.unseen, np.int64),
            may,
            room,
            known.seats,
            one._row,
            one._answers(),
            hands,
            numbers,
        )
        drawn = known.draw(stream)
        if found:
            compared += 1
            assert known._allowed(drawn)
            assert int(state) == stream._state
            assert [mask_of(h) for s, h in enumerate(drawn) if s != view.seat] == [
                int(h) for s, h in enumerate(hands[: known.seats]) if s != view.seat
            ]
    assert compared > 200


@pytest.mark.parametrize("reference", PROFILES)
def test_deals_weigh_what_the_readable_opinion_says(reference: str) -> None:
    weights = set()
    for number, (_, view) in enumerate(deals_by_chance(reference, 9)):
        one = imagined(view)
        one._facts[seer_play.F_UNLIKE] = 0
        one.hands, weighed = one.weighed(4, number)
        opinion = Opinion(Knowledge(view), valuer_of(view.rules))
        for hands, weight in zip(one.as_cards(4), weighed.tolist(), strict=True):
            assert opinion.weight(hands) == max(weight >> seer_play.HEAVIEST - 24, 1)
            weights.add(weight)
    assert len(weights) > 4


def test_choosing_by_weight_takes_none_twice_and_the_words_of_the_stream() -> None:
    weights, stream = [5, 0, 1, 2**40, 7, 2**40], stream_of(4)
    left, wanted = weights[:], []
    for _ in range(5):
        at = stream.below(sum(left))
        place = next(n for n in range(6) if at < sum(left[: n + 1]))
        wanted.append(place)
        left[place] = 0
    chosen = np.zeros(5, np.int64)
    seer_draw.pick(np.uint64(stream_of(4)._state), np.array(weights, np.int64), chosen)
    assert chosen.tolist() == wanted
    assert sorted(wanted) == [0, 2, 3, 4, 5]


def test_a_card_that_steady_would_not_have_played_speaks_against_a_deal() -> None:
    for deal, view in deals_by_chance("quadrille-laws", 8):
        if view.phase != "play" or not view.tricks:
            continue
        one = knowing(deal, view)
        other = 0
        past = Deal(deal.ruleset, deal.setup)
        for seat, action in deal.actions:
            if action.kind == "play" and seat != view.seat:
                other += STEADY.choose(view_of(past, seat), past.legal(), stream_of()) != action
            past.apply(action)
        rules, mind = one.tables.arrays
        game = one._game.copy()
        hands = zip(one.hands[0], one._gone, strict=True)
        began = np.array([seer_draw.home_of(rules, held | gone) for held, gone in hands], np.uint64)
        found = seer_play.replay(rules, mind, game, began, one._played, one._facts, True)
        assert found == other


# --- playing out ---------------------------------------------------------------------------------


@pytest.mark.parametrize("reference", PROFILES)
def test_cards_bring_what_they_bring_when_the_readable_engine_goes_on(reference: str) -> None:
    compared = 0
    for number, (deal, view) in enumerate(views(reference, 12, "play")):
        if number % 3 == 0:
            one, legal = knowing(deal, view), deal.legal()
            brought = one.cards([a.card for a in legal])
            assert brought is not None
            for action, amount in zip(legal, brought[0].tolist(), strict=True):
                assert Fraction(amount, one.parts) == brings(deal, view.seat, action)
                compared += 1
    assert compared > 150


@pytest.mark.parametrize("reference", PROFILES)
def test_bids_bring_what_they_bring_when_the_readable_engine_goes_on(reference: str) -> None:
    compared = 0
    for deal, view in views(reference, 25, "auction"):
        one, legal = knowing(deal, view), deal.legal()
        mind = Decision(view, legal, stream_of(), legal[0], 1)
        brought = one.bids(
            [(s, mind.spec_of(a, n), a.suit) for n, (s, a) in enumerate(view.auction)],
            [(mind.spec_of(a, len(view.auction)), a.suit) for a in legal],
        )
        assert brought is not None
        for action, amount in zip(legal, brought[0].tolist(), strict=True):
            assert Fraction(amount, one.parts) == brings(deal, view.seat, action)
            compared += 1
    assert compared > 100


@pytest.mark.parametrize("reference", PROFILES)
def test_declarations_bring_what_they_bring_when_the_readable_engine_goes_on(
    reference: str,
) -> None:
    what, compared = {"trump": D_NAME, "call": D_CALL, "give": D_GIVE, "invite": D_INVITE}, 0
    for deal, view in views(reference, 30, "declare"):
        one, legal = knowing(deal, view), deal.legal()
        brought = one.ways(
            [(what[a.kind], a.suit if a.suit is not None else a.card or 0) for a in legal]
        )
        assert brought is not None
        for action, amount in zip(legal, brought[0].tolist(), strict=True):
            assert Fraction(amount, one.parts) == brings(deal, view.seat, action)
            compared += 1
    assert compared > 40


def test_a_vole_that_steady_announces_before_the_first_lead_is_announced_by_the_kernel_too() -> (
    None
):
    """With every card sure to win it does, and with one that is not it does not; the kernel pays as
    it does."""
    ruleset = compile_reference("quadrille-laws+vole-announced").ruleset
    for last, vole in (("S4", "announced"), ("H2", "none")):
        deal = say(Deal(ruleset, dealt(f"SA S2 CA SK SQ SJ S7 S6 S5 {last}")), "bid solo")
        one, legal = knowing(deal, view_of(deal, 0)), deal.legal()
        brought = one.ways([(D_NAME, a.suit or 0) for a in legal])
        assert brought is not None
        for action, amount in zip(legal, brought[0].tolist(), strict=True):
            assert Fraction(amount, one.parts) == brings(deal, 0, action)
        named = say(deal, "trump spades")
        named.apply(STEADY.choose(view_of(named, 0), named.legal(), stream_of()))
        assert named.vole == vole


# --- solving -------------------------------------------------------------------------------------


@pytest.mark.parametrize("reference", PROFILES)
def test_the_tricks_after_each_card_are_the_solvers(reference: str) -> None:
    compared, solver = 0, Solver()
    for deal, view in views(reference, 40, "play"):
        bid, trump, hombre = view.bid, view.trump, view.hombre
        if len(view.hand) > 5 or bid is None or trump is None or hombre is None:
            continue
        one, rules = knowing(deal, view), view.rules
        side = sum(1 << s for s in deal.side())
        none = bid.goal == "none"
        hands = tuple(tuple(h) for h in deal.hands)
        at = Position(
            rules.cards,
            rules.forcing,
            trump,
            hands,
            view.leader,
            side,
            "fewest" if none else "most",
            view.trick,
        )
        values = solver.values(at)
        cards = sorted(values)
        judge = Judge(view)
        made = np.zeros((1, len(cards)), np.int64)
        solve_cards(
            judge.ready(side, trump, bid),
            one._row,
            one.hands,
            np.array([0]),
            np.array(view.trick, np.int64),
            view.leader,
            view.seat,
            np.array(cards, np.int64),
            10,
            made,
        )
        wanted = [values[Card(c)] for c in cards]
        if none:  # with a threshold of ten no more than none, one or more is told
            assert [m > 0 for m in made[0].tolist()] == [w > 0 for w in wanted]
        else:
            assert made[0].tolist() == wanted
            brought = one.cards(cards)
            assert brought is not None
            game = Decision(view, deal.legal(), stream_of(), deal.legal()[0], 1)._game(hands, judge)
            paid = [judge.worth(game, tricks)[view.seat] * one.parts for tricks in wanted]
            assert one.solved(cards, 1, judge)[0].tolist() == [
                p.numerator // p.denominator for p in paid
            ]
        compared += len(cards)
    assert compared > 100
