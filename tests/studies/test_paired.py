"""Intervals of paired differences: when there is one, how wide it is, and what is answered."""

from fractions import Fraction

import pytest
from quadrille_plugins.studies.accounts import columns
from quadrille_plugins.studies.effects import TOTAL, DifferenceSums, Effects
from quadrille_plugins.studies.equivalence import (
    answer,
    in_deals,
    sessions_for_differing,
    sessions_to_show,
    sessions_within,
    smallest_for,
)
from quadrille_plugins.studies.intervals import t_quantile
from quadrille_plugins.studies.paired import FEWEST_DIFFERING, all_effects, effect_of


def effect(differences, length=40, **named):
    change, effects = (
        DifferenceSums(),
        Effects(len(differences), length * len(differences), length**2 * len(differences)),
    )
    for d in differences:
        change.merge(DifferenceSums.of([Fraction(d)], [length]))
    return effect_of(change, effects, length, **named)


def test_no_interval_and_no_verdict_below_the_floor_of_differing_sessions():
    """Zero-width intervals of readings that hardly ever matter are what this is against."""
    rare = effect([50] * (FEWEST_DIFFERING - 1) + [0] * 971)
    assert rare.low is rare.high is None
    assert rare.answer == "undecided"
    # 1,000 sessions of 40 deals, thirty for twenty-nine and a margin for chance, to two digits
    assert (rare.needed, rare.first_interval) == (None, 48_000)
    enough = effect([50] * FEWEST_DIFFERING + [0] * 970)
    assert enough.low < 1.5 < enough.high


def test_nothing_seen_is_undecided_and_a_least_number_of_deals_is_named():
    never = effect([0] * 300)
    assert (never.mean, never.low, never.answer) == (0, None, "undecided")
    assert (
        never.first_interval == 140_000
    )  # at most 3 in 300 sessions differ, and thirty must, with a margin for chance


def test_of_few_differing_sessions_the_interval_allows_for_what_a_session_was_seen_to_move():
    """One session in a hundred differs: nothing seen bounds an effect but what a session can
    move."""
    few = [50] + [0] * 99
    known, larger = (effect(few, reach=Fraction(reach)) for reach in (100, 1000))
    assert known.low < 0 < known.high
    assert larger.high - larger.low > 5 * (known.high - known.low)
    assert effect(few).low is None


def test_an_undecided_effect_has_a_range_of_deals_that_decide_it_or_is_near_the_threshold():
    """The nearer to the threshold, the more deals; so near that a thousand million may not do, it
    is called near."""
    ranges = []
    for mean in (0, 6, 8):
        e = effect([mean - 60, mean + 60] * 50)
        assert (e.answer, e.needed[0] < e.needed[1]) == ("undecided", True)
        ranges.append(e.needed)
    assert ranges == sorted(ranges)
    near = effect([9.9 - 60, 9.9 + 60] * 50_000)
    assert (near.answer, near.needed) == ("near", None)


def test_roles_and_accounts_are_held_against_as_many_times_what_a_seat_is():
    """An effect of 25 counters on a sum over four players is one of about six on each."""
    change, effects = DifferenceSums(), Effects()
    for d in [24, 26] * 50:
        change.merge(DifferenceSums.of([Fraction(d)], [40]))
    effects = Effects(100, 4000, 100 * 40**2, {TOTAL: dict.fromkeys(columns(4), change)})
    found = all_effects(effects, 40)[TOTAL]
    assert {found[n].answer for n in columns(4) if n.startswith("seat ")} == {"larger"}
    assert {found[n].answer for n in columns(4) if not n.startswith("seat ")} == {"smaller"}
    assert (found["seat 0"].interest, found["hombre"].interest, found["pool"].interest) == (
        10,
        40,
        40,
    )


