"""Matched starts by replay: which deals they are, what is counted of them, and that either engine
counts the same."""

import json
from dataclasses import replace

import pytest

pytest.importorskip("numba")

from quadrille_plugins.compare.blocks import Compared, Comparing
from quadrille_plugins.compare.effects_report import diverging_text, matched_text
from quadrille_plugins.compare.report import comparison_csv, comparison_json
from quadrille_plugins.compare.study import compare
from quadrille_plugins.studies.accumulators import DIVERGING, LEFT_OUT, PAYMENTS_DIFFER
from quadrille_plugins.studies.design import Design
from quadrille_plugins.studies.direct import EVERY
from quadrille_plugins.studies.effects import DIRECT
from quadrille_plugins.studies.runner.tasks import Sessions

from quadrille_core.ruleset import compile_reference

SEED, LENGTH = 5, 10
STATES = {
    "multiplier.after_losses": "counted",
    "loss.beasts": "wait",
    "loss.beast_size": "doubling",
}
"""Rules whose sessions leave times, beasts and beasts put apart."""
PAIRS = {
    "profiles": ("quanti-1822", "mediateur-1752", {}),
    "profiles turned": ("mediateur-1752", "quanti-1822", {}),
    "states": ("quanti-1822", "quanti-1822", STATES),
    "first trumps": (
        "quanti-1822",
        "quanti-1822",
        {"favourite.source": "first_trumps", "favourite.doubles": "game"},
    ),
    "payments": ("quanti-1822", "quanti-1822", {"payments.premium.solo": 9}),
    "antes": ("quanti-1822", "quanti-1822", {"stakes.ante": 2, "stakes.ante_by": "dealer"}),
    "five": ("quintille", "quintille-new", {}),
}


def pair_of(case, *, turned=False):
    first, second, settings = PAIRS[case]
    pair = [compile_reference(first), compile_reference(second, settings=settings)]
    return pair[::-1] if turned else pair


def played(pair, engine, *tasks, decompose=False, bot="steady"):
    """The sums of matched starts of these blocks."""
    bots = (bot,) * pair[0].ruleset.rules.table.players
    work = Comparing(tuple(c.ruleset for c in pair), bots, SEED, engine, decompose, 0)
    found = Compared.empty(len(pair))
    for task in tasks:
        block = work.ready()(task)
        assert work.fits(task, block)
        found.merge(block, 0)
    return found.accumulated


def starts(*given, **named):
    return played(*given, **named).pairs[0].starts


@pytest.mark.parametrize("turned", [False, True], ids=["forward", "turned"])
@pytest.mark.parametrize("case", PAIRS)
def test_both_engines_count_the_same_whether_or_not_all_is_replayed(case, turned):
    """Every moment of every share, with replays of the sampled sessions alone and with those of
    all."""
    pair, task = pair_of(case, turned=turned), Sessions(3, (LENGTH,) * 6)
    slow = starts(pair, "readable", task)
    assert [m.sessions for m in slow.values()] == [2] * len(slow)
    assert slow[LEFT_OUT].count == 2 * LENGTH
    assert slow[LEFT_OUT].total + slow[DIVERGING].count == 2 * LENGTH
    assert starts(pair, "readable", task, decompose=True) == slow
    assert starts(pair, "fast", task) == slow
    assert starts(pair, "fast", task, decompose=True) == slow


@pytest.mark.parametrize("engine", ["readable", "fast"])
def test_sessions_are_sampled_by_their_number_however_they_are_laid_in_blocks(engine):
    """One block, blocks of an uneven size, and the last session short: the same sums."""
    pair, lengths = pair_of("profiles"), (6,) * 8 + (2,)
    whole = starts(pair, engine, Sessions(0, lengths))
    assert whole[LEFT_OUT].count == 14
    cut = [Sessions(first, lengths[first : first + 5]) for first in (0, 5)]
    assert starts(pair, engine, *cut) == whole
    assert starts(pair, engine, *(Sessions(n, lengths[n : n + 1]) for n in range(9))) == whole


def test_where_every_deal_begins_anew_matched_starts_are_the_deals_of_both_sessions():
    """Random bots leave no pool, so that a replay is the second session's own deal, and its counts
    are known."""
    pair = pair_of("payments")
    found = played(pair, "fast", Sessions(0, (40,)), bot="random").pairs[0]
    assert found.starts[PAYMENTS_DIFFER].total == found.shares[PAYMENTS_DIFFER].total > 0
    for stage in ("auction", "play", "settlement", DIVERGING):
        assert found.starts[stage].total == found.shares[stage].total
    assert found.starts["stakes"].total == 0


