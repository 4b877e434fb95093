"""Rules that cannot act: what is said of them is held against deals that are played and results
that are settled."""

import re
from functools import cache

import pytest
from quadrille_plugins.house_rules.idle import idle
from quadrille_plugins.settle.consulted import touches
from support.rulebook import Trial, flips

from quadrille_core import vocabulary
from quadrille_core.errors import QuadrilleError
from quadrille_core.ruleset import Compiled, compile_reference

SETS = {
    "quanti-1822@parlett": {},
    "quanti-1822@wikipedia": {},
    "quanti-1822 redealt": {"auction.all_pass": "redeal"},
    "quanti-1822 without exchange or vole": {
        "bids.mediateur.made": "never",
        "bids.vole.made": "never",
    },
    "mediateur-1752": {},
    "quintille@article": {},
    "quadrille-modern": {},
    "quadrille-laws@article": {},
    "quadrille-laws+nemo+grandissimo+vole-announced+favourite:doubles=game+multiplier": {},
    "quadrille-laws+nemo+vole-announced+favourite+point-score": {},
    "hoyle-improved+point-score": {},
    "hoyle-improved with voles of solos only": {"bids.alliance.may_undertake_vole": False},
    "hoyle-improved whose voles undertaken cost nothing": {"vole.undertaken_failed_premium": False},
    "hoyle-improved whose voles cost nothing": {
        "vole.undertaken_failed_premium": False,
        "vole.announced_failed_premium": False,
    },
    "quintille-old+point-score": {},
}
UNREAD = {
    # rules that act, and for which the trial has no deal or result: why it has none
    "bids.*.call.fallback": "needs a hand with every card that may be called",
    "bids.*.call.trump_suit": "needs a hand that leaves no other card to call",
    "bids.*.premiers": "nothing is paid for premiers, or none can be made",
    "payments.in_favourite.matadors.*": "few results of the trial hold matadors in favourite "
    "where points are written",
    "vole.waits_for_ally": "needs an ally who is not yet known when the first tricks are won",
    "bids.*.vole_before_lead": "the players of the trial do not announce it",
    "premiers.claim": "nothing is paid for premiers",
    "stakes.unit_rounding": "the unit comes out whole",
    "vole.consultation": "needs an ally when the first tricks are won",
    "vole.undertaken_failed_borne": "needs an ally in a vole that was missed",
    "vole.announced_failed_premium": "needs a vole announced and missed",
    "payments.matadors.*": "few results of the trial hold matadors where points are written",
    "multiplier.stake": "needs a game that counts several times",
}
"""Whatever is neither read in the trial nor said to be idle is one of these."""


@cache
def compiled(name: str) -> Compiled:
    """The rule set of that name."""
    return compile_reference(name.split(maxsplit=1)[0], settings=SETS[name])


@cache
def trial_of(name: str) -> Trial:
    """What happens under a rule set, in deals and in some results that can have happened."""
    return Trial(compiled(name).ruleset.rules, 1500)


def silent(name: str) -> set[str]:
    """The rules that a profile, reading or plugin states, that the trial does not read and nothing
    is said of."""
    rules = compiled(name)
    stated = {path for path, origin in rules.origins.items() if origin.link.setter != "vocabulary"}
    return {path for path in stated - set(idle(rules)) if not touches(trial_of(name).read, path)}


@pytest.mark.parametrize("name", SETS)
def test_a_rule_that_no_deal_and_no_settlement_reads_is_said_to_be_idle(name):
    """A new rule that has no occasion under some rules is found here, and is said or explained."""
    assert {
        p for p in silent(name) if not any(vocabulary.matches(pattern, p) for pattern in UNREAD)
    } == set()


@pytest.mark.parametrize("name", SETS)
def test_a_rule_that_is_said_to_be_idle_changes_nothing(name):
    """It is not read, or whatever else it might say, every deal and settlement stays the same."""
    rules = compiled(name).ruleset.rules
    said, trial = set(idle(compiled(name))), trial_of(name)
    wrong = {
        path for path, _, changed in flips(rules) if path in said and trial.notices(path, changed)
    }
    assert wrong == set()


def paid_by_fund_or_for_a_king():
    """The rules of a shipped set that has them all, by which a fund gives or a king costs."""
    return {
        p
        for p in compile_reference("hoyle-improved").origins
        if ".fund_" in p or p.endswith(".king")
    }


def test_what_a_fund_gives_and_a_king_costs_is_refused_where_points_are_written():
    """Nobody is paid there: more than nothing is refused, row by row; nothing is told as idle."""
    paid = paid_by_fund_or_for_a_king()
    assert len(paid) > 15
    points = {
        "score.kept": "points",
        "stakes.ante": 0,
        "table.purse_empty": "debt",
        **dict.fromkeys(paid, 0),
    }
    assert paid <= set(idle(compile_reference("hoyle-improved", settings=points)))
    for path in paid:
        with pytest.raises(
            QuadrilleError, match=rf"nobody pays anybody, and {re.escape(path)} is a payment"
        ):
            compile_reference(
                "hoyle-improved", settings=points | {path: "1/2" if ".fund_" in path else 1}
            )
    assert not {"payments.king", "payments.fund_game.alliance"} & set(
        idle(compile_reference("hoyle-improved"))
    )


def test_the_point_score_sets_to_nothing_what_would_be_refused():
    """It touches no row that pays nothing."""
    scored, paid = (
        compile_reference("hoyle-improved+point-score"),
        compile_reference("hoyle-improved"),
    )
    for path in paid_by_fund_or_for_a_king():
        assert scored.value_of(path) == 0
        assert (scored.origins[path].link.setter == "plugin") is (paid.value_of(path) != 0), path


def test_the_price_of_a_king_is_idle_where_no_bid_exchanges():
    """There it is told, and not refused."""
    without = compile_reference("hoyle-improved", settings={"bids.mediateur.made": "never"})
    assert {"payments.king", "payments.in_favourite.king"} <= set(idle(without))
    assert "payments.king" not in idle(compile_reference("hoyle-improved"))


def test_the_price_of_a_lost_vole_is_idle_where_none_can_be_lost_or_none_is_paid():
    """Bid by bid: solos announce the vole here too, and pay one missed by another leaf than voles
    undertaken."""
    bids = ("alliance", "mediateur", "solo")
    costs = "vole.undertaken_failed_premium", "vole.announced_failed_premium"
    cases = (
        ({}, ()),
        ({"bids.alliance.may_undertake_vole": False}, ("alliance",)),
        ({f"bids.{bid}.may_undertake_vole": False for bid in bids}, ("alliance", "mediateur")),
        (
            {f"bids.{b}.may_undertake_vole": False for b in bids}
            | {"bids.solo.vole_with_bid": "none"},
            bids,
        ),
        ({costs[0]: False}, ("alliance", "mediateur")),
        ({costs[1]: False}, ()),
        ({costs[0]: False, costs[1]: False}, bids),
    )
    for settings, stopped in cases:
        said = idle(compile_reference("hoyle-improved", settings=settings))
        for table in ("payments", "payments.in_favourite"):
            assert tuple(b for b in bids if f"{table}.vole_lost.{b}" in said) == stopped, settings


def test_what_is_explained_is_needed():
    """No explanation stands for rules that are all read or said."""
    unread = set().union(*map(silent, SETS))
    assert {p for p in UNREAD if any(vocabulary.matches(p, path) for path in unread)} == set(UNREAD)
