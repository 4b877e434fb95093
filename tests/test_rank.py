"""Ranking points: effects that can be worked out by hand, on made answers and on deals counted one by one."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy.stats import kendalltau

from quadrille_core.bots import make_bot
from quadrille_core.engine.session import play_session
from quadrille_core.errors import UsageError
from quadrille_core.study.agreement import Moved, moved, tau_b
from quadrille_core.study.compare import FAST, READABLE, Design, compare
from quadrille_core.study.observe import ROLES
from quadrille_core.study.rank import NEVER, REFUSED, SAME_RULES, UNDECIDED, Plan, rank
from quadrille_core.study.rank_effects import CONTRACTS, MEASURES, PAYMENTS, SEATS
from quadrille_core.study.rank_play import Crew, Outcome, Part, Player, Response
from quadrille_core.study.rank_space import space_of

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
    return Plan(**{"seed": 3, "backgrounds": 8, "exact": True, "measure": PAYMENTS, "sessions": (8,), **changed})


# --- answers that are made ------------------------------------------------------------------------------


def answers(space, formula, groups=8, differs=lambda group: 0):
    """What Hombre wins of the adversaries a deal, by a formula of the combination: the same in every group but for
    what ``differs`` adds."""

    def evaluate(combinations):
        for combination in combinations:
            refusal = space.refusal(combination)
            if refusal:
                yield Outcome("", (), refusal)
                continue
            paid = [int(12 * 10 * (formula(*combination) + differs(g))) for g in range(groups)]
            parts = tuple(Part(10, (p, 0, -p), (p, -p, 0, 0), (("solo", 10),)) for p in paid)
            yield Outcome(str(combination), (Response(12, parts, str(paid)),))

    return evaluate


def effect_of(found, name, measure=PAYMENTS):
    return next(p for p in found.points if p.point == name).effects[measure]


def test_effects_that_add_up_are_found_exactly_and_nothing_depends_on_anything(tmp_path):
    space = made(tmp_path, "solo", "losses", "firsts")
    found = rank(space, asked(), answers(space, lambda a, b, c: 5 * a - 2 * b + Fraction(c, 3)))
    assert [p.point for p in found.points] == ["solo", "losses", "firsts"]
    for name, worth in (("solo", 5), ("losses", -2), ("firsts", Fraction(1, 3))):
        effect = effect_of(found, name)
        assert effect.main["on_"]["hombre"].value == worth
        assert effect.main["on_"]["adversary"].value == -worth
        assert effect.size.value == effect.here == abs(worth)
        assert effect.interaction.value == 0
    assert all(t.sizes[PAYMENTS].value == 0 for t in found.pairs)
    assert len(found.pairs) == 3


def test_what_turns_round_with_another_point_is_all_interaction(tmp_path):
    """One either way: its mean is nought, and all of it depends on how the other is read."""
    space = made(tmp_path, "solo", "losses")
    found = rank(space, asked(), answers(space, lambda a, b: int(a == b)))
    for name in ("solo", "losses"):
        effect = effect_of(found, name)
        assert effect.main["on_"]["hombre"].value == 0
        assert effect.size.value == 1
        assert effect.interaction.value == 1
    (pair,) = found.pairs
    assert pair.sizes[PAYMENTS].value == 2


def test_what_works_only_with_another_point_is_half_interaction(tmp_path):
    """Nothing or four: a mean of two, whose square is half the mean of the squares."""
    space = made(tmp_path, "solo", "losses")
    found = rank(space, asked(), answers(space, lambda a, b: 4 * a * b))
    effect = effect_of(found, "solo")
    assert (effect.size.value, effect.interaction.value, effect.here) == (2, Fraction(1, 2), 0)
    assert found.pairs[0].sizes[PAYMENTS].value == 4


FORBIDDEN = """\
constraints:
  - when: {payments.premium.solo: 2}
    excludes: {loss.remise_pays: [[premium]]}
    reason: for a test
    source: parlett
