"""Whatever players pay each other is double in a black suit; what the pool pays or gets is not."""

from quadrille_core.hookspecs import About, Factor, OwnLeaf, hookimpl


@hookimpl
def quadrille_describe():
    """Name the mechanic."""
    return About(title="Black doubles", summary="Payments are doubled in a black suit.")


@hookimpl
def quadrille_leaves():
    """How many times a payment in a black suit is made."""
    doc = "How many times players pay each other in a black suit."
    return [OwnLeaf(path="black-doubles.times", type="integer", doc=doc, neutral=2, high=4)]


@hookimpl
def quadrille_payments(rules, parameters):
    """A factor on whatever payments there are."""
    return [Factor(reason="black suit", factor="black-doubles.times", trumps=("spades", "clubs"))]
