"""Whoever was dealt a red ace is paid a fish for it by each of the others.

A late Hoyle gives the holder a fish for each red ace (p. 262) and does not say who pays it.
"""

from quadrille_core.hookspecs import About, OwnLeaf, PaymentRow, hookimpl

CITED = {"source": "hoyle", "at": "p. 262", "status": "inferred"}


@hookimpl
def quadrille_describe():
    """Name the mechanic."""
    return About(title="Red aces", summary="Red aces are paid to whoever was dealt them.")


@hookimpl
def quadrille_leaves():
    """What a red ace earns."""
    doc = "Counters that a red ace earns, of each of the others."
    return [OwnLeaf(path="red-aces.each", type="amount", doc=doc, neutral=1, **CITED)]


@hookimpl
def quadrille_payments(rules, parameters):
    """To each by their own number: two who have one each pay each other."""
    return [
        PaymentRow(
            reason="red aces",
            amount="red-aces.each",
            payer="all",
            payee="all",
            per="payee.red_aces_dealt",
        )
    ]
