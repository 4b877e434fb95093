"""A point's id asks one question in all profiles, and its old ids are understood wherever it stands."""

import json
from itertools import combinations

import make_points
import pytest
from quadrille_plugins.discriminate.configurations import ConfigurationSpace
from quadrille_plugins.ledger.deriving import same_readings
from quadrille_plugins.matters.alternatives import alternatives_of
from quadrille_plugins.rank.space import space_of

from quadrille_core import resources
from quadrille_core.cli.main import run
from quadrille_core.errors import ProfileError, UsageError
from quadrille_core.profile import load_profile
from quadrille_core.ruleset import compile_reference, reference

PROFILES = make_points.profiles()
STATES = [(name, state) for name, compiled in PROFILES.items() for state in compiled.points]
MORE_RULES = {
    "alliance_loss": "the plugin three-tricks says elsewhere how many tricks Hombre must make herself",
}
"""Points whose readings set other rules in one profile than in another, and why the question is the same."""


def ids_of(compiled):
    return [p.id for doc in compiled.chain for p in doc.points]


def old_names(known):
    """The old ids that still stand for one of these points, and are no point of them."""
    return [old for old, new in reference.renamed().items() if old not in known and known & set(new)]


OLD = [(profile, old) for profile, c in PROFILES.items() for old in old_names(set(ids_of(c)))]


@pytest.mark.parametrize("point", sorted({state.point.id for _, state in STATES}))
def test_an_id_asks_the_same_question_of_the_same_rules_in_every_profile(point):
    found = [(name, s) for name, s in STATES if s.point.id == point]
    assert len({s.point.question for _, s in found}) == 1
    assert (len({tuple(make_points.rules_of(s)) for _, s in found}) > 1) == (point in MORE_RULES)


@pytest.mark.parametrize("profile", resources.shipped_profiles())
def test_an_overridden_point_of_a_parent_asks_what_the_parent_asked(profile):
    """Also where a child profile states the point anew, and in profiles that nobody plays."""
    asked = {s.point.id: s.point.question for _, s in STATES}
    for point in load_profile(resources.shipped_profiles()[profile], validate=False).points:
        assert asked.get(point.id, point.question) == point.question


def test_a_question_has_one_id():
    asked = {}
    for _, state in STATES:
        asked.setdefault(state.point.question, set()).add(state.point.id)
    assert {q: ids for q, ids in asked.items() if len(ids) > 1} == {}


def test_two_ids_that_decide_the_same_rules_of_the_same_bids_are_not_in_two_profiles():
    """Where two profiles decide one rule under two ids, one of them must also decide something else."""
    sets = {}
    for name, state in STATES:
        rules = frozenset(path for r in state.point.readings for path, _, _ in r.sets)
        sets.setdefault(rules, {}).setdefault(state.point.id, name)
    assert {tuple(ids) for ids in sets.values() if len(ids) > 1} == set()


def test_every_old_id_stands_for_points_that_there_are_and_is_no_point_beside_them():
    known = {state.point.id for _, state in STATES}
    for old, new in reference.renamed().items():
        assert set(new) <= known
        assert old not in new
        for compiled in PROFILES.values():
            assert not (old in ids_of(compiled) and set(new) & set(ids_of(compiled))), (old, compiled.identity.profile)
    assert {old for _, old in OLD} == set(reference.renamed())


