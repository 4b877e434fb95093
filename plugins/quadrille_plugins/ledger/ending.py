"""The end of a session: what is left of the pool, and who pays whom."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from quadrille_core.engine.amounts import share
from quadrille_core.frozen import frozen
from quadrille_plugins.ledger.journal import Journal
from quadrille_plugins.ledger.netting import clear
from quadrille_plugins.ledger.schema import POOL
from quadrille_plugins.ledger.standing import ZERO

SPLIT: Final = "the pool shared at the end"
NO_SOURCE: Final = "no source speaks of it"


@frozen
class Ending:
    """How a session is settled.

    ``net`` is by account, the pool standing for what is left in it; ``payments`` are (from, to,
    amount).
    """

    net: Mapping[int, Fraction]
    shared: Mapping[int, Fraction]
    """Who got how much of the pool, where it was shared."""
    pool: Fraction
    """What is left standing."""
    payments: tuple[tuple[int, int, Fraction], ...]
    fewest: bool
    split: bool = False
    """Whether the pool was to be shared, though it may have been too small for it."""


def ending_of(journal: Journal, split_pool: bool) -> Ending:
    """How the session would be settled now, or was when it ended."""
    pool = journal.balances[POOL]
    shared: dict[int, Fraction] = {}
    if journal.ended:
        last = journal.transactions[-1]
        split_pool = last.note == SPLIT
        shared = {
            e.movement.payee: e.movement.amount
            for e in journal.entries
            if e.act == last.id and e.movement.reason == SPLIT
        }
    elif split_pool and pool:
        eldest_first = [account for _, account in journal.around(journal.next_dealer)]
        parts = share(
            lambda: journal.rule("stakes.odd_counters") or "exact", range(len(eldest_first)), pool
        )
        shared = {
            account: parts.of(seat) for seat, account in enumerate(eldest_first) if parts.of(seat)
        }
        pool = parts.left
    net = {
        a: journal.net(a) + (ZERO if journal.ended else shared.get(a, ZERO))
        for a in journal.players()
    }
    if pool:
        # what lies in the pool is owed to whoever sits down to play for it
        net[POOL] = pool
    if journal.in_points:  # points are nobody's debt
        return Ending(net, shared, pool, (), True, split_pool)
    accounts = list(net)
    cleared = clear([net[a] for a in accounts])
    payments = tuple(
        (accounts[payer], accounts[payee], amount) for payer, payee, amount in cleared.payments
    )
    return Ending(
        net,
        shared,
        pool,
        journal.payments if journal.ended else payments,
        cleared.fewest,
        split_pool,
    )
