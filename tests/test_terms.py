"""Rules that table, settlement and the check of results read alike: which bid is meant, and who earns premiers."""

from typing import Any

from support import made_rules

from quadrille_core.engine.terms import earns_premiers, plain_alliance, plain_solo
from quadrille_core.rules import Bid

SIDE, HOMBRE = "side", "hombre"


def named(found: tuple[str, Bid] | None) -> str | None:
    return None if found is None else found[0]


def solo_under(**changes: Any) -> str | None:
    return named(plain_solo(made_rules(**changes).rules))


def alliance_under(**changes: Any) -> str | None:
    return named(plain_alliance(made_rules(**changes).rules))


def test_the_plain_solo_is_the_lowest_bid_played_alone_for_tricks_in_a_suit_and_without_exchange() -> None:
    assert solo_under() == "solo"
    assert solo_under(**{"bids.mediateur.exchange": False}) == "mediateur"
    for leaf, value in {"goal": "all", "partner": "called", "trump": "none", "exchange": True, "is_vole": True}.items():
        assert solo_under(**{f"bids.solo.{leaf}": value}) is None, leaf


def test_the_plain_alliance_is_the_lowest_bid_in_which_hombre_names_trumps_and_then_calls() -> None:
    assert alliance_under() == "alliance"
    assert alliance_under(**{"bids.casco.trump_by": "hombre", "bids.casco.trump_when": "before_call"}) == "alliance"
    for leaf, value in {
        "trump_by": "ally",
        "trump_when": "after_call",
        "trump": "none",
        "partner": "none",
        "made": "never",
    }.items():
        assert alliance_under(**{f"bids.alliance.{leaf}": value}) is None, leaf


def test_an_ally_who_may_be_invited_to_name_trumps_makes_no_other_alliance() -> None:
    assert alliance_under(**{"bids.alliance.trump_by": "hombre_or_ally"}) == "alliance"


def premiers(won_by: str, bid: str, *winners: int) -> bool:
    rules = made_rules(**{"payments.premiers_won_by": won_by}).rules
    return earns_premiers(rules, rules.bids.of(bid), 2, winners)


def test_premiers_are_earned_by_the_side_or_by_hombre_herself_as_the_rules_say() -> None:
    assert premiers(SIDE, "alliance", 2, 0, 2, 2, 0, 2)
    assert not premiers(HOMBRE, "alliance", 2, 0, 2, 2, 0, 2)
    assert not premiers(HOMBRE, "alliance", 0, 0, 0, 0, 0, 0)
    assert premiers(HOMBRE, "alliance", 2, 2, 2, 2, 2, 2)


def test_there_are_no_premiers_at_a_bid_without_them_whoever_won_the_first_tricks() -> None:
    assert not premiers(SIDE, "forced-spadille", 2, 2, 2, 2, 2, 2)
    assert not premiers(HOMBRE, "forced-spadille", 2, 2, 2, 2, 2, 2)
