"""What a word asks of witnesses, of a collation and of a difference; which points go together."""

import json
from pathlib import Path

import pytest
from quadrille_plugins.lookup.find import of_same_matter, points_in, shipped
from quadrille_plugins.shell.main import run
from quadrille_plugins.shell.shipped_effects import shipped_lines
from quadrille_plugins.witnesses.table import questions, questions_on

from quadrille_core.kinds import TRICKS
from quadrille_core.ruleset import compile_reference
from quadrille_core.vocabulary import leaves


@pytest.fixture
def told(capsys):
    def told(*line, status=0):
        assert run([*line, "--format", "json"]) == status
        return json.loads(capsys.readouterr().out)

    return told


def test_a_word_names_the_questions_of_its_matter_also_where_the_question_has_other_words(told):
    assert [*told("list", "witnesses", "codille")] == ["A36", "A37", "A50", "A60"]
    assert [*told("list", "witnesses", "A18", "codilles")][:2] == ["A18", "A36"]
    assert run(["list", "witnesses", "xyzzy"]) == 2


def test_the_rules_of_a_question_are_rules():
    known = {*leaves(TRICKS)}
    assert all(rule in known for q in questions() for rule in q.rules)
    assert [q.id for q in questions_on("codille_indivisible", ["loss.codille_indivisible"])] == [
        "A37"
    ]
    assert "A38" in [q.id for q in questions_on("alliance_loss", [])]


def test_a_difference_by_word_has_the_rules_that_the_word_names_and_no_others(told):
    whole = told("diff", "quanti-1822", "quadrille-laws", status=1)["differences"]
    some = told("diff", "quanti-1822", "quadrille-laws", "codille", status=1)
    assert some["words"] == "codille"
    paths = [d["path"] for d in some["differences"]]
    assert {p for p in (d["path"] for d in whole) if "codille" in p} <= {*paths}
    assert [d for d in whole if d["path"] in paths] == some["differences"] != whole
    point = told("diff", "quanti-1822@parlett", "quanti-1822@wikipedia", "codille_shared", status=1)
    assert [d["path"] for d in point["differences"]] == ["loss.codille_shared_from"]
    assert told("diff", "quanti-1822", "quanti-1822", "codille")["differences"] == []
    assert run(["diff", "quanti-1822", "quadrille-laws", "xyzzy"]) == 2


def test_texts_are_collated_by_word_also_where_they_agree(told):
    whole = told("apparatus", "--collate", "--all", "quanti-1822@parlett", "quanti-1822@wikipedia")
    some = told("apparatus", "--collate", "quanti-1822@parlett", "quanti-1822@wikipedia", "codille")
    assert some["rules"] == {path: whole["rules"][path] for path in some["rules"]}
    assert {"loss.codille_shared_from", "loss.codille_pool"} <= {*some["rules"]}
    assert "stakes.unit" not in some["rules"]
    assert (some["words"], some["distances"]) == ("codille", [])
    every = told("apparatus", "--collate", "codille_shared")
    assert [*every["rules"]] == ["loss.codille_shared_from"]
    assert len(every["texts"]) > 10
    assert run(["apparatus", "--collate", "quanti-1832"]) == 1


def test_points_that_decide_the_same_matter_name_each_other():
    pairs = {
        (name, point.id, other.id)
        for name, rules in shipped().items()
        for point in points_in(rules)
        for other in of_same_matter(point.id, rules)
    }
    assert all((name, b, a) in pairs for name, a, b in pairs)
    named = {b for name, a, b in pairs if (name, a) == ("quanti-1822", "codille_shared")}
    assert named == {"codille_items", "codille_indivisible", "codille_base"}


def test_a_point_tells_of_its_matter_and_of_the_questions_of_period_texts(told):
    found = told("explain", "quanti-1822", "codille_shared")
    assert found["questions"] == ["A36", "A37"]
    told_of = found["profiles"]["quanti-1822"]
    assert told_of["same_matter"] == ["codille_items", "codille_indivisible", "codille_base"]


def test_a_point_shows_what_the_shipped_study_found_by_whom_and_where_it_is_kept(told):
    (shipped_of,) = told("explain", "quanti-1822", "codille_shared")["profiles"].values()
    study = shipped_of["shipped"]
    assert {*study["bots"]} == {"steady"}
    assert (Path(__file__).parents[2] / study["manifest"]).is_file()
    assert [f["reading"] for f in study["findings"]] == ["triple_stake"]
    other = told("explain", "quanti-1822@wikipedia", "codille_shared")["profiles"]
    assert [one["shipped"] for one in other.values()] == [None]  # it played other rules


def test_matters_shows_the_shipped_interval_before_it_plays(capsys):
    line = ["matters", "quanti-1822", "codille_shared", "--deals", "40", "--engine", "readable"]
    assert run(line) == 0
    rules = compile_reference("quanti-1822")
    assert capsys.readouterr().err.splitlines()[:2] == shipped_lines(rules, "codille_shared")[:2]
