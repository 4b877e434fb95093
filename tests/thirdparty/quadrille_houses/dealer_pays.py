"""The dealer pays double, to whomever it is."""

from quadrille_core.hookspecs import About, Factor, OwnLeaf, hookimpl


@hookimpl
def quadrille_describe():
    """Name the mechanic."""
    return About(title="The dealer pays", summary="What the dealer pays others is multiplied.")


@hookimpl
def quadrille_leaves():
    """How many times."""
    doc = "How many times the dealer pays what others pay once."
    return [OwnLeaf(path="dealer-pays.times", type="integer", doc=doc, neutral=2)]


@hookimpl
def quadrille_payments(rules, parameters):
    """A factor for one who pays."""
    return [Factor(reason="the dealer", factor="dealer-pays.times", payer="dealer")]
