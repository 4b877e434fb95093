"""What must be claimed in time is not paid unless it was, and nothing is claimed that is not
due."""

import json

import pytest
from click.testing import CliRunner
from quadrille_plugins.deal.session import play_deal, play_streams
from quadrille_plugins.settle.possible import impossible
from quadrille_plugins.settle.result_file import read_result, result_to_plain
from quadrille_plugins.shell.main import cli
from support import made_rules
from support.plugin import SOLO
from support.table import dealt

from quadrille_core.engine.settle import due, settle
from quadrille_core.errors import ResultError
from quadrille_core.rules import Identity, RuleSet
from quadrille_core.ruleset import compile_reference

WON = {**SOLO, "matadors": 3, "premiers": True}
LAWS_FILE = """
rules: quadrille-laws
readings: {claims: emended}
players: [A, B, C, D]
pool: 12
contract: solo
trump: hearts
hombre: A
tricks: {A: 6, B: 2, D: 2}
matadors: 3
premiers: true
"""


def laws(**readings):
    return compile_reference("quadrille-laws", readings=readings).ruleset.rules


def faults(rules, **changes):
    with pytest.raises(ResultError) as refused:
        read_result({**WON, **changes}, rules)
    return [(p.code, p.message, p.help) for p in refused.value.problems]


def test_the_body_of_the_article_pays_matadors_unasked_and_its_law_does_not():
    unasked = settle(laws(), read_result(WON, laws()))
    late = settle(laws(claims="emended"), read_result(WON, laws(claims="emended")))
    assert (unasked.net[0], late.net[0]) == (30, 21)
    assert [x.item for x in late.lapsed] == ["matadors"]


def test_as_printed_the_law_wants_a_forced_game_claimed_and_emended_a_solo():
    premiums = {"payments.premium.solo": 4, "payments.premium.forced-spadille": 1}
    lapsed = {}
    for reading in ("emended", "literal"):
        rules = compile_reference(
            "quadrille-laws", readings={"claims": reading}, settings=premiums
        ).ruleset.rules
        for contract, ally in (("solo", None), ("forced-spadille", "C")):
            result = read_result({**WON, "contract": contract, "ally": ally}, rules)
            lapsed[reading, contract] = [x.item for x in settle(rules, result).lapsed]
    assert lapsed == {
        ("emended", "solo"): ["premium", "matadors"],
        ("emended", "forced-spadille"): ["matadors"],
        ("literal", "solo"): ["matadors"],
        ("literal", "forced-spadille"): ["premium", "matadors"],
    }


def test_a_claim_of_what_was_not_earned_is_refused_with_what_was():
    message = "matadors was claimed, and this result earns Hombre's side none"
    assert faults(laws(), matadors=2, claims=["matadors"]) == [
        ("Q701", message, "due here: premiers")
    ]


def test_nothing_can_be_claimed_of_a_lost_game():
    found = faults(laws(), tricks={"A": 5, "B": 5}, premiers=False, claims=["matadors"])
    assert [f[2] for f in found] == ["nothing that could be claimed is due to Hombre's side here"]


def test_a_premium_of_nothing_is_not_due():
    assert [f[1][:7] for f in faults(laws(), claims=["premium", "matadors"])] == ["premium"]


def test_claims_are_judged_only_of_a_result_that_is_otherwise_possible():
    assert [f[1] for f in faults(laws(), tricks={"A": 6, "B": 5}, claims=["vole"])] == [
        "11 tricks were made, and a deal has 10"
    ]


def test_what_is_due_is_never_refused_and_what_is_not_always_is():
    rules = made_rules(**{"payments.in_favourite.vole_premium.undertaken.solo": 2}).rules
    won = {**WON, "tricks": {"A": 10}, "vole": "undertaken"}
    assert due(rules, read_result(won, rules)) == ("premium", "matadors", "premiers", "vole")
    claimed = read_result({**won, "claims": ["vole", "matadors"]}, rules)
    assert claimed.claims == ("matadors", "vole")
    assert impossible(rules, claimed) == []


class Winner:
    """Takes the first card or word it may; the cards do the rest."""

    name = "winner"

    def choose(self, view, legal, stream):
        wanted = ("bid solo", "pass", "trump spades", "claim")
        return next((a for wish in wanted for a in legal if str(a) == wish), legal[0])


def test_players_of_the_engine_claim_in_time_and_their_record_says_so():
    ruleset = RuleSet(
        identity=Identity(profile="made", digest="0" * 64),
        rules=made_rules(**{"bids.solo.claimed": ["premium", "matadors", "vole"]}).rules,
    )
    setup = dealt("SA S2 CA SK SQ SJ S7 S6 S5 S4", pool=4)
    result = play_deal(ruleset, setup, [Winner()] * 4, play_streams(1, 0, 0, 4)).result()
    assert result.claims == ("premium", "matadors")
    assert settle(ruleset.rules, result).lapsed == ()
    assert result_to_plain(result, "made")["claims"] == ["premium", "matadors"]


def test_settle_tells_what_lapsed_by_which_rule_and_whose():
    told = CliRunner().invoke(cli, ["settle", "-"], input=LAWS_FILE)
    assert told.exit_code == 0
    words = " ".join(told.output.split())
    assert "Not claimed in time, and so not paid: three matadors, 3 from each who owed it" in words
    assert (
        'bids.solo.claimed: inferred (wikipedia-old: L9, with "sans prendre" for "forced Spadille")'
        in words
    )
    data = json.loads(
        CliRunner().invoke(cli, ["settle", "-", "--format", "json"], input=LAWS_FILE).output
    )
    assert [(x["item"], x["amount"], x["rule"]) for x in data["lapsed"]] == [
        ("matadors", 3, "bids.solo.claimed")
    ]
    assert data["net"]["A"] == 21


def test_where_nothing_lapsed_the_json_does_not_speak_of_it():
    text = LAWS_FILE + "claims: [matadors]\n"
    data = json.loads(
        CliRunner().invoke(cli, ["settle", "-", "--format", "json"], input=text).output
    )
    assert "lapsed" not in data
    assert data["net"]["A"] == 30
