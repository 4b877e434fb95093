"""What a session carries from deal to deal, at the simulated table and in the ledger of a real
one."""

from dataclasses import replace
from fractions import Fraction

import pytest
from quadrille_plugins.deal.players import make_bot
from quadrille_plugins.deal.record import replay, to_record
from quadrille_plugins.deal.session import play_session
from quadrille_plugins.ledger.journal import Fact
from quadrille_plugins.ledger.service import Ledger, start
from quadrille_plugins.settle.result_file import result_to_plain
from support import made_result, made_rules

from quadrille_core.engine.carry import START, Carry, carried, multiplier_of, remembers, staked
from quadrille_core.engine.result import Result, Settlement
from quadrille_core.engine.settle import settle
from quadrille_core.errors import RecordError, ResultError
from quadrille_core.ruleset import compile_reference

NAMES = ("Anne", "Beatrice", "Charlotte", "Dorothea")
COUNTED = {"multiplier.after_losses": "counted"}


def ended(outcome: str, *, frozen: bool = False, pool: int = 8) -> Settlement:
    return Settlement(outcome, (), (Fraction(0),) * 4, Fraction(4), Fraction(pool), "none", frozen)


@pytest.fixture(scope="module")
def counted():
    return compile_reference("quadrille-laws", settings=COUNTED)


def test_each_loss_in_a_row_makes_the_next_deal_count_once_more_until_one_is_won(counted):
    rules = counted.ruleset.rules
    carry, times = START, []
    for outcome in ("remise", "codille", "remise", "won", "codille", "won"):
        carry = carried(rules, carry, ended(outcome))
        times.append(multiplier_of(rules, carry))
    assert times == [2, 3, 4, 1, 2, 1]


def test_neither_a_redeal_nor_a_frozen_stake_ends_or_lengthens_a_row_of_losses(counted):
    rules = counted.ruleset.rules
    lost = carried(rules, START, ended("remise", pool=8))
    assert carried(rules, lost, None) == Carry(pool=Fraction(12), losses=1)
    assert carried(rules, lost, ended("remise", frozen=True, pool=12)) == Carry(
        pool=Fraction(12), losses=1
    )


def test_a_vole_announced_and_missed_with_the_game_made_leaves_the_stake_frozen():
    rules = compile_reference("mediateur-1752", settings=COUNTED).ruleset.rules
    result = Result(
        players=NAMES,
        pool=Fraction(4),
        contract="solo",
        trump=0,
        hombre=0,
        tricks=(7, 3, 0, 0),
        vole="announced",
        favourite=1,
    )
    settlement = settle(rules, result)
    assert (settlement.outcome, settlement.frozen) == ("remise", True)
    assert carried(rules, Carry(losses=2), settlement).losses == 2


def test_where_losses_are_not_counted_every_deal_counts_once():
    rules = compile_reference("quadrille-laws").ruleset.rules
    carry = carried(rules, START, ended("remise"))
    assert multiplier_of(rules, carry) == 1
    assert staked(rules, carry) == 12


# --- beasts ---------------------------------------------------------------------------------------

BEASTS = {"loss.beast_size": "doubling"}
WAITING = BEASTS | {"loss.beasts": "wait"}


def after(
    carry: Carry, outcome: str, pool: int, *, beast: int = 0, taken: bool = False, **rules: str
) -> Carry:
    """What is carried from a deal that began with ``carry``, ended so and left so much in the
    pool."""
    settlement = replace(ended(outcome, pool=pool), beast=Fraction(beast), pool_taken=taken)
    return carried(made_rules(**rules).rules, carry, settlement)


def waiting(*beasts: int) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, beasts))


def test_the_first_beast_of_all_never_waits():
    assert after(START, "remise", 18, beast=14, **WAITING) == Carry(
        pool=Fraction(18), losses=1, standing=1
    )


def test_a_beast_waits_while_another_lies_in_the_pool_and_the_largest_waits_first():
    first = Carry(pool=Fraction(18), losses=1, standing=1, waiting=waiting(14))
    assert after(first, "remise", 50, beast=28, **WAITING) == Carry(
        pool=Fraction(22), losses=2, standing=1, waiting=waiting(28, 14)
    )
    assert after(first, "remise", 29, beast=7, **WAITING).waiting == waiting(14, 7)


def test_when_the_pool_is_taken_the_largest_beast_that_waits_comes_in_and_no_other():
    three = Carry(pool=Fraction(20), losses=3, standing=1, waiting=waiting(56, 28, 14))
    assert after(three, "won", 0, taken=True, **WAITING) == Carry(
        pool=Fraction(56), standing=1, waiting=waiting(28, 14)
    )
    last = Carry(pool=Fraction(20), losses=3, standing=1)
    assert after(last, "won", 0, taken=True, **WAITING) == Carry()


def test_beasts_that_join_the_pool_are_counted_until_it_is_taken():
    one = after(START, "remise", 18, beast=14, **BEASTS)
    assert one == Carry(pool=Fraction(18), losses=1, standing=1)
    two = after(one, "remise", 50, beast=28, **BEASTS)
    assert two == Carry(pool=Fraction(50), losses=2, standing=2)
    assert after(two, "codille", 112, beast=112, taken=True, **BEASTS) == Carry(
        pool=Fraction(112), losses=3, standing=1
    )
    assert after(two, "won", 0, taken=True, **BEASTS) == Carry()


FIXED = {"loss.beast_size": "by_firsts", "loss.beast_first": 3}


