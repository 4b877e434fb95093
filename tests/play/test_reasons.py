"""What a hint says of a card is about that card, is true of what its player may know, and names no
hidden hand."""

from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from quadrille_plugins.deal.view import view_of
from quadrille_plugins.play.game import done, go_on, hint, new_game
from quadrille_plugins.play.reasons import is_ally, reason

from quadrille_core.cards import NO_TRUMP, PACK, format_card, parse_card, parse_cards, parse_suit
from quadrille_core.engine.actions import Action, parse_action
from quadrille_core.engine.finished import Trick
from quadrille_core.engine.ranking import ranking
from quadrille_core.ruleset import compile_reference

POSITIONS = yaml.safe_load((Path(__file__).parent / "reasons.yaml").read_text("utf-8"))
BASE = view_of(new_game(compile_reference("quanti-1822"), seed=1).deal, 0)


def seen(position):
    """The view of a position, and the actions of its cards."""
    gone = tuple(parse_cards(position.get("gone", "")))
    trick = tuple(parse_cards(position.get("trick", "")))
    view = replace(
        BASE,
        phase="play",
        hand=tuple(sorted(parse_cards(position["hand"]))),
        trump=parse_suit(position["trump"]),
        hombre=position["hombre"],
        ally=position.get("ally"),
        alone=position.get("alone"),
        tricks=(Trick(0, gone, 0),) if gone else (),
        trick=trick,
        leader=position.get("leader", 0),
    )
    led = ranking(view.rules.cards, view.trump).suits[trick[0]] if trick else None
    suits = ranking(view.rules.cards, view.trump).suits
    follow = [c for c in view.hand if suits[c] == led]
    return view, tuple(Action("play", card=c) for c in follow or view.hand)


@pytest.mark.parametrize("position", POSITIONS, ids=lambda p: p["name"])
def test_what_speaks_for_a_card_is_about_that_card(position):
    view, legal = seen(position)
    for card, expected in position["hints"].items():
        assert reason(view, Action("play", card=parse_card(card)), legal) == expected


@pytest.mark.parametrize(
    "ref", ["quanti-1822", "mediateur-1752", "quintille", "quadrille-laws+nemo"]
)
def test_every_hint_is_true_of_the_deal_and_is_the_bots_choice(ref):
    """Held against all hands: a card that nothing beats is beaten by none, and a side named is the
    right one."""
    told = set()
    for seed in range(1, 9):
        game = go_on(new_game(compile_reference(ref), seed=seed, seat=seed % 4))
        while not game.deal.over:
            action, why = hint(game)
            clause = why.partition(". This is ")[0]
            told.add(clause)
            assert "this is steady's choice" in why.lower() or why.startswith("it is all")
            if action.kind == "play" and len(game.deal.legal()) > 1:
                view, legal = view_of(game.deal, game.seat), game.deal.legal()
                others = [c for s, h in enumerate(game.deal.hands) for c in h if s != game.seat]
                order = ranking(view.rules.cards, game.deal.trump)
                beaten = [c for c in others if order.winner([action.card, c]) == 1]
                if "no card still out beats it" in clause:
                    assert not beaten
                if "still out would beat it" in clause and "only a trump" not in clause:
                    assert beaten
                if "it takes the trick" in clause:
                    assert order.winner([*view.trick, action.card]) == len(view.trick)
                if "your side's" in clause or "an adversary's" in clause:
                    winner = (view.leader + order.winner(view.trick)) % len(view.players)
                    side = game.deal.side()
                    assert ("your side's" in clause) == ((winner in side) == (game.seat in side))
                assert reason(view, action, legal) == clause
            game = go_on(done(game, action))
    assert len(told) > 20  # of one deal and of the next, not one sentence for all


def test_a_side_is_not_named_before_it_is_known():
    """Hombre who called a card does not know who has it; an adversary knows Hombre, and nobody
    else."""
    view = replace(BASE, seat=0, hombre=0, ally=None, alone=None)
    assert [is_ally(view, s) for s in (1, 2, 3)] == [None, None, None]
    view = replace(view, hombre=1)
    assert [is_ally(view, s) for s in (1, 2, 3)] == [False, None, None]
    assert [is_ally(replace(view, ally=0), s) for s in (1, 2, 3)] == [True, False, False]
    assert [is_ally(replace(view, ally=2), s) for s in (1, 2, 3)] == [False, False, True]
    assert [is_ally(replace(view, alone=True), s) for s in (1, 2, 3)] == [False, True, True]


def test_every_suit_of_trumps_is_told_without_a_fault():
    """Also where no suit is trumps, every card of the pack has something that speaks for it."""
    for trump in (*range(4), NO_TRUMP):
        view = replace(BASE, hand=PACK, trump=trump, hombre=0, alone=True)
        for card in PACK:
            assert reason(
                view, Action("play", card=card), [Action("play", card=c) for c in PACK]
            ), format_card(card)


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        ("bid nemo", ""),
        ("bid solo+favourite", "your hand has 4 trumps, 2 matadors among them, if ♥ are trumps"),
        ("bid solo", "your hand has at most 5 trumps, 2 matadors among them, if ♦ are trumps"),
        ("call SK", "calls in a suit of which you hold 1 card"),
    ],
)
def test_what_speaks_for_a_bid_or_a_call_is_about_what_it_would_be(action, expected):
    """A bid without trumps has no reason about trumps, one in favourite is about that suit; black
    aces are trumps."""
    base = view_of(new_game(compile_reference("mediateur-1752"), seed=1).deal, 0)
    hand = parse_cards("SA CA D2 D3 D4 H2 H3 S4 CK CQ")
    view = replace(
        base, hand=tuple(sorted(hand)), favourite=parse_suit("hearts"), trump=parse_suit("hearts")
    )
    assert (
        reason(view, parse_action(action), ()).replace("hearts", "♥").replace("diamonds", "♦")
        == expected
    )
