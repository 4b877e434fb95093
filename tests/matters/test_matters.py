"""Whether a reading matters: the three verdicts, what they rest on, and that either engine gives
the same."""

from dataclasses import replace
from fractions import Fraction

import pytest
from quadrille_plugins.deal.players import make_bot
from quadrille_plugins.deal.session import play_session
from quadrille_plugins.kernel.counting import sampling_key
from quadrille_plugins.matters import command
from quadrille_plugins.matters.alternatives import Alternative, alternatives_of
from quadrille_plugins.matters.divergence import Again, is_matched, where
from quadrille_plugins.matters.matched_play import MatchedPlayer
from quadrille_plugins.matters.matched_starts import (
    DIVERGED,
    PAID,
    STAGES,
    MatchedSums,
)
from quadrille_plugins.matters.study import (
    AlternativeRun,
    design_of,
    is_certain,
    looks,
    matters,
    mean_of,
    reaches,
    same_rules,
    sort_out,
)
from quadrille_plugins.shell.main import run
from quadrille_plugins.studies.accounts import columns
from quadrille_plugins.studies.effects import TOTAL, Effects
from support.sessions import movements

from quadrille_core.errors import UsageError
from quadrille_core.ruleset import compile_reference

BASE = "quanti-1822"


def alternative(settings=None, base=BASE, readings=None):
    return Alternative(
        point="",
        reading="",
        compiled=compile_reference(base, settings=settings or {}, readings=readings or {}),
    )


def answer(
    alternatives,
    *,
    deals,
    seed=1,
    base=BASE,
    precision=1e-4,
    bots=("random",),
    decompose=False,
    **design,
):
    """The answer for rule sets against a base, by the readable engine."""
    mine = compile_reference(base)
    compiled = [mine, *(r.compiled for r in alternatives)]
    design = design_of(compiled, deals=deals, seed=seed, bots=bots, precision=precision, **design)
    plays = MatchedPlayer([c.ruleset for c in compiled], design.bots, seed, decompose=decompose)
    return matters(mine, alternatives, design, plays, engine="readable")


def test_alternative_readings_are_all_the_readings_not_in_use_and_those_that_do_not_go_are_told_with_their_reason():
    base, found = alternatives_of("quanti-1822@parlett", {}, {})
    states = {s.point.id: s for s in base.points}
    assert {(r.point, r.reading) for r in found} == {
        (p, r.id) for p, s in states.items() for r in s.point.readings if r.id != s.reading.id
    }
    for r in found:
        assert (r.compiled is None) == bool(r.refusal)
        if r.compiled is not None:
            assert r.compiled.identity.witness == "parlett"
            assert (r.point, r.reading) in r.compiled.identity.readings
    assert any(r.compiled is not None for r in found)


def test_a_refused_configuration_is_kept_with_what_is_wrong_with_it():
    base, found = alternatives_of(BASE, {}, {"table.purse": 0, "table.coins": []}, "purse_empty")
    assert {r.reading: r.compiled is None for r in found} == {"refill": True, "session_ends": False}
    settled, played = sort_out(base, found)
    assert [(f.verdict, f.reading) for f in settled] == [("not comparable", "refill")]
    assert [p.code for p in settled[0].refusal] == ["Q606"]
    assert [r.reading for r in played] == ["session_ends"]


def test_a_point_that_is_none_is_named_and_the_nearest_told():
    with pytest.raises(UsageError, match="no point in dispute") as caught:
        alternatives_of("quanti-1822", {}, {}, "remise_pay")
    assert "remise_pays" in str(caught.value.problems[0].render())


def test_one_looks_at_fixed_numbers_of_sessions():
    assert list(looks(200)) == [25, 36, 50, 71, 100, 142, 200]
    assert list(looks(7)) == [7]


def test_equal_rules_need_no_deals():
    mine = compile_reference(BASE)
    point = mine.points[0]
    again = alternative(readings={point.point.id: point.reading.id})
    settled, played = sort_out(mine, [again])
    assert [f.verdict for f in settled] == ["same rules"]
    assert not played
    assert same_rules(mine, again.compiled)
    assert not same_rules(mine, alternative({"stakes.ante": 2}).compiled)


