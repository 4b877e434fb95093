"""Evidence held against readings, beside brute force: every combination compiled and asked by
itself."""

import random
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import comb, exp, isclose, lgamma
from pathlib import Path

import pytest
from quadrille_plugins.discriminate.configurations import ConfigurationSpace
from quadrille_plugins.discriminate.evidence import header, load_evidence, read_evidence
from quadrille_plugins.discriminate.evidence_odds import OddsPiece, excluded
from quadrille_plugins.discriminate.study import Discrimination
from quadrille_plugins.discriminate.validity import Validity
from quadrille_plugins.patience.odds import won
from support.picks import picks_of

from quadrille_core.errors import ProfileError
from quadrille_core.ruleset import compile_reference

HERE = Path(__file__).parents[1]
FILES = sorted((HERE / "data" / "evidence").glob("*.yaml"))


@pytest.fixture(autouse=True)
def _in_the_root(monkeypatch):
    monkeypatch.chdir(HERE.parent)  # the evidence names a profile by its path


@cache
def space_of(reference, points):
    return ConfigurationSpace(reference, points=points)


@cache
def compiled(reference, readings):
    """The rules of one combination by the compiler, or None where it refuses them."""
    try:
        return compile_reference(reference, readings=dict(readings)).game
    except ProfileError:
        return None


@cache
def found(path):
    root = load_evidence(str(path.relative_to(HERE.parent)))
    reference, readings, points = header(root)
    assert readings == {}
    space = space_of(reference, points)
    game, kind, sources = space.compiled.game, space.compiled.kind, space.compiled.sources
    return Discrimination(space, read_evidence(root, path.stem, game, kind, sources))


@cache
def brute(path):
    """By combination: what each piece is answered, with nothing of the rules unread; None where it
    is refused."""
    space, answers = found(path).space, {}
    for pick in product(*map(range, space.diagrams.sizes)):
        readings = tuple((p.id, p.readings[n].id) for p, n in zip(space.points, pick, strict=True))
        game = compiled(found(path).evidence.rules, readings)
        answers[pick] = None if game is None else tuple(p.ask(game) for p in found(path).pieces)
    return answers


def stand(answers):
    return answers is not None and all(a.word in ("holds", "undecided") for a in answers)


def none_left(answers, pieces):
    """Whether no combination is left at which these pieces hold."""
    return not any(stand([a[n] for n in pieces]) for a in answers)


def minimal_by_force(answers, count):
    """Every minimal set of pieces that leaves none of the combinations."""
    sets = []
    for size in range(1, count + 1):
        for pieces in combinations(range(count), size):
            if none_left(answers, pieces) and not any(set(s) < set(pieces) for s in sets):
                sets.append(pieces)
    return sets


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_what_survives_is_what_brute_force_finds(path):
    d, expected = found(path), brute(path)
    space, diagrams = d.space, d.space.diagrams
    valid = {pick for pick, answers in expected.items() if answers is not None}
    assert set(picks_of(space, d.valid)) == valid
    assert d.started == len(valid)
    survivors = {pick for pick, answers in expected.items() if stand(answers)}
    assert set(picks_of(space, d.survivors)) == survivors
    assert d.remaining == len(survivors) < len(valid)
    for point, size in enumerate(diagrams.sizes):
        assert list(d.counts(point)) == [sum(s[point] == n for s in survivors) for n in range(size)]


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_every_piece_is_answered_as_by_the_compiled_rules_in_disjoint_cubes(path):
    d, expected = found(path), brute(path)
    for number, answer in enumerate(d.answers):
        seen = []
        for cube, value in d.space.diagrams.cubes(answer):
            fixed = dict(cube)
            here = [p for p in expected if all(p[c] == o for c, o in fixed.items())]
            assert here
            seen += here
            for pick in here:
                assert value == (False if expected[pick] is None else expected[pick][number])
        assert len(seen) == len(set(seen)) == len(expected)
        for pick, answers in expected.items():
            assert d.space.at(answer, pick) == (False if answers is None else answers[number])


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_the_rules_put_together_are_those_the_compiler_makes(path):
    space = found(path).space
    for pick, answers in brute(path).items():
        if answers is not None:
            readings = tuple(
                (p.id, p.readings[n].id) for p, n in zip(space.points, pick, strict=True)
            )
            assert space.rules(pick) == compiled(found(path).evidence.rules, readings).rules


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_a_fallen_reading_is_felled_by_every_minimal_set_of_pieces(path):
    d, expected = found(path), brute(path)
    fallen = 0
    for point, counts in enumerate(map(d.counts, range(len(d.space.points)))):
        for reading, count in enumerate(counts):
            mine = [a for pick, a in expected.items() if pick[point] == reading and a is not None]
            assert d.compiles(point, reading) == bool(mine)
            if count or not mine:
                continue
            fallen += 1
            felled = d.felled_by(point, reading)
            assert felled.complete
            assert sorted(felled.sets) == sorted(minimal_by_force(mine, len(d.pieces)))
            assert all(d.said(piece, point, reading) for piece in felled.sets[0])
    assert fallen or d.blocks


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_pieces_that_contradict_one_another_are_told_and_no_others(path):
    d, expected = found(path), brute(path)
    valid = [a for a in expected.values() if a is not None]
    assert sorted(d.contradictions.sets) == sorted(minimal_by_force(valid, len(d.pieces)))
    assert bool(d.contradictions.sets) == (d.remaining == 0)


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_linked_points_are_those_that_do_not_vary_by_themselves(path):
    d, expected = found(path), brute(path)
    survivors = {pick for pick, answers in expected.items() if stand(answers)}
    linked = [set(b.points) for b in d.blocks]
    assert sum(map(len, linked)) == len(set().union(*linked))

    def shadow(points):
        return {tuple(s[p] for p in sorted(points)) for s in survivors}

    alone = [{p} for p in range(len(d.space.points)) if not any(p in g for g in linked)]
    size = 1
    for group in [*linked, *alone]:
        size *= len(shadow(group))
    assert size == len(survivors) or not survivors
    for block in d.blocks:
        assert block.count == len(shadow(block.points))
        for part in range(1, len(block.points)):
            for some in combinations(block.points, part):
                others = set(block.points) - set(some)
                assert len(shadow(some)) * len(shadow(others)) > len(shadow(block.points))


