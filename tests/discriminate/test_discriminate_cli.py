"""``quadrille discriminate``: what it prints, how it refuses, and the evidence that is shipped."""

import csv
import io
import json
from pathlib import Path

import pytest
from quadrille_plugins.discriminate.configurations import ConfigurationSpace
from quadrille_plugins.discriminate.evidence import load_evidence, read_evidence
from quadrille_plugins.discriminate.report import (
    discrimination_blocks,
    pictures_of,
)
from quadrille_plugins.discriminate.study import Discrimination
from quadrille_plugins.discriminate.validity import Validity
from quadrille_plugins.shell.main import run
from support.data import cases

from quadrille_core import resources

ROOT = Path(__file__).parents[2]
HEAD = "kind: evidence\nrules: quanti-1822\npoints: [unit, solo_premium]\nevidence:\n"
SOLO = (
    "{players: [A, B, C, D], pool: 12, contract: solo, trump: diamonds, hombre: A, tricks: "
    "{A: 6, B: 4}}"
)
PIECE = f"""\
  - id: a
    kind: settlement
    source: parlett
    at: here
    result: {SOLO}
    expect: {{net: {{A: 48}}}}
"""


def asked(capsys, *arguments):
    status = run(["discriminate", *arguments])
    out, err = capsys.readouterr()
    return status, out, err


@pytest.fixture
def write(tmp_path):
    def put(text):
        path = tmp_path / "evidence.yaml"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return put


def test_what_is_found_is_told_as_json(capsys, write):
    status, out, _ = asked(capsys, write(HEAD + PIECE), "--format", "json")
    data = json.loads(out)
    assert status == 0
    assert data["configurations"] == {"all": 6, "compile": 6, "survive": 1}
    assert data["pieces"][0]["configurations"] == {"holds": 1, "fails": 5}
    assert [(p["point"], p["status"]) for p in data["points"]] == [
        ("unit", "forced"),
        ("solo_premium", "forced"),
    ]
    excluded = [r for p in data["points"] for r in p["readings"] if r["status"] == "excluded"]
    assert [r["reading"] for r in excluded] == ["fixed", "two_units", "double_stake"]
    assert all(
        r["felled_by"] == {"sets": [["a"]], "complete": True} and r["says"] for r in excluded
    )
    assert data["linked"] == []
    assert data["next"] == []
    assert data["contradictions"] is None


def test_rows_have_one_reading_each(capsys, write):
    _, out, _ = asked(capsys, write(HEAD + PIECE), "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [(r["point"], r["reading"], r["status"], r["survivors"], r["felled_by"]) for r in rows][
        :2
    ] == [
        ("unit", "quarter_of_stake", "forced", "1", ""),
        ("unit", "fixed", "excluded", "0", "a"),
    ]
    assert len(rows) == 5


def test_a_reading_chosen_by_hand_settles_its_point_beforehand(capsys, write):
    status, out, _ = asked(
        capsys, write(HEAD + PIECE), "--reading", "solo_premium=two_units", "--format", "json"
    )
    data = json.loads(out)
    assert status == 1
    assert data["configurations"] == {"all": 2, "compile": 2, "survive": 0}
    assert [p["point"] for p in data["points"]] == ["unit"]
    assert data["contradictions"] == {"sets": [["a"]], "complete": True}


def test_a_rule_set_by_hand_is_set_in_every_configuration(capsys, write):
    _, out, _ = asked(
        capsys, write(HEAD + PIECE), "--set", "stakes.unit=1/2", "--next", "0", "--format", "json"
    )
    assert (
        json.loads(out)["configurations"]["survive"] == 1
    )  # two units of six are as much as four of three
    _, out, _ = asked(capsys, write(HEAD + PIECE), "--set", "stakes.unit=1/2", "--next", "0")
    assert "solo_premium   two_units" in out


def test_linked_points_are_told(capsys, write):
    text = (
        HEAD
        + PIECE.replace("expect: {net: {A: 48}}", "expect: {outcome: won}")
        + (
            "  - id: b\n    kind: comparison\n    source: parlett\n    at: there\n    of: "
            f"hombre\n    what: gain\n    first: {SOLO}\n    is: '>='\n    amount: 30\n"
        )
    )
    _, out, _ = asked(capsys, write(text), "--next", "1")
    assert "These stand only together, linked by the evidence (4 ways): unit, solo_premium" in out
    assert "- unit=fixed, solo_premium=double_stake" in out
    assert "look for a passage that says what" in out


NO_POINT = {"hoyle-odds"}
"""Evidence that is as the rules have it under every reading: its page says so."""

LARGE = {"quanti-table"}
"""Evidence of so many points that to judge all their combinations takes ten seconds."""


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=[pytest.mark.slow] if n in LARGE else []) for n in resources.evidence()],
)
def test_what_is_shipped_cites_known_sources_and_is_asked_by_its_name(capsys, name):
    status, out, err = asked(capsys, name, "--next", "0", "--format", "json")
    data = json.loads(out)
    assert err == ""
    assert status == (0 if data["configurations"]["survive"] else 1)
    assert data["configurations"]["compile"] == data["configurations"]["all"]
    assert (data["configurations"]["survive"] == data["configurations"]["compile"]) == (
        name in NO_POINT
    )


def test_a_study_is_run_again_by_its_manifest(capsys, write, tmp_path):
    for evidence in (write(HEAD + PIECE), "patience-odds"):
        manifest = str(tmp_path / "manifest.json")
        asked(capsys, evidence, "--manifest", manifest)
        assert run(["rerun", manifest]) == 0, capsys.readouterr()
    changed = write(HEAD + PIECE.replace("48", "49"))
    asked(capsys, changed, "--manifest", manifest)
    write(HEAD + PIECE)
    assert run(["rerun", manifest, "--format", "json"]) == 1
    difference = json.loads(capsys.readouterr().out)["difference"]
    assert difference["what"] == "file"
    assert difference["path"].endswith("evidence.yaml")