def test_the_fund_is_a_column_among_which_errors_are_divided_only_where_a_rule_set_draws_on_it():
    def columns_of(*compiled):
        return design_of(compiled, deals=40, seed=1, bots=("steady",), precision=1e-4).columns

    dry = {"fund": "left_out", "vole_draws": "adversaries_only"}
    without, fund = (compile_reference("hoyle-improved", readings=r) for r in (dry, {}))
    assert columns_of(without, without) == len(columns(4)) - 1 == 12
    assert columns_of(without, fund) == len(columns(4)) == 13


def test_one_deal_that_diverges_is_proof():
    found = answer([alternative({"payments.premiers": 3})], deals=80).findings
    assert [f.verdict for f in found] == ["different"]
    f = found[0]
    assert f.diverged == sum(f.stages.values()) > 0
    assert f.share.low <= f.diverged / f.trials <= f.share.high
    assert f.trials <= f.deals == f.sessions * 40


def test_rules_that_cannot_come_into_play_make_no_difference_in_n_deals():
    """The bid is not played at all in this profile, so that its premium is never paid."""
    f = answer([alternative({"payments.premium.mediateur": 3})], deals=120).findings[0]
    assert (f.verdict, f.diverged, f.deals, f.trials) == ("no difference", 0, 120, 120)
    assert not f.certain
    assert f.share.low == 0
    assert f.share.high == pytest.approx(3.2 / 120, rel=0.05)
    assert [(c.until, c.deals) for c in f.costs] == [
        ("precision", 31_843),
        ("tenth_of_precision", 318_438),
    ]


def test_who_puts_the_stakes_is_a_difference_though_no_card_falls_otherwise():
    f = answer([alternative(readings={"ante": "dealer_four"})], deals=80).findings[0]
    assert f.verdict == "different"
    assert f.stages["stakes"] == f.diverged == f.trials == 80
    gains = {g.column: g.total.mean for g in f.gains}
    assert gains["seat 3"] == -3 * 40
    assert gains["seat 0"] == gains["seat 1"] == gains["seat 2"] == 40
    assert gains["hombre"] == gains["antes"] == 0  # all players together put the same
    assert f.weight == 6
    assert f.paid == 80


def test_many_alternatives_share_what_may_fail():
    found = answer([alternative({"payments.premium.mediateur": n}) for n in (3, 5)], deals=40)
    assert found.design.alpha == 0.025
    assert [f.deals for f in found.findings] == [40, 40]
    alone = answer([alternative({"payments.premium.mediateur": 3})], deals=40).findings[0]
    assert found.findings[0].share.high > alone.share.high


def test_the_sums_of_a_session_are_those_of_its_deals():
    """Told once more from the definition: each deal begun alike by itself."""
    rules = [compile_reference(r).ruleset for r in ("quanti-1822", "quanti-1822@wikipedia")]
    player = MatchedPlayer(rules, ("steady",) * 4, 3)
    (seen,) = player.runs(5, 1, 40, [1], 20)
    matched = seen.pairs[0]
    assert matched.trials <= 40
    assert matched.diverged == sum(int(matched.shares[s].total) for s in STAGES)
    tables = [
        list(play_session(r, [make_bot("steady")] * 4, seed=3, session=5, deals=40)) for r in rules
    ]
    alone = [
        (a, b) for n, (a, b) in enumerate(zip(*tables, strict=True)) if not n or is_matched(a, b)
    ]
    moved = [
        sum(abs((y - b.antes[chair]) - (x - a.antes[chair])) for chair, (x, y) in enumerate(nets))
        for a, b in alone
        for nets in [list(zip(a.net_of_chair, b.net_of_chair, strict=True))]
    ]
    assert len(alone) == matched.trials
    assert matched.weight.total == sum(moved)
    assert matched.paid == sum(m != 0 for m in moved) > 0
    sums = [movements(table, 4) for table in tables]
    for column, mine, theirs in zip(columns(4), *sums, strict=True):
        assert matched.effects.changes[TOTAL][column].total == theirs - mine
        assert matched.effects.reach[column] == max(abs(mine), abs(theirs), abs(theirs - mine))
    assert {sampling_key(5, d.deal) for d in seen.sampled[0]} == {d.key for d in seen.sampled[0]}


def test_the_sampled_deals_diverge_when_they_are_replayed():
    found = answer([alternative({"payments.premiers": 3})], deals=120)
    f = found.findings[0]
    rules = (found.base.ruleset, f.compiled.ruleset)
    told = where(Again(rules[0], found.design.bots, found.design.seed), rules[1], f.sampled, keep=5)
    assert told.deals == len(f.sampled)
    assert [(t.example_deal.session, t.example_deal.deal) for t in told.first] == [
        (d.session, d.deal) for d in f.sampled[:5]
    ]
    assert {w for w, _ in told.counts} <= {"who pays whom", "how much is paid"}
    one, other = told.example.example_deal.records
    assert one["events"] == other["events"]
    assert one["net"] != other["net"]


