"""The thirty laws, each under its number: those of the engine that no scene of ``data/scenes.yaml``
plays.

The laws about irregularities are tested with the rulings (``test_rulings.py``);
``test_every_law_has_its_test`` looks for all of them.  Where a law is corrupt in print, the table
plays by the emended text, and what its letter says is a reading, tried here beside it.
"""

import re
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
import yaml
from quadrille_plugins.ledger.laws import load_laws
from quadrille_plugins.shell.main import run as command
from support.data import of_yaml
from support.table import dealt

from quadrille_core import resources, vocabulary
from quadrille_core.engine.deal import DealSetup
from quadrille_core.engine.result import Result
from quadrille_core.engine.settle import settle
from quadrille_core.engine.table import Deal
from quadrille_core.errors import IllegalActionError, QuadrilleError
from quadrille_core.rules import RuleSet
from quadrille_core.ruleset import compile_reference

LAWS = load_laws(resources.laws()["wikipedia-old"])
BY_NUMBER = {law.number: law for law in LAWS.laws}
"""The six top trumps in spades."""


@cache
def laws(*readings: str) -> RuleSet:
    """The rules of the article, with readings such as ``early_claim=any_six``."""
    return compile_reference(
        "quadrille-laws", readings=dict(r.split("=") for r in readings)
    ).ruleset


def sheet(capsys, text: str) -> str:
    """The sheet of the laws as ``quadrille ruling`` prints it, in one line."""
    assert (
        command(
            ["session", "ruling", "quadrille-laws", "--laws", "--format", "csv", "--text", text]
        )
        == 0
    )
    return re.sub(r"\s+", " ", capsys.readouterr().out)


def lost(
    ruleset: RuleSet, tricks: tuple[int, int, int, int], contract: str = "alliance"
) -> tuple[int, ...]:
    """What a lost game with A and C on one side costs, at a pool of four and clubs as trumps."""
    result = Result(
        players=tuple("ABCD"),
        pool=Fraction(4),
        contract=contract,
        trump=2,
        hombre=0,
        ally=2,
        tricks=tricks,
    )  # type: ignore[arg-type]
    return tuple(int(n) for n in settle(ruleset.rules, result).net)


# --- the deal -----------------------------------------------------------------------------------


def test_law_01_cards_are_dealt_by_threes_and_fours_and_in_no_other_way():
    packets = laws().rules.deal.packets
    assert sorted(packets) == [(3, 3, 4), (3, 4, 3), (4, 3, 3)]
    assert all(set(p) == {3, 4} for p in packets)
    deal = Deal(laws(), dealt("SA", packets=(4, 3, 3)))
    assert deal.phase == "auction"
    with pytest.raises(IllegalActionError, match="5-5"):
        Deal(laws(), dealt("SA", packets=(5, 5)))


@pytest.mark.parametrize("one", [9, 11])
def test_law_02_a_deal_with_too_many_cards_or_too_few_is_no_deal(one):
    hands = [list(h) for h in dealt("SA").hands]
    hands[1].append(hands[0].pop()) if one == 9 else hands[0].append(hands[1].pop())
    with pytest.raises(QuadrilleError, match=str(one)):
        Deal(laws(), DealSetup(hands=tuple(map(tuple, hands)), pool=Fraction(4)))


def test_law_03_a_wrong_deal_costs_nothing_but_another(capsys, tmp_path):
    path = tmp_path / "wrong.yaml"
    path.write_text("incident: wrong_deal\nplayers: [A, B, C, D]\nwrong_count: true\n")
    assert command(["session", "ruling", "quadrille-laws", str(path)]) == 0
    told = capsys.readouterr().out
    assert "D deals again" in told
    assert "D pays nothing" in told


# --- the auction --------------------------------------------------------------------------------


def test_law_18_to_the_letter_is_no_rule_and_the_sheet_says_so(capsys):
    assert "no bid for a forced game is ever spoken" in BY_NUMBER[18].empty
    assert "No rule: no bid for a forced game" in sheet(capsys, "literal")
    assert "No rule" not in sheet(capsys, "emended")


