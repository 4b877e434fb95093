"""Whether a deal reaches the situation that two readings differ about, on deals made by hand and on
any others."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from quadrille_plugins.deal.players import make_bot
from quadrille_plugins.deal.session import play_session
from quadrille_plugins.matters.situations import WORDS, leaves_at, reach, walked
from quadrille_plugins.settle.consulted import touches, trace
from quadrille_plugins.studies.lockstep import Couple, along, opening_of, side_by_side
from quadrille_plugins.studies.observe import first_difference
from support.data import of_yaml
from support.situations import compiled, couple_of, held_beside, opening_made, play_opening

from quadrille_core.engine.settle import settle
from quadrille_core.engine.table import Deal
from quadrille_core.rules import RuleSet

CASES = of_yaml(Path(__file__).parents[1] / "data" / "situations.yaml")


def couple_for(case):
    return couple_of(
        case.get("rules", "quanti-1822") + case.get("add", ""),
        [],
        [f"{case['point']}={case['rival']}"],
    )


def played(case, couple):
    return play_opening(
        couple.first, opening_made(couple.first, case), case["say"], case.get("then", ())
    )


def told(number):
    case = CASES[number]
    return f"{case['point']}-{'reached' if case['reached'] else 'not'}-{number}"


@pytest.mark.parametrize("number", range(len(CASES)), ids=told)
def test_a_deal_made_by_hand_reaches_the_situation_where_it_should(number):
    case = CASES[number]
    couple = couple_for(case)
    found = reach(couple, played(case, couple))
    assert (found[0].where if found else False) == case["reached"]
    for place in found[:1]:
        assert place.kind == case.get("kind", place.kind)
        assert place.seat == case.get("seat", place.seat)
        assert [list(side) for side in place.only] == case.get(
            "only", [list(side) for side in place.only]
        )
        assert set(
            leaves_at(couple, walked(couple, played(case, couple)).opening, [], place)
        ) <= set(couple.leaves)


def test_every_point_tried_is_tried_both_ways():
    ways = {}
    for case in CASES:
        ways.setdefault((case["point"], case["rival"]), set()).add(bool(case["reached"]))
    both = [point for point, seen in ways.items() if seen == {True, False}]
    assert len(both) >= 12
    assert set(WORDS) >= {case["reached"] for case in CASES if case["reached"]}


def read_in(ruleset, deal):
    """The notes of all that is read while a deal is played again and settled."""
    rules, notes = trace(ruleset.rules)
    again = Deal(RuleSet(identity=ruleset.identity, rules=rules), deal.setup)
    for _, action in deal.actions:
        again.legal()
        again.apply(action)
    if again.result() is not None:
        settle(rules, again.result())
    return notes


ALTERNATIVES = (
    ("red_plain_ace", "top"),
    ("elder_may_raise", "never"),
    ("elder_may_raise", "only_higher"),
    ("among_several", "inferior_only"),
    ("forced_by", "played"),
    ("early_claim", "any_six"),
    ("solo_premium", "two_units"),
    ("double_matadors", "any_suit"),
    ("codille_indivisible", "exact"),
    ("remise_pays", "matadors_only"),
    ("vole_scheme", "nothing"),
)


def random_deals(reference, deals):
    ruleset = compiled(reference).ruleset
    bots = [make_bot("random")] * ruleset.rules.table.players
    return list(play_session(ruleset, bots, seed=5, session=0, deals=deals))


def test_what_is_reached_was_read_and_most_that_is_read_is_not_reached():
    """Reading is necessary and far from sufficient: so the criterion is as sound as the trace, and
    sharper."""
    deals = random_deals("quanti-1822", 16)
    tally = Counter()
    couples = {
        alternative: couple_of("quanti-1822", [], ["=".join(alternative)])
        for alternative in ALTERNATIVES
    }
    for one in deals:
        mine = read_in(couples[ALTERNATIVES[0]].first, one.deal)
        for couple in couples.values():
            found = walked(couple, one)
            notes = mine | read_in(couple.second, found.deals[1])
            was_read = any(touches(notes, path) for path in couple.leaves)
            tally[was_read, bool(found.places)] += 1
    assert tally[False, True] == 0
    assert tally[True, True] > 20
    assert tally[True, False] > 20


@pytest.mark.parametrize(("point", "alternative"), ALTERNATIVES[:6])
def test_a_deal_diverges_where_it_is_triggered_or_where_somebody_foresaw_it(point, alternative):
    """Two sessions beside one another: a deal that parts is reached, carried, or foreseen, and
    nothing else."""
    couple = couple_of("quanti-1822", [], [f"{point}={alternative}"])
    bots = [make_bot("random")] * 4
    sessions = [play_session(rules, bots, seed=2, session=1, deals=20) for rules in couple.sets]
    for a, b in zip(*sessions, strict=True):
        found = held_beside(couple, a, b)
        if first_difference(a, b) is not None:
            assert found.places or found.carried or found.foreseen
        elif not found.carried:
            assert not found.foreseen
            assert all(p.kind == "options" or p.where == "next deal" for p in found.places)


class Miser:
    """Bids a solo where it pays more than four units, and else does the first thing that is
    allowed."""

    name = "miser"

    def choose(self, view, legal, stream):
        dear = view.rules.payments.premium.of("solo") > 4
        return next((a for a in legal if dear and str(a) == "bid solo"), legal[0])


def test_a_player_who_looks_ahead_is_distinguished():
    couple = couple_of("quanti-1822", [], ["solo_premium=double_stake"])
    bots = [Miser()] * 4
    a, b = (
        next(iter(play_session(rules, bots, seed=1, session=0, deals=1))) for rules in couple.sets
    )
    assert first_difference(a, b).stage == "auction"
    assert not reach(couple, a)
    found = held_beside(couple, a, b)
    assert found.foreseen
    assert not found.carried
    assert found.places[0].where == "settlement"  # of the solo, which the rival's table played


def test_under_the_same_rules_nothing_is_reached():
    rules = compiled("mediateur-1752").ruleset
    couple = Couple(rules, replace(rules, identity=replace(rules.identity, profile="other")))
    assert couple.leaves == ()
    for one in random_deals("mediateur-1752", 12):
        assert not reach(couple, one)


def test_five_play_side_by_side():
    couple = couple_of("quintille", [], ["codille_indivisible=exact"])
    found = [reach(couple, one) for one in random_deals("quintille", 12)]
    assert {f[0].where for f in found if f} <= {"settlement"}
    assert any(found)


def test_purses_and_stakes_are_places_too():
    deals = random_deals("quanti-1822", 8)
    refill = couple_of("quanti-1822", [], ["purse_empty=refill"])
    found = [reach(refill, one) for one in deals]
    assert [bool(f) for f in found] == [min(one.holdings) < 0 for one in deals]
    assert any(found)
    dealer = couple_of("quanti-1822", [], ["ante=dealer_four"])
    place = reach(dealer, deals[0])[0]
    assert (place.where, place.only[1][3]) == ("antes", "D stakes 4")


def test_of_several_rules_that_differ_the_one_that_tells_is_named():
    couple = couple_of(
        "quanti-1822", [], ["early_claim=any_six", "red_plain_ace=top", "solo_premium=two_units"]
    )
    case = next(c for c in CASES if c["point"] == "red_plain_ace")
    one = played(case, couple)
    walk = walked(couple, one)
    assert leaves_at(couple, walk.opening, walk.script, walk.places[0]) == ("cards.red_plain_ace",)
    case = next(c for c in CASES if c["point"] == "double_matadors")
    walk = walked(couple, played(case, couple))
    assert [p.where for p in walk.places] == ["settlement"]
    assert leaves_at(couple, walk.opening, walk.script, walk.places[0]) == (
        "payments.premium.solo",
    )


def test_tables_that_go_side_by_side_do_what_each_would_do_alone():
    couple = couple_of("quanti-1822", [], ["double_matadors=any_suit"])
    for one in random_deals("quanti-1822", 6):
        walk = side_by_side(
            couple,
            opening_of(couple.first.rules, one.setup),
            along([a for _, a in one.deal.actions]),
        )
        assert walk.over
        assert walk.script == tuple(a for _, a in one.deal.actions)
        assert walk.deals[0].events == one.deal.events
        assert walk.settled[0] == one.settlement