"""


def test_only_valid_combinations_count_and_weigh_alike(tmp_path):
    """Of solo and losses one corner is forbidden: firsts adds 4, and 3 more with solo, in one of three backgrounds."""
    space = made(tmp_path, "solo", "losses", "firsts", more=FORBIDDEN)
    found = rank(space, asked(), answers(space, lambda a, b, c: a + 2 * b + 4 * c + 3 * a * c))
    assert found.valid == found.backgrounds == found.played == 6
    firsts = effect_of(found, "firsts")
    assert firsts.size.value == 5
    assert firsts.interaction.value == 1 - Fraction(25, 27)
    # solo is switched where losses is off: 1 without firsts, 4 with it
    solo = effect_of(found, "solo")
    assert solo.size.value == Fraction(5, 2)
    assert next(p for p in found.points if p.point == "solo").backgrounds == 4
    refused = {(r.point, r.reading): (r.count, r.of) for r in found.refused}
    assert refused == {("solo", "on_"): (2, 6), ("losses", "on_"): (2, 6)}
    assert all("payments.premium.solo" in r.reason for r in found.refused), found.refused


def test_a_point_whose_every_other_reading_is_refused_is_said_to_be_so(tmp_path):
    space = made(tmp_path, "solo", "losses", more=FORBIDDEN.replace("payments.premium.solo: 2", "table.players: 4"))
    found = rank(space, asked(), answers(space, lambda a, b: a + b))
    losses = next(p for p in found.points if p.point == "losses")
    assert set(losses.verdicts.values()) == {REFUSED}
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


def test_a_sample_of_backgrounds_says_how_far_it_may_be_off(tmp_path):
    """Twelve throws of a coin, 2 or 4 each: Student's interval covers 3 unless fewer than three fall on one side."""
    space = made(tmp_path, "solo", "losses")
    evaluate = answers(space, lambda a, b: 2 * a + 2 * a * b + b, groups=6)
    whole = effect_of(rank(space, asked(sessions=(6,)), evaluate), "solo")
    assert (whole.size.value, whole.size.low, whole.size.high) == (3, 3, 3)
    covered = 0
    for seed in range(60):
        drawn = rank(space, asked(seed=seed, exact=False, backgrounds=12, sessions=(6,)), evaluate)
        assert drawn.valid is None
        assert drawn.drawn == drawn.backgrounds == 12
        size = effect_of(drawn, "solo").size
        assert (size.low <= 3 <= size.high) == (Fraction(5, 2) <= size.value <= Fraction(7, 2))
        covered += size.low <= 3 <= size.high
    assert covered >= 53  # of 60; 96 in a hundred are expected, and fewer than 53 once in 300 times


def test_intervals_are_the_sessions_own(tmp_path):
    """With the groups' effects 1 … 8 the half-width is Student's t times their deviation over the root of eight."""
    space = made(tmp_path, "solo")
    evaluate = _noisy(space)
    effect = effect_of(rank(space, asked(), evaluate), "solo").main["on_"]["hombre"]
    deviation = float(np.std(range(1, 9), ddof=1)) / 8**0.5
    assert effect.value == Fraction(9, 2)
    assert effect.high - effect.low == pytest.approx(2 * 2.3646 * deviation, rel=2e-3)


def _noisy(space):
    def evaluate(combinations):
        for (on,) in combinations:
            parts = tuple(Part(10, (10 * on * g, 0, -10 * on * g), (0, 0, 0, 0), (("solo", 10),)) for g in range(1, 9))
            yield Outcome(str(on), (Response(1, parts, str(on)),))

    return evaluate


def test_what_chance_among_sessions_adds_to_an_interaction_is_taken_off(tmp_path):
    """A steady effect of 1 and noise of its own in every combination: all that seems to depend is chance."""
    space = made(tmp_path, "solo", "losses")
    seeming, beyond = [], []
    for seed in range(40):
        noise = np.random.default_rng(seed).normal(0, 2, (2, 2, 24))

        def evaluate(combinations, noise=noise):
            for a, b in combinations:
                paid = [1000 * a + round(1000 * e) for e in noise[a, b]]
                parts = tuple(Part(10, (10 * p, 0, -10 * p), (0, 0, 0, 0), ()) for p in paid)
                yield Outcome(f"{a}{b}", (Response(1000, parts, f"{a}{b}"),))

        effect = effect_of(rank(space, asked(sessions=(24,)), evaluate), "solo")
        seeming.append(float(effect.interaction.value))
        beyond.append(effect.beyond_chance or 0.0)
    assert np.mean(seeming) > 0.1
    assert np.mean(beyond) < 0.1
    assert np.median(beyond) == 0


