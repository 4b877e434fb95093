"""What a reader answered from the printed rulebook alone, held against the engine: settlements and
"may I?" questions.

The answers of ``trial/*.yaml`` were written down with the text in hand, before the engine was
asked.  ``mended`` says what the text left open or made hard to find, and what it says now.
``reader`` has the answers, kept as they were given, of a second reader who had the printed text
alone, and what was rewritten after them.
"""

from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
import yaml
from quadrille_plugins.settle.result_file import read_result

from quadrille_core.cards import NO_TRUMP, PACK, parse_card, parse_cards, parse_suit
from quadrille_core.engine.actions import parse_action
from quadrille_core.engine.amounts import basic_stake
from quadrille_core.engine.deal import DealSetup, names
from quadrille_core.engine.forcing import follow
from quadrille_core.engine.settle import settle
from quadrille_core.engine.table import Deal
from quadrille_core.ruleset import compile_reference

HERE = Path(__file__).parent / "trial"
TRIALS = {
    p.stem: yaml.safe_load(p.read_text("utf-8"))
    for p in sorted(HERE.glob("*.yaml"))
    if p.stem != "thursday"
}


@cache
def _compiled(name):
    return compile_reference(str(HERE / name) if name.endswith(".yaml") else name)


def _cases(kind):
    return [
        pytest.param(trial, case, id=f"{name}-{n}")
        for name, trial in TRIALS.items()
        for n, case in enumerate(trial[kind], 1)
    ]


@pytest.mark.parametrize(("trial", "case"), _cases("settlements"))
def test_the_reader_settles_as_the_engine_does(trial, case):
    """What each player gained or lost, worked out from the text, is what the engine pays."""
    rules = _compiled(trial["rules"]).ruleset.rules
    players = names(rules.table.players)
    result = read_result(
        {"rules": trial["rules"], "players": list(players), **case["result"]}, rules
    )
    assert dict(zip(players, settle(rules, result).net, strict=True)) == {
        p: Fraction(n) for p, n in case["net"].items()
    }


def _hands(rules, eldest):
    """The eldest hand as the case has it, the rest of the pack dealt out in its order."""
    size = rules.table.hand_cards
    first = parse_cards(eldest) if eldest else ()
    left = [card for card in PACK if card not in first]
    first, left = (first, left) if first else (tuple(left[:size]), left[size:])
    assert len(first) == size
    return (first, *(tuple(left[at : at + size]) for at in range(0, len(left), size)))


def _may(compiled, case):
    """Whether the engine lets the player do it; what the case says happened before must be
    allowed."""
    rules = compiled.ruleset.rules
    if "play" in case:
        trump = NO_TRUMP if case["trump"] == "none" else parse_suit(case["trump"])
        return parse_card(case["play"]) in follow(rules.forcing, trump).legal(
            parse_cards(case["hand"]), parse_cards(case["trick"])
        )
    favourite = None if rules.favourite.source == "none" else parse_suit("hearts")
    setup = DealSetup(
        hands=_hands(rules, case.get("eldest")),
        pool=Fraction(basic_stake(rules.stakes, rules.table.players)),
        favourite=favourite,
    )
    deal = Deal(compiled.ruleset, setup)
    for action in filter(None, case["before"].split(", ")):
        deal.apply(parse_action(action))
    return parse_action(case["act"]) in deal.legal()


@pytest.mark.parametrize(("trial", "case"), _cases("questions"))
def test_the_reader_allows_what_the_engine_allows(trial, case):
    """Each question of what may be played, bid, called or named is answered as the engine answers
    it."""
    assert _may(_compiled(trial["rules"]), case) == case["may"]
