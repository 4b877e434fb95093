"""Whether intervals of sizes and signed means cover what is true: skewed effects, few that differ,
chance alone."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from quadrille_plugins.rank.effects import (
    CONTRACTS,
    FEWEST_DIFFERING,
    LEVEL,
    PAYMENTS,
    SEATS,
    Sure,
    Switch,
    bound_of,
    deals_needed,
    largest_of,
    over_configurations,
    over_sessions,
    share_at_most,
    switch_of_groups,
    units_needed,
    units_until,
    verdict_of,
)
from quadrille_plugins.rank.places import places, rank_correlation, resamples, tau_b
from quadrille_plugins.studies.effects import DifferenceSums, Effects
from quadrille_plugins.studies.equivalence import SMALLER, UNDECIDED
from quadrille_plugins.studies.paired import effect_of

GROUPS = 12


def switch(effect, chance, noise):
    """A switch with this effect on the Hombre's account, paid by the adversaries, and noise among
    its groups."""
    each = effect / GROUPS + noise * chance.normal(0, 1, GROUPS) / GROUPS**0.5
    return switch_of_groups(tuple({"hombre": float(e), "adversaries": -float(e)} for e in each))


def skewed(chance, many):
    """Effects over configurations as they are found: zero in two of five, else with a long tail;
    the mean is 6."""
    return np.where(chance.random(many) < 0.6, chance.exponential(10.0, many), 0.0)


@pytest.mark.parametrize(("many", "least"), [(12, 0.86), (32, 0.90), (128, 0.93)])
def test_intervals_of_skewed_sizes_cover(many, least):
    """A t interval covers 84 % of such means with twelve configurations, missing nearly always
    below the truth."""
    chance = np.random.default_rng(many)
    covered = told = signed = 0
    for _ in range(200):
        effect = over_configurations([switch(e, chance, 0.3) for e in skewed(chance, many)])
        if effect.size.low is None:
            continue
        told += 1
        covered += effect.size.low <= 6 <= effect.size.high
        account = effect.signed["hombre"]
        signed += account.low <= 6 <= account.high
    assert told > 150
    assert covered >= least * told
    assert signed >= least * told


def test_the_number_that_decides_lies_in_its_range_as_often_as_is_said():
    """Twelve configurations of long-tailed sizes leave it open; more are drawn, look by look, until
    they do not."""
    chance = np.random.default_rng(8)
    within = asked = 0
    while asked < 40:
        mean = chance.choice([3, 5, 20, 30])

        def drawn(many, mean=mean):
            return [switch(e, chance, 0.0) for e in mean * np.exp(chance.normal(-0.5, 1, many))]

        found, now = drawn(12), 12.0
        first = over_configurations(found)
        if verdict_of(first.size, 10) != UNDECIDED:
            continue
        asked += 1
        low, high = units_needed(first, 10)
        while verdict_of(over_configurations(found).size, 10) == UNDECIDED and len(found) <= high:
            now *= 2**0.5
            found += drawn(int(now) - len(found))
        within += low - 1 <= len(found) <= high
    assert within >= 32  # 90 in a hundred are promised; fewer than 32 of 40 come once in 60 times


def test_what_chance_alone_leaves_open_more_deals_decide_and_not_more_configurations():
    """All configurations find seven counters, in groups that vary so much that chance adds as much
    again."""
    chance = np.random.default_rng(3)
    effect = over_configurations([switch(7, chance, 12.0) for _ in range(200)])
    assert effect.size.value < 10 < effect.size.value + effect.chance
    assert units_needed(effect, 10) is None
    low, high = deals_needed(effect, 10)
    assert 1 < low <= high
    calm = replace(effect, chance=0.0)
    assert units_needed(calm, 10, LEVEL) is not None
    assert deals_needed(calm, 10) is None


def test_more_that_differ_are_awaited_between_as_many_units_as_rare_events_take():
    """Three of twelve: six will have differed after about 24; of none it cannot be said when at the
    latest."""
    low, high = units_until(6, 3, 12)
    assert low < 24 < high
    assert units_until(6, 0, 12)[1] == float("inf")


def test_beyond_the_bound_a_switch_counts_as_the_bound_and_still_sums_to_zero():
    groups = tuple(
        {"hombre": 300.0 * n, "ally": 100.0 * n, "adversaries": -400.0 * n} for n in (0, 1)
    )
    free, bound = switch_of_groups(groups), switch_of_groups(groups, 100.0)
    assert (free.size, free.part) == (400, 1)
    assert (bound.size, bound.part) == (100, 0.25)
    assert bound.total == {"hombre": 75, "ally": 25, "adversaries": -100}
    assert sum(bound.total.values()) == 0
    assert bound.noise == {
        name: v**2 for name, v in bound.total.items()
    }  # as much as the change itself, at most
    assert bound.where == (100, 1)
    assert switch_of_groups(groups, 800.0) == free


def test_what_is_free_of_chance_stays_within_the_bound_too():
    """Groups that cancel have a small change in all, and one free of chance that lies as far out as
    they do."""
    groups = (
        {"hombre": 1e6, "ally": -1e6},
        {"hombre": -0.9e6, "ally": 0.9e6},
        *[{"hombre": 0.0, "ally": 0.0}] * 6,
    )
    bounded = switch_of_groups(groups, 100.0)
    assert abs(sum(switch_of_groups(groups).fair)) > 1e6
    assert sum(bounded.fair) == pytest.approx(-100)
    assert all(s.size.high <= 100 for s in [over_configurations([bounded] * 12, bound=100.0)])
    # groups whose whole change lies within the bound may cancel as well
    small = switch_of_groups(
        ({"hombre": 1e6, "ally": -1e6}, {"hombre": 50 - 1e6, "ally": 1e6 - 50}), 100.0
    )
    assert (small.size, small.part) == (50, 1)
    assert abs(sum(small.fair)) <= 100.0001


@pytest.mark.parametrize(
    ("measure", "smallest", "bound"),
    [(PAYMENTS, 10, 100), (PAYMENTS, 0.04, 100), (SEATS, 50, 500), (CONTRACTS, 2, float("inf"))],
)
def test_the_bound_is_of_counters_and_no_finer_question_moves_it(measure, smallest, bound):
    assert bound_of(measure, smallest) == bound


def test_rare_configurations_without_measure_do_not_sway_a_verdict():
    """One configuration in 300 in which pools double moves a mean by hundreds; bounded, by a third
    of a counter."""

    def judged(seed, bound):
        chance = np.random.default_rng(seed)
        sizes = np.where(chance.random(256) < 1 / 300, 1e5, chance.exponential(3.0, 256))
        switches = [
            switch_of_groups(tuple({"hombre": e / 8, "ally": -e / 8} for _ in range(8)), bound)
            for e in sizes
        ]
        return over_configurations(switches, bound=bound)

    bounded, free = ([judged(seed, bound) for seed in range(12)] for bound in (100.0, float("inf")))
    assert {verdict_of(e.size, 10.0) for e in bounded} == {SMALLER}
    assert len({verdict_of(e.size, 10.0) for e in free}) > 1
    assert max(e.size.value for e in free) > 300
    assert max(e.size.value for e in bounded) < 5
    assert {e.beyond for e in bounded} >= {0, 1}


def test_what_was_not_seen_is_supposed_to_lie_within_the_bound():
    """Where few differ the upper end is the share that may, by five times the largest seen or by
    the bound."""
    few = [switch_of_groups(({"hombre": 25.0, "ally": -25.0},) * 4, 100.0)] * 2 + [Switch()] * 62
    free, bound = over_configurations(few), over_configurations(few, bound=100.0)
    assert free.size.high == pytest.approx(share_at_most(2, 64) * 500)
    assert bound.size.high == pytest.approx(share_at_most(2, 64) * 100)


@pytest.mark.parametrize(("noise", "least"), [(0.0, 1.999), (0.5, 1.9), (2.0, 1.0), (10.0, -1.0)])
def test_chance_is_taken_off_the_size_and_left_in_its_upper_end(noise, least):
    """Of an effect of 2 either way the interval covers 2, whatever chance adds; the size is never
    too large.

    It is too small where chance hides the sign; the plain mean size would be 8 where chance is 10.
    """
    chance = np.random.default_rng(int(noise))
    sizes, covered = [], 0
    for _ in range(60):
        effect = over_configurations(
            [switch(sign * 2, chance, noise) for sign in chance.choice([-1, 1], 24)]
        )
        sizes.append(np.mean(effect.column))
        covered += effect.size.low - 1e-9 <= 2 <= effect.size.high + 1e-9
    assert covered >= 55
    assert least <= np.mean(sizes) <= 2.1


def test_sessions_are_the_units_where_all_configurations_are_played():
    """Noise in common to all configurations is not averaged over them."""
    chance = np.random.default_rng(3)
    covered = 0
    for _ in range(100):
        shared = chance.normal(0, 1, 40) / 40**0.5
        groups = [tuple({"hombre": float(5 / 40 + e + b)} for e in shared) for b in (-0.03, 0.03)]
        effect = over_sessions([switch_of_groups(g) for g in groups])
        covered += effect.size.low <= 5 <= effect.size.high
    assert covered >= 88  # 95 are promised


def test_intervals_over_sessions_are_those_of_a_paired_difference():
    """Wider where differences are skewed and heavy, as ``compare`` has them; plain t would reach
    alike either way."""
    column = [float(v) for v in np.random.default_rng(4).lognormal(0, 1.2, 50)]
    change, effects = DifferenceSums(), Effects(sessions=50, deals=50, deals_squares=50)
    for v in column:
        change.merge(DifferenceSums.of([Fraction(v)], [1]))
    paired = effect_of(change, effects, 1)
    found = over_sessions([switch_of_groups(tuple({"hombre": v / 50} for v in column))])
    signed = found.signed["hombre"]
    assert (signed.low, signed.value, signed.high) == pytest.approx(
        (paired.low, float(paired.mean), paired.high)
    )
    assert found.size.low == pytest.approx(paired.low)
    assert signed.high - signed.value > 1.1 * (signed.value - signed.low)


def test_where_six_to_thirty_sessions_differ_the_bound_holds_and_says_something():
    """Two sessions of five differ, by skewed changes with a mean of 0.8: it is missed seldom, and
    far below 30."""
    chance = np.random.default_rng(7)
    highs = []
    for _ in range(300):
        there = chance.random(48) < 0.4
        each = np.where(there, chance.lognormal(-0.03, 1.2, 48), 0.0)  # exp(-0.03 + 0.72) is 2
        found = over_sessions([switch_of_groups(tuple({"hombre": float(v) / 48} for v in each))])
        if 6 <= found.differing < 30:
            assert found.size.low is None
            highs.append(found.size.high)
    assert len(highs) > 280
    assert np.mean(np.array(highs) < 0.8) < 0.025
    assert np.median(highs) < 4


def test_few_that_differ_have_no_interval_but_a_bound():
    """What differs in fewer than six configurations is bounded by five times the largest, as often
    as it may differ."""
    chance = np.random.default_rng(1)
    few = [switch(3.0 if n < FEWEST_DIFFERING - 1 else 0.0, chance, 0.0) for n in range(40)]
    effect = over_configurations(few)
    assert effect.size.low is None
    assert effect.size.high == pytest.approx(share_at_most(5, 40) * 15, rel=1e-6)
    assert effect.signed["hombre"].low is None
    assert verdict_of(effect.size, 10) == SMALLER
    enough = over_configurations([*few[:5], *(switch(3.0, chance, 0.0) for _ in range(35))])
    assert enough.size.low is not None


@pytest.mark.parametrize(
    ("seen", "of", "bound"), [(0, 10, 0.2589), (1, 10, 0.4450), (5, 40, 0.2681), (10, 10, 1.0)]
)
def test_shares_at_most_are_clopper_and_pearsons(seen, of, bound):
    """One-sided where nothing was seen, two-sided else."""
    assert share_at_most(seen, of) == pytest.approx(bound, abs=1e-4)


def test_readings_that_never_differ_do_not_hide_the_bound_of_those_that_do():
    """A point is as large as its largest reading; one that changes nothing says nothing about the
    others."""
    chance = np.random.default_rng(1)
    moving = over_configurations([switch(3.0, chance, 0.1) for _ in range(20)])
    still = over_configurations([Switch() for _ in range(20)])
    both = largest_of([still, moving])
    assert (both.size.low, both.size.high) == (moving.size.low, moving.size.high)


def test_intervals_of_place_cover():
    """Ten points whose sizes lie from 1 to 10, some nearly alike, in 24 configurations: the true
    places are covered."""
    chance = np.random.default_rng(5)
    sizes = {f"p{n}": s for n, s in enumerate((10.0, 9.5, 7.0, 5.0, 4.8, 3.0, 2.0, 1.9, 1.0, 0.9))}
    covered = of = wide = 0
    for seed in range(15):
        effects = {
            name: over_configurations([switch(e, chance, 0.2) for e in chance.exponential(s, 24)])
            for name, s in sizes.items()
        }
        columns = {name: [e.column] for name, e in effects.items()}
        found = places(effects, columns, resamples(seed, 24))
        for true, name in enumerate(sizes, 1):
            of += 1
            covered += found[name].low <= true <= found[name].high
            wide += found[name].high - found[name].low
            assert found[name].low <= found[name].place <= found[name].high
    assert covered >= 0.95 * of
    assert wide < 7 * of  # of nine places that an interval may be wide


def test_what_never_differed_takes_part_in_the_places_with_its_bound():
    """Surely behind what is above the bound, and open beside what is not, or beside all where it
    has no bound."""
    chance = np.random.default_rng(6)
    effects = {
        n: over_configurations([switch(s, chance, 0.1) for _ in range(24)])
        for n, s in (("a", 9.0), ("b", 2.0))
    }
    columns = {n: [e.column] for n, e in effects.items()}
    still = over_configurations([Switch() for _ in range(24)])
    for high, lows in ((5.0, [1, 2, 2]), (None, [1, 2, 1]), (1.0, [1, 2, 3])):
        every = {**effects, "c": replace(still, size=Sure(0.0, None, high))}
        found = places(every, {**columns, "c": [still.column]}, resamples(1, 24))
        assert [found[n].low for n in "abc"] == lows
        assert found["c"].high == found["c"].place == 3
        assert found["b"].high == (2 if high == 1.0 else 3)


def test_orders_are_compared_over_what_stands_above_noise_alone():
    """Four points agree; a fifth that is noise is left out, and of three points nothing is said."""
    chance = np.random.default_rng(2)

    def order(sizes, noisy):
        effects = {
            n: over_configurations([switch(s, chance, 0.2) for _ in range(12)])
            for n, s in sizes.items()
        }
        effects["noise"] = over_configurations([switch(0.0, chance, noisy) for _ in range(12)])
        return effects, {n: [e.column] for n, e in effects.items()}

    sizes = {"a": 8.0, "b": 6.0, "c": 4.0, "d": 2.0}
    (one, first), (other, second) = order(sizes, 5.0), order(sizes, 5.0)
    weights = resamples(1, 12)
    found = rank_correlation(one, other, (first, second), (weights, weights))
    assert set(found.points) <= {*sizes, "noise"} - (
        {"noise"} if not one["noise"].above_noise else set()
    )
    assert found.tau == pytest.approx(1)
    assert found.low <= found.tau <= found.high
    assert found.tau == tau_b(
        [one[n].size.value for n in found.points], [other[n].size.value for n in found.points]
    )
    del one["d"]
    assert rank_correlation(one, other, (first, second), (weights, weights)).tau is None