@pytest.mark.parametrize(("profile", "old"), OLD)
def test_an_old_id_chooses_a_reading_and_what_is_shown_has_the_new_one(profile, old, capsys):
    new = reference.current(old, ids_of(PROFILES[profile]))
    state = next(s for s in PROFILES[profile].points if s.point.id == new)
    reading = next(r.id for r in state.point.readings if r.id != state.reading.id)
    by_old = compile_reference(profile, readings={old: reading})
    by_new = compile_reference(profile, readings={new: reading})
    assert by_old.identity == by_new.identity
    assert by_old.identity.readings == ((new, reading),)
    assert [r.point for r in alternatives_of(profile, {}, {}, old)[1]] == [new] * (len(state.point.readings) - 1)
    assert space_of(profile, {}, {}, [old]).names == (new,)
    assert [p.id for p in ConfigurationSpace(profile, points=[old]).points] == [new]
    assert run(["apparatus", profile, "--point", old, "--format", "json"]) == 0
    assert list(json.loads(capsys.readouterr().out)["points"]) == [new]
    assert run(["show", profile, "--reading", f"{old}={reading}", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["rules"]["readings"] == {new: reading}


def test_a_file_may_choose_a_reading_by_an_old_id(tmp_path):
    house = tmp_path / "house.yaml"
    house.write_text(
        "kind: profile\nid: house\ntitle: Ours\nextends: quadrille-laws\nreadings: {consultation: ask_or_declare}\n"
    )
    compiled = compile_reference(str(house))
    assert compiled.value_of("vole.consultation") == "ask_or_declare"
    assert {s.point.id: s.reading.id for s in compiled.points}["vole_consultation"] == "ask_or_declare"


HOUSE = "kind: profile\nid: house\ntitle: Ours\nextends: quadrille-laws\n"
BOTH = {"consultation": "ask", "vole_consultation": "ask_or_declare"}
SAME = "'consultation' and 'vole_consultation' name the same point"


def written(folder, text):
    (folder / "house.yaml").write_text(HOUSE + text)
    return str(folder / "house.yaml")


POINT = """
  {id}:
    question: How do allies agree to play for the vole?
    default: ask_or_declare
    readings:
      ask: {{set: {{{rule}: {value}}}, status: conjecture}}
      ask_or_declare: {{set: {{vole.consultation: ask_or_declare}}, status: conjecture}}"""


def test_a_point_stated_anew_by_its_old_id_replaces_the_parents_point(tmp_path):
    new = {p.point.id for p in compile_reference("quadrille-laws").points}
    house = written(tmp_path, "points:" + POINT.format(id="consultation", rule="vole.consultation", value="ask"))
    compiled = compile_reference(house)
    assert {p.point.id for p in compiled.points} == new
    assert compiled.value_of("vole.consultation") == "ask_or_declare"
    assert not compiled.closed
    for name in ("consultation", "vole_consultation"):
        assert compile_reference(house, readings={name: "ask"}).value_of("vole.consultation") == "ask"


def test_a_point_of_other_rules_under_an_old_id_is_another_point(tmp_path):
    other = """
  consultation:
    question: How large is a purse?
    default: large
    readings:
      small: {set: {table.purse: 60}, status: conjecture}
      large: {set: {table.purse: 90}, status: conjecture}"""
    compiled = compile_reference(written(tmp_path, "points:" + other), readings=BOTH | {"consultation": "small"})
    assert (compiled.value_of("table.purse"), compiled.value_of("vole.consultation")) == (60, "ask_or_declare")


@pytest.mark.parametrize("order", [1, -1])
def test_one_file_that_states_a_point_by_both_its_ids_is_refused_with_both_named(tmp_path, order, capsys):
    points = [POINT.format(id=name, rule="vole.consultation", value="ask") for name in list(BOTH)[::order]]
    assert run(["check", written(tmp_path, "points:" + "".join(points))]) == 1
    assert SAME in capsys.readouterr().out


@pytest.mark.parametrize(
    "text",
    [
        "readings: {consultation: ask, vole_consultation: ask_or_declare}\n",
        "witnesses:\n  me: {source: wikipedia-old, title: Mine, fills: {consultation: ask, vole_consultation: ask}}\n",
    ],
)
def test_one_mapping_of_a_profile_that_names_a_point_by_both_its_ids_is_refused(tmp_path, text, capsys):
    assert run(["check", written(tmp_path, text)]) == 1
    assert SAME in capsys.readouterr().out


RESULT = (
    "players: [A, B, C, D]\npool: 4\ncontract: alliance\nhombre: A\nally: B\ntrump: hearts\n"
    "tricks: {A: 5, B: 2, C: 3}\nrules: quadrille-laws\n"
)


def test_a_result_that_names_a_point_by_both_its_ids_is_refused_where_it_stands(tmp_path, capsys):
    with pytest.raises(ProfileError, match=SAME):
        compile_reference("quadrille-laws", readings=BOTH)
    file = tmp_path / "result.yaml"
    file.write_text(RESULT + "readings: {consultation: ask, vole_consultation: ask_or_declare}\n")
    assert run(["settle", str(file)]) == 1
    error = capsys.readouterr().err
    assert SAME in error
    assert "result.yaml:9:" in error


def test_a_reading_by_hand_goes_before_that_of_a_file_old_id_or_new(tmp_path, capsys):
    file = tmp_path / "result.yaml"
    file.write_text(RESULT + "readings: {consultation: ask}\n")
    assert run(["settle", str(file), "--reading", "vole_consultation=ask_or_declare", "--format", "json"]) == 0
    rules = json.loads(capsys.readouterr().out)["rules"]
    assert rules["readings"] == {"vole_consultation": "ask_or_declare"}


EVIDENCE = """kind: evidence
title: Ours
rules: quadrille-laws
readings: {consultation: ask}
points: [remise_pays, consultation]
evidence:
  - id: lost
    kind: comparison
    source: wikipedia-old
    at: laws
    of: hombre
    what: loss
    first: {players: [A, B, C, D], pool: 4, contract: solo, trump: diamonds, hombre: A, tricks: {A: 4, B: 6}}
    is: "<"
    second: {players: [A, B, C, D], pool: 4, contract: solo, trump: diamonds, hombre: A, tricks: {A: 5, B: 5}}
"""


def test_evidence_may_name_a_point_by_one_id_and_the_command_line_by_the_other(tmp_path, capsys):
    file = tmp_path / "evidence.yaml"
    file.write_text(EVIDENCE)
    code = run(["discriminate", str(file), "--reading", "vole_consultation=ask_or_declare", "--format", "json"])
    found = capsys.readouterr()
    assert code in (0, 1), found.err
    assert json.loads(found.out)["rules"]["readings"] == {"vole_consultation": "ask_or_declare"}


def test_an_old_id_that_another_point_of_the_profile_has_means_that_point():
    compiled = compile_reference("quanti-1822", readings={"unit": "fixed", "allies_paid": "each_opponent_each_ally"})
    assert dict(compiled.identity.readings) == {"unit": "fixed", "allies_paid": "each_opponent_each_ally"}


def test_an_old_id_of_two_points_of_one_profile_is_refused_with_both_named(monkeypatch):
    """No shipped id is ambiguous, which is held first; so the table of old ids is one made for this test."""
    for compiled in PROFILES.values():
        for old, new in reference.renamed().items():
            assert len(set(new) & set(ids_of(compiled))) <= 1, (old, compiled.identity.profile)
    monkeypatch.setattr(reference, "renamed", lambda: {"ours": ("codille_pays", "remise_pays")})
    with pytest.raises(ProfileError, match="old id of several points here: codille_pays and remise_pays"):
        compile_reference("quadrille-laws", readings={"ours": "nothing"})


def test_an_id_that_no_point_has_or_had_is_refused():
    with pytest.raises(ProfileError, match="no point in dispute is called 'overcalled_bidders'"):
        compile_reference("quadrille-modern", readings={"overcalled_bidders": "never"})
    with pytest.raises(UsageError, match="'overcalled_bidders' is no point in dispute"):
        alternatives_of("quadrille-modern", {}, {}, "overcalled_bidders")


def test_readings_chosen_by_old_ids_and_by_new_are_the_same_choice():
    assert same_readings({"consultation": "ask"}, {"vole_consultation": "ask"})
    assert same_readings({}, {})
    for one, other in combinations([{}, {"unit": "fixed"}, {"unit": "other"}, {"ante": "fixed"}], 2):
        assert not same_readings(one, other)
