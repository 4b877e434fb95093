"""What holds of every deal of a session."""

import json
from fractions import Fraction

from quadrille_plugins.deal.record import replay, to_record
from quadrille_plugins.studies.accounts import ACCOUNTS, columns

from quadrille_core.engine.result import FUND, POOL, SCORE, VOLE_POOL
from quadrille_core.engine.settle import settle


def fund_gave(played):
    """What a fund that no text limits gave in a deal, less what it took; a game without one has
    none."""
    if played.settlement is None:
        return Fraction(0)
    sides = [(t.source == FUND) - (t.target == FUND) for t in played.settlement.transfers]
    return sum(
        (n * t.amount for n, t in zip(sides, played.settlement.transfers, strict=True)), Fraction(0)
    )


def movements(played, players):
    """What these deals moved, by column of ``studies.accounts``, added up from payments and
    antes."""
    accounts = dict(zip(ACCOUNTS, (POOL, VOLE_POOL, SCORE, FUND), strict=True))
    moved = dict.fromkeys(columns(players), Fraction(0))
    for one in played:
        settled = one.settlement
        for seat, chair in enumerate(one.chair_of_seat):
            moved[f"seat {seat}"] -= one.antes[chair]
            moved["pool"] += one.antes[chair]
            moved["antes" if settled else "redealt"] -= one.antes[chair]
        for t in settled.transfers if settled else ():
            for who, amount in ((t.target, t.amount), (t.source, -t.amount)):
                if who < 0:
                    moved[next(name for name in accounts if accounts[name] == who)] += amount
                else:
                    role = {one.deal.hombre: "hombre", one.deal.ally: "ally"}
                    moved[f"seat {who}"] += amount
                    moved[role.get(who, "adversaries")] += amount
    return tuple(moved.values())


def check_deal(ruleset, played):
    """One deal ended, its transfers alone reproduce net and pools, and its record replays to the
    same."""
    assert played.deal.turn is None
    if played.settlement is None:
        assert played.deal.redealt
        return
    settled = played.settlement
    seats = range(len(settled.net))
    accounts = dict.fromkeys([POOL, VOLE_POOL, SCORE, FUND, *seats], Fraction(0))
    for t in settled.transfers:
        assert isinstance(t.amount, Fraction)
        assert t.amount > 0
        assert t.source != t.target
        assert t.reason
        accounts[t.source] -= t.amount
        accounts[t.target] += t.amount
    assert tuple(accounts[s] for s in seats) == settled.net
    assert accounts[VOLE_POOL] == 0
    assert settled.pool_before + accounts[POOL] == settled.pool_after >= 0
    record = json.loads(json.dumps(to_record(played.deal, settled)))
    again = replay(ruleset, record)
    assert again.divergence is None
    assert settle(ruleset.rules, again.deal.result()).transfers == settled.transfers
    assert json.loads(json.dumps(to_record(again.deal, settled))) == record
