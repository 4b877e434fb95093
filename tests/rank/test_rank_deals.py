"""Ranking points: effects on deals counted one by one, and orders of points."""

from collections import Counter
from dataclasses import replace
from itertools import product

import pytest
from quadrille_plugins.compare.study import compare
from quadrille_plugins.deal.players import make_bot
from quadrille_plugins.deal.session import play_session
from quadrille_plugins.rank.effects import CONTRACTS, MEASURES, PAYMENTS, SEATS
from quadrille_plugins.rank.places import PlaceChange, place_changes, tau_b
from quadrille_plugins.rank.play import Crew, Lineup
from quadrille_plugins.rank.space import space_of
from quadrille_plugins.rank.study import SAME_RULES, rank
from quadrille_plugins.studies.design import FAST, READABLE, Design
from quadrille_plugins.studies.runner.executors import Placement
from quadrille_plugins.studies.runner.run import Runner
from scipy.stats import kendalltau
from support.ranking import POINTS, asked, effect_of, found_of, made

from quadrille_core.errors import UsageError

# --- deals ----------------------------------------------------------------------------------------


def table(deals=240, bot="random", engine=READABLE, seed=4):
    return Lineup(bot, Design(seed=seed, lengths=(40,) * (deals // 40), bots=(bot,) * 4), engine)


def holding(deals=240):
    """Steady, who bids and plays under all combinations as under the rules named: only what is paid
    differs."""
    return replace(table(deals, "steady", FAST), held=True)


def played(space, player, workers=1, **changed):
    with Crew(space, (player,), Runner(Placement(workers))) as crew:
        return rank(space, asked(deals=player.design.deals, **changed), crew)


@pytest.fixture(scope="module")
def counted(tmp_path_factory):
    """A space of real rules, its ranking, and the same deals counted one by one: (contract,
    outcome) and firsts."""
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
    """Three adversaries pay it; where a premium is due for losses too (in half the configurations)
    they get it back."""
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
    """One counter or two, three times over: mean 4.5 a loss; and what both points do together is 3
    a loss."""
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
        assert alone.changes[SEATS][f"seat {seat}"].value == pytest.approx(
            40 * won / tally["deals"]
        )


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
    alternatives = [space.compile(c) for c in space.switched(space.origin, 0)]
    comparison = compare(alternatives, player.design)
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


def test_points_that_make_no_rules_and_no_difference_are_distinguished(tmp_path):
    """A title is no rule; and in two sessions of chance nobody wins with four matadors."""
    readings = {**POINTS, "rare": ("payments.matadors.four: 2", "payments.matadors.four: 3")}
    space = made(tmp_path, "named", "rare", "losses", readings=readings)
    found = played(space, table(deals=80))
    assert found_of(found, "named").verdicts[PAYMENTS].said == SAME_RULES
    assert [found_of(found, n).differed for n in ("losses", "rare", "named")] == [
        True,
        False,
        False,
    ]


def test_neither_workers_nor_engine_change_a_number(tmp_path):
    pytest.importorskip("numba")
    space = made(tmp_path, "solo", "losses")
    one, two, three = (
        played(space, table(80, "steady", engine), workers)
        for engine, workers in ((READABLE, 1), (READABLE, 2), (FAST, 1))
    )
    assert one == two == three


def test_a_bot_that_holds_to_the_rules_named_differs_only_where_bids_do(tmp_path):
    """At the rule set itself both are one; where a solo pays more, the one that heeds it bids it
    more often."""
    pytest.importorskip("numba")
    readings = {**POINTS, "solo": ("payments.premium.solo: 1", "payments.premium.solo: 12")}
    space = made(tmp_path, "solo", readings=readings)
    design = table(400, "steady", FAST).design
    players = (Lineup("steady", design, FAST), Lineup("held", design, FAST, held=True))
    with Crew(space, players) as crew:
        (named, dear) = crew([((0,), 0), ((1,), 0)])
        found = rank(space, asked(limits=(None, None), costs=(1.0, 1.0)), crew)
    assert named.responses[0] == named.responses[1]
    solos = [
        sum(dict(g.contracts).get("solo", 0) for g in r.groups)
        for r in (*named.responses, *dear.responses)
    ]
    assert solos[0] == solos[1] == solos[3] < solos[2]
    assert found.orders[1].sizes[CONTRACTS]["solo"].value == 0
    assert any(s.value for s in effect_of(found, "solo", CONTRACTS).signed.values())


# --- orders ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "pair", list(product([(1, 2, 3, 4), (4, 1, 1, 0), (2, 2, 7, 7)], repeat=2))
)
def test_tau_is_kendalls(pair):
    assert tau_b(*pair) == pytest.approx(kendalltau(*pair, variant="b").statistic)


def test_an_order_of_equals_agrees_with_nothing():
    assert tau_b((1, 1, 1), (1, 2, 3)) is None


def test_what_changes_place_is_told_furthest_first():
    assert place_changes({"a": 3, "b": 2, "c": 1}, {"a": 1, "b": 3, "c": 2}) == (
        PlaceChange("a", 1, 3), PlaceChange("b", 2, 1), PlaceChange("c", 3, 2),
    )  # fmt: skip


def test_what_has_no_weight_has_no_place():
    assert place_changes({"a": 3, "b": 0, "c": 0}, {"a": 0, "b": 3, "c": 0}) == (
        PlaceChange("a", 1, None),
        PlaceChange("b", None, 1),
    )


def test_a_point_that_is_not_open_is_refused_with_those_that_are_near():
    with pytest.raises(UsageError, match="no open point") as refused:
        space_of("quanti-1822", {}, {}, ["solo_premum"])
    assert "solo_premium" in refused.value.problems[0].help


def test_every_measure_is_told_of_every_point(counted):
    _, found, _, _ = counted
    assert all(set(p.effects) == set(MEASURES) for p in found.points)
