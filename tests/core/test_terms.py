"""Rules that table, settlement and the check of results read alike: which bid is meant, and who
earns premiers."""

from typing import Any

from quadrille_plugins.settle.alone import OWN_KING, alone_words, played_alone
from support import made_rules

from quadrille_core.cards import CLUBS, HEARTS, NO_TRUMP, Card, Suit, parse_cards
from quadrille_core.engine.terms import earns_premiers, matadors_held, plain_alliance, plain_solo
from quadrille_core.rules import Bid

SIDE, HOMBRE = "side", "hombre"


def named(found: tuple[str, Bid] | None) -> str | None:
    return None if found is None else found[0]


def solo_under(**changes: Any) -> str | None:
    return named(plain_solo(made_rules(**changes).rules))


def alliance_under(**changes: Any) -> str | None:
    return named(plain_alliance(made_rules(**changes).rules))


def test_the_plain_solo_is_the_lowest_bid_played_alone_for_tricks_in_a_suit_and_without_exchange() -> (
    None
):
    assert solo_under() == "solo"
    assert solo_under(**{"bids.mediateur.exchange": False}) == "mediateur"
    for leaf, value in {
        "goal": "all",
        "partner": "called",
        "trump": "none",
        "exchange": True,
        "is_vole": True,
    }.items():
        assert solo_under(**{f"bids.solo.{leaf}": value}) is None, leaf


def test_the_plain_alliance_is_the_lowest_bid_in_which_hombre_names_trumps_and_then_calls() -> None:
    assert alliance_under() == "alliance"
    assert (
        alliance_under(**{"bids.casco.trump_by": "hombre", "bids.casco.trump_when": "before_call"})
        == "alliance"
    )
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


RED = tuple(parse_cards(h) for h in ("SA D2", "H7 CA HA", "D3 D4", "D5"))
BLACK = tuple(parse_cards(h) for h in ("SA C2", "CA CK", "D3 D4", "D5"))


def held(
    hands: tuple[tuple[Card, ...], ...], trump: Suit, hombre: int, ally: int | None, **pays: Any
) -> Any:
    return matadors_held(
        made_rules(**{f"payments.{k}": v for k, v in pays.items()}).rules,
        hands,
        hombre,
        ally,
        trump,
    )


def test_matadors_are_counted_over_the_hands_of_a_side_or_in_hombres_own() -> None:
    assert held(RED, HEARTS, 0, 1) == (4, 0)
    assert held(RED, HEARTS, 0, None) == (1, 0)
    assert held(RED, HEARTS, 0, 1, matadors_held_by="hombre") == (1, 0)
    assert held(RED, HEARTS, 1, 0, matadors_held_by="hombre") == (0, 0)


def test_matadors_of_the_adversaries_are_counted_over_all_their_hands_where_they_are_paid() -> None:
    assert held(RED, HEARTS, 2, 3) == (0, 0)
    for paid in ("to_holders", "to_winners"):
        assert held(RED, HEARTS, 2, 3, adversaries_matadors=paid) == (0, 4)
        assert held(RED, HEARTS, 2, 0, adversaries_matadors=paid) == (1, 0)


def test_no_more_matadors_are_counted_than_the_rules_pay() -> None:
    for four, most in ((False, 3), (True, 4)):
        pays = {"adversaries_matadors": "to_holders", "matadors_four_in_black": four}
        assert held(BLACK, CLUBS, 0, 1, **pays) == (most, 0)
        assert held(BLACK, CLUBS, 2, 3, **pays) == (0, most)


def test_without_a_trump_suit_no_matadors_are_counted() -> None:
    assert held(BLACK, NO_TRUMP, 0, 1, adversaries_matadors="to_holders") == (0, 0)
    assert held(BLACK, NO_TRUMP, 2, 3, adversaries_matadors="to_holders") == (0, 0)


def test_a_bid_for_allies_that_is_played_without_one_says_so() -> None:
    bids = made_rules().rules.bids
    for name, ally, alone in (
        ("alliance", None, True),
        ("alliance", 2, False),
        ("solo", None, False),
    ):
        assert played_alone(bids.of(name), ally) is alone
        assert alone_words(bids.of(name), ally) == (", who called their own king" if alone else "")
    assert OWN_KING == "called her own king"