@pytest.mark.parametrize(
    ("drawn", "tricks", "pool", "stand", "left"),
    [
        ({"bids.solo.draws": 2}, (6, 2, 2, 0), 8, 2, 6),
        ({"bids.solo.draws": 8}, (6, 2, 2, 0), 8, 0, 0),
        ({}, (6, 2, 2, 0), 8, 0, 0),
        ({"loss.codille_draws": 1}, (3, 3, 2, 2), 8, 3, 14),
        ({"loss.codille_draws": 3}, (3, 3, 2, 2), 9, 1, 9),
    ],
)
@pytest.mark.parametrize("size", ["by_firsts", "always_first"])
def test_beasts_stand_until_a_draw_takes_all_of_the_pool(drawn, tricks, pool, stand, left, size):
    """A fixed draw that leaves counters in the pool wins no beast; two stood before, and a codille
    adds another."""
    put_in = {
        "loss.codille_pool": "adversaries",
        "loss.codille_adds": 1,
        "payments.pool_to": "hombre",
    }
    rules = made_rules(**FIXED | {"loss.beast_size": size} | put_in | drawn).rules
    settlement = settle(rules, made_result(tricks=tricks, pool=pool, beasts=2))
    carry = carried(rules, Carry(pool=Fraction(pool), standing=2), settlement)
    if size == "by_firsts":  # else the third beast is as large as the first
        assert carry.pool == left, settlement
    assert carry.standing == stand


def test_where_it_does_not_matter_how_many_beasts_stand_none_is_counted():
    assert after(START, "remise", 8, beast=4) == Carry(pool=Fraction(8), losses=1)


def test_when_all_pass_everything_is_left_as_it_was_and_the_antes_lie_in_the_pool():
    carry = Carry(pool=Fraction(18), losses=2, standing=1, waiting=waiting(28, 14))
    assert carried(made_rules(**WAITING).rules, carry, None) == replace(carry, pool=Fraction(22))


@pytest.mark.parametrize(
    ("rules", "more"),
    [
        ({}, False),
        (COUNTED, True),
        ({"loss.beasts": "wait"}, True),
        ({"loss.beast_size": "by_firsts"}, True),
        (COUNTED | {"loss.beasts": "wait"}, True),
    ],
)
def test_a_session_remembers_more_than_its_pool_where_losses_or_beasts_are_counted(rules, more):
    assert remembers(made_rules(**rules).rules) is more


# --- the simulated table and the ledger -----------------------------------------------------------


@pytest.mark.parametrize("adds", ["also", "instead"])
@pytest.mark.parametrize("stake", ["single", "penalty", "raised", "made_good"])
def test_a_real_tables_ledger_holds_what_the_simulated_session_holds(tmp_path, adds, stake):
    settings = COUNTED | {"multiplier.loss_adds": adds, "multiplier.stake": stake}
    compiled = compile_reference("quadrille-laws", settings=settings)
    path = tmp_path / "table.ledger"
    start(path, compiled, "quadrille-laws", NAMES, dealer=None, coins="plain")
    seen = set()
    with Ledger(path) as ledger:
        table = play_session(
            compiled.ruleset, [make_bot("random")] * 4, seed=5, session=0, deals=24, players=NAMES
        )
        for played in table:
            result = played.deal.result()
            assert result is not None
            assert result.multiplier == ledger.journal().times
            seen.add(result.multiplier)
            # with pool and multiplier in, which the ledger knows and compares
            ledger.record(Fact("result", result_to_plain(result, "quadrille-laws")))
            book = ledger.journal()
            assert tuple(book.balances[book.account_of(n)] for n in NAMES) == played.holdings
            assert book.carry.pool == played.pool_after
            again = replay(compiled.ruleset, to_record(played.deal, played.settlement))
            assert again.divergence is None
            assert settle(compiled.ruleset.rules, again.deal.result()) == played.settlement
    assert {1, 2, 3} <= seen


def test_a_corrected_deal_changes_what_later_deals_count(tmp_path, counted):
    path = tmp_path / "table.ledger"
    start(
        path,
        compile_reference("quadrille-laws", settings=COUNTED | {"multiplier.loss_adds": "instead"}),
        "quadrille-laws",
        NAMES,
        dealer=None,
        coins="plain",
    )
    won = {
        "contract": "solo",
        "trump": "hearts",
        "hombre": "Anne",
        "tricks": {"Anne": 6, "Beatrice": 4},
        "matadors": 3,
    }
    codille = won | {"tricks": {"Anne": 4, "Beatrice": 6}}
    with Ledger(path) as ledger:
        ledger.record(Fact("result", won | {"matadors": 0}))
        ledger.record(Fact("result", won))
        assert "counted" not in ledger.journal().deals[2].outcome
        ledger.correct(1, Fact("result", codille))
        assert ledger.journal().deals[2].outcome.endswith("won, counted double")
        assert ledger.journal().times == 1
        with pytest.raises(ResultError, match="this deal counts by the ledger: 1"):
            ledger.record(Fact("result", won | {"multiplier": 2}))
        ledger.record(Fact("result", codille))
        assert ledger.journal().times == 2
        ledger.reverse(3)
        assert ledger.journal().times == 1


def test_a_record_counts_its_deal_within_bounds(counted):
    (played,) = play_session(counted.ruleset, [make_bot("random")] * 4, seed=1, session=0, deals=1)
    record = to_record(played.deal, played.settlement)
    assert "multiplier" not in record
    for times in (0, 1001, "2"):
        with pytest.raises(RecordError):
            replay(counted.ruleset, record | {"multiplier": times})
    twice = replay(
        counted.ruleset, {k: v for k, v in record.items() if k != "result"} | {"multiplier": 2}
    )
    assert twice.deal.result().multiplier == 2
    plain = compile_reference("quadrille-laws").ruleset
    assert replay(plain, record | {"multiplier": 2}).deal.result().multiplier == 1