def test_what_earlier_deals_left_makes_no_difference_of_a_matched_start():
    """A reading of what a codille leaves differs in few deals, and after them in those that begin
    with its pool."""
    pair = [
        compile_reference("quanti-1822", readings=r) for r in ({}, {"codille_indivisible": "exact"})
    ]
    found = played(pair, "fast", Sessions(0, (40,) * 200)).pairs[0]
    assert 0 < found.starts[PAYMENTS_DIFFER].mean < found.shares[PAYMENTS_DIFFER].mean
    assert found.starts[DIVERGING].total == found.starts["settlement"].total


def test_where_antes_differ_every_matched_start_diverges_at_the_stakes():
    found = starts(pair_of("antes"), "fast", Sessions(0, (LENGTH,)))
    assert found["stakes"].total == found[DIVERGING].total == found[PAYMENTS_DIFFER].total == LENGTH


@pytest.mark.parametrize("engine", ["readable", "fast"])
def test_deals_whose_state_the_second_rule_set_cannot_hold_are_left_out_and_counted(engine):
    """As many as the replay says cannot be held; turned, every state can be held."""
    pair, task = pair_of("states", turned=True), Sessions(0, (40,))
    found = starts(pair, engine, task)
    one = played(pair, "readable", task, decompose=True).effects[0]
    assert found[LEFT_OUT].total == one.lost[DIRECT, "any"] > 0
    assert found[PAYMENTS_DIFFER].count == 40 - found[LEFT_OUT].total
    assert starts(pair[::-1], engine, task)[LEFT_OUT].total == 0


def test_a_block_without_its_sampled_sessions_is_not_believed():
    pair, task = pair_of("payments"), Sessions(3, (LENGTH,) * 6)
    work = Comparing(tuple(c.ruleset for c in pair), ("steady",) * 4, SEED, "fast", False, 0)
    block = work.ready()(task)
    assert work.fits(task, block)
    block.accumulated.pairs[0].starts[DIVERGING].sessions += 1
    assert not work.fits(task, block)


def test_a_comparison_tells_matched_starts_in_every_form():
    """JSON, CSV and the text say the same numbers; from six sampled sessions on there is an
    interval."""
    pair = pair_of("payments")
    design = Design(seed=SEED, lengths=(40,) * (5 * EVERY + 1), bots=("steady",) * 4)
    found = compare(pair, design, engine="fast")
    told = comparison_json(found)["paired"][0]["matched_starts"]
    assert (told["deals"], told["sessions"], told["every"], told["left_out"]) == (240, 6, EVERY, 0)
    assert set(told["stages"]) == {"stakes", "auction", "play", "settlement"}
    paid = told["payments_differ"]
    assert paid["share"]["low"] < paid["count"] / 240 < paid["share"]["high"]
    rows = {row[3]: row for row in comparison_csv(found)[1] if row[0] == "matched starts"}
    assert rows["payments differ"][4:8] == (
        *(paid["share"][k] for k in ("mean", "low", "high")),
        paid["count"],
    )
    assert rows["left out, of those replayed"][7] == 0
    assert f"{100 * paid['share']['mean']:.1f} % (" in matched_text(found.pairs[0])
    assert f"{told['diverging']['count']} of 240 diverge" in diverging_text(found, found.pairs[0])
    few = compare(pair, replace(design, lengths=design.lengths[:-1]), engine="fast")
    share = comparison_json(few)["paired"][0]["matched_starts"]["payments_differ"]["share"]
    assert (share["low"], share["sessions"]) == (None, 5)
    assert "too few for an interval" in matched_text(few.pairs[0])


def test_an_interrupted_comparison_tells_the_matched_starts_of_what_was_finished():
    def stop(done, total, seconds):
        if done == 6 * 40:
            raise KeyboardInterrupt

    pair, design = pair_of("payments"), Design(seed=SEED, lengths=(40,) * 12, bots=("steady",) * 4)
    found, whole = (
        compare(pair, replace(design, lengths=design.lengths[:many]), progress=progress)
        for many, progress in ((12, stop), (6, None))
    )
    assert found.interrupted
    told = [comparison_json(c)["paired"][0]["matched_starts"] for c in (found, whole)]
    assert json.dumps(told[0]) == json.dumps(told[1])
    assert told[0]["sessions"] == 2