def test_three_pieces_of_which_any_two_agree_contradict_one_another():
    d = found(HERE / "data" / "evidence" / "c-unsatisfiable-sum.yaml")
    assert [[d.pieces[n].id.split(":")[0] for n in s] for s in d.contradictions.sets] == [
        ["the-sum", "premiers-double", "solo-of-three"]
    ]


def test_a_figure_that_is_a_sum_links_the_points_it_is_the_sum_of():
    d = found(HERE / "data" / "evidence" / "c-sum.yaml")
    (block,) = d.blocks
    assert {"worth", "bonus"} <= {d.space.points[p].id for p in block.points}


# --- odds -----------------------------------------------------------------------------------------


def odds(low, high, **more):
    return OddsPiece(
        id="o",
        kind="odds",
        source="s",
        at="t",
        note="",
        place=None,
        low=Fraction(low),
        high=Fraction(high),
        wins=won,
        **more,
    )


def test_how_often_a_contract_is_played_is_judged_as_under_the_compiled_rules():
    space = ConfigurationSpace("quanti-1822", points=("ladder", "solo_premium", "elder_may_raise"))
    piece = odds("2/5", "1/2", games=15, seed=1, contract="solo", player="steady")
    found = space.ask_rules(Validity(space).valid(), piece.ask, what="solos")
    assert space.diagrams.support(found)
    for pick in picks_of(space, Validity(space).valid()):
        if sum(pick) % 4 == 0:
            assert space.at(found, pick) == piece.ask(space.compile(pick).game)


def test_a_share_is_hardly_ever_excluded_though_one_looks_after_every_game():
    draw = random.Random("looking after every game")
    wrong = 0
    for _ in range(300):
        won = 0
        for number in range(1, 201):
            won += draw.random() < 0.3
            if excluded(0.3, won, number - won):
                wrong += 1
                break
    assert wrong <= 2  # one in a thousand is allowed


@pytest.mark.parametrize("games", [1, 7, 60])
def test_what_a_share_is_held_against_is_a_fair_mixture_of_all_shares(games):
    total = sum(
        comb(games, won) * exp(lgamma(won + 1) + lgamma(games - won + 1) - lgamma(games + 2))
        for won in range(games + 1)
    )
    assert isclose(total, 1)


def test_a_share_that_is_far_off_is_excluded_and_a_near_one_is_not():
    assert excluded(0.5, 190, 10)
    assert not excluded(0.5, 104, 96)
    assert excluded(0.0, 1, 5)
    assert not excluded(0.0, 0, 5)
    assert excluded(1.0, 5, 1)


@pytest.mark.parametrize(
    ("low", "high", "word"),
    [("9/10", "1", "holds"), ("0", "1/2", "fails"), ("99/100", "1", "undecided")],
)
def test_odds_that_are_not_proved_are_judged_by_playing_and_left_open_where_that_is_not_enough(
    low, high, word
):
    game = compile_reference("captive-queens", readings={"gathering": "turned_over"}).game
    assert odds(low, high, games=120, seed=1).ask(game).word == word


def test_odds_that_are_proved_are_not_played():
    game = compile_reference("captive-queens", readings={"set_up": "laid_out_first"}).game
    assert odds("1", "1", games=1, seed=1).ask(game).word == "holds"
    assert odds("1/2", "9/10", games=1, seed=1).ask(game) == (
        "fails",
        "the odds are 1, which is exact",
    )
