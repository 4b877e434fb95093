"""Beasts that wait and purses that run out: the same in the engine's sessions and in the ledger of
a table."""

import json
from fractions import Fraction
from types import SimpleNamespace

import pytest
from quadrille_plugins.deal.session import play_session
from quadrille_plugins.ledger import report
from quadrille_plugins.ledger.journal import Fact
from quadrille_plugins.ledger.service import Ledger, start
from quadrille_plugins.settle.result_file import read_result
from quadrille_plugins.studies.sessions import readable, side_by_side
from support import made_rules
from support.settling import DATA, FILES, overrides_of

from quadrille_core import vocabulary
from quadrille_core.engine.carry import (
    START,
    antes_of,
    carried,
    chairs_of,
    refills_of,
    session_over,
    staked,
)
from quadrille_core.engine.settle import settle
from quadrille_core.errors import LedgerError
from quadrille_core.rules import Identity, PluginUse, RuleSet
from quadrille_core.ruleset import digest

SESSIONS = [session for file in FILES for session in file.get("sessions", [])]
NAMES = ("A", "B", "C", "D")
LOST = {"contract": "solo", "trump": "clubs", "hombre": "A", "tricks": {"A": 5, "B": 5}}


def named(session):
    return session["name"]


def compiled_of(rules):
    """The made rules as a ledger wants them, with their own digest."""
    leaves = vocabulary.dump(rules)
    identity = Identity(profile="made", digest=digest(leaves, list[PluginUse]()))
    return SimpleNamespace(
        ruleset=RuleSet(identity=identity, rules=rules),
        rules=rules,
        identity=identity,
        source_of=lambda path: "made",
    )


def begun(tmp_path, **overrides):
    path = tmp_path / "money.ledger"
    overrides = {**DATA["presets"]["older"], **overrides}
    start(path, compiled_of(made_rules(**overrides).rules), "made", NAMES, dealer=None)
    return path


def fact_of(deal):
    return {
        "contract": "solo",
        "trump": "clubs",
        "hombre": deal["hombre"],
        "tricks": deal["tricks"],
    }


@pytest.mark.parametrize("session", SESSIONS, ids=named)
def test_a_session_worked_by_hand_in_the_engine(session):
    rules = made_rules(**overrides_of(session)).rules
    holdings, given, carry = [Fraction(rules.table.purse)] * 4, [Fraction(0)] * 4, START
    for number, deal in enumerate(session["deals"]):
        chairs = chairs_of(number, rules.table.players)
        for chair, ante in enumerate(antes_of(rules, chairs)):
            holdings[chair] -= ante
        data = {
            "players": [NAMES[c] for c in chairs],
            "pool": str(staked(rules, carry)),
            **fact_of(deal),
        }
        if carry.beasts:
            data["beasts"] = carry.beasts
        settlement = settle(rules, read_result(data, rules))
        for seat, net in enumerate(settlement.net):
            holdings[chairs[seat]] += net
        carry = carried(rules, carry, settlement)
        for chair, purses in enumerate(refills_of(rules, holdings)):
            holdings[chair] += purses
            given[chair] += purses
        assert (carry.pool, list(carry.waiting)) == (deal["pool"], deal["apart"])
        assert session_over(rules, holdings) == deal.get("over", False)
        assert sum(holdings) + carry.held == 4 * rules.table.purse + sum(given)
    assert holdings == session["holdings"]
    if "net" in session:
        assert [h - g - rules.table.purse for h, g in zip(holdings, given, strict=True)] == session[
            "net"
        ]


