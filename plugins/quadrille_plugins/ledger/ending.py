"""The end of a session: what is left of the pool, and who pays whom by the fewest payments.

Among ``n`` who do not stand at nothing, a group whose balances cancel needs one payment fewer than
it has members, and no fewer will do: payments that connect a group of k need at least k − 1.  So
the fewest payments in all are ``n`` less the most groups into which the balances fall apart, each
cancelling.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from quadrille_core.engine.amounts import share
from quadrille_core.frozen import frozen
from quadrille_plugins.ledger.journal import Journal
from quadrille_plugins.ledger.schema import POOL
from quadrille_plugins.ledger.standing import ZERO

SPLIT: Final = "the pool shared at the end"
NO_SOURCE: Final = "no source speaks of it"


EXACT_UP_TO: Final = 16
"""So many with a balance are divided with proof; the work doubles with each more."""


@frozen
class Netting:
    """Payments as (from, to, amount) by index; ``fewest`` when no smaller number would settle
    all."""

    payments: tuple[tuple[int, int, Fraction], ...]
    fewest: bool


def clear(balances: Sequence[Fraction]) -> Netting:
    """Payments that settle all balances.

    The same balances in the same order always give the same payments.  Raises ValueError when the
    balances do not add up to nothing.
    """
    if sum(balances, Fraction(0)):
        raise ValueError("the balances do not add up to nothing")
    open_ = [i for i, b in enumerate(balances) if b]
    if len(open_) <= EXACT_UP_TO:
        groups, fewest = _groups([balances[i] for i in open_]), True
    else:
        groups, fewest = [list(range(len(open_)))], False
    payments: list[tuple[int, int, Fraction]] = []
    for group in groups:
        payments += _within([(open_[g], balances[open_[g]]) for g in group])
    return Netting(tuple(sorted(payments, key=lambda p: (p[0], p[1]))), fewest)


def _groups(balances: Sequence[Fraction]) -> list[list[int]]:
    """The most groups of indices, each of which adds up to nothing."""
    full = (1 << len(balances)) - 1
    sums = [Fraction(0)] * (full + 1)
    # most[mask]: into how many cancelling groups the mask falls at most, when its members are put
    # down one after another and a group is closed whenever all put down so far add up to nothing.
    most = [0] * (full + 1)
    last = [0] * (full + 1)
    for mask in range(1, full + 1):
        low = (mask & -mask).bit_length() - 1
        sums[mask] = sums[mask & (mask - 1)] + balances[low]
        best = -1
        for i in range(len(balances)):
            if mask >> i & 1 and most[mask ^ 1 << i] > best:
                best, last[mask] = most[mask ^ 1 << i], i
        most[mask] = best + (not sums[mask])
    groups: list[list[int]] = []
    mask = full
    while mask:
        if not sums[mask]:
            groups.append([])
        groups[-1].append(last[mask])
        mask ^= 1 << last[mask]
    return [sorted(g) for g in groups]


def _within(group: Sequence[tuple[int, Fraction]]) -> list[tuple[int, int, Fraction]]:
    """Payments that settle one group: each clears a payer or a payee, and the last clears both."""
    left = dict(group)
    payers = [i for i, b in sorted(group, key=lambda m: (m[1], m[0])) if b < 0]
    payees = [i for i, b in sorted(group, key=lambda m: (-m[1], m[0])) if b > 0]
    payments = []
    while payers and payees:
        payer, payee = payers[0], payees[0]
        amount = min(-left[payer], left[payee])
        payments.append((payer, payee, amount))
        left[payer] += amount
        left[payee] -= amount
        payers = payers if left[payer] else payers[1:]
        payees = payees if left[payee] else payees[1:]
    return payments


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