@pytest.mark.parametrize("drawn", [False, True])
def test_intervals_cover_what_is_true(tmp_path, drawn):
    """A switch worth 1 or 3 by the other point: a main effect of 2, in 100 rankings of 24 sessions each.

    Sessions have noise in common, and each combination some of its own; backgrounds are all, or eight drawn.
    """
    space = made(tmp_path, "solo", "losses")
    covered = 0
    for seed in range(100):
        chance = np.random.default_rng(1000 + seed)
        shared, own = chance.normal(0, 2, 24), chance.normal(0, 1, (2, 2, 24))

        def evaluate(combinations, shared=shared, own=own):
            for a, b in combinations:
                paid = [round(1000 * (a * (1 + 2 * b + e) + f)) for e, f in zip(shared, own[a, b], strict=True)]
                parts = tuple(Part(10, (10 * p, 0, -10 * p), (0, 0, 0, 0), ()) for p in paid)
                yield Outcome(f"{a}{b}", (Response(1000, parts, f"{a}{b}"),))

        plan = asked(sessions=(24,), seed=seed, exact=not drawn, backgrounds=8)
        main = effect_of(rank(space, plan, evaluate), "solo").main["on_"]["hombre"]
        covered += main.low <= 2 <= main.high
    assert covered >= 89  # 95 are promised; fewer than 89 come once in 200 times


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

salib = pytest.importorskip("SALib.analyze.ff", reason="SALib is not installed (the dev extra)")


def _problem(names):
    return {"num_vars": len(names), "names": list(names), "bounds": [[-1, 1]] * len(names)}


def test_salib_finds_the_same_main_effects_and_interactions_of_binary_points(tmp_path):
    """SALib codes readings −1 and 1 and means over all: its main effect is half ours, its interaction a quarter."""
    from SALib.sample import ff

    space = made(tmp_path, "solo", "losses", "firsts", "named")

    def formula(a, b, c, d):
        return 3 * a - 2 * b + Fraction(c, 2) + 5 * a * b + d

    found = rank(space, asked(), answers(space, formula))
    problem = _problem(space.names)
    rows = ff.sample(problem)
    told = salib.analyze(
        problem, rows, np.array([float(formula(*(int(v > 0) for v in row))) for row in rows]), second_order=True
    )
    for name, effect in zip(told["names"], told["ME"], strict=True):
        assert float(effect_of(found, name).main["on_"]["hombre"].value) == pytest.approx(2 * effect)
    pairs = {frozenset(n): e for n, e in zip(told["interaction_names"], told["IE"], strict=True)}
    together = {frozenset(t.points): float(t.sizes[PAYMENTS].value) for t in found.pairs}
    assert together[frozenset(("solo", "losses"))] == pytest.approx(5)
    # a half fraction tells no pair from the pair of the two others
    assert pairs[frozenset(("solo", "losses"))] == pytest.approx(5 / 4)
    assert pairs[frozenset(("solo", "firsts"))] == pytest.approx(0)


# --- deals ----------------------------------------------------------------------------------------------


