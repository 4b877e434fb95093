"""What may be done and what may not, word for word, with the rule that decides: ``data/refusals.yaml``."""

from pathlib import Path
from typing import Any

import pytest
from support import made_rules
from support.data import of_yaml
from support.table import dealt, said, say, sit

from quadrille_core.cards import NO_TRUMP, Suit, format_card, parse_card, parse_cards, parse_suit
from quadrille_core.engine.actions import Action, parse_action
from quadrille_core.engine.declare import CallContext, explain_calls, why_not_callable
from quadrille_core.engine.forcing import explain_cards
from quadrille_core.rules import Call

DATA = of_yaml(Path(__file__).parents[1] / "data" / "refusals.yaml")

YES = {True: "yes", False: "no"}
FORCED = {True: ", forced", False: ""}


def cases(section: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", DATA[section], ids=[c["name"] for c in DATA[section]])


def suit(word: str | None) -> Suit | None:
    return None if word is None else NO_TRUMP if word == "none" else parse_suit(word)


@cases("table")
def test_at_the_table_every_action_is_legal_or_refused_with_its_reason_and_rule(case: dict[str, Any]) -> None:
    setup = dealt(*case["hands"], favourite=suit(case.get("favourite")))
    deal = say(sit(setup, **case.get("rules", {})), *case["said"])
    assert said(deal) == case["legal"]
    assert {text: deal.refusal(parse_action(text)) for text in case["tries"]} == case["tries"]
    if deal.phase == "declare" and deal.declaration is not None:
        assert {deal.declaration.refusal(action) for action in deal.legal()} == {None}


def context(case: dict[str, Any]) -> CallContext:
    hand = parse_cards(case["hand"])
    trump, bound = suit(case.get("trump")), suit(case.get("bound"))
    return CallContext(Call(**case.get("call", {})), hand, trump, bound, case.get("others_only", ""))


@cases("calls")
def test_every_king_and_queen_may_be_called_or_not_for_a_reason(case: dict[str, Any]) -> None:
    rulings = explain_calls(context(case))
    told = [f"{format_card(r.card)}: {YES[r.callable]}; {r.reason} ({r.rule})" for r in rulings]
    assert told == case["rulings"]
    for ruling in rulings:
        assert why_not_callable(context(case), ruling.card) == (None if ruling.callable else ruling)


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
    rulings = explain_cards(rules, parse_cards(case["hand"]), trick, trump)
    words = [f"{YES[r.legal]}{FORCED[r.forced]}" for r in rulings]
    told = [f"{format_card(r.card)}: {w}; {r.reason} ({r.rule})" for r, w in zip(rulings, words, strict=True)]
    assert told == case["rulings"]


def test_what_names_no_suit_and_no_card_is_refused() -> None:
    alone = say(sit(dealt("SA")), "bid solo", "pass", "pass", "pass")
    assert alone.refusal(Action("trump")) == "no suit is named (bids.solo.trump)"
    assert alone.refusal(Action("trump", suit=NO_TRUMP)) == "a suit must be named (bids.solo.trump)"
    caller = say(sit(dealt("SA SK")), "bid alliance", "pass", "pass", "pass", "trump hearts")
    assert caller.refusal(Action("call")) == "no card is named (bids.alliance)"
    giver = say(sit(dealt("SA SK", "HK")), "bid mediateur", "pass", "pass", "pass", "call HK")
    assert giver.refusal(Action("give")) == "no card is named (bids.mediateur)"
