"""Disputed points of auction and play: who may come again, trumps named unasked, a won game
claimed, the ally known."""

import json

from quadrille_plugins.deal.players import make_bot
from quadrille_plugins.deal.record import replay, to_record
from quadrille_plugins.deal.session import play_deal, play_streams
from quadrille_plugins.deal.view import view_of
from quadrille_plugins.settle.possible import impossible
from support import made_result, made_rules
from support.data import cases
from support.decisive import refusals
from support.table import dealt, run, said, say, sit

from quadrille_core import vocabulary
from quadrille_core.cards import Suit

RETURN = {"auction.passed_may_return": True}


# --- trumps named without asking leave --------------------------------------------------------

UNASKED = {"auction.unasked_trumps": "played_alone"}


def test_trumps_named_unasked_are_recorded_and_replayed():
    ruleset = made_rules(**UNASKED)
    setup = dealt("SA S2 CA SK SQ SJ S7 S6 S5 S4", favourite=Suit(1))
    bots = [make_bot("steady")] * 4
    deal = play_deal(ruleset, setup, bots, play_streams(1, 0, 0, 4))
    assert str(deal.actions[0][1]).startswith("bid"), (
        "steady bids, and names her trumps when she has the game"
    )
    deal = run(say(sit(setup, **UNASKED), "name spades", "pass", "pass", "pass"))
    record = json.loads(json.dumps(to_record(deal)))
    assert record["actions"][0] == "A name spades"
    assert replay(deal.ruleset, record).divergence is None


# --- a game that is won, claimed --------------------------------------------------------------

CLAIM = {"play.claim_won": True}
LATE = dealt("SA S2 CA SK SQ SJ S7 S6 S5 H7", "HK")


def six_of_seven(**rules):
    """Hombre loses a heart, ruffs or overtakes what is led to them, and has six tricks of seven."""
    deal = say(sit(LATE, **rules), "bid solo", "pass", "pass", "pass", "trump spades", "play H7")
    while deal.won[0] < 6:
        deal.apply(next(a for a in deal.legal() if a.kind == "play"))
    return deal


def test_hombre_does_not_learn_from_a_claim_whose_tricks_were_the_hidden_allys():
    setup = dealt("SA S2 CA SK SQ D4 D3 D2 DA S4", "D5 D6 D7 H7", "DK S3", "DJ DQ")
    deal = say(
        sit(setup, **CLAIM, **{"premiers.tricks": 10}),
        "bid alliance",
        "pass",
        "pass",
        "pass",
        "trump spades",
    )
    say(deal, "call HK" if "call HK" in said(deal) else said(deal)[0])
    while deal.phase == "play" and sum(deal.won) < 9:
        if not deal.trick and deal.turn in deal.side():
            made = sum(deal.won[s] for s in deal.side())
            knows = deal.turn == deal.ally or deal.declaration.ally_public
            assert ("claim" in said(deal)) == ((made if knows else deal.won[deal.turn]) >= 6)
        deal.apply(next(a for a in deal.legal() if a.kind == "play"))


def test_steady_claims_what_she_has_won():
    deal = six_of_seven(**CLAIM)
    chosen = make_bot("steady").choose(view_of(deal, 0), deal.legal(), play_streams(1, 0, 0, 4)[0])
    assert str(chosen) == "claim"


@cases("switches_play")
def test_a_result_may_end_where_a_claim_may(tricks, premiers, fault):
    rules = made_rules(**CLAIM).rules
    told = [p.message for _, p in impossible(rules, made_result(tricks=tricks, premiers=premiers))]
    assert told == ([fault] if fault else [])


# --- what cannot be ---------------------------------------------------------------------------


def test_nobody_comes_back_with_a_card_that_forces_no_game():
    rules = made_rules(
        **RETURN | {"auction.all_pass": "redeal", "bids.forced-spadille.made": "never"}
    ).rules
    assert refusals(vocabulary.dump(rules)) == [
        "when all pass no card is played, so there is none to bid again with"
    ]