# --- the kernel's twin --------------------------------------------------------------------------

PAIRS = {
    "a reading of the payments": (
        "quanti-1822",
        {},
        {},
        {"remise_pays": "matadors_only"},
        {"auction", "settlement"},
    ),
    "who puts the stakes": ("quanti-1822", {}, {}, {"ante": "dealer_four"}, {"stakes"}),
    "what the stakes are": ("quanti-1822", {}, {"stakes.ante": 2}, {}, {"stakes"}),
    "beasts that wait": ("quanti-1822", {}, {}, {"beasts_wait": "wait"}, {"carrying"}),
    "sessions that end": (
        "quanti-1822",
        {"table.purse": 12, "table.coins": []},
        {},
        {"purse_empty": "session_ends"},
        {"carrying"},
    ),
    "another favourite suit": (
        "quanti-1822+favourite:suit=hearts,doubles=game",
        {},
        {"favourite.suit": "diamonds"},
        {},
        {"auction"},
    ),
    "the first trumps stay": (
        "quanti-1822+favourite:suit=hearts,doubles=game",
        {"favourite.source": "first_trumps", "favourite.suit": None},
        {"payments.premiers": 3},
        {},
        {"settlement"},
    ),
    "five hands": ("quintille", {}, {"payments.premiers": 5}, {}, {"settlement"}),
}


ALWAYS = {"a reading of the payments", "what the stakes are", "five hands"}


@pytest.mark.parametrize(
    "case", [pytest.param(c, marks=[pytest.mark.slow] * (c not in ALWAYS)) for c in PAIRS]
)
def test_both_engines_tell_the_same(case):
    """Shares, effects of every estimand, reaches, and the deals drawn."""
    pytest.importorskip("numba")
    from quadrille_plugins.studies import fast

    profile, common, settings, readings, stages = PAIRS[case]
    made = [(common, {}), ({**common, **settings}, readings)]
    rules = [compile_reference(profile, settings=s, readings=r).ruleset for s, r in made]
    bots, deals = ("steady",) * rules[0].rules.table.players, rules[0].rules.table.session_deals
    told = []
    for tables in (None, fast.tabulate(rules, bots)):
        seen = list(
            MatchedPlayer(rules, bots, 9, tables=tables, decompose=True).runs(3, 4, deals, [1], 100)
        )
        whole = seen[0]
        for more in seen[1:]:
            whole.merge(more)
        assert whole.sessions == 4
        told.append((whole.pairs[0], sorted(whole.sampled[0]), whole.tables))
    assert told[0][0] == told[1][0]
    assert [(d, d.states) for d in told[0][1]] == [(d, d.states) for d in told[1][1]]
    for payee in ("seat 0", "hombre", "adversary"):
        assert [t.keys["paid", payee] for t in told[0][2]] == [
            t.keys["paid", payee] for t in told[1][2]
        ]
    assert stages <= {s for s in STAGES if told[0][0].shares[s].total}


# --- interrupted, and left to the readable engine -------------------------------------------------


def test_interrupted_it_tells_what_is_known_by_then_and_the_bounds_are_of_that():
    never = alternative({"payments.premium.mediateur": 3})
    mine = compile_reference(BASE)
    design = design_of([mine, never.compiled], deals=400, seed=1, bots=("random",), precision=1e-4)
    plays = MatchedPlayer([mine.ruleset, never.compiled.ruleset], design.bots, 1)

    def stop(done, most, seconds):
        assert most == 400
        if done >= 80:
            raise KeyboardInterrupt

    stopped = []
    found = matters(
        mine,
        [never],
        design,
        plays,
        engine="readable",
        progress=stop,
        stopped=lambda: stopped.append(True),
    )
    assert found.interrupted
    assert stopped == [True], "whoever works ahead is told before it is summed up"
    f = found.findings[0]
    assert (f.verdict, f.deals, f.certain) == ("no difference", 80, False)
    assert f.share == answer([never], deals=80).findings[0].share


