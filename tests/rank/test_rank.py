"""Ranking points: effects that can be worked out by hand, on made answers and on deals counted one by one."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from quadrille_plugins.compare.study import compare
from quadrille_plugins.lab.agreement import Moved, moved, tau_b
from quadrille_plugins.lab.design import FAST, READABLE, Design
from quadrille_plugins.lab.equivalence import LARGER, SMALLER, UNDECIDED
from quadrille_plugins.rank.course import Plan
from quadrille_plugins.rank.curve import change_of
from quadrille_plugins.rank.effects import CONTRACTS, MEASURES, PAYMENTS, SEATS, SMALLEST
from quadrille_plugins.rank.play import Crew, Group, Outcome, Player, Response
from quadrille_plugins.rank.report import rank_sentence
from quadrille_plugins.rank.space import space_of
from quadrille_plugins.rank.study import REFUSED, SAME_RULES, Verdict, rank
from scipy.stats import kendalltau

from quadrille_core.engine.session import play_session
from quadrille_core.errors import UsageError
from quadrille_core.players import make_bot

HEAD = """\
kind: profile
id: small
title: A table to rank the points of
extends: quanti-1822
rules:
  stakes: {unit_of: constant, unit: 1}
  loss: {codille_pays: []}
points:
"""
POINTS = {
    "solo": ("payments.premium.solo: 1", "payments.premium.solo: 2"),
    "losses": ("loss.remise_pays: []", "loss.remise_pays: [premium]"),
    "firsts": ("payments.premiers: 1", "payments.premiers: 3"),
    "named": ("bids.solo.title: Solo", "bids.solo.title: Sans prendre"),
}


def made(tmp_path, *points, more="", readings=POINTS):
    """A space of two readings for each of these points, ``off`` in use and ``on``."""
    text = HEAD
    for name in points:
        text += f"  {name}:\n    question: Which?\n    default: off_\n    readings:\n"
        for reading, rule in zip(("off_", "on_"), readings[name], strict=True):
            text += f"      {reading}:\n        set: {{{rule}}}\n        note: For a test.\n"
    path = tmp_path / "small.yaml"
    path.write_text(text + more, "utf-8")
    return space_of(str(path), {}, {}, points)


def asked(**changed):
    plain = {"seed": 3, "backgrounds": 8, "exact": True, "measure": PAYMENTS, "deals": 40, "smallest": SMALLEST}
    return Plan(**{**plain, **changed})


# --- answers that are made ------------------------------------------------------------------------------


def response(paid, told, parts=1):
    """A response of 40 planned deals in which the Hombre won these parts of a counter a seat of the adversaries."""
    groups = tuple(Group((p, 0, 0, -p, p, 0, -p, 0, 0, 0, 0, 0), (("solo", 10),)) for p in paid)
    return Response(4, 40, 12 * parts, groups, told)


PARTS = 80


def answers(space, formula, groups=8, differs=lambda group, block: 0):
    """What the Hombre wins of the adversaries by a formula of the combination, in counters a seat in 40 deals.

    It is the same in every group and block but for what ``differs`` adds.
    """

    def evaluate(tasks):
        for combination, block in tasks:
            refusal = space.refusal(combination)
            if refusal:
                yield Outcome("", (), refusal)
                continue
            each = [formula(*combination) + differs(g, block) for g in range(groups)]
            paid = [Fraction(48 * PARTS * e, groups) for e in each]
            assert all(p.denominator == 1 for p in paid), "choose a formula of fewer parts"
            yield Outcome(str(combination), (response([int(p) for p in paid], str(paid), PARTS),))

    return evaluate


def found_of(found, name):
    return next(p for p in found.points if p.point == name)


def effect_of(found, name, measure=PAYMENTS):
    return found_of(found, name).effects[measure]


def test_effects_that_add_up_are_found_exactly_and_nothing_depends_on_anything(tmp_path):
    space = made(tmp_path, "solo", "losses", "firsts")
    found = rank(space, asked(), answers(space, lambda a, b, c: 15 * a - 6 * b + Fraction(c, 2), 40))
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


def test_what_explodes_in_one_configuration_counts_for_the_bound_in_means_and_whole_where_it_stands_alone(tmp_path):
    """A thousand where all three are on, else one: two of the eight switches; the rule set's own is not bounded."""
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
    much = rank(space, asked(smallest={**SMALLEST, PAYMENTS: 80.0}), answers(space, lambda a, b, c: 500 * a))
    assert effect_of(much, "solo").size.value == pytest.approx(500)  # ten times what is asked for is more


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
    assert [c for c, _ in told] == [{"losses": "on_"}, {}, {"solo": "on_", "losses": "on_"}, {"solo": "on_"}]
    assert [round(x.value, 9) if x else 0 for _, x in told] == [-2, 0, 3, 5]