def test_what_holds_nowhere_is_told_with_the_reason_and_whether_it_can_have_happened(capsys, write):
    text = HEAD + PIECE.replace("solo, trump", "sollo, trump").replace("pool: 12", "pool: 4")
    _, out, _ = asked(capsys, write(text), "--next", "0", "--details")
    assert "holds in 0, cannot have happened in 6" in " ".join(out.split())
    assert "- a holds under no reading; by those in use," in out
    assert "sollo" in out
    _, out, _ = asked(
        capsys, write(HEAD + PIECE.replace("{A: 48}", "{A: 49}")), "--next", "0", "--format", "json"
    )
    (piece,) = json.loads(out)["pieces"]
    assert piece["in_use"] == {"answer": "fails", "says": "A has +48, not +49"}
    assert piece["configurations"] == {"fails": 6}


def test_pictures_show_what_each_piece_leaves_and_which_readings_survive(capsys, write):
    text = (
        HEAD
        + PIECE.replace("expect: {net: {A: 48}}", "expect: {outcome: won}")
        + PIECE.replace("id: a", "id: b")
    )
    _, out, _ = asked(capsys, write(text), "--next", "0", "--format", "json")
    pieces, readings = pictures_of(json.loads(out))
    assert [(m.label, m.value) for m in pieces.rows] == [("b", pytest.approx(100 / 6, abs=1e-6))]
    assert {m.label: m.value for m in readings.rows} == {
        "unit=quarter_of_stake": 100,
        "unit=fixed": 0,
        "solo_premium=four_units": 100,
        "solo_premium=two_units": 0,
        "solo_premium=double_stake": 0,
    }
    _, out, _ = asked(
        capsys, write(HEAD + PIECE.replace("48", "49")), "--next", "0", "--format", "json"
    )
    assert pictures_of(json.loads(out)) == ()  # nothing survives, and nothing is left to be drawn


UNDECIDED = """\
kind: evidence
rules: quanti-1822
points: [red_plain_ace, double_matadors]
evidence:
  - {id: u, kind: odds, source: parlett, at: x, odds: 2/5, within: 1/10, games: 3, contract: solo, players: steady}
"""


def test_what_stays_undecided_is_not_said_to_hold(capsys, write):
    path = write(UNDECIDED)
    _, out, _ = asked(capsys, path, "--next", "0", "--details")
    assert "holds in 0, undecided in 4" in out
    told = " ".join(out.split())
    assert (
        "Nothing falls, but 1 piece stays undecided: so far the evidence settles no point in "
        "dispute." in told
    )
    assert "Every piece holds" not in told


def test_where_nothing_compiles_no_piece_is_said_to_hold(monkeypatch):
    root = load_evidence("hoyle-odds")
    space = ConfigurationSpace("quadrille-laws", points=("ante",))
    # the rules in use always compile, so that this is made by hand
    monkeypatch.setattr(Validity, "valid", lambda self: self.space.diagrams.false)
    found = Discrimination(
        space,
        read_evidence(
            root, "none", space.compiled.game, space.compiled.kind, space.compiled.sources
        ),
    )
    data = {
        "configurations": {"all": 2, "compile": found.started, "survive": found.remaining},
        "pieces": [
            {
                "id": p.id,
                "source": p.source,
                "at": p.at,
                "configurations": dict(found.words(n)),
                "in_use": {"answer": "", "says": ""},
            }
            for n, p in enumerate(found.pieces)
        ],
        "points": [],
        "linked": [],
        "next": [],
        "contradictions": None,
    }
    assert data["configurations"]["compile"] == 0
    printed = str(list(discrimination_blocks(found, data)))
    assert "No configuration compiles" in printed
    assert "Every piece holds" not in printed
    assert "holds everywhere" not in printed
    assert "Nothing falls" not in printed


# --- refused --------------------------------------------------------------------------------------


@cases("discriminate_cli")
def test_a_fault_is_told_at_its_line(capsys, write, text, line, code, words):
    status, out, err = asked(capsys, write(text))
    assert status in (1, 2)
    assert out == ""
    assert f"evidence.yaml:{line}:" in err, err
    assert code in err
    assert words in err


def test_evidence_that_is_not_there_is_named(capsys):
    status, _, err = asked(capsys, "codille-cheapest")
    assert status == 1
    assert "codille-cheaper" in err
    status, _, err = asked(capsys, "nowhere.yaml")
    assert status == 2
    assert "Q101" in err


def test_hostile_evidence_is_refused_within_its_bounds(capsys, write):
    status, _, err = asked(
        capsys, write("kind: evidence\nrules: quanti-1822\nevidence:\n" + "  - " * 40 + "1\n")
    )
    assert status == 1
    assert "Q106" in err
    many = HEAD + "".join(PIECE.replace("id: a", f"id: a{n}") for n in range(201))
    status, _, err = asked(capsys, write(many))
    assert status == 1
    assert "200 are the most" in err
    huge = "7" * 5000
    status, _, err = asked(capsys, write(HEAD + PIECE.replace("pool: 12", f"pool: {huge}")))
    assert status == 1
    assert "Q112" in err


def test_too_many_points_at_once_are_given_up_in_words(capsys, write, monkeypatch):
    from quadrille_plugins.discriminate import configurations

    few = {"most": 2, "widest": None}
    monkeypatch.setattr(configurations.ConfigurationSpace.explore, "__kwdefaults__", few)
    status, _, err = asked(capsys, write(HEAD + PIECE))
    assert status == 2
    assert "depends on too many points at once" in err
    assert "leave fewer points open" in err
