"""What may be done and what may not, word for word, with the rule that decides:
``data/refusals.yaml``."""

import itertools
import random
from pathlib import Path
from typing import Any

import pytest
from support import made_rules
from support.data import of_yaml
from support.table import dealt, said, say, sit

from quadrille_core.cards import (
    HEARTS,
    NO_TRUMP,
    PACK,
    Suit,
    format_card,
    format_cards,
    parse_card,
    parse_cards,
    parse_suit,
)
from quadrille_core.engine.actions import Action, parse_action
from quadrille_core.engine.declare import (
    CallContext,
    callable_cards,
    explain_calls,
    why_not_callable,
)
from quadrille_core.engine.forcing import follow
from quadrille_core.errors import IllegalActionError
from quadrille_core.rules import Call

DATA = of_yaml(Path(__file__).parents[1] / "data" / "refusals.yaml")

YES = {True: "yes", False: "no"}
FORCED = {True: ", forced", False: ""}


def cases(section: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", DATA[section], ids=[c["name"] for c in DATA[section]])


def suit(word: str | None) -> Suit | None:
    return None if word is None else NO_TRUMP if word == "none" else parse_suit(word)


@cases("table")
def test_at_the_table_every_action_is_legal_or_refused_with_its_reason_and_rule(
    case: dict[str, Any],
) -> None:
    setup = dealt(*case["hands"], favourite=suit(case.get("favourite")))
    deal = say(sit(setup, **case.get("rules", {})), *case["said"])
    assert said(deal) == case["legal"]
    tried = {text: deal.refusal(parse_action(text)) for text in case["tries"]}
    assert {text: found and str(found) for text, found in tried.items()} == case["tries"]
    if deal.phase == "declare" and deal.declaration is not None:
        assert {deal.declaration.refusal(action) for action in deal.legal()} == {None}


def context(case: dict[str, Any]) -> CallContext:
    hand = parse_cards(case["hand"])
    trump, bound = suit(case.get("trump")), suit(case.get("bound"))
    return CallContext(
        Call(**case.get("call", {})), hand, trump, bound, case.get("others_only", "")
    )


@cases("calls")
def test_every_king_and_queen_may_be_called_or_not_for_a_reason(case: dict[str, Any]) -> None:
    rulings = explain_calls(context(case))
    told = [f"{format_card(r.card)}: {YES[r.callable]}; {r.reason} ({r.rule})" for r in rulings]
    assert told == case["rulings"]
    for ruling in rulings:
        assert why_not_callable(context(case), ruling.card) == (None if ruling.callable else ruling)


@pytest.mark.parametrize("case", DATA["callable"], ids=[c["says"] for c in DATA["callable"]])
def test_just_these_cards_may_be_called(case: dict[str, Any]) -> None:
    """With hearts as trumps, where the case names no others."""
    assert format_cards(callable_cards(context({"trump": "hearts", **case}))) == case["may"]


def test_a_card_that_is_neither_king_nor_queen_is_not_called() -> None:
    ruling = why_not_callable(CallContext(Call(), parse_cards("SK")), parse_card("C7"))
    assert ruling is not None
    assert (format_card(ruling.card), ruling.callable, ruling.rule) == ("C7", False, "queen_when")
    assert ruling.reason == "a king is called, or a queen"


@cases("cards")
def test_every_card_may_be_played_or_not_for_a_reason(case: dict[str, Any]) -> None:
    rules = made_rules(**case.get("rules", {})).rules
    trick = parse_cards(case["trick"]) if "trick" in case else ()
    trump = suit(case["trump"])
    assert trump is not None
    rulings = follow(rules.forcing, trump).explain(parse_cards(case["hand"]), trick)
    words = [f"{YES[r.legal]}{FORCED[r.forced]}" for r in rulings]
    told = [
        f"{format_card(r.card)}: {w}; {r.reason} ({r.rule})"
        for r, w in zip(rulings, words, strict=True)
    ]
    assert told == case["rulings"]


@pytest.mark.parametrize("case", DATA["withheld"], ids=[c["says"] for c in DATA["withheld"]])
def test_just_these_cards_may_be_played(case: dict[str, Any]) -> None:
    """With hearts as trumps, where the case names no others; each card that may not is refused by
    its rule."""
    rules = made_rules(
        **{f"forcing.{leaf}": value for leaf, value in case.get("rules", {}).items()}
    ).rules
    trump = suit(case.get("trump", "hearts"))
    assert trump is not None
    found = follow(rules.forcing, trump).explain(
        parse_cards(case["hand"]), parse_cards(case["trick"])
    )
    assert format_cards([r.card for r in found if r.legal]) == case["may"]
    forced = format_cards([r.card for r in found if r.forced])
    assert forced == case.get("forced", "" if " " in case["may"] else forced)
    rule_of = {format_card(r.card): r.rule for r in found}
    assert {card: rule_of[card] for card in case.get("by", {})} == case.get("by", {})


def test_what_names_no_suit_and_no_card_is_refused() -> None:
    alone = say(sit(dealt("SA")), "bid solo", "pass", "pass", "pass")
    assert str(alone.refusal(Action("trump"))) == "no suit is named (bids.solo.trump)"
    assert (
        str(alone.refusal(Action("trump", suit=NO_TRUMP)))
        == "a suit must be named (bids.solo.trump)"
    )
    caller = say(sit(dealt("SA SK")), "bid alliance", "pass", "pass", "pass", "trump hearts")
    assert str(caller.refusal(Action("call"))) == "no card is named (bids.alliance)"
    giver = say(sit(dealt("SA SK", "HK")), "bid mediateur", "pass", "pass", "pass", "call HK")
    assert str(giver.refusal(Action("give"))) == "no card is named (bids.mediateur)"


def test_there_is_always_something_to_call_whatever_the_hand_and_the_rules() -> None:
    """Every combination of the rules of calling, with hands rich in court cards."""
    rng = random.Random("calls")
    honours = [c for c in PACK if c % 10 in (1, 2, 3)]
    leaves = itertools.product(
        ("never", "four_kings", "three_plain_kings", "always"),
        ("never", "four_kings", "always"),
        ("barred", "kings", "any"),
        (False, True),
        ("trump_king", "queen", "own_king"),
    )
    for queen, own, trump_suit, become, fallback in leaves:
        call = Call(
            queen_when=queen,
            own_card=own,
            trump_suit=trump_suit,
            suit_may_become_trump=become,
            fallback=fallback,
        )
        for _ in range(12):
            court = rng.sample(honours, rng.randint(4, 10))
            hand = tuple(court + rng.sample([c for c in PACK if c not in court], 10 - len(court)))
            for trump in (None, NO_TRUMP, *map(Suit, range(4))):
                for bound in (None, HEARTS) if trump is None else (None,):
                    for others in ("", "another must hold it"):
                        cards = callable_cards(CallContext(call, hand, trump, bound, others))
                        assert cards
                        assert not (others and set(cards) & set(hand))


def test_an_illegal_bid_names_player_action_reason_and_what_is_legal() -> None:
    """The error is a record: a code, a message with its rule, and what may be done instead."""
    deal = say(sit(dealt()), "bid nemo")
    with pytest.raises(IllegalActionError) as caught:
        say(deal, "bid solo")
    (problem,) = caught.value.problems
    assert problem.code == "Q702"
    assert problem.message == "B may not bid solo: it does not overcall nemo (bids.solo.rank)"
    assert problem.help == "legal here: pass"
    assert deal.turn == 1
