"""Auctions carried on from a copy, and auctions that go on alike because all that matters of them
is alike."""

import random
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from support import made_rules
from support.data import cases

from quadrille_core.cards import HEARTS, PACK, parse_card
from quadrille_core.engine.actions import parse_action
from quadrille_core.engine.auction import PASS, Auction, Ladder

UNDER: list[dict[str, Any]] = [
    {
        "auction.elder_may_raise": how,
        "auction.passed_may_return": how == "to_solo",
        "auction.unasked_trumps": named,
    }
    for how in ("never", "only_higher", "by_priority", "to_solo", "if_forced")
    for named in ("barred", "played_alone")
]


def begun(rules: dict[str, Any], seed: int = 1) -> Auction:
    pack = random.Random(seed).sample(PACK, len(PACK))
    hands = [tuple(sorted(pack[i : i + 10])) for i in range(0, 40, 10)]
    return Auction(Ladder(made_rules(**rules).rules), hands, HEARTS)


def wandered(auction: Auction, rng: random.Random) -> Iterator[Auction]:
    """The auction again and again while it is played at random, passing half of the time."""
    while auction.turn is not None:
        yield auction
        legal = auction.legal()
        auction.apply(PASS if rng.random() < 0.5 else legal[rng.randrange(min(len(legal), 5))])


def said(auction: Auction, *actions: str) -> Auction:
    for text in actions:
        auction.apply(parse_action(text))
    return auction


@pytest.mark.parametrize("rules", UNDER, ids=lambda r: "-".join(map(str, r.values())))
def test_a_copy_is_the_same_auction_and_what_is_said_in_it_changes_nothing_in_the_other(
    rules: dict[str, Any],
) -> None:
    rng = random.Random("copies")
    for seed in range(5):
        for auction in wandered(begun(rules, seed), rng):
            before = {k: v for k, v in vars(auction).items() if k != "_ladder"}
            kept = deepcopy(before)
            other = auction.copy()
            assert vars(other) == vars(auction)
            other.apply(rng.choice(other.legal()))
            assert {k: v for k, v in vars(auction).items() if k != "_ladder"} == kept
            assert other.spoken[:-1] == auction.spoken


@pytest.mark.parametrize("rules", UNDER, ids=lambda r: "-".join(map(str, r.values())))
def test_auctions_over_the_same_hands_with_one_prospect_leave_the_same_to_be_said(
    rules: dict[str, Any],
) -> None:
    rng, seen, met = random.Random("prospects"), {}, 0
    for _ in range(80):
        for auction in wandered(begun(rules), rng):
            legal = auction.legal()
            met += auction.prospect() in seen
            assert seen.setdefault(auction.prospect(), legal) == legal
    assert met > 50
    assert len(seen) > 20


@cases("auction_states")
def test_of_an_earlier_bid_that_matters_which_the_rules_on_coming_again_ask_for(
    how: str, one: list[str], other: list[str], alike: bool
) -> None:
    rules = {"auction.elder_may_raise": how}
    assert (said(begun(rules), *one).prospect() == said(begun(rules), *other).prospect()) is alike


def test_by_priority_who_passed_and_is_asked_again_is_not_who_has_bid() -> None:
    rules = {"auction.elder_may_raise": "by_priority", "auction.passed_may_return": True}
    seed = next(n for n in range(100) if parse_card("SA") in begun(rules, n)._hands[0])
    bid, passed = (
        said(begun(rules, seed), first, "bid solo") for first in ("bid alliance", "pass")
    )
    assert bid.prospect() != passed.prospect()
    for auction in (bid, passed):
        said(auction, "pass", "pass")
        assert auction.turn == 0
    solo = parse_action("bid solo")
    assert solo in bid.legal()
    assert solo not in passed.legal()
