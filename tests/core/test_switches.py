"""Rules of disputed points at the table: matadors of the adversaries, premiers of one's own, a nemo
that ends."""

from typing import Any

import pytest
from quadrille_plugins.settle.possible import impossible
from quadrille_plugins.settle.result_file import read_result, result_to_plain
from support import made_rules
from support.data import cases
from support.decisive import refusals
from support.table import dealt, run, said, say, sit

from quadrille_core import vocabulary
from quadrille_core.cards import NO_TRUMP
from quadrille_core.engine.settle import settle
from quadrille_core.engine.table import Deal


def faults(rules: dict[str, Any], **result: Any) -> list[str]:
    """What is impossible about a result, written as a file has it."""
    plain: dict[str, Any] = {
        "players": list("ABCD"),
        "pool": 4,
        "contract": "solo",
        "trump": "clubs",
        "hombre": "A",
    }
    plain |= result
    try:
        read_result(plain, made_rules(**rules).rules)
    except Exception as refused:  # ResultError carries every fault
        return [p.message for p in refused.problems]  # type: ignore[attr-defined]
    return []


def refused(**overrides: Any) -> list[str]:
    """Why the compiler would refuse the made rules with these leaves changed."""
    return refusals(vocabulary.dump(made_rules(**overrides).rules))


# --- matadors in the adversaries' hands -------------------------------------------------------

HOLDERS = {"payments.adversaries_matadors": "to_holders"}
AGAINST = dealt("HA HK HQ HJ H2 H3 H4 H5 H6 SK", "SA H7", "CA")


def test_the_matadors_of_the_adversaries_count_over_all_their_hands():
    deal = run(say(sit(AGAINST, **HOLDERS), "bid solo", "pass", "pass", "pass", "trump hearts"))
    assert (deal.result().matadors, deal.result().adversary_matadors) == (0, 3)


def test_where_they_are_not_paid_nobody_counts_them():
    deal = run(say(sit(AGAINST), "bid solo", "pass", "pass", "pass", "trump hearts"))
    assert deal.result().adversary_matadors == 0


def test_the_ally_is_no_adversary_when_matadors_are_counted():
    setup = dealt("HA HK HQ HJ H2 H3 H4 H5 H6 SK", "SA H7", "CA DK")
    deal = run(
        say(
            sit(setup, **HOLDERS), "bid alliance", "pass", "pass", "pass", "trump hearts", "call DK"
        )
    )
    assert deal.ally == 2
    # Spadille and Manille with one adversary, Basto with the ally: two, which nobody pays
    assert deal.result().adversary_matadors == 2


def test_adversaries_hold_no_double_matadors_in_black_where_black_knows_none():
    setup = dealt("HA HK HQ HJ H2 H3 H4 H5 H6 S7", "SA S2 CA SK")
    for more, count in ((False, 3), (True, 4)):
        rules = HOLDERS | {"payments.matadors_four_in_black": more}
        deal = run(say(sit(setup, **rules), "bid solo", "pass", "pass", "pass", "trump spades"))
        assert deal.result().adversary_matadors == count


@pytest.mark.parametrize(
    ("rules", "result", "fault"),
    [
        ({}, {"adversary_matadors": 3}, "these rules do not pay the adversaries for matadors"),
        (HOLDERS, {"adversary_matadors": 3, "matadors": 1}, "only one side can hold Spadille"),
        (
            HOLDERS,
            {"adversary_matadors": 4},
            "4 matadors: these rules know three when clubs are trumps",
        ),
        (HOLDERS, {"adversary_matadors": -1}, "fewer matadors than none"),
        (
            HOLDERS,
            {"adversary_matadors": "three"},
            "adversary_matadors is 'three', not a whole number",
        ),
    ],
)
def test_a_count_that_cannot_be_is_refused(rules, result, fault):
    assert any(fault in f for f in faults(rules, tricks={"A": 6, "B": 4}, **result))


def test_a_count_of_the_adversaries_is_written_and_read_again():
    rules = made_rules(**HOLDERS | {"favourite.source": "none", "favourite.suit": None})
    deal = run(say(Deal(rules, AGAINST), "bid solo", "pass", "pass", "pass", "trump hearts"))
    plain = result_to_plain(deal.result(), "made")
    assert plain["adversary_matadors"] == 3
    assert read_result(plain, rules.rules) == deal.result()


