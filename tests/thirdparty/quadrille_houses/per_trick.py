"""Each adversary pays the Hombre a counter for each trick above the contract."""

from quadrille_core.hookspecs import About, OwnLeaf, PaymentRow, hookimpl


@hookimpl
def quadrille_describe():
    """Name the mechanic."""
    return About(title="Tricks above", summary="Tricks beyond those undertaken are paid.")


@hookimpl
def quadrille_leaves():
    """What a trick earns."""
    doc = "Counters that each trick above the contract earns, of each adversary."
    return [OwnLeaf(path="per-trick.each", type="amount", doc=doc, neutral=1)]


@hookimpl
def quadrille_payments(rules, parameters):
    """One payment, so many times as there are such tricks."""
    return [
        PaymentRow(
            reason="tricks above",
            amount="per-trick.each",
            payer="adversaries",
            payee="hombre",
            per="tricks_above",
        )
    ]
