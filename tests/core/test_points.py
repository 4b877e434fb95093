"""The table of disputed points says what the profiles say, and names only what can be chosen."""

import make_points
import pytest
from quadrille_plugins.deal.players import make_bot
from quadrille_plugins.deal.session import play_session
from quadrille_plugins.shell.main import run

from quadrille_core.rules import RuleSet
from quadrille_core.ruleset import compile_reference

PROFILES = make_points.profiles()
QUESTIONS = [question for questions in make_points.QUESTIONS.values() for question in questions]
CHOICES = [(plugin, name) for plugin, known in make_points.parameters().items() for name in known]
VARIATIONS = {
    "multiplier": {"multiplier_loss": "loss_adds", "multiplier_stake": "stake"},
    "point-score": {"score_worth": ""},
    "vole-announced": {
        "announced_vole_lost": "failed",
        "announced_vole_rank": "",
        "announced_vole_when": "",
    },
    "favourite": {"favourite_doubles": "doubles"},
}
"""Points that tell only where a plugin is at work, and the parameter that chooses the same, where
there is one."""


@pytest.mark.parametrize("profile", PROFILES)
def test_every_point_of_a_profile_stands_in_the_table_with_all_its_readings(profile):
    rows = [line for line in make_points.FILE.read_text().splitlines() if f"`{profile}`" in line]
    for state in PROFILES[profile].points:
        assert any(
            f"`{state.point.id}`" in row and all(r.id in row for r in state.point.readings)
            for row in rows
        )


@pytest.fixture(scope="module", params=PROFILES)
def chosen(request):
    """A profile by name, and its rules under each reading of each point; every one is compiled
    once."""
    points = PROFILES[request.param].points
    wanted = {(s.point.id, r.id): {s.point.id: r.id} for s in points for r in s.point.readings}
    return request.param, {
        key: compile_reference(request.param, readings=r) for key, r in wanted.items()
    }


def test_every_reading_of_every_point_makes_a_rule_set(chosen):
    profile, made = chosen
    for state in PROFILES[profile].points:
        for reading in state.point.readings:
            for path, value, _ in reading.sets:
                assert made[state.point.id, reading.id].value_of(path) == value, (
                    state.point.id,
                    reading.id,
                )


def test_every_point_has_a_reading_that_changes_the_rules(chosen):
    profile, made = chosen
    for state in PROFILES[profile].points:
        digests = {made[state.point.id, r.id].identity.digest for r in state.point.readings}
        assert len(digests) == len(state.point.readings), state.point.id


def test_every_reading_of_every_point_is_played_to_the_end_without_losing_a_counter(chosen):
    """A session counts its counters after every deal, and raises LedgerError when one is
    missing."""
    profile, made = chosen
    if isinstance(PROFILES[profile].game, RuleSet):
        bots = [make_bot("random")] * PROFILES[profile].ruleset.rules.table.players
        for compiled in made.values():
            played = list(play_session(compiled.ruleset, bots, seed=7, session=0, deals=2))
            assert len(played) == 2
            assert all(p.deal.over for p in played)


def assert_played(reference, readings=None):
    ruleset = compile_reference(reference, readings=readings).ruleset
    bots = [make_bot("random")] * ruleset.rules.table.players
    played = list(play_session(ruleset, bots, seed=7, session=0, deals=2))
    assert len(played) == 2
    assert all(p.deal.over for p in played)


@pytest.mark.parametrize("host", ["quadrille-laws", "quintille"])
@pytest.mark.parametrize("plugin", VARIATIONS)
def test_points_of_a_variation_are_open_where_it_is_played_and_chosen_by_reading_or_parameter(
    host, plugin
):
    reference = f"{host}+{plugin}"
    compiled = compile_reference(reference)
    states = {s.point.id: s for s in compiled.points}
    for point, parameter in VARIATIONS[plugin].items():
        for reading in states[point].point.readings:
            assert_played(reference, {point: reading.id})
            chosen = compile_reference(reference, readings={point: reading.id}).ruleset.rules
            assert (chosen == compiled.ruleset.rules) is (reading.id == states[point].reading.id)
            if parameter:
                assert (
                    chosen
                    == compile_reference(f"{reference}:{parameter}={reading.id}").ruleset.rules
                )


@pytest.mark.parametrize(("plugin", "name"), CHOICES)
def test_everything_that_a_plugin_leaves_to_be_chosen_is_played_and_no_two_choices_are_the_same(
    plugin, name
):
    references = [make_points.HOST + part for part in make_points.choices(plugin, name)]
    for reference in references:
        assert_played(reference)
    own, *told = [compile_reference(reference).ruleset.rules for reference in references]
    assert own in told
    assert all(a != b for i, a in enumerate(told) for b in told[:i])


def test_every_point_of_a_game_of_tricks_answers_one_of_the_questions():
    named = {point for question in QUESTIONS for point in question.get("points", ())}
    tricks = [compiled for compiled in PROFILES.values() if isinstance(compiled.game, RuleSet)]
    assert named == {state.point.id for compiled in tricks for state in compiled.points}


def test_every_choice_that_a_plugin_leaves_answers_one_of_the_questions():
    named = {
        (p, name)
        for question in QUESTIONS
        for p, names in question.get("plugins", {}).items()
        for name in names
    }
    assert named == set(CHOICES)


@pytest.mark.parametrize("question", QUESTIONS, ids=[q["asks"] for q in QUESTIONS])
def test_a_question_is_answered_by_readings_that_change_a_rule_or_by_rules_in_which_texts_differ(
    question, capsys
):
    assert any(question.get(key) for key in ("points", "parts", "plugins"))
    for rule, references in question.get("parts", {}).items():
        origins = [compile_reference(reference).origins.get(rule) for reference in references]
        values = [None if origin is None else origin.value for origin in origins]
        assert all(a != b for i, a in enumerate(values) for b in values[:i])
    for command in make_points.commands(question):
        name, *arguments = command.split()[1:]
        assert run([name, *arguments]) == (1 if name == "diff" else 0), command
        printed = capsys.readouterr().out
        if "--reading" in command:
            reference, path, _, choice = arguments
            point, _, reading = choice.partition("=")
            changed = compile_reference(reference, readings={point: reading})
            assert changed.value_of(path) != PROFILES[reference].value_of(path)
            assert choice in " ".join(printed.split())
