"""Everybody else pays a counter to whoever takes the last trick that is played."""

from quadrille_core.hookspecs import About, OwnLeaf, PaymentRow, hookimpl


@hookimpl
def quadrille_describe():
    """Name the mechanic."""
    return About(title="Last trick", summary="Whoever takes the last trick is paid by all others.")


@hookimpl
def quadrille_leaves():
    """What it earns."""
    doc = "Counters that the last trick earns, of each of the others."
    return [OwnLeaf(path="kitty.each", type="amount", doc=doc, neutral=1)]


@hookimpl
def quadrille_payments(rules, parameters):
    """A payment to one who is known by a fact."""
    return [PaymentRow(reason="last trick", amount="kitty.each", payer="all", payee="last_trick")]