def table(deals=240, bot="random", engine=READABLE, seed=4):
    return Player(bot, Design(seed=seed, lengths=(40,) * (deals // 40), bots=(bot,) * 4), engine)


def holding(deals=240):
    """Steady, who bids and plays under all combinations as under the rules named: only what is paid differs."""
    return replace(table(deals, "steady", FAST), held=True)


def played(space, player, workers=1, **changed):
    with Crew(space, (player,), workers) as crew:
        return rank(space, asked(sessions=(len(player.design.lengths),), **changed), crew)


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
    """Three adversaries pay it; where a premium is due for losses too (in half the backgrounds) Hombre pays it back."""
    _, found, tally, _ = counted
    won, lost = tally["solo", "won"], tally["solo", "remise"]
    assert won
    assert lost
    effect = effect_of(found, "solo")
    assert effect.here == Fraction(3 * won, tally["deals"])
    assert effect.main["on_"]["hombre"].value == Fraction(3 * won, tally["deals"]) - Fraction(
        3 * lost, 2 * tally["deals"]
    )
    assert effect.main["on_"]["ally"].value == effect.main["on_"]["pool"].value == 0
    assert effect_of(found, "solo", CONTRACTS).size.value == 0


def test_a_premium_due_for_losses_is_worth_the_losses_by_the_premium(counted):
    """One counter or two, three times over: mean 4.5 a loss, and the square of that nine tenths of the mean square."""
    _, found, tally, _ = counted
    effect = effect_of(found, "losses")
    assert effect.size.value == Fraction(9 * tally["solo", "remise"], 2 * tally["deals"])
    assert effect.interaction.value == 1 - Fraction(9, 10)
    together = next(t for t in found.pairs if set(t.points) == {"solo", "losses"})
    assert together.sizes[PAYMENTS].value == Fraction(3 * tally["solo", "remise"], tally["deals"])


def test_seats_differ_by_what_they_won_of_it(counted):
    space, found, tally, seats = counted
    with Crew(space, (holding(),), 1) as crew:
        (off,) = crew([(0, 0, 0)])
    base = [
        sum(Fraction(p.seats[s], off.responses[0].scale) for p in off.responses[0].parts) / tally["deals"]
        for s in range(4)
    ]
    on = [b + Fraction(s, tally["deals"]) for b, s in zip(base, seats, strict=True)]
    expected = (max(on) - min(on)) - (max(base) - min(base))
    assert effect_of(found, "solo", SEATS).here == abs(expected)


def test_salib_agrees_on_the_payments_of_real_deals(tmp_path, counted):
    """Two points, so that SALib's fraction is the whole: solo and losses, which act together."""
    from SALib.sample import ff

    space = made(tmp_path, "solo", "losses")
    player = holding()
    found = played(space, player)
    problem = _problem(space.names)
    rows = ff.sample(problem)
    with Crew(space, (player,), 1) as crew:
        outcomes = list(crew([tuple(int(v > 0) for v in row) for row in rows]))
    answered = [
        sum(p.roles[0] for p in o.responses[0].parts) / o.responses[0].scale / player.design.deals for o in outcomes
    ]
    told = salib.analyze(problem, rows, np.array(answered), second_order=True)
    for name, effect in zip(told["names"], told["ME"], strict=True):
        assert float(effect_of(found, name).main["on_"]["hombre"].value) == pytest.approx(2 * effect)
    assert float(found.pairs[0].sizes[PAYMENTS].value) == pytest.approx(4 * abs(told["IE"][0]))


def test_a_switch_at_the_rule_set_itself_is_what_compare_finds(tmp_path):
    """By the other study's own sums: what each role got, of all deals, and the contracts."""
    space = made(tmp_path, "solo")
    player = table(80, "steady")
    found = played(space, player)
    rivals = [space.compile(c) for c in space.switched(space.origin, 0)]
    one, other = compare(rivals, player.design).summaries
    deals = player.design.deals
    moves = [
        (other.roles[r].mean * other.roles[r].count - one.roles[r].mean * one.roles[r].count) / deals for r in ROLES
    ]
    assert effect_of(found, "solo").here == (sum(map(abs, moves)) + abs(sum(moves))) / 2
    played_as = [{s.name: s.count for s in summary.contracts} for summary in (one, other)]
    apart = sum(abs(played_as[0].get(n, 0) - played_as[1].get(n, 0)) for n in {*played_as[0], *played_as[1]})
    assert effect_of(found, "solo", CONTRACTS).here == Fraction(apart, 2 * deals)
    spreads = [max(e.mean for e in s.seats.values()) - min(e.mean for e in s.seats.values()) for s in (one, other)]
    assert effect_of(found, "solo", SEATS).here == abs(spreads[1] - spreads[0])


def test_points_that_make_no_rules_and_no_difference_are_told_apart(tmp_path):
    """A title is no rule; and in two sessions of chance nobody wins with four matadors."""
    readings = {**POINTS, "rare": ("payments.matadors.four: 2", "payments.matadors.four: 3")}
    space = made(tmp_path, "named", "rare", "losses", readings=readings)
    found = played(space, table(deals=80))
    verdicts = {p.point: p.verdicts[PAYMENTS] for p in found.points}
    assert verdicts == {"losses": UNDECIDED, "rare": NEVER, "named": SAME_RULES}


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
        (named, dear) = crew([(0,), (1,)])
        found = rank(space, asked(sessions=(10, 10)), crew)
    assert named.responses[0] == named.responses[1]
    solos = [sum(dict(p.contracts).get("solo", 0) for p in r.parts) for r in (*named.responses, *dear.responses)]
    assert solos[0] == solos[1] == solos[3] < solos[2]
    adapts, holds = (o.sizes[CONTRACTS]["solo"].value for o in found.orders)
    assert holds == 0 < adapts


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