FORBIDDEN = """\
constraints:
  - when: {payments.premium.solo: 2}
    excludes: {loss.remise_pays: [[premium]]}
    reason: for a test
    source: parlett
"""


def test_only_valid_combinations_count(tmp_path):
    """Of solo and losses one corner is forbidden: firsts adds 4, and 3 more with solo, in one of three backgrounds."""
    space = made(tmp_path, "solo", "losses", "firsts", more=FORBIDDEN)
    found = rank(space, asked(), answers(space, lambda a, b, c: a + 2 * b + 4 * c + 3 * a * c))
    assert found.valid == found.backgrounds == found.played == 6
    firsts = effect_of(found, "firsts")
    assert firsts.size.value == pytest.approx(5)
    assert firsts.depends == pytest.approx(1 - 25 / 27)
    # solo is switched where losses is off: 1 without firsts, 4 with it
    assert effect_of(found, "solo").size.value == pytest.approx(5 / 2)
    assert found_of(found, "solo").backgrounds == 4
    refused = {(r.point, r.reading): (r.count, r.of) for r in found.refused}
    assert refused == {("solo", "on_"): (2, 6), ("losses", "on_"): (2, 6)}
    assert all("payments.premium.solo" in r.reason for r in found.refused), found.refused


def test_a_point_whose_every_other_reading_is_refused_is_said_to_be_so(tmp_path):
    space = made(tmp_path, "solo", "losses", more=FORBIDDEN.replace("payments.premium.solo: 2", "table.players: 4"))
    found = rank(space, asked(), answers(space, lambda a, b: a + b))
    losses = found_of(found, "losses")
    assert {v.said for v in losses.verdicts.values()} == {REFUSED}
    assert not losses.effects
    assert found.points[-1] is losses


def test_drawn_backgrounds_are_valid_evenly_drawn_and_the_same_again(tmp_path):
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
    """A switch worth 8 or 16 by another point: the interval covers 12, and never shrinks to the noise of sessions."""
    space = made(tmp_path, "solo", "losses")
    evaluate, every = (answers(space, lambda a, b: 8 * a + 8 * a * b + b, groups) for groups in (8, 40))
    whole = effect_of(rank(space, asked(), every), "solo")
    assert (whole.size.low, whole.size.value, whole.size.high) == pytest.approx((12, 12, 12))
    covered = 0
    for seed in range(60):
        drawn = rank(space, asked(seed=seed, exact=False, backgrounds=12), evaluate)
        assert drawn.valid is None
        assert drawn.drawn == drawn.backgrounds == 12
        size = effect_of(drawn, "solo").size
        assert size.low < size.high
        covered += size.low <= 12 <= size.high
    assert covered >= 53  # of 60; 96 in a hundred are expected, and fewer than 53 once in 300 times


def test_every_sampled_configuration_is_played_on_deals_of_its_own_and_its_switches_on_the_same(tmp_path):
    """So that one resampling covers configurations and deals; the rule set's own configuration is block 0."""
    space = made(tmp_path, "solo", "losses", "firsts")
    blocks = {}

    def evaluate(tasks):
        tasks = list(tasks)
        for combination, block in tasks:
            blocks.setdefault(block, set()).add(combination)
        yield from answers(space, lambda a, b, c: a + b)(tasks)

    rank(space, asked(exact=False, backgrounds=5), evaluate)
    assert sorted(blocks) == [0, 1, 2, 3, 4, 5]
    for played in blocks.values():
        assert space.origin in played
        assert len(played) >= 4


