"""What was read of a rule set: the engine runs on the stand-in unchanged, and no rule that decides
goes unnoted."""

import pytest
from quadrille_plugins.deal.session import play_session
from quadrille_plugins.players.random import RandomBot
from quadrille_plugins.settle.consulted import touches, trace, with_leaves
from quadrille_plugins.settle.possible import impossible
from support import made_result, made_rules
from support.decisive import CASES, other_values, refusals, seen_under

from quadrille_core import vocabulary
from quadrille_core.cards import Suit
from quadrille_core.engine.settle import settle
from quadrille_core.errors import ProfileError, RecordError
from quadrille_core.resources import shipped_profiles
from quadrille_core.rules import RuleSet
from quadrille_core.ruleset import compile_reference

LEAVES = vocabulary.leaves()


def playable():
    """Every shipped rule set of a game of tricks."""
    found = []
    for name in shipped_profiles():
        try:
            compiled = compile_reference(name)
        except ProfileError:
            continue  # an abstract profile is not played
        if compiled.kind == "tricks":
            found.append(compiled.ruleset)
    assert len(found) >= 5
    return found


def told(ruleset, seed):
    bots = [RandomBot()] * ruleset.rules.table.players
    for played in play_session(ruleset, bots, seed=seed, session=0, deals=6):
        result = played.deal.result()
        yield [e.text() for e in played.deal.events], result, played.settlement, played.holdings
        if result is not None:
            yield impossible(ruleset.rules, result)


@pytest.mark.parametrize("ruleset", playable(), ids=lambda r: r.identity.profile)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_session_goes_on_the_stand_in_as_on_the_rules(ruleset, seed):
    stand_in, notes = trace(ruleset.rules)
    assert list(told(RuleSet(identity=ruleset.identity, rules=stand_in), seed)) == list(
        told(ruleset, seed)
    )
    paths = set(vocabulary.dump(ruleset.rules))
    assert "stakes.unit" in notes
    assert notes & paths < paths  # some rule or other, at least every title, is left unread


def outcome(case, rules):
    """All that is seen of a case, or why it cannot be dealt under these rules."""
    try:
        return seen_under(case, rules)
    except RecordError as refused:
        return [str(refused)]


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.why)
def test_whatever_leaf_is_decisive_was_noted(case):
    """Every leaf a case is for, and a sample of all others: what changes the outcome alone had been
    read."""
    step = 9 if case.hands else 60  # whole sessions take long
    values = case.values()
    base = vocabulary.build(dict(values))
    stand_in, notes = trace(base)
    plain = outcome(case, base)
    assert outcome(case, stand_in) == plain
    decided = 0
    for number, path in enumerate(sorted(values)):
        pattern = vocabulary.pattern_of(path)
        mine = pattern in case.leaves or path in case.leaves
        if not (mine or number % step == len(case.why) % step):
            continue
        for tried, (_, other) in enumerate(other_values(LEAVES[pattern], values[path])):
            if tried >= (3 if mine else 1) and (decided or not mine):
                break  # of a leaf that the case is for, as many as it takes to decide
            changed = with_leaves(base, {path: vocabulary.to_typed(LEAVES[pattern], other)})
            if refusals({**values, path: other}) and not case.refused:
                continue
            if outcome(case, changed) != plain:
                decided += 1
                assert touches(notes, path), path
    assert decided or not case.leaves


def test_only_what_was_read_is_noted():
    stand_in, notes = trace(made_rules().rules)
    assert notes == set()
    assert stand_in.stakes.ante == 1
    assert stand_in.bids.of("solo").call.queen_when == "never"
    assert stand_in.payments.premium.of("solo") == 2
    assert notes == {"stakes.ante", "bids.solo.call.queen_when", "payments.premium.solo"}


def test_what_the_rules_lack_is_noted_too():
    stand_in, notes = trace(made_rules().rules)
    with pytest.raises(KeyError):
        stand_in.payments.premium.of("boston")
    assert stand_in.payments.vole_stake.revealed.get("nemo", None) is None
    assert notes == {"payments.premium.boston", "payments.vole_stake.revealed.nemo"}


def test_a_table_that_may_be_absent_is_noted_when_it_is_asked_for():
    stand_in, notes = trace(made_rules().rules)
    assert stand_in.payments.in_favourite is not None
    assert notes == {"payments.in_favourite"}
    assert touches(notes, "payments.in_favourite.premiers", comes_and_goes=True)
    assert not touches(notes, "payments.in_favourite.premiers")
    assert not touches(notes, "payments.premiers", comes_and_goes=True)


def test_who_lists_the_bids_has_consulted_their_order():
    rules = made_rules().rules
    stand_in, notes = trace(rules)
    assert stand_in.bids.names() == rules.bids.names()
    assert notes == {"bids", *(f"bids.{b}.rank" for b in rules.bids.names())}


def test_the_rules_own_methods_are_asked_of_the_stand_in():
    rules = made_rules().rules
    stand_in, notes = trace(rules)
    assert [name for name, _ in stand_in.ladder()] == [name for name, _ in rules.ladder()]
    assert stand_in.forced_bid()[0] == rules.forced_bid()[0]
    assert {"auction.all_pass", "bids.solo.made", "bids.solo.rank"} <= notes


def test_what_a_settlement_reads_is_less_than_what_a_deal_reads():
    rules = made_rules().rules
    stand_in, notes = trace(rules)
    assert settle(stand_in, made_result()) == settle(rules, made_result())
    assert "payments.premium.solo" in notes
    assert not notes & {"payments.premium.casco", "forcing.forced_by", "loss.remise_adds"}


@pytest.mark.parametrize(("pool", "is_read"), [(8, False), (9, True)])
def test_the_rule_for_odd_counters_is_read_only_where_some_are_odd(pool, is_read):
    stand_in, notes = trace(made_rules().rules)
    settle(stand_in, made_result(contract="alliance", ally=2, pool=pool))
    assert ("stakes.odd_counters" in notes) == is_read


@pytest.mark.parametrize(("held", "is_read"), [(3, False), (4, True)])
def test_whether_matadors_add_up_is_read_only_where_there_are_four(held, is_read):
    stand_in, notes = trace(made_rules().rules)
    settle(stand_in, made_result(trump=Suit(1), matadors=held))
    assert ("payments.matadors_cumulative" in notes) == is_read
