"""Whoever plays after three deals or more without a game pays each adversary a counter."""

from quadrille_core.hookspecs import About, AtLeast, OwnLeaf, PaymentRow, hookimpl


@hookimpl
def quadrille_describe():
    """Name the mechanic."""
    return About(title="Rested", summary="A Hombre who let three deals go by pays for it.")


@hookimpl
def quadrille_leaves():
    """What it costs."""
    doc = "Counters that a Hombre who let three deals go by pays each adversary."
    return [OwnLeaf(path="rested.each", type="amount", doc=doc, neutral=1)]


@hookimpl
def quadrille_payments(rules, parameters):
    """A payment that earlier deals of the session decide."""
    rested = {"hombre.deals_since_hombre": AtLeast(3)}
    who = {"payer": "hombre", "payee": "adversaries"}
    return [PaymentRow(reason="rest", amount="rested.each", facts=rested, **who)]