def test_chance_among_sessions_does_not_make_an_effect(tmp_path):
    """The account that changes most, and its sign, are taken from other sessions, so the mean has no bias.

    The plain mean size of what is chance alone is far from zero, and the upper end reaches above it.
    """
    space = made(tmp_path, "solo")
    sizes = []
    for seed in range(40):
        noise = np.random.default_rng(seed).integers(-600, 600, (13, 2, 24))

        def evaluate(tasks, noise=noise):
            for (on,), block in tasks:
                paid = noise[block, on].tolist()
                yield Outcome(str(on), (response(paid, str(paid)),))

        found = rank(space, asked(exact=False, backgrounds=12, seed=seed), evaluate)
        effect = effect_of(found, "solo")
        sizes.append(np.mean(effect.column))
        assert effect.size.high > effect.size.value + effect.chance - 1e-9
        assert effect.chance > 0
    assert abs(np.mean(sizes)) < 3 * np.std(sizes) / 40**0.5


def test_points_shown_to_be_smaller_are_no_longer_switched(tmp_path):
    """From the 33rd configuration on only the point that is not smaller is; the verdict and the units tell it."""
    space = made(tmp_path, "solo", "losses")
    found = rank(space, asked(exact=False, backgrounds=64), answers(space, lambda a, b: 20 * a + 2 * b + a * b))
    assert (effect_of(found, "solo").units, effect_of(found, "losses").units) == (64, 32)
    assert found_of(found, "solo").verdicts[PAYMENTS].said == LARGER
    assert found_of(found, "losses").verdicts[PAYMENTS].said == SMALLER
    assert found.backgrounds == len(found.curve) == 64


def test_an_undecided_point_says_how_many_configurations_would_decide(tmp_path):
    """A switch of 2 or 62 by another point, whose mean of 32 eight configurations do not tell from 10."""
    space = made(tmp_path, "solo", "losses")
    found = rank(space, asked(exact=False, backgrounds=8), answers(space, lambda a, b: 2 * a + 60 * a * b))
    verdict = found_of(found, "solo").verdicts[PAYMENTS]
    assert verdict.said == UNDECIDED
    assert 8 < verdict.configurations <= 100
    again = rank(
        space,
        asked(exact=False, backgrounds=3 * verdict.configurations),
        answers(space, lambda a, b: 2 * a + 60 * a * b),
    )
    assert found_of(again, "solo").verdicts[PAYMENTS].said == LARGER


def test_a_point_that_never_differed_is_bounded_by_how_many_sessions_that_rests_on(tmp_path):
    """No group of sessions of N differs: at most 1 - 0.05^(1/N) do, by the largest mean effect where others differ."""
    space = made(tmp_path, "solo", "firsts")
    found = rank(space, asked(exact=False, backgrounds=12), answers(space, lambda a, b: 20 * a))
    point = found_of(found, "firsts")
    assert (point.place.place, point.place.low, point.place.high) == (2, 2, 2)  # 20 is above that bound
    assert point.effects[PAYMENTS].size.high == pytest.approx(20 * (1 - 0.05 ** (1 / (12 * 8))), rel=1e-6)
    assert point.verdicts[PAYMENTS].said == SMALLER


def test_points_are_resampled_together_where_some_configurations_refuse_one_of_them(tmp_path):
    """Losses is worth two more than solo wherever both are switched; four configurations do not take solo."""
    space = made(tmp_path, "solo", "losses")
    worth = [round(v) for v in np.random.default_rng(8).exponential(20, 25)]
    missing = range(2, 6)
    middle = round(np.mean([v for n, v in enumerate(worth) if n and n not in missing]))

    def evaluate(tasks):
        for (solo, losses), block in tasks:
            value = middle if block in missing else worth[block]
            if solo and block in missing:
                yield Outcome("", (), "for a test")
            else:
                yield from answers(space, lambda a, b, v=value: v * a + (v + 2) * b)([((solo, losses), block)])

    found = rank(space, asked(exact=False, backgrounds=24), evaluate)
    solo, losses = found_of(found, "solo"), found_of(found, "losses")
    assert solo.effects[PAYMENTS].units == 20
    assert [len(p.effects[PAYMENTS].column) for p in (solo, losses)] == [24, 24]
    assert (losses.place.low, losses.place.high) == (1, 1)
    assert (solo.place.low, solo.place.high) == (2, 2)


