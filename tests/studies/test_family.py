"""What a family of players finds: where all agree, where it depends, and what cannot be told."""

from dataclasses import replace
from fractions import Fraction

import pytest
from quadrille_plugins.deal.players import family, manners
from quadrille_plugins.studies.effects import DifferenceSums, Effects
from quadrille_plugins.studies.family import answer_of_all, family_effect, tables_asked
from quadrille_plugins.studies.paired import effect_of, nothing


def effect(mean, spread=1):
    """The effect of a hundred sessions that differ by ``mean`` give or take ``spread``, held
    against 10 counters."""
    change = DifferenceSums()
    for n in range(100):
        difference = Fraction(mean + (spread if n % 2 else -spread))
        change.merge(DifferenceSums.of([difference], [40]))
    return effect_of(change, Effects(100, 4000, 100 * 40**2), 40)


UP, DOWN, SMALL = effect(30), effect(-30), effect(2)
OPEN = replace(effect(10, 20), answer="near")
SAME = nothing(SMALL)


@pytest.mark.parametrize(
    ("effects", "answer"),
    [
        ([UP, UP], "larger"),
        ([DOWN, DOWN], "larger"),
        ([UP, DOWN], "depends"),
        ([UP, SMALL], "depends"),
        ([UP, SAME], "larger"),
        ([SMALL, SAME], "smaller"),
        ([SAME, SAME], "identical"),
        ([UP, OPEN], "near"),
        ([UP, SMALL, OPEN], "depends"),
        ([SMALL, effect(8, 60)], "undecided"),
    ],
    ids=[
        "up",
        "down",
        "both ways",
        "size",
        "some identical",
        "small",
        "identical",
        "near",
        "depends",
        "undecided",
    ],
)
def test_a_verdict_is_that_of_all_and_depends_where_two_are_shown_to_differ(effects, answer):
    """An effect that is the same by the rules is so for everybody: one that moves is what others
    are asked of."""
    assert answer_of_all(effects) == answer


def test_the_range_holds_every_interval_and_the_ends_are_who_has_the_lowest_and_highest_mean():
    found = {"steady": SMALL, "steady:boldness=+6": UP, "steady:calls=long": DOWN}
    told = family_effect(found)
    assert (told.least, told.most) == ("steady:calls=long", "steady:boldness=+6")
    assert told.means == (-30, 30)
    assert (told.low, told.high) == (DOWN.low, UP.high)
    assert told.by == ("which king is called", "how boldly one bids")


def test_a_range_is_not_told_where_a_member_has_no_interval():
    few = effect_of(DifferenceSums(), Effects(2, 80, 2 * 40**2), 40)
    told = family_effect({"steady": UP, "steady:boldness=+6": few})
    assert (told.low, told.high, told.answer) == (None, None, "undecided")


def test_the_family_is_asked_by_its_name_and_differs_from_steady_in_one_thing_each():
    members = family()
    assert tables_asked("family") == tuple((m,) for m in members)
    assert tables_asked("steady,random,steady,steady") == (
        ("steady", "random", "steady", "steady"),
    )
    assert members[0] == "steady"
    assert [len(manners(m)) for m in members] == [0] + [1] * (len(members) - 1)
    boldness = {m for m in members if "boldness" in m}
    assert len(boldness) >= 4