def test_law_23_to_the_letter_is_no_rule_and_the_sheet_says_so(capsys):
    assert "no game is forced" in BY_NUMBER[23].empty
    assert "No rule: once leave has been asked" in sheet(capsys, "literal")


# --- claims -------------------------------------------------------------------------------------


def unclaimed(reading, contract):
    """What is lost by asking for nothing, of a game won with three matadors."""
    result = Result(
        players=tuple("ABCD"),
        pool=Fraction(4),
        contract=contract,
        trump=2,
        hombre=0,
        matadors=3,
        ally=None if contract == "solo" else 2,
        tricks=(6, 2, 0, 2),
    )  # type: ignore[arg-type]
    return [lapse.item for lapse in settle(laws(f"claims={reading}").rules, result).lapsed]


def test_law_09_pay_for_matadors_is_lost_unless_it_is_asked_for_in_time():
    for contract in ("solo", "alliance", "forced-spadille"):
        assert unclaimed("emended", contract) == ["matadors"]
        assert unclaimed("not_needed", contract) == [], "the body wants no claim"


def test_law_09_as_emended_it_is_of_playing_alone_and_to_the_letter_of_a_forced_game():
    def wanting(reading):
        bids = laws(f"claims={reading}").rules.bids
        return [
            n for n in ("solo", "alliance", "forced-spadille") if "premium" in bids.of(n).claimed
        ]

    assert (wanting("emended"), wanting("literal")) == (["solo"], ["forced-spadille"])


# --- premiers and the vole ----------------------------------------------------------------------


def test_law_15_where_the_partner_has_played_out_of_turn_no_vole_is_played(capsys, tmp_path):
    path = tmp_path / "turn.yaml"
    path.write_text(
        "incident: out_of_turn\nplayers: [A, B, C, D]\nby: C\nhombre: A\nally: C\ncard: H7\n"
    )
    assert command(["session", "ruling", "quadrille-laws", str(path), "--format", "csv"]) == 0
    assert "no_vole" in capsys.readouterr().out


def test_law_25_a_lost_vole_leaves_the_stakes_and_what_was_won_besides():
    # pool 4, u = 1; three matadors 1 and premiers 1 from each, and 2 to each for the vole: 4 + 3 +
    # 3 - 6
    assert failed() == (4, 0, 0, 0)
    # premiers are not among what the law names: 4 + 3 - 6
    assert failed("failed_vole_keeps=as_emended") == (1, 1, 1, 1)


def test_law_25_to_the_letter_it_leaves_the_pay_of_a_forced_game_which_comes_to_the_same_without_premiums():
    assert failed("failed_vole_keeps=to_the_letter") == failed("failed_vole_keeps=as_emended")
    solo = {"payments.premium.solo": 4}
    # with a premium of four units it would not: 4 + 3 × (4 + 1) - 6, and 4 + 3 × 1 - 6
    assert failed("failed_vole_keeps=as_emended", settings=solo) == (13, -3, -3, -3)
    assert failed("failed_vole_keeps=to_the_letter", settings=solo) == (1, 1, 1, 1)


def failed(*readings, settings=None):
    chosen = dict(r.split("=") for r in readings)
    rules = compile_reference(
        "quadrille-laws", readings=chosen, settings=settings or {}
    ).ruleset.rules
    result = Result(
        players=tuple("ABCD"),
        pool=Fraction(4),
        contract="solo",
        trump=2,
        hombre=0,
        tricks=(9, 1, 0, 0),
        matadors=3,
        premiers=True,
        vole="undertaken",
    )  # type: ignore[arg-type]
    return tuple(int(n) for n in settle(rules, result).net)


# --- losses -------------------------------------------------------------------------------------