def test_a_point_that_never_differed_says_what_would_bound_it_below(tmp_path):
    """Of six groups of sessions it is at most 39 % of 40 counters; as many configurations as it says suffice."""
    space = made(tmp_path, "solo", "firsts")

    def verdict(backgrounds):
        plan = asked(exact=False, backgrounds=backgrounds)
        return found_of(rank(space, plan, answers(space, lambda a, b: 40 * a, groups=1)), "firsts").verdicts[PAYMENTS]

    short = verdict(6)
    assert (short.said, short.configurations) == (UNDECIDED, 11)
    assert verdict(10).said == UNDECIDED
    assert verdict(11).said == SMALLER


def test_where_few_configurations_differ_more_of_them_would_decide_and_not_more_deals(tmp_path):
    """Three of twelve, in which chance leaves it open: six must differ before there is an interval."""
    space = made(tmp_path, "solo", "losses")
    noise = np.random.default_rng(3).integers(-200, 200, (13, 8)).tolist()

    def evaluate(tasks):
        for (solo, losses), block in tasks:
            extra = noise[block] if solo and block % 4 == 1 else [0] * 8
            yield from answers(space, lambda a, b: b, differs=lambda g, _, e=extra: e[g])([((solo, losses), block)])

    found = rank(space, asked(exact=False, backgrounds=12), evaluate)
    solo = found_of(found, "solo")
    assert solo.effects[PAYMENTS].differing == 3
    assert solo.verdicts[PAYMENTS].said == UNDECIDED
    assert solo.verdicts[PAYMENTS].deals is None
    assert 24 <= solo.verdicts[PAYMENTS].configurations <= 40


def test_the_answer_says_how_many_never_differed_and_what_would_decide_most(tmp_path):
    """One is open, two are smaller, of which one never differed; the first doubled number that suffices is named."""
    space = made(tmp_path, "solo", "losses", "firsts", "named")
    found = rank(space, asked(exact=False, backgrounds=8), answers(space, lambda a, b, c, d: 2 * a + 60 * a * b + c))
    assert found_of(found, "losses").verdicts[PAYMENTS] == Verdict(said=UNDECIDED, configurations=22)
    said = rank_sentence(found)
    assert "2 by less (1 of them never differed in these deals), and 1 is undecided" in said
    assert "(--backgrounds 32 should decide it)" in said


def test_where_sessions_are_the_units_intervals_need_thirty_that_differ(tmp_path):
    """Of all configurations, of the rule set itself, and of each against it; sampled configurations need no more."""
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
        sampled = rank(space, asked(exact=False, backgrounds=8), some)
        assert (effect_of(found, "solo").size.low is not None) == told
        for each in (found, sampled):
            assert (found_of(each, "solo").own[PAYMENTS].low is not None) == told
            assert {s.changes[PAYMENTS]["hombre"].low is not None for s in each.curve if s.choices} == {told}
        assert effect_of(sampled, "solo").size.low is not None


def test_an_interrupted_ranking_reports_the_backgrounds_that_were_finished(tmp_path):
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
    assert 0 < found.backgrounds < 16
    assert found.valid is None
    assert not found.pairs
    assert effect_of(found, "solo").size.value == 1

    def at_once(combinations):
        raise KeyboardInterrupt
        yield

    with pytest.raises(KeyboardInterrupt):
        rank(space, asked(), at_once)


# --- SALib ----------------------------------------------------------------------------------------------


