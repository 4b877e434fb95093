"""Ranking points: effects that can be worked out by hand, on made answers."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from quadrille_plugins.rank.effects import PAYMENTS, SMALLEST, change_of
from quadrille_plugins.rank.play import Outcome
from quadrille_plugins.rank.report import rank_sentence
from quadrille_plugins.rank.study import REFUSED, rank
from quadrille_plugins.studies.equivalence import LARGER, SMALLER, UNDECIDED
from support.ranking import answers, asked, effect_of, found_of, made, response


def test_effects_that_add_up_are_found_exactly_and_nothing_depends_on_anything(tmp_path):
    space = made(tmp_path, "solo", "losses", "firsts")
    found = rank(
        space, asked(), answers(space, lambda a, b, c: 15 * a - 6 * b + Fraction(c, 2), 40)
    )
    assert [p.point for p in found.points] == ["solo", "losses", "firsts"]
    for name, worth in (("solo", 15), ("losses", -6), ("firsts", 0.5)):
        effect, point = effect_of(found, name), found_of(found, name)
        assert effect.signed["hombre"].value == pytest.approx(worth)
        assert effect.signed["adversaries"].value == pytest.approx(-worth)
        assert effect.size.value == pytest.approx(abs(worth))
        assert point.own[PAYMENTS].value == pytest.approx(abs(worth))
        assert effect.depends == pytest.approx(0, abs=1e-9)
        assert point.verdicts[PAYMENTS].said == (LARGER if worth > 10 else SMALLER)
    assert [found_of(found, n).place.place for n in ("solo", "losses", "firsts")] == [1, 2, 3]
    assert all(t.effects[PAYMENTS].size.value == pytest.approx(0, abs=1e-9) for t in found.pairs)
    assert len(found.pairs) == 3


def test_what_explodes_in_one_configuration_counts_for_the_bound_in_means_and_whole_where_it_stands_alone(
    tmp_path,
):
    """A thousand where all three are on, else one: two of the eight switches; the rule set's own is
    not bounded."""
    space = made(tmp_path, "solo", "losses", "firsts")
    found = rank(space, asked(), answers(space, lambda a, b, c: 1000 * a * b * c + a))
    effect = effect_of(found, "solo")
    assert effect.signed["hombre"].value == pytest.approx((100 + 3) / 4)
    assert effect.beyond == 2
    assert effect.size.high <= 100
    assert max(abs(change_of(s).value) for s in found.curve) == pytest.approx(1001)
    large = rank(space, asked(), answers(space, lambda a, b, c: 500 * a))
    assert found_of(large, "solo").own[PAYMENTS].value == pytest.approx(500)
    assert effect_of(large, "solo").size.value == pytest.approx(100)
    assert effect_of(large, "solo").beyond == 8
    much = rank(
        space, asked(smallest={**SMALLEST, PAYMENTS: 80.0}), answers(space, lambda a, b, c: 500 * a)
    )
    assert effect_of(much, "solo").size.value == pytest.approx(
        500
    )  # ten times what is asked for is more


def test_what_turns_round_with_another_point_is_all_interaction(tmp_path):
    """One either way: its mean is zero, and all of it depends on how the other is read."""
    space = made(tmp_path, "solo", "losses")
    found = rank(space, asked(), answers(space, lambda a, b: int(a == b)))
    for name in ("solo", "losses"):
        effect = effect_of(found, name)
        assert effect.signed["hombre"].value == pytest.approx(0)
        assert effect.size.value == pytest.approx(1)
        assert effect.sigma["hombre"] == pytest.approx(1)
        assert effect.depends == pytest.approx(1)
    (pair,) = found.pairs
    assert pair.effects[PAYMENTS].size.value == pytest.approx(2)


def test_what_works_only_with_another_point_is_half_interaction(tmp_path):
    """Zero or four: a mean of two, whose square is half the mean of the squares."""
    space = made(tmp_path, "solo", "losses")
    found = rank(space, asked(), answers(space, lambda a, b: 4 * a * b))
    effect = effect_of(found, "solo")
    assert (effect.size.value, effect.depends) == pytest.approx((2, 0.5))
    assert found_of(found, "solo").own[PAYMENTS].value == 0
    assert found.pairs[0].effects[PAYMENTS].size.value == pytest.approx(4)


def test_the_specification_curve_has_every_configuration_in_order_with_its_choices(tmp_path):
    """Signed changes against the rule set itself, which stands at zero without a choice."""
    space = made(tmp_path, "solo", "losses")
    found = rank(space, asked(), answers(space, lambda a, b: 5 * a - 2 * b))
    told = [(dict(s.choices), s.changes[PAYMENTS].get("hombre")) for s in found.curve]
    assert [c for c, _ in told] == [
        {"losses": "on_"},
        {},
        {"solo": "on_", "losses": "on_"},
        {"solo": "on_"},
    ]
    assert [round(x.value, 9) if x else 0 for _, x in told] == [-2, 0, 3, 5]


FORBIDDEN = """\
constraints:
  - when: {payments.premium.solo: 2}
    excludes: {loss.remise_pays: [[premium]]}
    reason: for a test
    source: parlett