@pytest.mark.parametrize("session", SESSIONS, ids=named)
def test_a_session_worked_by_hand_in_the_ledger(session, tmp_path):
    path = tmp_path / "hand.ledger"
    start(path, compiled_of(made_rules(**overrides_of(session)).rules), "made", NAMES, dealer=None)
    with Ledger(path) as ledger:
        for deal in session["deals"]:
            ledger.record(Fact("result", fact_of(deal)))
            journal = ledger.journal()
            assert (journal.carry.pool, list(journal.carry.waiting)) == (
                deal["pool"],
                deal["apart"],
            )
            assert bool(journal.cannot_pay()) == deal.get("over", False)
        assert [journal.balances[a] for a in journal.players()] == session["holdings"]
        if "net" in session:
            assert [journal.net(a) for a in journal.players()] == session["net"]
        if journal.cannot_pay():
            with pytest.raises(LedgerError, match="A could not pay in deal 2"):
                ledger.record(Fact("result", fact_of(session["deals"][0])))
            assert len(ledger.journal().deals) == 2
        json.dumps(report.export_data(ledger.journal()))
        ending = ledger.end(split_pool=True)
        assert sum(ending.net.values()) == 0


def test_a_correction_takes_back_the_purse_that_was_not_needed_and_gives_the_one_that_was(tmp_path):
    path = begun(tmp_path, **{"table.purse": 10, "table.purse_empty": "refill"})
    with Ledger(path) as ledger:
        ledger.record(Fact("result", LOST))
        ledger.record(Fact("result", LOST))
        ledger.correct(1, Fact("result", {**LOST, "tricks": {"A": 7, "B": 3}}))
        journal = ledger.journal()
        a = journal.account_of("A")
        # 10 - 1 + 4, then - 1 - 4: no purse is wanted any more
        assert (journal.balances[a], journal.purses[a], journal.net(a)) == (8, 10, -2)
        assert list(journal.faults()) == []
        ledger.correct(1, Fact("result", {**LOST, "hombre": "B", "tricks": {"A": 5, "B": 5}}))
        journal = ledger.journal()
        b = journal.account_of("B")
        # A: 10 - 1, then - 1 - 12 = -4, and a purse; B: 10 - 1 - 4 - 1
        assert (journal.balances[a], journal.purses[a], journal.net(a)) == (6, 20, -14)
        assert (journal.balances[b], journal.purses[b]) == (4, 10)


def test_a_later_deal_is_settled_anew_when_only_what_somebody_holds_has_changed(tmp_path):
    path = begun(tmp_path, **{"table.purse": 10, "table.purse_empty": "refill"})
    with Ledger(path) as ledger:
        for made in (7, 5, 5):
            ledger.record(Fact("result", {**LOST, "tricks": {"A": made, "B": 10 - made}}))
        # the pool is taken in the first deal either way; A's purse is not the same
        ledger.correct(1, Fact("result", {**LOST, "hombre": "B", "tricks": {"A": 3, "B": 7}}))
        journal = ledger.journal()
        a = journal.account_of("A")
        # 10 - 1, - 1 - 4, - 1 - 12 = -9: one purse, where before it had been -5 with one
        assert (journal.balances[a], journal.purses[a]) == (1, 20)
        assert list(journal.faults()) == []


def test_somebody_new_sits_down_for_one_who_got_purses_from_the_box(tmp_path):
    path = begun(tmp_path, **{"table.purse": 10, "table.purse_empty": "refill"})
    with Ledger(path) as ledger:
        ledger.record(Fact("result", LOST))
        ledger.record(Fact("result", LOST))
        ledger.substitute("A", "E")
        ledger.record(Fact("result", {**LOST, "hombre": "E", "tricks": {"E": 5, "B": 5}}))
        journal = ledger.journal()
        # E: 10 - 1 - 28 = -19 and two purses; A keeps what the box gave
        assert {
            journal.accounts[a]: (journal.balances[a], journal.net(a)) for a in journal.players()
        } == {
            "A": (2, -18),
            "B": (7, -3),
            "C": (7, -3),
            "D": (7, -3),
            "E": (1, -29),
        }
        ending = ledger.end(split_pool=True)
        assert sum(ending.net.values()) == 0