def test_interrupted_before_anything_is_known_it_tells_nothing():
    class Stops:
        def at_tables(self, *_):
            raise KeyboardInterrupt

    never = alternative({"payments.premium.mediateur": 3})
    mine = compile_reference(BASE)
    design = design_of([mine, never.compiled], deals=400, seed=1, bots=("random",), precision=1e-4)
    with pytest.raises(KeyboardInterrupt):
        matters(mine, [never], design, Stops(), engine="readable")


@pytest.mark.slow
def test_each_alternative_stops_by_itself_and_the_sums_are_of_its_own_deals():
    """The frequent difference is certain long before the other; alone it gives the same answer."""
    frequent, never = (
        alternative(readings={"ante": "dealer_four"}),
        alternative({"payments.premium.mediateur": 3}),
    )
    design = {"deals": 2000, "within": Fraction(10**4), "precision": 0.003}
    both = answer([frequent, never], **design).findings
    assert both[0].deals < both[1].deals
    alone = answer([never, frequent], **design).findings
    assert alone[1] == both[0]
    assert alone[0] == both[1]


@pytest.mark.slow
def test_a_gain_is_of_whole_sessions_and_never_of_matched_starts_alone():
    """Beasts that double: what a matched start puts into a pool some later deal draws; the seats
    together lose none.

    Of matched starts alone all four seats would lose by it.
    """
    f = answer(
        [alternative(readings={"beast_series": "doubling"})], deals=400, bots=("steady",)
    ).findings[0]
    assert f.trials < f.deals
    gains = {g.column: g.total.mean for g in f.gains}
    seats = sum(gains[f"seat {s}"] for s in range(4))
    assert seats == -gains["pool"]
    assert max(gains[f"seat {s}"] for s in range(4)) > 0


def held(sessions=40, reach=8, **moved):
    """So many sessions of forty deals, each with one that diverges; in so many each payee got a
    counter more."""
    pair = AlternativeRun(Alternative(point="", reading="", compiled=None))
    for session in range(sessions):
        one = MatchedSums()
        for name in (*STAGES, DIVERGED, PAID):
            one.shares[name].add(name in ("settlement", DIVERGED, PAID), 40)
        one.weight.add(2, 1)
        differing = [Fraction(session < moved.get(c.replace(" ", "_"), 0)) for c in columns(4)]
        second = [Fraction(reach) for _ in columns(4)]
        first = [far - d for far, d in zip(second, differing, strict=True)]
        one.effects.merge(Effects.of(4, [40], [first], [second]))
        pair.matched.merge(one)
    pair.look()
    return pair


def test_it_is_certain_once_every_effect_has_a_verdict_or_is_known_closely():
    mine = compile_reference(BASE)
    design = design_of(
        [mine, mine], deals=1600, seed=1, bots=("steady",), precision=1e-4, smallest=Fraction(10)
    )
    assert design.within == 5
    assert is_certain(held(seat_0=40, pool=3), design)  # one counter is known to be less than ten
    wide = held(reach=400, seat_0=40)
    assert not is_certain(
        wide, design
    )  # nothing is known of what sessions move that did not differ yet
    assert is_certain(wide, replace(design, within=Fraction(200)))
    one = wide.payments[TOTAL]["seat 0"]
    assert mean_of(one, "seat 0", design).answer == "undecided"
    assert mean_of(one, "seat 0", design).needed[0] > 1600
    assert mean_of(one, "seat 0", replace(design, smallest=Fraction(200))).answer == "smaller"
    large = held(sessions=4000, reach=1, seat_0=4000).payments[TOTAL]["seat 0"]
    assert mean_of(large, "seat 0", replace(design, smallest=Fraction(1, 2))).answer == "larger"


def test_roles_and_accounts_are_held_against_as_many_times_what_a_seat_is():
    """They are sums over four players; and one stops looking at them at as many times the width."""
    mine = compile_reference(BASE)
    design = design_of(
        [mine, mine], deals=1600, seed=1, bots=("steady",), precision=1e-4, smallest=Fraction(10)
    )
    one = held(reach=400, seat_0=40).payments[TOTAL]["seat 0"]
    half = one.bounds(design.payment_alpha).half
    design = replace(design, smallest=Fraction(half / 2), within=Fraction(half / 2))
    assert [mean_of(one, c, design).answer for c in ("seat 0", "hombre", "pool")] == [
        "undecided",
        *["smaller"] * 2,
    ]
    assert mean_of(one, "hombre", design).interest == pytest.approx(2 * half)
    assert design.within_in("adversaries") == pytest.approx(2 * half)
    narrow = replace(design, smallest=Fraction(1, 1000), within=Fraction(half * 0.9), seats=True)
    assert not is_certain(held(reach=400, seat_0=40), narrow)  # a seat's half is wider than that
    assert is_certain(held(reach=400, seat_0=40), replace(narrow, within=Fraction(half * 1.1)))


