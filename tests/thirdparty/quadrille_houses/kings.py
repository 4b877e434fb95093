"""Each king that the adversaries capture costs the Hombre two counters, to each of them.

Captured is a king that lies in their tricks, whoever played it.
"""

from quadrille_core.hookspecs import About, OwnLeaf, PaymentRow, hookimpl


@hookimpl
def quadrille_describe():
    """Name the mechanic."""
    return About(title="Captured kings", summary="Hombre pays for kings that adversaries capture.")


@hookimpl
def quadrille_leaves():
    """What a king costs."""
    doc = "Counters that a captured king costs the Hombre, to each adversary."
    return [OwnLeaf(path="kings.each", type="amount", doc=doc, neutral=2)]


@hookimpl
def quadrille_payments(rules, parameters):
    """One payment, so many times as there are such kings."""
    return [
        PaymentRow(
            reason="captured kings",
            amount="kings.each",
            payer="hombre",
            payee="adversaries",
            per="adversaries.kings_captured",
        )
    ]
