"""Total, direct and carried: what their sums are sums of, by either engine, and that every column
is accounted for."""

import json
import operator
from fractions import Fraction

import pytest

pytest.importorskip("numba")

from kernel_equality import profiles
from quadrille_plugins.compare.report import comparison_json
from quadrille_plugins.compare.study import compare
from quadrille_plugins.deal.players import make_bot
from quadrille_plugins.deal.session import play_session
from quadrille_plugins.studies import accounts, fast, sessions
from quadrille_plugins.studies.design import Design
from quadrille_plugins.studies.effects import (
    CARRIED,
    CARRIED_REVERSE,
    DIRECT,
    DIRECT_REVERSE,
    ESTIMANDS,
    TOTAL,
    Effects,
)
from support.sessions import movements

from quadrille_core.ruleset import compile_reference

SEED = 11
PAIRS = {
    "payments": {"payments.premium.solo": 9},
    "antes": {"stakes.ante": 2, "stakes.ante_by": "dealer"},
    "beasts": {"loss.beast_size": "doubling"},
    "beasts put apart": {"loss.beasts": "wait", "loss.beast_size": "doubling"},
    "multiplier": {"multiplier.after_losses": "counted"},
    "first trumps": {"favourite.source": "first_trumps", "favourite.doubles": "game"},
}
"""Changes to the rules of Quanti, each of something that a session carries."""


def session(ruleset, deals=12, number=0, bot="steady"):
    players = ruleset.rules.table.players
    return list(
        play_session(ruleset, [make_bot(bot)] * players, seed=SEED, session=number, deals=deals)
    )


def pair_of(case, *, turned=False):
    pair = [
        compile_reference("quanti-1822").ruleset,
        compile_reference("quanti-1822", settings=PAIRS[case]).ruleset,
    ]
    return pair[::-1] if turned else pair


def decomposed(engines, lengths, room=None):
    found = Effects()
    for first, some, _ in sessions.parts(0, lengths, room):
        block = sessions.side_by_side(engines, SEED, first, some, room, 0, decompose=True)[0]
        assert not block.left
        found.merge(block.effects[0])
    return found


def by_kernel(rulesets, lengths):
    engines, _ = fast.tabulate(rulesets, ["steady"])
    return decomposed(engines, lengths, fast.Workspace(2, max(lengths)))


def replayed(first, second, deals):
    """A session's deals under one rule set, and replayed under another."""
    names = ["steady"] * first.rules.table.players
    engines = sessions.readable([first, second], names)
    played = sessions.play(engines, SEED, 0, [deals], None)
    return played.held[0], sessions.replay(engines, played, SEED, None, (0, 1))


@pytest.mark.parametrize("ruleset", [pytest.param(r, id=n) for n, r in profiles()])
def test_both_partitions_sum_to_zero_and_the_kernel_counts_them_the_same(ruleset):
    """What no seat and no role got went to the pool or to the score: nothing appears or
    vanishes."""
    players = ruleset.rules.table.players
    names = accounts.columns(players)
    played = {bot: session(ruleset, 8, bot=bot) for bot in ("steady", "random")}
    for deals in played.values():
        for one in deals:
            moved = dict(zip(names, movements([one], players), strict=True))
            for columns in accounts.partitions(players).values():
                assert sum(moved[n] for n in columns) == 0, moved
    engines, scale = fast.tabulate([ruleset], ["steady"])
    found = sessions.play(engines, SEED, 0, [8], fast.Workspace(1, 8)).sums(0)[0]
    told = [Fraction(found.moved[p], scale) for p in accounts.places(players)]
    assert tuple(told) == movements(played["steady"], players)


@pytest.mark.parametrize("ruleset", [pytest.param(r, id=n) for n, r in profiles()])
def test_a_deal_replayed_under_its_own_rules_is_the_same_deal(ruleset):
    """A replay stands as the session stood: the same pool, times, beasts and favourite, so the same
    payments."""
    played, again = replayed(ruleset, ruleset, 10)
    assert again.lost == [[0, 0, 0, 0]]
    assert (again.records, again.tapes, again.sums) == (played.records, played.tapes, played.sums)


@pytest.mark.parametrize("turned", [False, True], ids=["forward", "turned"])
@pytest.mark.parametrize("case", PAIRS)
def test_the_kernel_sums_up_each_estimand_as_the_readable_engine_does(case, turned):
    rulesets, lengths = pair_of(case, turned=turned), [12, 12, 8]
    slow = decomposed(sessions.readable(rulesets, ["steady"] * 4), lengths)
    assert by_kernel(rulesets, lengths) == slow
    assert slow.sessions == 3
    assert slow.replayed[DIRECT] == slow.deals == 32
    assert any(c.total for c in slow.changes[TOTAL].values())
    for changes in slow.changes.values():
        for columns in accounts.partitions(4).values():
            assert sum(changes[n].total for n in columns) == 0
    for name, change in slow.changes[TOTAL].items():
        assert change.total == slow.changes[DIRECT][name].total + slow.changes[CARRIED][name].total
        assert (
            change.total
            == slow.changes[DIRECT_REVERSE][name].total + slow.changes[CARRIED_REVERSE][name].total
        )