@pytest.mark.slow
def test_seats_are_waited_for_where_they_are_shown_to_gain_or_lose():
    """Of the others it waits for roles and accounts alone, if it is not asked to wait for all."""
    mine = [compile_reference(BASE)] * 2

    def laid(**more):
        return design_of(
            mine,
            deals=1600,
            seed=1,
            bots=("steady",),
            precision=1e-4,
            smallest=Fraction(60),
            **more,
        )

    pair = held(reach=400, seat_0=40)  # too wide for a seat, narrow enough for a sum over four
    assert is_certain(pair, laid())
    assert not is_certain(pair, laid(seats=True))
    shown = held(sessions=4000, reach=1, seat_0=4000).payments[TOTAL]["seat 0"]
    fine = replace(laid(), smallest=Fraction(1), within=Fraction(1, 1000))
    bounds = shown.bounds(fine.payment_alpha)
    assert 0 < bounds.low < 1 < bounds.high
    assert not is_certain(held(sessions=4000, reach=1, seat_0=4000), fine)
    assert is_certain(held(sessions=4000, reach=1), fine)


def test_what_may_fail_is_divided_among_the_estimands_that_are_printed_too():
    mine = compile_reference(BASE)
    plain, three = (
        design_of([mine, mine], deals=40, seed=1, bots=("steady",), precision=1e-4, decompose=d)
        for d in (False, True)
    )
    assert three.payment_alpha == pytest.approx(plain.payment_alpha / 5)


def test_while_no_deal_diverges_it_goes_on_to_the_precision_whatever_is_known_of_payments():
    design = design_of(
        [compile_reference(BASE)] * 2, deals=1600, seed=1, bots=("steady",), precision=1e-4
    )
    none = AlternativeRun(Alternative(point="", reading="", compiled=None))
    none.matched.shares[DIVERGED].add(0, 1600)
    assert not is_certain(none, design)
    assert is_certain(none, replace(design, precision=0.01))


def test_what_is_left_in_a_pool_could_be_as_much_as_players_win():
    """It mostly is nothing, so that what was seen there says little; and antes are of deals played
    or redealt.

    Seats are alike but for the lead: what one of them won in a session another could.
    """
    seen = dict.fromkeys(columns(4), Fraction(0))
    seen |= {
        "seat 0": Fraction(300),
        "seat 1": Fraction(200),
        "pool": Fraction(4),
        "antes": Fraction(160),
    }
    far = reaches(seen)
    assert (far["seat 0"], far["seat 1"], far["pool"], far["score"]) == (300, 300, 300, 300)
    assert far["antes"] == far["redealt"] == 160


def test_deals_that_only_one_table_plays_are_not_counted():
    """Who cannot pay ends one session early, and deals after that are played under one rule set
    alone."""
    poor = {"table.purse": 12, "table.coins": []}
    mine, theirs = (
        compile_reference(BASE, settings=poor, readings={"purse_empty": r})
        for r in ("debt", "session_ends")
    )
    design = design_of([mine, theirs], deals=400, seed=1, bots=("random",), precision=1e-4)
    plays = MatchedPlayer([mine.ruleset, theirs.ruleset], design.bots, 1)
    f = matters(
        mine, [Alternative(point="", reading="", compiled=theirs)], design, plays, engine="readable"
    ).findings[0]
    assert f.trials <= f.deals < f.sessions * 40


@pytest.mark.parametrize("deals", [4_000, 100_000])
def test_the_same_deals_ask_the_same_of_either_engine(monkeypatch, deals):
    """100 000 deals, less than the fast engine's default, used to stop there where the roles had
    their verdicts."""
    seen = []

    def refused(*asked, **_):
        seen.append(asked[2].seats)
        raise UsageError.of("own-words", words="seen")

    monkeypatch.setattr(command, "matters", refused)
    for engine in ("readable", "fast"):
        monkeypatch.setattr(command, "engine_for", lambda *_, engine=engine: (engine, None))
        line = [
            "matters",
            "quanti-1822",
            "codille_items",
            "--engine",
            engine,
            "--workers",
            "1",
            "--deals",
            str(deals),
        ]
        assert run(line) == 2
    assert seen == [deals > 4_000] * 2