def test_a_deal_that_is_taken_back_lets_a_session_go_on_that_had_ended(tmp_path):
    path = begun(tmp_path, **{"table.purse": 10, "table.purse_empty": "session_ends"})
    with Ledger(path) as ledger:
        ledger.record(Fact("result", LOST))
        ledger.record(Fact("result", LOST))
        assert "could not pay" in "".join(str(b) for b in report.standing_blocks(ledger.journal()))
        ledger.reverse(2)
        assert ledger.record(Fact("result", {**LOST, "tricks": {"A": 7, "B": 3}})) == 3


def test_the_ledger_tells_which_beasts_lie_apart(tmp_path):
    path = begun(tmp_path, **{"loss.beast_size": "doubling", "loss.beasts": "wait"})
    with Ledger(path) as ledger:
        for _ in range(3):
            ledger.record(Fact("result", LOST))
        journal = ledger.journal()
        told = "".join(str(b) for b in report.standing_blocks(journal))
        assert (
            "In play 26, with one beast; put apart until the pool is taken 56, 28, 2 beasts."
            in told
        )
        pool = report.state_data(journal)["pool"]
        assert (pool["amount"], pool["beasts"], pool["apart"]) == (110, 3, [56, 28])
        assert [report.deal_data(journal, number)["pool"]["beasts"] for number in (1, 2, 3)] == [
            1,
            2,
            3,
        ]
        ledger.correct(2, Fact("result", {**LOST, "tricks": {"A": 7, "B": 3}}))
        # the second deal took the 14, so that the third beast is the first again, and comes in at
        # once
        assert (ledger.journal().carry.pool, ledger.journal().carry.waiting) == (18, ())


def test_a_beast_that_comes_into_play_still_stands_in_text_and_in_json(tmp_path):
    """Remise, codille, won solo: the first beast lies in the pool and is won, the second waits and
    then comes in."""
    path = begun(
        tmp_path, **{"loss.beast_size": "doubling", "loss.beasts": "wait", "loss.beast_first": 14}
    )
    with Ledger(path) as ledger:
        for made in (5, 4, 7):
            ledger.record(Fact("result", {**LOST, "tricks": {"A": made, "B": 10 - made}}))
        journal = ledger.journal()
        stood = [report.deal_data(journal, number)["pool"]["beasts"] for number in (1, 2, 3)]
        assert stood == [1, 2, 1]
        assert journal.pool_state().beasts == 1
        assert "and one beast lies in it." in "".join(
            str(b) for b in report.standing_blocks(journal)
        )
        assert report.state_data(journal)["pool"]["beasts"] == 1


def test_nobody_is_seated_anew_once_the_rules_have_ended_the_session(tmp_path):
    path = begun(tmp_path, **{"table.purse": 10, "table.purse_empty": "session_ends"})
    with Ledger(path) as ledger:
        ledger.record(Fact("result", LOST))
        ledger.record(Fact("result", LOST))
        with pytest.raises(LedgerError, match="A could not pay in deal 2"):
            ledger.substitute("A", "E")
        ledger.reverse(2)
        assert ledger.substitute("A", "E") == 3


class Loser:
    """Bids what they cannot make."""

    name = "loser"

    def choose(self, view, legal, stream):
        return next((a for a in legal if str(a) == "bid solo"), legal[stream.below(len(legal))])


def test_a_session_of_the_engine_ends_when_somebody_cannot_pay():
    rules = {"table.purse": 6, "table.purse_empty": "session_ends"}
    played = list(play_session(made_rules(**rules), [Loser()] * 4, seed=1, session=0, deals=40))
    assert 0 < len(played) < 40
    assert [min(p.holdings) < 0 for p in played] == [False] * (len(played) - 1) + [True]


def test_a_comparison_pairs_only_the_deals_that_both_tables_played():
    rulesets = [
        made_rules(**{"table.purse": 6, "table.purse_empty": how})
        for how in ("debt", "session_ends")
    ]
    block, _ = side_by_side(readable(rulesets, ["random"] * 4), 1, 0, [12], None, 0)
    debt, ends = (table.deals.count for table in block.tables)
    assert ends < debt == 12
    assert block.pairs[0].deals.count == ends