"""


def test_only_valid_configurations_count(tmp_path):
    """Of solo and losses one corner is forbidden: firsts adds 4, and 3 more with solo, in one of
    three backgrounds."""
    space = made(tmp_path, "solo", "losses", "firsts", more=FORBIDDEN)
    found = rank(space, asked(), answers(space, lambda a, b, c: a + 2 * b + 4 * c + 3 * a * c))
    assert found.valid == found.sample_size == found.played == 6
    firsts = effect_of(found, "firsts")
    assert firsts.size.value == pytest.approx(5)
    assert firsts.depends == pytest.approx(1 - 25 / 27)
    # solo is switched where losses is off: 1 without firsts, 4 with it
    assert effect_of(found, "solo").size.value == pytest.approx(5 / 2)
    assert found_of(found, "solo").sample_size == 4
    refused = {(r.point, r.reading): (r.count, r.of) for r in found.refused}
    assert refused == {("solo", "on_"): (2, 6), ("losses", "on_"): (2, 6)}
    assert {p.code for r in found.refused for p in r.reason} == {"Q603"}


def test_a_point_whose_every_other_reading_is_refused_is_said_to_be_so(tmp_path):
    space = made(
        tmp_path,
        "solo",
        "losses",
        more=FORBIDDEN.replace("payments.premium.solo: 2", "table.players: 4"),
    )
    found = rank(space, asked(), answers(space, lambda a, b: a + b))
    losses = found_of(found, "losses")
    assert {v.said for v in losses.verdicts.values()} == {REFUSED}
    assert not losses.effects
    assert found.points[-1] is losses


def test_sampled_configurations_are_valid_evenly_drawn_and_the_same_again(tmp_path):
    space = made(tmp_path, "solo", "losses", "firsts", more=FORBIDDEN)
    source = space.drawn(5)
    drawn = [next(source) for _ in range(1200)]
    counts = Counter(c for c, _ in drawn)
    assert len(counts) == 6
    assert all(150 < n < 250 for n in counts.values())  # six standard deviations about 200
    assert sum(refused for _, refused in drawn) == pytest.approx(400, abs=120)
    again = space.drawn(5)
    assert [next(again) for _ in range(50)] == drawn[:50]


def test_sampled_configurations_are_the_units_of_an_interval(tmp_path):
    """A switch worth 8 or 16 by another point: the interval covers 12, and never shrinks to the
    noise of sessions."""
    space = made(tmp_path, "solo", "losses")
    evaluate, every = (
        answers(space, lambda a, b: 8 * a + 8 * a * b + b, groups) for groups in (8, 40)
    )
    whole = effect_of(rank(space, asked(), every), "solo")
    assert (whole.size.low, whole.size.value, whole.size.high) == pytest.approx((12, 12, 12))
    covered = 0
    for seed in range(60):
        drawn = rank(space, asked(seed=seed, exact=False, sample_size=12), evaluate)
        assert drawn.valid is None
        assert drawn.drawn == drawn.sample_size == 12
        size = effect_of(drawn, "solo").size
        assert size.low < size.high
        covered += size.low <= 12 <= size.high
    assert covered >= 53  # of 60; 96 in a hundred are expected, and fewer than 53 once in 300 times


def test_every_sampled_configuration_is_played_on_deals_of_its_own_and_its_switches_on_the_same(
    tmp_path,
):
    """So that one resampling covers configurations and deals; the rule set's own configuration is
    block 0."""
    space = made(tmp_path, "solo", "losses", "firsts")
    blocks = {}

    def evaluate(tasks):
        tasks = list(tasks)
        for configuration, block in tasks:
            blocks.setdefault(block, set()).add(configuration)
        yield from answers(space, lambda a, b, c: a + b)(tasks)

    rank(space, asked(exact=False, sample_size=5), evaluate)
    assert sorted(blocks) == [0, 1, 2, 3, 4, 5]
    for played in blocks.values():
        assert space.origin in played
        assert len(played) >= 4


def test_chance_among_sessions_does_not_make_an_effect(tmp_path):
    """The account that changes most, and its sign, are taken from other sessions, so the mean has
    no bias.

    The plain mean size of what is chance alone is far from zero, and the upper end reaches above
    it.
    """
    space = made(tmp_path, "solo")
    sizes = []
    for seed in range(40):
        noise = np.random.default_rng(seed).integers(-600, 600, (13, 2, 24))

        def evaluate(tasks, noise=noise):
            for (on,), block in tasks:
                paid = noise[block, on].tolist()
                yield Outcome(str(on), (response(paid, str(paid)),))

        found = rank(space, asked(exact=False, sample_size=12, seed=seed), evaluate)
        effect = effect_of(found, "solo")
        sizes.append(np.mean(effect.column))
        assert effect.size.high > effect.size.value + effect.chance - 1e-9
        assert effect.chance > 0
    assert abs(np.mean(sizes)) < 3 * np.std(sizes) / 40**0.5


def test_points_shown_to_be_smaller_are_no_longer_switched(tmp_path):
    """From the 33rd configuration on only the point that is not smaller is; the verdict and the
    units tell it."""
    space = made(tmp_path, "solo", "losses")
    found = rank(
        space,
        asked(exact=False, sample_size=64),
        answers(space, lambda a, b: 20 * a + 2 * b + a * b),
    )
    assert (effect_of(found, "solo").units, effect_of(found, "losses").units) == (64, 32)
    assert found_of(found, "solo").verdicts[PAYMENTS].said == LARGER
    assert found_of(found, "losses").verdicts[PAYMENTS].said == SMALLER
    assert found.sample_size == len(found.curve) == 64


def test_an_undecided_point_says_how_many_configurations_would_decide(tmp_path):
    """A switch of 2 or 62 by another point, whose mean of 32 eight configurations do not tell from
    10."""
    space = made(tmp_path, "solo", "losses")
    found = rank(
        space, asked(exact=False, sample_size=8), answers(space, lambda a, b: 2 * a + 60 * a * b)
    )
    verdict = found_of(found, "solo").verdicts[PAYMENTS]
    assert verdict.said == UNDECIDED
    low, high = verdict.configurations
    assert 8 < low <= 96 <= high
    again = rank(
        space,
        asked(exact=False, sample_size=96),
        answers(space, lambda a, b: 2 * a + 60 * a * b),
    )
    assert found_of(again, "solo").verdicts[PAYMENTS].said == LARGER


def test_a_point_that_never_differed_is_bounded_by_how_many_sessions_that_rests_on(tmp_path):
    """No group of sessions of N differs: at most 1 - 0.05^(1/N) do, by the largest mean effect
    where others differ."""
    space = made(tmp_path, "solo", "firsts")
    found = rank(space, asked(exact=False, sample_size=12), answers(space, lambda a, b: 20 * a))
    point = found_of(found, "firsts")
    assert (point.place.place, point.place.low, point.place.high) == (
        2,
        2,
        2,
    )  # 20 is above that bound
    assert point.effects[PAYMENTS].size.high == pytest.approx(
        20 * (1 - 0.05 ** (1 / (12 * 8))), rel=1e-6
    )
    assert point.verdicts[PAYMENTS].said == SMALLER


def test_points_are_resampled_together_where_some_configurations_refuse_one_of_them(tmp_path):
    """Losses is worth two more than solo wherever both are switched; four configurations do not
    take solo."""
    space = made(tmp_path, "solo", "losses")
    worth = [round(v) for v in np.random.default_rng(8).exponential(20, 25)]
    missing = range(2, 6)
    middle = round(np.mean([v for n, v in enumerate(worth) if n and n not in missing]))

    def evaluate(tasks):
        for (solo, losses), block in tasks:
            value = middle if block in missing else worth[block]
            if solo and block in missing:
                yield Outcome("", refused=True)
            else:
                yield from answers(space, lambda a, b, v=value: v * a + (v + 2) * b)(
                    [((solo, losses), block)]
                )

    found = rank(space, asked(exact=False, sample_size=24), evaluate)
    solo, losses = found_of(found, "solo"), found_of(found, "losses")
    assert solo.effects[PAYMENTS].units == 20
    assert [len(p.effects[PAYMENTS].column) for p in (solo, losses)] == [24, 24]
    assert (losses.place.low, losses.place.high) == (1, 1)
    assert (solo.place.low, solo.place.high) == (2, 2)


def test_a_point_that_never_differed_says_what_would_bound_it_below(tmp_path):
    """Of six groups of sessions it is at most 39 % of 40 counters; as many configurations as it
    says suffice."""
    space = made(tmp_path, "solo", "firsts")

    def verdict(sample_size):
        plan = asked(exact=False, sample_size=sample_size)
        return found_of(
            rank(space, plan, answers(space, lambda a, b: 40 * a, groups=1)), "firsts"
        ).verdicts[PAYMENTS]

    short = verdict(6)
    assert (short.said, short.configurations) == (UNDECIDED, (11, 18))
    assert verdict(10).said == UNDECIDED
    assert verdict(11).said == SMALLER


def test_where_few_configurations_differ_more_of_them_would_decide_and_not_more_deals(tmp_path):
    """Three of twelve, in which chance leaves it open: six must differ before there is an
    interval."""
    space = made(tmp_path, "solo", "losses")
    noise = np.random.default_rng(3).integers(-200, 200, (13, 8)).tolist()

    def evaluate(tasks):
        for (solo, losses), block in tasks:
            extra = noise[block] if solo and block % 4 == 1 else [0] * 8
            yield from answers(space, lambda a, b: b, differs=lambda g, _, e=extra: e[g])(
                [((solo, losses), block)]
            )

    found = rank(space, asked(exact=False, sample_size=12), evaluate)
    solo = found_of(found, "solo")
    assert solo.effects[PAYMENTS].differing == 3
    assert solo.verdicts[PAYMENTS].said == UNDECIDED
    assert solo.verdicts[PAYMENTS].deals is None
    low, high = solo.verdicts[PAYMENTS].configurations
    assert 12 < low <= 24 <= high


def test_the_answer_says_how_many_never_differed_and_what_would_decide_most(tmp_path):
    """One is open, two are smaller, of which one never differed; the first doubled number that
    suffices is named."""
    space = made(tmp_path, "solo", "losses", "firsts", "named")
    found = rank(
        space,
        asked(exact=False, sample_size=8),
        answers(space, lambda a, b, c, d: 2 * a + 60 * a * b + c),
    )
    low, high = found_of(found, "losses").verdicts[PAYMENTS].configurations
    assert low <= 22 <= high
    said = rank_sentence(found)
    assert "2 by less (1 of them never differed in these deals), and 1 is undecided" in said
    assert "(--configurations 128 should decide it)" in said


def test_where_sessions_are_the_units_intervals_need_thirty_that_differ(tmp_path):
    """Of all configurations, of the rule set itself, and of each against it; sampled configurations
    need no more."""
    space = made(tmp_path, "solo", "losses")
    for groups, told in ((29, False), (30, True)):
        evaluate = answers(space, lambda a, b: 20 * a + b, 40, lambda g, _: 0)

        def some(tasks, groups=groups, evaluate=evaluate):
            for outcome in evaluate(tasks):
                paid = outcome.responses[0].groups
                still = [replace(g, moved=(0,) * 12) for g in paid[groups:]]
                one = replace(outcome.responses[0], groups=(*paid[:groups], *still))
                yield replace(outcome, responses=(one,))

        found = rank(space, asked(), some)
        sampled = rank(space, asked(exact=False, sample_size=8), some)
        assert (effect_of(found, "solo").size.low is not None) == told
        for each in (found, sampled):
            assert (found_of(each, "solo").own[PAYMENTS].low is not None) == told
            assert {
                s.changes[PAYMENTS]["hombre"].low is not None for s in each.curve if s.choices
            } == {told}
        assert effect_of(sampled, "solo").size.low is not None


def test_an_interrupted_ranking_reports_the_configurations_that_were_finished(tmp_path):
    space = made(tmp_path, "solo", "losses", "firsts", "named")
    whole = answers(space, lambda a, b, c, d: a + b + c)
    done = []

    def evaluate(combinations):
        for outcome in whole(combinations):
            if len(done) == 13:
                raise KeyboardInterrupt
            done.append(outcome)
            yield outcome

    found = rank(space, asked(), evaluate)
    assert found.interrupted
    assert 0 < found.sample_size < 16
    assert found.valid is None
    assert not found.pairs
    assert effect_of(found, "solo").size.value == 1

    def at_once(combinations):
        raise KeyboardInterrupt
        yield

    with pytest.raises(KeyboardInterrupt):
        rank(space, asked(), at_once)


# --- SALib ----------------------------------------------------------------------------------------


def test_salib_finds_the_same_elementary_effects(tmp_path):
    """mu, mu* and sigma of each point, and mu*'s interval within what a bootstrap of a skewed mean
    may differ by.

    SALib is given the very configurations as trajectories of two: a configuration without a point's
    alternative, and with it.
    """
    morris = pytest.importorskip(
        "SALib.analyze.morris", reason="SALib is not installed (the dev extra)"
    )
    space = made(tmp_path, "solo", "losses", "firsts", "named")

    def formula(a, b, c, d):
        return 3 * a - 2 * b + Fraction(c, 2) + 5 * a * b - 4 * a * d + d

    found = rank(
        space,
        asked(exact=False, sample_size=24, smallest={**SMALLEST, PAYMENTS: 0.1}),
        answers(space, formula),
    )
    source = space.drawn(3)
    drawn = [next(source)[0] for _ in range(24)]
    for point, name in enumerate(space.names):
        rows = [[*x[:point], on, *x[point + 1 :]] for x in drawn for on in (0, 1)]
        told = morris.analyze(
            {"num_vars": 4, "names": list(space.names), "bounds": [[0, 1]] * 4},
            *_full_trajectories(rows, point, formula),
            conf_level=0.95,
            num_levels=2,
            seed=1,
        )
        effect = effect_of(found, name)
        assert effect.signed["hombre"].value == pytest.approx(told["mu"][point])
        assert effect.size.value == pytest.approx(told["mu_star"][point])
        assert effect.sigma["hombre"] == pytest.approx(told["sigma"][point])
        # SALib's is 1.96 bootstrap errors either way; ours is wider, above all upwards
        assert effect.size.low <= effect.size.value - 0.5 * told["mu_star_conf"][point]
        assert effect.size.high >= effect.size.value + told["mu_star_conf"][point]


def _full_trajectories(rows, point, formula):
    """SALib wants every variable moved in a trajectory: the others move after the point, and are
    not looked at."""
    inputs, outputs = [], []
    for off, on in zip(rows[::2], rows[1::2], strict=True):
        trajectory = [off, on]
        for other in range(4):
            if other != point:
                last = list(trajectory[-1])
                last[other] = 1 - last[other]
                trajectory.append(last)
        inputs += trajectory
        outputs += [float(formula(*map(int, row))) for row in trajectory]
    return np.array(inputs, float), np.array(outputs)
