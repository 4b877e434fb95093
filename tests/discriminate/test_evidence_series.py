"""Evidence of beasts in a row: printed sizes against a session that begins with these losses."""

import json
import sys
from fractions import Fraction

import pytest
from quadrille_plugins.discriminate.evidence_pieces import BroughtPiece, TablePiece, contradicted
from quadrille_plugins.shell.main import run
from support.data import cases
from support.plugin import LEAF, PREAMBLE, make_plugin

from quadrille_core.ruleset import compile_reference


def told(ref: str, lost: list[str], sizes: list[object], **readings: str) -> str:
    game = compile_reference(ref, readings=readings).ruleset
    return contradicted(game, {"lost": lost, "sizes": sizes})


@cases("evidence_series")
def test_the_beasts_of_the_new_quintille_are_those_in_print(lost, sizes, says):
    """W1.43: the second depends on how the first was lost."""
    assert told("quintille-new", lost, sizes) == says


BY_EARLIER = """
@hookimpl
def quadrille_payments(rules, parameters):
    return [PaymentRow(reason="r", amount="before.each", payer="hombre", payee="pool", per={per!r})]
"""


def by_earlier(folder, monkeypatch, per):
    """A plugin ``before`` by which the Hombre pays a counter for each of a fact."""
    code = LEAF.format("OwnLeaf(path='before.each', type='amount', doc='d', neutral=1)")
    make_plugin(folder, "before", PREAMBLE + code + BY_EARLIER.format(per=per))
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, "before_module", raising=False)


@cases("evidence_series")
def test_what_earlier_deals_tell_is_carried_and_who_lost_them_is_not_guessed(
    tmp_path, monkeypatch, per, lost, second, wanted
):
    """A counter for each deal before is part of the second beast; where the rules pay by who was
    Hombre, a second beast is undecided by that fact, and a first one is not."""
    by_earlier(tmp_path, monkeypatch, per)
    game = compile_reference("quintille-new+before").ruleset
    data = {"lost": ["remise"] * lost, "sizes": [15, second][:lost]}
    piece = BroughtPiece(
        id="a",
        kind="series",
        source="s",
        at="p",
        note="",
        place=None,
        data=data,
        asked=contradicted,
    )
    answer = piece.ask(game)
    assert answer.word == wanted
    assert (per.rpartition(".")[2] in answer.says) is (wanted == "undecided")


def test_a_row_of_a_table_is_asked_of_rules_that_count_earlier_deals(tmp_path, monkeypatch):
    """Of a plain deal, the first of its session: a fact of the deal is told as one number."""
    by_earlier(tmp_path, monkeypatch, "deals_before")
    table = {"favourite": False, "pool": Fraction(12), "row": "premium.solo", "units": Fraction(4)}
    piece = TablePiece(id="a", kind="table", source="s", at="p", note="", place=None, **table)
    assert piece.ask(compile_reference("quanti-1822@parlett+before").ruleset).word == "holds"


def test_sizes_and_losses_that_do_not_match_are_refused(capsys, tmp_path):
    piece = "  - {id: a, kind: series, source: hoyle, at: p. 1, lost: [remise], sizes: [15, 45]}\n"
    (tmp_path / "evidence.yaml").write_text(f"kind: evidence\nrules: academie\nevidence:\n{piece}")
    assert run(["discriminate", str(tmp_path / "evidence.yaml")]) == 1
    assert "2 sizes are told of 1 losses" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("evidence", "point", "stands", "falls"),
    [
        ("beast-of-56", "stake_laid", "fiche_and_jeton", "each_one"),
        ("old-quintille", "matadors_sum", "two_for_all", "two_for_each"),
    ],
)
def test_what_a_text_prints_leaves_one_reading(capsys, evidence, point, stands, falls):
    """W1.20: only a stake of fourteen makes beasts of 42 and of 56; W1.35: two for all matadors."""
    assert run(["discriminate", evidence, "--next", "0", "--format", "json"]) == 0
    points = {
        one["point"]: one["readings"] for one in json.loads(capsys.readouterr().out)["points"]
    }
    assert {one["reading"]: one["status"] for one in points[point]} == {
        stands: "forced",
        falls: "excluded",
    }
