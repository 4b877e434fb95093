"""Deals that were played and questions met in them, answered by a reader who had the printed
rulebook alone.

``third/*.yaml`` has the deals, what the engine says of them, what the reader said (``read``), and
what was rewritten for it.  The sheets that the reader was given were made by drawing from exported
deals; eight of them show a hand as it was before an exchange; where the answer turns on that
(``shown``), it is right of the hand, and not of the deal.
"""

from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
import yaml
from quadrille_plugins.settle.result_file import read_result

from quadrille_core.cards import parse_cards, parse_suit
from quadrille_core.engine.actions import parse_action
from quadrille_core.engine.deal import DealSetup
from quadrille_core.engine.settle import settle
from quadrille_core.engine.table import Deal
from quadrille_core.ruleset import compile_reference

HERE = Path(__file__).parent / "third"
READ = {
    p.stem: yaml.safe_load(p.read_text("utf-8"))
    for p in sorted(HERE.glob("*.yaml"))
    if "house" not in p.stem
}


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
