"""The kinds of game: one machinery of rules for all, and each rule of one kind alone."""

import json

import pytest

from quadrille_core import vocabulary
from quadrille_core.errors import ProfileError, UsageError
from quadrille_core.kinds import KINDS
from quadrille_core.profile import check_profile, load_text
from quadrille_core.ruleset import compile_reference

HEAD = "kind: profile\nid: test\ntitle: Test\n"


def test_no_two_kinds_of_game_share_a_block():
    blocks = [b for kind in KINDS for b in vocabulary.blocks_of(kind)]
    assert len(set(blocks)) == len(blocks)
    assert len(vocabulary.every_leaf()) == sum(len(vocabulary.leaves(kind)) for kind in KINDS)


@pytest.mark.parametrize(("name", "kind"), [("quanti-1822", "tricks"), ("contradance", "patience")])
def test_a_rule_set_is_of_the_kind_that_its_profile_or_its_parent_says(name, kind):
    compiled = compile_reference(name)
    assert compiled.kind == kind
    assert type(compiled.game.rules) is KINDS[kind].root
    assert set(vocabulary.leaves(kind)) >= {vocabulary.pattern_of(p) for p in compiled.origins}


@pytest.mark.parametrize("name", ["royal-quadrille", "captive-queens", "contradance"])
def test_the_rules_of_a_patience_are_built_from_their_leaves_and_back(name):
    rules = compile_reference(name).game.rules
    assert vocabulary.build_of("patience", vocabulary.dump(rules)) == rules


def test_a_rule_set_of_another_kind_is_refused_by_name():
    with pytest.raises(
        UsageError, match="captive-queens is a patience, and this is for a game of tricks"
    ):
        _ = compile_reference("captive-queens").ruleset
    with pytest.raises(
        UsageError, match="quanti-1822 is a game of tricks, and this is for a patience"
    ):
        _ = compile_reference("quanti-1822").game_of("patience")


@pytest.mark.parametrize(
    ("name", "path", "said"),
    [
        (
            "captive-queens",
            "stakes.ante",
            "stakes.ante is a rule of a game of tricks, and this is a patience",
        ),
        (
            "quanti-1822",
            "heap.turns",
            "heap.turns is a rule of a patience, and this is a game of tricks",
        ),
    ],
)
def test_no_rule_of_another_kind_is_set_by_hand(name, path, said):
    with pytest.raises(ProfileError, match=f"Q605 {said}"):
        compile_reference(name, settings={path: 1})


def test_a_profile_cannot_hold_rules_of_another_kind(tmp_path):
    for text, said in (
        (
            "game: patience\nrules: {stakes: {ante: 1}}\n",
            "stakes is a block of rules of a game of tricks",
        ),
        (
            "rules: {heap: {turns: 1}}\n",
            "heap is a block of rules of a patience, and this is a game of tricks",
        ),
        (
            "game: tricks\nextends: quanti-1822\nrules: {heap: {turns: 1}}\n",
            "heap is a block of rules of a patience",
        ),
    ):
        problems = check_profile(load_text(HEAD + text, "test"))
        assert [p.code for p in problems] == ["Q605"], problems
        assert said in problems[0].message
    # where only the parent says of which kind the profile is, the compiler finds it
    path = tmp_path / "child.yaml"
    path.write_text(
        HEAD + "extends: captive-queens\nrules: {heap: {turns: 1}, stakes: {ante: 1}}\n"
    )
    with pytest.raises(
        ProfileError, match=r"child.yaml:5:\d+: Q605 stakes.ante is a rule of a game of tricks"
    ):
        compile_reference(str(path))


def test_a_reading_or_a_plugin_cannot_set_a_rule_of_another_kind(tmp_path):
    path = tmp_path / "child.yaml"
    points = "points: {p: {question: q, default: r, readings: {r: {set: {stakes.ante: 1}}}}}\n"
    path.write_text(HEAD + "extends: captive-queens\n" + points)
    with pytest.raises(ProfileError, match=r"Q605 stakes.ante is a rule of a game of tricks"):
        compile_reference(str(path))
    path.write_text(HEAD + "extends: captive-queens\nplugins: [{plugin: casco}]\n")
    with pytest.raises(ProfileError, match=r"Q605 bids.casco.* is a rule of a game of tricks"):
        compile_reference(str(path))


def test_a_profile_is_of_the_kind_of_game_that_it_extends(tmp_path):
    path = tmp_path / "child.yaml"
    path.write_text(HEAD + "game: patience\nextends: quanti-1822\n")
    with pytest.raises(ProfileError, match="Q307 test is a patience, and extends a game of tricks"):
        compile_reference(str(path))
    path.write_text(HEAD + "extends: captive-queens\n")
    assert compile_reference(str(path)).kind == "patience"


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"foundations.adornment": []}, "no foundation takes Q, so that no game could be won"),
        ({"foundations.adornment": ["Q", "K"]}, "rank K is built, and adorns the table"),
        ({"foundations.builds": []}, "nothing is built"),
        ({"foundations.builds": [["A", "2"], ["2", "3"]]}, "rank 2 is built in two places"),
        ({"foundations.builds": [["A"], []]}, "build 2 holds no card"),
    ],
)
def test_every_rank_has_one_place_in_a_patience(settings, said):
    with pytest.raises(ProfileError, match=f"Q606 {said}"):
        compile_reference("captive-queens", settings=settings)


def test_commands_for_games_of_tricks_refuse_a_patience(tmp_path, quadrille):
    result = tmp_path / "result.yaml"
    result.write_text(
        "rules: captive-queens\nplayers: [A, B, C, D]\npool: 4\ncontract: solo\nhombre: "
        "A\ntricks: {A: 6}\n"
    )
    ledger = tmp_path / "evening.ledger"
    for args in (
        ("settle", str(result)),
        ("play", "captive-queens", "--hand", "SA", "--trump", "hearts"),
        (
            "session",
            "start",
            str(ledger),
            "--rules",
            "captive-queens",
            *(f"--player={n}" for n in "ABCD"),
        ),
        ("session", "ruling", "captive-queens", "--laws"),
    ):
        code, out, err = quadrille(*args)
        assert (code, out) == (2, ""), args
        assert "is a patience, and this is for a game of tricks" in err, args
    assert not ledger.exists()


def test_rules_of_two_kinds_are_not_compared(quadrille):
    for command in ("diff", "compare"):
        code, _, err = quadrille(command, "quanti-1822", "captive-queens")
        assert code == 2
        assert "they have no rule in common" in err


def test_profiles_says_of_which_kind_each_game_is(quadrille):
    code, out, _ = quadrille("list", "--format", "json")
    assert code == 0
    games = {p["profile"]: p["game"] for p in json.loads(out)}
    assert games["royal-quadrille"] == "patience"
    assert games["quanti-1822"] == "tricks"
