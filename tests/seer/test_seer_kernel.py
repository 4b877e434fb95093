"""What ``seer`` asks of the kernel is what the readable draw, the readable engine and the solver
say."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import pytest

pytest.importorskip("numba")

import numpy as np
from quadrille_plugins.deal.view import View, view_of
from quadrille_plugins.house_rules.testing import same_by_both_engines
from quadrille_plugins.players.steady import SteadyBot, valuer_of
from quadrille_plugins.seer import kernel_draw, kernel_play
from quadrille_plugins.seer.kernel_choose import BID, DECLARE, PLAY, VOLE
from quadrille_plugins.solver.solve import Position, Solver
from support.seer import PROFILES, Looking, deals_by_chance, stream_of
from support.seer_draw import Knowledge, Opinion
from support.seer_worth import Game, Judge
from support.table import dealt, say

from quadrille_core.engine.actions import Action
from quadrille_core.engine.settle import settle
from quadrille_core.engine.table import Deal
from quadrille_core.engine.terms import may_stop
from quadrille_core.ruleset import compile_reference

STEADY = SteadyBot()
NO_EVENTS = np.zeros(0, np.int64)


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


# --- both engines --------------------------------------------------------------------------------


@pytest.mark.parametrize("reference", PROFILES)
def test_both_engines_play_seer_alike_event_by_event(reference: str) -> None:
    """What the fast engine reads off its deal is what the readable one reads off a view."""
    ruleset = compile_reference(reference).ruleset
    told = same_by_both_engines(ruleset, deals=6, seed=7, players="seer:deals=10", session=3)
    assert told, told.difference or told.blocked
    assert told.deals == 6


# --- drawing -------------------------------------------------------------------------------------


@pytest.mark.parametrize("reference", PROFILES)
def test_from_the_same_stream_the_same_hands_are_drawn_and_all_of_them_are_allowed(
    reference: str,
) -> None:
    compared = 0
    for number, (_, view) in enumerate(deals_by_chance(reference, 12)):
        known, one, stream = Knowledge(view), Looking(view), stream_of(number)
        found, state = kernel_draw.draw(one.rules, one.mind, np.uint64(stream._state))
        hands = known.draw(stream)
        assert bool(found) == (hands is not None)
        if hands is not None:
            compared += 1
            assert known.allows(hands)
            assert int(state) == stream._state
            drawn = one.mind["drawn"].tolist()
            for seat, hand in enumerate(hands):
                assert drawn[seat] == (0 if seat == view.seat else one.home(hand))
    assert compared > 200


@pytest.mark.parametrize("reference", PROFILES)
def test_a_deal_is_doubted_for_what_was_said_and_for_cards_steady_would_not_have_played(
    reference: str,
) -> None:
    found = set()
    for deal, view in deals_by_chance(reference, 9):
        one, other = Looking(view), 0
        one.begin(deal.hands)
        past = Deal(deal.ruleset, deal.setup)
        for seat, action in deal.actions:
            if action.kind == "play" and seat != view.seat:
                other += STEADY.choose(view_of(past, seat), past.legal(), stream_of()) != action
            past.apply(action)
        hands = tuple(tuple(hand) for hand in deal.hands)
        said = Opinion(Knowledge(view), valuer_of(view.rules)).doubts(hands)
        doubts = kernel_play.doubted(one.rules, one.steady, one.mind, NO_EVENTS)
        assert doubts == said + kernel_play.UNLIKELY * other
        found.add(doubts)
    assert len(found) > 4


def test_choosing_by_weight_takes_none_twice_and_the_words_of_the_stream() -> None:
    weights, stream = [5, 0, 1, 2**40, 7, 2**40], stream_of(4)
    left, wanted = weights[:], []
    for _ in range(5):
        at = stream.below(sum(left))
        place = next(n for n in range(6) if at < sum(left[: n + 1]))
        wanted.append(place)
        left[place] = 0
    mind = Looking(next(deals_by_chance("quadrille-laws", 1))[1]).mind
    mind["weights"][:6], mind["found"][:6, 0] = weights, range(6)
    state = kernel_draw.keep(mind, np.uint64(stream_of(4)._state), 6, 5)
    assert mind["hands"][:5, 0].tolist() == wanted
    assert int(state) == stream._state
    assert sorted(wanted) == [0, 2, 3, 4, 5]


# --- playing out ---------------------------------------------------------------------------------


@pytest.mark.parametrize("reference", PROFILES)
@pytest.mark.parametrize(
    ("phase", "what", "deals", "least"),
    [("play", PLAY, 12, 150), ("auction", BID, 25, 100), ("declare", DECLARE, 30, 40)],
)
def test_choices_bring_what_they_bring_when_the_readable_engine_goes_on(
    reference: str, phase: str, what: int, deals: int, least: int
) -> None:
    compared = 0
    for number, (deal, view) in enumerate(views(reference, deals, phase)):
        if phase == "play" and number % 3:
            continue
        one, legal = Looking(view), deal.legal()
        for action, amount in zip(legal, one.brought(what, legal, deal.hands), strict=True):
            assert Fraction(amount, one.parts) == brings(deal, view.seat, action)
            compared += 1
    assert compared > least


def test_a_vole_that_steady_announces_before_the_first_lead_is_announced_by_the_kernel_too() -> (
    None
):
    """With every card sure to win it does, and with one that is not it does not; the kernel pays as
    it does."""
    ruleset = compile_reference("quadrille-laws+vole-announced").ruleset
    for last, vole in (("S4", "announced"), ("H2", "none")):
        deal = say(Deal(ruleset, dealt(f"SA S2 CA SK SQ SJ S7 S6 S5 {last}")), "bid solo")
        one, legal = Looking(view_of(deal, 0)), deal.legal()
        for action, amount in zip(legal, one.brought(DECLARE, legal, deal.hands), strict=True):
            assert Fraction(amount, one.parts) == brings(deal, 0, action)
        named = say(deal, "trump spades")
        named.apply(STEADY.choose(view_of(named, 0), named.legal(), stream_of()))
        assert named.vole == vole


# --- solving -------------------------------------------------------------------------------------


def game_of(deal: Deal, view: View) -> Game:
    """The game being played."""
    assert view.contract is not None
    assert deal.hombre is not None
    assert deal.trump is not None
    side = deal.side()
    return Game(
        spec=view.contract,
        hombre=deal.hombre,
        trump=deal.trump,
        ally=deal.ally,
        surrendered=view.surrendered,
        matadors=deal._matadors,
        against=deal._against,
        made=tuple(view.won),
        straight=all(t.winner in side for t in view.tricks),
        vole=view.vole,
    )


def position(deal: Deal, view: View) -> Position:
    bid, rules = view.bid, view.rules
    assert bid is not None
    assert view.trump is not None
    return Position(
        rules.cards,
        rules.forcing,
        view.trump,
        tuple(tuple(h) for h in deal.hands),
        view.leader,
        sum(1 << s for s in deal.side()),
        "fewest" if bid.goal == "none" else "most",
        view.trick,
    )


def floored(paid: Fraction) -> int:
    return paid.numerator // paid.denominator


@pytest.mark.parametrize("reference", PROFILES)
def test_cards_solved_bring_what_the_rules_pay_for_the_tricks_of_the_solver(
    reference: str,
) -> None:
    compared, solver = 0, Solver()
    for deal, view in views(reference, 40, "play"):
        legal = [a for a in deal.legal() if a.kind == "play"]
        if len(view.hand) > 5 or len(legal) < len(deal.legal()):
            continue
        one, judge, values = Looking(view, 5), Judge(view), solver.values(position(deal, view))
        brought = one.brought(PLAY, legal, deal.hands)
        fewest = view.bid is not None and view.bid.goal == "none"
        for action, amount in zip(legal, brought, strict=True):
            assert action.card is not None
            tricks = values[action.card]
            # at a game of no tricks no more is told than what pays differently
            paid = judge.worth(game_of(deal, view), min(tricks, 1) if fewest else tricks)
            if not fewest or tricks < 2:
                assert amount == floored(paid[view.seat] * one.parts)
                compared += 1
    assert compared > 100


def test_a_vole_is_decided_by_what_the_tricks_to_come_pay_if_all_see_all() -> None:
    compared, solver = 0, Solver()
    for reference in PROFILES:
        for deal, view in views(reference, 60, "vole"):
            if not view.tricks or view.bid is None:
                continue
            stop, go = deal.legal()[0], deal.legal()[-1]
            one, judge, game = Looking(view), Judge(view), game_of(deal, view)
            tricks = solver.exact(position(deal, view))
            ends = may_stop(view.rules, view.bid, len(view.tricks))
            undertaken = replace(game, vole="undertaken")
            wanted = [
                judge.worth(game, 0 if ends else tricks, over=ends),
                judge.worth(undertaken, tricks, over=True),
            ]
            brought = one.brought(VOLE, [stop, go], deal.hands)
            assert brought == [floored(paid[view.seat] * one.parts) for paid in wanted]
            compared += 1
    assert compared > 5
