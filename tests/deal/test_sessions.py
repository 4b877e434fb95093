"""Sessions under every shipped profile and random readings: they end, conserve, replay, and
repeat."""

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from quadrille_plugins.deal.players import make_bot
from quadrille_plugins.deal.session import play_session
from support.sessions import check_deal, fund_gave

from quadrille_core import resources
from quadrille_core.engine.actions import BidSpec
from quadrille_core.errors import QuadrilleError
from quadrille_core.profile import load_profile
from quadrille_core.ruleset import compile_reference

DOCS = {n: load_profile(p, validate=False) for n, p in resources.shipped_profiles().items()}
PLAYABLE = [n for n, doc in DOCS.items() if not doc.abstract and doc.game != "patience"]
DEALS = 5
SAMPLES = [pytest.param(10, 3, id="few"), pytest.param(25, 8, id="many", marks=pytest.mark.slow)]
"""Examples of each profile, and sessions of each example."""
POINTS = {
    n: {s.point.id: [r.id for r in s.point.readings] for s in compile_reference(n).points}
    for n in PLAYABLE
}


def box_gave(table, played):
    """What the box gave out after a deal: whole purses, to whom the deal left short, and never one
    too many."""
    for purses, held in zip(played.refills, played.holdings, strict=True):
        if purses:
            assert table.purse_empty == "refill"
            assert purses > 0
            assert purses % table.purse == 0
            assert 0 <= held < table.purse
        else:
            assert held >= 0 or table.purse_empty != "refill"
    return sum(played.refills)


@pytest.mark.parametrize(("examples", "sessions"), SAMPLES)
@pytest.mark.parametrize("name", PLAYABLE)
def test_sessions_under_any_readings_conserve_counters_end_and_replay(name, examples, sessions):
    @settings(max_examples=examples, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(data=st.data())
    def play(data):
        sessions_under_some_readings(name, data, sessions)

    play()


def sessions_under_some_readings(name, data, sessions):
    chosen = data.draw(
        st.fixed_dictionaries({}, optional={p: st.sampled_from(r) for p, r in POINTS[name].items()})
    )
    seed = data.draw(st.integers(0, 2**64 - 1))
    try:
        ruleset = compile_reference(name, readings=chosen).ruleset
    except QuadrilleError:
        assume(
            False
        )  # readings that contradict each other are refused; too many of them fail the test
    table = ruleset.rules.table
    for session in range(sessions):
        bots = [make_bot("random")] * table.players
        given = table.players * table.purse
        for played in play_session(ruleset, bots, seed=seed, session=session, deals=DEALS):
            given += box_gave(table, played) + fund_gave(played)
            assert sum(played.holdings) + played.pool_after == given
            check_deal(ruleset, played)


@pytest.mark.parametrize("name", PLAYABLE)
def test_sessions_by_steady_conserve_counters_end_and_replay(name):
    ruleset = compile_reference(name).ruleset
    table = ruleset.rules.table
    given = table.players * table.purse
    for played in play_session(
        ruleset, [make_bot("steady")] * table.players, seed=11, session=0, deals=40
    ):
        given += box_gave(table, played) + fund_gave(played)
        assert sum(played.holdings) + played.pool_after == given
        check_deal(ruleset, played)


class Wants:
    """Bids one thing whenever it may, passes otherwise, and plays at random."""

    name = "wants"

    def __init__(self, spec):
        self.spec = spec

    def choose(self, view, legal, stream):
        if view.phase == "auction":
            return next((a for a in legal if a.bid == self.spec), legal[0])
        return legal[stream.below(len(legal))]


def grades(rules):
    """Every bid of the ladder as it may be spoken: plain and in favourite, with each kind of
    vole."""
    voles = {"none": ["none"], "announced": ["none", "announced"]}
    for name, bid in rules.bids.items():
        if bid.made == "never":
            continue
        for vole in voles.get(bid.vole_with_bid, ["none", "announced", "revealed"]):
            favourites = (
                [False, True] if bid.in_favourite == "bid" and bid.trump == "suit" else [False]
            )
            for favourite in favourites if rules.favourite.source != "none" else [False]:
                yield BidSpec(name, favourite, vole)


MANY = pytest.param(range(8, 12), id="four", marks=pytest.mark.slow)
GRADES = [(n, g) for n in PLAYABLE for g in grades(compile_reference(n).ruleset.rules)]


@pytest.mark.parametrize("sessions", [pytest.param(range(8), id="first"), MANY])
@pytest.mark.parametrize(("name", "spec"), GRADES, ids=[f"{n}-{g}" for n, g in GRADES])
def test_every_grade_of_every_profile_is_played_and_settled(name, spec, sessions):
    """Forced bids come about when all pass; the others are bid by whoever may: in one session, or
    in four others."""
    ruleset = compile_reference(name).ruleset
    outcomes = set()
    for session in sessions:
        if outcomes and sessions[0] == 0:
            break
        for played in play_session(
            ruleset, [Wants(spec)] * ruleset.rules.table.players, seed=3, session=session, deals=20
        ):
            if played.deal.contract is not None and played.deal.contract.bid == spec.bid:
                assert played.deal.contract.favourite == spec.favourite
                announced = "announced" if played.deal.bid.is_vole else spec.vole
                assert played.deal.vole in (announced, "undertaken")
                outcomes.add(played.settlement.outcome)
                check_deal(ruleset, played)
    assert outcomes
