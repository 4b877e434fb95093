"""Every combination of readings: which compile, and what rules they make, beside the compiler."""

import random
from pathlib import Path

import pytest
from quadrille_plugins.discriminate.configurations import ConfigurationSpace, EntangledError
from quadrille_plugins.discriminate.next_record import IMPOSSIBLE, passages, situations
from quadrille_plugins.discriminate.validity import Validity
from support.picks import picks_of

from quadrille_core.errors import ProfileError, QuadrilleError, UsageError

ROOT = Path(__file__).parents[2]
SMALL = str(ROOT / "tests" / "data" / "evidence" / "rules" / "small.yaml")
WHOLE = [
    "quanti-1822",
    "quanti-1822@wikipedia",
    "mediateur-1752",
    "quadrille-laws",
    "quintille",
    "quanti-1822+point-score",
    "captive-queens",
]


@pytest.mark.parametrize("reference", WHOLE)
def test_sampled_configurations_compile_or_not_as_the_compiler_says_and_to_the_same_rules(
    reference,
):
    space = ConfigurationSpace(reference)
    valid = Validity(space).valid()
    draw = random.Random(f"combinations of {reference}")
    for _ in range(4):
        pick = tuple(draw.randrange(size) for size in space.diagrams.sizes)
        try:
            compiled = space.compile(pick)
        except ProfileError:
            assert space.at(valid, pick) is False
            continue
        assert space.at(valid, pick) is True
        assert space.rules(pick) == compiled.game.rules
        plain = {p: v for p, v in space.values(pick).items() if p in compiled.origins}
        assert plain == {p: o.value for p, o in compiled.origins.items()}


def test_a_rule_that_varies_depends_on_a_point_that_varies():
    """Of every point and reading of a whole profile: what it changes of the rules was known to
    depend on it."""
    space = ConfigurationSpace(
        "quanti-1822+vole-announced", readings={"ladder": "with_mediateur_and_casco"}
    )
    plain = space.values(space.base)
    for point, size in enumerate(space.diagrams.sizes):
        for reading in range(size):
            pick = (*space.base[:point], reading, *space.base[point + 1 :])
            other = space.values(pick)
            changed = {p for p in {*plain, *other} if plain.get(p) != other.get(p)}
            assert all(point in space.depends(p) for p in changed)


def test_what_a_plugin_offers_depends_on_what_it_reads():
    space = ConfigurationSpace(
        "quanti-1822+favourite", points=("solo_premium", "vole_scheme", "unit")
    )
    solo, scheme, unit = (space.places[p] for p in ("solo_premium", "vole_scheme", "unit"))
    assert space.depends("payments.in_favourite.premium.solo") == {solo}
    assert space.depends("payments.in_favourite.vole_premium.undertaken.solo") == {scheme}
    assert space.depends("stakes.unit") == {unit}
    assert space.depends("forcing.forced_by") == frozenset()


def test_points_that_set_one_rule_and_constraints_refuse_combinations():
    space = ConfigurationSpace(SMALL, points=("ally_when", "worth", "first_cards", "bonus"))
    names = {tuple(space.readings_of(p).values()) for p in picks_of(space, Validity(space).valid())}
    assert ("at_once", "three", "six", "one") not in names
    assert not any(bonus == "two_of_seven" for *_, bonus in names)
    assert space.total() == 36
    assert len(names) == 20


def test_a_rule_set_by_hand_depends_on_no_point():
    space = ConfigurationSpace("quanti-1822", settings={"payments.premium.solo": 3})
    assert space.depends("payments.premium.solo") == frozenset()
    assert space.depends("payments.premium.vole") == {space.places["solo_premium"]}


def test_points_may_all_be_settled_beforehand():
    space = ConfigurationSpace("quanti-1822", points=(), readings={"unit": "fixed"})
    assert space.total() == space.diagrams.count(Validity(space).valid()) == 1
    assert space.rules(()).stakes.unit_of == "constant"


@pytest.mark.parametrize(
    ("points", "words"),
    [
        (("unit", "unit"), "twice"),
        (("units",), "no point"),
        (("ante", "unit"), "left open, and its reading is chosen"),
    ],
)
def test_points_that_cannot_be_left_open_are_refused(points, words):
    with pytest.raises(UsageError, match=words):
        ConfigurationSpace("quanti-1822", points=points, readings={"ante": "each_one"})


def test_a_question_on_too_many_points_is_given_up():
    space = ConfigurationSpace("quanti-1822", points=("unit", "solo_premium", "ante"))
    with pytest.raises(EntangledError, match="too many points"):
        space.explore(
            space.diagrams.true, lambda pick: (pick, {0, 1, 2}), what="everything", most=5
        )


def test_a_question_is_asked_no_oftener_than_what_it_reads_varies():
    space = ConfigurationSpace("quanti-1822")
    asked = []

    def ask(game):
        asked.append(game)
        return game.rules.stakes.unit_of, game.rules.payments.premium.of("solo")

    found = space.ask_rules(Validity(space).valid(), ask, what="two rules")
    assert len(asked) == 6
    assert space.diagrams.support(found) == {space.places["unit"], space.places["solo_premium"]}


# --- what to look for next ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def few():
    return ConfigurationSpace(
        "quanti-1822", points=("solo_premium", "remise_pays", "codille_base", "queen_when")
    )


def test_every_situation_is_answered_by_the_rules_in_use(few):
    game = few.compiled.game
    told = [s for s in situations(few) if s.kind == "settlement"]
    assert len(told) > 50
    possible = 0
    for situation in told:
        answers = situation.ask(game)
        assert len(answers) == len(situation.questions)
        possible += answers[0] != IMPOSSIBLE
    assert possible > len(told) // 3


def test_the_best_passage_leaves_no_more_than_any_other_by_brute_force(few):
    found = passages(few, Validity(few).valid(), most=3)
    assert found
    picks = list(picks_of(few, Validity(few).valid()))
    games = [few.compile(p).game for p in picks]
    least = None
    for situation in situations(few):
        answers = []
        for game in games:
            try:
                answers.append(situation.ask(game))
            except QuadrilleError:  # what rules refuse is an answer of its own
                answers.append((IMPOSSIBLE,) * len(situation.questions))
        for place in range(len(situation.questions)):
            told = [a[place] for a in answers]
            if len(set(told)) > 1:
                left = max(told.count(t) for t in set(told))
                least = left if least is None else min(least, left)
                for passage in found:
                    if (passage.situation.words, passage.question) == (
                        situation.words,
                        situation.questions[place],
                    ):
                        assert {a: n for a, n, _ in passage.answers} == {
                            str(t): told.count(t) for t in set(told)
                        }
                        assert passage.left == left
    assert found[0].left == least


def test_the_answers_of_a_passage_part_the_survivors_by_the_points_it_names(few):
    valid = Validity(few).valid()
    for passage in passages(few, valid, most=3):
        seen = []
        for _, count, cubes in passage.answers:
            here = [
                p
                for p in picks_of(few, valid)
                if any(all(p[c] == o for c, o in cube) for cube in cubes)
            ]
            assert len(here) == count
            assert {c for cube in cubes for c, _ in cube} <= set(passage.points)
            seen += here
        assert len(seen) == len(set(seen)) == few.diagrams.count(Validity(few).valid())


def test_where_one_configuration_is_left_nothing_is_looked_for(few):
    one = few.diagrams.cube(tuple(enumerate(few.base)))
    assert passages(few, one) == ()
