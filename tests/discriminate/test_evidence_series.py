"""Evidence of beasts in a row: printed sizes against a session that begins with these losses."""

import json

import pytest
from quadrille_plugins.discriminate.evidence_pieces import contradicted
from quadrille_plugins.shell.main import run
from support.data import cases

from quadrille_core.ruleset import compile_reference


def told(ref: str, lost: list[str], sizes: list[object], **readings: str) -> str:
    game = compile_reference(ref, readings=readings).ruleset
    return contradicted(game, {"lost": lost, "sizes": sizes})


@cases("evidence_series")
def test_the_beasts_of_the_new_quintille_are_those_in_print(lost, sizes, says):
    """W1.43: the second depends on how the first was lost."""
    assert told("quintille-new", lost, sizes) == says


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