def test_where_only_hombres_own_hand_counts_the_adversaries_are_no_side():
    assert refused(**HOLDERS | {"payments.matadors_held_by": "hombre"}) == [
        "where matadors must be in Hombre's own hand, the adversaries cannot hold them as a side"
    ]


# --- premiers of Hombre's own -----------------------------------------------------------------

OWN = {"payments.premiers_won_by": "hombre"}
SHARED = dealt("SA S2 CA SK SQ SJ S7 S6 S5 D3", "D4 D5", "DK S3", "D6 DQ")
"""Hombre leads their diamond to the ally's king; the rest are all their own."""
WITH_ALLY = ("bid alliance", "pass", "pass", "pass", "trump spades", "call DK")


def six_tricks(**rules: Any) -> Deal:
    deal = say(
        sit(SHARED, **rules), *WITH_ALLY, "play D3", "play D5", "play DK", "play D6", "play S3"
    )
    while deal.phase == "play":
        own = [
            a
            for a in deal.legal()
            if str(a) in ("play SA", "play S2", "play CA", "play SK", "play SQ")
        ]
        deal.apply(own[0] if own and deal.turn == 0 else deal.legal()[0])
    return deal


def test_premiers_of_hombre_herself_are_not_earned_where_the_ally_took_one_of_the_six():
    assert not six_tricks(**OWN).premiers
    assert six_tricks().premiers


def test_the_allies_may_still_claim_or_play_for_the_vole():
    deal = six_tricks(**OWN)
    assert deal.phase == "vole"
    result = run(say(deal, "claim")).result()
    assert not result.premiers
    assert impossible(deal.rules, result) == []


@cases("switches")
def test_a_file_may_say_no_premiers_of_allies_who_won_the_first_six(rules, result, fault):
    told = faults(rules, contract="alliance", ally="C", **result)
    assert told == [] if fault is None else fault in told


# --- a nemo that ends with the first trick made -----------------------------------------------

ENDS = {"bids.nemo.ends_when_lost": True}


def test_a_nemo_ends_with_the_first_trick_that_hombre_makes():
    deal = run(say(sit(dealt("SA"), **ENDS), "bid nemo", "pass", "pass", "pass", "play SA"))
    assert (deal.won, deal.over) == ([1, 0, 0, 0], True)
    assert deal.events[-1].note == "the game is lost"
    assert impossible(deal.rules, deal.result()) == []
    assert settle(deal.rules, deal.result()).outcome == "remise"


def test_by_default_a_lost_nemo_is_played_out():
    deal = run(say(sit(dealt("SA")), "bid nemo", "pass", "pass", "pass", "play SA"))
    assert sum(deal.won) == 10


def test_a_nemo_that_is_not_lost_is_played_out():
    deal = run(
        say(sit(dealt("H7 H6 H5 H4 D7 D6 D5 D4 C2 S2"), **ENDS), "bid nemo", "pass", "pass", "pass")
    )
    assert sum(deal.won) == 10 if not deal.won[0] else deal.won[0] == 1


@cases("switches")
def test_a_file_may_tell_of_a_nemo_that_ended_early_where_it_does(rules, tricks, fault):
    told = faults(rules, contract="nemo", trump=None, tricks=tricks)
    assert told == [] if fault is None else fault in told


def test_a_game_for_tricks_is_always_played_out():
    assert refused(**{"bids.solo.ends_when_lost": True}) == [
        "bid 'solo': a game for tricks is played out, since the tricks say how it was lost"
    ]


def test_a_bid_to_win_every_trick_leaves_nothing_to_play_for():
    assert refused(**{"bids.solo.goal": "all"}) == [
        "bid 'solo': who must win every trick cannot play for the vole besides"
    ]


def test_there_are_no_matadors_without_trumps():
    deal = run(say(sit(dealt("SA CA"), **HOLDERS), "bid grandissimo", "pass", "pass", "pass"))
    assert deal.result().trump == NO_TRUMP
    assert (deal.result().matadors, deal.result().adversary_matadors) == (0, 0)
    assert said(deal) == []