def test_sums_are_of_whole_sessions_and_their_powers():
    """Each session's difference, its powers and its product with the session's deals, from sessions
    one by one."""
    rulesets = pair_of("payments")
    by_hand = []
    for number, deals in enumerate((12, 8)):
        a, b = (movements(session(r, deals, number), 4) for r in rulesets)
        by_hand.append(
            (dict(zip(accounts.columns(4), map(operator.sub, b, a), strict=True)), deals)
        )
    found = by_kernel(rulesets, [12, 8])
    for name, change in found.changes[TOTAL].items():
        d = [moved[name] for moved, _ in by_hand]
        assert (change.total, change.squares, change.cubes, change.fourths) == tuple(
            sum(x**power for x in d) for power in (1, 2, 3, 4)
        )
        assert change.by_deals == sum(moved[name] * deals for moved, deals in by_hand)
        assert change.differing == sum(x != 0 for x in d)
    assert (found.deals, found.deals_squares) == (20, 208)


def test_states_that_the_other_rules_cannot_hold_are_counted():
    """A deal that counts twice counts once under rules that know no multiplier, and is reported."""
    found = by_kernel(pair_of("multiplier"), [40])
    assert found.lost[DIRECT, "any"] == 0
    assert found.lost[DIRECT_REVERSE, "multiplier"] == found.lost[DIRECT_REVERSE, "any"] > 0
    apart = by_kernel(pair_of("beasts put apart"), [40])
    assert apart.lost[DIRECT_REVERSE, "waiting"] > 0
    assert apart.lost[DIRECT_REVERSE, "beasts"] >= apart.lost[DIRECT_REVERSE, "waiting"]


def test_a_replayed_pool_keeps_what_was_carried_and_takes_the_antes_of_its_own_rules():
    """Rules with dearer antes are replayed with the carried stake as it was and their own antes on
    top of it."""
    first, second = pair_of("antes")
    (played,), (again,) = (held.records for held in replayed(first, second, 12))
    assert any(one.pool > 4 for one in played)
    for one, other in zip(played, again, strict=True):
        assert one.pool - 4 == other.pool - 2


def test_a_decomposed_comparison_says_the_same_by_either_engine():
    """Direct, carried and the standings not held come out to the byte as the readable engine has
    them."""
    compiled = [
        compile_reference("quanti-1822"),
        compile_reference("quanti-1822", settings=PAIRS["multiplier"]),
    ]
    design = Design(seed=SEED, lengths=(12, 12), bots=("steady",) * 4, decompose=True)
    told = []
    for engine in ("readable", "fast"):
        data = comparison_json(compare(compiled, design, engine=engine))
        del data["design"]["engine"]
        told.append(json.dumps(data))
    assert told[0] == told[1]
    effects = json.loads(told[0])["paired"][0]["effects"]
    assert list(effects)[4:] == [*ESTIMANDS, "replayed"]
    assert effects["replayed"][DIRECT_REVERSE]["standings_not_held"]["multiplier"] > 0


def told_of(engine, *rulesets, deals=8):
    """The JSON of a comparison of these rule sets, and the columns that its effects and means
    have."""
    design = Design(seed=SEED, lengths=(deals,), bots=("steady",) * 4, decompose=True)
    data = comparison_json(compare(list(rulesets), design, engine=engine))
    del data["design"]["engine"]
    (pair,) = data["paired"]
    found = [pair["effects"][e][p] for e in ESTIMANDS for p in ("seats", "roles")]
    return (
        data,
        [*found, pair["difference"]["by_account"]],
        [s["by_account"] for s in data["per_rule_set"]],
    )


def test_the_fund_is_a_column_where_something_is_drawn_from_it_and_sums_to_zero_with_the_rest():
    """A game that is paid out of a fund beside the pool moves neither the score nor anything out of
    nowhere."""
    fund, without = (
        compile_reference("hoyle-improved", readings={"fund": r}) for r in ("endless", "left_out")
    )
    data, effects, means = told_of("readable", fund, without)
    assert all("fund" in found for found in effects)
    assert means[0]["fund"]["mean"] < 0 == means[0]["score"]["mean"]
    assert "fund" not in means[1]
    for found in effects[:-1]:
        assert round(sum(e["mean"] for e in found.values()), 3) == 0
    assert told_of("fast", fund, without)[0] == data


def test_answers_on_rules_without_a_fund_have_no_such_column():
    rulesets = [
        compile_reference("quanti-1822"),
        compile_reference("quanti-1822", settings=PAIRS["payments"]),
    ]
    _, effects, means = told_of("readable", *rulesets)
    assert not any("fund" in found for found in (*effects, *means))
