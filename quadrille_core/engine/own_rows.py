"""What plugins add, applied: their payments at a settlement, and their limits on trumps."""

from collections.abc import Iterator
from fractions import Fraction

from quadrille_core.cards import SUITS, Suit
from quadrille_core.engine.result import POOL, Transfer
from quadrille_core.own import PaymentRow
from quadrille_core.rules import Rules


def row_transfers(
    rules: Rules,
    row: PaymentRow,
    seats: int,
    *,
    unit: Fraction,
    times: int = 1,
    hombre: int | None = None,
    ally: int | None = None,
    by: int | None = None,
) -> Iterator[Transfer]:
    """The payments of one row, payer by payer; ``by`` is the offender, ``unit`` what a unit is worth."""
    side = {hombre, ally} - {None}
    every = range(seats)
    parties: dict[str, list[int | None]] = {
        "hombre": [hombre],
        "ally": [ally],
        "side": [s for s in every if s in side],
        "adversaries": [s for s in every if s not in side],
        "offender": [by],
        "others": [s for s in every if s != by],
        "all": list(every),
        "pool": [POOL],
    }
    amount = rules.own.amount(row.amount) * (unit if row.unit == "units" else 1) * (times if row.counted else 1)
    for source in parties[row.payer]:
        for target in parties[row.payee]:
            if amount and source is not None and target is not None and source != target:
                yield Transfer(source, target, amount, row.reason, row.amount)


def trump_limit(rules: Rules, bid: str, suit: Suit, favourite: Suit | None) -> str | None:
    """The leaf of a plugin by which a suit may not be named trumps at a bid; None where it may."""
    named = {SUITS[suit], "favourite"} if suit == favourite else {SUITS[suit]}
    return next((limit.rule for limit in rules.own.limits(bid) if named.isdisjoint(limit.suits)), None)
