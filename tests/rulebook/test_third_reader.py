"""Deals that were played and questions met in them, answered by a reader who had the printed rulebook alone.

``third/*.yaml`` has the deals, what the engine says of them, what the reader said (``read``), and what was rewritten
for it.  The sheets that the reader was given were made by drawing from exported deals; eight of them show a hand as
it was before an exchange; where the answer turns on that (``shown``), it is right of the hand, and not of the deal.
"""

from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
import yaml
from quadrille_plugins.settle.result_file import read_result

from quadrille_core.cards import parse_card, parse_cards, parse_suit
from quadrille_core.engine.actions import parse_action
from quadrille_core.engine.deal import DealSetup
from quadrille_core.engine.settle import settle
from quadrille_core.engine.table import Deal
from quadrille_core.ruleset import compile_reference

HERE = Path(__file__).parent / "third"
READ = {p.stem: yaml.safe_load(p.read_text("utf-8")) for p in sorted(HERE.glob("*.yaml")) if "house" not in p.stem}


@cache
def _compiled(name):
    return compile_reference(str(HERE / name) if name.endswith(".yaml") else name)


def _each(kind):
    return [
        pytest.param(said["rules"], case, id=f"{name}-{n}")
        for name, said in READ.items()
        for n, case in enumerate(said[kind], 1)
    ]


@pytest.mark.parametrize(("rules", "case"), _each("settlements"))
def test_every_deal_was_settled_as_the_engine_does(rules, case):
    """Forty deals, none wrong."""
    compiled = _compiled(rules).ruleset.rules
    result = read_result({"rules": rules, **case["result"]}, compiled)
    net = dict(zip(result.players, settle(compiled, result).net, strict=True))
    assert net == {p: Fraction(n) for p, n in case["net"].items()}
    assert case["read"] == case["net"]


def _reached(rules, case):
    """The deal as it stands when the question is asked."""
    setup = DealSetup(
        hands=tuple(parse_cards(hand) for hand in case["hands"]),
        pool=Fraction(case["pool"]),
        favourite=parse_suit(case["favourite"]) if "favourite" in case else None,
    )
    deal = Deal(_compiled(rules).ruleset, setup)
    for action in filter(None, case["before"].split(", ")):
        deal.apply(parse_action(action.partition(" ")[2]))
    return deal


@pytest.mark.parametrize(("rules", "case"), _each("questions"))
def test_every_question_has_the_answer_of_the_engine(rules, case):
    """What may be bid, named, called or played at that moment of that deal."""
    assert (parse_action(case["act"]) in _reached(rules, case).legal()) == case["may"]


def test_the_hands_that_were_shown_wrong_are_those_before_an_exchange():
    """In each of the three the hand that the player holds by then differs from the one on the sheet."""
    found = [(said["rules"], case) for said in READ.values() for case in said["questions"] if "shown" in case]
    assert len(found) == 3
    for rules, case in found:
        deal, shown = _reached(rules, case), parse_cards(case["shown"])
        assert set(deal.hands[deal.turn]) != set(shown)
        assert any(action.partition(" ")[2].startswith("give ") for action in case["before"].split(", "))
        assert case["read"] != case["may"] or parse_card(case["act"].split()[1]) in shown


def test_the_page_states_how_many_answers_were_right():
    """The counts on the page are those of the data."""
    deals = [case for said in READ.values() for case in said["settlements"]]
    asked = [case for said in READ.values() for case in said["questions"]]
    shown = [case for case in asked if "shown" in case]
    wrong = [case for case in asked if case["read"] != case["may"] and "shown" not in case]
    page = " ".join((HERE.parents[2] / "docs" / "rulebook.md").read_text("utf-8").split())
    assert f"settled all {len(deals)} deals as the engine does" in page
    assert f"answered {len(asked) - len(shown) - len(wrong)} of {len(asked) - len(shown)} questions right" in page
    assert all(said["rewritten"] for said in READ.values())
