"""Whoever takes a trick by trumping has a counter of each adversary, and a red king called costs
one."""

from quadrille_core.cards import is_red, suit
from quadrille_core.engine.ranking import trumps
from quadrille_core.hookspecs import About, OwnFact, OwnLeaf, PaymentRow, hookimpl


@hookimpl
def quadrille_describe():
    """Name the mechanic."""
    return About(title="Trumped", summary="Tricks taken by trumping are paid for.")


@hookimpl
def quadrille_leaves():
    """What each is worth."""
    doc = "Counters that each adversary pays Hombre for a trick taken by trumping."
    red = "Counters that Hombre pays the pool for calling a red king."
    return [
        OwnLeaf(path="trumped.each", type="amount", doc=doc, neutral=1),
        OwnLeaf(path="trumped.red_call", type="amount", doc=red, neutral=2),
    ]


def tricks_trumped(deal):
    """Tricks that were led in another suit and taken by a trump."""
    high, found = {*trumps(deal.trump)}, [0] * len(deal.hands)
    for trick in deal.tricks:
        if trick.cards[0] not in high and not high.isdisjoint(trick.cards):
            found[trick.winner] += 1
    return tuple(found)


def red_kings_called(deal):
    """1 where the card that was called is a red one."""
    return int(deal.called is not None and is_red(suit(deal.called)))


@hookimpl
def quadrille_payments(rules, parameters):
    """Two facts, and a payment by each."""
    per, won = "hombre.trumped.tricks_trumped", {"outcomes": ("won",)}
    return [
        OwnFact(
            name="tricks_trumped",
            unit="tricks",
            doc="tricks taken by trumping",
            compute=tricks_trumped,
        ),
        OwnFact(
            name="red_kings_called",
            unit="0 or 1",
            doc="1 where a red king was called",
            compute=red_kings_called,
            of="deal",
        ),
        PaymentRow(
            reason="trumped",
            amount="trumped.each",
            payer="adversaries",
            payee="hombre",
            per=per,
            **won,
        ),
        PaymentRow(
            reason="red call",
            amount="trumped.red_call",
            payer="hombre",
            payee="pool",
            facts={"trumped.red_kings_called": 1},
        ),
    ]
