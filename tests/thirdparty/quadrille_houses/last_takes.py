"""Of a game that is lost the premium goes to whoever took the last trick, by half at that.

A house rule of ours, which sends payments to a player and divides them.
"""

from quadrille_core.hookspecs import About, Factor, OwnLeaf, Redirect, hookimpl


@hookimpl
def quadrille_describe():
    """Name the mechanic."""
    return About(title="Last takes", summary="The last trick takes half of lost premiums.")


@hookimpl
def quadrille_leaves():
    """Whether it does, and how much of them."""
    doc = "Whether the premium of a lost game is paid to whoever took the last trick."
    part = "How much of that premium is paid."
    return [
        OwnLeaf(path="last-takes.premium", type="boolean", doc=doc, neutral=True),
        OwnLeaf(path="last-takes.part", type="amount", doc=part, neutral="1/2"),
    ]


@hookimpl
def quadrille_payments(rules, parameters):
    """First the half, then its way."""
    leaf = "last-takes.premium"
    lost = {
        "of": ("payments.premium", "payments.in_favourite.premium"),
        "outcomes": ("remise", "codille"),
    }
    return [
        Factor(reason="half", factor="last-takes.part", when=leaf, **lost),
        Redirect(reason="last takes", redirected=leaf, to="last_trick", **lost),
    ]