def test_what_the_rules_make_the_same_is_identical_however_few_deals_were_played():
    effects = Effects(1, 40, 40**2, {TOTAL: {n: DifferenceSums() for n in columns(4)}})
    found = all_effects(effects, 40, identical={"antes", "redealt"})[TOTAL]
    assert {n for n, e in found.items() if (e.low, e.high, e.answer) == (0, 0, "identical")} == {
        "antes",
        "redealt",
    }


def test_what_is_picked_from_several_has_an_interval_that_holds_together_with_theirs():
    change, effects = DifferenceSums(), Effects()
    for d in [2.5, -1.5] * 60:
        change.merge(DifferenceSums.of([Fraction(d)], [40]))
    effects = Effects(120, 4800, 120 * 40**2, {TOTAL: dict.fromkeys(columns(4), change)})
    e = all_effects(effects, 40)[TOTAL]["seat 0"]
    assert e.low > 0
    assert not e.stands_out  # not if it is the best of seven
    assert e.together[0] < e.low < e.high < e.together[1]


def test_of_even_differences_the_interval_is_students():
    """Light tails and no skew: both parts of the interval are the ordinary one."""
    e = effect([1, -1] * 200)
    assert e.high == pytest.approx(t_quantile(399) / 20 * (400 / 399) ** 0.5, rel=1e-6)
    assert e.low == pytest.approx(-e.high)
    assert e.deviation == pytest.approx((400 / 399) ** 0.5)


def test_skewed_and_heavy_differences_reach_farther_on_the_side_of_their_tail():
    e = effect([0] * 300 + [1] * 60 + [40] * 3)
    plain = t_quantile(362) * e.deviation / 363**0.5
    assert e.high - float(e.mean) > 1.05 * plain
    assert float(e.mean) - e.low >= plain
    assert e.high - float(e.mean) > float(e.mean) - e.low


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (11, 20, "larger"),
        (-30, -10.5, "larger"),
        (-9, 9, "smaller"),
        (3, 9.9, "smaller"),
        (9, 12, "undecided"),
        (-11, 3, "undecided"),
        (None, None, "undecided"),
    ],
)
def test_an_interval_answers_beside_the_smallest_effect_of_interest(low, high, said):
    assert answer(low, high, 10) == said


def test_the_smallest_effect_is_that_of_a_session_of_forty_deals():
    assert smallest_for(Fraction(10), 40) == 10
    assert smallest_for(Fraction(10), 12) == 3
    assert effect([3, 4] * 50, length=12).answer == "larger"
    assert effect([3, 4] * 50, length=40).answer == "smaller"
    assert effect([0, 24] * 50, length=40).answer == "undecided"


def test_sessions_needed_go_with_the_square_of_the_deviation_and_agree_with_the_interval():
    assert sessions_within(50, 5) == pytest.approx((1.96 * 10) ** 2, rel=1e-3)
    assert sessions_to_show(50, 5) == pytest.approx((2.8016 * 10) ** 2, rel=1e-3)
    assert sessions_within(50, 5, comparisons=10) > sessions_within(50, 5)
    assert sessions_for_differing(10, 1000, 30) == pytest.approx(3461, rel=1e-3)
    assert in_deals(123.4, 40) == 5000


def test_intervals_of_several_comparisons_hold_together():
    one, many = (effect([1, -1] * 200, comparisons=n) for n in (1, 20))
    assert many.high > 1.5 * one.high


def test_unequal_sessions_are_taken_by_their_deals():
    """A last session of half the length with half the difference changes no mean and adds no
    spread."""
    change, effects = DifferenceSums(), Effects(0, 0, 0)
    for d, n in [(8, 40)] * 40 + [(4, 20)]:
        change.merge(DifferenceSums.of([Fraction(d)], [n]))
        effects.sessions, effects.deals = effects.sessions + 1, effects.deals + n
        effects.deals_squares += n * n
    e = effect_of(change, effects, 40)
    assert (e.mean, e.low, e.high) == (8, 8, 8)