def test_salib_finds_the_same_elementary_effects(tmp_path):
    """mu, mu* and sigma of each point, and mu*'s interval within what a bootstrap of a skewed mean may differ by.

    SALib is given the very configurations as trajectories of two: a configuration without a point's alternative, and
    with it.
    """
    morris = pytest.importorskip("SALib.analyze.morris", reason="SALib is not installed (the dev extra)")
    space = made(tmp_path, "solo", "losses", "firsts", "named")

    def formula(a, b, c, d):
        return 3 * a - 2 * b + Fraction(c, 2) + 5 * a * b - 4 * a * d + d

    found = rank(
        space, asked(exact=False, backgrounds=24, smallest={**SMALLEST, PAYMENTS: 0.1}), answers(space, formula)
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
    """SALib wants every variable moved in a trajectory: the others move after the point, and are not looked at."""
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


# --- deals ----------------------------------------------------------------------------------------------


def table(deals=240, bot="random", engine=READABLE, seed=4):
    return Player(bot, Design(seed=seed, lengths=(40,) * (deals // 40), bots=(bot,) * 4), engine)


def holding(deals=240):
    """Steady, who bids and plays under all combinations as under the rules named: only what is paid differs."""
    return replace(table(deals, "steady", FAST), held=True)


def played(space, player, workers=1, **changed):
    with Crew(space, (player,), workers) as crew:
        return rank(space, asked(deals=player.design.deals, **changed), crew)


@pytest.fixture(scope="module")
def counted(tmp_path_factory):
    """A space of real rules, its ranking, and the same deals counted one by one: (contract, outcome) and firsts."""
    pytest.importorskip("numba")
    space = made(tmp_path_factory.mktemp("ranked"), "solo", "losses", "firsts")
    tally, seats = Counter(), [0] * 4
    for session in range(6):
        bots = [make_bot("steady")] * 4
        for one in play_session(space.base.ruleset, bots, seed=4, session=session, deals=40):
            tally["deals"] += 1
            if one.settlement is None:
                continue
            contract, outcome = one.deal.contract.bid, one.settlement.outcome
            tally[contract, outcome] += 1
            if contract == "solo" and outcome == "won":
                for seat in range(4):
                    seats[seat] += 3 if seat == one.deal.hombre else -1
    return space, played(space, holding()), tally, seats


def test_a_counter_more_for_every_solo_won_is_worth_how_often_solos_are_won(counted):
    """Three adversaries pay it; where a premium is due for losses too (in half the configurations) they get it back."""
    _, found, tally, _ = counted
    won, lost = tally["solo", "won"], tally["solo", "remise"]
    assert won
    assert lost
    a_counter = 10 / tally["deals"]  # a seat in 40 deals
    point = found_of(found, "solo")
    signed = point.effects[PAYMENTS].signed
    assert point.own[PAYMENTS].value == pytest.approx(3 * won * a_counter)
    assert signed["hombre"].value == pytest.approx((3 * won - 1.5 * lost) * a_counter)
    assert signed["ally"].value == signed["pool"].value == 0
    assert effect_of(found, "solo", CONTRACTS).size.value == 0


def test_a_premium_due_for_losses_is_worth_the_losses_by_the_premium(counted):
    """One counter or two, three times over: mean 4.5 a loss; and what both points do together is 3 a loss."""
    _, found, tally, _ = counted
    a_loss = 10 * tally["solo", "remise"] / tally["deals"]
    assert effect_of(found, "losses").signed["hombre"].value == pytest.approx(-4.5 * a_loss)
    together = next(t for t in found.pairs if set(t.points) == {"solo", "losses"})
    assert together.effects[PAYMENTS].signed["hombre"].value == pytest.approx(-3 * a_loss)


def test_seats_change_by_what_they_won_of_it(counted):
    """In the configuration that differs from the rule set by that reading alone."""
    _, found, tally, seats = counted
    (alone,) = (s for s in found.curve if dict(s.choices) == {"solo": "on_"})
    assert any(seats)
    for seat, won in enumerate(seats):
        assert alone.changes[SEATS][f"seat {seat}"].value == pytest.approx(40 * won / tally["deals"])


def test_the_accounts_of_both_partitions_sum_to_zero(counted):
    """So no counter is missing from an effect: by roles, and by seats."""
    _, found, _, _ = counted
    for point in found.points:
        for measure in (PAYMENTS, SEATS):
            for effect in point.readings[measure].values():
                assert sum(s.value for s in effect.signed.values()) == pytest.approx(0, abs=1e-9)


def test_a_switch_at_the_rule_set_itself_is_the_total_that_compare_finds(tmp_path):
    """The same sessions under both: what every account changed by, and the contracts."""
    space = made(tmp_path, "solo")
    player = table(80, "steady")
    found = played(space, player)
    rivals = [space.compile(c) for c in space.switched(space.origin, 0)]
    comparison = compare(rivals, player.design)
    one, other = comparison.summaries
    deals = player.design.deals
    moves = {
        n: other.roles[n].mean * other.roles[n].count - one.roles[n].mean * one.roles[n].count
        for n in ("hombre", "ally")
    }
    signed = effect_of(found, "solo").signed
    for name, moved_by in moves.items():
        assert signed[name].value == pytest.approx(float(10 * moved_by / deals))
    shares = [{s.name: s.count for s in summary.contracts} for summary in (one, other)]
    most = max(abs(shares[1].get(n, 0) - shares[0].get(n, 0)) for n in {*shares[0], *shares[1]})
    found_sizes = [abs(s.value) for s in effect_of(found, "solo", CONTRACTS).signed.values()]
    assert max(found_sizes, default=0) == pytest.approx(100 * most / deals)


def test_points_that_make_no_rules_and_no_difference_are_told_apart(tmp_path):
    """A title is no rule; and in two sessions of chance nobody wins with four matadors."""
    readings = {**POINTS, "rare": ("payments.matadors.four: 2", "payments.matadors.four: 3")}
    space = made(tmp_path, "named", "rare", "losses", readings=readings)
    found = played(space, table(deals=80))
    assert found_of(found, "named").verdicts[PAYMENTS].said == SAME_RULES
    assert [found_of(found, n).differed for n in ("losses", "rare", "named")] == [True, False, False]


def test_neither_workers_nor_engine_change_a_number(tmp_path):
    pytest.importorskip("numba")
    space = made(tmp_path, "solo", "losses")
    one, two, three = (
        played(space, table(80, "steady", engine), workers)
        for engine, workers in ((READABLE, 1), (READABLE, 2), (FAST, 1))
    )
    assert one == two == three


def test_a_bot_that_holds_to_the_rules_named_differs_only_where_bids_do(tmp_path):
    """At the rule set itself both are one; where a solo pays more, the one that heeds it bids it more often."""
    pytest.importorskip("numba")
    readings = {**POINTS, "solo": ("payments.premium.solo: 1", "payments.premium.solo: 12")}
    space = made(tmp_path, "solo", readings=readings)
    design = table(400, "steady", FAST).design
    players = (Player("steady", design, FAST), Player("held", design, FAST, held=True))
    with Crew(space, players, 1) as crew:
        (named, dear) = crew([((0,), 0), ((1,), 0)])
        found = rank(space, asked(limits=(None, None)), crew)
    assert named.responses[0] == named.responses[1]
    solos = [sum(dict(g.contracts).get("solo", 0) for g in r.groups) for r in (*named.responses, *dear.responses)]
    assert solos[0] == solos[1] == solos[3] < solos[2]
    assert found.orders[1].sizes[CONTRACTS]["solo"].value == 0
    assert any(s.value for s in effect_of(found, "solo", CONTRACTS).signed.values())


# --- orders ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pair", list(product([(1, 2, 3, 4), (4, 1, 1, 0), (2, 2, 7, 7)], repeat=2)))
def test_tau_is_kendalls(pair):
    assert tau_b(*pair) == pytest.approx(kendalltau(*pair, variant="b").statistic)


def test_an_order_of_equals_agrees_with_nothing():
    assert tau_b((1, 1, 1), (1, 2, 3)) is None


def test_what_changes_place_is_told_furthest_first():
    assert moved({"a": 3, "b": 2, "c": 1}, {"a": 1, "b": 3, "c": 2}) == (
        Moved("a", 1, 3), Moved("b", 2, 1), Moved("c", 3, 2),
    )  # fmt: skip


def test_what_has_no_weight_has_no_place():
    assert moved({"a": 3, "b": 0, "c": 0}, {"a": 0, "b": 3, "c": 0}) == (Moved("a", 1, None), Moved("b", None, 1))


def test_a_point_that_is_not_open_is_refused_with_those_that_are_near():
    with pytest.raises(UsageError, match="no open point") as refused:
        space_of("quanti-1822", {}, {}, ["solo_premum"])
    assert "solo_premium" in refused.value.problems[0].help


def test_every_measure_is_told_of_every_point(counted):
    _, found, _, _ = counted
    assert all(set(p.effects) == set(MEASURES) for p in found.points)