def test_law_17_in_a_forced_game_three_tricks_are_not_required():
    three = laws("alliance_loss=three_tricks")
    # a forced game with one trick by Hombre and four by the ally: the doubling of four is shared
    assert lost(three, (1, 3, 4, 2), "forced-spadille") == (-2, 0, -2, 0)


def test_law_29_who_makes_no_three_tricks_is_beasted_alone_save_in_a_forced_game():
    three = laws("alliance_loss=three_tricks")
    assert lost(three, (2, 3, 3, 2)) == (-4, 0, 0, 0)
    assert lost(three, (3, 3, 2, 2)) == (-2, 0, -2, 0), (
        "with three tricks of hers the ally shares it"
    )
    assert lost(laws(), (3, 3, 2, 2)) == (-4, 0, 0, 0), "the body leaves it to the caller alone"
    assert lost(three, (2, 3, 3, 2), "forced-spadille") == (-2, 0, -2, 0)


# --- the whole code -----------------------------------------------------------------------------


def test_every_law_has_its_test():
    """Here, among the scenes of its number, or with the rulings."""
    here = Path(__file__).parents[1]
    scenes = of_yaml(here / "data" / "scenes.yaml")["scenes"]
    engine = set(map(int, re.findall(r"def test_law_(\d+)_", Path(__file__).read_text())))
    engine |= {scene["law"] for scene in scenes if "law" in scene}
    rulings = set(
        map(int, re.findall(r"_l(\d+)(?=_)", (here / "ledger" / "test_rulings.py").read_text()))
    )
    for law in LAWS.laws:
        if law.kind in ("engine", "claim"):
            assert law.number in engine, f"law {law.number}, which the engine keeps, has no test"
        elif law.kind == "irregularity":
            assert law.number in rulings, (
                f"law {law.number} on an irregularity has no ruling tested"
            )
    kept = {law.number for law in LAWS.laws if law.kind in ("engine", "claim")}
    assert engine == kept, "a test for a law of another kind"


def test_every_reading_that_cites_a_law_sets_a_rule_which_that_law_concerns():
    profile = yaml.safe_load(resources.shipped_profiles()["quadrille-laws"].read_text("utf-8"))
    cited = 0
    for point, entry in profile["points"].items():
        for name, reading in entry["readings"].items():
            for number in map(int, re.findall(r"\bL(\d+)", reading.get("at", ""))):
                cited += 1
                concerns = BY_NUMBER[number].concerns
                assert any(
                    vocabulary.matches(c, leaf) for c in concerns for leaf in reading["set"]
                ), f"{point}={name} cites L{number}, which concerns {concerns}"
    assert cited > 20


def test_the_letter_of_a_law_is_marked_as_no_rule_where_no_reading_can_play_it():
    assert {law.number for law in LAWS.laws if law.empty} == {18, 23}
    assert all(law.corrupt for law in LAWS.laws if law.empty)


def test_every_irregularity_law_orders_something_of_an_incident():
    for law in LAWS.laws:
        if law.kind == "irregularity":
            assert law.clauses, f"law {law.number} orders nothing"


@pytest.mark.parametrize("number", [24, 28])
def test_laws_of_conduct_stand_in_the_rule_sheet_alone_and_it_says_so(number, capsys):
    law = BY_NUMBER[number]
    assert (law.kind, law.clauses, law.concerns) == ("conduct", (), ())
    assert command(["show", "quadrille-laws", "--laws"]) == 0
    sheet = re.sub(r"\s+", " ", re.sub("[│┃|]", " ", capsys.readouterr().out))
    assert f"L{number}" in sheet
    assert "neither the engine nor any payment" in sheet


def test_a_corrupt_law_has_two_texts_and_the_others_one():
    for law in LAWS.laws:
        assert bool(law.corrupt) == (law.emended != law.literal)
    assert {
        law.number
        for law in LAWS.laws
        if "sans prendre" in law.corrupt or "forced" in law.corrupt.lower()
    } >= {*(9, 14, 18, 21, 23, 25)}
